// Clipped n-gram matches of all orders at once, by bit masks of positions.
//
// M1[i] holds the positions at which the masked sequence has token i of the walked one; the n-gram
// that starts at i stands at Mn[i] = M1[i] & (M(n-1)[i+1] >> 1). Equal n-grams have equal masks and
// different ones disjoint masks, so taking the lowest position not yet taken clips exactly. The
// count is the same whichever of the two is masked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "machine/bits.hpp"
#include "machine/lanes.hpp"

// At -O2 GCC does not unroll short loops and keeps the state below in memory, not in registers.
#if defined(__GNUC__) && !defined(__clang__)
#define BLEUET_UNROLL _Pragma("GCC unroll 8")
#else
#define BLEUET_UNROLL
#endif

namespace bleuet {

// A walk over one sequence from its end, by the masks of another. Lane 0 of pair k is for order
// 2k + 1, lane 1 for order 2k + 2, and `Words` words of 64 positions make a mask.
template <int Pairs, std::size_t Words>
class NgramWalk {
 public:
  NgramWalk() {
    for (auto& pair : after_) std::fill_n(pair, Words, Lanes::zero());
    for (auto& pair : available_) std::fill_n(pair, Words, Lanes::ones());
  }

  // `first` is M1 of the token or character before those walked so far.
  void step(const std::uint64_t* first) {
    // From the highest order down, since an order needs the one below as the last step left it.
    BLEUET_UNROLL
    for (int k = Pairs - 1; k >= 0; --k) {
      Lanes taken = Lanes::zero();
      Lanes below = order_below(k, 0);
      BLEUET_UNROLL
      for (std::size_t w = 0; w < Words; ++w) {
        Lanes mask = shift_right<1>(below);
        if (w + 1 < Words) {
          below = order_below(k, w + 1);
          mask = mask | shift_left<63>(below);
        }
        if (k == 0) mask = low_low(Lanes::ones(), mask);
        mask = mask & Lanes::both(first[w]);
        after_[k][w] = mask;

        const Lanes open = mask & available_[k][w];
        const Lanes negative = -open;
        const Lanes lowest = open & negative;
        available_[k][w] = available_[k][w] ^ (w == 0 ? lowest : without(lowest, taken));
        if (w + 1 < Words) taken = taken | spread_sign(open | negative);
      }
    }
  }

  // Writes the clipped matches of order 1 to 2 * Pairs.
  void write(std::int64_t* matches) const {
    for (int k = 0; k < Pairs; ++k) {
      matches[2 * k] = matches[2 * k + 1] = 0;
      for (std::size_t w = 0; w < Words; ++w) {
        std::uint64_t left[2];
        available_[k][w].store(left);
        matches[2 * k] += count_bits(~left[0]);
        matches[2 * k + 1] += count_bits(~left[1]);
      }
    }
  }

 private:
  // Lane by lane, the mask of the order below at the position after; of order 0 nothing is kept.
  Lanes order_below(int k, std::size_t w) const {
    return k == 0 ? after_[0][w] : high_low(after_[k - 1][w], after_[k][w]);
  }

  Lanes after_[Pairs][Words];
  Lanes available_[Pairs][Words];
};

}  // namespace bleuet
