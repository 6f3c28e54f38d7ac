#include "char_masks.hpp"

#include <algorithm>

#include "bits.hpp"
#include "lanes.hpp"

// At -O2 GCC does not unroll short loops and keeps the state below in memory, not in registers.
#if defined(__GNUC__) && !defined(__clang__)
#define BLEUET_UNROLL _Pragma("GCC unroll 8")
#else
#define BLEUET_UNROLL
#endif

namespace bleuet {
namespace {

// The walk over one sequence, from its end: lane 0 of pair k is for order 2k + 1, lane 1 for
// order 2k + 2, and `Words` words of 64 positions make a mask.
template <std::size_t Words>
class Walk {
 public:
  Walk() {
    for (auto& pair : after_) std::fill_n(pair, Words, Lanes::zero());
    for (auto& pair : available_) std::fill_n(pair, Words, Lanes::ones());
  }

  // `first` is M1 of the character before those walked so far.
  void step(const std::uint64_t* first) {
    // From the highest order down, since an order needs the one below as the last step left it.
    BLEUET_UNROLL
    for (int k = kPairs - 1; k >= 0; --k) {
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

  void write(std::int64_t* matches) const {
    for (int k = 0; k < kPairs; ++k) {
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
  static constexpr int kPairs = CharMasks::kOrders / 2;

  // Lane by lane, the mask of the order below at the position after; of order 0 nothing is kept.
  Lanes order_below(int k, std::size_t w) const {
    return k == 0 ? after_[0][w] : high_low(after_[k - 1][w], after_[k][w]);
  }

  Lanes after_[kPairs][Words];
  Lanes available_[kPairs][Words];
};

}  // namespace

template <std::size_t Words, class Character>
void CharMasks::count_in(const Character* masked, std::size_t n_masked, const Character* walked,
                         std::size_t n_walked, std::size_t n_characters, std::int64_t* matches) {
  if (masks_.size() < n_characters * Words) masks_.resize(n_characters * Words);
  std::uint64_t* const masks = masks_.data();
  std::fill_n(masks, n_characters * Words, 0);
  for (std::size_t i = 0; i < n_masked; ++i) {
    masks[masked[i] * Words + i / 64] |= std::uint64_t{1} << (i % 64);
  }
  Walk<Words> walk;
  for (std::size_t i = n_walked; i-- > 0;) walk.step(masks + walked[i] * Words);
  walk.write(matches);
}

template <class Character>
void CharMasks::count(const Character* masked, std::size_t n_masked, const Character* walked,
                      std::size_t n_walked, std::size_t n_characters, std::int64_t* matches) {
  const auto in = [&](auto count_in_words) {
    (this->*count_in_words)(masked, n_masked, walked, n_walked, n_characters, matches);
  };
  switch ((n_masked + 63) / 64) {
    case 0:
    case 1:
      return in(&CharMasks::count_in<1, Character>);
    case 2:
      return in(&CharMasks::count_in<2, Character>);
    case 3:
      return in(&CharMasks::count_in<3, Character>);
    case 4:
      return in(&CharMasks::count_in<4, Character>);
    case 5:
    case 6:
      return in(&CharMasks::count_in<6, Character>);
    default:
      return in(&CharMasks::count_in<8, Character>);
  }
}

template void CharMasks::count(const std::uint8_t*, std::size_t, const std::uint8_t*, std::size_t,
                               std::size_t, std::int64_t*);
template void CharMasks::count(const std::uint16_t*, std::size_t, const std::uint16_t*, std::size_t,
                               std::size_t, std::int64_t*);

}  // namespace bleuet
