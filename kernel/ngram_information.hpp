// How much information n-grams have (Doddington 2002, equation 2): log2 of how often references
// have the first n - 1 words per occurrence of all n.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "learned_references.hpp"

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
  NgramInformation(const LearnedReferences& references, std::size_t order, bool mteval);

  // The number of a word, for the two below.
  std::uint32_t find(const TokenList& tokens, const Token& token) const;
  // An n-gram of one word, and one with a word more than `first`. `n` counts its words.
  Ngram single(std::uint32_t word) const;
  Ngram longer(std::size_t n, const Ngram& first, std::uint32_t word) const;
  // Whether longer n-grams that begin with this one have no information.
  static bool ends(const Ngram& first) { return first.number == kUnknownWord; }

 private:
  // All n-grams of one order with more than 0 bits, by the number of the first words and the last;
  // its own number is its slot. Where the first words occur only once, so does the n-gram, which
  // then has 0 bits; those are not kept, and most long n-grams are.
  struct Order {
    std::vector<std::uint64_t> keys;
    std::vector<std::uint32_t> counts;  // 0 in an empty slot

    std::uint32_t find(std::uint32_t first, std::uint32_t word) const;
    std::uint32_t add(std::uint32_t first, std::uint32_t word);
  };

  void count_order(const LearnedReferences& references, std::size_t n,
                   std::vector<std::uint32_t>& firsts);
  // How often the first words of an n-gram count as occurring.
  std::uint64_t occurrences(std::size_t n, std::uint32_t first) const;
  std::uint32_t continued(std::size_t n, std::uint32_t number) const;

  Vocabulary vocabulary_;
  std::uint64_t whole_;
  double most_;         // of a word that occurs once
  std::uint32_t zero_;  // the word 0, where mteval has its way
  bool mteval_;
  std::vector<double> word_bits_;
  std::vector<Order> orders_;
};

}  // namespace bleuet
