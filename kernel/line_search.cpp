#include "line_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace bleuet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// The definition follows so many lines at a time; of changes at one step, the order is its own.
constexpr std::size_t kLinesInBlock = std::size_t{1} << 15;
// Two steps whose relative difference is smaller are one.
constexpr double kRounding = 1e-9;

// The lowest and the highest number. Four of each side by side do not wait for each other.
std::pair<double, double> range(const double* numbers, std::size_t count) {
  double least[4] = {kInfinity, kInfinity, kInfinity, kInfinity};
  double most[4] = {-kInfinity, -kInfinity, -kInfinity, -kInfinity};
  const auto take = [&](std::size_t lane, double number) {
    least[lane] = number < least[lane] ? number : least[lane];
    most[lane] = number > most[lane] ? number : most[lane];
  };
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) take(lane, numbers[i + lane]);
  }
  for (; i < count; ++i) take(0, numbers[i]);
  return {*std::min_element(least, least + 4), *std::max_element(most, most + 4)};
}

// The mean of the two middle numbers if there is no middle one. Changes the order.
double median(std::vector<double>& numbers) {
  const std::size_t half = numbers.size() / 2;
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(half);
  std::nth_element(numbers.begin(), middle, numbers.end());
  if (numbers.size() % 2 == 1) return *middle;
  return (*std::max_element(numbers.begin(), middle) + *middle) / 2;
}

}  // namespace

void add_weighted(const double* features, const double* weights, std::size_t n_features,
                  std::size_t hypotheses, std::size_t first, std::size_t count, double* scores) {
  // The sums of some hypotheses stay in registers.
  constexpr std::size_t kTogether = 8;
  for (std::size_t i = 0; i < count; i += kTogether) {
    const std::size_t some = std::min(kTogether, count - i);
    const double* values = features + first + i;
    double sums[kTogether] = {};
    for (std::size_t f = 0; f < n_features; ++f, values += hypotheses) {
      const double weight = weights[f];
      if (weight == 0) continue;
      if (some == kTogether) {
        for (std::size_t lane = 0; lane < kTogether; ++lane) sums[lane] += weight * values[lane];
      } else {
        for (std::size_t lane = 0; lane < some; ++lane) sums[lane] += weight * values[lane];
      }
    }
    std::copy(sums, sums + some, scores + i);
  }
}

LineSearch::LineSearch(const HypothesisLists& lists)
    : lists_(lists),
      block_(std::max<std::size_t>(1, kLinesInBlock / lists.width)),
      slopes_(lists.width),
      left_slopes_(lists.width),
      left_intercepts_(lists.width),
      left_hypotheses_(lists.width),
      meets_(lists.width) {}

std::size_t LineSearch::follow(const double* intercepts, const double* directions,
                               std::size_t n_directions, std::int64_t* first) {
  bends_.resize(n_directions);
  for (std::vector<Bend>& bends : bends_) bends.clear();
  ends_.clear();
  intervals_.clear();
  rows_ = 0;
  // The features of a segment stay in the cache for all directions.
  for (std::size_t segment = 0; segment < lists_.segments; ++segment) {
    const double* const own = intercepts + segment * lists_.width;
    const auto highest = static_cast<std::size_t>(std::max_element(own, own + lists_.width) - own);
    for (std::size_t d = 0; d < n_directions; ++d) {
      add_weighted(lists_.features, directions + d * lists_.n_features, lists_.n_features,
                   lists_.hypotheses(), segment * lists_.width, lists_.width, slopes_.data());
      follow_segment(segment, own, highest, d, first);
    }
  }
  first_.assign(first, first + n_directions * lists_.segments);
  for (std::vector<Bend>& bends : bends_) {
    cut(bends);
    ends_.push_back(intervals_.size());
  }
  return rows_;
}

