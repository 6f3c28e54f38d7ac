// Bit tricks the standard library has only from C++20 on.
#pragma once

#include <cstdint>

namespace bleuet {

inline int lowest_bit(std::uint64_t bits) {
#if defined(__GNUC__)
  return __builtin_ctzll(bits);
#else
  int i = 0;
  while ((bits >> i & 1) == 0) ++i;
  return i;
#endif
}

}  // namespace bleuet
