#include "bleu.hpp"

#include <algorithm>
#include <cmath>

#include "python_sum.hpp"

namespace bleuet {
namespace {

// Ties take the shorter reference, as in mteval-v11b and later.
std::size_t closest_length(std::size_t length, const TokenizedText* references, std::size_t n) {
  const auto distance = [&](std::size_t other) {
    return other > length ? other - length : length - other;
  };
  std::size_t best = references[0].tokens.size();
  for (std::size_t r = 1; r < n; ++r) {
    const std::size_t other = references[r].tokens.size();
    if (distance(other) < distance(best) || (distance(other) == distance(best) && other < best)) {
      best = other;
    }
  }
  return best;
}

std::size_t shortest_length(const TokenizedText* references, std::size_t n) {
  std::size_t best = references[0].tokens.size();
  for (std::size_t r = 1; r < n; ++r) best = std::min(best, references[r].tokens.size());
  return best;
}

double average_length(const TokenizedText* references, std::size_t n) {
  std::size_t sum = 0;
  for (std::size_t r = 0; r < n; ++r) sum += references[r].tokens.size();
  return static_cast<double>(sum) / static_cast<double>(n);
}

}  // namespace

void BleuCounter::fill_row(const Reference* references, std::size_t n_references,
                           std::int64_t* integers, double* reals) {
  const std::size_t order = options_.max_ngram_order;
  const std::size_t length = hypothesis_.tokens.size();
  pointers_.clear();
  for (std::size_t r = 0; r < n_references; ++r) pointers_.push_back(&references[r].tokens);

  *integers++ = static_cast<std::int64_t>(length);
  switch (options_.reference_length) {
    case ReferenceLength::closest:
      *integers++ = static_cast<std::int64_t>(closest_length(length, references, n_references));
      break;
    case ReferenceLength::shortest:
      *integers++ = static_cast<std::int64_t>(shortest_length(references, n_references));
      break;
    case ReferenceLength::average:
      *reals = average_length(references, n_references);
      break;
  }
  matcher_.count(hypothesis_.tokens, pointers_.data(), n_references, order, integers);
  integers += order;
  for (std::size_t n = 0; n < order; ++n) {
    integers[n] = length > n ? static_cast<std::int64_t>(length - n) : options_.phantom_ngrams;
  }
}

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

}  // namespace

double bleu_score(double hypothesis_length, double reference_length, const std::int64_t* matches,
                  const std::int64_t* totals, const BleuScoring& scoring, double* precisions) {
  const std::size_t order = scoring.max_ngram_order;
  const std::size_t counted = counted_orders(scoring.smoothing, order);
  if (!scoring.smooth_unmatched &&
      std::all_of(matches, matches + counted, [](std::int64_t m) { return m == 0; })) {
    return 0;
  }
  const NgramCounts counts{matches, totals, order, hypothesis_length};
  std::size_t orders = smooth(scoring.smoothing, counts, scoring.smooth_value, precisions);
  if (!scoring.effective_order) {
    std::fill(precisions + orders, precisions + order, 0.0);
    orders = order;
  }
  if (orders == 0) return 0;
  double penalty = 1;
  if (hypothesis_length < reference_length) {
    penalty = std::exp(1 - reference_length / hypothesis_length);
  }
  return penalty * geometric_mean(precisions, orders, scoring);
}

}  // namespace bleuet
