#include "ngrams/reference_words.hpp"

#include <string>

#include "text/text.hpp"

namespace bleuet {
namespace {

// The number in a vocabulary, -1 where it lacks the word.
std::int32_t find_text(const Vocabulary& vocabulary, std::string_view text) {
  const std::string padded = std::string(text) + std::string(kPadding, '\0');
  TokenList tokens;
  tokens.read_from(padded);
  tokens.add(0, text.size());
  return vocabulary.find(tokens, tokens[0]);
}

}  // namespace

std::uint32_t number_of_zero(const LearnedReferences& learned) {
  const std::int32_t number = find_text(learned.vocabulary(), "0");
  return number < 0 ? static_cast<std::uint32_t>(learned.vocabulary().size())
                    : static_cast<std::uint32_t>(number);
}

ReferenceWords::ReferenceWords(const LearnedReferences& references,
                               const LearnedReferences& learned)
    : ends(references.segments()),
      references_(references),
      learned_(learned),
      words_(references.words().data()),
      size_(static_cast<std::uint32_t>(learned.vocabulary().size()) + 1) {
  if (&references == &learned) return;
  const Vocabulary& vocabulary = references.vocabulary();
  const std::uint32_t zero = number_of_zero(learned);
  numbers_.resize(vocabulary.size());
  for (std::size_t word = 0; word < vocabulary.size(); ++word) {
    const std::int32_t known = learned.vocabulary().find(vocabulary, word);
    if (known >= 0) {
      numbers_[word] = static_cast<std::uint32_t>(known);
    } else {
      numbers_[word] = vocabulary[word] == "0" ? zero : size_++;
    }
  }
  translated_.reserve(references.words().size());
  for (const std::uint32_t word : references.words()) translated_.push_back(numbers_[word]);
  words_ = translated_.data();
}

bool ReferenceWords::find(const TokenList& tokens, std::vector<std::uint32_t>& numbers) const {
  references_.vocabulary().prefetch_slots(tokens);
  numbers.resize(tokens.size());
  bool unknown = false;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    numbers[i] = find(tokens, tokens[i]);
    unknown = unknown || numbers[i] == kUnknown;
  }
  return unknown;
}

std::uint32_t ReferenceWords::find(const TokenList& tokens, const Token& token) const {
  if (&references_ != &learned_) {
    const std::int32_t number = references_.vocabulary().find(tokens, token);
    if (number >= 0) return numbers_[static_cast<std::size_t>(number)];
  }
  return static_cast<std::uint32_t>(learned_.vocabulary().find(tokens, token));
}

}  // namespace bleuet
