#include "ngrams/rouge.hpp"

#include <algorithm>
#include <string_view>

namespace bleuet {

void RougeCounter::prepare(const Text& text, Reference& reference) {
  tokenize(options_.tokenizer, text, options_.letter_case, reference.buffers, reference.tokens);
  const TokenList& tokens = reference.tokens;
  reference.ends.clear();
  const char* const bytes = reference.buffers.utf8.data();
  for (std::size_t i = 1; options_.unit == Unit::sentences && i < tokens.size(); ++i) {
    const std::size_t before = tokens[i - 1].begin + tokens[i - 1].size;
    const std::string_view between(bytes + before, tokens[i].begin - before);
    if (between.find('\n') != std::string_view::npos) reference.ends.push_back(i);
  }
  if (tokens.size() != 0) reference.ends.push_back(tokens.size());
}

void RougeCounter::trim(Reference& reference) {
  reference.tokens.own_text();
  reference.buffers = {};
}

// What precision and recall divide by: n-grams or tokens.
std::size_t RougeCounter::units(const Segment& segment) const {
  const std::size_t tokens = segment.tokens.size();
  if (options_.unit != Unit::ngrams) return tokens;
  return tokens < options_.order ? 0 : tokens - options_.order + 1;
}

std::size_t RougeCounter::shared_units(const Segment& reference) {
  if (units(hypothesis_) == 0 || units(reference) == 0) return 0;
  if (options_.unit == Unit::ngrams) {
    const TokenList* const tokens = &reference.tokens;
    ngrams_.count(hypothesis_.tokens, &tokens, 1, options_.order, matches_.data());
    return static_cast<std::size_t>(matches_.back());
  }
  const bool united = options_.unit == Unit::sentences || marks_ != nullptr;
  if (!united && reference.tokens.size() <= kLongestMasked) {
    return short_subsequence(reference.tokens, hypothesis_.tokens);
  }
  numbers_.number(hypothesis_.tokens, hypothesis_numbers_);
  numbers_.find(reference.tokens, reference_numbers_);
  if (united) return union_of_subsequences(reference);
  subsequence_.read(reference_numbers_.data(), reference_numbers_.size(),
                    hypothesis_numbers_.size());
  return subsequence_.length(hypothesis_numbers_.data(), hypothesis_numbers_.size());
}

// Reference tokens in the union of the subsequences, each token at most as often as the hypothesis
// has it, as in ROUGE-1.5.5 and rouge-score.
std::size_t RougeCounter::union_of_subsequences(const Segment& reference) {
  left_.assign(hypothesis_numbers_.size(), 0);
  for (const std::uint32_t number : hypothesis_numbers_) ++left_[number];
  std::size_t shared = 0;
  std::size_t start = 0;
  for (const std::size_t end : reference.ends) {
    const std::uint32_t* const sentence = reference_numbers_.data() + start;
    found_.assign(end - start, kUnknown);
    subsequence_.read(sentence, end - start, left_.size());
    std::size_t other = 0;
    for (const std::size_t other_end : hypothesis_.ends) {
      subsequence_.find(hypothesis_numbers_.data() + other, other_end - other, other, found_);
      other = other_end;
    }
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (found_[i] == kUnknown || left_[sentence[i]] == 0) continue;
      --left_[sentence[i]];
      ++shared;
      if (marks_ != nullptr) marks_->tried.push_back({found_[i], 1, start + i, 1, 0});
    }
    start = end;
  }
  return shared;
}

void RougeCounter::count(const Text& hypothesis, const Reference* references,
                         std::size_t n_references, std::int64_t* integers, double* reals) {
  prepare(hypothesis, hypothesis_);
  integers[0] = 1;
  reals[2] = -1;
  const auto divide = [](std::size_t part, std::size_t whole) {
    return static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(whole, 1));
  };
  for (std::size_t r = 0; r < n_references; ++r) {
    if (marks_ != nullptr) marks_->tried.clear();
    const std::size_t shared = shared_units(references[r]);
    const double precision = divide(shared, units(hypothesis_));
    const double recall = divide(shared, units(references[r]));
    const double sum = precision + recall;
    const double f = sum > 0 ? 2 * precision * recall / sum : 0;
    if (f <= reals[2]) continue;
    if (marks_ != nullptr) marks_->keep(r);
    reals[0] = precision;
    reals[1] = recall;
    reals[2] = f;
  }
}

}  // namespace bleuet
