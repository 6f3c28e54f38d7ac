// METEOR's tokenization and normalization, its option `-norm`. text/meteor_normalizer.py explains
// the steps; these are the same, one after the other.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "text/text.hpp"

namespace bleuet {

class MeteorNormalizer {
 public:
  // Words that keep their full stop, and whether they keep it only before a number.
  using Prefixes = std::unordered_map<std::u32string, bool>;
  enum class Apostrophes { english, french, other };

  MeteorNormalizer(Prefixes prefixes, Apostrophes apostrophes, bool no_punct)
      : prefixes_(std::move(prefixes)), apostrophes_(apostrophes), no_punct_(no_punct) {}

  // Memory that calls use again.
  struct Scratch {
    std::vector<char32_t> now, next;
    std::u32string out;
  };

  // The tokens with one space between them, in `scratch.out`. The caller lower-cases them.
  std::u32string& operator()(const Text& text, Scratch& scratch) const;

 private:
  struct Word {
    const char32_t* begin;
    std::size_t size;
  };

  void add(const Word& word, char32_t after, std::u32string& out) const;

  Prefixes prefixes_;
  Apostrophes apostrophes_;
  bool no_punct_;  // whether only letters and digits are left, its option `-noPunct`
};

}  // namespace bleuet
