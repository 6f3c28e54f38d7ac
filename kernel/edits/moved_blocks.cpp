// Tables from both ends, corridors in them, and the moves of a round.
#include "edits/moved_blocks.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "machine/bits.hpp"
#include "rows/interruption.hpp"

namespace bleuet {
namespace {

constexpr std::uint64_t kOnes = ~0ULL;
constexpr std::uint64_t kEachByte = 0x0101010101010101ULL;
// Longer blocks take the whole table.
constexpr std::int32_t kShortBlock = 4;

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

std::uint64_t reversed(std::uint64_t x) {
  x = ((x >> 1) & 0x5555555555555555ULL) | ((x & 0x5555555555555555ULL) << 1);
  x = ((x >> 2) & 0x3333333333333333ULL) | ((x & 0x3333333333333333ULL) << 2);
  x = ((x >> 4) & 0x0F0F0F0F0F0F0F0FULL) | ((x & 0x0F0F0F0F0F0F0F0FULL) << 4);
  x = ((x >> 8) & 0x00FF00FF00FF00FFULL) | ((x & 0x00FF00FF00FF00FFULL) << 8);
  x = ((x >> 16) & 0x0000FFFF0000FFFFULL) | ((x & 0x0000FFFF0000FFFFULL) << 16);
  return (x >> 32) | (x << 32);
}

// A byte for each bit of a byte, the lowest first.
constexpr std::array<std::uint64_t, 256> spread_bytes() {
  std::array<std::uint64_t, 256> spread{};
  for (std::size_t byte = 0; byte < 256; ++byte) {
    for (std::size_t bit = 0; bit < 8; ++bit) {
      spread[byte] |= static_cast<std::uint64_t>((byte >> bit) & 1) << (8 * bit);
    }
  }
  return spread;
}

constexpr std::array<std::uint64_t, 256> kSpread = spread_bytes();

// Of bytes below 128, byte by byte.
std::uint64_t lesser_bytes(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t not_less = (((a | (128 * kEachByte)) - b) >> 7) & kEachByte;
  const std::uint64_t take_b = not_less * 255;
  return (a & ~take_b) | (b & take_b);
}

// Whether sums of a block can be less, from those at its ends: they change by at most 2 a cell.
bool can_be_less(std::int32_t left, std::int32_t right, std::int32_t than) {
  return left + right - 128 < 2 * than;
}

}  // namespace

const MovedBlocks::Cells* MovedBlocks::row(const std::vector<Cells>& rows, std::int32_t i) const {
  return rows.data() + index(i) * blocks_;
}

MovedBlocks::Range MovedBlocks::range(const Side& side, std::int32_t i, bool is_short) const {
  return is_short ? side.corridor.ranges[index(i)] : whole();
}

const MovedBlocks::Cells* MovedBlocks::before(const Side& side, std::int32_t i,
                                              bool is_short) const {
  return row(is_short ? side.corridor.rows : side.rows, i);
}

void MovedBlocks::start(const WordPositions& reference, std::int32_t n_hypothesis) {
  n_ = n_hypothesis;
  m_ = reference.size();
  blocks_ = (index(m_) + 63) / 64;
  last_block_ = kOnes >> (64 * blocks_ - index(m_));
  find_matches(reference);
  row_.resize(blocks_);
  moved_.resize(blocks_);
  for (Side& side : sides_) {
    side.words.clear();
    side.rows.resize((index(n_) + 1) * blocks_);
    side.rest.resize((index(n_) + 1) * blocks_);
    for (std::size_t b = 0; b < blocks_; ++b) {
      side.rows[b] = {kOnes, 0, static_cast<std::int32_t>(64 * b)};
    }
  }
}

void MovedBlocks::find_matches(const WordPositions& reference) {
  const std::vector<WordId>& words = reference.reference();
  for (Side& side : sides_) side.matches.assign((reference.n_words() + 1) * blocks_, 0);
  for (std::size_t j = 0; j < words.size(); ++j) {
    const std::size_t back = words.size() - 1 - j;
    sides_[0].matches[words[j] * blocks_ + j / 64] |= 1ULL << (j % 64);
    sides_[1].matches[words[j] * blocks_ + back / 64] |= 1ULL << (back % 64);
  }
}

std::int32_t MovedBlocks::read(const std::vector<WordId>& hypothesis, std::int32_t unchanged) {
  Side& left = sides_[0];
  Side& right = sides_[1];
  std::int32_t after = 0;
  if (!right.words.empty()) {
    while (after < n_ && hypothesis[index(n_ - 1 - after)] == right.words[index(after)]) ++after;
  }
  left.words = hypothesis;
  right.words.assign(hypothesis.rbegin(), hypothesis.rend());
  fill(left, unchanged);
  fill(right, after);
  flip(left, unchanged, right);
  flip(right, after, left);
  return distance_ = left.rest[0].left;
}

void MovedBlocks::fill(Side& side, std::int32_t unchanged) {
  for (std::int32_t i = unchanged; i < n_; ++i) {
    next(row(side.rows, i), whole(), side.matches.data() + side.words[index(i)] * blocks_,
         side.rows.data() + (index(i) + 1) * blocks_);
    checkpoint(2 * blocks_);
  }
}

// The last column becomes the first one, and what rises falls.
void MovedBlocks::flip(const Side& from, std::int32_t unchanged, Side& to) const {
  const std::size_t unused = 64 * blocks_ - index(m_);
  for (std::int32_t i = unchanged == 0 ? 0 : unchanged + 1; i <= n_; ++i) {
    const Cells* cells = row(from.rows, i);
    Cells* flipped = to.rest.data() + index(n_ - i) * blocks_;
    std::int32_t last = i;
    for (std::size_t b = 0; b < blocks_; ++b) {
      const Cells& here = cells[blocks_ - 1 - b];
      std::uint64_t rises = reversed(here.falls) >> unused;
      std::uint64_t falls = reversed(here.rises) >> unused;
      if (unused > 0 && b + 1 < blocks_) {
        const Cells& further = cells[blocks_ - 2 - b];
        rises |= reversed(further.falls) << (64 - unused);
        falls |= reversed(further.rises) << (64 - unused);
      }
      last += count_bits(falls) - count_bits(rises);
      flipped[b] = {rises, falls, 0};
    }
    for (std::size_t b = 0; b < blocks_; ++b) {
      flipped[b].left = last;
      last += count_bits(flipped[b].rises) - count_bits(flipped[b].falls);
    }
  }
}

// The row below `above`, which may be `below`, in a range. What is left of it counts as one more
// than the cell above: no cell is less than it is in the whole table.
void MovedBlocks::next(const Cells* above, Range range, const std::uint64_t* matches_of,
                       Cells* below) const {
  std::uint64_t up = 1;
  std::uint64_t down = 0;
  for (std::size_t b = range.first; b <= range.last; ++b) {
    const Cells old = above[b];
    const std::uint64_t matches = matches_of[b] | down;
    const std::uint64_t diagonal =
        (((matches & old.rises) + old.rises) ^ old.rises) | matches | old.falls;
    const std::uint64_t higher = old.falls | ~(diagonal | old.rises);  // than the cell above
    const std::uint64_t lower = old.rises & diagonal;
    const std::uint64_t from_left = (higher << 1) | up;
    below[b].rises = (lower << 1) | down | ~(diagonal | from_left);
    below[b].falls = from_left & diagonal;
    below[b].left = old.left + static_cast<std::int32_t>(up) - static_cast<std::int32_t>(down);
    up = higher >> 63;
    down = lower >> 63;
  }
}

// Right of a range, each cell is one more than its left neighbour.
void MovedBlocks::widen(Cells* row, Range from, Range to) const {
  if (to.last <= from.last) return;
  const Cells& last = row[from.last];
  std::int32_t left = last.left + count_bits(last.rises) - count_bits(last.falls);
  for (std::size_t b = from.last + 1; b <= to.last; ++b, left += 64) row[b] = {kOnes, 0, left};
}

// The same range for all words.
void MovedBlocks::walk(const Side& side, std::int32_t begin, std::int32_t end, Range range,
                       Cells* row) const {
  for (std::int32_t i = begin; i < end; ++i) {
    next(row, range, side.matches.data() + side.words[index(i)] * blocks_, row);
  }
}

// The least sum of a block's cells in two rows if it is less than `above`, or else that.
std::int32_t MovedBlocks::least(const Cells& one, const Cells& other, std::size_t block,
                                std::int32_t above) const {
  const std::uint64_t columns = block + 1 == blocks_ ? last_block_ : kOnes;
  // A sum of 16 stands for no difference, so that no byte is negative.
  constexpr std::uint64_t kRamp = 0x00020406080A0C0EULL;
  std::int32_t sum = one.left + other.left;
  std::int32_t least = above;
  for (std::size_t shift = 0; shift < 64; shift += 8) {
    const auto byte = [&](std::uint64_t bits) {
      return kSpread[((bits & columns) >> shift) & 255];
    };
    const std::uint64_t steps =
        2 * kEachByte + byte(one.rises) + byte(other.rises) - byte(one.falls) - byte(other.falls);
    std::uint64_t sums = steps * kEachByte + kRamp;
    const auto last = static_cast<std::int32_t>(sums >> 56) - 16;
    if (sum - 16 < least) {
      sums = lesser_bytes(sums, sums >> 32 | sums << 32);
      sums = lesser_bytes(sums, sums >> 16 | sums << 48);
      sums = lesser_bytes(sums, sums >> 8 | sums << 56);
      least = std::min(least, sum + static_cast<std::int32_t>(sums & 255) - 16);
    }
    sum += last;
  }
  return least;
}

// The least sum of two rows' cells in a range; more than `most` if it is.
std::int32_t MovedBlocks::meet(const Cells* one, const Cells* other, Range range,
                               std::int32_t most) const {
  std::int32_t left = one[range.first].left + other[range.first].left;
  std::int32_t found = std::min(most + 1, left);
  for (std::size_t b = range.first; b <= range.last; ++b) {
    // What follows the last block is not known.
    const bool is_last = b == range.last;
    const std::int32_t right = is_last ? left - 128 : one[b + 1].left + other[b + 1].left;
    if (can_be_less(left, right, found)) found = least(one[b], other[b], b, found);
    left = right;
  }
  return found;
}

bool MovedBlocks::differ_by(const Cells* one, const Cells* other, Range range,
                            std::int32_t& offset) const {
  for (std::size_t b = range.first; b <= range.last; ++b) {
    const std::uint64_t columns = b + 1 == blocks_ ? last_block_ : kOnes;
    const std::uint64_t differ = (one[b].rises ^ other[b].rises) | (one[b].falls ^ other[b].falls);
    if ((differ & columns) != 0) return false;
  }
  offset = one[range.first].left - other[range.first].left;
  return true;
}

// Removing a block and adding it elsewhere changes a distance by at most twice its words: so do
// paths with few edits after a move lie where there are not many more now.
void MovedBlocks::prepare(Side& side) const {
  const std::int32_t most = most_ + 2 * kShortBlock;
  std::vector<Range>& ranges = side.corridor.ranges;
  ranges.resize(index(n_) + 1);
  for (std::int32_t i = 0; i <= n_; ++i) {
    Range& range = ranges[index(i)];
    range = {blocks_, 0};
    const Cells* const one = row(side.rows, i);
    const Cells* const other = row(side.rest, i);
    for (std::size_t b = 0; b < blocks_; ++b) {
      const std::int32_t left = one[b].left + other[b].left;
      const std::int32_t right =
          b + 1 == blocks_ ? left - 128 : one[b + 1].left + other[b + 1].left;
      if (!can_be_less(left, right, most + 1)) continue;
      if (left > most && least(one[b], other[b], b, most + 1) > most) continue;
      range.first = std::min(range.first, b);
      range.last = b;
    }
    checkpoint(4 * blocks_);
  }
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    ranges[i].last = std::max(ranges[i].last, ranges[i - 1].last);
  }
  for (std::size_t i = ranges.size() - 1; i-- > 0;) {
    ranges[i].first = std::min(ranges[i].first, ranges[i + 1].first);
  }
  std::vector<Cells>& rows = side.corridor.rows;
  rows.resize(side.rows.size());
  std::copy_n(side.rows.begin(), blocks_, rows.begin());
  for (std::size_t i = 0; i + 1 < ranges.size(); ++i) {
    Cells* const above = rows.data() + i * blocks_;
    widen(above, ranges[i], ranges[i + 1]);
    next(above, ranges[i + 1], side.matches.data() + side.words[i] * blocks_, above + blocks_);
  }
  side.corridor.is_ready = true;
}

