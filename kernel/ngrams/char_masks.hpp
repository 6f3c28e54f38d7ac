// Clipped n-gram matches of two short sequences of characters, by bit masks of positions
// (ngram_walk.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bleuet {

class CharMasks {
 public:
  static constexpr std::size_t kOrders = 6;
  static constexpr std::size_t kLongest = 512;

  // The work of count(), in 64-bit words looked at.
  static std::size_t cost(std::size_t masked, std::size_t walked) {
    return (masked + 63) / 64 * walked;
  }

  // Writes matches[n - 1] for n = 1..kOrders. Characters are numbers below `n_characters`;
  // `n_masked` is at most kLongest.
  template <class Character>
  void count(const Character* masked, std::size_t n_masked, const Character* walked,
             std::size_t n_walked, std::size_t n_characters, std::int64_t* matches);

 private:
  template <std::size_t Words, class Character>
  void count_in(const Character* masked, std::size_t n_masked, const Character* walked,
                std::size_t n_walked, std::size_t n_characters, std::int64_t* matches);

  std::vector<std::uint64_t> masks_;
};

}  // namespace bleuet
