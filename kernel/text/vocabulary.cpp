#include "text/vocabulary.hpp"

#include <cstring>
#include <limits>
#include <stdexcept>

namespace bleuet {

std::int32_t Vocabulary::number_of(const TokenList& tokens, const Token& token) {
  return number_of(tokens.text_of(token), token);
}

std::int32_t Vocabulary::number_of(const Vocabulary& other, std::size_t number) {
  return number_of(other[number], other.words_[number]);
}

std::int32_t Vocabulary::find(const TokenList& tokens, const Token& token) const {
  return find(tokens.text_of(token), token);
}

std::int32_t Vocabulary::find(const Vocabulary& other, std::size_t number) const {
  return find(other[number], other.words_[number]);
}

std::int32_t Vocabulary::find(std::string_view text, const Token& token) const {
  if (slots_.empty()) return -1;
  return static_cast<std::int32_t>(slots_[slot_of(text, token)]) - 1;
}

std::int32_t Vocabulary::number_of(std::string_view text, const Token& token) {
  if (2 * words_.size() >= slots_.size()) grow();
  const std::size_t slot = slot_of(text, token);
  if (slots_[slot] != 0) return static_cast<std::int32_t>(slots_[slot] - 1);
  const std::int32_t number = add(text, token);
  slots_[slot] = static_cast<std::uint32_t>(number) + 1;
  return number;
}

// The slot of a token, or the empty one where it belongs.
std::size_t Vocabulary::slot_of(std::string_view text, const Token& token) const {
  const std::size_t last = slots_.size() - 1;
  for (std::size_t at = hash_token(token) & last;; at = (at + 1) & last) {
    if (slots_[at] == 0) return at;
    const std::size_t number = slots_[at] - 1;
    const Token& there = words_[number];
    if (there.low != token.low || there.high != token.high || there.size != token.size) continue;
    if (token.size <= kWholeToken || (*this)[number] == text) return at;
  }
}

std::int32_t Vocabulary::add(std::string_view text, const Token& token) {
  if (words_.size() >= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()) ||
      bytes_.size() + text.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("the texts have too many different words; compare fewer segments");
  }
  Token word = token;
  word.begin = static_cast<std::uint32_t>(bytes_.size());
  if (token.size <= kWholeToken) {
    // Not from the text, which a list that is kept has for long tokens only.
    char whole[kWholeToken];
    std::memcpy(whole, &token.low, 8);
    std::memcpy(whole + 8, &token.high, 8);
    bytes_.insert(bytes_.end(), whole, whole + token.size);
  } else {
    bytes_.insert(bytes_.end(), text.begin(), text.end());
  }
  words_.push_back(word);
  return static_cast<std::int32_t>(words_.size() - 1);
}

void Vocabulary::grow() {
  slots_.assign(slots_.empty() ? 1024 : 2 * slots_.size(), 0);
  const std::size_t last = slots_.size() - 1;
  for (std::size_t number = 0; number < words_.size(); ++number) {
    std::size_t at = hash_token(words_[number]) & last;
    while (slots_[at] != 0) at = (at + 1) & last;
    slots_[at] = static_cast<std::uint32_t>(number) + 1;
  }
}

}  // namespace bleuet