void MovedBlocks::add(std::int32_t start, std::int32_t length, std::int32_t place) {
  if (place > start) {
    moves_.push_back({start, length, std::min(place + length, n_), place, 0, 0});
  } else {
    moves_.push_back({n_ - start - length, length, n_ - place, place, 0, 1});
  }
}

const std::vector<Exchange>& MovedBlocks::nearest(std::int32_t most) {
  most_ = most;
  edits_ = most + 1;
  nearest_.clear();
  removed_.assign(index(n_), {});
  for (Side& side : sides_) {
    side.corridor.is_ready = false;
    side.added.assign(index(m_), {});
  }
  for (Move& move : moves_) move.bound = bound(move);
  find_groups();
  for (const Group& group : groups_) {
    if (group.bound > std::min(edits_, most_)) break;
    measure(group);
  }
  return nearest_;
}

// The distance without a block, if it is small enough for a move of it.
std::int32_t MovedBlocks::without(std::int32_t start, std::int32_t length) {
  Known& known = removed_[index(start)];
  if (known.length != length) {
    const std::int32_t edits = meet(row(sides_[0].rows, start), row(sides_[0].rest, start + length),
                                    whole(), most_ + length);
    known = {length, edits};
    checkpoint(4 * blocks_);
  }
  return known.edits;
}

