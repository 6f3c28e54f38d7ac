#include "learned_references.hpp"

#include <stdexcept>

#include "checksum.hpp"
#include "text.hpp"

namespace bleuet {

void LearnedReferences::add(const TokenList& reference, bool ids) {
  ids_ = ids_ || ids;
  if (begun_) segment_ += '\n';
  begun_ = true;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const Token& token = reference[i];
    words_.push_back(static_cast<std::uint32_t>(vocabulary_.number_of(reference, token)));
    if (i != 0) segment_ += ' ';
    if (ids) {
      segment_ += std::to_string(static_cast<std::int64_t>(token.low));
    } else {
      segment_ += reference.text_of(token);
    }
  }
  ends_.push_back(words_.size());
}

void LearnedReferences::end_segment() {
  checksum_ += crc32(segment_);
  segment_.clear();
  begun_ = false;
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
  for (const std::uint64_t end : other.ends_) ends_.push_back(before + end);
  checksum_ += other.checksum_;
}

bool LearnedReferences::operator==(const LearnedReferences& other) const {
  return checksum_ == other.checksum_ && ids_ == other.ids_ && ends_.size() == other.ends_.size() &&
         words_.size() == other.words_.size() && vocabulary_.size() == other.vocabulary_.size();
}

LearnedReferences::State LearnedReferences::state() const {
  State state{{}, ids_, words_, ends_, checksum_};
  for (std::size_t word = 0; word < vocabulary_.size(); ++word) {
    state.texts.emplace_back(vocabulary_[word]);
  }
  return state;
}

LearnedReferences::LearnedReferences(const State& state)
    : words_(state.words), ends_(state.ends), ids_(state.ids), checksum_(state.checksum) {
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
  std::uint64_t before = 0;
  for (const std::uint64_t end : ends_) {
    if (end < before) wrong();
    before = end;
  }
  if (before != words_.size()) wrong();
}

}  // namespace bleuet
