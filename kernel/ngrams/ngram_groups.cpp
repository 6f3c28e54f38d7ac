#include "ngrams/ngram_groups.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "text/tokens.hpp"

namespace bleuet {
namespace {

constexpr std::uint32_t kNone = 0xFFFFFFFF;

std::uint64_t hash_pair(std::uint32_t prefix, std::uint32_t word) {
  return mix((std::uint64_t{prefix} << 32 | word) * 0xC2B2AE3D27D4EB4Fu);
}

}  // namespace

MatchedNgrams::MatchedNgrams(std::size_t systems, std::size_t longest, std::size_t words)
    : systems_(systems), longest_(longest), slots_(1 << 16) {
  if (longest > std::numeric_limits<std::uint8_t>::max()) {
    throw std::length_error("n-grams have at most 255 words");
  }
  // Rarely more n-grams match; growing would hold the numbers of all systems twice for a while.
  known_.reserve(2 * words);
  lengths_.reserve(2 * words);
  matches_.reserve(2 * words * systems);
}

void MatchedNgrams::count(const NumberedReferences& references,
                          const std::vector<NumberedTexts>& hypotheses, std::size_t segment) {
  locals_.clear();
  std::size_t most = 0;
  for (std::size_t r = references.begin(segment); r < references.end(segment); ++r) {
    most += longest_ * references.texts[r].size();
  }
  std::size_t size = 16;
  while (size < 2 * most) size *= 2;
  local_slots_.assign(size, 0);
  for (std::size_t r = references.begin(segment); r < references.end(segment); ++r) {
    read(references.texts, r);
  }
  for (std::size_t system = 0; system < systems_; ++system) {
    match(hypotheses[system][segment], system);
  }
}

void MatchedNgrams::read(const NumberedTexts& references, std::size_t number) {
  const NumberedText text = references[number];
  const std::size_t start = static_cast<std::size_t>(text.begin() - references.numbers);
  if (start + text.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    throw std::length_error("the references have more than 2^31 words; compare fewer segments");
  }
  follow<true>(text, static_cast<std::uint32_t>(start));
  for (Local& ngram : locals_) {
    ngram.available = std::max(ngram.available, ngram.here);
    ngram.here = 0;
  }
}

void MatchedNgrams::match(const NumberedText& hypothesis, std::size_t system) {
  follow<false>(hypothesis, 0);
  for (Local& ngram : locals_) {
    if (ngram.here == 0) continue;
    // An n-gram that matches has a prefix that matches, which comes before it.
    if (ngram.known == kNone) ngram.known = number_of(ngram);
    matches_.add(ngram.known * systems_ + system, std::min(ngram.here, ngram.available));
    ngram.here = 0;
  }
}

// Counts the n-grams of a text in `here`: of a reference all, of a hypothesis those that it shares.
template <bool Adds>
void MatchedNgrams::follow(const NumberedText& text, std::uint32_t start) {
  prefixes_.assign(text.size(), kNone);
  for (std::size_t n = 1; n <= std::min(longest_, text.size()); ++n) {
    for (std::size_t i = 0; i + n <= text.size(); ++i) {
      if (n > 1 && prefixes_[i] == kNone) continue;
      const auto word = static_cast<std::uint32_t>(text[i + n - 1]);
      const std::size_t slot = local_slot(prefixes_[i], word);
      if (local_slots_[slot] == 0) {
        if constexpr (Adds) {
          const auto place = start + static_cast<std::uint32_t>(i);
          locals_.push_back({prefixes_[i], word, 0, 0, kNone, place});
          local_slots_[slot] = static_cast<std::uint32_t>(locals_.size());
        } else {
          prefixes_[i] = kNone;
          continue;
        }
      }
      prefixes_[i] = local_slots_[slot] - 1;
      ++locals_[prefixes_[i]].here;
    }
  }
}

// The slot of an n-gram of this segment, or the empty one where it belongs.
std::size_t MatchedNgrams::local_slot(std::uint32_t prefix, std::uint32_t word) const {
  const std::size_t last = local_slots_.size() - 1;
  for (std::size_t at = hash_pair(prefix, word) & last;; at = (at + 1) & last) {
    if (local_slots_[at] == 0) return at;
    const Local& there = locals_[local_slots_[at] - 1];
    if (there.prefix == prefix && there.word == word) return at;
  }
}

std::uint32_t MatchedNgrams::number_of(const Local& ngram) {
  if (2 * known_.size() >= slots_.size()) grow();
  const std::uint32_t prefix = ngram.prefix == kNone ? kNone : locals_[ngram.prefix].known;
  const std::size_t last = slots_.size() - 1;
  std::size_t at = hash_pair(prefix, ngram.word) & last;
  for (; slots_[at] != 0; at = (at + 1) & last) {
    const Known& there = known_[slots_[at] - 1];
    if (there.prefix == prefix && there.word == ngram.word) return slots_[at] - 1;
  }
  if (known_.size() >= kNone - 1) throw std::length_error("too many n-grams match");
  known_.push_back({prefix, ngram.word, ngram.start});
  lengths_.push_back(static_cast<std::uint8_t>(prefix == kNone ? 1 : lengths_[prefix] + 1));
  matches_.add_zeros(systems_);
  slots_[at] = static_cast<std::uint32_t>(known_.size());
  return slots_[at] - 1;
}

void MatchedNgrams::grow() {
  slots_.assign(2 * slots_.size(), 0);
  const std::size_t last = slots_.size() - 1;
  for (std::size_t i = 0; i < known_.size(); ++i) {
    std::size_t at = hash_pair(known_[i].prefix, known_[i].word) & last;
    while (slots_[at] != 0) at = (at + 1) & last;
    slots_[at] = static_cast<std::uint32_t>(i) + 1;
  }
}

NgramGroups MatchedNgrams::groups() {
  slots_ = {};
  NgramGroups found;
  const std::vector<std::uint32_t> group_of = number_groups(found);
  found.ends.assign(found.lengths.size(), 0);
  for (const std::uint32_t group : group_of) ++found.ends[group];
  std::int64_t sum = 0;
  for (std::int64_t& end : found.ends) {
    const std::int64_t size = end;
    end = sum;  // where the next n-gram of the group goes
    sum += size;
  }
  found.starts.resize(known_.size());
  for (std::size_t i = 0; i < known_.size(); ++i) {
    const auto at = static_cast<std::size_t>(found.ends[group_of[i]]++);
    found.starts[at] = static_cast<std::int32_t>(known_[i].start);
  }
  return found;
}

// Returns the group of each n-gram, and fills in the lengths and matches of the groups.
std::vector<std::uint32_t> MatchedNgrams::number_groups(NgramGroups& groups) const {
  std::vector<std::uint32_t> group_of(known_.size());
  std::vector<std::uint32_t> slots(1024);
  std::vector<std::size_t> first;  // the first n-gram of each group
  const auto hash = [&](std::size_t i) {
    std::uint64_t value = lengths_[i];
    for (std::size_t s = 0; s < systems_; ++s) {
      value = mix(value ^ static_cast<std::uint64_t>(matches_[i * systems_ + s]));
    }
    return value;
  };
  const auto same = [&](std::size_t i, std::size_t j) {
    if (lengths_[i] != lengths_[j]) return false;
    for (std::size_t s = 0; s < systems_; ++s) {
      if (matches_[i * systems_ + s] != matches_[j * systems_ + s]) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < known_.size(); ++i) {
    if (2 * first.size() >= slots.size()) {
      slots.assign(2 * slots.size(), 0);
      for (std::size_t g = 0; g < first.size(); ++g) {
        std::size_t at = hash(first[g]) & (slots.size() - 1);
        while (slots[at] != 0) at = (at + 1) & (slots.size() - 1);
        slots[at] = static_cast<std::uint32_t>(g) + 1;
      }
    }
    std::size_t at = hash(i) & (slots.size() - 1);
    while (slots[at] != 0 && !same(i, first[slots[at] - 1])) at = (at + 1) & (slots.size() - 1);
    if (slots[at] == 0) {
      first.push_back(i);
      slots[at] = static_cast<std::uint32_t>(first.size());
      groups.lengths.push_back(lengths_[i]);
      for (std::size_t s = 0; s < systems_; ++s) {
        groups.matches.push_back(matches_[i * systems_ + s]);
      }
    }
    group_of[i] = slots[at] - 1;
  }
  return group_of;
}

std::vector<std::int32_t> first_ngrams(const std::int32_t* numbers, const std::int32_t* ranks,
                                       std::vector<std::int32_t> starts, std::size_t length,
                                       std::size_t limit) {
  const auto before = [&](std::int32_t a, std::int32_t b) {
    for (std::size_t i = 0; i < length; ++i) {
      const std::int32_t x = ranks[numbers[static_cast<std::size_t>(a) + i]];
      const std::int32_t y = ranks[numbers[static_cast<std::size_t>(b) + i]];
      if (x != y) return x < y;
    }
    return false;
  };
  const std::size_t wanted = std::min(limit, starts.size());
  const auto end = starts.begin() + static_cast<std::ptrdiff_t>(wanted);
  std::partial_sort(starts.begin(), end, starts.end(), before);
  starts.resize(wanted);
  return starts;
}

}  // namespace bleuet
