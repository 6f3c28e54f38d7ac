#include "ngrams/char_numbers.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace bleuet {
namespace {

constexpr std::size_t kFewestSlots = 1024;
// A slot's number plus one must fit in 32 bits, and slots are at least half empty.
constexpr std::size_t kLongest = std::size_t{1} << 30;

std::uint64_t pair_of(std::uint32_t ngram, std::uint32_t character) {
  return (std::uint64_t{ngram} + 1) << 32 | character;
}

// Here and below no branch depends on whether an n-gram is new or shared: processors cannot
// predict it, and a wrong prediction costs more than all the rest.
template <class Slot>
std::size_t slot_of(std::uint64_t pair, const Slot* slots, std::size_t last) {
  std::uint64_t hash = (pair ^ (pair >> 32)) * 0x9E3779B97F4A7C15u;
  hash ^= hash >> 32;
  std::size_t at = static_cast<std::size_t>(hash) & last;
  // Zero when the slot is empty and when it is the pair's: one branch instead of two.
  const auto other = [&] { return std::min(slots[at].pair, slots[at].pair ^ pair); };
  while (other() != 0) at = (at + 1) & last;
  return at;
}

}  // namespace

// Returns false when more than half of the slots would be taken.
template <class Character>
bool CharNumbers::number_reference(const Character* reference, std::size_t n_reference,
                                   std::size_t n) {
  Slot* const slots = slots_.data();
  const std::size_t last = slots_.size() - 1;
  std::size_t free = slots_.size() / 2;
  numbered_.resize(reference_.size());
  Start* const numbered = numbered_.data();
  std::size_t kept = 0;
  for (const Start start : reference_) {
    if (start.position + n > n_reference) break;
    const std::uint64_t pair = pair_of(start.ngram, reference[start.position + n - 1]);
    const std::size_t at = slot_of(pair, slots, last);
    Slot& slot = slots[at];
    free -= slot.pair == 0;
    if (free == 0) return false;
    slot.pair = pair;
    ++slot.left;
    numbered[kept++] = {start.position, static_cast<std::uint32_t>(at)};
  }
  numbered_.resize(kept);
  return true;
}

template <class Character>
std::int64_t CharNumbers::match_hypothesis(const Character* hypothesis, std::size_t n_hypothesis,
                                           std::size_t n) {
  Slot* const slots = slots_.data();
  const std::size_t last = slots_.size() - 1;
  Start* const starts = hypothesis_.data();
  std::int64_t matches = 0;
  std::size_t kept = 0;
  for (const Start start : hypothesis_) {
    if (start.position + n > n_hypothesis) break;
    const std::uint64_t pair = pair_of(start.ngram, hypothesis[start.position + n - 1]);
    const std::size_t at = slot_of(pair, slots, last);
    Slot& slot = slots[at];
    const bool shared = slot.pair == pair;
    const bool match = slot.left != 0;
    slot.left -= match;
    slot.shared |= shared;
    matches += match;
    starts[kept] = {start.position, static_cast<std::uint32_t>(at)};
    kept += shared;
  }
  hypothesis_.resize(kept);
  return matches;
}

void CharNumbers::keep_shared_starts() {
  reference_.resize(numbered_.size());
  std::size_t kept = 0;
  for (const Start start : numbered_) {
    reference_[kept] = start;
    kept += slots_[start.ngram].shared;
  }
  reference_.resize(kept);
}

template <class Character>
void CharNumbers::count(const Character* hypothesis, std::size_t n_hypothesis,
                        const Character* reference, std::size_t n_reference, std::size_t order,
                        std::int64_t* matches) {
  if (std::max(n_hypothesis, n_reference) > kLongest) {
    throw std::length_error("a segment has more than 2^30 characters; split it into segments");
  }
  const auto start_everywhere = [](std::size_t length, std::vector<Start>& starts) {
    starts.resize(length);
    for (std::size_t i = 0; i < length; ++i) starts[i] = {static_cast<std::uint32_t>(i), 0};
  };
  start_everywhere(n_hypothesis, hypothesis_);
  start_everywhere(n_reference, reference_);
  std::fill_n(matches, order, 0);
  std::size_t n_slots = kFewestSlots;
  for (std::size_t n = 1; n <= order && !hypothesis_.empty() && !reference_.empty(); ++n) {
    slots_.assign(n_slots, Slot{0, 0, 0});
    // The slots follow the distinct n-grams, which in a long text are far fewer than its length.
    while (!number_reference(reference, n_reference, n)) {
      n_slots *= 2;
      slots_.assign(n_slots, Slot{0, 0, 0});
    }
    matches[n - 1] = match_hypothesis(hypothesis, n_hypothesis, n);
    keep_shared_starts();
  }
}

template void CharNumbers::count(const std::uint8_t*, std::size_t, const std::uint8_t*, std::size_t,
                                 std::size_t, std::int64_t*);
template void CharNumbers::count(const char32_t*, std::size_t, const char32_t*, std::size_t,
                                 std::size_t, std::int64_t*);

}  // namespace bleuet
