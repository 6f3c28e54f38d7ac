// The grid of EED: a column for each place in the hypothesis, a row for each reference character.
// A cell is the cost of the cheapest path to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bleuet {

class EedGrid {
 public:
  EedGrid(double alpha, double deletion, double insertion)
      : alpha_(alpha), deletion_(deletion), insertion_(insertion) {}

  void set_hypothesis(const std::vector<char32_t>& hypothesis);
  // Goes through all rows, from above.
  void walk(const std::vector<char32_t>& reference);

  // After walk(): the last cell, and how many rows have their lowest cell, the first if several
  // are, in each column.
  double cost() const { return row_.back(); }
  const std::vector<std::int64_t>& visits() const { return visits_; }

 private:
  static constexpr std::size_t kMostRows = 16;
  // Columns of a block; block 0 has columns 0 to 63.
  static constexpr std::size_t kBlock = 64;

  // Rows that follow each other without a space, but for one at the end of the last.
  struct Rows {
    const char32_t* characters;
    std::size_t size;
    double lowest[kMostRows];
    std::size_t place[kMostRows];
  };

  struct Blocks {
    std::size_t first, last;
  };

  void walk_word(const char32_t* characters, std::size_t size);
  bool walk_low(Rows& rows);
  void walk_all(Rows& rows);
  std::size_t walk_from(std::size_t block, double bound, Rows& rows);
  template <std::size_t kPairs>
  std::size_t walk_pairs(std::size_t block, double bound, Rows& rows);
  void jump(double lowest);

  double alpha_, deletion_, insertion_;
  std::vector<double> letters_;  // the hypothesis from its end
  std::vector<double> row_;
  std::vector<double> below_;
  std::vector<std::int64_t> visits_;
  // Where a jump ends, all cells of row_ are at most jump_, and those of other blocks are jump_.
  double jump_ = 0;
  std::vector<unsigned char> low_;
  std::size_t n_low_ = 0;
  std::vector<Blocks> walked_;
};

}  // namespace bleuet
