// Runs of equal characters wait by the size of the longest string in them that may be taken. When a
// size is in turn, its strings are taken, and what is left of its runs waits for a smaller size.
#include "edits/common_strings.hpp"

#include <algorithm>
#include <cstring>

#include "rows/interruption.hpp"
#include "text/text.hpp"

namespace bleuet {
namespace {

bool equal(const char32_t* one, const char32_t* other, std::size_t size) {
  return std::memcmp(one, other, size * sizeof(char32_t)) == 0;
}

}  // namespace

void WordedText::read(const char32_t* text, std::size_t size, bool (*is_alphanumeric)(char32_t)) {
  while (size > 0 && is_space(text[size - 1])) --size;
  while (size > 0 && is_space(*text)) ++text, --size;
  characters_.assign(text, text + size);
  edges_.assign(size + 1, 1);
  begun_.resize(size + 1);
  after_words_ = 0;
  bool before = false;
  std::uint32_t begun = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const char32_t c = text[i];
    const char32_t lower = c | 0x20;
    const bool inside = c < 0x80
                            ? (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || c == '_'
                            : is_alphanumeric(c);
    edges_[i] = !(before && inside);
    begun_[i] = begun;
    if (inside) {
      after_words_ = i + 1;
      if (!before) ++begun;
    }
    before = inside;
  }
  edges_[size] = 1;
  begun_[size] = begun;
  if (begun == 0) after_words_ = size;
}

void WordedText::shrink() {
  characters_.shrink_to_fit();
  edges_.shrink_to_fit();
  begun_.shrink_to_fit();
}

std::uint64_t CommonStrings::Grams::key(const char32_t* string) const {
  // A code point has at most 21 bits.
  std::uint64_t key = string[0];
  for (std::size_t k = 1; k < size_; ++k) key = key << 21 | string[k];
  return key;
}

std::size_t CommonStrings::Grams::slot(std::uint64_t key) const {
  const std::size_t mask = keys_.size() - 1;
  auto at = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15) >> shift_);
  while (firsts_[at] != kNone && keys_[at] != key) at = (at + 1) & mask;
  return at;
}

void CommonStrings::Grams::read(const WordedText& text, std::size_t size) {
  size_ = size;
  std::size_t slots = 16;
  shift_ = 60;
  while (slots < 2 * text.size()) slots *= 2, --shift_;
  keys_.resize(slots);
  firsts_.assign(slots, kNone);
  next_.resize(text.size());
  if (text.size() < size) return;
  for (std::size_t i = text.size() - size + 1; i-- > 0;) {
    const std::uint64_t key = this->key(text.characters() + i);
    const std::size_t at = slot(key);
    keys_[at] = key;
    next_[i] = firsts_[at];
    firsts_[at] = static_cast<std::uint32_t>(i);
  }
}

std::uint32_t CommonStrings::Grams::first(const char32_t* string) const {
  return firsts_[slot(key(string))];
}

bool CommonStrings::Side::is_free(std::size_t start, std::size_t size) const {
  return std::memchr(taken.data() + start, 1, size) == nullptr;
}

void CommonStrings::Side::take(std::size_t start, std::size_t size) {
  std::memset(taken.data() + start, 1, size);
}

const std::vector<Block>& CommonStrings::find(const WordedText& hypothesis,
                                              const WordedText& reference, std::size_t match_size) {
  match_size_ = match_size;
  gram_size_ = std::min<std::size_t>(match_size, 3);
  ours_.text = &hypothesis;
  theirs_.text = &reference;
  ours_.taken.assign(hypothesis.size(), 0);
  theirs_.taken.assign(reference.size(), 0);
  has_our_grams_ = false;
  blocks_.clear();
  runs_.clear();
  const std::size_t most = std::min(hypothesis.size(), reference.size());
  waiting_.assign(most + 1, kNone);
  if (most >= match_size) {
    find_runs();
    for (std::size_t size = most; size >= match_size; --size) {
      if (waiting_[size] != kNone) take_size(size);
    }
  }
  take_ends();
  return blocks_;
}

