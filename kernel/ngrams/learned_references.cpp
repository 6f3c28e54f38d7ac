#include "ngrams/learned_references.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "text/text.hpp"
#include "text/token_numbers.hpp"

namespace bleuet {
namespace {

constexpr std::size_t kCopied = 8;

}  // namespace

// Most texts are short, and a copy of a fixed size is faster than one of any size.
inline void LearnedReferences::put(const char* text, std::size_t size) {
  char* const to = room_for(size);
  if (size <= kCopied) {
    std::memcpy(to, text, kCopied);
  } else {
    std::memcpy(to, text, size);
  }
}

inline char* LearnedReferences::room_for(std::size_t size) {
  if (text_.size() < text_size_ + size + kCopied) text_.resize(2 * (text_size_ + size) + 64);
  char* const room = text_.data() + text_size_;
  text_size_ += size;
  return room;
}

void LearnedReferences::add(const TokenList& reference, bool ids) {
  ids_ = ids_ || ids;
  const std::size_t before = text_size_;
  vocabulary_.prefetch_slots(reference);
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const Token& token = reference[i];
    words_.push_back(static_cast<std::uint32_t>(vocabulary_.number_of(reference, token)));
    if (i != 0) *room_for(1) = ' ';
    if (ids) {
      std::string text = std::to_string(static_cast<std::int64_t>(token.low));
      const std::size_t size = text.size();
      text.append(kCopied, ' ');
      put(text.data(), size);
    } else {
      put(reference.text_of(token).data(), token.size);
    }
  }
  const std::string size = '\n' + std::to_string(text_size_ - before) + '\n';
  put((size + std::string(kCopied, ' ')).data(), size.size());
  ends_.push_back(words_.size());
}

void LearnedReferences::end_segment() {
  bleuet::add(digest_, digest_of({text_.data(), text_size_}));
  text_size_ = 0;
  segments_.push_back(ends_.size());
}

void LearnedReferences::join(const LearnedReferences& other) {
  if (!words_.empty() && !other.words_.empty() && ids_ != other.ids_) {
    throw std::invalid_argument("words of text and token ids do not go together");
  }
  ids_ = ids_ || other.ids_;
  std::vector<std::uint32_t> numbers(other.vocabulary_.size());
  for (std::uint32_t word = 0; word < numbers.size(); ++word) {
    numbers[word] = static_cast<std::uint32_t>(vocabulary_.number_of(other.vocabulary_, word));
  }
  const std::size_t before = words_.size();
  words_.reserve(before + other.words_.size());
  for (const std::uint32_t word : other.words_) words_.push_back(numbers[word]);
  const std::size_t references = ends_.size();
  for (const std::size_t end : other.ends_) ends_.push_back(before + end);
  for (const std::size_t end : other.segments_) segments_.push_back(references + end);
  bleuet::add(digest_, other.digest_);
}

// Its text is its bytes.
std::int64_t LearnedReferences::id_of(std::uint32_t word) const {
  const std::string_view text = vocabulary_[word];
  std::int64_t id = 0;
  std::memcpy(&id, text.data(), std::min(text.size(), sizeof id));
  return id;
}

bool LearnedReferences::operator==(const LearnedReferences& other) const {
  if (digest_ != other.digest_ || ids_ != other.ids_ || words_.size() != other.words_.size() ||
      ends_.size() != other.ends_.size() || segments_.size() != other.segments_.size() ||
      vocabulary_.size() != other.vocabulary_.size()) {
    return false;
  }
  std::vector<std::uint32_t> numbers(other.vocabulary_.size());
  for (std::uint32_t word = 0; word < numbers.size(); ++word) {
    const std::int32_t number = vocabulary_.find(other.vocabulary_, word);
    if (number < 0) return false;
    numbers[word] = static_cast<std::uint32_t>(number);
  }
  std::vector<std::uint32_t> translated(other.words_);
  for (std::uint32_t& word : translated) word = numbers[word];
  if (segments_ == other.segments_ && ends_ == other.ends_ && words_ == translated) return true;
  return sorted_segments(words_) == other.sorted_segments(translated);
}

// The segments, each as its words with kUnknown behind each reference.
std::vector<std::vector<std::uint32_t>> LearnedReferences::sorted_segments(
    const std::vector<std::uint32_t>& words) const {
  std::vector<std::vector<std::uint32_t>> all(segments_.size());
  std::size_t word = 0, reference = 0;
  for (std::size_t segment = 0; segment < all.size(); ++segment) {
    for (; reference < segments_[segment]; ++reference) {
      for (; word < ends_[reference]; ++word) all[segment].push_back(words[word]);
      all[segment].push_back(kUnknown);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

LearnedReferences::State LearnedReferences::state() const {
  State state{
      {},     ids_, words_, {ends_.begin(), ends_.end()}, {segments_.begin(), segments_.end()},
      digest_};
  for (std::size_t word = 0; word < vocabulary_.size(); ++word) {
    state.texts.emplace_back(vocabulary_[word]);
  }
  return state;
}

LearnedReferences::LearnedReferences(const State& state)
    : words_(state.words),
      ends_(state.ends.begin(), state.ends.end()),
      segments_(state.segments.begin(), state.segments.end()),
      ids_(state.ids),
      digest_(state.digest) {
  TokenList tokens;
  std::string padded;
  for (const std::string& text : state.texts) {
    padded = text;
    padded.append(kPadding, '\0');
    tokens.read_from(padded);
    tokens.add(0, text.size());
    vocabulary_.number_of(tokens, tokens[0]);
  }
  const auto wrong = [] { throw std::invalid_argument("this is not what was learned"); };
  if (vocabulary_.size() != state.texts.size()) wrong();
  for (const std::uint32_t word : words_) {
    if (word >= vocabulary_.size()) wrong();
  }
  const auto check_ends = [&](const std::vector<std::size_t>& ends, std::size_t last) {
    if (!std::is_sorted(ends.begin(), ends.end())) wrong();
    if ((ends.empty() ? 0 : ends.back()) != last) wrong();
  };
  check_ends(ends_, words_.size());
  check_ends(segments_, ends_.size());
}

}  // namespace bleuet
