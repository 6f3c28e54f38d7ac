#include "tuning/line_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

#include "rows/parallel.hpp"

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
      alike_(lists.hypotheses()) {
  const std::size_t n = lists_.n_integers, m = lists_.n_reals;
  using Row = std::pair<std::vector<std::int64_t>, std::vector<double>>;
  for (std::size_t segment = 0; segment < lists_.segments; ++segment) {
    std::map<Row, std::uint32_t> known;
    for (std::size_t i = segment * lists_.width; i < (segment + 1) * lists_.width; ++i) {
      const std::int64_t* const integers = lists_.integers + i * n;
      const double* const reals = lists_.reals + i * m;
      const Row row{{integers, integers + n}, {reals, reals + m}};
      alike_[i] = known.emplace(row, static_cast<std::uint32_t>(known.size())).first->second;
    }
  }
}

// What one thread needs to follow envelopes.
class LineSearch::Follower {
 public:
  Follower(const HypothesisLists& lists, std::size_t block)
      : lists_(lists),
        block_(block),
        slopes_(lists.width),
        left_slopes_(lists.width),
        left_intercepts_(lists.width),
        left_hypotheses_(lists.width),
        meets_(lists.width) {}

  void follow_all(const double* intercepts, const std::vector<std::size_t>& highest,
                  const double* weights, std::size_t direction, std::int64_t* first,
                  std::vector<Intervals::Bend>& bends) {
    for (std::size_t segment = 0; segment < lists_.segments; ++segment) {
      add_weighted(lists_.features, weights, lists_.n_features, lists_.hypotheses(),
                   segment * lists_.width, lists_.width, slopes_.data());
      follow(segment, intercepts + segment * lists_.width, highest[segment], direction, first,
             bends);
    }
  }

  std::vector<double> sizes;

 private:
  void follow(std::size_t segment, const double* intercepts, std::size_t highest,
              std::size_t direction, std::int64_t* first, std::vector<Intervals::Bend>& bends);

  const HypothesisLists& lists_;
  std::size_t block_;
  std::vector<double> slopes_;
  // Of the lines that can still be met.
  std::vector<double> left_slopes_;
  std::vector<double> left_intercepts_;
  std::vector<std::uint32_t> left_hypotheses_;
  std::vector<double> meets_;
};

Intervals LineSearch::follow(const double* intercepts, const double* directions,
                             std::size_t n_directions, std::int64_t* first, unsigned threads,
                             const std::function<void()>& poll) const {
  std::vector<std::size_t> highest(lists_.segments);
  for (std::size_t segment = 0; segment < lists_.segments; ++segment) {
    const double* const own = intercepts + segment * lists_.width;
    highest[segment] = static_cast<std::size_t>(std::max_element(own, own + lists_.width) - own);
  }
  Intervals found;
  found.lists_ = lists_;
  found.along_.resize(n_directions);
  const auto make_follower = [&] {
    return [&, follower = Follower(lists_, block_)](std::size_t d) mutable {
      Intervals::Along& along = found.along_[d];
      follower.follow_all(intercepts, highest, directions + d * lists_.n_features, d, first,
                          along.bends);
      cut(along, follower.sizes);
    };
  };
  share_rows(n_directions, threads, poll, make_follower, kLongRows);
  found.first_.assign(first, first + n_directions * lists_.segments);
  for (Intervals::Along& along : found.along_) {
    along.first_row = found.rows_;
    found.rows_ += along.rows;
  }
  return found;
}

// From minus infinity on, the next line is the one that is met first, and of several the steepest.
void LineSearch::Follower::follow(std::size_t segment, const double* intercepts,
                                  std::size_t highest, std::size_t direction, std::int64_t* first,
                                  std::vector<Intervals::Bend>& bends) {
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
    bends.push_back({step, block, round, static_cast<std::uint32_t>(segment), before, current});
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
void LineSearch::cut(Intervals::Along& along, std::vector<double>& sizes) const {
  std::vector<Intervals::Bend>& bends = along.bends;
  if (bends.empty()) {
    along.intervals.push_back({0, 0, along.rows++});
    return;
  }
  std::sort(bends.begin(), bends.end(), [](const Intervals::Bend& a, const Intervals::Bend& b) {
    if (a.step != b.step) return a.step < b.step;
    return std::tie(a.block, a.round, a.segment) < std::tie(b.block, b.round, b.segment);
  });
  sizes.resize(bends.size());
  std::transform(bends.begin(), bends.end(), sizes.begin(),
                 [](const Intervals::Bend& bend) { return std::abs(bend.step); });
  const double usual = median(sizes);
  const double beyond = std::max(1.0, bends.back().step - bends.front().step);
  double low = bends.front().step - beyond;
  bool changed = true;
  for (std::size_t i = 0; i <= bends.size(); ++i) {
    const double high = i < bends.size() ? bends[i].step : bends.back().step + beyond;
    // Where several choices change at one step, up to rounding, there is nothing between.
    if (high - low > kRounding * std::max(std::abs(high), usual)) {
      along.rows += changed;
      changed = false;
      along.intervals.push_back({low, high, along.rows - 1});
    }
    if (i < bends.size()) {
      const std::size_t own = bends[i].segment * lists_.width;
      changed = changed || alike_[own + bends[i].before] != alike_[own + bends[i].after];
    }
    low = high;
  }
}

void Intervals::sums(const double* starts, std::int64_t* integers, double* reals) const {
  const std::size_t n = lists_.n_integers, m = lists_.n_reals;
  std::vector<std::int64_t> whole(n);
  std::vector<double> real(m);
  std::size_t row = 0;
  for (std::size_t d = 0; d < along_.size(); ++d) {
    std::fill(whole.begin(), whole.end(), 0);
    std::copy(starts + d * m, starts + (d + 1) * m, real.begin());
    for (std::size_t segment = 0; segment < lists_.segments; ++segment) {
      const auto chosen = static_cast<std::size_t>(first_[d * lists_.segments + segment]);
      const std::int64_t* const own = lists_.integers + (segment * lists_.width + chosen) * n;
      for (std::size_t c = 0; c < n; ++c) whole[c] += own[c];
    }
    const std::vector<Bend>& bends = along_[d].bends;
    std::size_t bend = 0;
    for (const Interval& interval : along_[d].intervals) {
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
      if (along_[d].first_row + interval.row != row) continue;
      for (std::size_t c = 0; c < n; ++c) integers[c * rows_ + row] = whole[c];
      for (std::size_t c = 0; c < m; ++c) reals[c * rows_ + row] = real[c];
      ++row;
    }
  }
}

void Intervals::best(const double* scores, std::size_t window, double* steps,
                     double* values) const {
  std::vector<double> sums;
  for (std::size_t d = 0; d < along_.size(); ++d) {
    const std::vector<Interval>& own = along_[d].intervals;
    const double* const of = scores + along_[d].first_row;
    sums.assign(1, 0.0);
    for (std::size_t i = 0; i < own.size() && window > 0; ++i) {
      sums.push_back(sums.back() + of[own[i].row]);
    }
    double best = -kInfinity, widest = -1;
    steps[d] = 0;
    for (std::size_t i = 0; i < own.size(); ++i) {
      double value = of[own[i].row];
      if (window > 0) {
        const std::size_t low = i > window ? i - window : 0;
        const std::size_t high = std::min(i + window + 1, own.size());
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
