#include "meteor/lexicon.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "text/token_numbers.hpp"

namespace bleuet {
namespace {

// The finalizer of MurmurHash3, which mixes all bits.
std::uint64_t mixed(std::uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdULL;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33);
}

// How many numbers of 16 bits a text has in UTF-16: one for each character, two above U+FFFF.
std::uint32_t utf16_units(std::string_view utf8) {
  std::uint32_t units = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<unsigned char>(c);
    units += (byte & 0xC0) != 0x80;
    units += byte >= 0xF0;
  }
  return units;
}

// The number of a name, which may be new.
template <class Name>
std::uint32_t number_in(std::unordered_map<Name, std::uint32_t>& numbers, const Name& name) {
  return numbers.emplace(name, static_cast<std::uint32_t>(numbers.size())).first->second;
}

}  // namespace

void split_meteor_words(std::string_view text, TokenList& words) {
  words.read_from(text);
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f') continue;
    if (i > begin) words.add(begin, i);
    begin = i + 1;
  }
}

PhraseKey word_key(std::string_view utf8) {
  std::uint64_t h = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : utf8) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mixed(h);
}

PhraseKey extend_phrase(PhraseKey phrase, PhraseKey word) {
  return mixed(phrase * 0x9e3779b97f4a7c15ULL + word);
}

void Paraphrases::read(std::string_view part) {
  for (;;) {
    const std::size_t end = part.find('\n');
    if (end == std::string_view::npos) break;
    if (rest_.empty()) {
      read_line(part.substr(0, end));
    } else {
      rest_.append(part.substr(0, end));
      read_line(rest_);
      rest_.clear();
    }
    part.remove_prefix(end + 1);
  }
  rest_.append(part);
}

void Paraphrases::read_line(std::string_view line) {
  if (lines_++ % 3 == 0) return;  // a probability, which does not count
  PhraseKey key = 0;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    if (end > 0) {
      if (key != 0) mark(key, true);
      key = extend_phrase(key, word_key(line.substr(0, end)));
    }
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  mark(key, false);
  if (lines_ % 3 == 2) {
    left_ = key;
  } else {
    pairs_.emplace_back(left_, key);
  }
}

std::size_t Paraphrases::close() {
  if (!rest_.empty()) read_line(rest_);
  rest_.clear();
  if (lines_ % 3 != 0) throw std::invalid_argument("the last entry is not complete");
  std::stable_sort(pairs_.begin(), pairs_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  others_.reserve(pairs_.size());
  std::size_t phrases = 0;
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    phrases += i == 0 || pairs_[i].first != pairs_[i - 1].first;
  }
  slots_.assign(table_size_for(phrases), {});
  for (std::size_t begin = 0, end = 0; begin < pairs_.size(); begin = end) {
    const PhraseKey key = pairs_[begin].first;
    while (end < pairs_.size() && pairs_[end].first == key) ++end;
    Slot& slot = slots_[slot_of(key)];
    slot.key = key;
    slot.start = static_cast<std::uint32_t>(others_.size());
    add_others(begin, end);
    slot.size = static_cast<std::uint32_t>(others_.size()) - slot.start;
  }
  pairs_ = {};
  return lines_ / 3;
}

// Adds what these pairs lead to, each phrase once, where it comes first.
void Paraphrases::add_others(std::size_t begin, std::size_t end) {
  std::vector<std::pair<PhraseKey, std::size_t>> places;
  for (std::size_t i = begin; i < end; ++i) places.emplace_back(pairs_[i].second, i);
  std::sort(places.begin(), places.end());
  const auto last = std::unique(places.begin(), places.end(),
                                [](const auto& a, const auto& b) { return a.first == b.first; });
  const auto earlier = [](const auto& a, const auto& b) { return a.second < b.second; };
  std::sort(places.begin(), last, earlier);
  for (auto place = places.begin(); place != last; ++place) others_.push_back(place->first);
}

// The slot of a phrase, or the empty one where it belongs.
std::size_t Paraphrases::slot_of(PhraseKey phrase) const {
  const std::size_t last = slots_.size() - 1;
  std::size_t at = phrase & last;
  while (slots_[at].size != 0 && slots_[at].key != phrase) at = (at + 1) & last;
  return at;
}

void Paraphrases::mark(PhraseKey phrase, bool begins) {
  if (known_.empty()) known_.resize(kKnownKeys / 32);
  const std::size_t at = phrase % kKnownKeys;
  known_[at / 32] |= std::uint64_t{begins ? 2U : 1U} << 2 * (at % 32);
}

Paraphrases::Known Paraphrases::known(PhraseKey phrase) const {
  if (known_.empty()) return {};
  const std::size_t at = phrase % kKnownKeys;
  const std::uint64_t bits = known_[at / 32] >> 2 * (at % 32);
  return {(bits & 1) != 0, (bits & 2) != 0};
}

Paraphrases::Others Paraphrases::others(PhraseKey phrase) const {
  const Slot& slot = slots_[slot_of(phrase)];
  return {others_.data() + slot.start, others_.data() + slot.start + slot.size};
}

void MeteorLexicon::find(const TokenList& words, std::vector<std::int64_t>& numbers) const {
  const auto lock = reading();
  numbers.resize(words.size());
  numbers_.prefetch_slots(words);
  for (std::size_t i = 0; i < words.size(); ++i) numbers[i] = numbers_.find(words, words[i]);
}

void MeteorLexicon::add(const TokenList& words, const Token& word, const std::string& stem,
                        bool function, const std::vector<std::int64_t>& synonyms) {
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  if (numbers_.find(words, word) >= 0) return;
  Entry entry;
  entry.key = word_key(words.text_of(word));
  entry.phrase = extend_phrase(0, entry.key);
  entry.known = paraphrases_->known(entry.phrase);
  entry.stem = number_in(stems_, stem);
  entry.function = function;
  entry.characters = utf16_units(words.text_of(word));
  for (const std::int64_t set : synonyms) entry.synonyms.push_back(number_in(sets_, set));
  std::sort(entry.synonyms.begin(), entry.synonyms.end());
  words_.push_back(std::move(entry));
  numbers_.number_of(words, word);
}

std::size_t MeteorLexicon::close_paraphrases() {
  const std::size_t entries = paraphrases_->close();
  for (Entry& word : words_) word.known = paraphrases_->known(word.phrase);
  return entries;
}

bool share_synonym(const MeteorLexicon::Entry& a, const MeteorLexicon::Entry& b) {
  for (std::size_t i = 0, j = 0; i < a.synonyms.size() && j < b.synonyms.size();) {
    if (a.synonyms[i] == b.synonyms[j]) return true;
    a.synonyms[i] < b.synonyms[j] ? ++i : ++j;
  }
  return false;
}

}  // namespace bleuet