void CommonStrings::find_runs() {
  theirs_.grams.read(*theirs_.text, gram_size_);
  const char32_t* const ours = ours_.text->characters();
  const char32_t* const theirs = theirs_.text->characters();
  const std::size_t n = ours_.text->size(), m = theirs_.text->size();
  for (std::size_t i = 0; i + match_size_ <= n; ++i) {
    std::size_t steps = 0;
    for (std::uint32_t j = theirs_.grams.first(ours + i); j != kNone;
         j = theirs_.grams.next(j), ++steps) {
      if (i > 0 && j > 0 && ours[i - 1] == theirs[j - 1]) continue;
      std::size_t size = gram_size_;
      while (i + size < n && j + size < m && ours[i + size] == theirs[j + size]) ++size;
      steps += size;
      wait({static_cast<std::uint32_t>(i), j, static_cast<std::uint32_t>(size)}, size);
    }
    checkpoint(steps * 4);
  }
}

// Lets a run wait until the longest string of at most `most` characters in it is in turn.
void CommonStrings::wait(const Block& run, std::size_t most) {
  const WordedText &ours = *ours_.text, &theirs = *theirs_.text;
  for (std::size_t size = std::min<std::size_t>(most, run.size); size >= match_size_; --size) {
    for (std::size_t k = 0; k + size <= run.size; ++k) {
      const std::size_t i = run.hypothesis + k, j = run.reference + k;
      if (!ours.counts(i, i + size) || !theirs.counts(j, j + size)) continue;
      runs_.push_back({run, waiting_[size]});
      waiting_[size] = static_cast<std::uint32_t>(runs_.size() - 1);
      return;
    }
    checkpoint(run.size - size);
  }
}

// Lets the parts of a run wait that no block has in either text.
void CommonStrings::wait_pieces(const Block& run, std::size_t most) {
  const unsigned char* const ours = ours_.taken.data() + run.hypothesis;
  const unsigned char* const theirs = theirs_.taken.data() + run.reference;
  std::uint32_t start = 0;
  for (std::uint32_t k = 0; k <= run.size; ++k) {
    if (k < run.size && !(ours[k] | theirs[k])) continue;
    if (k - start >= match_size_) {
      wait({run.hypothesis + start, run.reference + start, k - start}, most);
    }
    start = k + 1;
  }
  checkpoint(run.size);
}

bool CommonStrings::is_free(const Block& run) const {
  return ours_.is_free(run.hypothesis, run.size) && theirs_.is_free(run.reference, run.size);
}

void CommonStrings::take_size(std::size_t size) {
  in_turn_.clear();
  candidates_.clear();
  const WordedText &ours = *ours_.text, &theirs = *theirs_.text;
  while (waiting_[size] != kNone) {
    const Run one = runs_[waiting_[size]];
    waiting_[size] = one.next;
    if (!is_free(one.block)) {
      wait_pieces(one.block, size);
      continue;
    }
    in_turn_.push_back(one.block);
    for (std::uint32_t k = 0; k + size <= one.block.size; ++k) {
      const std::uint32_t i = one.block.hypothesis + k, j = one.block.reference + k;
      if (ours.counts(i, i + size) && theirs.counts(j, j + size)) {
        candidates_.push_back({i, j, static_cast<std::uint32_t>(size)});
      }
    }
  }
  if (candidates_.size() == 1 &&
      ours.words(candidates_[0].hypothesis, candidates_[0].hypothesis + size) > 0) {
    take(candidates_[0]);
  } else if (!candidates_.empty()) {
    take_strings(size);
  }
  for (const Block& run : in_turn_) wait_pieces(run, size - 1);
}

// Takes the strings of the candidates, those first that one text has more often than the other,
// then those that are rarer, then those that come first in the hypothesis.
void CommonStrings::take_strings(std::size_t size) {
  if (!has_our_grams_) {
    ours_.grams.read(*ours_.text, gram_size_);
    has_our_grams_ = true;
  }
  strings_.clear();
  places_.clear();
  std::sort(candidates_.begin(), candidates_.end(),
            [](const Block& one, const Block& other) { return one.hypothesis < other.hypothesis; });
  std::uint32_t last = kNone;
  for (const Block& candidate : candidates_) {
    if (candidate.hypothesis != last) add_string(candidate.hypothesis, size);
    last = candidate.hypothesis;
  }
  std::sort(strings_.begin(), strings_.end(), [](const String& one, const String& other) {
    const bool balanced = one.in_hypothesis() == one.in_reference();
    if (balanced != (other.in_hypothesis() == other.in_reference())) return !balanced;
    if (one.end - one.hypothesis != other.end - other.hypothesis) {
      return one.end - one.hypothesis < other.end - other.hypothesis;
    }
    return one.first < other.first;
  });
  for (const String& string : strings_) {
    std::uint32_t i = string.hypothesis, j = string.reference;
    while (true) {
      while (i < string.reference && !ours_.is_free(places_[i], size)) ++i;
      while (j < string.end && !theirs_.is_free(places_[j], size)) ++j;
      if (i == string.reference || j == string.end) break;
      take({places_[i], places_[j], static_cast<std::uint32_t>(size)});
    }
  }
}

