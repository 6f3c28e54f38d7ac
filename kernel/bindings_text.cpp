// Tokenizers and lines of text, as Python calls them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <string_view>

#include "bindings.hpp"
#include "bindings_names.hpp"
#include "bindings_segments.hpp"
#include "lines.hpp"
#include "tokenizer.hpp"
#include "utf8.hpp"

namespace bleuet {
namespace {

nb::list tokenize_to_strings(const std::string& tokenizer, nb::str line) {
  TokenizerScratch scratch;
  TokenList tokens;
  tokenize(by_name(kTokenizers, tokenizer, "tokenizer"), text_of(line.ptr()), Case::keep, scratch,
           tokens);
  nb::list out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view utf8 = tokens.text_of(tokens[i]);
    out.append(nb::steal(
        PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "surrogatepass")));
  }
  return out;
}

std::size_t count_checked_lines(nb::bytes utf8) {
  const std::string_view bytes = bytes_of(utf8.ptr());
  if (!is_utf8(bytes)) throw nb::value_error("the bytes are not UTF-8");
  return count_newlines(bytes);
}

std::size_t count_line_endings(nb::bytes utf8, nb::bytes ending) {
  return count_endings(bytes_of(utf8.ptr()), bytes_of(ending.ptr()));
}

}  // namespace

void bind_text(nb::module_& module) {
  module.def("count_lines", &count_checked_lines, nb::arg("utf8"));
  module.def("count_endings", &count_line_endings, nb::arg("utf8"), nb::arg("ending"));
  module.def("tokenize", &tokenize_to_strings, nb::arg("tokenizer"), nb::arg("line"));
}

}  // namespace bleuet
