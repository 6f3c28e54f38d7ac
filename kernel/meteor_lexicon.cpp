#include "meteor_lexicon.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

namespace bleuet {
namespace {

constexpr std::size_t kPresentBits = std::size_t{1} << 25;

// The finalizer of MurmurHash3, which mixes all bits.
std::uint64_t mixed(std::uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdULL;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53ULL;
  return h ^ (h >> 33);
}

}  // namespace

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
  std::size_t words = 0;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    if (end > 0) {
      key = extend_phrase(key, word_key(line.substr(0, end)));
      ++words;
    }
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  longest_ = std::max(longest_, words);
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
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  present_.assign(kPresentBits / 64, 0);
  others_.reserve(pairs_.size());
  const auto mark = [&](PhraseKey key) {
    const std::size_t bit = key % kPresentBits;
    present_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  };
  for (const auto& [key, other] : pairs_) {
    mark(key);
    mark(other);
    if (keys_.empty() || keys_.back() != key) {
      keys_.push_back(key);
      starts_.push_back(static_cast<std::uint32_t>(others_.size()));
    }
    others_.push_back(other);
  }
  starts_.push_back(static_cast<std::uint32_t>(others_.size()));
  pairs_ = {};
  return lines_ / 3;
}

std::size_t Paraphrases::find(PhraseKey phrase) const {
  const auto place = std::lower_bound(keys_.begin(), keys_.end(), phrase);
  if (place == keys_.end() || *place != phrase) return keys_.size();
  return static_cast<std::size_t>(place - keys_.begin());
}

bool Paraphrases::may_have(PhraseKey phrase) const {
  const std::size_t bit = phrase % kPresentBits;
  return !keys_.empty() && (present_[bit / 64] >> (bit % 64) & 1) != 0;
}

bool Paraphrases::has(PhraseKey phrase, PhraseKey other) const {
  const std::size_t place = find(phrase);
  if (place == keys_.size()) return false;
  return std::binary_search(others_.begin() + starts_[place], others_.begin() + starts_[place + 1],
                            other);
}

void MeteorLexicon::add_word(std::string_view utf8, std::int64_t stem, bool function,
                             std::vector<std::int64_t> synonyms) {
  std::sort(synonyms.begin(), synonyms.end());
  const std::unique_lock<std::shared_mutex> lock(mutex_);
  words_.push_back({word_key(utf8), stem, function, std::move(synonyms)});
}

bool share_synonym(const MeteorLexicon::Entry& a, const MeteorLexicon::Entry& b) {
  for (std::size_t i = 0, j = 0; i < a.synonyms.size() && j < b.synonyms.size();) {
    if (a.synonyms[i] == b.synonyms[j]) return true;
    a.synonyms[i] < b.synonyms[j] ? ++i : ++j;
  }
  return false;
}

}  // namespace bleuet
