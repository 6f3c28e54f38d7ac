// The shifts of words, and then the edits of characters.
#include "edits/character.hpp"

#include <algorithm>
#include <stdexcept>

namespace bleuet {
namespace {

// Positions are 32-bit numbers with room for sums.
constexpr std::size_t kLongestSegment = 1U << 28;

double rate(const CharacterCounter::Parts& parts) {
  const double cost = parts.shifts + static_cast<double>(parts.edits);
  if (parts.characters == 0) return cost > 0 ? 1.0 : 0.0;
  return std::min(1.0, cost / static_cast<double>(parts.characters));
}

}  // namespace

WerCounter::Options CharacterCounter::of_text() {
  WerCounter::Options options;
  options.characters = true;
  return options;
}

void CharacterCounter::read(const Text& text, std::vector<char>& buffer) {
  if (text.length > kLongestSegment)
    throw std::length_error("a segment has more than 2^28 characters; split it into segments");
  split_words(to_utf8(text, options_.letter_case, buffer), words_);
}

// The words with a space between two, in the order of the text if there is no other.
Text CharacterCounter::joined(const std::vector<std::int32_t>* order) {
  joined_.clear();
  bool ascii = true;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const TerWord& word = words_[order == nullptr ? i : static_cast<std::size_t>((*order)[i])];
    if (i > 0) joined_.push_back(' ');
    joined_.insert(joined_.end(), word.bytes, word.bytes + word.length);
  }
  for (const char byte : joined_) ascii = ascii && static_cast<unsigned char>(byte) < 0x80;
  const std::size_t length = joined_.size();
  joined_.resize(length + kPadding);
  return {joined_.data(), length, ascii ? std::uint8_t{1} : kUtf8, ascii};
}

void CharacterCounter::prepare(const Text& text, Reference& reference) {
  read(text, reference.vocabulary.text());
  reference.vocabulary.clear(words_.size());
  numbers_.clear();
  for (const TerWord& word : words_) numbers_.push_back(reference.vocabulary.add(word));
  reference.words.build(numbers_, reference.vocabulary.size());
  characters_.prepare(joined(nullptr), reference.characters);
}

void CharacterCounter::trim(Reference& reference) {
  reference.vocabulary.trim();
  reference.words.trim();
  WerCounter::trim(reference.characters);
}

void CharacterCounter::count(const Text& hypothesis, const Reference* references,
                             std::size_t n_references, std::int64_t* integers, double* reals) {
  read(hypothesis, bytes_);
  integers[0] = 1;
  for (std::size_t r = 0; r < n_references; ++r) {
    const Parts one = parts(references[r]);
    const double far = rate(one);
    if (r > 0 && far >= reals[0]) continue;
    nearest_ = one;
    reals[0] = far;
  }
}

CharacterCounter::Parts CharacterCounter::parts(const Reference& reference) {
  numbers_.clear();
  for (const TerWord& word : words_) numbers_.push_back(reference.vocabulary.find(word));
  shifts_.find(words_, numbers_, reference.words);
  const Text shifted = joined(&shifts_.order());
  const WerCounter::Distance found = characters_.distance(shifted, reference.characters);
  return {shifts_.cost(), found.edits, found.items};
}

}  // namespace bleuet
