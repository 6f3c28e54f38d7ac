// METEOR's tokenization and normalization, its option `-norm`. text/meteor_normalizer.py explains
// the steps; these are the same, one after the other.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "text.hpp"

namespace bleuet {

class MeteorNormalizer {
 public:
  // Words that keep their full stop, and whether they keep it only before a number.
  using Prefixes = std::unordered_map<std::u32string, bool>;
  enum class Apostrophes { english, french, other };

  MeteorNormalizer(Prefixes prefixes, Apostrophes apostrophes)
      : prefixes_(std::move(prefixes)), apostrophes_(apostrophes) {}

  // The tokens with one space between them. The caller lower-cases what is not ASCII.
  std::u32string operator()(const Text& text) const;

 private:
  struct Word {
    const char32_t* begin;
    std::size_t size;
  };

  void add(const Word& word, char32_t after, std::u32string& out) const;

  Prefixes prefixes_;
  Apostrophes apostrophes_;
};

}  // namespace bleuet
