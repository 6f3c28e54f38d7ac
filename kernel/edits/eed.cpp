// The cheapest path through the grid of hypothesis and reference characters, row by row.
#include "edits/eed.hpp"

#include <algorithm>

#include "edits/length_limit.hpp"

namespace bleuet {

void EedCounter::prepare(const Text& text, Reference& reference) {
  reference.resize(to_code_points(text, Case::keep, reference));
}

void EedCounter::count(const Text& hypothesis, const Reference* references,
                       std::size_t n_references, std::int64_t* integers, double* reals) {
  prepare(hypothesis, hypothesis_);
  grid_.set_hypothesis(hypothesis_);
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

EedCounter::Path EedCounter::path(const Reference& reference) {
  if (reference != hypothesis_) {
    check_cells("EED of characters", hypothesis_.size(), reference.size(), kMostEedCells);
  }
  grid_.walk(reference);
  std::int64_t repeated = 0;
  const std::vector<std::int64_t>& visits = grid_.visits();
  for (std::size_t i = options_.count_start ? 0 : 1; i < visits.size(); ++i) {
    repeated += visits[i] == 0 ? 1 : visits[i] - 1;
  }
  return {grid_.cost(), repeated, 0};
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
