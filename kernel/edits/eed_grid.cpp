// Rows of one word are walked at once, each in a lane that is one column behind the lane above, so
// that no cell waits for another of the same step. Every cell is the same sum of the same numbers
// as row by row, so it rounds alike.
//
// After a space no cell costs more than the lowest plus a jump, and most cost just that (jump_). A
// word can then be walked in three ways. While the lowest cost stays, all that begins at jump_ ends
// there again, so only paths from lower cells count (walk_low). If it rises, lower bounds show
// where the word costs little, and the other cells end at the next jump (walk_near). Else all cells
// are walked (walk_all). A cell is at least the cell that its path comes from, so a path that
// leaves out cells from some cost on is exact below that cost.
#include "edits/eed_grid.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "machine/lanes.hpp"
#include "rows/interruption.hpp"

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

// The blocks that so many columns take, wherever they begin.
std::size_t blocks_of(double columns) {
  return static_cast<std::size_t>(columns) / EedBounds::kBlock + 1;
}

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
  bounds_.set_hypothesis(hypothesis);
}

void EedGrid::walk(const std::vector<char32_t>& reference) {
  const std::size_t n = letters_.size() - 2 * kMostRows;
  row_.assign(n + 1, 1.0);
  row_[0] = 0.0;
  below_.resize(n + 1);
  visits_.assign(n + 1, 0);
  low_.assign(n / kBlock + 1, 0);
  low_[0] = 1;
  set_jump(1.0);
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
    if (!(jumps && rows.size == size && (walk_low(rows) || walk_near(rows)))) walk_all(rows);
    for (std::size_t r = 0; r < rows.size; ++r) ++visits_[rows.place[r]];
    done += rows.size;
    if (jumps && done == size) {
      jump(rows.lowest[rows.size - 1]);
    } else {
      row_.swap(below_);
      std::fill(low_.begin(), low_.end(), static_cast<unsigned char>(1));
    }
  }
}

// Walks from the cells below jump_ alone, and returns whether no others matter.
bool EedGrid::walk_low(Rows& rows) {
  rows.lowest[rows.size - 1] = kInfinity;
  if (2 * std::count(low_.begin(), low_.end(), 1) > static_cast<std::ptrdiff_t>(low_.size()))
    return false;
  walk_marked(low_, jump_, rows);
  const double lowest = rows.lowest[rows.size - 1];
  // All that is at least jump_ is just jump_ after the next jump.
  return lowest < jump_ && alpha_ + lowest == jump_;
}

// After walk_low(): walks only where a cell may be the lowest of its row, or may be below the next
// jump, and returns whether that was enough.
bool EedGrid::walk_near(Rows& rows) {
  const std::size_t last = rows.size - 1;
  // What a path from a cell of jump_ may cost, for the cell to be below the next jump.
  const double most = alpha_ + rows.lowest[last] - jump_;
  if (!bounds_.useful() || !(most > 0 && most < 1e6 && jump_ < 1e9)) return false;
  // Paths from the lowest cells are the longest.
  const double reach = static_cast<double>(rows.size) + (most + alpha_) / deletion_;
  if (!(reach <= EedBounds::kMostReach)) return false;
  const double scale = std::min(60.0, 250 / most);
  bounds_.count(rows.characters, rows.size, deletion_, insertion_, scale);
  near_.assign(low_.size(), 0);

  // Cells with a higher bound do not matter, if the lowest cell is as low as its bound.
  double limits[kMostRows];
  for (std::size_t r = 0; r < rows.size; ++r) {
    double limit = std::min(bounds_.lowest(r), (rows.lowest[r] - jump_) * scale);
    if (r == last) limit += alpha_ * scale;
    limits[r] = std::floor(limit + 1e-6);
    if (limits[r] >= 0) bounds_.mark(r, limits[r], near_);
  }
  // A path to such a cell begins before it, and its last row is behind the first; paths from lower
  // cells go on.
  const std::size_t before = blocks_of(static_cast<double>(rows.size) + most / deletion_);
  const std::size_t after = blocks_of(static_cast<double>(rows.size));
  marked_.assign(low_.size(), 0);
  for (std::size_t block = 0; block < low_.size(); ++block) {
    if (near_[block]) mark(block - std::min(block, before), block + after);
    if (low_[block]) mark(block, block + blocks_of(reach));
  }
  walk_marked(marked_, -kInfinity, rows);
  for (std::size_t r = 0; r < rows.size; ++r) {
    const double lowest = rows.lowest[r] + (r == last ? alpha_ : 0.0) - jump_;
    // Half a unit is far more than sums can be off by rounding.
    if (limits[r] >= 0 && lowest * scale > limits[r] + 0.5) return false;
  }
  return true;
}

