// Clipped n-gram matches between one hypothesis and its references (Papineni et al. 2002, 2.1.1).
//
// A clipped count is the number of times an n-gram occurs in the hypothesis, but at most as often
// as in the reference that has it most often. Two ways give the same numbers: bit masks of
// positions for one reference of up to 128 tokens, exact n-gram numbers for everything else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/token_numbers.hpp"
#include "text/tokens.hpp"

namespace bleuet {

class NgramMatcher {
 public:
  // For a counter that needs the matches themselves. start(), then for n = 1, 2, ... extend(n),
  // which returns whether a reference has any n-gram of the hypothesis. number(i) is then that of
  // the n-gram that starts at i, the first place of an equal one; kUnknown where no reference has
  // it. take(i), called from left to right, returns whether the n-gram is a clipped match.
  void start(const TokenList& hypothesis, const TokenList* const* references,
             std::size_t n_references);
  // The same for texts by the numbers of their words.
  void start(const WordNumbers& hypothesis, const WordNumbers* references,
             std::size_t n_references);
  bool extend(std::size_t n);
  std::uint32_t number(std::size_t i) const { return hypothesis_ngrams_[i]; }
  // That of the n-gram that starts at i in the first reference; kUnknown where the hypothesis or
  // an n-gram that it begins with has none.
  std::uint32_t reference_number(std::size_t i) const { return reference_ngrams_[0][i]; }
  // How often the reference that has it most often has an n-gram; take() reduces it.
  std::uint32_t in_references(std::uint32_t number) const { return in_best_reference_[number]; }
  // Whether the n-gram at i still counts as a match: clipping, by taking it from the references.
  bool take(std::size_t i) {
    const std::uint32_t ngram = hypothesis_ngrams_[i];
    if (ngram == kUnknown || in_best_reference_[ngram] == 0) return false;
    --in_best_reference_[ngram];
    return true;
  }

  // Writes matches[n - 1] for n = 1..order. References are pointers; n_references >= 1.
  void count(const TokenList& hypothesis, const TokenList* const* references,
             std::size_t n_references, std::size_t order, std::int64_t* matches);

 private:
  template <std::size_t Words>
  void count_by_masks(const TokenList& hypothesis, const TokenList& reference, std::size_t order,
                      std::int64_t* matches);
  void count_by_numbers(const TokenList& hypothesis, const TokenList* const* references,
                        std::size_t n_references, std::size_t order, std::int64_t* matches);
  void make_room(std::size_t n_references);
  void start_ngrams(std::size_t n_references);
  void clear_pairs(std::size_t entries);
  std::size_t find_pair(std::uint64_t key) const;

  std::vector<std::uint64_t> masks_;

  // The other way: numbers of the n-grams of the current order, by start position.
  TokenNumbers numbers_;
  std::vector<std::uint32_t> hypothesis_words_, hypothesis_ngrams_;
  std::vector<std::vector<std::uint32_t>> reference_words_, reference_ngrams_;
  std::vector<std::uint64_t> pair_keys_;
  std::vector<std::uint32_t> pair_values_;
  std::vector<std::uint32_t> in_reference_, in_best_reference_;
  std::size_t n_references_ = 0;
};

}  // namespace bleuet
