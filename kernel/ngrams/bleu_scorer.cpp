#include "ngrams/bleu_scorer.hpp"

#include <algorithm>
#include <cmath>

#include "ngrams/python_sum.hpp"
#include "text/tokens.hpp"

namespace bleuet {
namespace {

// The weighted geometric mean of the first precisions; 0 if one of them is 0.
double geometric_mean(const double* precisions, std::size_t n, const BleuScoring& scoring) {
  PythonSum logs(scoring.compensated_sum);
  if (scoring.weights.empty()) {
    for (std::size_t i = 0; i < n; ++i) {
      if (precisions[i] == 0) return 0;
      logs.add(std::log(precisions[i]));
    }
    return std::exp(logs.value() / static_cast<double>(n));
  }
  double used_weight = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = scoring.weights[i];
    used_weight += weight;
    if (weight == 0) continue;
    if (precisions[i] == 0) return 0;
    logs.add(weight * std::log(precisions[i]));
  }
  if (used_weight == 0) return 0;
  // The weights of the orders that the effective order leaves out go to the other orders.
  return std::exp(n < scoring.max_ngram_order ? logs.value() / used_weight : logs.value());
}

// The mean of the smoothed precisions, which the brevity penalty multiplies.
double mean_precision(double length, const std::int64_t* matches, const std::int64_t* totals,
                      const BleuScoring& scoring, double* precisions) {
  const std::size_t order = scoring.max_ngram_order;
  const std::size_t counted = scoring.needs_words ? 1 : counted_orders(scoring.smoothing, order);
  if (!scoring.smooth_unmatched &&
      std::all_of(matches, matches + counted, [](std::int64_t m) { return m == 0; })) {
    return 0;
  }
  const NgramCounts counts{matches, totals, order, length};
  std::size_t orders = smooth(scoring.smoothing, counts, scoring.smooth_value, precisions);
  if (!scoring.effective_order) {
    std::fill(precisions + orders, precisions + order, 0.0);
    orders = order;
  }
  return orders == 0 ? 0 : geometric_mean(precisions, orders, scoring);
}

double brevity_penalty(double hypothesis_length, double reference_length) {
  if (hypothesis_length >= reference_length) return 1;
  return std::exp(1 - reference_length / hypothesis_length);
}

// Numbers up to this take one byte of a key.
constexpr std::int64_t kOneByte = 255;
constexpr std::uint64_t kNoMatches = ~std::uint64_t{0};
constexpr std::size_t kMeans = 1024;
constexpr std::size_t kPenalties = 256;

}  // namespace

double bleu_score(double hypothesis_length, double reference_length, const std::int64_t* matches,
                  const std::int64_t* totals, const BleuScoring& scoring, double* precisions) {
  const double mean = mean_precision(hypothesis_length, matches, totals, scoring, precisions);
  return mean == 0 ? 0 : brevity_penalty(hypothesis_length, reference_length) * mean;
}

BleuScorer::BleuScorer(const BleuScoring& scoring, bool real_length)
    : scoring_(scoring),
      real_length_(real_length),
      lengths_(real_length ? 1 : 2),
      orders_(counted_orders(scoring.smoothing, scoring.max_ngram_order)),
      row_(integers()),
      precisions_(scoring.max_ngram_order) {}

double BleuScorer::score(const std::int64_t* integers, const double* reals) {
  const std::int64_t* const matches = integers + lengths_;
  return bleu_score(static_cast<double>(integers[0]),
                    real_length_ ? *reals : static_cast<double>(integers[1]), matches,
                    matches + orders_, scoring_, precisions_.data());
}

void BleuScorer::score_all(const Columns& columns, double* scores) {
  for (std::size_t row = 0; row < columns.rows; ++row) {
    take_row(columns, row);
    scores[row] = score(row_.data(), columns.reals + row);
  }
}

template <class Number>
void BleuScorer::score_alike(const Columns& columns, std::size_t rows, Number* scores) {
  const std::int64_t length = columns.integers[0];
  const std::int64_t* const references = columns.integers + columns.rows;
  const auto reference_of = [&](std::size_t row) {
    return real_length_ ? columns.reals[row] : static_cast<double>(references[row]);
  };
  if (!make_keys(columns, rows)) {
    for (std::size_t row = 0; row < rows; ++row) {
      take_row(columns, row);
      scores[row] = static_cast<Number>(score(row_.data(), columns.reals + row));
    }
    return;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    Mean& known = means_[mix(keys_[row]) % kMeans];
    if (known.key != keys_[row]) {
      take_row(columns, row);
      const std::int64_t* const matches = row_.data() + lengths_;
      known = {keys_[row], mean_precision(static_cast<double>(length), matches, matches + orders_,
                                          scoring_, precisions_.data())};
    }
    const double penalty = penalty_of(static_cast<double>(length), reference_of(row));
    scores[row] = static_cast<Number>(penalty * known.mean);
  }
}

template void BleuScorer::score_alike(const Columns&, std::size_t, double*);
template void BleuScorer::score_alike(const Columns&, std::size_t, float*);

// Each number of a key takes a byte; returns false where one is too large or there are too many.
bool BleuScorer::make_keys(const Columns& columns, std::size_t rows) {
  const std::int64_t length = rows == 0 ? 0 : columns.integers[0];
  if (length > kOneByte || orders_ >= sizeof(std::uint64_t)) return false;
  means_.resize(kMeans, {kNoMatches, 0});
  penalties_.resize(kPenalties, {-1, -1, 0});
  keys_.assign(rows, static_cast<std::uint64_t>(length));
  for (std::size_t n = 0; n < orders_; ++n) {
    const std::int64_t* const matches = columns.integers + (lengths_ + n) * columns.rows;
    for (std::size_t row = 0; row < rows; ++row) {
      keys_[row] = keys_[row] << 8 | static_cast<std::uint64_t>(matches[row]);
    }
  }
  return true;
}

void BleuScorer::take_row(const Columns& columns, std::size_t row) {
  for (std::size_t c = 0; c < integers(); ++c) {
    row_[c] = columns.integers[c * columns.rows + row];
  }
}

double BleuScorer::penalty_of(double hypothesis_length, double reference_length) {
  if (hypothesis_length >= reference_length) return 1;
  Penalty& known = penalties_[static_cast<std::size_t>(reference_length) % kPenalties];
  if (known.reference_length != reference_length || known.hypothesis_length != hypothesis_length) {
    known = {hypothesis_length, reference_length,
             brevity_penalty(hypothesis_length, reference_length)};
  }
  return known.penalty;
}

}  // namespace bleuet
