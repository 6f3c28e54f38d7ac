#include "edits/long_jumps.hpp"

#include <algorithm>
#include <cmath>

#include "machine/bits.hpp"
#include "rows/interruption.hpp"

namespace bleuet {
namespace {

// Numbers of 64 bits that are kept for the trace before rows are left out.
constexpr std::size_t kMostKept = 1U << 20;

}  // namespace

EditCounts LongJumps::count(const WordPositions& reference, const std::vector<WordId>& hypothesis,
                            std::vector<Mark>* marks) {
  const std::vector<WordId>& words = reference.reference();
  const std::size_t n = words.size();
  // unknown() is a word of the hypothesis too, which no reference word equals.
  positions_.build(hypothesis, reference.n_words() + 1);
  blocks_ = hypothesis.size() / 64 + 1;
  stride_ = n * blocks_ <= kMostKept ? n + 1 : static_cast<std::size_t>(std::sqrt(double(n))) + 1;
  least_.assign(n + 1, 0);
  kept_.assign((n / stride_ + 1) * blocks_, 0);
  kept_[0] = 1;
  counts_ = {};
  for (std::size_t first = 0; first <= n; first += stride_) {
    fill(words, first, std::min(first + stride_, n));
  }
  trace(words, hypothesis, marks);
  return counts_;
}

void LongJumps::fill(const std::vector<WordId>& reference, std::size_t first, std::size_t last) {
  first_ = first;
  rows_.resize((last - first + 1) * blocks_);
  std::copy_n(kept_.data() + first / stride_ * blocks_, blocks_, rows_.data());
  for (std::size_t j = first; j < last; ++j) {
    const std::uint64_t* const row = rows_.data() + (j - first) * blocks_;
    std::uint64_t* const below = rows_.data() + (j - first + 1) * blocks_;
    least_[j + 1] = least_[j] + next(reference[j], row, below);
    checkpoint(blocks_);
  }
  if (last % stride_ == 0) {
    std::copy_n(rows_.data() + (last - first) * blocks_, blocks_,
                kept_.data() + last / stride_ * blocks_);
  }
}

// Returns what is added to the least cost.
std::int64_t LongJumps::next(WordId word, const std::uint64_t* row, std::uint64_t* below) const {
  // Calls `use` with each block and its matches.
  const auto each_match = [&](auto use) {
    use(0, positions_.window(word, 0) << 1);
    if (blocks_ == 1) return;
    WordPositions::Windows windows(positions_, word, 63);
    for (std::size_t b = 1; b < blocks_; ++b) use(b, windows.next());
  };
  const auto shifted = [&](std::size_t block) {
    return row[block] << 1 | (block == 0 ? 0 : row[block - 1] >> 63);
  };
  std::uint64_t any = 0;
  each_match([&](std::size_t b, std::uint64_t matches) { any |= below[b] = matches & shifted(b); });
  if (any != 0) return 0;
  each_match(
      [&](std::size_t b, std::uint64_t matches) { below[b] = row[b] | shifted(b) | matches; });
  const std::size_t size = static_cast<std::size_t>(positions_.size()) % 64;
  if (size != 63) below[blocks_ - 1] &= (2ULL << size) - 1;
  return 1;
}

bool LongJumps::cheap(std::size_t row, std::size_t place) const {
  return ((rows_[(row - first_) * blocks_ + place / 64] >> (place % 64)) & 1) != 0;
}

std::int64_t LongJumps::cost(std::size_t row, std::size_t place) const {
  return least_[row] + (cheap(row, place) ? 0 : 1);
}

std::size_t LongJumps::last_cheap(std::size_t row) const {
  const std::uint64_t* const bits = rows_.data() + (row - first_) * blocks_;
  std::size_t block = blocks_ - 1;
  while (bits[block] == 0) --block;
  return 64 * block + static_cast<std::size_t>(highest_bit(bits[block]));
}

void LongJumps::trace(const std::vector<WordId>& reference, const std::vector<WordId>& hypothesis,
                      std::vector<Mark>* marks) {
  const auto mark = [&](std::uint8_t kind, std::size_t ours, std::size_t at, std::size_t theirs,
                        std::size_t there) {
    if (marks != nullptr) marks->push_back({at, ours, there, theirs, kind});
  };
  if (marks != nullptr) marks->clear();
  std::size_t i = hypothesis.size();
  std::size_t j = reference.size();
  while (j > 0) {
    if (j == first_) fill(reference, first_ - stride_, first_);
    const std::int64_t here = cost(j, i);
    const bool equal = i > 0 && reference[j - 1] == hypothesis[i - 1];
    if (i > 0 && here == cost(j - 1, i - 1) + (equal ? 0 : 1)) {
      ++(equal ? counts_.hits : counts_.substitutions);
      --i;
      --j;
      mark(equal ? kHitMark : kSubstitutionMark, 1, i, 1, j);
    } else if (here == cost(j - 1, i) + 1) {
      ++counts_.deletions;
      --j;
      mark(kDeletionMark, 0, i, 1, j);
    } else {
      ++counts_.insertions;
      mark(kJumpMark, 0, i, 0, j);
      i = last_cheap(j);
      checkpoint(blocks_);
    }
  }
  if (i > 0) {
    ++counts_.insertions;
    mark(kJumpMark, 0, i, 0, 0);
  }
  if (marks != nullptr) std::reverse(marks->begin(), marks->end());
}

}  // namespace bleuet
