// Counting the edits of one segment against its references.
#include "edits/ter.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace bleuet {
namespace {

// Positions are 32-bit numbers with room for sums.
constexpr std::size_t kLongestSegment = 1U << 28;

void check_length(std::size_t n) {
  if (n > kLongestSegment)
    throw std::length_error("a segment has more than 2^28 characters; split it into segments");
}

void check_length(const Text& text) {
  if (text.length > kLongestSegment) check_length(count_code_points(text));
}

}  // namespace

TerCounter::TerCounter(const Options& options)
    : options_(options),
      tokenizer_({options.normalized, options.no_punct, options.asian_support}) {}

void TerCounter::prepare(const Text& text, Reference& reference) {
  check_length(text);
  const int times = options_.tokenize_references_once ? 1 : 2;
  split_words(tokenizer_.prepare(text, options_.letter_case, times, reference.vocabulary.text()),
              words_);
  prepare_words(reference);
}

void TerCounter::trim(Reference& reference) {
  reference.vocabulary.trim();
  reference.positions.trim();
}

void TerCounter::count(const Text& hypothesis, const Reference* references,
                       std::size_t n_references, std::int64_t* integers, double* reals) {
  check_length(hypothesis);
  split_words(tokenizer_.prepare(hypothesis, options_.letter_case, 1, bytes_), words_);
  count_words(references, n_references, integers, reals);
}

void TerCounter::prepare_ids(const std::int64_t* ids, std::size_t n, Reference& reference) {
  read_ids(ids, n);
  prepare_words(reference);
}

void TerCounter::count_ids(const std::int64_t* ids, std::size_t n, const Reference* references,
                           std::size_t n_references, std::int64_t* integers, double* reals) {
  read_ids(ids, n);
  count_words(references, n_references, integers, reals);
}

void TerCounter::read_ids(const std::int64_t* ids, std::size_t n) {
  check_length(n);
  words_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    words_.push_back({static_cast<std::uint64_t>(ids[i]), nullptr, sizeof ids[i]});
  }
}

void TerCounter::prepare_words(Reference& reference) {
  reference.vocabulary.clear(words_.size());
  numbers_.clear();
  for (const TerWord& word : words_) numbers_.push_back(reference.vocabulary.add(word));
  reference.positions.build(numbers_, reference.vocabulary.size());
}

void TerCounter::count_words(const Reference* references, std::size_t n_references,
                             std::int64_t* integers, double* reals) {
  std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
  std::int64_t lengths = 0;
  for (std::size_t r = 0; r < n_references; ++r) {
    const Reference& reference = references[r];
    numbers_.clear();
    for (const TerWord& word : words_) numbers_.push_back(reference.vocabulary.find(word));
    const std::int64_t edits =
        search_.edits(numbers_, reference.positions, marks_ == nullptr ? nullptr : &marks_->tried);
    if (edits < fewest && marks_ != nullptr) marks_->keep(r);
    fewest = std::min(fewest, edits);
    lengths += reference.positions.size();
  }
  integers[0] = fewest;
  reals[0] = static_cast<double>(lengths) / static_cast<double>(n_references);
}

double ter_score(std::int64_t edits, double reference_length) {
  if (reference_length > 0) return 100 * (static_cast<double>(edits) / reference_length);
  return edits > 0 ? 100 : 0;
}

}  // namespace bleuet