// Adds the string of the hypothesis that starts at a place, unless it was added.
void CommonStrings::add_string(std::uint32_t start, std::size_t size) {
  const char32_t* const characters = ours_.text->characters() + start;
  const auto before = static_cast<std::uint32_t>(places_.size());
  add_places(ours_, characters, size);
  const std::uint32_t first = places_[before];
  String string{before, static_cast<std::uint32_t>(places_.size()), 0, first};
  add_places(theirs_, characters, size);
  string.end = static_cast<std::uint32_t>(places_.size());
  if (ours_.text->words(start, start + size) == 0) drop_late_places(string);
  if (first < start) {
    // Equal strings have equal first places; most strings occur once.
    for (const String& other : strings_) {
      if (other.first == places_[string.hypothesis]) {
        places_.resize(before);
        return;
      }
    }
  }
  string.first = places_[string.hypothesis];
  strings_.push_back(string);
}

void CommonStrings::add_places(const Side& side, const char32_t* string, std::size_t size) {
  const char32_t* const characters = side.text->characters();
  std::size_t steps = 0;
  for (std::uint32_t i = side.grams.first(string); i != kNone; i = side.grams.next(i), ++steps) {
    if (i + size <= side.text->size() && equal(characters + i, string, size) &&
        side.text->counts(i, i + size)) {
      places_.push_back(i);
    }
  }
  checkpoint(steps * 4);
}

// A string without words after the last word counts only if it is not before that in both texts.
void CommonStrings::drop_late_places(String& string) {
  const auto begin = places_.begin();
  const auto ours = std::lower_bound(begin + string.hypothesis, begin + string.reference,
                                     static_cast<std::uint32_t>(ours_.text->after_words()));
  const auto theirs = std::lower_bound(begin + string.reference, begin + string.end,
                                       static_cast<std::uint32_t>(theirs_.text->after_words()));
  if (ours == begin + string.hypothesis || theirs == begin + string.reference) return;
  const auto kept_ours = static_cast<std::uint32_t>(ours - begin) - string.hypothesis;
  const auto kept_theirs = static_cast<std::uint32_t>(theirs - begin) - string.reference;
  std::copy(begin + string.reference, theirs, ours);
  string.reference = string.hypothesis + kept_ours;
  string.end = string.reference + kept_theirs;
  places_.resize(string.end);
}

void CommonStrings::take(const Block& block) {
  ours_.take(block.hypothesis, block.size);
  theirs_.take(block.reference, block.size);
  blocks_.push_back(block);
}

// Takes shorter strings of whole words that both texts begin or end with.
void CommonStrings::take_ends() {
  const WordedText &ours = *ours_.text, &theirs = *theirs_.text;
  const std::size_t n = ours.size(), m = theirs.size();
  for (std::size_t size = std::min({match_size_ - 1, n, m}); size > 0; --size) {
    const char32_t *const begin = ours.characters(), *const end = begin + n - size;
    const bool begins =
        ours.edge(size) && theirs.edge(size) && equal(begin, theirs.characters(), size);
    const auto width = static_cast<std::uint32_t>(size);
    if (begins && is_free({0, 0, width})) take({0, 0, width});
    const auto i = static_cast<std::uint32_t>(n - size), j = static_cast<std::uint32_t>(m - size);
    // A string at both ends of both texts counts at the beginning.
    if (ours.edge(i) && theirs.edge(j) && equal(end, theirs.characters() + j, size) &&
        !(begins && equal(begin, end, size)) && is_free({i, j, width})) {
      take({i, j, width});
    }
  }
}

}  // namespace bleuet