void EedGrid::mark(std::size_t first, std::size_t last) {
  for (std::size_t block = first; block <= last && block < marked_.size(); ++block)
    marked_[block] = 1;
}

void EedGrid::walk_all(Rows& rows) {
  marked_.assign(low_.size(), 1);
  walk_marked(marked_, kInfinity, rows);
}

// Walks through the blocks that are marked, and on from there while there are cells below `bound`.
void EedGrid::walk_marked(const std::vector<unsigned char>& marked, double bound, Rows& rows) {
  using Walk =
      std::size_t (EedGrid::*)(std::size_t, const std::vector<unsigned char>&, double, Rows&);
  static constexpr Walk kWalks[] = {&EedGrid::walk_from<1>, &EedGrid::walk_from<2>,
                                    &EedGrid::walk_from<3>, &EedGrid::walk_from<4>,
                                    &EedGrid::walk_from<5>, &EedGrid::walk_from<6>,
                                    &EedGrid::walk_from<7>, &EedGrid::walk_from<8>};
  const Walk from = kWalks[(rows.size - 1) / 2];
  std::fill_n(rows.lowest, rows.size, kInfinity);
  walked_.clear();
  for (std::size_t block = 0; block < marked.size();) {
    const void* const next = std::memchr(marked.data() + block, 1, marked.size() - block);
    if (next == nullptr) break;
    const std::size_t first =
        static_cast<std::size_t>(static_cast<const unsigned char*>(next) - marked.data());
    block = (this->*from)(first, marked, bound, rows);
    walked_.push_back({first, block});
  }
}

void EedGrid::jump(double lowest) {
  set_jump(alpha_ + lowest);
  for (const Blocks& blocks : walked_) {
    for (std::size_t block = blocks.first; block < blocks.last; ++block) {
      const std::size_t begin = block * kBlock;
      low_[block] = cap(below_.data() + begin, std::min(kBlock, row_.size() - begin), jump_,
                        row_.data() + begin);
    }
  }
}

void EedGrid::set_jump(double jump) {
  jump_ = jump;
  std::fill_n(everywhere_, kBlock, jump);
}

template <std::size_t kPairs>
std::size_t EedGrid::walk_from(std::size_t block, const std::vector<unsigned char>& marked,
                               double bound, Rows& rows) {
  constexpr std::size_t kLanes = 2 * kPairs;
  const std::size_t end = row_.size();
  const std::size_t behind = rows.size - 1;
  const std::size_t begin = std::max<std::size_t>(block * kBlock, 1);

  // The column before: of this row and of those below.
  double left[kLanes + 1];
  left[0] = low_[(begin - 1) / kBlock] ? row_[begin - 1] : jump_;
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
  const auto step_at_edge = [&](std::size_t i, const double* above, double* out) {
    column.step(i < end ? above[i % kBlock] : kInfinity, letters - i, costs, out);
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
    const std::size_t here = i / kBlock;
    const std::size_t to = std::min((here + 1) * kBlock, end + behind);
    const double* const above =
        here < low_.size() && low_[here] ? row_.data() + here * kBlock : everywhere_;
    for (; i < std::min(to, begin + behind); ++i) step_at_edge(i, above, steps[i - from]);
    Column<kPairs> inner = column;
    for (; i < std::min(to, end); ++i) {
      double* const out = steps[i - from];
      inner.step(above[i % kBlock], letters - i, costs, out);
      inner.note_lowest();
      below_[i - behind] = out[behind];
    }
    column = inner;
    for (; i < to; ++i) {
      step_at_edge(i, above, steps[i - from]);
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
    if (i >= end || marked[i / kBlock] || column.any_below(RealLanes::both(bound))) continue;
    std::fill_n(below_.begin() + static_cast<std::ptrdiff_t>(i - behind), behind, kInfinity);
    return i / kBlock;
  }
  return low_.size();
}

}  // namespace bleuet
