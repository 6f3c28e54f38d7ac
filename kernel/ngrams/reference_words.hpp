// The words of texts by the numbers they have in what was learned.
//
// A counter that learns has, besides what rows/counter.hpp says, Options with `learned`, the
// references it learned from, and `words`, the numbers of the words it counts now; a Reference of
// WordNumbers; and static void learn(Options&, unsigned threads), which is called once before it
// counts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngrams/learned_references.hpp"
#include "text/token_numbers.hpp"

namespace bleuet {

// The number that the word 0 has, or would have if references that are counted but were not learned
// from have it.
std::uint32_t number_of_zero(const LearnedReferences& learned);

class ReferenceWords {
 public:
  // Both must live as long as this. Where the references are those that were learned, their words
  // have their numbers already.
  ReferenceWords(const LearnedReferences& references, const LearnedReferences& learned);

  // The numbers of the words of a hypothesis; kUnknown of one that neither references have. Returns
  // whether there is such a word.
  bool find(const TokenList& tokens, std::vector<std::uint32_t>& numbers) const;
  // More than any number of a word.
  std::uint32_t size() const { return size_; }

  // Those of segment i end at ends[i], as in Grouped.
  const std::vector<std::size_t>& ends;
  std::size_t start(std::size_t i) const { return i == 0 ? 0 : ends[i - 1]; }
  template <class Counter>
  void prepare(Counter&, std::size_t i, WordNumbers& reference) const {
    const std::size_t begin = i == 0 ? 0 : references_.ends()[i - 1];
    reference = {words_ + begin, references_.ends()[i] - begin};
  }

 private:
  std::uint32_t find(const TokenList& tokens, const Token& token) const;

  const LearnedReferences& references_;
  const LearnedReferences& learned_;
  const std::uint32_t* words_;
  std::uint32_t size_;
  std::vector<std::uint32_t> numbers_;     // by the number that references_ has for a word
  std::vector<std::uint32_t> translated_;  // the words of references_
};

}  // namespace bleuet
