// Words as byte strings or as numbers, compared exactly, and a reference's table of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "edits/word_positions.hpp"

namespace bleuet {

constexpr std::size_t kKeyBytes = 8;

// A word of up to eight bytes is its `key`; of a longer one the key is a hash and `bytes` decides.
// Borrowed: valid while the text it was cut from is.
struct TerWord {
  std::uint64_t key;
  const char* bytes;
  std::size_t length;
};

// Which white space divides words: all of it, or only spaces and two or more characters of white
// space one after the other.
enum class Gaps : std::uint8_t { all, spaces_and_runs };

// Splits UTF-8 at Unicode white space. kPadding bytes after `text` must be readable. White space at
// the ends of the text belongs to no word.
void split_words(std::string_view text, std::vector<TerWord>& words, Gaps gaps = Gaps::all);

// The distinct words of one reference, numbered as they first occur.
class TerVocabulary {
 public:
  // Where the text of the reference is kept: words to add() must have been cut from here, unless
  // they are their keys.
  std::vector<char>& text() { return text_; }

  void clear(std::size_t n_tokens);
  WordId add(const TerWord& word);
  // The word's number, or size() where it is missing.
  WordId find(const TerWord& word) const;
  std::size_t size() const { return entries_.size(); }
  // Gives back memory that only serves to add further words.
  void trim();

 private:
  struct Entry {
    std::uint64_t key;
    std::uint32_t begin;  // offset in text_; means nothing where the key is the word
    std::uint32_t length;
  };

  bool is(const Entry& entry, const TerWord& word) const;
  std::size_t slot_of(const TerWord& word) const;

  std::vector<char> text_;
  std::vector<Entry> entries_;
  std::vector<WordId> slots_;  // number + 1, or 0; linear probing
};

}  // namespace bleuet
