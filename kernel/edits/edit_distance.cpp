// The three edit distances: Myers' bit vectors without a beam, the same with a beam, and plain
// cells.
//
// G. Myers, "A fast bit-vector algorithm for approximate string matching based on dynamic
// programming", JACM 46(3), 1999; H. Hyyrö, "A bit-vector algorithm for computing Levenshtein and
// Damerau edit distances", Nordic Journal of Computing 10(1), 2003, for the form used here.
#include "edits/edit_distance.hpp"

#include <algorithm>
#include <cmath>

#include "machine/bits.hpp"

namespace bleuet {
namespace {

constexpr std::uint64_t kOnes = ~0ULL;

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

std::uint64_t low_bits(std::int32_t n) { return n >= 64 ? kOnes : (1ULL << n) - 1; }

std::int32_t bit(std::uint64_t x, std::int32_t i) {
  return static_cast<std::int32_t>((x >> i) & 1);
}

// The row below `row`, for the word that stands at `matches` in the reference. Column 0 and what is
// left of the window grow by one from row to row.
inline BitRow next_row(const BitRow& row, std::uint64_t matches, BitTrace& trace) {
  const std::uint64_t sums = (matches & row.rises) + row.rises;
  trace.matches = matches;
  trace.diagonal = (sums ^ row.rises) | matches | row.falls;
  trace.down = row.falls | ~(trace.diagonal | row.rises);
  const std::uint64_t up = row.rises & trace.diagonal;
  const std::uint64_t down_left = (trace.down << 1) | 1;
  return {(up << 1) | ~(trace.diagonal | down_left), trace.diagonal & down_left};
}

Edit edit_of(const BitTrace& trace, std::int32_t i) {
  if (bit(trace.matches, i) != 0) return Edit::match;
  if (bit(trace.diagonal, i) == 0) return Edit::substitute;
  return bit(trace.down, i) != 0 ? Edit::erase : Edit::insert;
}

}  // namespace

void Beam::fit(std::int32_t n_hypothesis, std::int32_t n_reference) {
  low_.resize(index(n_hypothesis) + 1);
  high_.resize(index(n_hypothesis) + 1);
  low_[0] = 0;
  high_[0] = n_reference;
  // Doubles, as in sacreBLEU: i * (m / n) may round to just below the integer it stands for.
  const double ratio = n_hypothesis == 0 ? 1.0 : double(n_reference) / double(n_hypothesis);
  const auto width = kBeamWidth < ratio / 2
                         ? static_cast<std::int32_t>(std::ceil(ratio / 2 + kBeamWidth))
                         : kBeamWidth;
  for (std::int32_t i = 1; i <= n_hypothesis; ++i) {
    const auto diagonal = static_cast<std::int32_t>(std::floor(double(i) * ratio));
    low_[index(i)] = std::max(0, diagonal - width);
    high_[index(i)] = std::min(n_reference, diagonal + width - 1);
  }
  high_[index(n_hypothesis)] = n_reference;
}

// --- without a beam

std::int32_t UnlimitedDistance::last_cell(const BitRow& row) const {
  return n_ + count_bits(row.rises & all_) - count_bits(row.falls & all_);
}

void UnlimitedDistance::start(const WordPositions& reference, std::int32_t n_hypothesis) {
  reference_ = &reference;
  n_ = n_hypothesis;
  all_ = low_bits(reference.size());
  if (rows_.size() < index(n_) + 1) {
    matches_.resize(index(n_));
    traces_.resize(index(n_));
    rows_.resize(index(n_) + 1);
  }
  rows_[0] = {all_, 0};
}

std::int32_t UnlimitedDistance::read(const std::vector<WordId>& hypothesis,
                                     std::int32_t unchanged) {
  BitRow row = rows_[index(unchanged)];
  for (std::size_t i = index(unchanged); i < index(n_); ++i) {
    matches_[i] = reference_->mask(hypothesis[i]);
    row = next_row(row, matches_[i], traces_[i]);
    rows_[i + 1] = row;
  }
  return distance_ = last_cell(row);
}

std::int32_t UnlimitedDistance::exchanged(const std::vector<WordId>&,
                                          const Exchange& exchange) const {
  const std::uint64_t* const matches = matches_.data();
  BitTrace trace;
  BitRow row = rows_[index(exchange.first)];
  for (std::int32_t i = exchange.middle; i < exchange.last; ++i) {
    row = next_row(row, matches[i], trace);
  }
  for (std::int32_t i = exchange.first; i < exchange.middle; ++i) {
    row = next_row(row, matches[i], trace);
  }
  for (std::int32_t i = exchange.last; i < n_; ++i) {
    const BitRow& old = rows_[index(i)];
    // From equal rows on all is as it was before.
    if ((((row.rises ^ old.rises) | (row.falls ^ old.falls)) & all_) == 0) return distance_;
    row = next_row(row, matches[i], trace);
  }
  return last_cell(row);
}

Edit UnlimitedDistance::edit(std::int32_t i, std::int32_t j) const {
  return edit_of(traces_[index(i - 1)], j - 1);
}

// --- in a window
//
// Cells outside the beam are infinite. The bit vectors cannot hold infinity, but need not: it is
// enough to give such a cell a value at which it loses against every admitted neighbour.
// - Right of the row above: each cell one more than its left neighbour, and no matches where the
//   left upper neighbour is outside.
// - Left of this row: one more than the cell above it, as in column 0.
// - Left of this row and of the row above (`orphan`): the cell above it one more than its right
//   neighbour, and no match.

void BandDistance::start(const WordPositions& reference, std::int32_t n_hypothesis) {
  reference_ = &reference;
  n_ = n_hypothesis;
  beam_.fit(n_, reference.size());
  if (limits_.size() < index(n_) + 1) {
    limits_.resize(index(n_) + 1);
    states_.resize(index(n_) + 1);
    traces_.resize(index(n_) + 1);
  }
  limits_[0] = {};
  for (std::int32_t i = 1; i <= n_; ++i) {
    Limits& limits = limits_[index(i)];
    const std::int32_t low = beam_.low(i);
    const std::int32_t high = beam_.high(i);
    // Row 0 admits every column, but none beyond those of row 1 is ever looked at.
    const std::int32_t high_above = i == 1 ? high : beam_.high(i - 1);
    limits.base = std::max(low - 1, 0);
    limits.shift = limits.base - limits_[index(i - 1)].base;
    limits.anchor = high_above - limits.base - 1;
    limits.admitted = low_bits(high - limits.base);
    limits.beyond = ~low_bits(high_above - limits.base);
    limits.reachable = i == 1 ? kOnes : low_bits(high_above - limits.base + 1);
    limits.orphan = low > 0 && low == beam_.low(i - 1) ? 1 : 0;
    limits.new_columns = limits.admitted & limits.beyond;
  }
  states_[0] = {{kOnes, 0}, beam_.high(1)};
}

inline BandDistance::State BandDistance::next(const State& state, std::int32_t i, WordId word,
                                              BitTrace& trace) const {
  const Limits& limits = limits_[index(i)];
  const BitRow above{((state.row.rises >> limits.shift) | limits.beyond) & ~limits.orphan,
                     ((state.row.falls >> limits.shift) & ~limits.beyond) | limits.orphan};
  const std::uint64_t matches =
      reference_->window(word, limits.base) & limits.reachable & ~limits.orphan;
  State below{next_row(above, matches, trace), state.last};
  below.last += bit(trace.down, limits.anchor);
  below.last -= bit(above.rises & trace.diagonal, limits.anchor);
  if (limits.new_columns != 0) {
    below.last += count_bits(below.row.rises & limits.new_columns);
    below.last -= count_bits(below.row.falls & limits.new_columns);
  }
  return below;
}

std::int32_t BandDistance::read(const std::vector<WordId>& hypothesis, std::int32_t unchanged) {
  for (std::int32_t i = unchanged; i < n_; ++i) {
    states_[index(i) + 1] =
        next(states_[index(i)], i + 1, hypothesis[index(i)], traces_[index(i) + 1]);
  }
  return states_[index(n_)].last;
}

std::int32_t BandDistance::exchanged(const std::vector<WordId>& hypothesis,
                                     const Exchange& exchange) const {
  BitTrace trace;
  State state = states_[index(exchange.first)];
  std::int32_t row = exchange.first;
  for (std::int32_t i = exchange.middle; i < exchange.last; ++i) {
    state = next(state, ++row, hypothesis[index(i)], trace);
  }
  for (std::int32_t i = exchange.first; i < exchange.middle; ++i) {
    state = next(state, ++row, hypothesis[index(i)], trace);
  }
  for (; row < n_; ++row) {
    const State& old = states_[index(row)];
    const std::uint64_t differ =
        (state.row.rises ^ old.row.rises) | (state.row.falls ^ old.row.falls);
    // From rows that differ by a constant on, so does all below.
    if ((differ & limits_[index(row)].admitted) == 0) {
      return states_[index(n_)].last + state.last - old.last;
    }
    state = next(state, row + 1, hypothesis[index(row)], trace);
  }
  return state.last;
}

Edit BandDistance::edit(std::int32_t i, std::int32_t j) const {
  const std::int32_t t = j - limits_[index(i)].base - 1;
  if (bit(limits_[index(i)].reachable, t) == 0) return Edit::insert;
  return edit_of(traces_[index(i)], t);
}

// --- plain

void PlainDistance::start(const WordPositions& reference, std::int32_t n_hypothesis) {
  reference_ = &reference;
  n_ = n_hypothesis;
  beam_.fit(n_, reference.size());
  begin_.resize(index(n_) + 1);
  std::size_t size = 0;
  std::size_t widest = 0;
  for (std::int32_t i = 0; i <= n_; ++i) {
    const std::size_t width = index(beam_.high(i) - beam_.low(i) + 1);
    begin_[index(i)] = size;
    size += width;
    widest = std::max(widest, width);
  }
  cells_.resize(size);
  above_.resize(widest);
  below_.resize(widest);
  for (std::int32_t j = 0; j <= reference.size(); ++j) cells_[index(j)] = j;
}

void PlainDistance::fill(std::int32_t row, WordId word, const std::int32_t* above,
                         std::int32_t* cells) const {
  constexpr std::int32_t kInfinity = 1 << 30;
  const std::vector<WordId>& reference = reference_->reference();
  const std::int32_t low = beam_.low(row);
  const std::int32_t low_above = beam_.low(row - 1);
  std::int32_t left = kInfinity;
  for (std::int32_t j = low; j <= beam_.high(row); ++j) {
    std::int32_t best = kInfinity;
    if (j > 0 && admits(row - 1, j - 1)) {
      best = above[j - 1 - low_above] + (reference[index(j - 1)] == word ? 0 : 1);
    }
    if (admits(row - 1, j)) best = std::min(best, above[j - low_above] + 1);
    best = std::min(best, left + 1);
    cells[j - low] = left = best;
  }
}

std::int32_t PlainDistance::read(const std::vector<WordId>& hypothesis, std::int32_t unchanged) {
  hypothesis_ = &hypothesis;
  for (std::int32_t i = unchanged; i < n_; ++i) {
    fill(i + 1, hypothesis[index(i)], row_at(i), cells_.data() + begin_[index(i) + 1]);
  }
  return cell(n_, reference_->size());
}

std::int32_t PlainDistance::exchanged(const std::vector<WordId>& hypothesis,
                                      const Exchange& exchange) const {
  const std::int32_t* above = row_at(exchange.first);
  const std::int32_t second = exchange.last - exchange.middle;
  for (std::int32_t row = exchange.first; row < n_; ++row) {
    std::int32_t from = row;
    if (row < exchange.first + second) {
      from = exchange.middle + (row - exchange.first);
    } else if (row < exchange.last) {
      from = row - second;
    }
    fill(row + 1, hypothesis[index(from)], above, below_.data());
    above_.swap(below_);
    above = above_.data();
  }
  return above[reference_->size() - beam_.low(n_)];
}

const std::int32_t* PlainDistance::row_at(std::int32_t row) const {
  return cells_.data() + begin_[index(row)];
}

bool PlainDistance::admits(std::int32_t row, std::int32_t j) const {
  return j >= beam_.low(row) && j <= beam_.high(row);
}

std::int32_t PlainDistance::cell(std::int32_t row, std::int32_t j) const {
  return row_at(row)[j - beam_.low(row)];
}

Edit PlainDistance::edit(std::int32_t i, std::int32_t j) const {
  const std::int32_t here = cell(i, j);
  const bool equal = reference_->reference()[index(j - 1)] == (*hypothesis_)[index(i - 1)];
  if (admits(i - 1, j - 1) && here == cell(i - 1, j - 1) + (equal ? 0 : 1)) {
    return equal ? Edit::match : Edit::substitute;
  }
  return admits(i - 1, j) && here == cell(i - 1, j) + 1 ? Edit::erase : Edit::insert;
}

}  // namespace bleuet
