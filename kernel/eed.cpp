// The cheapest path through the grid of hypothesis and reference characters, row by row.
#include "eed.hpp"

#include <algorithm>

#include "interruption.hpp"

namespace bleuet {

void EedCounter::prepare(const Text& text, Reference& reference) {
  reference.resize(to_code_points(text, Case::keep, reference));
}

void EedCounter::count(const Text& hypothesis, const Reference* references,
                       std::size_t n_references, std::int64_t* integers, double* reals) {
  prepare(hypothesis, hypothesis_);
  double nearest = distance(references[0]);
  for (std::size_t r = 1; r < n_references; ++r) {
    nearest = std::min(nearest, distance(references[r]));
  }
  integers[0] = 1;
  reals[0] = nearest;
}

// Sums in the order of the Python backend, so that they round alike.
double EedCounter::distance(const Reference& reference) {
  const std::size_t n = hypothesis_.size();
  row_.assign(n + 1, 1.0);
  row_[0] = 0.0;
  below_.resize(n + 1);
  visits_.assign(n + 1, 0);
  for (const char32_t character : reference) {
    double left = below_[0] = row_[0] + 1.0;
    std::size_t least = 0;
    for (std::size_t i = 1; i <= n; ++i) {
      const double replaced = row_[i - 1] + (hypothesis_[i - 1] == character ? 0.0 : 1.0);
      left = std::min(std::min(left + options_.deletion, replaced), row_[i] + options_.insertion);
      below_[i] = left;
      if (left < below_[least]) least = i;
    }
    ++visits_[least];
    if (character == U' ') {
      const double jump = options_.alpha + below_[least];
      for (double& cost : below_) cost = std::min(cost, jump);
    }
    row_.swap(below_);
    checkpoint(2 * n);
  }
  std::int64_t repeated = 0;
  for (const std::int64_t visits : visits_) repeated += visits == 0 ? 1 : visits - 1;
  const double coverage = options_.rho * static_cast<double>(repeated);
  const double cost = row_[n] + coverage;
  const double most = static_cast<double>(reference.size()) + coverage;
  // Both are 0 without characters and with a rho of 0.
  if (most == 0) return cost > 0 ? 1.0 : 0.0;
  return std::min(1.0, cost / most);
}

}  // namespace bleuet
