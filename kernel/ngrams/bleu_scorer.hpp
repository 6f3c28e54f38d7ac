// BLEU's formula over its sufficient statistics (Papineni et al. 2002, section 2.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngrams/smoothing.hpp"
#include "rows/counter.hpp"

namespace bleuet {

struct BleuScoring {
  std::size_t max_ngram_order = 4;
  Smoothing smoothing = Smoothing::exponential;
  double smooth_value = 0;
  bool smooth_unmatched = false;
  bool effective_order = false;
  std::vector<double> weights;  // empty: uniform
  // Python's sum() of floats is compensated from 3.12 on, and the last digit of a score with it.
  bool compensated_sum = false;
  // The score is 0 where no word matches, even if a longer n-gram does, as in CrystalBLEU.
  bool needs_words = false;
};

// The score in percent of one row: lengths, then matches and totals of order 1, 2, ... as many as
// counted_orders() says. Leaves the smoothed precisions in `precisions`, which has room for
// max_ngram_order of them.
double bleu_score(double hypothesis_length, double reference_length, const std::int64_t* matches,
                  const std::int64_t* totals, const BleuScoring& scoring, double* precisions);

// Scores rows as BleuCounter writes them; `real_length` says that the reference length is their
// real number.
class BleuScorer {
 public:
  BleuScorer(const BleuScoring& scoring, bool real_length);

  std::size_t integers() const { return lengths_ + 2 * orders_; }
  std::size_t reals() const { return real_length_ ? 1 : 0; }

  double score(const std::int64_t* integers, const double* reals);
  void score_all(const Columns& columns, double* scores);
  // Writes the scores of the first `rows` rows, all of one hypothesis against one reference each.
  // Many have equal matches, so that a mean of precisions is computed once for all of them. So the
  // mean may depend on nothing else: not, as the brevity penalty does, on the reference's length.
  template <class Number>
  void score_alike(const Columns& columns, std::size_t rows, Number* scores);

 private:
  struct Mean {
    std::uint64_t key;
    double mean;
  };
  struct Penalty {
    double hypothesis_length, reference_length, penalty;
  };

  void take_row(const Columns& columns, std::size_t row);
  bool make_keys(const Columns& columns, std::size_t rows);
  double penalty_of(double hypothesis_length, double reference_length);

  BleuScoring scoring_;
  bool real_length_;
  std::size_t lengths_;
  std::size_t orders_;
  std::vector<std::int64_t> row_;
  std::vector<double> precisions_;
  // What was computed last, by a part of what it is of.
  std::vector<std::uint64_t> keys_;
  std::vector<Mean> means_;
  std::vector<Penalty> penalties_;
};

}  // namespace bleuet
