// What METEOR knows of words: stems, function words, synonyms and paraphrases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "text/token_numbers.hpp"
#include "text/tokens.hpp"
#include "text/vocabulary.hpp"

namespace bleuet {

using MeteorWord = std::uint32_t;  // the number of a word, in the order of add()
// Cuts a text, with kPadding readable bytes behind it, at spaces, tabs, line feeds, carriage
// returns and form feeds alone, as METEOR does.
void split_meteor_words(std::string_view text, TokenList& words);

// Phrases that mean the same, from one to the other. The table's words have numbers, and so have
// its phrases and their beginnings: that of a phrase follows from the number without its last word,
// and from that word, which are compared. Number 0 is no word at all.
class Paraphrases {
 public:
  // Reads a part of a table: per entry a line with a probability, and one for each phrase. A line
  // may go on in the next part.
  void read(std::string_view part);
  // Ends the table, once. Returns the number of entries; throws std::invalid_argument if the last
  // one is not complete.
  std::size_t close();

  bool empty() const { return others_.empty(); }
  // The number of a word of the table, kUnknown of another one.
  std::uint32_t word(const Vocabulary& words, std::size_t number) const;
  // What the table knows of a phrase: its number, kUnknown where no phrase begins so; whether an
  // entry has it on one of its sides; and whether one begins with it and has more words.
  struct Known {
    std::uint32_t number = kUnknown;
    bool phrase = false;
    bool begins = false;
  };
  // Of the phrase with this number and one word more.
  Known extend(std::uint32_t phrase, std::uint32_t word) const;
  // Fetches what extend() reads first.
  void fetch(std::uint32_t phrase, std::uint32_t word) const {
    if (!filter_.empty()) prefetch(&filter_[bit_of(phrase, word) / 64]);
  }
  // The phrases that entries lead to from a phrase, in the order of the table.
  struct Others {
    const std::uint32_t* begin = nullptr;
    const std::uint32_t* end = nullptr;
  };
  Others others(std::uint32_t phrase) const {
    return {others_.data() + nodes_[phrase].start, others_.data() + nodes_[phrase + 1].start};
  }

 private:
  // A phrase, or a beginning of some.
  struct Node {
    std::uint32_t before;  // the number without the last word
    std::uint32_t word : 30;
    std::uint32_t phrase : 1;
    std::uint32_t begins : 1;
    std::uint32_t start;  // where the others of a phrase begin in `others_`
  };
  // Most beginnings that are looked up are none. These bits are in the processor's caches, and are
  // 0 for most of those.
  static constexpr std::size_t kFilterBits = std::size_t{1} << 26;

  static std::uint64_t key_of(std::uint32_t phrase, std::uint32_t word) {
    return std::uint64_t{phrase} << 32 | word;
  }
  static std::size_t bit_of(std::uint32_t phrase, std::uint32_t word) {
    return mix(key_of(phrase, word)) % kFilterBits;
  }
  void read_line(std::string_view line, std::size_t readable);
  std::uint32_t number_of(std::uint32_t phrase, std::uint32_t word);
  std::size_t slot_of(std::uint32_t phrase, std::uint32_t word) const;
  void grow();
  void add_others(const std::uint32_t* begin, const std::uint32_t* end);

  std::string rest_, last_;  // the first phrase of the last entry
  std::size_t lines_ = 0;
  bool closed_ = false;
  TokenList line_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  Vocabulary words_;
  std::vector<Node> nodes_;            // and one behind the last, where others_ ends
  std::vector<std::uint32_t> slots_;   // numbers, 0 in an empty slot; linear probing
  std::vector<std::uint32_t> others_;  // those of the first phrase, then of the second
  std::vector<std::uint64_t> filter_;
};

// Words can be added while other threads count.
class MeteorLexicon {
 public:
  struct Entry {
    std::uint32_t in_phrases = kUnknown;  // its number in the paraphrases
    Paraphrases::Known phrase;            // of the word alone
    std::uint32_t stem;                   // its number
    bool function;
    std::uint32_t characters;             // UTF-16 code units, as METEOR counts them
    std::vector<std::uint32_t> synonyms;  // the numbers of the sets that the word is in, sorted
  };

  // Writes the number of each word, -1 for a word that was not added.
  void find(const TokenList& words, std::vector<std::int64_t>& numbers) const;
  // Adds a word, unless another thread has. `synonyms` names the sets that it is in.
  void add(const TokenList& words, const Token& word, const std::string& stem, bool function,
           const std::vector<std::int64_t>& synonyms);
  std::size_t size() const { return words_.size(); }
  // Takes the paraphrases of another lexicon, before words are added.
  void share_paraphrases(const MeteorLexicon& other) { paraphrases_ = other.paraphrases_; }
  void read_paraphrases(std::string_view part) { paraphrases_->read(part); }
  // As Paraphrases::close().
  std::size_t close_paraphrases();
  const Paraphrases& paraphrases() const { return *paraphrases_; }

  // To be held while words are read.
  std::shared_lock<std::shared_mutex> reading() const {
    return std::shared_lock<std::shared_mutex>(mutex_);
  }
  // Throws std::out_of_range for a number that no word has.
  const Entry& word(std::size_t number) const { return words_.at(number); }
  // How many different stems and sets of synonyms the words have.
  std::size_t stems() const { return stems_.size(); }
  std::size_t synonym_sets() const { return sets_.size(); }

 private:
  void know_phrase(std::size_t number);

  mutable std::shared_mutex mutex_;
  Vocabulary numbers_;
  std::vector<Entry> words_;
  std::unordered_map<std::string, std::uint32_t> stems_;
  std::unordered_map<std::int64_t, std::uint32_t> sets_;
  std::shared_ptr<Paraphrases> paraphrases_ = std::make_shared<Paraphrases>();
};

// Whether two words are in the same set of synonyms.
bool share_synonym(const MeteorLexicon::Entry& a, const MeteorLexicon::Entry& b);

}  // namespace bleuet
