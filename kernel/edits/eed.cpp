// The cheapest path through the grid of hypothesis and reference characters, row by row.
#include "edits/eed.hpp"

#include <algorithm>
#include <cmath>

#include "edits/length_limit.hpp"
#include "rows/interruption.hpp"

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
  if (options_.published) return published_path(reference);
  grid_.walk(reference);
  std::int64_t repeated = 0;
  const std::vector<std::int64_t>& visits = grid_.visits();
  for (std::size_t i = options_.count_start ? 0 : 1; i < visits.size(); ++i) {
    repeated += visits[i] == 0 ? 1 : visits[i] - 1;
  }
  return {grid_.cost(), repeated, 0};
}

// The authors' program in C++ has costs of single precision. It looks for the lowest one of a row
// from the left, and keeps the lowest so far as a whole number, without what is behind the point.
// So the place that counts as visited, and from which jumps start, can cost more than others.
EedCounter::Path EedCounter::published_path(const Reference& reference) {
  const auto alpha = static_cast<float>(options_.alpha);
  const auto deletion = static_cast<float>(options_.deletion);
  const auto insertion = static_cast<float>(options_.insertion);
  const std::size_t n = hypothesis_.size();
  above_.assign(n + 1, 1.0F);
  above_[0] = 0.0F;
  below_.resize(n + 1);
  visits_.assign(n + 1, 0);
  for (const char32_t wanted : reference) {
    below_[0] = above_[0] + 1.0F;
    float whole = std::trunc(below_[0]);
    std::size_t visited = 0;
    for (std::size_t i = 1; i <= n; ++i) {
      const float replaced = above_[i - 1] + (hypothesis_[i - 1] != wanted ? 1.0F : 0.0F);
      below_[i] = std::min(std::min(below_[i - 1] + deletion, replaced), above_[i] + insertion);
      if (below_[i] < whole) {
        whole = std::trunc(below_[i]);
        visited = i;
      }
    }
    ++visits_[visited];
    if (wanted == U' ') {
      const float jump = alpha + below_[visited];
      for (float& cost : below_) cost = std::min(cost, jump);
    }
    above_.swap(below_);
    checkpoint(4 * n);
  }
  std::int64_t repeated = 0;
  for (std::size_t i = 1; i <= n; ++i) repeated += visits_[i] == 0 ? 1 : visits_[i] - 1;
  return {above_[n], repeated, 0};
}

double EedCounter::distance(const Path& path, std::size_t characters) const {
  if (options_.published) {
    const float coverage = static_cast<float>(options_.rho) * static_cast<float>(path.repeated);
    const float cost = static_cast<float>(path.cost) + coverage;
    const float most = static_cast<float>(characters) + coverage;
    if (most == 0) return cost > 0 ? 1.0 : 0.0;
    return std::min(1.0, static_cast<double>(cost / most));
  }
  const double coverage = options_.rho * static_cast<double>(path.repeated);
  const double cost = path.cost + coverage;
  const double most = static_cast<double>(characters) + coverage;
  // Both are 0 without characters and with a rho of 0.
  if (most == 0) return cost > 0 ? 1.0 : 0.0;
  return std::min(1.0, cost / most);
}

}  // namespace bleuet
