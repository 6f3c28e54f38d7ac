// Bit vectors as in edit_distance.cpp (Myers 1999, Hyyrö 2003), in blocks of 64 columns with a
// carry between them, and the trace through them (H. Hyyrö, "A note on bit-parallel alignment
// computation", Stringology 2004). The table is filled strip by strip, not row by row, so that the
// bits of its two blocks stay in registers.
#include "edits/levenshtein.hpp"

#include <algorithm>

#include "machine/bits.hpp"
#include "machine/lanes.hpp"
#include "rows/interruption.hpp"

namespace bleuet {
namespace {

constexpr std::size_t kBlock = 64;
constexpr std::size_t kStripBlocks = 2;  // one of a lane
constexpr std::size_t kStrip = kStripBlocks * kBlock;
constexpr std::size_t kLargestTable = 1U << 20;  // bytes of two bits per cell

std::int64_t signed_size(std::size_t n) { return static_cast<std::int64_t>(n); }

bool bit(std::uint64_t x, std::size_t i) { return ((x >> i) & 1) != 0; }

void join_neighbours(std::vector<Mark>& marks) {
  std::size_t kept = 0;
  for (const Mark& one : marks) {
    if (kept == 0 || marks[kept - 1].kind != one.kind) {
      marks[kept++] = one;
    } else {
      marks[kept - 1].hypothesis_words += one.hypothesis_words;
      marks[kept - 1].reference_words += one.reference_words;
    }
  }
  marks.resize(kept);
}

}  // namespace

Levenshtein::Band::Band(const Part& part, std::size_t limit)
    : columns(part.reference()), rows(part.hypothesis()) {
  const std::int64_t longer = signed_size(columns) - signed_size(rows);
  const std::int64_t spare = (signed_size(limit) - std::abs(longer)) / 2;
  low = std::min<std::int64_t>(longer, 0) - spare;
  high = std::max<std::int64_t>(longer, 0) + spare;
}

std::size_t Levenshtein::Band::strips() const { return (columns + kStrip - 1) / kStrip; }

std::size_t Levenshtein::Band::first(std::size_t strip) const {
  return static_cast<std::size_t>(
      std::max<std::int64_t>(signed_size(strip * kStrip) + 1 - high, 1));
}

std::size_t Levenshtein::Band::last(std::size_t strip) const {
  const std::size_t column = std::min((strip + 1) * kStrip, columns);
  return static_cast<std::size_t>(std::min(signed_size(column) - low, signed_size(rows)));
}

EditCounts Levenshtein::count(const WordPositions& reference, const std::vector<WordId>& hypothesis,
                              std::vector<Mark>* marks) {
  reference_ = &reference;
  hypothesis_ = &hypothesis;
  marks_ = marks;
  if (marks_ != nullptr) marks_->clear();
  counts_ = {};
  const Part whole{0, reference.reference().size(), 0, hypothesis.size()};
  align(whole, std::max(whole.reference(), whole.hypothesis()));
  if (marks_ != nullptr) join_neighbours(*marks_);
  return counts_;
}

std::int64_t Levenshtein::distance(const WordPositions& reference,
                                   const std::vector<WordId>& hypothesis) {
  reference_ = &reference;
  hypothesis_ = &hypothesis;
  Part part{0, reference.reference().size(), 0, hypothesis.size()};
  strip(part);
  const std::size_t n = part.reference();
  std::int64_t cell = signed_size(part.hypothesis());
  if (n == 0 || cell == 0) return std::max(signed_size(n), cell);
  fill<false>(part, Band(part, n + part.hypothesis()), false);
  for (std::size_t b = 0; 64 * b < n; ++b) {
    const std::uint64_t columns = ~0ULL >> (64 - std::min<std::size_t>(n - 64 * b, 64));
    cell += count_bits(last_[b].rises & columns) - count_bits(last_[b].falls & columns);
  }
  return cell;
}

void Levenshtein::strip(Part& part) {
  const std::vector<WordId>& reference = reference_->reference();
  const std::vector<WordId>& hypothesis = *hypothesis_;
  const std::size_t before = part.reference();
  while (part.r0 < part.r1 && part.h0 < part.h1 && reference[part.r0] == hypothesis[part.h0]) {
    ++part.r0;
    ++part.h0;
  }
  while (part.r0 < part.r1 && part.h0 < part.h1 &&
         reference[part.r1 - 1] == hypothesis[part.h1 - 1]) {
    --part.r1;
    --part.h1;
  }
  counts_.hits += signed_size(before - part.reference());
}

void Levenshtein::align(const Part& whole, std::size_t limit) {
  Part part = whole;
  strip(part);
  mark_hits(whole.h0, whole.r0, part.r0 - whole.r0);
  const std::size_t n = part.reference();
  const std::size_t m = part.hypothesis();
  limit = std::min(limit, std::max(n, m));
  // rapidfuzz decides by these numbers too; others would trace another alignment.
  const std::size_t table = 2 * std::min(n, 2 * limit + 1) * m / 8;
  if (table >= kLargestTable && n > 64 && m > 9) {
    split(part);
  } else {
    const Band band(part, limit);
    if (n > 0 && m > 0) fill<true>(part, band, false);
    trace(part, band);
  }
  mark_hits(part.h1, part.r1, whole.r1 - part.r1);
}

void Levenshtein::mark_hits(std::size_t hypothesis, std::size_t reference, std::size_t n) {
  for (std::size_t i = 0; marks_ != nullptr && i < n; ++i) {
    mark(kHitMark, hypothesis + i, reference + i);
  }
}

void Levenshtein::mark(std::uint8_t kind, std::size_t hypothesis, std::size_t reference) {
  if (marks_ == nullptr) return;
  const std::size_t ours = kind == kDeletionMark ? 0 : 1;
  const std::size_t theirs = kind == kInsertionMark ? 0 : 1;
  marks_->push_back({hypothesis, ours, reference, theirs, kind});
}

template <bool kKeepRows>
void Levenshtein::fill(const Part& part, const Band& band, bool backwards) {
  const std::size_t strips = band.strips();
  matches_.resize((reference_->n_words() + 1) * kStripBlocks);
  if (strips > 1) carries_.assign(band.rows + 1, kEdge);
  last_.resize(strips * kStripBlocks);
  if (kKeepRows) {
    starts_.assign(1, 0);
    for (std::size_t strip = 0; strip < strips; ++strip)
      starts_.push_back(starts_.back() + band.last(strip) + 2 - band.first(strip));
    if (steps_.size() < starts_.back()) steps_.resize(starts_.back());
  }
  for (std::size_t strip = 0; strip < strips; ++strip) {
    checkpoint(2 * kStripBlocks * band.rows);
    fill_strip<kKeepRows>(part, band, backwards, strip);
  }
}

// The second block is one row behind the first, whose carry it needs. Cells left of those that are
// filled count as one more than the cell above them, cells right of them as one more than the cell
// left of them: too much, so that no cheapest path leads there.
template <bool kKeepRows>
void Levenshtein::fill_strip(const Part& part, const Band& band, bool backwards,
                             std::size_t strip) {
  const WordId* const reference = reference_->reference().data();
  const WordId* const hypothesis = hypothesis_->data();
  std::uint64_t* const matches = matches_.data();
  const std::size_t begin = strip * kStrip;
  const std::size_t end = std::min(begin + kStrip, band.columns);
  const auto matches_at = [&](std::size_t column) -> std::uint64_t& {
    const WordId word = reference[backwards ? part.r1 - 1 - column : part.r0 + column];
    return matches[kStripBlocks * word + (column - begin) / kBlock];
  };
  for (std::size_t column = begin; column < end; ++column)
    matches_at(column) |= 1ULL << (column % kBlock);

  Step* kept = kKeepRows ? steps_.data() + starts_[strip] : nullptr;
  Lanes rises = Lanes::ones();
  Lanes falls = Lanes::zero();
  Lanes next_up = falls;
  Lanes next_down = falls;
  std::uint64_t second_matches = 0;
  const auto step = [&](const Carry& carry, const std::uint64_t* here) {
    const Lanes carried = Lanes::load(&carry.up);
    const Lanes down = high_low(carried, next_down);
    const Lanes equal = Lanes::of(here[0], second_matches) | down;
    second_matches = here[1];
    const Lanes diagonal = (((equal & rises) + rises) ^ rises) | equal | falls;
    const Lanes higher = falls | without(Lanes::ones(), diagonal | rises);  // than the cell above
    const Lanes lower = rises & diagonal;
    const Lanes higher_left = shift_left<1>(higher) | low_low(carried, next_up);
    const Lanes lower_left = shift_left<1>(lower) | down;
    next_up = shift_right<63>(higher);
    next_down = shift_right<63>(lower);
    if (kKeepRows) falls.store(kept->falls_above);
    rises = lower_left | without(Lanes::ones(), diagonal | higher_left);
    falls = higher_left & diagonal;
    if (kKeepRows) rises.store((kept++)->rises);
  };
  const auto matches_of = [&](std::size_t row) {
    const WordId word = hypothesis[backwards ? part.h1 - row : part.h0 + row - 1];
    return matches + kStripBlocks * word;
  };
  const auto carry_at = [&](std::size_t row) -> const Carry& {
    return strip == 0 ? kEdge : carries_[row];
  };
  const bool passes_on = end < band.columns;
  const std::size_t first = band.first(strip);
  const std::size_t last = band.last(strip);
  step(carry_at(first), matches_of(first));
  rises = low_low(rises, Lanes::ones());
  falls = low_low(falls, Lanes::zero());
  for (std::size_t row = first + 1; row <= last; ++row) {
    step(carry_at(row), matches_of(row));
    if (passes_on) high_high(next_up, next_down).store(&carries_[row - 1].up);
  }
  std::uint64_t* const first_block = &last_[strip * kStripBlocks].rises;
  low_low(rises, falls).store(first_block);
  constexpr std::uint64_t kNone[kStripBlocks] = {};
  step(kEdge, kNone);
  if (passes_on) high_high(next_up, next_down).store(&carries_[last].up);
  high_high(rises, falls).store(first_block + 2);

  for (std::size_t column = begin; column < end; ++column) matches_at(column) = 0;
}

void Levenshtein::trace(const Part& part, const Band& band) {
  const WordId* const reference = reference_->reference().data() + part.r0;
  const WordId* const hypothesis = hypothesis_->data() + part.h0;
  const std::size_t before = marks_ == nullptr ? 0 : marks_->size();
  std::int64_t hits = 0;
  std::int64_t insertions = 0;
  std::int64_t deletions = 0;
  std::size_t i = part.hypothesis();
  std::size_t j = part.reference();
  const auto delete_one = [&] {
    ++deletions;
    --j;
    mark(kDeletionMark, part.h0 + i, part.r0 + j);
  };
  while (i > 0 && j > 0) {
    const std::size_t block = (j - 1) / kBlock;
    const std::size_t strip = block / kStripBlocks;
    const std::size_t lane = block % kStripBlocks;
    const std::size_t begin = block * kBlock;
    const std::size_t first = band.first(strip);
    const Step* const steps = steps_.data() + starts_[strip] + lane;
    while (i >= first && j > begin) {
      const Step& step = steps[i - first];
      if (bit(step.rises[lane], (j - 1) % kBlock)) {
        delete_one();
        continue;
      }
      --i;
      if (bit(step.falls_above[lane], (j - 1) % kBlock)) {
        ++insertions;
        mark(kInsertionMark, part.h0 + i, part.r0 + j);
        continue;
      }
      --j;
      const bool equal = reference[j] == hypothesis[i];
      hits += equal ? 1 : 0;
      mark(equal ? kHitMark : kSubstitutionMark, part.h0 + i, part.r0 + j);
    }
    while (j > begin) delete_one();
  }
  while (j > 0) delete_one();
  for (; i > 0; ++insertions) mark(kInsertionMark, part.h0 + --i, part.r0);
  counts_.hits += hits;
  counts_.substitutions += signed_size(part.reference()) - deletions - hits;
  counts_.deletions += deletions;
  counts_.insertions += insertions;
  if (marks_ != nullptr)
    std::reverse(marks_->begin() + static_cast<std::ptrdiff_t>(before), marks_->end());
}

std::vector<std::int32_t> Levenshtein::last_row(const Part& part, bool backwards) {
  fill<false>(part, Band(part, part.reference() + part.hypothesis()), backwards);
  std::vector<std::int32_t> cells(part.reference() + 1);
  cells[0] = static_cast<std::int32_t>(part.hypothesis());
  for (std::size_t j = 0; j < part.reference(); ++j) {
    const Row& block = last_[j / kBlock];
    cells[j + 1] =
        cells[j] + (bit(block.rises, j % kBlock) ? 1 : 0) - (bit(block.falls, j % kBlock) ? 1 : 0);
  }
  return cells;
}

void Levenshtein::split(const Part& part) {
  const std::size_t middle = part.h0 + part.hypothesis() / 2;
  const std::vector<std::int32_t> after = last_row({part.r0, part.r1, middle, part.h1}, true);
  const std::vector<std::int32_t> before = last_row({part.r0, part.r1, part.h0, middle}, false);
  std::size_t cut = 0;
  const auto cost = [&](std::size_t j) { return before[j] + after[part.reference() - j]; };
  for (std::size_t j = 1; j <= part.reference(); ++j) {
    if (cost(j) < cost(cut)) cut = j;
  }
  align({part.r0, part.r0 + cut, part.h0, middle}, static_cast<std::size_t>(before[cut]));
  align({part.r0 + cut, part.r1, middle, part.h1},
        static_cast<std::size_t>(after[part.reference() - cut]));
}

}  // namespace bleuet
