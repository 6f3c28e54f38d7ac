// One segment as chrF reads it: its characters, and its words with the punctuation cut off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/text.hpp"
#include "text/tokens.hpp"

namespace bleuet {

struct ChrfText {
  // The characters lie in `bytes` when all of them are below 256, in `code_points` otherwise.
  bool narrow = true;
  std::size_t length = 0;
  std::vector<std::uint8_t> bytes;
  std::vector<char32_t> code_points;

  TokenList words;
  std::vector<char> utf8;  // what the words were cut from, unless that is `bytes`
};

class ChrfReader {
 public:
  // `whitespace` keeps white space among the characters; `words` says whether words are wanted.
  ChrfReader(Case letter_case, bool whitespace, bool words)
      : letter_case_(letter_case), whitespace_(whitespace), words_(words) {}

  void read(const Text& text, ChrfText& out);

 private:
  void read_narrow(const Text& text, ChrfText& out);
  void read_wide(const Text& text, ChrfText& out);
  void cut_utf8(const Text& text, ChrfText& out) const;

  Case letter_case_;
  bool whitespace_, words_;
  std::vector<std::uint8_t> line_;
  std::vector<std::uint8_t> latin_;
};

}  // namespace bleuet
