// Texts as few bytes: the numbers of their words, with or without a space before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/numbered_texts.hpp"
#include "text/text.hpp"

namespace bleuet {

// A symbol is a word with the space before it, or without: 2 * its number, and one more without
// the space. The first word of a text counts as one with a space.
//
// A text is a code for each word, 2 + the place of its symbol, and 0 behind the last. The code 1
// alone is a text that is written in another way. A code is seven bits a byte, the low ones first;
// all bytes of a code but the last have the top bit.
class TextPacker {
 public:
  // The words in UTF-8 by their numbers.
  explicit TextPacker(std::vector<std::string> words);

  // First counts all symbols; a text that is not its words with at most one space before each has
  // none.
  void count(const Text& text, const NumberedText& words);
  // Then returns the symbols in their places: the most frequent first, of equal ones by number.
  std::vector<std::int32_t> order();
  // Then adds a text; false where it is written in another way.
  bool add(const Text& text, const NumberedText& words);

  const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  bool find_symbols(const Text& text, const NumberedText& words);
  void put(std::uint64_t code);

  std::vector<std::string> words_;
  std::vector<std::int64_t> counts_;
  std::vector<std::uint64_t> places_;
  std::vector<std::size_t> symbols_;  // of one text
  std::vector<std::uint8_t> bytes_;
  std::vector<char> utf8_;
};

}  // namespace bleuet
