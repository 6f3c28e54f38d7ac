// The shifts of words, and then the edits of characters.
#include "edits/character.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace bleuet {
namespace {

// Positions are 32-bit numbers with room for sums.
constexpr std::size_t kLongestSegment = 1U << 28;

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
  reals[0] = std::numeric_limits<double>::infinity();
  for (std::size_t r = 0; r < n_references; ++r) {
    reals[0] = std::min(reals[0], rate(references[r]));
  }
}

double CharacterCounter::rate(const Reference& reference) {
  numbers_.clear();
  for (const TerWord& word : words_) numbers_.push_back(reference.vocabulary.find(word));
  shifts_.find(words_, numbers_, reference.words);
  const Text shifted = joined(&shifts_.order());
  std::int64_t edits[4];
  characters_.count(shifted, &reference.characters, 1, edits, nullptr);
  const auto length = static_cast<double>(edits[0] + edits[1] + edits[3]);
  const double cost = shifts_.cost() + static_cast<double>(edits[1] + edits[2] + edits[3]);
  if (length == 0) return cost > 0 ? 1.0 : 0.0;
  return std::min(1.0, cost / length);
}

}  // namespace bleuet
