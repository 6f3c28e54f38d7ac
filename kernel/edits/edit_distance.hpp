// Edit distance between a hypothesis and a reference, in three forms that share one interface:
// without a beam for references of up to 64 words (Myers 1999, Hyyrö 2003), with Tercom's beam in a
// window of 64 bits, and with the beam in plain dynamic programming.
//
// Cell (i, j) is the least number of edits from the first i hypothesis words to the first j
// reference words. Where edits tie, a match or substitution precedes a deletion, and that an
// insertion.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "edits/word_positions.hpp"

namespace bleuet {

// A row's beam reaches this many columns to the left of the diagonal and one fewer to its right;
// more where the diagonal is so steep that the rows would not overlap.
constexpr std::int32_t kBeamWidth = 25;

enum class Edit : std::uint8_t { match, substitute, erase, insert };

// Hypothesis words [first, middle) and [middle, last) change places: every shift is of this form.
struct Exchange {
  std::int32_t first;
  std::int32_t middle;
  std::int32_t last;
};

// The columns [low, high] of each row that Tercom's beam admits. All hypotheses of one length have
// the same beam, so shifting words does not change it.
class Beam {
 public:
  void fit(std::int32_t n_hypothesis, std::int32_t n_reference);
  std::int32_t low(std::int32_t row) const { return low_[static_cast<std::size_t>(row)]; }
  std::int32_t high(std::int32_t row) const { return high_[static_cast<std::size_t>(row)]; }

 private:
  std::vector<std::int32_t> low_;
  std::vector<std::int32_t> high_;
};

// A row of cells: `rises` (`falls`) marks those that are one more (less) than their left neighbour.
struct BitRow {
  std::uint64_t rises;
  std::uint64_t falls;
};

// How the cells of a row were reached.
struct BitTrace {
  std::uint64_t matches;   // the words of row and column are equal
  std::uint64_t diagonal;  // the cell equals its left upper neighbour
  std::uint64_t down;      // the cell is one more than the one above
};

// Every form below has these functions. A `hypothesis` always has the length given to start().
//   start      fixes the reference and the hypothesis length, which is at least 1
//   read       takes a hypothesis whose first `unchanged` words are those of the one read before,
//              and returns its distance
//   exchanged  distance of the hypothesis read last, two of its blocks exchanged
//   edit       the edit by which cell (i, j) of the hypothesis read last was reached, i and j > 0

// At most 64 reference tokens, no beam. A row is one machine word for rises and one for falls, so
// that one state for each hypothesis position is cheap to keep, and a shift goes on from there.
class UnlimitedDistance {
 public:
  static constexpr std::int32_t kLongestReference = 64;

  void start(const WordPositions& reference, std::int32_t n_hypothesis);
  std::int32_t read(const std::vector<WordId>& hypothesis, std::int32_t unchanged);
  std::int32_t exchanged(const std::vector<WordId>& hypothesis, const Exchange& exchange) const;
  Edit edit(std::int32_t i, std::int32_t j) const;

 private:
  std::int32_t last_cell(const BitRow& row) const;

  std::int32_t n_ = 0;
  std::int32_t distance_ = 0;
  std::uint64_t all_ = 0;
  const WordPositions* reference_ = nullptr;
  std::vector<std::uint64_t> matches_;  // of each hypothesis word read last
  std::vector<BitRow> rows_;            // after each number of words; bit j - 1 is column j
  std::vector<BitTrace> traces_;        // of each word
};

// Any reference of at most kLargestRatio times the hypothesis length, with the beam.
class BandDistance {
 public:
  static constexpr std::int32_t kLargestRatio = 16;

  void start(const WordPositions& reference, std::int32_t n_hypothesis);
  std::int32_t read(const std::vector<WordId>& hypothesis, std::int32_t unchanged);
  std::int32_t exchanged(const std::vector<WordId>& hypothesis, const Exchange& exchange) const;
  Edit edit(std::int32_t i, std::int32_t j) const;

 private:
  // What the beam makes of a row; bit t stands for column base + 1 + t.
  struct Limits {
    std::int32_t base;
    std::int32_t shift;         // by how much base grew
    std::int32_t anchor;        // bit of the last admitted column of the row before
    std::uint64_t admitted;     // columns of this row
    std::uint64_t beyond;       // columns the row before did not admit, on the right
    std::uint64_t reachable;    // columns whose left upper neighbour is admitted
    std::uint64_t orphan;       // first column, where only the cell above it is admitted
    std::uint64_t new_columns;  // admitted here and not in the row before
  };
  struct State {
    BitRow row;
    std::int32_t last;  // the cell in the last admitted column
  };

  State next(const State& state, std::int32_t i, WordId word, BitTrace& trace) const;

  std::int32_t n_ = 0;
  const WordPositions* reference_ = nullptr;
  Beam beam_;
  std::vector<Limits> limits_;  // of each row
  std::vector<State> states_;
  std::vector<BitTrace> traces_;
};

// Any lengths, with the beam; used where a reference is many times longer than the hypothesis.
class PlainDistance {
 public:
  void start(const WordPositions& reference, std::int32_t n_hypothesis);
  std::int32_t read(const std::vector<WordId>& hypothesis, std::int32_t unchanged);
  std::int32_t exchanged(const std::vector<WordId>& hypothesis, const Exchange& exchange) const;
  Edit edit(std::int32_t i, std::int32_t j) const;

 private:
  void fill(std::int32_t row, WordId word, const std::int32_t* above, std::int32_t* cells) const;
  const std::int32_t* row_at(std::int32_t row) const;
  bool admits(std::int32_t row, std::int32_t j) const;
  std::int32_t cell(std::int32_t row, std::int32_t j) const;

  std::int32_t n_ = 0;
  const WordPositions* reference_ = nullptr;
  const std::vector<WordId>* hypothesis_ = nullptr;
  Beam beam_;
  std::vector<std::size_t> begin_;  // of each row in cells_
  std::vector<std::int32_t> cells_;
  mutable std::vector<std::int32_t> above_;
  mutable std::vector<std::int32_t> below_;
};

}  // namespace bleuet
