// How much information n-grams have (Doddington 2002, equation 2): log2 of how often references
// have the first n - 1 words per occurrence of all n.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngrams/learned_ngrams.hpp"
#include "ngrams/reference_words.hpp"

namespace bleuet {

class NgramInformation {
 public:
  // An n-gram: its number among those that longer ones can begin with, its bits, and how often it
  // counts as occurring before another word.
  struct Ngram {
    std::uint32_t number;
    double bits;
    std::uint64_t occurrences;
  };

  // `mteval`: a bigram that begins with the word 0 has the information that mteval gives it, as if
  // its second word stood alone.
  NgramInformation(const LearnedReferences& references, std::size_t order, bool mteval,
                   unsigned threads);

  // An n-gram of one word, by its number of ReferenceWords, and one with a word more than `first`.
  // `n` counts its words.
  Ngram single(std::uint32_t word) const;
  Ngram longer(std::size_t n, const Ngram& first, std::uint32_t word) const;
  // Whether longer n-grams that begin with this one have no information.
  static bool ends(const Ngram& first) { return first.number == kUnknown; }

 private:
  std::uint64_t whole_;
  std::uint32_t zero_;  // the word 0, where mteval has its way
  LearnedNgrams counts_;
  double most_;  // of a word that occurs once
  std::vector<double> word_bits_;
};

}  // namespace bleuet
