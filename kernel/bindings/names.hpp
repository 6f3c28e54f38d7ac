// Options that Python passes by name.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <cstddef>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "bindings/buffers.hpp"
#include "text/text.hpp"
#include "text/tokenizer.hpp"

namespace bleuet {

namespace nb = nanobind;

template <class Value>
struct Named {
  const char* name;
  Value value;
};

template <class Value, std::size_t N>
Value by_name(const Named<Value> (&names)[N], const std::string& wanted, const char* what) {
  for (const Named<Value>& named : names) {
    if (wanted == named.name) return named.value;
  }
  throw nb::value_error((std::string("unknown ") + what + " " + wanted).c_str());
}

inline constexpr Named<Tokenizer> kTokenizers[] = {
    {"none", Tokenizer::none},
    {"13a", Tokenizer::v13a},
    {"mteval-v13a", Tokenizer::mteval_v13a},
    {"char", Tokenizer::character},
    {"intl", Tokenizer::intl},
    {"zh", Tokenizer::zh},
    {"zh-fixed", Tokenizer::zh_fixed},
    {"rouge", Tokenizer::ascii_words},
    {"rouge-stems", Tokenizer::ascii_stems},
    {"unicode", Tokenizer::unicode_words},
};

// An option of a counter: its name in Python, and what puts its value into the counter's Options.
template <class Options>
struct Field {
  const char* name;
  std::function<void(Options&, nb::handle)> put;
};

template <class Value>
Value value_of(const char* name, nb::handle value) {
  Value found;
  if (nb::try_cast<Value>(value, found)) return found;
  throw nb::type_error((std::string("the option ") + name + " has another type").c_str());
}

template <class Options, class Value>
Field<Options> field(const char* name, Value Options::* member) {
  return {name, [name, member](Options& options, nb::handle value) {
            options.*member = value_of<Value>(name, value);
            if constexpr (std::is_same_v<Value, std::size_t>) limited(options.*member, name);
          }};
}

// A number of words that n-grams have, which is at least 1.
template <class Options>
Field<Options> order_field(const char* name, std::size_t Options::* member) {
  return {name, [name, member](Options& options, nb::handle value) {
            options.*member = limited(value_of<std::size_t>(name, value), name);
            if (options.*member == 0) {
              throw nb::value_error((std::string(name) + " is at least 1").c_str());
            }
          }};
}

template <class Options>
Field<Options> field(const char* name, Case Options::* member) {
  return {name, [name, member](Options& options, nb::handle value) {
            options.*member = value_of<bool>(name, value) ? Case::lower_ascii : Case::keep;
          }};
}

template <class Options, class Value, std::size_t N>
Field<Options> field(const char* name, Value Options::* member, const Named<Value> (&values)[N]) {
  return {name, [name, member, &values](Options& options, nb::handle value) {
            options.*member = by_name(values, value_of<std::string>(name, value), name);
          }};
}

template <class Options>
Options options_from(const nb::kwargs& values, const std::vector<Field<Options>>& fields) {
  Options options{};
  for (const Field<Options>& one : fields) {
    if (!values.contains(one.name)) {
      throw nb::type_error((std::string("the option ") + one.name + " is missing").c_str());
    }
    one.put(options, values[one.name]);
  }
  if (values.size() != fields.size()) throw nb::type_error("there is an unknown option");
  return options;
}

}  // namespace bleuet
