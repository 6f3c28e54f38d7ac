// The edits of one cheapest alignment in which blocks of the hypothesis may stand in any order:
// Levenshtein distance with long jumps (Leusch, Ueffing and Ney 2006, CDER).
//
// A path consumes each reference word once, from left to right: with the next hypothesis word
// (a match costs 0, a substitution 1) or without one (a deletion, 1). Between two of these it may
// jump to any other place in the hypothesis for 1. It begins before the first hypothesis word and
// ends after the last one. Of several cheapest paths, it is the one that, seen from the end,
// prefers a match to a substitution, that to a deletion, and that to a jump; a jump comes from the
// last place that it can come from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "edits/levenshtein.hpp"
#include "edits/word_positions.hpp"

namespace bleuet {

class LongJumps {
 public:
  // A jump counts as an insertion. `marks`, if not null, becomes the edits and hits along the path,
  // each by itself; a jump has the place that it leads to, and no words.
  EditCounts count(const WordPositions& reference, const std::vector<WordId>& hypothesis,
                   std::vector<Mark>* marks = nullptr);

 private:
  // Row j is what the first j reference words cost at each place in the hypothesis. Every place
  // costs the least of its row, or one more, because a jump costs 1: a bit for each place. Every
  // `stride_`-th row is kept, and the rows between two of those are filled again for the trace.
  void fill(const std::vector<WordId>& reference, std::size_t first, std::size_t last);
  std::int64_t next(WordId word, const std::uint64_t* row, std::uint64_t* below) const;
  void trace(const std::vector<WordId>& reference, const std::vector<WordId>& hypothesis,
             std::vector<Mark>* marks);
  bool cheap(std::size_t row, std::size_t place) const;
  std::int64_t cost(std::size_t row, std::size_t place) const;
  std::size_t last_cheap(std::size_t row) const;

  WordPositions positions_;  // of the hypothesis words
  std::size_t blocks_ = 0;   // of 64 places, in a row
  std::size_t stride_ = 1;
  std::vector<std::uint64_t> kept_;
  std::vector<std::uint64_t> rows_;  // from row first_ on
  std::size_t first_ = 0;
  std::vector<std::int64_t> least_;  // of each row
  EditCounts counts_;
};

}  // namespace bleuet
