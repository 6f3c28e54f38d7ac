// Where each token of a short segment stands, as bit masks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "text/tokens.hpp"

namespace bleuet {

// The distinct tokens of a segment of at most 64 * Words tokens, each with its positions.
template <std::size_t Words>
class TokenMasks {
 public:
  explicit TokenMasks(const TokenList& reference) : reference_(reference) {
    std::memset(slots_, 0, sizeof slots_);
    std::fill_n(masks_[0], Words, 0);
    for (std::size_t i = 0; i < reference.size(); ++i) {
      const Found found = look_up(reference, reference[i]);
      std::size_t entry = found.entry;
      if (entry == 0) {
        entry = i + 1;
        slots_[found.slot] = static_cast<std::uint8_t>(entry);
        std::fill_n(masks_[entry], Words, 0);
      }
      masks_[entry][i / 64] |= std::uint64_t{1} << (i % 64);
    }
  }

  // The positions of a token; all zero for a token that is not in the reference.
  const std::uint64_t* find(const TokenList& hypothesis, const Token& token) const {
    return masks_[look_up(hypothesis, token).entry];
  }

 private:
  static constexpr std::size_t kSlots = 256 * Words;
  static constexpr std::size_t kLast = kSlots - 1;
  static constexpr Token kNoToken = {0, 0, 0, 0};

  struct Found {
    std::size_t slot;
    std::size_t entry;  // 0 for a token that is not there
  };

  // Whether a token is there cannot be predicted, so no branch depends on it: an empty slot is
  // compared with a token that is equal to no other, and only a slot with another token loops.
  Found look_up(const TokenList& list, const Token& token) const {
    for (std::size_t at = hash_token(token) & kLast;; at = (at + 1) & kLast) {
      const std::size_t entry = slots_[at];
      const Token& there = entry == 0 ? kNoToken : reference_[entry - 1];
      bool same = ((there.low ^ token.low) | (there.high ^ token.high) |
                   static_cast<std::uint64_t>(there.size ^ token.size)) == 0;
      if (same && token.size > kWholeToken) same = same_token(reference_, there, list, token);
      if (same || entry == 0) return {at, same ? entry : 0};
    }
  }

  const TokenList& reference_;
  std::uint8_t slots_[kSlots];  // 1 + the first position of the token that lives there
  std::uint64_t masks_[64 * Words + 1][Words];
};

}  // namespace bleuet
