// One row of Levenshtein's table at a time (Myers 1999, Hyyrö 2003); see segment_cuts.hpp.
#include "edits/segment_cuts.hpp"

#include <algorithm>
#include <numeric>

namespace bleuet {
namespace {

constexpr std::size_t kBlock = 64;

std::size_t blocks_of(std::size_t columns) { return (columns + kBlock - 1) / kBlock; }

bool bit(std::uint64_t x, std::size_t i) { return ((x >> i) & 1) != 0; }

}  // namespace

SegmentCutter::SegmentCutter(const NumberedText& hypothesis, const NumberedReferences& references,
                             const CutEdges& edges, std::size_t words)
    : hypothesis_(hypothesis),
      references_(references),
      edges_(edges),
      starts_(words + 1),
      places_(hypothesis.size()),
      matches_(blocks_of(hypothesis.size())) {
  for (const std::int32_t word : hypothesis) ++starts_[static_cast<std::size_t>(word) + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
  for (std::size_t i = 0; i < hypothesis.size(); ++i) {
    places_[next[static_cast<std::size_t>(hypothesis[i])]++] = i;
  }
  // All rows once, and as much for the halves of halves.
  const std::size_t texts = references.texts.size;
  const std::int64_t rows = texts == 0 ? 0 : references.texts.ends[texts - 1];
  work_ = std::max(1.0, 2.0 * static_cast<double>(rows) * static_cast<double>(hypothesis.size()));
}

void SegmentCutter::Row::start(std::size_t columns) {
  first = 0;
  rises.assign(blocks_of(columns), ~std::uint64_t{0});
  falls.assign(blocks_of(columns), 0);
}

// The cells of the new row are one more, the same or one less than those above; `up` and `down` are
// that of the column before the block. The first column is always one more.
void SegmentCutter::Row::add_word(const std::vector<std::uint64_t>& matches) {
  ++first;
  std::uint64_t up = 1, down = 0;
  for (std::size_t b = 0; b < rises.size(); ++b) {
    const std::uint64_t rise = rises[b], fall = falls[b], same = matches[b];
    const std::uint64_t across = same | fall;
    const std::uint64_t equal = same | down;
    const std::uint64_t diagonal = (((equal & rise) + rise) ^ rise) | equal;
    const std::uint64_t more = fall | ~(diagonal | rise);
    const std::uint64_t less = rise & diagonal;
    const std::uint64_t shifted_more = (more << 1) | up, shifted_less = (less << 1) | down;
    up = more >> (kBlock - 1);
    down = less >> (kBlock - 1);
    rises[b] = shifted_less | ~(across | shifted_more);
    falls[b] = shifted_more & across;
  }
}

void SegmentCutter::Row::values(std::size_t columns, std::vector<std::int64_t>& cells) const {
  cells.resize(columns + 1);
  std::int64_t cell = cells[0] = first;
  for (std::size_t j = 0; j < columns; ++j) {
    cell += static_cast<int>(bit(rises[j / kBlock], j % kBlock)) -
            static_cast<int>(bit(falls[j / kBlock], j % kBlock));
    cells[j + 1] = cell;
  }
}

void SegmentCutter::Row::take_less(const Row& other, std::size_t columns) {
  std::int64_t own = first, others = other.first;
  std::int64_t least = first = std::min(own, others);
  for (std::size_t b = 0; b < rises.size(); ++b) {
    std::uint64_t rise = 0, fall = 0;
    for (std::size_t i = 0; i < kBlock && b * kBlock + i < columns; ++i) {
      own += static_cast<int>(bit(rises[b], i)) - static_cast<int>(bit(falls[b], i));
      others += static_cast<int>(bit(other.rises[b], i)) - static_cast<int>(bit(other.falls[b], i));
      const std::int64_t cell = std::min(own, others);
      rise |= static_cast<std::uint64_t>(cell > least) << i;
      fall |= static_cast<std::uint64_t>(cell < least) << i;
      least = cell;
    }
    rises[b] = rise;
    falls[b] = fall;
  }
}

void SegmentCutter::mark(const Part& part, bool backwards, std::int32_t word, bool set) {
  const auto number = static_cast<std::size_t>(word);
  const auto stop = places_.begin() + static_cast<std::ptrdiff_t>(starts_[number + 1]);
  auto place = std::lower_bound(places_.begin() + static_cast<std::ptrdiff_t>(starts_[number]),
                                stop, part.h0);
  for (; place != stop && *place < part.h1; ++place) {
    const std::size_t column = backwards ? part.h1 - 1 - *place : *place - part.h0;
    const std::uint64_t mask = std::uint64_t{1} << (column % kBlock);
    matches_[column / kBlock] = set ? matches_[column / kBlock] | mask : 0;
  }
}

std::int64_t SegmentCutter::choose(const Part& part, std::size_t middle, std::size_t& place) const {
  std::int64_t fewest = edits_at(part, part.h0);
  int best = -1;
  for (std::size_t at = part.h0; at <= part.h1; ++at) {
    const std::int64_t edits = edits_at(part, at);
    if (edits > fewest) continue;
    const int fits = fit(middle, at);
    if (edits == fewest && fits < best) continue;
    fewest = edits;
    best = fits;
    place = at;
  }
  return fewest;
}

void SegmentCutter::find_best(const Part& part, std::vector<std::size_t>& places) const {
  places.clear();
  std::int64_t fewest = edits_at(part, part.h0);
  for (std::size_t at = part.h0; at <= part.h1; ++at) {
    const std::int64_t edits = edits_at(part, at);
    if (edits > fewest) continue;
    if (edits < fewest) places.clear();
    fewest = edits;
    places.push_back(at);
  }
}

int SegmentCutter::fit(std::size_t segment, std::size_t place) const {
  int fits = 0;
  for (const bool behind : {false, true}) {
    if (place == (behind ? hypothesis_.size() : 0)) continue;
    const std::size_t own = behind ? place : place - 1;
    const std::size_t of = behind ? segment : segment - 1;
    const std::int32_t look = (behind ? edges_.begins : edges_.ends)[own];
    const std::int32_t word = edges_.words[own];
    bool same_look = false, same_word = false;
    for (std::size_t r = references_.begin(of); r < references_.end(of); ++r) {
      same_look |= look >= 0 && (behind ? edges_.first : edges_.last)[r] == look;
      same_word |= word >= 0 && (behind ? edges_.first_words : edges_.last_words)[r] == word;
    }
    fits += 2 * static_cast<int>(same_look) + static_cast<int>(same_word);
  }
  return fits;
}

}  // namespace bleuet
