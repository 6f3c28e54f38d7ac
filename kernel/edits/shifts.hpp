// The greedy search for block shifts of translation edit rate (Snover et al. 2006, section 3), with
// the limits and the order of preference of Tercom as sacreBLEU 2.6.0 has them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "edits/edit_distance.hpp"
#include "edits/word_positions.hpp"
#include "rows/marks.hpp"

namespace bleuet {

constexpr std::int32_t kMaxShiftSize = 10;
constexpr std::int32_t kMaxShiftDistance = 50;

// The candidates of all rounds are counted together, whether or not they are worth measuring. The
// count is checked after each pair of equal word sequences. The round that reaches the limit ends
// without a shift.
constexpr std::int64_t kMaxShiftCandidates = 1000;

// The kind of a mark is its Edit. A shift has the one behind those: the words from the first to the
// last that it moves, which a shift before it may have brought together, and no reference words.
constexpr std::uint8_t kShiftMark = 4;

// `length` words from `start` move to before the word at `target`.
struct Shift {
  std::int32_t gain;
  std::int32_t length;
  std::int32_t start;
  std::int32_t target;
};

// How the words of a hypothesis and of a reference lie to each other in the best trace.
struct Alignment {
  // Of each reference position, the last hypothesis position reached when it is consumed, from -1.
  std::vector<std::int32_t> reached;
  // The first position at or after this one that is not matched; the length where there is none.
  std::vector<std::int32_t> hypothesis_error;
  std::vector<std::int32_t> reference_error;
};

// Finds the least number of edits and shifts. It owns scratch memory, so each thread needs its own.
class ShiftSearch {
 public:
  // `hypothesis` holds numbers of words of `reference`, or its unknown(). `marks`, if not null,
  // becomes the shifts, and then a mark for each edit and each match, from left to right.
  std::int64_t edits(const std::vector<WordId>& hypothesis, const WordPositions& reference,
                     std::vector<Mark>* marks = nullptr);

 private:
  template <class Distance>
  std::int64_t search(Distance& distance, std::int32_t before);
  template <class Distance, class Visit>
  void trace(const Distance& distance, Visit visit) const;
  template <class Distance>
  void align(const Distance& distance);
  template <class Distance>
  void mark_edits(const Distance& distance);
  void mark_shift(const Shift& shift);
  template <class Distance>
  Shift best_shift(const Distance& distance, std::int32_t before) const;
  template <class Distance>
  void measure(const Distance& distance, std::int32_t before, Shift candidate, Shift& best) const;

  bool collect();
  bool collect_from(std::int32_t start);
  bool collect_pair(std::int32_t start, std::int32_t reference_start);
  bool collect_targets(Shift candidate, std::int32_t reference_start);
  std::int32_t fewest_edits();
  bool beam_may_bind(std::int32_t before) const;
  std::int32_t n_hypothesis() const { return static_cast<std::int32_t>(words_.size()); }

  UnlimitedDistance unlimited_;
  BandDistance band_;
  PlainDistance plain_;
  std::vector<WordId> words_;
  const WordPositions* reference_ = nullptr;
  Alignment alignment_;
  std::int32_t fewest_edits_ = 0;  // no order of the hypothesis words has less
  std::int64_t n_candidates_ = 0;
  std::array<std::vector<Shift>, kMaxShiftSize + 1> candidates_;  // by length
  std::vector<std::int32_t> left_;
  std::vector<Mark>* marks_ = nullptr;
  std::vector<std::size_t> order_;  // the places of words_ in the hypothesis, for marks
};

}  // namespace bleuet
