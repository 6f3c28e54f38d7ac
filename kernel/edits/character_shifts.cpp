// The rounds of shifts. A candidate that cannot leave as few edits as the best one found so far is
// not measured.
#include "edits/character_shifts.hpp"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "edits/length_limit.hpp"
#include "rows/interruption.hpp"

namespace bleuet {
namespace {

// With longer hypotheses, moves are not measured one by one.
constexpr std::int32_t kLongestShort = 256;

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

std::int64_t characters_of(std::string_view bytes) {
  const auto begins = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; };
  return std::count_if(bytes.begin(), bytes.end(), begins);
}

}  // namespace

void CharacterShifts::find(const std::vector<TerWord>& words, const std::vector<WordId>& numbers,
                           const WordPositions& reference) {
  words_ = &words;
  reference_ = &reference;
  numbers_ = numbers;
  order_.resize(numbers.size());
  std::iota(order_.begin(), order_.end(), 0);
  if (numbers_.empty() || reference.size() == 0 || numbers_ == reference.reference()) return;
  check_length();
  if (reference.size() <= UnlimitedDistance::kLongestReference && n_words() <= kLongestShort) {
    search(short_);
  } else {
    search(long_);
  }
}

template <class Distance>
void CharacterShifts::search(Distance& distance) {
  const std::int32_t fewest = fewest_edits();
  const auto n = static_cast<double>(reference_->size());
  distance.start(*reference_, n_words());
  std::int32_t before = distance.read(numbers_, 0);
  // Short texts are never too long.
  if constexpr (std::is_same_v<Distance, MovedBlocks>) check_shifts(before - fewest);
  // The program subtracts the gain of a shift instead of dividing again. Where that rounds up, a
  // shift without a gain follows.
  double rate = static_cast<double>(before) / n;
  while (true) {
    const bool rounded_up = rate > static_cast<double>(before) / n;
    if (before == fewest && !rounded_up) return;
    const std::int32_t most = rounded_up ? before : before - 1;
    const Candidate found = best(distance, before, most);
    if (found.edits > most) return;
    rate -= rate - static_cast<double>(found.edits) / n;
    before = found.edits;
    const auto [first, middle, last] = found.exchange;
    std::rotate(numbers_.begin() + first, numbers_.begin() + middle, numbers_.begin() + last);
    std::rotate(order_.begin() + first, order_.begin() + middle, order_.begin() + last);
    distance.read(numbers_, first);
  }
}

// The table of words is kept.
void CharacterShifts::check_length() const {
  check_cells("shifts of words", numbers_.size(), reference_->reference().size(), kMostShiftTable);
}

// In each round, each word of each block takes time in proportion to the reference's length.
void CharacterShifts::check_shifts(std::int32_t rounds) {
  const std::size_t n = numbers_.size();
  const std::size_t m = reference_->reference().size();
  // After some rounds, the hypothesis may repeat itself as the reference does.
  const std::size_t words = n + std::max(run_words(numbers_), run_words(reference_->reference()));
  if (index(rounds) <= kMostShiftCells / m / words) return;
  throw_too_long("shifts of words", n, m,
                 "the reference's length, of the words of all blocks that can be shifted, and of "
                 "the edits that shifts can save",
                 kMostShiftCells);
}

// How many words all blocks have that stand elsewhere in the reference.
std::size_t CharacterShifts::run_words(const std::vector<WordId>& words) {
  const std::int32_t m = reference_->size();
  // At each place of the reference, where the last block began and how long it was.
  runs_.assign(index(m) + 1, {-1, 0});
  std::size_t total = 0;
  for (auto i = static_cast<std::int32_t>(words.size()) - 1; i >= 0; --i) {
    if (words[index(i)] == reference_->unknown()) continue;
    reference_->each(words[index(i)], 0, m, [&](std::int32_t j) {
      const Run& after = runs_[index(j) + 1];
      const std::int32_t length = after.start == i + 1 ? after.length + 1 : 1;
      runs_[index(j)] = {i, length};
      if (i != j) total += index(length);
    });
    checkpoint(words.size() / 16 + 1);
  }
  return total;
}

// The larger length less the words in common, in whatever order.
std::int32_t CharacterShifts::fewest_edits() {
  left_.assign(reference_->n_words() + 1, 0);
  for (const WordId word : reference_->reference()) ++left_[word];
  std::int32_t common = 0;
  for (const WordId word : numbers_) common += left_[word]-- > 0 ? 1 : 0;
  return std::max(n_words(), reference_->size()) - common;
}

