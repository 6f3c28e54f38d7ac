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

#include "text/tokens.hpp"
#include "text/vocabulary.hpp"

namespace bleuet {

using MeteorWord = std::uint32_t;  // the number of a word, in the order of add()
using PhraseKey = std::uint64_t;   // a hash of the words of a phrase

// Cuts a text, with kPadding readable bytes behind it, at spaces, tabs, line feeds, carriage
// returns and form feeds alone, as METEOR does.
void split_meteor_words(std::string_view text, TokenList& words);

PhraseKey word_key(std::string_view utf8);
PhraseKey extend_phrase(PhraseKey phrase, PhraseKey word);

// Phrases that mean the same, from one to the other, by key. 64 bits are enough for the tables that
// exist: of ten million phrases, two have the same key with a probability of 1 in 300,000.
class Paraphrases {
 public:
  // Reads a part of a table: per entry a line with a probability, and one for each phrase. A line
  // may go on in the next part.
  void read(std::string_view part);
  // Ends the table. Returns the number of entries; throws std::invalid_argument if the last one is
  // not complete.
  std::size_t close();

  bool empty() const { return others_.empty(); }
  // Whether an entry may have the phrase on one of its sides, and whether one may begin with it and
  // have more words; false is certain.
  struct Known {
    bool phrase = false;
    bool begins = false;
  };
  Known known(PhraseKey phrase) const;
  // Fetches what known() and others() read first.
  void fetch_known(PhraseKey phrase) const {
    if (!known_.empty()) prefetch(&known_[phrase % kKnownKeys / 32]);
  }
  void fetch(PhraseKey phrase) const { prefetch(&slots_[phrase & (slots_.size() - 1)]); }
  // The phrases that entries lead to from a phrase, in the order of the table.
  struct Others {
    const PhraseKey* begin = nullptr;
    const PhraseKey* end = nullptr;
  };
  Others others(PhraseKey phrase) const;

 private:
  // Keys that differ in these bits share the bits of `known_`.
  static constexpr std::size_t kKnownKeys = std::size_t{1} << 25;

  void read_line(std::string_view line);
  void mark(PhraseKey phrase, bool begins);
  void add_others(std::size_t begin, std::size_t end);

  std::string rest_;
  std::size_t lines_ = 0;
  PhraseKey left_ = 0;
  std::vector<std::pair<PhraseKey, PhraseKey>> pairs_;
  // Where the others of a phrase are in `others_`; a size of 0 is no phrase.
  struct Slot {
    PhraseKey key = 0;
    std::uint32_t start = 0;
    std::uint32_t size = 0;
  };
  std::size_t slot_of(PhraseKey phrase) const;

  std::vector<Slot> slots_;           // linear probing
  std::vector<PhraseKey> others_;     // for each key in the order of the table
  std::vector<std::uint64_t> known_;  // two bits for each key, as in Known
};

// Words can be added while other threads count.
class MeteorLexicon {
 public:
  struct Entry {
    PhraseKey key;
    PhraseKey phrase;          // of the word alone
    Paraphrases::Known known;  // of this phrase
    std::uint32_t stem;        // its number
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