// The distance with the words of a block once more where they would go, if it is small enough.
std::int32_t MovedBlocks::with_more(const Move& move) {
  Side& side = sides_[move.side];
  Known& known = side.added[index(move.place)];
  if (known.length != move.length) {
    const bool is_short = move.length <= kShortBlock;
    if (is_short && !side.corridor.is_ready) prepare(side);
    const Range here = range(side, move.target, is_short);
    const Cells* const cells = before(side, move.target, is_short);
    std::copy(cells + here.first, cells + here.last + 1, moved_.data() + here.first);
    walk(side, move.start, move.start + move.length, here, moved_.data());
    const std::int32_t most = most_ + move.length;
    known = {move.length, meet(moved_.data(), row(side.rest, move.target), here, most)};
    checkpoint(4 * blocks_ * index(move.length + 1));
  }
  return known.edits;
}

// The fewest edits that a move may leave.
std::int32_t MovedBlocks::bound(const Move& move) {
  const std::int32_t passed = move.target - move.start - move.length;
  // Each word of the smaller block moves past the larger for at most two edits.
  const std::int32_t smaller = distance_ - 2 * std::min(move.length, passed);
  if (smaller > most_) return smaller;
  const std::int32_t start = move.side == 0 ? move.start : n_ - move.start - move.length;
  const std::int32_t removed = without(start, move.length) - move.length;
  if (removed > most_) return removed;
  return std::max({smaller, removed, with_more(move) - move.length});
}

