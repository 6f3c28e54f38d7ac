// Sums in the order of the Python backend, so that they round alike.
#include "ngrams/cider.hpp"

#include <algorithm>
#include <cmath>

namespace bleuet {
namespace {

// Logarithms take longer than finding an n-gram, and most n-grams are in few segments.
constexpr std::size_t kFewSegments = 256;

}  // namespace

NgramRareness::NgramRareness(const LearnedReferences& references, std::size_t order,
                             unsigned threads)
    : counts_(references, order, LearnedNgrams::Unit::segments, kUnknown, threads),
      segments_(
          std::log(static_cast<double>(std::max<std::size_t>(references.segments().size(), 1)))) {
  for (std::uint32_t count = 0; count < kFewSegments; ++count) {
    few_.push_back(std::max(segments_ - std::log(static_cast<double>(std::max(count, 1u))), 0.0));
  }
}

double NgramRareness::of(std::uint32_t count) const {
  if (count < kFewSegments) return few_[count];
  return std::max(segments_ - std::log(static_cast<double>(count)), 0.0);
}

void CiderCounter::fill_row(const Reference* references, std::size_t n_references,
                            std::int64_t* integers, double* reals) {
  const WordNumbers hypothesis = hypothesis_words();
  std::size_t words = hypothesis.size;
  for (std::size_t r = 0; r < n_references; ++r) words += references[r].size;
  clear(words * options_.max_ngram_order);
  read(hypothesis);
  own_.clear();
  for (const std::uint32_t ngram : different_) {
    own_.push_back({ngram, ngrams_[ngram].count * ngrams_[ngram].rareness});
  }
  own_ends_ = ends_;
  own_norms_ = norms_;
  forget();
  double total = 0.0;
  for (std::size_t r = 0; r < n_references; ++r) {
    read(references[r]);
    const std::size_t shorter = std::min(hypothesis.size, references[r].size);
    double cosines = 0.0;
    for (std::size_t n = 1; n <= std::min(options_.max_ngram_order, shorter); ++n) {
      cosines += similarity(n, norms_[n - 1]);
    }
    total += cosines / static_cast<double>(options_.max_ngram_order) * penalty(references[r].size);
    forget();
  }
  integers[0] = 1;
  reals[0] = total / static_cast<double>(n_references);
}

// Words that no reference has get numbers above all others, equal words the same one.
WordNumbers CiderCounter::hypothesis_words() {
  const TokenList& tokens = hypothesis_.tokens;
  if (options_.words->find(tokens, words_)) {
    tokens_.number(tokens, firsts_);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (words_[i] == kUnknown) words_[i] = options_.words->size() + firsts_[i];
    }
  }
  return {words_.data(), words_.size()};
}

void CiderCounter::clear(std::size_t ngrams) {
  const std::size_t size = table_size_for(ngrams);
  keys_.resize(size);
  slots_.assign(size, kUnknown);
  ngrams_.clear();
}

// Counts the n-grams of a text (equation 1). As in the programs of the paper's authors, counts are
// not divided by the length of the text, which would change only CIDEr-D.
void CiderCounter::read(const WordNumbers& text) {
  begun_.assign(text.size, kUnknown);
  different_.clear();
  for (std::size_t n = 1; n <= options_.max_ngram_order; ++n) {
    for (std::size_t i = 0; i + n <= text.size; ++i) {
      begun_[i] = number(n, begun_[i], text[i + n - 1]);
      Ngram& ngram = ngrams_[begun_[i]];
      if (ngram.count == 0) different_.push_back(begun_[i]);
      ++ngram.count;
    }
    double square = 0.0;
    for (std::size_t i = ends_[n - 1]; i < different_.size(); ++i) {
      const Ngram& ngram = ngrams_[different_[i]];
      const double weight = ngram.count * ngram.rareness;
      square += weight * weight;
    }
    norms_[n - 1] = std::sqrt(square);
    ends_[n] = different_.size();
  }
}

// The number of the n-gram of some first words, kUnknown for none, and a last word.
std::uint32_t CiderCounter::number(std::size_t n, std::uint32_t first, std::uint32_t word) {
  const std::uint64_t key = std::uint64_t{first} << 32 | word;
  const std::size_t last = slots_.size() - 1;
  std::size_t at = mix(key) & last;
  while (slots_[at] != kUnknown && keys_[at] != key) at = (at + 1) & last;
  if (slots_[at] != kUnknown) return slots_[at];
  const LearnedNgrams& counts = options_.rareness->counts();
  LearnedNgrams::Ngram known{kUnknown, 0};
  if (n == 1) {
    known = counts.single(word);
  } else if (ngrams_[first].known.number != kUnknown) {
    known = counts.longer(n, ngrams_[first].known.number, word);
  }
  keys_[at] = key;
  slots_[at] = static_cast<std::uint32_t>(ngrams_.size());
  ngrams_.push_back({known, options_.rareness->of(known.count), 0});
  return slots_[at];
}

void CiderCounter::forget() {
  for (const std::uint32_t ngram : different_) ngrams_[ngram].count = 0;
}

// The cosine of the vectors of one order (equation 2), which CIDEr-D clips (equation 4).
double CiderCounter::similarity(std::size_t n, double norm) const {
  if (own_norms_[n - 1] == 0 || norm == 0) return 0.0;
  double product = 0.0;
  for (std::size_t i = own_ends_[n - 1]; i < own_ends_[n]; ++i) {
    const Ngram& ngram = ngrams_[own_[i].ngram];
    const double other = ngram.count * ngram.rareness;
    product += (options_.clipped ? std::min(own_[i].weight, other) : own_[i].weight) * other;
  }
  return product / (own_norms_[n - 1] * norm);
}

// The Gaussian of a difference in length (equation 4).
double CiderCounter::penalty(std::size_t reference_size) const {
  if (!options_.clipped) return 1.0;
  const double words = static_cast<double>(words_.size()) - static_cast<double>(reference_size);
  return std::exp(-(words * words) / (2 * options_.variance));
}

}  // namespace bleuet
