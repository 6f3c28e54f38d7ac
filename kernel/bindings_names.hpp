// Options that Python passes by name.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string>

#include "tokenizer.hpp"

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

}  // namespace bleuet
