// Splitting into words and finding them again.
#include "edits/ter_vocabulary.hpp"

#include <cstddef>
#include <cstring>
#include <utility>

#include "machine/bits.hpp"
#include "text/text.hpp"

namespace bleuet {
namespace {

// The byte at `bytes` is the lowest one of the number.
std::uint64_t load(const char* bytes) {
  std::uint64_t value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

// Up to eight bytes, the rest zero. kPadding lets a whole word be loaded.
std::uint64_t load(const char* bytes, std::size_t length) {
  return length == 0 ? 0 : load(bytes) & (~0ULL >> (64 - 8 * length));
}

std::uint64_t mix(std::uint64_t x) {
  x *= 0x9E3779B97F4A7C15ULL;
  return x ^ (x >> 32);
}

std::uint64_t key_of(const char* bytes, std::size_t length) {
  if (length <= kKeyBytes) return load(bytes, length);
  std::uint64_t key = length;
  std::size_t i = 0;
  for (; i + kKeyBytes <= length; i += kKeyBytes) key = mix(key ^ load(bytes + i));
  return mix(key ^ load(bytes + i, length - i));
}

// The top bit of each of eight bytes that may begin white space: up to 0x20, or a UTF-8 lead byte.
std::uint64_t suspects(std::uint64_t bytes) {
  constexpr std::uint64_t kTop = 0x8080808080808080ULL;
  constexpr std::uint64_t kToTopFrom0x21 = 0x5F5F5F5F5F5F5F5FULL;
  const std::uint64_t low = ~(((bytes & ~kTop) + kToTopFrom0x21) | bytes);
  return (low | (bytes & (bytes << 1))) & kTop;
}

// The length of the white space at `i`, or 0.
std::size_t space_at(std::string_view text, std::size_t i) {
  const auto byte = static_cast<unsigned char>(text[i]);
  if (byte == ' ') return 1;
  if (byte < 0x80) return is_space(byte) ? 1 : 0;
  if (byte != 0xC2 && (byte < 0xE1 || byte > 0xE3)) return 0;
  const Decoded decoded = decode(text, i);
  return is_space(decoded.value) ? decoded.size : 0;
}

// Whether the white space in [begin, end) stands alone between two words and is not a space.
// `last_end` is where the white space before it ends.
bool joins_words(std::string_view text, std::size_t begin, std::size_t end, std::size_t last_end) {
  return text[begin] != ' ' && begin != last_end && end < text.size() && space_at(text, end) == 0;
}

void append_word(std::string_view text, std::size_t begin, std::size_t end,
                 std::vector<TerWord>& words) {
  if (begin >= end) return;
  const char* const bytes = text.data() + begin;
  words.push_back({key_of(bytes, end - begin), bytes, end - begin});
}

}  // namespace

void split_words(std::string_view text, std::vector<TerWord>& words, Gaps gaps) {
  words.clear();
  std::size_t begin = 0;
  std::size_t last_end = 0;
  for (std::size_t block = 0; block < text.size(); block += kKeyBytes) {
    for (std::uint64_t bits = suspects(load(text.data() + block)); bits != 0; bits &= bits - 1) {
      const std::size_t i = block + static_cast<std::size_t>(lowest_bit(bits)) / 8;
      if (i >= text.size()) break;
      const std::size_t space = space_at(text, i);
      if (space == 0) continue;
      const bool joined =
          gaps == Gaps::spaces_and_runs && joins_words(text, i, i + space, last_end);
      last_end = i + space;
      if (joined) continue;
      append_word(text, begin, i, words);
      begin = i + space;
    }
  }
  append_word(text, begin, text.size(), words);
}

void TerVocabulary::clear(std::size_t n_tokens) {
  std::size_t n_slots = 16;
  while (n_slots < 2 * n_tokens) n_slots *= 2;
  slots_.assign(n_slots, 0);
  entries_.clear();
}

bool TerVocabulary::is(const Entry& entry, const TerWord& word) const {
  return entry.key == word.key && entry.length == word.length &&
         (word.length <= kKeyBytes ||
          std::memcmp(text_.data() + entry.begin, word.bytes, word.length) == 0);
}

std::size_t TerVocabulary::slot_of(const TerWord& word) const {
  const std::size_t last = slots_.size() - 1;
  std::size_t slot = mix(word.key ^ word.length) & last;
  while (slots_[slot] != 0 && !is(entries_[slots_[slot] - 1], word)) slot = (slot + 1) & last;
  return slot;
}

WordId TerVocabulary::add(const TerWord& word) {
  WordId& number = slots_[slot_of(word)];
  if (number == 0) {
    const std::ptrdiff_t begin = word.length <= kKeyBytes ? 0 : word.bytes - text_.data();
    entries_.push_back(
        {word.key, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(word.length)});
    number = static_cast<WordId>(entries_.size());
  }
  return number - 1;
}

WordId TerVocabulary::find(const TerWord& word) const {
  const WordId number = slots_[slot_of(word)];
  return number == 0 ? static_cast<WordId>(entries_.size()) : number - 1;
}

void TerVocabulary::trim() {
  std::vector<char> long_words;
  for (Entry& entry : entries_) {
    if (entry.length <= kKeyBytes) continue;
    const auto begin = text_.begin() + entry.begin;
    entry.begin = static_cast<std::uint32_t>(long_words.size());
    long_words.insert(long_words.end(), begin, begin + entry.length);
  }
  long_words.shrink_to_fit();
  text_ = std::move(long_words);
  entries_.shrink_to_fit();
  slots_.shrink_to_fit();
}

}  // namespace bleuet