// From minus infinity on, the next line is the one that is met first, and of several the steepest.
void LineSearch::follow_segment(std::size_t segment, const double* intercepts, std::size_t highest,
                                std::size_t direction, std::int64_t* first) {
  const std::size_t width = lists_.width;
  double slope = kInfinity, steepest = kInfinity;
  std::tie(slope, steepest) = range(slopes_.data(), width);
  const std::size_t row = direction * lists_.segments + segment;
  if (slope == steepest) {
    first[row] = static_cast<std::int64_t>(highest);
    return;
  }
  double intercept = -kInfinity, last = -kInfinity;
  std::uint32_t current = 0;
  for (std::size_t i = 0; i < width; ++i) {
    // Where many lines are parallel, a choice of numbers is faster than a branch.
    const double low = slopes_[i] == slope ? intercepts[i] : -kInfinity;
    const double high = slopes_[i] == steepest ? intercepts[i] : -kInfinity;
    if (low > intercept) {
      intercept = low;
      current = static_cast<std::uint32_t>(i);
    }
    last = high > last ? high : last;
  }
  first[row] = current;
  // As points with the slope and the intercept as coordinates, the lines of the envelope are the
  // upper hull of all. None is below both the line from the first to the highest and that from the
  // highest to the last. What is near them stays, so that rounding cannot change the choice.
  const double top = intercepts[highest], middle = slopes_[highest];
  const double near = kRounding * (top - std::min(intercept, last));
  const double rise = top - intercept, run = middle - slope;
  const double fall = top - last, rest = steepest - middle;
  std::size_t left = 0;
  for (std::size_t i = 0; i < width; ++i) {
    const double own = slopes_[i], at = intercepts[i] + near;
    left_slopes_[left] = own;
    left_intercepts_[left] = intercepts[i];
    left_hypotheses_[left] = static_cast<std::uint32_t>(i);
    const bool above = (at - intercept) * run >= (own - slope) * rise;
    const bool beyond = (at - last) * rest >= (steepest - own) * fall;
    left += static_cast<std::size_t>(own > slope) & static_cast<std::size_t>(above | beyond);
  }
  const auto block = static_cast<std::uint32_t>(row / block_);
  for (std::uint32_t round = 0; left > 0; ++round) {
    for (std::size_t i = 0; i < left; ++i) {
      meets_[i] = (intercept - left_intercepts_[i]) / (left_slopes_[i] - slope);
    }
    double step = kInfinity;
    for (std::size_t i = 0; i < left; ++i) step = meets_[i] < step ? meets_[i] : step;
    if (!std::isfinite(step)) return;
    const std::uint32_t before = current;
    slope = -kInfinity;
    for (std::size_t i = 0; i < left; ++i) {
      if (meets_[i] != step || left_slopes_[i] <= slope) continue;
      current = left_hypotheses_[i];
      slope = left_slopes_[i];
      intercept = left_intercepts_[i];
    }
    bends_[direction].push_back(
        {step, block, round, static_cast<std::uint32_t>(segment), before, current});
    // Lines that are not steeper are never met again.
    std::size_t kept = 0;
    for (std::size_t i = 0; i < left; ++i) {
      left_hypotheses_[kept] = left_hypotheses_[i];
      left_intercepts_[kept] = left_intercepts_[i];
      left_slopes_[kept] = left_slopes_[i];
      kept += left_slopes_[kept] > slope;
    }
    left = kept;
  }
}

// Sorts the bends of one direction, and adds its intervals, of which some have the same sums.
void LineSearch::cut(std::vector<Bend>& bends) {
  if (bends.empty()) {
    intervals_.push_back({0, 0, rows_++});
    return;
  }
  std::sort(bends.begin(), bends.end(), [](const Bend& a, const Bend& b) {
    return std::tie(a.step, a.block, a.round, a.segment) <
           std::tie(b.step, b.block, b.round, b.segment);
  });
  sizes_.resize(bends.size());
  std::transform(bends.begin(), bends.end(), sizes_.begin(),
                 [](const Bend& bend) { return std::abs(bend.step); });
  const double usual = median(sizes_);
  const double beyond = std::max(1.0, bends.back().step - bends.front().step);
  double low = bends.front().step - beyond;
  bool changed = true;
  for (std::size_t i = 0; i <= bends.size(); ++i) {
    const double high = i < bends.size() ? bends[i].step : bends.back().step + beyond;
    // Where several choices change at one step, up to rounding, there is nothing between.
    if (high - low > kRounding * std::max(std::abs(high), usual)) {
      rows_ += changed;
      changed = false;
      intervals_.push_back({low, high, rows_ - 1});
    }
    if (i < bends.size()) changed = changed || changes(bends[i]);
    low = high;
  }
}

