// Bit vectors as in edit_distance.cpp (Myers 1999, Hyyrö 2003), in blocks of 64 columns with a
// carry between them, and the trace through them (H. Hyyrö, "A note on bit-parallel alignment
// computation", Stringology 2004).
#include "edits/levenshtein.hpp"

#include <algorithm>

#include "machine/bits.hpp"
#include "rows/interruption.hpp"

namespace bleuet {
namespace {

constexpr std::int64_t kBlock = 64;
constexpr std::size_t kLargestTable = 1U << 20;  // bytes of two bits per cell
constexpr std::size_t kMostMatches = 1U << 14;   // numbers of 64 bits

std::int64_t signed_size(std::size_t n) { return static_cast<std::int64_t>(n); }

bool bit(std::uint64_t x, std::size_t i) { return ((x >> i) & 1) != 0; }

std::size_t blocks_of(std::size_t columns) {
  return (columns + static_cast<std::size_t>(kBlock) - 1) / static_cast<std::size_t>(kBlock);
}

// Whether a table has room for the matches of each word.
bool is_table_small(std::size_t n_words, std::size_t blocks) {
  return (n_words + 1) * blocks <= kMostMatches;
}

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
    : columns(signed_size(part.reference())) {
  const std::int64_t longer = columns - signed_size(part.hypothesis());
  const std::int64_t spare = (signed_size(limit) - std::abs(longer)) / 2;
  low = std::min<std::int64_t>(longer, 0) - spare;
  high = std::max<std::int64_t>(longer, 0) + spare;
  blocks = blocks_of(part.reference());
  width = std::min(static_cast<std::size_t>((high - low) / kBlock) + 2, blocks);
}

// Row i and column j count from 1; column j is bit j - 1.
std::size_t Levenshtein::Band::first(std::size_t row) const {
  if (width == blocks) return 0;
  const std::int64_t column = signed_size(row) + low;
  return static_cast<std::size_t>(std::max<std::int64_t>(column - 1, 0) / kBlock);
}

std::size_t Levenshtein::Band::last(std::size_t row) const {
  if (width == blocks) return blocks - 1;
  const std::int64_t column = std::min(signed_size(row) + high, columns);
  return static_cast<std::size_t>((column - 1) / kBlock);
}

void Levenshtein::prepare(const std::vector<WordId>& reference, std::size_t n_words,
                          WordPositions& positions) {
  if (reference.size() > kBlock && is_table_small(n_words, blocks_of(reference.size()))) {
    positions.build_words(reference, n_words);
  } else {
    positions.build(reference, n_words);
  }
}

EditCounts Levenshtein::count(const WordPositions& reference, const std::vector<WordId>& hypothesis,
                              std::vector<Mark>* marks) {
  reference_ = &reference;
  hypothesis_ = &hypothesis;
  marks_ = marks;
  if (marks_ != nullptr) marks_->clear();
  counts_ = {};
  has_reversed_ = false;
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
  fill<false>(reference, part, Band(part, n + part.hypothesis()), false);
  for (std::size_t b = 0; 64 * b < n; ++b) {
    const std::uint64_t columns = ~0ULL >> (64 - std::min<std::size_t>(n - 64 * b, 64));
    cell += count_bits(blocks_[b].rises & columns) - count_bits(blocks_[b].falls & columns);
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
    if (n > 0 && m > 0) fill<true>(*reference_, part, band, false);
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

// `matches_of(word, block)` is called for the matches of the block and, call by call, of those
// after it. Cells left of the first block count as one more than the cell above them, those right
// of the last block as one more than the cell left of them: too much, so that no cheapest path
// leads there.
template <bool kKeepRows, class Matches>
void Levenshtein::fill(const Part& part, const Band& band, bool backwards, Matches matches_of) {
  const std::size_t m = part.hypothesis();
  blocks_.assign(band.blocks, {~0ULL, 0});
  if (kKeepRows) rows_.resize(m * band.width);
  for (std::size_t row = 1; row <= m; ++row) {
    const WordId word =
        (*hypothesis_)[backwards ? hypothesis_->size() - part.h0 - row : part.h0 + row - 1];
    std::uint64_t up = 1;
    std::uint64_t down = 0;
    const std::size_t first = band.first(row);
    const std::size_t last = band.last(row);
    Row* kept = kKeepRows ? rows_.data() + (row - 1) * band.width : nullptr;
    auto next_matches = matches_of(word, first);
    for (std::size_t b = first; b <= last; ++b) {
      const Row old = blocks_[b];
      const std::uint64_t matches = next_matches() | down;
      const std::uint64_t diagonal =
          (((matches & old.rises) + old.rises) ^ old.rises) | matches | old.falls;
      std::uint64_t higher = old.falls | ~(diagonal | old.rises);  // than the cell above
      std::uint64_t lower = old.rises & diagonal;
      const std::uint64_t next_up = higher >> 63;
      const std::uint64_t next_down = lower >> 63;
      higher = (higher << 1) | up;
      lower = (lower << 1) | down;
      up = next_up;
      down = next_down;
      blocks_[b] = {lower | ~(diagonal | higher), higher & diagonal};
      if (kKeepRows) *kept++ = blocks_[b];
    }
    if (band.width > 1) checkpoint(2 * band.width);
  }
}

template <bool kKeepRows>
void Levenshtein::fill(const WordPositions& reference, const Part& part, const Band& band,
                       bool backwards) {
  if (reference.size() <= kBlock) {
    fill<kKeepRows>(part, band, backwards, [&](WordId word, std::size_t) {
      return [matches = reference.mask(word) >> part.r0] { return matches; };
    });
  } else if (is_table_small(reference.n_words(), band.blocks)) {
    find_matches(reference, part, band.blocks);
    fill<kKeepRows>(part, band, backwards, [&](WordId word, std::size_t block) {
      return [next = matches_.data() + word * band.blocks + block]() mutable { return *next++; };
    });
  } else {
    fill<kKeepRows>(part, band, backwards, [&](WordId word, std::size_t block) {
      const auto base = static_cast<std::int32_t>(part.r0 + 64 * block);
      return [windows = WordPositions::Windows(reference, word, base)]() mutable {
        return windows.next();
      };
    });
  }
}

void Levenshtein::find_matches(const WordPositions& reference, const Part& part,
                               std::size_t blocks) {
  matches_.assign((reference.n_words() + 1) * blocks, 0);
  for (std::size_t j = 0; j < part.reference(); ++j) {
    const WordId word = reference.reference()[part.r0 + j];
    matches_[word * blocks + j / 64] |= 1ULL << (j % 64);
  }
}

void Levenshtein::trace(const Part& part, const Band& band) {
  const std::vector<WordId>& reference = reference_->reference();
  const std::vector<WordId>& hypothesis = *hypothesis_;
  const auto cell = [&](std::size_t row, std::size_t column) {
    const std::size_t block = (column - 1) / 64;
    if (block > band.last(row)) return Row{~0ULL, 0};
    return rows_[(row - 1) * band.width + block - band.first(row)];
  };
  EditCounts counts = counts_;
  const std::size_t before = marks_ == nullptr ? 0 : marks_->size();
  std::size_t i = part.hypothesis();
  std::size_t j = part.reference();
  while (i > 0 && j > 0) {
    if (bit(cell(i, j).rises, (j - 1) % 64)) {
      ++counts.deletions;
      --j;
      mark(kDeletionMark, part.h0 + i, part.r0 + j);
      continue;
    }
    --i;
    if (i > 0 && bit(cell(i, j).falls, (j - 1) % 64)) {
      ++counts.insertions;
      mark(kInsertionMark, part.h0 + i, part.r0 + j);
      continue;
    }
    --j;
    const bool equal = reference[part.r0 + j] == hypothesis[part.h0 + i];
    ++(equal ? counts.hits : counts.substitutions);
    mark(equal ? kHitMark : kSubstitutionMark, part.h0 + i, part.r0 + j);
  }
  counts.deletions += signed_size(j);
  counts.insertions += signed_size(i);
  counts_ = counts;
  if (marks_ == nullptr) return;
  while (j > 0) mark(kDeletionMark, part.h0, part.r0 + --j);
  while (i > 0) mark(kInsertionMark, part.h0 + --i, part.r0);
  std::reverse(marks_->begin() + static_cast<std::ptrdiff_t>(before), marks_->end());
}

std::vector<std::int32_t> Levenshtein::last_row(const WordPositions& reference, const Part& part,
                                                bool backwards) {
  fill<false>(reference, part, Band(part, part.reference() + part.hypothesis()), backwards);
  std::vector<std::int32_t> cells(part.reference() + 1);
  cells[0] = static_cast<std::int32_t>(part.hypothesis());
  for (std::size_t j = 0; j < part.reference(); ++j) {
    const Row& block = blocks_[j / 64];
    cells[j + 1] =
        cells[j] + (bit(block.rises, j % 64) ? 1 : 0) - (bit(block.falls, j % 64) ? 1 : 0);
  }
  return cells;
}

void Levenshtein::split(const Part& part) {
  const std::vector<WordId>& reference = reference_->reference();
  if (!has_reversed_) {
    prepare({reference.rbegin(), reference.rend()}, reference_->n_words(), reversed_);
    has_reversed_ = true;
  }
  const std::size_t middle = part.h0 + part.hypothesis() / 2;
  const Part left{part.r0, part.r1, part.h0, middle};
  // Positions count from the end here.
  const std::size_t n = reference.size();
  const std::size_t m = hypothesis_->size();
  const Part right{n - part.r1, n - part.r0, m - part.h1, m - middle};
  const std::vector<std::int32_t> after = last_row(reversed_, right, true);
  const std::vector<std::int32_t> before = last_row(*reference_, left, false);
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
