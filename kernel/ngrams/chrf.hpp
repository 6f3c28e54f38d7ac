// chrF's and chrF++'s sufficient statistics of one segment, and their F-score (Popović 2015, 2017).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngrams/char_ngrams.hpp"
#include "ngrams/chrf_text.hpp"
#include "ngrams/ngrams.hpp"

namespace bleuet {

struct ChrfOptions {
  std::size_t char_order = 6;
  std::size_t word_order = 0;  // 2 makes it chrF++
  double beta = 2;
  Case letter_case = Case::keep;
  bool whitespace = false;  // white space counts as a character
  bool eps_smoothing = false;
};

// A row is, for each character order and then each word order: n-grams of the hypothesis, n-grams
// of the reference, clipped matches. Of several references the row is that of the one with the
// best F-score, the first of equals.
class ChrfCounter {
 public:
  using Options = ChrfOptions;
  using Reference = ChrfText;

  explicit ChrfCounter(const Options& options);

  static std::size_t integers(const Options& options) {
    return 3 * (options.char_order + options.word_order);
  }
  static std::size_t reals(const Options&) { return 0; }

  void prepare(const Text& text, Reference& reference) { reader_.read(text, reference); }
  // Drops what only prepare() needed, for a reference that is kept.
  static void trim(Reference& reference);
  void count(const Text& hypothesis, const Reference* references, std::size_t n_references,
             std::int64_t* integers, double* reals);

 private:
  void fill_row(const Reference& reference, std::int64_t* row);

  Options options_;
  ChrfReader reader_;
  ChrfText hypothesis_;
  CharNgramMatcher chars_;
  NgramMatcher words_;
  std::vector<std::int64_t> matches_, row_;
};

// The F-score in percent of one row, or of the sum of several.
double chrf_f_score(const std::int64_t* statistics, const ChrfOptions& options);

}  // namespace bleuet
