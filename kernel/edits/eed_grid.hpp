// The grid of EED: a column for each place in the hypothesis, a row for each reference character.
// A cell is the cost of the cheapest path to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "edits/eed_bounds.hpp"

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
  double cost() const { return low_.back() ? row_.back() : jump_; }
  const std::vector<std::int64_t>& visits() const { return visits_; }

 private:
  static constexpr std::size_t kMostRows = EedBounds::kMostRows;
  static constexpr std::size_t kBlock = EedBounds::kBlock;

  // Rows that follow each other without a space, but for one at the end of the last.
  struct Rows {
    const char32_t* characters;
    std::size_t size;
    double lowest[kMostRows];
    std::size_t place[kMostRows];
  };

  struct Blocks {
    std::size_t first, last;  // one behind
  };

  void walk_word(const char32_t* characters, std::size_t size);
  bool walk_low(Rows& rows);
  bool walk_near(Rows& rows);
  void mark(std::size_t first, std::size_t last);
  void walk_all(Rows& rows);
  void walk_marked(const std::vector<unsigned char>& marked, double bound, Rows& rows);
  template <std::size_t kPairs>
  std::size_t walk_from(std::size_t block, const std::vector<unsigned char>& marked, double bound,
                        Rows& rows);
  void jump(double lowest);
  void set_jump(double jump);

  double alpha_, deletion_, insertion_;
  std::vector<double> letters_;  // the hypothesis from its end
  std::vector<double> row_;
  std::vector<double> below_;
  std::vector<std::int64_t> visits_;
  // The blocks of row_ that are stored; the cells of others are jump_, and no cell is above it.
  std::vector<unsigned char> low_;
  double jump_ = 0;
  double everywhere_[kBlock];  // jump_
  EedBounds bounds_;
  // Of the word that is walked.
  std::vector<unsigned char> near_;
  std::vector<unsigned char> marked_;
  std::vector<Blocks> walked_;
};

}  // namespace bleuet
