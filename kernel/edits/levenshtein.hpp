// The edits of one cheapest alignment of two sequences (Levenshtein 1966), and which of the
// cheapest alignments that is: the one that rapidfuzz traces, whose counts jiwer reports.
//
// - What both sequences begin and end with is matched first.
// - From the end of the rest, a deletion is taken where it lies on a cheapest path; else an
//   insertion, where the cell above is less than the one on the diagonal; else a match or
//   substitution.
// - Where the table of the rest is larger than 2^20 bytes, the hypothesis is cut in halves, and the
//   reference where the two parts cost least, as far left as possible (Hirschberg 1975).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "edits/word_positions.hpp"
#include "rows/marks.hpp"

namespace bleuet {

// What turns a reference into a hypothesis.
struct EditCounts {
  std::int64_t hits = 0;
  std::int64_t substitutions = 0;
  std::int64_t deletions = 0;
  std::int64_t insertions = 0;
};

// The kinds of marks: EditCounts in its order, and a jump of LongJumps.
constexpr std::uint8_t kHitMark = 0;
constexpr std::uint8_t kSubstitutionMark = 1;
constexpr std::uint8_t kDeletionMark = 2;
constexpr std::uint8_t kInsertionMark = 3;
constexpr std::uint8_t kJumpMark = 4;

class Levenshtein {
 public:
  // `hypothesis` has the numbers of the reference's words, and unknown() for others. `marks`, if
  // not null, becomes the edits and hits from left to right, neighbours of one kind together.
  EditCounts count(const WordPositions& reference, const std::vector<WordId>& hypothesis,
                   std::vector<Mark>* marks = nullptr);

  // Only how many edits there are.
  std::int64_t distance(const WordPositions& reference, const std::vector<WordId>& hypothesis);

 private:
  // Cells of a row that are one more, or one less, than their left neighbour.
  struct Row {
    std::uint64_t rises;
    std::uint64_t falls;
  };
  // Whether the cell at the right end of a strip is one more, or one less, than that above it.
  struct Carry {
    std::uint64_t up;
    std::uint64_t down;
  };
  static constexpr Carry kEdge{1, 0};  // left of the cells that are filled
  // The first block of a strip in a row, and the second in the row above.
  struct Step {
    std::uint64_t rises[2];
    std::uint64_t falls_above[2];  // of the row above each
  };
  // Parts of reference and hypothesis, [r0, r1) and [h0, h1).
  struct Part {
    std::size_t r0, r1, h0, h1;
    std::size_t reference() const { return r1 - r0; }
    std::size_t hypothesis() const { return h1 - h0; }
  };
  // Strips of columns, and the rows of each in which a path that costs at most `limit` can be.
  struct Band {
    Band(const Part& part, std::size_t limit);
    std::size_t strips() const;
    // Rows count from 1.
    std::size_t first(std::size_t strip) const;
    std::size_t last(std::size_t strip) const;
    std::int64_t low, high;  // columns beyond the row's number
    std::size_t columns, rows;
  };

  void strip(Part& part);
  void align(const Part& whole, std::size_t limit);
  void mark_hits(std::size_t hypothesis, std::size_t reference, std::size_t n);
  void mark(std::uint8_t kind, std::size_t hypothesis, std::size_t reference);
  void trace(const Part& part, const Band& band);
  void split(const Part& part);
  std::vector<std::int32_t> last_row(const Part& part, bool backwards);
  template <bool kKeepRows>
  void fill(const Part& part, const Band& band, bool backwards);
  template <bool kKeepRows>
  void fill_strip(const Part& part, const Band& band, bool backwards, std::size_t strip);

  const WordPositions* reference_ = nullptr;
  const std::vector<WordId>* hypothesis_ = nullptr;
  EditCounts counts_;
  std::vector<Mark>* marks_ = nullptr;
  // Of the strip that is filled, the columns in which each word stands; 0 between strips.
  std::vector<std::uint64_t> matches_;
  std::vector<Carry> carries_;       // of each row, from the strip on the left
  std::vector<Row> last_;            // the blocks of the last row
  std::vector<Step> steps_;          // of all strips
  std::vector<std::size_t> starts_;  // of the steps of a strip
};

}  // namespace bleuet
