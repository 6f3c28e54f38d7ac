// Where a word of the reference may cost little in the hypothesis, if it may begin anywhere at no
// cost: lower bounds of the costs in EED's grid, for sixteen stretches of the hypothesis at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/lanes.hpp"

namespace bleuet {

class EedBounds {
 public:
  static constexpr std::size_t kMostRows = 16;
  static constexpr std::size_t kBlock = 16;      // columns
  static constexpr std::size_t kMostReach = 64;  // the columns of the longest path

  void set_hypothesis(const std::vector<char32_t>& hypothesis);
  // False for hypotheses so short that the bounds cost more than they save.
  bool useful() const { return stretch_ >= 2 * kMostReach; }

  // Bounds the cells in the rows of `size` characters.
  void count(const char32_t* characters, std::size_t size, double deletion, double insertion,
             double scale);
  // The lowest bound in a row; what a path with such a bound can cost, in units of 1 / scale.
  double lowest(std::size_t row) const;
  // Marks the blocks in which a cell of the row may cost at most so many units.
  void mark(std::size_t row, double most, std::vector<unsigned char>& near) const;

 private:
  static constexpr std::size_t kStretches = 16;

  std::size_t stretch_ = 0;            // columns
  std::vector<std::uint8_t> letters_;  // of the first column of each stretch, of the second, ...
  std::size_t rows_ = 0;
  double lost_per_row_ = 0, lost_per_unit_ = 0;  // by rounding down
  // The lowest of each row in the first block of each stretch, then in the second, ...
  std::vector<std::uint8_t> lowest_;
};

}  // namespace bleuet