// Sorts the moves that may be good enough by their blocks, and the blocks by their best bound.
void MovedBlocks::find_groups() {
  const auto is_bad = [&](const Move& move) { return move.bound > most_; };
  moves_.erase(std::remove_if(moves_.begin(), moves_.end(), is_bad), moves_.end());
  const auto block = [](const Move& move) {
    return std::make_tuple(move.side, move.start, move.length);
  };
  std::sort(moves_.begin(), moves_.end(), [&](const Move& a, const Move& b) {
    return std::make_tuple(block(a), a.target) < std::make_tuple(block(b), b.target);
  });
  groups_.clear();
  for (std::size_t k = 0; k < moves_.size(); ++k) {
    const Move& move = moves_[k];
    if (k == 0 || block(move) != block(moves_[k - 1])) groups_.push_back({move.bound, k, k});
    groups_.back().last = k + 1;
    groups_.back().bound = std::min(groups_.back().bound, move.bound);
  }
  std::stable_sort(groups_.begin(), groups_.end(),
                   [](const Group& a, const Group& b) { return a.bound < b.bound; });
}

void MovedBlocks::measure(const Group& group) {
  const Move& any = moves_[group.first];
  const Side& side = sides_[any.side];
  const bool is_short = any.length <= kShortBlock;
  const std::int32_t end = any.start + any.length;
  Range here = range(side, any.start, is_short);
  const Cells* const cells = before(side, any.start, is_short);
  std::copy(cells + here.first, cells + here.last + 1, row_.data() + here.first);
  std::int32_t i = end;
  widen(row_.data(), here, range(side, i, is_short));
  here = range(side, i, is_short);
  bool is_same = false;
  std::int32_t offset = 0;
  for (std::size_t k = group.first; k < group.last; ++k) {
    const Move& move = moves_[k];
    if (move.bound > std::min(edits_, most_)) continue;
    while (i < move.target && !is_same) {
      const Range below = range(side, i + 1, is_short);
      widen(row_.data(), here, below);
      here = below;
      walk(side, i, i + 1, here, row_.data());
      ++i;
      checkpoint(3 * (here.last - here.first + 1));
      // From here on, all cells are those of the whole hypothesis, and as much more or less.
      is_same = differ_by(row_.data(), before(side, i, is_short), here, offset);
    }
    if (is_same) {
      found(move, with_more(move) + offset);
      continue;
    }
    std::copy(row_.data() + here.first, row_.data() + here.last + 1, moved_.data() + here.first);
    walk(side, any.start, end, here, moved_.data());
    found(move, meet(moved_.data(), row(side.rest, i), here, most_));
    checkpoint(4 * blocks_ * index(any.length + 1));
  }
}

void MovedBlocks::found(const Move& move, std::int32_t edits) {
  if (edits > most_ || edits > edits_) return;
  if (edits < edits_) nearest_.clear();
  edits_ = edits;
  const std::int32_t end = move.start + move.length;
  if (move.side == 0) {
    nearest_.push_back({move.start, end, move.target});
  } else {
    nearest_.push_back({n_ - move.target, n_ - end, n_ - move.start});
  }
}

}  // namespace bleuet
