// RIBES's sufficient statistics of one segment (Isozaki et al. 2010; Hirao et al. 2014).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngrams/ngrams.hpp"
#include "ngrams/word_counter.hpp"
#include "rows/marks.hpp"

namespace bleuet {

// A row is integers[0] = 1, and RIBES, the rank correlation, the precision and the brevity penalty
// of the reference with the highest RIBES.
class RibesCounter : public WordCounter<RibesCounter> {
 public:
  struct Options {
    double alpha = 0.25;
    double beta = 0.1;
    bool left_first = true;  // the context of a repeated word on its left before that on its right
    Tokenizer tokenizer = Tokenizer::v13a;
    Case letter_case = Case::keep;
  };

  static std::size_t integers(const Options&) { return 1; }
  static std::size_t reals(const Options&) { return 4; }

  explicit RibesCounter(const Options& options) : WordCounter(options), options_(options) {}

  void fill_row(const Reference* references, std::size_t n_references, std::int64_t* integers,
                double* reals);

  // The aligned words of the best reference, from left to right in the hypothesis.
  void mark(Marks* marks) { marks_ = marks; }

 private:
  void score(const TokenList& reference, double* reals);
  // Puts the positions in the reference of aligned words into aligned_, kUnknown of other words.
  void align(const TokenList& reference);
  void read_ngrams(std::size_t n, std::size_t reference_size);
  bool find_place(std::size_t word, std::size_t n, bool left);
  // The share of pairs of aligned words that are in the order of the reference.
  double rank_correlation(std::size_t aligned, std::size_t reference_size);

  Options options_;
  NgramMatcher matcher_;
  std::vector<std::uint32_t> waiting_, aligned_;
  // By the number of an n-gram: how often the hypothesis has it, and where the reference has it
  // last.
  std::vector<std::uint32_t> counts_, places_;
  std::vector<std::uint32_t> below_;  // a Fenwick tree of positions
  Marks* marks_ = nullptr;
};

}  // namespace bleuet
