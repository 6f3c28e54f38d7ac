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
  // Prepares a reference that is only compared by this class, which finds most positions itself.
  // `reference` holds numbers below `n_words`.
  static void prepare(const std::vector<WordId>& reference, std::size_t n_words,
                      WordPositions& positions);

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
  // Parts of reference and hypothesis, [r0, r1) and [h0, h1).
  struct Part {
    std::size_t r0, r1, h0, h1;
    std::size_t reference() const { return r1 - r0; }
    std::size_t hypothesis() const { return h1 - h0; }
  };
  // The blocks of 64 columns that hold all cells of paths that cost at most `limit`.
  struct Band {
    Band(const Part& part, std::size_t limit);
    std::size_t first(std::size_t row) const;
    std::size_t last(std::size_t row) const;
    std::int64_t low, high;  // columns beyond the row's number
    std::int64_t columns;
    std::size_t blocks;
    std::size_t width;  // the most blocks in a row
  };

  void strip(Part& part);
  void align(const Part& whole, std::size_t limit);
  void mark_hits(std::size_t hypothesis, std::size_t reference, std::size_t n);
  void mark(std::uint8_t kind, std::size_t hypothesis, std::size_t reference);
  void trace(const Part& part, const Band& band);
  void split(const Part& part);
  std::vector<std::int32_t> last_row(const WordPositions& reference, const Part& part,
                                     bool backwards);
  template <bool kKeepRows, class Matches>
  void fill(const Part& part, const Band& band, bool backwards, Matches matches);
  template <bool kKeepRows>
  void fill(const WordPositions& reference, const Part& part, const Band& band, bool backwards);
  void find_matches(const WordPositions& reference, const Part& part, std::size_t blocks);

  const WordPositions* reference_ = nullptr;
  const std::vector<WordId>* hypothesis_ = nullptr;
  EditCounts counts_;
  std::vector<Mark>* marks_ = nullptr;
  WordPositions reversed_;
  bool has_reversed_ = false;
  std::vector<std::uint64_t> matches_;  // of each word, the columns in which it stands
  std::vector<Row> blocks_;             // of the row filled last
  std::vector<Row> rows_;               // of all rows, `width` each
};

}  // namespace bleuet
