// Tokenizers and lines of text, as Python calls them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings/module.hpp"
#include "bindings/names.hpp"
#include "bindings/segments.hpp"
#include "meteor/normalizer.hpp"
#include "text/lines.hpp"
#include "text/tokenizer.hpp"
#include "text/utf8.hpp"

namespace bleuet {
namespace {

nb::list tokenize_to_strings(const std::string& tokenizer, nb::str line) {
  TokenizerScratch scratch;
  TokenList tokens;
  tokenize(by_name(kTokenizers, tokenizer, "tokenizer"), text_of(line.ptr()), Case::keep, scratch,
           tokens);
  nb::list out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    out.append(string_of(tokens.text_of(tokens[i])));
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

std::u32string code_points_of(const nb::str& string) {
  std::vector<char32_t> points;
  const std::size_t length = to_code_points(text_of(string.ptr()), Case::keep, points);
  return {points.data(), length};
}

MeteorNormalizer meteor_normalizer(const nb::dict& prefixes, const std::string& language,
                                   bool no_punct) {
  MeteorNormalizer::Prefixes found;
  for (const auto& [word, numeric] : prefixes) {
    found.emplace(code_points_of(nb::cast<nb::str>(word)), nb::cast<bool>(numeric));
  }
  using Apostrophes = MeteorNormalizer::Apostrophes;
  const auto apostrophes = language == "en"   ? Apostrophes::english
                           : language == "fr" ? Apostrophes::french
                                              : Apostrophes::other;
  return {std::move(found), apostrophes, no_punct};
}

nb::object normalized(const MeteorNormalizer& normalizer, nb::str text) {
  // Memory that is used again, unless a text was longer than this.
  constexpr std::size_t kMostKept = 100000;
  static thread_local MeteorNormalizer::Scratch kept;
  MeteorNormalizer::Scratch scratch = std::move(kept);
  std::u32string& out = normalizer(text_of(text.ptr()), scratch);
  bool ascii = true;
  for (char32_t& c : out) {
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
    ascii &= c < 0x80;
  }
  const nb::object string = nb::steal(PyUnicode_FromKindAndData(
      PyUnicode_4BYTE_KIND, out.data(), static_cast<Py_ssize_t>(out.size())));
  if (out.size() <= kMostKept) kept = std::move(scratch);
  return ascii ? string : string.attr("lower")();
}

}  // namespace

void bind_text(nb::module_& module) {
  module.def("count_lines", &count_checked_lines, nb::arg("utf8"));
  module.def("count_endings", &count_line_endings, nb::arg("utf8"), nb::arg("ending"));
  module.def("tokenize", &tokenize_to_strings, nb::arg("tokenizer"), nb::arg("line"));
  nb::class_<MeteorNormalizer>(module, "MeteorNormalizer")
      .def(
          "__init__",
          [](MeteorNormalizer* self, const nb::dict& prefixes, const std::string& language,
             bool no_punct) {
            new (self) MeteorNormalizer(meteor_normalizer(prefixes, language, no_punct));
          },
          nb::arg("prefixes"), nb::arg("language"), nb::arg("no_punct") = false)
      .def("__call__", &normalized, nb::arg("text"));
}

}  // namespace bleuet
