// Rows of one word are walked at once, each in a lane that is one column behind the lane above, so
// that no cell waits for another of the same step. Every cell is the same sum of the same numbers
// as row by row, so it rounds alike.
//
// After a space no cell costs more than the lowest plus a jump, and most cost just that. While the
// lowest cost stays, the cells that start there end there again: only paths from lower cells need
// to be walked (walk_low).
#include "eed_grid.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

#include "interruption.hpp"
#include "lanes.hpp"

namespace bleuet {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

template <std::size_t kPairs>
struct Costs {
  RealLanes wanted[kPairs];
  RealLanes insertion, deletion;
};

// The cells of one step, and those above them; recursion keeps them in registers.
template <std::size_t kPairs>
struct Column {
  Column<kPairs - 1> upper;
  RealLanes cells, before, lowest;

  void start(const double* left) {
    upper.start(left);
    before = RealLanes::load(left + 2 * kPairs - 2);
    cells = RealLanes::load(left + 2 * kPairs - 1);
    lowest = RealLanes::both(kInfinity);
  }
  void load(const double* from) {
    upper.load(from);
    cells = RealLanes::load(from + 2 * kPairs - 2);
  }
  void note_lowest() {
    upper.note_lowest();
    lowest = lower(lowest, cells);
  }
  void store_lowest(double* out) const {
    upper.store_lowest(out);
    lowest.store(out + 2 * kPairs - 2);
  }
  template <class C>
  void step(double above, const double* letters, const C& costs, double* out) {
    const RealLanes up = high_low(upper.last(above), cells);
    const RealLanes letter = RealLanes::load(letters + 2 * kPairs - 2);
    const RealLanes replaced = before + differ(letter, costs.wanted[kPairs - 1]);
    cells = lower(lower(replaced, cells + costs.deletion), up + costs.insertion);
    before = up;
    cells.store(out + 2 * kPairs - 2);
    upper.step(above, letters, costs, out);
  }
  RealLanes last(double) const { return cells; }
  bool any_below(RealLanes bound) const {
    return any_less(lower(cells, before), bound) || upper.any_below(bound);
  }
};

template <>
struct Column<0> {
  void start(const double*) {}
  void load(const double*) {}
  void note_lowest() {}
  void store_lowest(double*) const {}
  template <class C>
  void step(double, const double*, const C&, double*) {}
  RealLanes last(double above) const { return RealLanes::both(above); }
  bool any_below(RealLanes) const { return false; }
};

// Writes the costs, but none above `most`, and returns whether any is below it.
bool cap(const double* costs, std::size_t size, double most, double* out) {
  const RealLanes limit = RealLanes::both(most);
  RealLanes lowest = limit;
  std::size_t i = 0;
  for (; i + 2 <= size; i += 2) {
    const RealLanes capped = lower(RealLanes::load(costs + i), limit);
    capped.store(out + i);
    lowest = lower(lowest, capped);
  }
  if (i < size) out[i] = std::min(costs[i], most);
  return any_less(lowest, limit) || (i < size && out[i] < most);
}

}  // namespace

void EedGrid::set_hypothesis(const std::vector<char32_t>& hypothesis) {
  // Lanes that are not in the grid yet, or no longer, read beyond the ends.
  letters_.assign(hypothesis.size() + 2 * kMostRows, -1.0);
  std::copy(hypothesis.rbegin(), hypothesis.rend(), letters_.begin() + kMostRows);
}

void EedGrid::walk(const std::vector<char32_t>& reference) {
  const std::size_t n = letters_.size() - 2 * kMostRows;
  row_.assign(n + 1, 1.0);
  row_[0] = 0.0;
  below_.resize(n + 1);
  visits_.assign(n + 1, 0);
  low_.assign(n / kBlock + 1, 0);
  low_[0] = 1;
  n_low_ = 1;
  jump_ = 1.0;
  const char32_t* const end = reference.data() + reference.size();
  for (const char32_t* begin = reference.data(); begin < end;) {
    const char32_t* const space = std::find(begin, end, U' ');
    const char32_t* const next = space == end ? end : space + 1;
    walk_word(begin, static_cast<std::size_t>(next - begin));
    begin = next;
  }
}

void EedGrid::walk_word(const char32_t* characters, std::size_t size) {
  const bool jumps = characters[size - 1] == U' ';
  for (std::size_t done = 0; done < size;) {
    Rows rows;
    rows.characters = characters + done;
    rows.size = std::min(size - done, kMostRows);
    if (!(jumps && rows.size == size && walk_low(rows))) walk_all(rows);
    for (std::size_t r = 0; r < rows.size; ++r) ++visits_[rows.place[r]];
    done += rows.size;
    if (jumps && done == size) {
      jump(rows.lowest[rows.size - 1]);
    } else {
      row_.swap(below_);
    }
  }
}

