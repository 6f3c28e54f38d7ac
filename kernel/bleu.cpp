#include "bleu.hpp"

#include <algorithm>

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

double reference_length(ReferenceLength which, std::size_t length, const TokenizedText* references,
                        std::size_t n) {
  switch (which) {
    case ReferenceLength::shortest:
      return static_cast<double>(shortest_length(references, n));
    case ReferenceLength::average:
      return average_length(references, n);
    default:
      return static_cast<double>(closest_length(length, references, n));
  }
}

void BleuCounter::fill_row(const Reference* references, std::size_t n_references,
                           std::int64_t* integers, double* reals) {
  const std::size_t order = options_.max_ngram_order;
  const std::size_t length = hypothesis_.tokens.size();
  pointers_.clear();
  for (std::size_t r = 0; r < n_references; ++r) pointers_.push_back(&references[r].tokens);

  *integers++ = static_cast<std::int64_t>(length);
  const double compared =
      reference_length(options_.reference_length, length, references, n_references);
  if (options_.reference_length == ReferenceLength::average) {
    *reals = compared;
  } else {
    *integers++ = static_cast<std::int64_t>(compared);
  }
  matcher_.count(hypothesis_.tokens, pointers_.data(), n_references, order, integers);
  integers += order;
  for (std::size_t n = 0; n < order; ++n) {
    integers[n] = length > n ? static_cast<std::int64_t>(length - n) : options_.phantom_ngrams;
  }
}

}  // namespace bleuet
