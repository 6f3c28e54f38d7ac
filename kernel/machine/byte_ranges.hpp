// Sixteen bytes compared with a range at once, where the machine has SSE2.
#pragma once

#include "machine/sse2.hpp"
#ifdef BLEUET_SSE2

namespace bleuet {

// All bits of each byte from `low` to `high`, as unsigned numbers.
inline __m128i bytes_within(__m128i bytes, char low, char high) {
  const __m128i offset = _mm_sub_epi8(bytes, _mm_set1_epi8(low));
  const __m128i span = _mm_set1_epi8(static_cast<char>(high - low));
  return _mm_cmpeq_epi8(_mm_min_epu8(offset, span), offset);
}

}  // namespace bleuet
#endif
