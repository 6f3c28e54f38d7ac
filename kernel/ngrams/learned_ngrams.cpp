#include "ngrams/learned_ngrams.hpp"

#include <algorithm>
#include <stdexcept>

#include "rows/parallel.hpp"

namespace bleuet {
namespace {

// Fewer words are counted faster by one thread than it takes to start another.
constexpr std::size_t kFewWords = 8192;

// How many n-grams later the memory of an n-gram is fetched.
constexpr std::size_t kAhead = 12;

std::uint32_t parts_for(std::size_t words, unsigned threads) {
  std::uint32_t parts = 1;
  while (words >= kFewWords && parts < std::min(thread_count(threads), 64u)) parts *= 2;
  return parts;
}

}  // namespace

// The n-grams that begin with one word are counted apart from all others, so that threads share the
// words.
LearnedNgrams::LearnedNgrams(const LearnedReferences& references, std::size_t order, Unit unit,
                             std::uint32_t kept, unsigned threads)
    : kept_(kept),
      parts_(parts_for(references.words().size(), threads)),
      tables_(parts_ * std::max<std::size_t>(order, 1)) {
  if (references.words().size() >= kUnknown) {
    throw std::length_error("the references have too many words; score fewer segments");
  }
  count_words(references, unit);
  const auto make_worker = [&] {
    return [&](std::size_t part) {
      count_part(references, order, unit, static_cast<std::uint32_t>(part));
    };
  };
  share_rows(parts_, threads, [] {}, make_worker, kLongRows);
}

void LearnedNgrams::count_words(const LearnedReferences& references, Unit unit) {
  words_.assign(references.vocabulary().size(), 0);
  if (unit == Unit::occurrences) {
    for (const std::uint32_t word : references.words()) ++words_[word];
    return;
  }
  std::vector<std::size_t> seen(words_.size(), 0);
  std::size_t at = 0, reference = 0;
  for (std::size_t segment = 0; segment < references.segments().size(); ++segment) {
    reference = references.segments()[segment];
    for (const std::size_t end = reference == 0 ? 0 : references.ends()[reference - 1]; at < end;
         ++at) {
      const std::uint32_t word = references.words()[at];
      if (seen[word] == segment + 1) continue;
      seen[word] = segment + 1;
      ++words_[word];
    }
  }
}

void LearnedNgrams::count_part(const LearnedReferences& references, std::size_t order, Unit unit,
                               std::uint32_t part) {
  std::vector<Begun> begun = begin(references, part);
  for (std::size_t n = 2; n <= order; ++n) {
    Table& table = tables_[(n - 2) * parts_ + part];
    table.make_room(begun.size());
    if (table.slots.size() > kUnknown / parts_) {
      throw std::length_error("the references have too many different n-grams; score fewer");
    }
    count_order(references, n, unit, table, begun);
  }
}

// The words of a part that longer n-grams begin with.
std::vector<LearnedNgrams::Begun> LearnedNgrams::begin(const LearnedReferences& references,
                                                       std::uint32_t part) const {
  const std::vector<std::uint32_t>& words = references.words();
  std::vector<Begun> begun;
  begun.reserve(words.size() / parts_ + 1);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if ((words[i] & (parts_ - 1)) != part) continue;
    if (single(words[i]).number == kUnknown) continue;
    begun.push_back({static_cast<std::uint32_t>(i), words[i]});
  }
  return begun;
}

// `begun` has the n-grams of the order below that longer ones begin with, and gets those of this
// order.
void LearnedNgrams::count_order(const LearnedReferences& references, std::size_t n, Unit unit,
                                Table& table, std::vector<Begun>& begun) const {
  std::vector<std::size_t> seen(unit == Unit::segments ? table.slots.size() : 0, 0);
  // Pointers, since to the compiler each write below might move what a vector has.
  const std::uint32_t* const words = references.words().data();
  const std::size_t* const ends = references.ends().data();
  const std::size_t* const segments = references.segments().data();
  Table::Slot* const slots = table.slots.data();
  const std::size_t last_word = references.words().size() - 1;
  const std::size_t last_slot = table.slots.size() - 1;
  const std::size_t size = begun.size();
  Begun* const all = begun.data();
  std::size_t reference = 0, segment = 0, left = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const Begun& later = all[std::min(i + kAhead, size - 1)];
    const std::uint32_t later_word = words[std::min<std::size_t>(later.at + n - 1, last_word)];
    prefetch(&slots[mix(key_of(later.number, later_word)) & last_slot]);
    const Begun one = all[i];
    while (one.at >= ends[reference]) ++reference;
    if (one.at + n > ends[reference]) continue;
    const std::uint64_t key = key_of(one.number, words[one.at + n - 1]);
    std::size_t slot = mix(key) & last_slot;
    while (slots[slot].count != 0 && slots[slot].key != key) slot = (slot + 1) & last_slot;
    all[left++] = {one.at, number_of(slot, one.number)};
    if (unit == Unit::segments) {
      while (reference >= segments[segment]) ++segment;
      if (seen[slot] == segment + 1) continue;
      seen[slot] = segment + 1;
    }
    slots[slot].key = key;
    ++slots[slot].count;
  }
  begun.resize(left);
  const auto is_rare = [&](const Begun& one) { return slots[one.number / parts_].count < 2; };
  begun.erase(std::remove_if(begun.begin(), begun.end(), is_rare), begun.end());
}

// Never full, however many n-grams differ.
void LearnedNgrams::Table::make_room(std::size_t ngrams) {
  std::size_t size = 16;
  while (size < ngrams + ngrams / 4) size *= 2;
  slots.assign(size, {0, 0});
}

}  // namespace bleuet
