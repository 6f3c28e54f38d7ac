#include "ngrams.hpp"

#include <algorithm>
#include <cstring>

namespace understudy {
namespace {

constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

std::size_t table_size_for(std::size_t entries) {
  std::size_t size = 16;
  while (size < 2 * entries) size *= 2;
  return size;
}

// The distinct tokens of a reference of at most 64 * Words tokens, each with its positions.
template <std::size_t Words>
class Positions {
 public:
  explicit Positions(const TokenList& reference) : reference_(reference) {
    std::memset(slots_, 0, sizeof slots_);
    for (std::size_t i = 0; i < reference.size(); ++i) {
      std::uint64_t* const mask = slot_of(reference, reference[i], i + 1);
      mask[i / 64] |= std::uint64_t{1} << (i % 64);
    }
  }

  // The positions of a token, all zero for one the reference lacks.
  const std::uint64_t* find(const TokenList& hypothesis, const Token& token) const {
    for (std::size_t at = hash_token(token) & kLast;; at = (at + 1) & kLast) {
      const std::uint8_t entry = slots_[at];
      if (entry == 0) return none_;
      if (same_token(reference_, reference_[entry - 1u], hypothesis, token)) return masks_[entry];
    }
  }

 private:
  static constexpr std::size_t kSlots = 256 * Words;
  static constexpr std::size_t kLast = kSlots - 1;

  std::uint64_t* slot_of(const TokenList& list, const Token& token, std::size_t number) {
    for (std::size_t at = hash_token(token) & kLast;; at = (at + 1) & kLast) {
      const std::uint8_t entry = slots_[at];
      if (entry == 0) {
        slots_[at] = static_cast<std::uint8_t>(number);
        std::fill_n(masks_[number], Words, 0);
        return masks_[number];
      }
      if (same_token(list, list[entry - 1u], list, token)) return masks_[entry];
    }
  }

  const TokenList& reference_;
  std::uint8_t slots_[kSlots];  // 1 + the first position of the token that lives there
  std::uint64_t masks_[64 * Words + 1][Words];
  std::uint64_t none_[Words] = {};
};

}  // namespace

// M1[i] holds the positions at which the reference has hypothesis token i; the n-gram that starts
// at i stands at Mn[i] = M1[i] & (M(n-1)[i+1] >> 1). Equal n-grams have equal masks and different
// ones disjoint masks, so taking the lowest position not yet taken clips exactly.
template <std::size_t Words>
void NgramMatcher::count_by_masks(const TokenList& hypothesis, const TokenList& reference,
                                  std::size_t order, std::int64_t* matches) {
  const Positions<Words> positions(reference);
  // masks_[n] is Mn of the token after the current one, available follows: positions not taken.
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
      // Becomes the mask of order n + 2 here, while `next` keeps that of order n + 1 for i - 1.
      for (std::size_t w = 0; w < Words; ++w) {
        const std::uint64_t carried = w + 1 < Words ? next[w + 1] << 63 : 0;
        const std::uint64_t shifted = (next[w] >> 1) | carried;
        next[w] = mask[w];
        mask[w] = first[w] & shifted;
      }
    }
  }
}

void NgramMatcher::number_tokens(const TokenList& hypothesis, const TokenList* const* references,
                                 std::size_t n_references) {
  const std::size_t last = table_size_for(hypothesis.size()) - 1;
  pair_values_.assign(last + 1, kUnknown);  // first position of each distinct hypothesis token
  hypothesis_words_.resize(hypothesis.size());
  for (std::size_t i = 0; i < hypothesis.size(); ++i) {
    std::size_t at = hash_token(hypothesis[i]) & last;
    while (pair_values_[at] != kUnknown &&
           !same_token(hypothesis, hypothesis[pair_values_[at]], hypothesis, hypothesis[i])) {
      at = (at + 1) & last;
    }
    if (pair_values_[at] == kUnknown) pair_values_[at] = static_cast<std::uint32_t>(i);
    hypothesis_words_[i] = pair_values_[at];
  }
  if (reference_words_.size() < n_references) {
    reference_words_.resize(n_references);
    reference_ngrams_.resize(n_references);
  }
  for (std::size_t r = 0; r < n_references; ++r) {
    const TokenList& reference = *references[r];
    reference_words_[r].resize(reference.size());
    for (std::size_t i = 0; i < reference.size(); ++i) {
      std::size_t at = hash_token(reference[i]) & last;
      while (pair_values_[at] != kUnknown &&
             !same_token(hypothesis, hypothesis[pair_values_[at]], reference, reference[i])) {
        at = (at + 1) & last;
      }
      reference_words_[r][i] = pair_values_[at];
    }
  }
}

// Numbers the n-grams of one order from those of the order below: an n-gram is the pair of its
// first n - 1 tokens and its last. Only n-grams of the hypothesis get a number, and it is exact.
void NgramMatcher::count_by_numbers(const TokenList& hypothesis, const TokenList* const* references,
                                    std::size_t n_references, std::size_t order,
                                    std::int64_t* matches) {
  number_tokens(hypothesis, references, n_references);
  hypothesis_ngrams_ = hypothesis_words_;
  for (std::size_t r = 0; r < n_references; ++r) reference_ngrams_[r] = reference_words_[r];
  const std::size_t last = table_size_for(hypothesis.size()) - 1;

  const auto find_pair = [&](std::uint64_t key) {
    std::size_t at = mix(key) & last;
    while (pair_values_[at] != kUnknown && pair_keys_[at] != key) at = (at + 1) & last;
    return at;
  };

  std::fill_n(matches, order, 0);
  for (std::size_t n = 1; n <= order && n <= hypothesis.size(); ++n) {
    const std::size_t n_hypothesis = hypothesis.size() - n + 1;
    if (n > 1) {
      pair_keys_.resize(last + 1);
      pair_values_.assign(last + 1, kUnknown);
      for (std::size_t i = 0; i < n_hypothesis; ++i) {
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
    in_hypothesis_.assign(hypothesis.size(), 0);
    in_best_reference_.assign(hypothesis.size(), 0);
    for (std::size_t i = 0; i < n_hypothesis; ++i) ++in_hypothesis_[hypothesis_ngrams_[i]];

    for (std::size_t r = 0; r < n_references; ++r) {
      std::vector<std::uint32_t>& ngrams = reference_ngrams_[r];
      const std::vector<std::uint32_t>& words = reference_words_[r];
      if (words.size() < n) continue;
      in_reference_.assign(hypothesis.size(), 0);
      for (std::size_t i = 0; i + n <= words.size(); ++i) {
        if (n > 1 && ngrams[i] != kUnknown) {
          const std::uint32_t word = words[i + n - 1];
          ngrams[i] = word == kUnknown
                          ? kUnknown
                          : pair_values_[find_pair(std::uint64_t{ngrams[i]} << 32 | word)];
        }
        if (ngrams[i] != kUnknown) ++in_reference_[ngrams[i]];
      }
      for (std::size_t i = 0; i < n_hypothesis; ++i) {
        in_best_reference_[i] = std::max(in_best_reference_[i], in_reference_[i]);
      }
    }
    for (std::size_t i = 0; i < n_hypothesis; ++i) {
      matches[n - 1] += std::min(in_hypothesis_[i], in_best_reference_[i]);
    }
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

}  // namespace understudy
