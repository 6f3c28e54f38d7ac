// Adds doubles as Python's sum() does, in either of the ways it has had.
#pragma once

#include <cmath>

namespace bleuet {

// Until 3.11 sum() adds from left to right; from 3.12 on it is Neumaier's compensated sum.
class PythonSum {
 public:
  explicit PythonSum(bool compensated) : compensated_(compensated) {}

  void add(double x) {
    const double total = sum_ + x;
    if (compensated_) {
      correction_ += std::fabs(sum_) >= std::fabs(x) ? (sum_ - total) + x : (x - total) + sum_;
    }
    sum_ = total;
  }

  double value() const { return sum_ + correction_; }

 private:
  bool compensated_;
  double sum_ = 0;
  double correction_ = 0;
};

}  // namespace bleuet
