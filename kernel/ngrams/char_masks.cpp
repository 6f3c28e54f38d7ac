#include "ngrams/char_masks.hpp"

#include <algorithm>

#include "ngrams/ngram_walk.hpp"

namespace bleuet {

template <std::size_t Words, class Character>
void CharMasks::count_in(const Character* masked, std::size_t n_masked, const Character* walked,
                         std::size_t n_walked, std::size_t n_characters, std::int64_t* matches) {
  if (masks_.size() < n_characters * Words) masks_.resize(n_characters * Words);
  std::uint64_t* const masks = masks_.data();
  std::fill_n(masks, n_characters * Words, 0);
  for (std::size_t i = 0; i < n_masked; ++i) {
    masks[masked[i] * Words + i / 64] |= std::uint64_t{1} << (i % 64);
  }
  NgramWalk<kOrders / 2, Words> walk;
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
