// N-grams that match a reference, with the clipped matches of each system (Papineni et al. 2002).
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "text/numbered_texts.hpp"

namespace bleuet {

// The n-grams of one length with the same matches by every system form a group.
struct NgramGroups {
  std::vector<std::int64_t> lengths;  // of each group
  std::vector<std::int64_t> matches;  // of each group, one number for each system
  std::vector<std::int64_t> ends;     // group g ends at starts[ends[g]]
  std::vector<std::int32_t> starts;   // a place of each n-gram among the words of the references
};

// Numbers of which nearly all are small: those take one byte.
class Counts {
 public:
  void reserve(std::size_t n) { small_.reserve(n); }
  void add_zeros(std::size_t n) { small_.resize(small_.size() + n); }
  void add(std::size_t at, std::uint32_t count) {
    if (small_[at] != kLarge && small_[at] + count < kLarge) {
      small_[at] = static_cast<std::uint8_t>(small_[at] + count);
      return;
    }
    std::int64_t& sum = large_[at];
    sum += count + (small_[at] == kLarge ? 0 : small_[at]);
    small_[at] = kLarge;
  }
  std::int64_t operator[](std::size_t at) const {
    return small_[at] == kLarge ? large_.find(at)->second : small_[at];
  }

 private:
  static constexpr std::uint8_t kLarge = 255;

  std::vector<std::uint8_t> small_;
  std::unordered_map<std::size_t, std::int64_t> large_;
};

class MatchedNgrams {
 public:
  // The references have so many `words`.
  MatchedNgrams(std::size_t systems, std::size_t longest, std::size_t words);

  // Counts one segment.
  void count(const NumberedReferences& references, const std::vector<NumberedTexts>& hypotheses,
             std::size_t segment);

  // Groups what was counted; nothing can be counted after it.
  NgramGroups groups();

 private:
  // An n-gram of the references of this segment: the n-gram without its last word, and that word.
  struct Local {
    std::uint32_t prefix;
    std::uint32_t word;
    std::uint32_t available;  // the most of any one reference
    std::uint32_t here;       // in the text that is read now
    std::uint32_t known;      // its number among all n-grams, once it has matched
    std::uint32_t start;
  };
  // An n-gram that has matched; the numbers of prefix and word, which identify it.
  struct Known {
    std::uint32_t prefix;
    std::uint32_t word;
    std::uint32_t start;
  };

  void read(const NumberedTexts& references, std::size_t number);
  void match(const NumberedText& hypothesis, std::size_t system);
  template <bool Adds>
  void follow(const NumberedText& text, std::uint32_t start);
  std::size_t local_slot(std::uint32_t prefix, std::uint32_t word) const;
  std::uint32_t number_of(const Local& ngram);
  void grow();
  std::vector<std::uint32_t> number_groups(NgramGroups& groups) const;

  std::size_t systems_, longest_;
  std::vector<Local> locals_;
  std::vector<std::uint32_t> local_slots_;  // number + 1, or 0; linear probing
  std::vector<std::uint32_t> prefixes_;     // of the n-gram that begins at each place of a text
  std::vector<Known> known_;
  std::vector<std::uint8_t> lengths_;
  Counts matches_;  // of each n-gram by each system
  std::vector<std::uint32_t> slots_;
};

// Returns the places of the first n-grams of one length in the order of their words.
std::vector<std::int32_t> first_ngrams(const std::int32_t* numbers, const std::int32_t* ranks,
                                       std::vector<std::int32_t> starts, std::size_t length,
                                       std::size_t limit);

}  // namespace bleuet