// Whether the two hypotheses of a bend have different statistics.
bool LineSearch::changes(const Bend& bend) const {
  const std::size_t from = bend.segment * lists_.width + bend.before;
  const std::size_t to = bend.segment * lists_.width + bend.after;
  const std::int64_t* const integers = lists_.integers;
  const double* const reals = lists_.reals;
  const std::size_t n = lists_.n_integers, m = lists_.n_reals;
  return !std::equal(integers + from * n, integers + (from + 1) * n, integers + to * n) ||
         !std::equal(reals + from * m, reals + (from + 1) * m, reals + to * m);
}

void LineSearch::sums(const double* starts, std::int64_t* integers, double* reals) const {
  const std::size_t n = lists_.n_integers, m = lists_.n_reals;
  std::vector<std::int64_t> whole(n);
  std::vector<double> real(m);
  std::size_t next = 0, row = 0;
  for (std::size_t d = 0; d < ends_.size(); ++d) {
    std::fill(whole.begin(), whole.end(), 0);
    std::copy(starts + d * m, starts + (d + 1) * m, real.begin());
    for (std::size_t segment = 0; segment < lists_.segments; ++segment) {
      const auto chosen = static_cast<std::size_t>(first_[d * lists_.segments + segment]);
      const std::int64_t* const own = lists_.integers + (segment * lists_.width + chosen) * n;
      for (std::size_t c = 0; c < n; ++c) whole[c] += own[c];
    }
    const std::vector<Bend>& bends = bends_[d];
    std::size_t bend = 0;
    for (; next < ends_[d]; ++next) {
      const Interval& interval = intervals_[next];
      // Bends at the low end, and all before it, have changed the choice.
      for (; bend < bends.size() && bends[bend].step < interval.high; ++bend) {
        const std::size_t from = bends[bend].segment * lists_.width + bends[bend].before;
        const std::size_t to = bends[bend].segment * lists_.width + bends[bend].after;
        for (std::size_t c = 0; c < n; ++c) {
          whole[c] += lists_.integers[to * n + c] - lists_.integers[from * n + c];
        }
        for (std::size_t c = 0; c < m; ++c) {
          real[c] += lists_.reals[to * m + c] - lists_.reals[from * m + c];
        }
      }
      if (interval.row != row) continue;
      for (std::size_t c = 0; c < n; ++c) integers[c * rows_ + row] = whole[c];
      for (std::size_t c = 0; c < m; ++c) reals[c * rows_ + row] = real[c];
      ++row;
    }
  }
}

void LineSearch::best(const double* scores, std::size_t window, double* steps,
                      double* values) const {
  std::vector<double> sums;
  std::size_t begin = 0;
  for (std::size_t d = 0; d < ends_.size(); begin = ends_[d], ++d) {
    const Interval* const own = intervals_.data() + begin;
    const std::size_t count = ends_[d] - begin;
    sums.assign(1, 0.0);
    for (std::size_t i = 0; i < count && window > 0; ++i) {
      sums.push_back(sums.back() + scores[own[i].row]);
    }
    double best = -kInfinity, widest = -1;
    steps[d] = 0;
    for (std::size_t i = 0; i < count; ++i) {
      double value = scores[own[i].row];
      if (window > 0) {
        const std::size_t low = i > window ? i - window : 0;
        const std::size_t high = std::min(i + window + 1, count);
        value = (sums[high] - sums[low]) / static_cast<double>(high - low);
      }
      const double wide = own[i].high - own[i].low;
      if (value < best || (value == best && wide <= widest)) continue;
      best = value;
      widest = wide;
      steps[d] = (own[i].low + own[i].high) / 2;
    }
    values[d] = best;
  }
}

}  // namespace bleuet
