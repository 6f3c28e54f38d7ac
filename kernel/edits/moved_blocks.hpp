// The edits that are left after a block of words has moved, for all blocks and places of a round of
// shifts, where the reference has more than 64 words.
//
// The cells of the table of edits are known from both ends: from the first words on, and from the
// last ones back. Where the two meet in a row, their least sum is a distance (Hirschberg 1975). So
// - it is a few steps how far the hypothesis is without a block, or with its words once more at
//   another place: as both differ from the moved one by the words of the block, both bound it;
// - the table without a block is walked once for all places to which it can move, and only until
//   its cells are again those of the whole hypothesis, all as much more or less;
// - short blocks need only the cells of a corridor: those on paths with few edits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "edits/edit_distance.hpp"
#include "edits/word_positions.hpp"

namespace bleuet {

// Owns scratch memory, so each thread needs its own.
class MovedBlocks {
 public:
  void start(const WordPositions& reference, std::int32_t n_hypothesis);

  // Takes a hypothesis of that length whose first `unchanged` words are those of the one read
  // before, and returns its distance.
  std::int32_t read(const std::vector<WordId>& hypothesis, std::int32_t unchanged);

  // Forgets the moves.
  void clear() { moves_.clear(); }

  // Adds a move: `length` words at `start` go to `place`, where the reference has equal ones.
  void add(std::int32_t start, std::int32_t length, std::int32_t place);

  // The moves of those added that leave the fewest edits, if they leave at most `most`.
  const std::vector<Exchange>& nearest(std::int32_t most);

  // How many that is; more than `most` if there are none.
  std::int32_t edits() const { return edits_; }

 private:
  // 64 cells of a row: those that are one more (less) than their left neighbour, and the cell left
  // of the first.
  struct Cells {
    std::uint64_t rises;
    std::uint64_t falls;
    std::int32_t left;
  };
  // The blocks of cells [first, last] of a row.
  struct Range {
    std::size_t first;
    std::size_t last;
  };
  // All that paths with few edits need of a table.
  struct Corridor {
    bool is_ready = false;
    std::vector<Range> ranges;
    std::vector<Cells> rows;
  };
  // A block goes to the right; in the second side, where both texts are reversed, this is the left.
  struct Move {
    std::int32_t start;
    std::int32_t length;
    std::int32_t target;  // before which word of the hypothesis
    std::int32_t place;   // of the reference
    std::int32_t bound;   // it leaves at least as many edits
    std::uint32_t side;
  };
  // The moves [first, last) of one block to one side.
  struct Group {
    std::int32_t bound;
    std::size_t first;
    std::size_t last;
  };
  struct Known {
    std::int32_t length = 0;
    std::int32_t edits = 0;
  };
  struct Side {
    std::vector<std::uint64_t> matches;  // of each word, where the reference has it
    std::vector<WordId> words;
    std::vector<Cells> rows;  // after each number of words
    std::vector<Cells> rest;  // before each word, the edits of what follows, column by column
    Corridor corridor;
    std::vector<Known> added;  // of each place
  };

  const Cells* row(const std::vector<Cells>& rows, std::int32_t i) const;
  Range range(const Side& side, std::int32_t i, bool is_short) const;
  Range whole() const { return {0, blocks_ - 1}; }
  const Cells* before(const Side& side, std::int32_t i, bool is_short) const;

  void find_matches(const WordPositions& reference);
  void fill(Side& side, std::int32_t unchanged);
  void flip(const Side& from, std::int32_t unchanged, Side& to) const;
  void prepare(Side& side) const;
  void widen(Cells* row, Range from, Range to) const;
  void next(const Cells* above, Range range, const std::uint64_t* matches, Cells* below) const;
  void walk(const Side& side, std::int32_t begin, std::int32_t end, Range range, Cells* row) const;
  std::int32_t least(const Cells& one, const Cells& other, std::size_t block,
                     std::int32_t above) const;
  std::int32_t meet(const Cells* one, const Cells* other, Range range, std::int32_t most) const;
  bool differ_by(const Cells* one, const Cells* other, Range range, std::int32_t& offset) const;

  std::int32_t without(std::int32_t start, std::int32_t length);
  std::int32_t with_more(const Move& move);
  std::int32_t bound(const Move& move);
  void find_groups();
  void measure(const Group& group);
  void found(const Move& move, std::int32_t edits);

  std::int32_t n_ = 0;
  std::int32_t m_ = 0;
  std::int32_t distance_ = 0;
  std::int32_t most_ = 0;
  std::int32_t edits_ = 0;
  std::size_t blocks_ = 0;
  std::uint64_t last_block_ = 0;  // the columns of the last block
  Side sides_[2];
  std::vector<Known> removed_;  // of each start
  std::vector<Move> moves_;
  std::vector<Group> groups_;
  std::vector<Exchange> nearest_;
  std::vector<Cells> row_;
  std::vector<Cells> moved_;
};

}  // namespace bleuet
