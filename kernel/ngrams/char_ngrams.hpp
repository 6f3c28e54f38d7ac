// Clipped character n-gram matches between a hypothesis and one reference (Popović 2015).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngrams/char_masks.hpp"
#include "ngrams/char_numbers.hpp"
#include "ngrams/chrf_text.hpp"

namespace bleuet {

// Two ways give the same numbers: bit masks of positions when one side is short and the order not
// above six, exact n-gram numbers for everything else.
class CharNgramMatcher {
 public:
  // Writes matches[n - 1] for n = 1..order.
  void count(const ChrfText& hypothesis, const ChrfText& reference, std::size_t order,
             std::int64_t* matches);

 private:
  const char32_t* widen(const ChrfText& text, std::vector<char32_t>& buffer) const;
  void count_wide(const char32_t* masked, std::size_t n_masked, const char32_t* walked,
                  std::size_t n_walked, std::int64_t* matches);

  CharMasks masks_;
  CharNumbers numbers_;
  std::vector<char32_t> wide_hypothesis_, wide_reference_;

  // A hash table of the masked side's characters, numbered from 1 on; all others are 0.
  std::vector<char32_t> slot_characters_;
  std::vector<std::uint16_t> slot_numbers_;
  std::vector<std::uint16_t> masked_numbers_, walked_numbers_;
};

}  // namespace bleuet
