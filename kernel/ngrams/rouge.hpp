// ROUGE's row of one segment (Lin 2004): precision, recall and F of the reference with the best F.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "edits/common_subsequence.hpp"
#include "ngrams/ngrams.hpp"
#include "rows/marks.hpp"
#include "text/token_numbers.hpp"
#include "text/tokenizer.hpp"

namespace bleuet {

// A row is integers[0] = 1, the number of segments, and reals[0..2] = precision, recall, F.
class RougeCounter {
 public:
  enum class Unit : std::uint8_t {
    ngrams,       // ROUGE-N
    subsequence,  // ROUGE-L
    sentences,    // ROUGE-Lsum: the union of the subsequences of sentences
    weighted,     // ROUGE-W
    skip,         // ROUGE-S and ROUGE-SU
  };
  // What several references score.
  enum class Several : std::uint8_t { best, average, jackknife };
  struct Options {
    Unit unit = Unit::ngrams;
    std::size_t order = 1;          // of n-grams
    double weight = 1.2;            // the exponent of the length of a run, in ROUGE-W
    std::size_t skip_distance = 4;  // the most words between those of a skip-bigram
    bool unigrams = false;          // as in ROUGE-SU
    bool paper = false;             // count as the paper and not as ROUGE-1.5.5
    Several several = Several::best;
    Tokenizer tokenizer = Tokenizer::ascii_words;
    Case letter_case = Case::lower_ascii;
  };
  struct Segment {
    TokenizerScratch buffers;
    TokenList tokens;
    // Of sentences, which newlines divide; empty ones are left out. Otherwise there is one.
    std::vector<std::size_t> ends;
  };
  using Reference = Segment;

  explicit RougeCounter(const Options& options) : options_(options), matches_(options.order) {}

  static std::size_t integers(const Options&) { return 1; }
  static std::size_t reals(const Options&) { return 3; }

  void prepare(const Text& text, Reference& reference);
  static void trim(Reference& reference);
  void count(const Text& hypothesis, const Reference* references, std::size_t n_references,
             std::int64_t* integers, double* reals);

  // The words of the subsequences, from left to right in the best reference; n-grams have no marks.
  void mark(Marks* marks) { marks_ = marks; }

 private:
  // What both sides share, and what each has.
  struct Shared {
    double shared, ours, theirs;
  };
  struct Measures {
    double precision, recall, f;
  };
  // A cell of the table of weighted subsequences.
  struct Cell {
    double total;        // by the table
    double ended;        // of the runs of the reference that have ended
    std::size_t length;  // of the run that `total` is in
    std::size_t last;    // the last word of the reference, from 1
    std::size_t run;     // the length of the run of the reference that it is in
  };

  Shared shared_with(const Segment& reference);
  double weighted_subsequence();
  std::size_t skip_pairs(std::size_t tokens) const;
  void skip_bigrams(const std::vector<std::uint32_t>& numbers, std::vector<std::uint64_t>& grams);
  double power(double length) const;
  Measures measures(const Shared& counts) const;
  const Measures* best_but(std::size_t left_out) const;
  std::size_t units(const Segment& segment) const;
  std::size_t shared_units(const Segment& reference);
  std::size_t union_of_subsequences(const Segment& reference);

  Options options_;
  Segment hypothesis_;
  std::vector<std::int64_t> matches_;
  NgramMatcher ngrams_;
  CommonSubsequence subsequence_;
  TokenNumbers numbers_;
  std::vector<std::uint32_t> hypothesis_numbers_, reference_numbers_;
  std::vector<std::uint32_t> left_;   // occurrences in the hypothesis not taken yet, by number
  std::vector<std::uint32_t> found_;  // of each token of a sentence, its token of the hypothesis
  std::vector<double> powers_;
  std::vector<Cell> row_;
  std::vector<std::uint64_t> grams_, other_grams_;
  std::vector<Measures> measures_;  // of each reference
  Marks* marks_ = nullptr;
};

}  // namespace bleuet
