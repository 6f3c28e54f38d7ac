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
  integers[0] = 1;
  for (std::size_t r = 0; r < n_references; ++r) {
    Path one = path(references[r]);
    const double far = distance(one, references[r].size());
    if (r > 0 && far >= reals[0]) continue;
    one.reference = r;
    nearest_ = one;
    reals[0] = far;
  }
}

// Sums in the order of the Python backend, so that they round alike.
EedCounter::Path EedCounter::path(const Reference& reference) {
  const std::size_t n = hypothesis_.size();
  row_.assign(n + 1, 1.0);
  row_[0] = 0.0;
  below_.resize(n + 1);
  visits_.assign(n + 1, 0);
  for (const char32_t character : reference) {
    double left = below_[0] = row_[0] + 1.0;
    double lowest = left;
    std::size_t least = 0;
    for (std::size_t i = 1; i <= n; ++i) {
      const double replaced = row_[i - 1] + (hypothesis_[i - 1] == character ? 0.0 : 1.0);
      // What waits for the cell on the left comes last.
      left = std::min(std::min(replaced, row_[i] + options_.insertion), left + options_.deletion);
      below_[i] = left;
      if (left < lowest) {
        lowest = left;
        least = i;
      }
    }
    ++visits_[least];
    if (character == U' ') {
      const double jump = options_.alpha + lowest;
      for (double& cost : below_) cost = std::min(cost, jump);
    }
    row_.swap(below_);
    checkpoint(2 * n);
  }
  std::int64_t repeated = 0;
  for (const std::int64_t visits : visits_) repeated += visits == 0 ? 1 : visits - 1;
  return {row_[n], repeated, 0};
}

double EedCounter::distance(const Path& path, std::size_t characters) const {
  const double coverage = options_.rho * static_cast<double>(path.repeated);
  const double cost = path.cost + coverage;
  const double most = static_cast<double>(characters) + coverage;
  // Both are 0 without characters and with a rho of 0.
  if (most == 0) return cost > 0 ? 1.0 : 0.0;
  return std::min(1.0, cost / most);
}

}  // namespace bleuet
