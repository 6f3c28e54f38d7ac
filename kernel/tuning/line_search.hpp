// Och's line search for tuning: along a line through the weights, the score of a hypothesis is a
// linear function of the step, so that the chosen hypothesis of a segment follows the upper
// envelope of its lines (Och 2003, Minimum Error Rate Training in Statistical Machine Translation,
// section 4). The definition is src/bleuet/tuning/line_search.py, to the last digit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace bleuet {

// N-best lists of one length: of each feature its value by segment and hypothesis, and of each
// hypothesis its statistics, one after the other.
struct HypothesisLists {
  std::size_t segments;
  std::size_t width;
  const double* features;
  std::size_t n_features;
  const std::int64_t* integers;
  std::size_t n_integers;
  const double* reals;
  std::size_t n_reals;

  std::size_t hypotheses() const { return segments * width; }
};

// The model's scores of `count` hypotheses from the first one on; each feature has `hypotheses`
// values. Features are added in order, and those of weight 0 left out.
void add_weighted(const double* features, const double* weights, std::size_t n_features,
                  std::size_t hypotheses, std::size_t first, std::size_t count, double* scores);

// The intervals along each direction in which the choice is the same, and their statistics.
class Intervals {
 public:
  struct Bend {
    double step;
    std::uint32_t block, round, segment, before, after;
  };

  // Writes the sums of intervals that differ, column after column. `starts` are the real sums of
  // the first choices, for each direction one after the other, which the caller adds in its own
  // order.
  void sums(const double* starts, std::int64_t* integers, double* reals) const;
  // Writes of each direction the middle of the widest of the best intervals, and its score, which
  // is the mean of `window` intervals on each side.
  void best(const double* scores, std::size_t window, double* steps, double* values) const;

  std::size_t directions() const { return along_.size(); }
  std::size_t rows() const { return rows_; }
  const HypothesisLists& lists() const { return lists_; }

 private:
  friend class LineSearch;

  struct Interval {
    double low, high;
    // Its sums, from the first of its direction on.
    std::size_t row;
  };
  struct Along {
    std::vector<Bend> bends;
    // Those that are wider than rounding.
    std::vector<Interval> intervals;
    std::size_t rows = 0;
    std::size_t first_row = 0;
  };

  HypothesisLists lists_;
  std::vector<Along> along_;
  std::vector<std::int64_t> first_;
  std::size_t rows_ = 0;
};

// Follows envelopes. It never changes, so that several threads can use it.
class LineSearch {
 public:
  explicit LineSearch(const HypothesisLists& lists);

  // Writes the choice at minus infinity too, for each direction that of each segment. `poll` is
  // called now and then.
  Intervals follow(const double* intercepts, const double* directions, std::size_t n_directions,
                   std::int64_t* first, unsigned threads, const std::function<void()>& poll) const;

 private:
  class Follower;

  void cut(Intervals::Along& along, std::vector<double>& sizes) const;

  HypothesisLists lists_;
  std::size_t block_;
  // Hypotheses of a segment with the same number have the same statistics.
  std::vector<std::uint32_t> alike_;
};

}  // namespace bleuet
