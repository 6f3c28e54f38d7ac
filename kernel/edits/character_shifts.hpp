// The shifts of words that CharacTER makes before it counts characters (Wang, Peter, Rosendahl and
// Ney 2016), as their program finds them.
//
// A candidate is a word of the hypothesis that the reference has in another place, with the equal
// words behind both; it goes to that place. In each round the candidate with the fewest word edits
// is made, and of those with as few the one whose words come last in the order of code points, as
// long as the edits per reference word fall.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "edits/edit_distance.hpp"
#include "edits/moved_blocks.hpp"
#include "edits/ter_vocabulary.hpp"
#include "edits/word_positions.hpp"

namespace bleuet {

// Owns scratch memory, so each thread needs its own.
class CharacterShifts {
 public:
  // `words` are those of the hypothesis, `numbers` their numbers in `reference`, or its unknown().
  void find(const std::vector<TerWord>& words, const std::vector<WordId>& numbers,
            const WordPositions& reference);

  // The words in their new order, as places in the hypothesis.
  const std::vector<std::int32_t>& order() const { return order_; }

  // What the shifts cost: each run of words that stands further right in the new order than in the
  // old one costs its mean number of characters.
  double cost() const;

 private:
  struct Candidate {
    std::int32_t edits;
    Exchange exchange;
  };
  struct Run {
    std::int32_t start;
    std::int32_t length;
  };

  template <class Distance>
  void search(Distance& distance);
  Candidate best(UnlimitedDistance& distance, std::int32_t before, std::int32_t most) const;
  Candidate best(MovedBlocks& blocks, std::int32_t before, std::int32_t most) const;
  template <class Visit>
  void each_candidate(Visit visit) const;
  void check_length() const;
  void check_shifts(std::int32_t rounds);
  std::size_t run_words(const std::vector<WordId>& words);
  std::int32_t fewest_edits();
  std::int32_t place(const Exchange& exchange, std::int32_t position) const;
  bool comes_later(const Exchange& one, const Exchange& other) const;
  bool equal(std::int32_t one, std::int32_t other) const;
  std::string_view bytes(std::int32_t place) const;
  std::int32_t n_words() const { return static_cast<std::int32_t>(numbers_.size()); }

  const std::vector<TerWord>* words_ = nullptr;
  const WordPositions* reference_ = nullptr;
  std::vector<WordId> numbers_;
  std::vector<std::int32_t> order_;
  std::vector<std::int32_t> left_;
  std::vector<Run> runs_;
  UnlimitedDistance short_;
  MovedBlocks long_;
};

}  // namespace bleuet