// Calls `visit` with each block that the reference has in another place: where it begins, of how
// many words it is, and the place.
template <class Visit>
void CharacterShifts::each_candidate(Visit visit) const {
  const std::vector<WordId>& reference = reference_->reference();
  const std::int32_t n = n_words();
  const std::int32_t m = reference_->size();
  for (std::int32_t i = 0; i < n; ++i) {
    if (numbers_[index(i)] == reference_->unknown()) continue;
    reference_->each(numbers_[index(i)], 0, m, [&](std::int32_t j) {
      if (i == j) return;
      const std::int32_t longest = std::min(n - i, m - j);
      std::int32_t length = 1;
      while (length < longest && numbers_[index(i + length)] == reference[index(j + length)]) {
        ++length;
      }
      visit(i, length, j);
    });
  }
}

// The best candidate of at most `most` edits; with more edits if there is none.
CharacterShifts::Candidate CharacterShifts::best(UnlimitedDistance& distance, std::int32_t before,
                                                 std::int32_t most) const {
  Candidate best{most + 1, {}};
  each_candidate([&](std::int32_t start, std::int32_t length, std::int32_t place) {
    const std::int32_t end = start + length;
    const Exchange exchange = place < start
                                  ? Exchange{place, start, end}
                                  : Exchange{start, end, std::min(place + length, n_words())};
    // Each word of the smaller block moves past the larger for at most two edits.
    const std::int32_t moved =
        std::min(exchange.middle - exchange.first, exchange.last - exchange.middle);
    if (before - 2 * moved > std::min(best.edits, most)) return;
    const std::int32_t edits = distance.exchanged(numbers_, exchange);
    if (edits > best.edits || edits > most) return;
    if (edits < best.edits || comes_later(exchange, best.exchange)) best = {edits, exchange};
  });
  return best;
}

CharacterShifts::Candidate CharacterShifts::best(MovedBlocks& blocks, std::int32_t,
                                                 std::int32_t most) const {
  blocks.clear();
  each_candidate([&](std::int32_t start, std::int32_t length, std::int32_t place) {
    blocks.add(start, length, place);
  });
  Candidate best{most + 1, {}};
  for (const Exchange& exchange : blocks.nearest(most)) {
    if (best.edits > most || comes_later(exchange, best.exchange)) {
      best = {blocks.edits(), exchange};
    }
  }
  return best;
}

// The place in the hypothesis of the word that an exchange brings to a position.
std::int32_t CharacterShifts::place(const Exchange& exchange, std::int32_t position) const {
  const std::int32_t second = exchange.last - exchange.middle;
  std::int32_t from = position;
  if (position >= exchange.first && position < exchange.first + second) {
    from = position + exchange.middle - exchange.first;
  } else if (position >= exchange.first && position < exchange.last) {
    from = position - second;
  }
  return order_[index(from)];
}

bool CharacterShifts::comes_later(const Exchange& one, const Exchange& other) const {
  const std::int32_t end = std::max(one.last, other.last);
  for (std::int32_t p = std::min(one.first, other.first); p < end; ++p) {
    const std::int32_t a = place(one, p);
    const std::int32_t b = place(other, p);
    // The order of UTF-8 is that of code points.
    if (!equal(a, b)) return bytes(a) > bytes(b);
  }
  return false;
}

bool CharacterShifts::equal(std::int32_t one, std::int32_t other) const {
  if (one == other) return true;
  const TerWord& a = (*words_)[index(one)];
  const TerWord& b = (*words_)[index(other)];
  return a.key == b.key && a.length == b.length &&
         (a.length <= kKeyBytes || bytes(one) == bytes(other));
}

std::string_view CharacterShifts::bytes(std::int32_t place) const {
  const TerWord& word = (*words_)[index(place)];
  return {word.bytes, word.length};
}

double CharacterShifts::cost() const {
  double cost = 0;
  const auto n = static_cast<std::int32_t>(order_.size());
  const auto stays = [&](std::int32_t i, std::int32_t j) { return equal(i, order_[index(j)]); };
  for (std::int32_t i = 0; i < n;) {
    std::int32_t j = i;
    while (j < n && !stays(i, j)) ++j;
    std::int32_t length = 0;
    std::int64_t characters = 0;
    while (j > i && j + length < n && stays(i + length, j + length)) {
      characters += characters_of(bytes(i + length));
      ++length;
    }
    if (length > 0) cost += static_cast<double>(characters) / static_cast<double>(length);
    i += std::max(length, 1);
    checkpoint(1);
  }
  return cost;
}

}  // namespace bleuet
