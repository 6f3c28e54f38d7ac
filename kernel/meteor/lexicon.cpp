#include "meteor/lexicon.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "text/text.hpp"

namespace bleuet {
namespace {

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

constexpr const char* kClosed = "the table of paraphrases has ended";

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

void Paraphrases::read(std::string_view part) {
  if (closed_) throw std::invalid_argument(kClosed);
  for (;;) {
    const std::size_t end = part.find('\n');
    if (end == std::string_view::npos) break;
    if (rest_.empty()) {
      read_line(part.substr(0, end), part.size());
    } else {
      rest_.append(part.substr(0, end));
      read_line(rest_, rest_.size());
      rest_.clear();
    }
    part.remove_prefix(end + 1);
  }
  rest_.append(part);
}

// As many bytes as `readable` can be read from the start of the line on.
void Paraphrases::read_line(std::string_view line, std::size_t readable) {
  if (lines_++ % 3 == 0) return;  // a probability, which does not count
  const bool first = lines_ % 3 == 2;
  // Tables have the entries of a phrase one after the other.
  if (first && !pairs_.empty() && line == last_) {
    pairs_.emplace_back(pairs_.back().first, 0);
    return;
  }
  std::string copy;
  if (readable < line.size() + kPadding) {
    copy = std::string(line) + std::string(kPadding, '\0');
    line = std::string_view(copy).substr(0, line.size());
  }
  line_.read_from(line);
  std::uint32_t phrase = 0;
  for (std::size_t begin = 0; begin < line.size();) {
    const std::size_t end = std::min(line.find(' ', begin), line.size());
    if (end > begin) {
      line_.clear();
      line_.add(begin, end);
      if (phrase != 0) nodes_[phrase].begins = 1;
      phrase = number_of(phrase, static_cast<std::uint32_t>(words_.number_of(line_, line_[0])));
    }
    begin = end + 1;
  }
  if (nodes_.empty()) grow();
  nodes_[phrase].phrase = 1;
  if (first) {
    pairs_.emplace_back(phrase, 0);
    last_ = line;
  } else {
    pairs_.back().second = phrase;
  }
}

std::size_t Paraphrases::close() {
  if (closed_) throw std::invalid_argument(kClosed);
  if (!rest_.empty()) read_line(rest_, rest_.size());
  rest_.clear();
  if (lines_ % 3 != 0) throw std::invalid_argument("the last entry is not complete");
  closed_ = true;
  if (nodes_.empty()) return 0;
  // The others of each phrase in the order of the table.
  std::vector<std::size_t> ends(nodes_.size() + 1);
  for (const auto& pair : pairs_) ++ends[pair.first + 1];
  for (std::size_t i = 1; i < ends.size(); ++i) ends[i] += ends[i - 1];
  std::vector<std::uint32_t> all(pairs_.size());
  for (const auto& pair : pairs_) all[ends[pair.first]++] = pair.second;
  pairs_ = {};
  last_.clear();
  others_.reserve(all.size());
  for (std::size_t phrase = 0, begin = 0; phrase < nodes_.size(); ++phrase) {
    nodes_[phrase].start = static_cast<std::uint32_t>(others_.size());
    add_others(all.data() + begin, all.data() + ends[phrase]);
    begin = ends[phrase];
  }
  nodes_.push_back({0, 0, 0, 0, static_cast<std::uint32_t>(others_.size())});
  nodes_.shrink_to_fit();
  filter_.assign(kFilterBits / 64, 0);
  for (std::size_t number = 1; number + 1 < nodes_.size(); ++number) {
    const std::size_t bit = bit_of(nodes_[number].before, nodes_[number].word);
    filter_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
  return lines_ / 3;
}

// Adds what a phrase leads to, each phrase once, where it comes first.
void Paraphrases::add_others(const std::uint32_t* begin, const std::uint32_t* end) {
  std::vector<std::pair<std::uint32_t, const std::uint32_t*>> places;
  for (const std::uint32_t* at = begin; at != end; ++at) places.emplace_back(*at, at);
  std::sort(places.begin(), places.end());
  const auto last = std::unique(places.begin(), places.end(),
                                [](const auto& a, const auto& b) { return a.first == b.first; });
  const auto earlier = [](const auto& a, const auto& b) { return a.second < b.second; };
  std::sort(places.begin(), last, earlier);
  for (auto place = places.begin(); place != last; ++place) others_.push_back(place->first);
}

std::uint32_t Paraphrases::word(const Vocabulary& words, std::size_t number) const {
  return static_cast<std::uint32_t>(words_.find(words, number));
}

Paraphrases::Known Paraphrases::extend(std::uint32_t phrase, std::uint32_t word) const {
  if (filter_.empty() || phrase == kUnknown || word == kUnknown) return {};
  const std::size_t bit = bit_of(phrase, word);
  if ((filter_[bit / 64] >> (bit % 64) & 1) == 0) return {};
  const std::uint32_t number = slots_[slot_of(phrase, word)];
  if (number == 0) return {};
  return {number, nodes_[number].phrase != 0, nodes_[number].begins != 0};
}

std::uint32_t Paraphrases::number_of(std::uint32_t phrase, std::uint32_t word) {
  constexpr std::uint32_t kMostWords = std::uint32_t{1} << 30;
  if (2 * (nodes_.size() + 1) > slots_.size()) grow();
  const std::size_t slot = slot_of(phrase, word);
  if (slots_[slot] != 0) return slots_[slot];
  if (word >= kMostWords || nodes_.size() >= kUnknown - 1) {
    throw std::length_error("the table of paraphrases has too many different phrases");
  }
  slots_[slot] = static_cast<std::uint32_t>(nodes_.size());
  Node node{};
  node.before = phrase;
  node.word = word & (kMostWords - 1);
  nodes_.push_back(node);
  return slots_[slot];
}

// The slot of a phrase by its beginning and last word, or the empty one where it belongs.
std::size_t Paraphrases::slot_of(std::uint32_t phrase, std::uint32_t word) const {
  const std::size_t last = slots_.size() - 1;
  std::size_t at = mix(key_of(phrase, word)) & last;
  for (; slots_[at] != 0; at = (at + 1) & last) {
    const Node& there = nodes_[slots_[at]];
    if (there.before == phrase && there.word == word) break;
  }
  return at;
}

void Paraphrases::grow() {
  if (nodes_.empty()) nodes_.push_back({0, 0, 0, 0, 0});
  slots_.assign(slots_.empty() ? 1024 : 2 * slots_.size(), 0);
  for (std::size_t number = 1; number < nodes_.size(); ++number) {
    slots_[slot_of(nodes_[number].before, nodes_[number].word)] =
        static_cast<std::uint32_t>(number);
  }
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
  entry.stem = number_in(stems_, stem);
  entry.function = function;
  entry.characters = utf16_units(words.text_of(word));
  for (const std::int64_t set : synonyms) entry.synonyms.push_back(number_in(sets_, set));
  std::sort(entry.synonyms.begin(), entry.synonyms.end());
  words_.push_back(std::move(entry));
  numbers_.number_of(words, word);
  know_phrase(words_.size() - 1);
}

void MeteorLexicon::know_phrase(std::size_t number) {
  words_[number].in_phrases = paraphrases_->word(numbers_, number);
  words_[number].phrase = paraphrases_->extend(0, words_[number].in_phrases);
}

std::size_t MeteorLexicon::close_paraphrases() {
  const std::size_t entries = paraphrases_->close();
  for (std::size_t i = 0; i < words_.size(); ++i) know_phrase(i);
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
