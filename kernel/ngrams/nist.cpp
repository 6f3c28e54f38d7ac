#include "ngrams/nist.hpp"

#include <algorithm>

#include "ngrams/number_masks.hpp"

namespace bleuet {
void NistCounter::fill_row(const Reference* references, std::size_t n_references,
                           std::int64_t* integers, double* reals) {
  const std::size_t order = options_.max_ngram_order;
  const std::size_t size = hypothesis_.tokens.size();
  std::size_t length = 0;
  for (std::size_t r = 0; r < n_references; ++r) length += references[r].size;
  for (std::size_t n = 0; n < order; ++n) {
    integers[n] = static_cast<std::int64_t>(size - std::min(n, size));
  }
  reals[0] = static_cast<double>(length) / static_cast<double>(n_references);
  std::fill_n(reals + 1, order, 0.0);

  options_.words->find(hypothesis_.tokens, words_);
  if (n_references == 1 && length <= kFewTokens) {
    add_by_positions(references[0], reals + 1);
  } else {
    add_by_numbers(references, n_references, reals + 1);
  }
}

// The n-gram that starts at i stands where its first n - 1 words stand and its last n - 1 places
// later; taking the lowest place not yet taken clips exactly.
void NistCounter::add_by_positions(const WordNumbers& reference, double* bits) {
  const NgramInformation& information = *options_.information;
  const std::size_t size = words_.size();
  const std::size_t order = std::min(options_.max_ngram_order, kFewTokens);
  positions_.resize(size);
  free_.assign(order, ~std::uint64_t{0});
  const NumberMasks masks(reference);
  for (std::size_t i = 0; i < size; ++i) positions_[i] = masks[words_[i]];
  for (std::size_t i = 0; i < size; ++i) {
    std::uint64_t places = positions_[i];
    if (places == 0) continue;
    NgramInformation::Ngram ngram = information.single(words_[i]);
    for (std::size_t n = 1;; ++n) {
      std::uint64_t& free = free_[n - 1];
      const std::uint64_t open = places & free;
      if (open != 0) bits[n - 1] += ngram.bits;
      free ^= open & (~open + 1);
      if (n == order || i + n == size || NgramInformation::ends(ngram)) break;
      places &= positions_[i + n] >> n;
      if (places == 0) break;
      ngram = information.longer(n + 1, ngram, words_[i + n]);
    }
  }
}

void NistCounter::add_by_numbers(const WordNumbers* references, std::size_t n_references,
                                 double* bits) {
  const NgramInformation& information = *options_.information;
  const std::size_t size = words_.size();
  ngrams_.resize(size);
  matcher_.start({words_.data(), size}, references, n_references);
  for (std::size_t n = 1; n <= options_.max_ngram_order && matcher_.extend(n); ++n) {
    for (std::size_t i = 0; i + n <= size; ++i) {
      const std::uint32_t first = matcher_.number(i);
      if (first == kUnknown) continue;
      if (first != i) {
        ngrams_[i] = ngrams_[first];
      } else if (n == 1) {
        ngrams_[i] = information.single(words_[i]);
      } else {
        ngrams_[i] = information.longer(n, ngrams_[i], words_[i + n - 1]);
      }
      if (matcher_.take(i)) bits[n - 1] += ngrams_[i].bits;
    }
  }
}

}  // namespace bleuet
