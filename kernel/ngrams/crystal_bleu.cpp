#include "ngrams/crystal_bleu.hpp"

#include <algorithm>

#include "ngrams/number_masks.hpp"

namespace bleuet {

void CrystalBleuCounter::fill_row(const Reference* references, std::size_t n_references,
                                  std::int64_t* integers, double* reals) {
  const std::size_t order = options_.max_ngram_order;
  const std::size_t length = hypothesis_.tokens.size();
  *integers++ = static_cast<std::int64_t>(length);
  const double compared = reference_length(options_.reference_length, length, n_references,
                                           [&](std::size_t r) { return references[r].size; });
  if (options_.reference_length == ReferenceLength::average) {
    *reals = compared;
  } else {
    *integers++ = static_cast<std::int64_t>(compared);
  }
  options_.words->find(hypothesis_.tokens, words_);
  ignored_.resize(length);
  for (std::size_t i = 0; i < length; ++i) {
    ignored_[i] = options_.common->orders_at(words_.data() + i, length - i);
  }
  std::fill_n(integers, order, 0);
  if (n_references == 1 && references[0].size <= kFewTokens) {
    match_by_positions(references[0], integers);
  } else {
    match_by_numbers(references, n_references, integers);
  }
  count_totals(integers + order);
}

void CrystalBleuCounter::count_totals(std::int64_t* totals) {
  const std::size_t order = options_.max_ngram_order;
  const std::size_t length = ignored_.size();
  for (std::size_t n = 0; n < order; ++n) {
    totals[n] = static_cast<std::int64_t>(length - std::min(n, length));
  }
  for (const std::size_t orders : ignored_) {
    for (std::size_t n = 0; n < std::min(orders, order); ++n) --totals[n];
  }
  for (std::size_t n = 0; n < order; ++n) {
    totals[n] = std::max<std::int64_t>(totals[n], options_.phantom_ngrams);
  }
}

// As in NistCounter::add_by_positions.
void CrystalBleuCounter::match_by_positions(const WordNumbers& reference, std::int64_t* matches) {
  const std::size_t size = words_.size();
  const std::size_t order = std::min(options_.max_ngram_order, kFewTokens);
  positions_.resize(size);
  free_.assign(order, ~std::uint64_t{0});
  const NumberMasks masks(reference);
  for (std::size_t i = 0; i < size; ++i) positions_[i] = masks[words_[i]];
  for (std::size_t i = 0; i < size; ++i) {
    std::uint64_t places = positions_[i];
    for (std::size_t n = 0; places != 0; places &= positions_[i + n] >> n) {
      const std::uint64_t open = places & free_[n];
      free_[n] ^= open & (~open + 1);
      matches[n] += open != 0 && n >= ignored_[i];
      if (++n == order || i + n == size) break;
    }
  }
}

void CrystalBleuCounter::match_by_numbers(const WordNumbers* references, std::size_t n_references,
                                          std::int64_t* matches) {
  const std::size_t size = words_.size();
  matcher_.start({words_.data(), size}, references, n_references);
  for (std::size_t n = 0; n < options_.max_ngram_order && matcher_.extend(n + 1); ++n) {
    for (std::size_t i = 0; i + n < size; ++i) {
      matches[n] += matcher_.take(i) && n >= ignored_[i];
    }
  }
}

}  // namespace bleuet