// Walks from the cells below jump_ alone, and returns whether no others matter.
bool EedGrid::walk_low(Rows& rows) {
  if (4 * n_low_ > low_.size()) return false;
  std::fill_n(rows.lowest, rows.size, kInfinity);
  walked_.clear();
  for (std::size_t block = 0;;) {
    const void* const low = std::memchr(low_.data() + block, 1, low_.size() - block);
    if (low == nullptr) break;
    const std::size_t first =
        static_cast<std::size_t>(static_cast<const unsigned char*>(low) - low_.data());
    block = walk_from(first, jump_, rows);
    walked_.push_back({first, block});
  }
  const double lowest = rows.lowest[rows.size - 1];
  // All that is at least jump_ is just jump_ after the next jump.
  return lowest < jump_ && alpha_ + lowest == jump_;
}

void EedGrid::walk_all(Rows& rows) {
  std::fill_n(rows.lowest, rows.size, kInfinity);
  walked_.assign(1, {0, walk_from(0, kInfinity, rows)});
}

void EedGrid::jump(double lowest) {
  jump_ = alpha_ + lowest;
  n_low_ = 0;
  for (const Blocks& blocks : walked_) {
    for (std::size_t block = blocks.first; block < blocks.last; ++block) {
      const std::size_t begin = block * kBlock;
      low_[block] = cap(below_.data() + begin, std::min(kBlock, row_.size() - begin), jump_,
                        row_.data() + begin);
      n_low_ += low_[block];
    }
  }
}

// Walks from a block to the right as long as there are cells below the bound, and returns the
// block where it ended.
std::size_t EedGrid::walk_from(std::size_t block, double bound, Rows& rows) {
  switch ((rows.size + 1) / 2) {
    case 1:
      return walk_pairs<1>(block, bound, rows);
    case 2:
      return walk_pairs<2>(block, bound, rows);
    case 3:
      return walk_pairs<3>(block, bound, rows);
    case 4:
      return walk_pairs<4>(block, bound, rows);
    case 5:
      return walk_pairs<5>(block, bound, rows);
    case 6:
      return walk_pairs<6>(block, bound, rows);
    case 7:
      return walk_pairs<7>(block, bound, rows);
    default:
      return walk_pairs<8>(block, bound, rows);
  }
}

template <std::size_t kPairs>
std::size_t EedGrid::walk_pairs(std::size_t block, double bound, Rows& rows) {
  constexpr std::size_t kLanes = 2 * kPairs;
  const std::size_t end = row_.size();
  const std::size_t behind = rows.size - 1;
  const std::size_t begin = std::max<std::size_t>(block * kBlock, 1);

  // The column before: of this row and of those below.
  double left[kLanes + 1];
  left[0] = row_[begin - 1];
  for (std::size_t r = 0; r < kLanes; ++r) left[r + 1] = block == 0 ? left[r] + 1.0 : kInfinity;
  if (block == 0) {
    std::copy_n(left + 1, rows.size, rows.lowest);
    std::fill_n(rows.place, rows.size, 0);
    below_[0] = left[rows.size];
  }

  Costs<kPairs> costs;
  double characters[kLanes] = {};
  std::copy_n(rows.characters, rows.size, characters);
  for (std::size_t p = 0; p < kPairs; ++p) costs.wanted[p] = RealLanes::load(characters + 2 * p);
  costs.insertion = RealLanes::both(insertion_);
  costs.deletion = RealLanes::both(deletion_);
  Column<kPairs> column;
  column.start(left);
  const double* const letters = letters_.data() + (letters_.size() - kMostRows);
  double steps[kBlock][kLanes];

  // One step: the first lane is in column i, the others are behind.
  const auto step_at_edge = [&](std::size_t i, double* out) {
    column.step(i < end ? row_[i] : kInfinity, letters - i, costs, out);
    for (std::size_t r = 0; r < kLanes; ++r) {
      if (i < begin + r)
        out[r] = left[r + 1];
      else if (i >= end + r)
        out[r] = kInfinity;
    }
    column.load(out);
    column.note_lowest();
  };

  for (std::size_t i = begin; i < end + behind;) {
    const std::size_t from = i;
    const std::size_t to = std::min((i / kBlock + 1) * kBlock, end + behind);
    for (; i < std::min(to, begin + behind); ++i) step_at_edge(i, steps[i - from]);
    Column<kPairs> inner = column;
    for (; i < std::min(to, end); ++i) {
      double* const out = steps[i - from];
      inner.step(row_[i], letters - i, costs, out);
      inner.note_lowest();
      below_[i - behind] = out[behind];
    }
    column = inner;
    for (; i < to; ++i) {
      step_at_edge(i, steps[i - from]);
      below_[i - behind] = steps[i - from][behind];
    }
    checkpoint((to - from) * rows.size);
    double lowest[kLanes];
    column.store_lowest(lowest);
    for (std::size_t r = 0; r < rows.size; ++r) {
      if (lowest[r] >= rows.lowest[r]) continue;
      rows.lowest[r] = lowest[r];
      std::size_t at = from;
      while (steps[at - from][r] != lowest[r]) ++at;
      rows.place[r] = at - r;
    }
    if (i >= end || low_[i / kBlock] || column.any_below(RealLanes::both(bound))) continue;
    std::fill_n(below_.begin() + static_cast<std::ptrdiff_t>(i - behind), behind, kInfinity);
    return i / kBlock;
  }
  return low_.size();
}

}  // namespace bleuet
