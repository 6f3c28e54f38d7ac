#include "resampling/random.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace bleuet {
namespace {

// The hash of numpy's SeedSequence, after O'Neill's seed_seq_fe.
class SeedHash {
 public:
  SeedHash(std::uint32_t constant, std::uint32_t multiplier)
      : constant_(constant), multiplier_(multiplier) {}

  std::uint32_t operator()(std::uint32_t value) {
    value ^= constant_;
    constant_ *= multiplier_;
    value *= constant_;
    return value ^ (value >> 16);
  }

 private:
  std::uint32_t constant_;
  std::uint32_t multiplier_;
};

std::uint32_t mix(std::uint32_t x, std::uint32_t y) {
  const std::uint32_t result = 0xca01f9ddU * x - 0x4973f715U * y;
  return result ^ (result >> 16);
}

using Pool = std::array<std::uint32_t, 4>;

Pool pool_of(const std::vector<std::uint32_t>& seed) {
  SeedHash hash(0x43b0d7e5U, 0x931e8875U);
  Pool pool{};
  for (std::size_t i = 0; i < pool.size(); ++i) pool[i] = hash(i < seed.size() ? seed[i] : 0);
  for (std::size_t from = 0; from < pool.size(); ++from) {
    for (std::size_t to = 0; to < pool.size(); ++to) {
      if (from != to) pool[to] = mix(pool[to], hash(pool[from]));
    }
  }
  for (std::size_t from = pool.size(); from < seed.size(); ++from) {
    for (std::uint32_t& to : pool) to = mix(to, hash(seed[from]));
  }
  return pool;
}

// Eight zeros and ones for each byte.
std::array<std::array<std::uint8_t, 8>, 256> spread_bytes() {
  std::array<std::array<std::uint8_t, 8>, 256> table{};
  for (unsigned byte = 0; byte < 256; ++byte) {
    for (unsigned bit = 0; bit < 8; ++bit) table[byte][bit] = (byte >> bit) & 1;
  }
  return table;
}

}  // namespace

Pcg64::Pcg64(const std::vector<std::uint32_t>& seed) {
  const Pool pool = pool_of(seed);
  SeedHash hash(0x8b51f9ddU, 0x58f38dedU);
  std::array<std::uint64_t, 4> words{};
  for (std::size_t i = 0; i < 2 * words.size(); ++i) {
    words[i / 2] |= static_cast<std::uint64_t>(hash(pool[i % pool.size()])) << (32 * (i % 2));
  }
  increment_ = {(words[2] << 1) | (words[3] >> 63), (words[3] << 1) | 1};
  next64();
  state_ = state_ + Wide{words[0], words[1]};
  next64();
}

void Bits::write(std::uint8_t* out, std::size_t count) {
  static const auto kSpread = spread_bytes();
  std::uint8_t* const end = out + count;
  while (out != end) {
    if (left_ == 0) {
      word_ = stream_.next32();
      left_ = 32;
    }
    if (left_ == 32 && end - out >= 32) {
      for (int byte = 0; byte < 4; ++byte) {
        std::memcpy(out + 8 * byte, kSpread[(word_ >> (8 * byte)) & 0xff].data(), 8);
      }
      out += 32;
      left_ = 0;
      continue;
    }
    *out++ = word_ & 1;
    word_ >>= 1;
    --left_;
  }
}

}  // namespace bleuet
