// BLAKE2b of 32 bytes (RFC 7693), which Python has too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace bleuet {

// A number of 256 bits, the lowest 64 first. Sums forget what has no room.
using Digest = std::array<std::uint64_t, 4>;

inline void add(Digest& sum, const Digest& other) {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < sum.size(); ++i) {
    const std::uint64_t with_carry = other[i] + carry;
    carry = with_carry < carry;
    sum[i] += with_carry;
    carry += sum[i] < with_carry;
  }
}

namespace blake2b {

constexpr std::size_t kBlock = 128;
constexpr std::uint64_t kStart[8] = {0x6A09E667F3BCC908, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B,
                                     0xA54FF53A5F1D36F1, 0x510E527FADE682D1, 0x9B05688C2B3E6C1F,
                                     0x1F83D9ABFB41BD6B, 0x5BE0CD19137E2179};
constexpr std::uint8_t kOrder[10][16] = {{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
                                         {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
                                         {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
                                         {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
                                         {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
                                         {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
                                         {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
                                         {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
                                         {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
                                         {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}};

template <int Places>
std::uint64_t rotated(std::uint64_t x) {
  return x >> Places | x << (64 - Places);
}

// `bytes` is how many there are up to the end of this block.
inline void add_block(std::uint64_t (&state)[8], const std::uint64_t (&block)[16],
                      std::uint64_t bytes, bool last) {
  std::uint64_t v[16];
  for (std::size_t i = 0; i < 8; ++i) v[i] = state[i], v[i + 8] = kStart[i];
  v[12] ^= bytes;
  if (last) v[14] = ~v[14];
  const auto mixed = [&](int a, int b, int c, int d, std::uint64_t x, std::uint64_t y) {
    v[a] += v[b] + x;
    v[d] = rotated<32>(v[d] ^ v[a]);
    v[c] += v[d];
    v[b] = rotated<24>(v[b] ^ v[c]);
    v[a] += v[b] + y;
    v[d] = rotated<16>(v[d] ^ v[a]);
    v[c] += v[d];
    v[b] = rotated<63>(v[b] ^ v[c]);
  };
  for (std::size_t round = 0; round < 12; ++round) {
    const std::uint8_t (&order)[16] = kOrder[round % 10];
    const auto word = [&](std::size_t i) { return block[order[i]]; };
    mixed(0, 4, 8, 12, word(0), word(1));
    mixed(1, 5, 9, 13, word(2), word(3));
    mixed(2, 6, 10, 14, word(4), word(5));
    mixed(3, 7, 11, 15, word(6), word(7));
    mixed(0, 5, 10, 15, word(8), word(9));
    mixed(1, 6, 11, 12, word(10), word(11));
    mixed(2, 7, 8, 13, word(12), word(13));
    mixed(3, 4, 9, 14, word(14), word(15));
  }
  for (std::size_t i = 0; i < 8; ++i) state[i] ^= v[i] ^ v[i + 8];
}

}  // namespace blake2b

inline Digest digest_of(std::string_view bytes) {
  std::uint64_t state[8];
  std::memcpy(state, blake2b::kStart, sizeof state);
  state[0] ^= 0x01010000 ^ sizeof(Digest);
  std::uint64_t block[16];
  std::size_t done = 0;
  for (; bytes.size() - done > blake2b::kBlock; done += blake2b::kBlock) {
    std::memcpy(block, bytes.data() + done, blake2b::kBlock);
    blake2b::add_block(state, block, done + blake2b::kBlock, false);
  }
  std::memset(block, 0, sizeof block);
  if (done < bytes.size()) std::memcpy(block, bytes.data() + done, bytes.size() - done);
  blake2b::add_block(state, block, bytes.size(), true);
  return {state[0], state[1], state[2], state[3]};
}

}  // namespace bleuet
