// Bit tricks the standard library has only from C++20 on, and the machines that the kernel is for.
#pragma once

#include <cstdint>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "bleuet's kernel needs a little-endian machine: install bleuet without it"
#endif

namespace bleuet {

static_assert(sizeof(void*) == 8,
              "bleuet's kernel needs a 64-bit machine: install bleuet without it");

inline int lowest_bit(std::uint64_t bits) {
#if defined(__GNUC__)
  return __builtin_ctzll(bits);
#else
  int i = 0;
  while ((bits >> i & 1) == 0) ++i;
  return i;
#endif
}

// `bits` is not 0.
inline int highest_bit(std::uint64_t bits) {
#if defined(__GNUC__)
  return 63 - __builtin_clzll(bits);
#else
  int i = 63;
  while ((bits >> i & 1) == 0) --i;
  return i;
#endif
}

// Written out because the machine instruction is not part of the generic x86-64.
inline std::int32_t count_bits(std::uint64_t x) {
  x -= (x >> 1) & 0x5555555555555555ULL;
  x = (x & 0x3333333333333333ULL) + ((x >> 2) & 0x3333333333333333ULL);
  x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
  return static_cast<std::int32_t>((x * 0x0101010101010101ULL) >> 56);
}

}  // namespace bleuet
