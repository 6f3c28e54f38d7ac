// The line search, against the choice at the middle of each interval and the sums of it.
#include <algorithm>
#include <random>
#include <vector>

#include "check.hpp"
#include "tuning/line_search.hpp"

namespace bleuet {
namespace {

struct Lists {
  std::size_t segments, width, n_features;
  std::vector<double> features;
  std::vector<std::int64_t> integers;
  std::vector<double> reals;

  HypothesisLists view() const {
    return {segments, width, features.data(), n_features, integers.data(), 2, reals.data(), 1};
  }
};

Lists drawn(std::mt19937& random, std::size_t segments, std::size_t width) {
  std::uniform_int_distribution<int> number(-3, 3);
  Lists lists{segments, width, 3, {}, {}, {}};
  for (std::size_t i = 0; i < 3 * segments * width; ++i) lists.features.push_back(number(random));
  for (std::size_t i = 0; i < 2 * segments * width; ++i) lists.integers.push_back(number(random));
  for (std::size_t i = 0; i < segments * width; ++i) lists.reals.push_back(number(random) / 4.0);
  return lists;
}

// The sums of what is chosen at a step; whole numbers have no rounding, but ties.
std::vector<double> sums_at(const Lists& lists, const std::vector<double>& intercepts,
                            const std::vector<double>& slopes, double step) {
  std::vector<double> sums(3);
  for (std::size_t segment = 0; segment < lists.segments; ++segment) {
    std::size_t best = segment * lists.width;
    for (std::size_t i = best; i < (segment + 1) * lists.width; ++i) {
      if (intercepts[i] + step * slopes[i] > intercepts[best] + step * slopes[best]) best = i;
    }
    sums[0] += static_cast<double>(lists.integers[2 * best]);
    sums[1] += static_cast<double>(lists.integers[2 * best + 1]);
    sums[2] += lists.reals[best];
  }
  return sums;
}

void search(std::mt19937& random, std::size_t segments, std::size_t width, unsigned threads) {
  const Lists lists = drawn(random, segments, width);
  const LineSearch search_of(lists.view());
  std::vector<double> weights{1, -1, 2}, directions{1, 0, 0, 0, 1, 1, 0, 0, 0, -1, 2, 3};
  std::vector<double> intercepts(segments * width), slopes(segments * width);
  const auto add = [&](const double* by, std::vector<double>& to) {
    add_weighted(lists.features.data(), by, 3, to.size(), 0, to.size(), to.data());
  };
  add(weights.data(), intercepts);
  std::vector<std::int64_t> first(4 * segments);
  const Intervals found =
      search_of.follow(intercepts.data(), directions.data(), 4, first.data(), threads, [] {});
  std::vector<double> starts(4);
  for (std::size_t d = 0; d < 4; ++d) {
    for (std::size_t segment = 0; segment < segments; ++segment) {
      const auto chosen = static_cast<std::size_t>(first[d * segments + segment]);
      starts[d] += lists.reals[segment * width + chosen];
    }
  }
  std::vector<std::int64_t> integers(2 * found.rows());
  std::vector<double> reals(found.rows()), scores(found.rows()), steps(4), values(4);
  found.sums(starts.data(), integers.data(), reals.data());
  for (std::size_t row = 0; row < found.rows(); ++row) {
    scores[row] =
        static_cast<double>(integers[row] + 7 * integers[found.rows() + row]) + reals[row];
  }
  found.best(scores.data(), 0, steps.data(), values.data());
  for (std::size_t d = 0; d < 4; ++d) {
    add(directions.data() + 3 * d, slopes);
    // Steps that no two lines of small whole numbers meet at.
    double most = -1e9;
    for (int step = -200; step <= 200; ++step) {
      const std::vector<double> at = sums_at(lists, intercepts, slopes, step / 8.0 + 0.0123);
      most = std::max(most, at[0] + 7 * at[1] + at[2]);
    }
    check(values[d] >= most, "no step is better than the best");
    const std::vector<double> there = sums_at(lists, intercepts, slopes, steps[d]);
    const double reached = there[0] + 7 * there[1] + there[2];
    // Of equal lines the first is chosen, at the start of an envelope and behind it alike.
    check(reached == values[d], "the best step has the best score");
  }
}

}  // namespace

void test_line_search() {
  std::mt19937 random(7);
  for (unsigned round = 0; round < 200; ++round) {
    search(random, 1 + random() % 5, 1 + random() % 9, 1 + round % 3);
  }
}

}  // namespace bleuet
