// Tercom's tokenizer (Normalizer.java of tercom 0.10) as sacreBLEU 2.6.0 has it.
#pragma once

#include <string_view>
#include <vector>

#include "text/text.hpp"

namespace bleuet {

struct TercomOptions {
  bool normalized = false;     // join lines, undo XML escapes, split off punctuation
  bool no_punct = false;       // drop punctuation
  bool asian_support = false;  // extends the two above, does nothing on its own
};

// Prepares segments; the words of what it returns are those between Unicode white space.
class TercomTokenizer {
 public:
  explicit TercomTokenizer(const TercomOptions& options) : options_(options) {}

  // Applies the tokenizer `times` times and leaves UTF-8 in `buffer`, kPadding zero bytes behind
  // it. Twice is not the same as once: "dog's." becomes "dog's ." and only then "dog 's .".
  std::string_view prepare(const Text& text, Case letter_case, int times,
                           std::vector<char>& buffer);

 private:
  void tokenize();

  TercomOptions options_;
  std::vector<char32_t> input_;
  std::vector<char32_t> text_;
  std::vector<char32_t> next_;
};

}  // namespace bleuet
