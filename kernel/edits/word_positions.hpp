// The words of a reference as small numbers, and where in the reference each of them stands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/bits.hpp"

namespace bleuet {

// The number of a reference word. A hypothesis word that the reference lacks gets `unknown()`:
// such words are never compared with one another, so one number is enough.
using WordId = std::uint32_t;

// Occurrences are kept as 64-bit masks, one for each block of 64 positions in which a word occurs,
// so that their number never exceeds the number of tokens however long the reference is.
class WordPositions {
 public:
  // `reference` holds numbers below `n_words`.
  void build(const std::vector<WordId>& reference, std::size_t n_words);
  // The same without the positions: only the words and their number are there.
  void build_words(const std::vector<WordId>& reference, std::size_t n_words);
  void trim();  // gives back memory that only serves to build again

  const std::vector<WordId>& reference() const { return reference_; }
  std::int32_t size() const { return static_cast<std::int32_t>(reference_.size()); }
  WordId unknown() const { return static_cast<WordId>(first_.size() - 2); }
  std::size_t n_words() const { return first_.size() - 2; }

  // The mask of positions 0 to 63: all there is where the reference has at most 64 tokens.
  std::uint64_t mask(WordId word) const { return masks_[word]; }

  // Bit t is set if the word is at position `base` + t; `base` is not negative.
  std::uint64_t window(WordId word, std::int32_t base) const;

  // The windows of a word at a base, which is not negative, and every 64 positions from there on.
  class Windows {
   public:
    Windows(const WordPositions& of, WordId word, std::int32_t base)
        : blocks_(of.blocks_.data()),
          masks_(of.masks_.data()),
          block_(static_cast<std::uint32_t>(base) / 64),
          shift_(static_cast<std::uint32_t>(base) % 64),
          entry_(of.entry_at(word, block_)),
          stop_(of.first_[word + 1]) {}

    std::uint64_t next() {
      std::uint64_t bits = 0;
      if (entry_ < stop_ && blocks_[entry_] == block_) bits = masks_[entry_++] >> shift_;
      ++block_;
      if (shift_ != 0 && entry_ < stop_ && blocks_[entry_] == block_) {
        bits |= masks_[entry_] << (64 - shift_);
      }
      return bits;
    }

   private:
    const std::uint32_t* blocks_;
    const std::uint64_t* masks_;
    std::uint32_t block_, shift_;
    std::size_t entry_, stop_;
  };

  // Calls `visit(position)` for each position of the word in [begin, end), from the left.
  template <class Visit>
  void each(WordId word, std::int32_t begin, std::int32_t end, Visit visit) const;

 private:
  // The word's first entry of this block or a later one; its end where there is none.
  std::size_t entry_at(WordId word, std::uint32_t block) const {
    const std::size_t first = first_[word];
    return blocks_[first] >= block ? first : search_entry(word, block);
  }
  std::size_t search_entry(WordId word, std::uint32_t block) const;
  void build_short();
  void build_long(std::size_t n_words);

  std::vector<WordId> reference_;
  std::vector<std::uint32_t> first_;  // of each word, its first entry below; one more for unknown()
  std::vector<std::uint32_t> blocks_;  // which block of 64 positions, ascending for each word
  std::vector<std::uint64_t> masks_;   // which positions of that block
};

template <class Visit>
void WordPositions::each(WordId word, std::int32_t begin, std::int32_t end, Visit visit) const {
  if (begin < 0) begin = 0;
  const std::size_t stop = first_[word + 1];
  for (std::size_t e = entry_at(word, static_cast<std::uint32_t>(begin) / 64); e < stop; ++e) {
    const auto offset = static_cast<std::int32_t>(blocks_[e] * 64);
    for (std::uint64_t bits = masks_[e]; bits != 0; bits &= bits - 1) {
      const std::int32_t position = offset + lowest_bit(bits);
      if (position >= end) return;
      if (position >= begin) visit(position);
    }
  }
}

}  // namespace bleuet
