#include "ngrams/ngrams.hpp"

#include <algorithm>

#include "text/token_masks.hpp"

namespace bleuet {
namespace {

// The same for one, two or four orders and up to 64 positions, as of the usual BLEU, in registers.
template <std::size_t Order>
void count_in_registers(const TokenMasks<1>& positions, const TokenList& hypothesis,
                        std::int64_t* matches) {
  std::uint64_t after1 = 0, after2 = 0, after3 = 0;
  std::uint64_t free1 = ~std::uint64_t{0}, free2 = free1, free3 = free1, free4 = free1;
  std::int64_t count1 = 0, count2 = 0, count3 = 0, count4 = 0;
  const auto take = [](std::uint64_t mask, std::uint64_t& free, std::int64_t& count) {
    const std::uint64_t open = mask & free;
    count += open != 0;
    free ^= open & (~open + 1);
  };
  for (std::size_t i = hypothesis.size(); i-- > 0;) {
    const std::uint64_t mask1 = *positions.find(hypothesis, hypothesis[i]);
    take(mask1, free1, count1);
    if constexpr (Order > 1) {
      const std::uint64_t mask2 = mask1 & (after1 >> 1);
      take(mask2, free2, count2);
      if constexpr (Order > 2) {
        const std::uint64_t mask3 = mask1 & (after2 >> 1);
        const std::uint64_t mask4 = mask1 & (after3 >> 1);
        take(mask3, free3, count3);
        take(mask4, free4, count4);
        after2 = mask2;
        after3 = mask3;
      }
      after1 = mask1;
    }
  }
  const std::int64_t counts[] = {count1, count2, count3, count4};
  std::copy_n(counts, Order, matches);
}

}  // namespace

// M1[i] holds the positions at which the reference has hypothesis token i; the n-gram that starts
// at i stands at Mn[i] = M1[i] & (M(n-1)[i+1] >> 1). Equal n-grams have equal masks and different
// ones disjoint masks, so taking the lowest position not yet taken clips exactly.
template <std::size_t Words>
void NgramMatcher::count_by_masks(const TokenList& hypothesis, const TokenList& reference,
                                  std::size_t order, std::int64_t* matches) {
  const TokenMasks<Words> positions(reference);
  if constexpr (Words == 1) {
    if (order == 4) return count_in_registers<4>(positions, hypothesis, matches);
    if (order == 2) return count_in_registers<2>(positions, hypothesis, matches);
    if (order == 1) return count_in_registers<1>(positions, hypothesis, matches);
  }
  // after[n] is the mask of order n + 1 of the next token, available[n] the positions not taken.
  masks_.assign(order * Words, 0);
  masks_.resize(2 * order * Words, ~std::uint64_t{0});
  std::uint64_t* const after = masks_.data();
  std::uint64_t* const available = after + order * Words;
  std::fill_n(matches, order, 0);

  for (std::size_t i = hypothesis.size(); i-- > 0;) {
    const std::uint64_t* const first = positions.find(hypothesis, hypothesis[i]);
    std::uint64_t mask[Words];
    std::copy_n(first, Words, mask);
    for (std::size_t n = 0; n < order; ++n) {
      std::uint64_t* const next = after + n * Words;
      std::uint64_t* const free = available + n * Words;
      bool taken = false;
      for (std::size_t w = 0; w < Words && !taken; ++w) {
        const std::uint64_t open = mask[w] & free[w];
        taken = open != 0;
        free[w] ^= open & (~open + 1);
      }
      matches[n] += taken;
      // `next` keeps this token's mask for the one before it, and the mask grows by one order.
      for (std::size_t w = 0; w < Words; ++w) {
        const std::uint64_t carried = w + 1 < Words ? next[w + 1] << 63 : 0;
        const std::uint64_t shifted = (next[w] >> 1) | carried;
        next[w] = mask[w];
        mask[w] = first[w] & shifted;
      }
    }
  }
}

void NgramMatcher::start(const TokenList& hypothesis, const TokenList* const* references,
                         std::size_t n_references) {
  make_room(n_references);
  numbers_.number(hypothesis, hypothesis_words_);
  for (std::size_t r = 0; r < n_references; ++r) {
    numbers_.find(*references[r], reference_words_[r]);
  }
  start_ngrams(n_references);
}

void NgramMatcher::start(const WordNumbers& hypothesis, const WordNumbers* references,
                         std::size_t n_references) {
  make_room(n_references);
  clear_pairs(hypothesis.size);
  hypothesis_words_.resize(hypothesis.size);
  for (std::size_t i = 0; i < hypothesis.size; ++i) {
    const std::size_t at = find_pair(hypothesis[i]);
    if (pair_values_[at] == kUnknown) {
      pair_keys_[at] = hypothesis[i];
      pair_values_[at] = static_cast<std::uint32_t>(i);
    }
    hypothesis_words_[i] = pair_values_[at];
  }
  for (std::size_t r = 0; r < n_references; ++r) {
    const WordNumbers& reference = references[r];
    reference_words_[r].resize(reference.size);
    for (std::size_t i = 0; i < reference.size; ++i) {
      reference_words_[r][i] = pair_values_[find_pair(reference[i])];
    }
  }
  start_ngrams(n_references);
}

void NgramMatcher::make_room(std::size_t n_references) {
  if (reference_words_.size() >= n_references) return;
  reference_words_.resize(n_references);
  reference_ngrams_.resize(n_references);
}

void NgramMatcher::start_ngrams(std::size_t n_references) {
  n_references_ = n_references;
  hypothesis_ngrams_ = hypothesis_words_;
  for (std::size_t r = 0; r < n_references; ++r) reference_ngrams_[r] = reference_words_[r];
}

void NgramMatcher::clear_pairs(std::size_t entries) {
  const std::size_t size = table_size_for(entries);
  pair_keys_.resize(size);
  pair_values_.assign(size, kUnknown);
}

// The slot of a pair, or the empty one where it belongs.
std::size_t NgramMatcher::find_pair(std::uint64_t key) const {
  const std::size_t last = pair_values_.size() - 1;
  std::size_t at = mix(key) & last;
  while (pair_values_[at] != kUnknown && pair_keys_[at] != key) at = (at + 1) & last;
  return at;
}

// Numbers the n-grams of one order from those of the order below: an n-gram is the pair of its
// first n - 1 tokens and its last. Only n-grams of the hypothesis get a number, and it is exact.
bool NgramMatcher::extend(std::size_t n) {
  const std::size_t size = hypothesis_words_.size();
  const std::size_t n_hypothesis = size < n ? 0 : size - n + 1;
  if (n > 1) {
    clear_pairs(size);
    for (std::size_t i = 0; i < n_hypothesis; ++i) {
      if (hypothesis_ngrams_[i] == kUnknown) continue;
      const std::uint64_t key =
          std::uint64_t{hypothesis_ngrams_[i]} << 32 | hypothesis_words_[i + n - 1];
      const std::size_t at = find_pair(key);
      if (pair_values_[at] == kUnknown) {
        pair_keys_[at] = key;
        pair_values_[at] = static_cast<std::uint32_t>(i);
      }
      hypothesis_ngrams_[i] = pair_values_[at];
    }
  }
  in_best_reference_.assign(size, 0);
  for (std::size_t r = 0; r < n_references_; ++r) {
    std::vector<std::uint32_t>& ngrams = reference_ngrams_[r];
    const std::vector<std::uint32_t>& words = reference_words_[r];
    if (words.size() < n) continue;
    in_reference_.assign(size, 0);
    for (std::size_t i = 0; i + n <= words.size(); ++i) {
      if (n > 1 && ngrams[i] != kUnknown) {
        const std::uint32_t word = words[i + n - 1];
        ngrams[i] = word == kUnknown
                        ? kUnknown
                        : pair_values_[find_pair(std::uint64_t{ngrams[i]} << 32 | word)];
      }
      if (ngrams[i] == kUnknown) continue;
      std::uint32_t& most = in_best_reference_[ngrams[i]];
      most = std::max(most, ++in_reference_[ngrams[i]]);
    }
  }
  bool any = false;
  for (std::size_t i = 0; i < n_hypothesis; ++i) {
    std::uint32_t& ngram = hypothesis_ngrams_[i];
    if (ngram != kUnknown && in_best_reference_[ngram] == 0) ngram = kUnknown;
    any = any || ngram != kUnknown;
  }
  return any;
}

void NgramMatcher::count_by_numbers(const TokenList& hypothesis, const TokenList* const* references,
                                    std::size_t n_references, std::size_t order,
                                    std::int64_t* matches) {
  start(hypothesis, references, n_references);
  std::fill_n(matches, order, 0);
  for (std::size_t n = 1; n <= order && extend(n); ++n) {
    for (std::size_t i = 0; i + n <= hypothesis.size(); ++i) matches[n - 1] += take(i);
  }
}

void NgramMatcher::count(const TokenList& hypothesis, const TokenList* const* references,
                         std::size_t n_references, std::size_t order, std::int64_t* matches) {
  if (n_references == 1 && references[0]->size() <= 64) {
    return count_by_masks<1>(hypothesis, *references[0], order, matches);
  }
  if (n_references == 1 && references[0]->size() <= 128) {
    return count_by_masks<2>(hypothesis, *references[0], order, matches);
  }
  count_by_numbers(hypothesis, references, n_references, order, matches);
}

}  // namespace bleuet
