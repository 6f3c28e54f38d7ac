// Och's line search for tuning: along a line through the weights, the score of a hypothesis is a
// linear function of the step, so that the chosen hypothesis of a segment follows the upper
// envelope of its lines (Och 2003, Minimum Error Rate Training in Statistical Machine Translation,
// section 4). The definition is src/bleuet/studies/tuning/line_search.py, to the last digit.
#pragma once

#include <cstddef>
#include <cstdint>
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

// Three calls: `follow` finds the intervals of each direction in which the choice is the same,
// `sums` has the statistics of those that differ, and `best` chooses by their scores.
class LineSearch {
 public:
  explicit LineSearch(const HypothesisLists& lists);

  // Returns how many sums there are. Writes the choice at minus infinity, for each direction that
  // of each segment.
  std::size_t follow(const double* intercepts, const double* directions, std::size_t n_directions,
                     std::int64_t* first);
  // Writes the sums, column after column. `starts` are the real sums of the first choices, for each
  // direction one after the other, which the caller adds in its own order.
  void sums(const double* starts, std::int64_t* integers, double* reals) const;
  // Writes of each direction the middle of the widest of the best intervals, and its score, which
  // is the mean of `window` intervals on each side.
  void best(const double* scores, std::size_t window, double* steps, double* values) const;

  std::size_t directions() const { return ends_.size(); }
  std::size_t rows() const { return rows_; }

 private:
  struct Bend {
    double step;
    std::uint32_t block, round, segment, before, after;
  };
  struct Interval {
    double low, high;
    std::size_t row;
  };
  void follow_segment(std::size_t segment, const double* intercepts, std::size_t highest,
                      std::size_t direction, std::int64_t* first);
  void cut(std::vector<Bend>& bends);
  bool changes(const Bend& bend) const;

  HypothesisLists lists_;
  std::size_t block_;
  std::vector<double> slopes_;
  // Of the lines that can still be met.
  std::vector<double> left_slopes_;
  std::vector<double> left_intercepts_;
  std::vector<std::uint32_t> left_hypotheses_;
  std::vector<double> meets_;
  std::vector<double> sizes_;
  // Of each direction.
  std::vector<std::vector<Bend>> bends_;
  std::vector<std::size_t> ends_;
  std::vector<std::int64_t> first_;
  // Of all directions: the intervals that are wider than rounding.
  std::vector<Interval> intervals_;
  std::size_t rows_ = 0;
};

}  // namespace bleuet
