// Two 64-bit lanes worked on at once: one SSE2 register, or two integers where there is no SSE2.
#pragma once

#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace bleuet {

#if defined(__SSE2__)

struct Lanes {
  __m128i bits;

  static Lanes zero() { return {_mm_setzero_si128()}; }
  static Lanes ones() { return {_mm_set1_epi32(-1)}; }
  static Lanes both(std::uint64_t x) { return {_mm_set1_epi64x(static_cast<std::int64_t>(x))}; }

  void store(std::uint64_t* out) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(out), bits); }
};

inline Lanes operator&(Lanes a, Lanes b) { return {_mm_and_si128(a.bits, b.bits)}; }
inline Lanes operator|(Lanes a, Lanes b) { return {_mm_or_si128(a.bits, b.bits)}; }
inline Lanes operator^(Lanes a, Lanes b) { return {_mm_xor_si128(a.bits, b.bits)}; }
inline Lanes operator-(Lanes a) { return {_mm_sub_epi64(_mm_setzero_si128(), a.bits)}; }
template <int Places>
Lanes shift_right(Lanes a) {
  return {_mm_srli_epi64(a.bits, Places)};
}
template <int Places>
Lanes shift_left(Lanes a) {
  return {_mm_slli_epi64(a.bits, Places)};
}

// a & ~b
inline Lanes without(Lanes a, Lanes b) { return {_mm_andnot_si128(b.bits, a.bits)}; }
// (low lane of a, low lane of b)
inline Lanes low_low(Lanes a, Lanes b) { return {_mm_unpacklo_epi64(a.bits, b.bits)}; }
// (high lane of a, low lane of b)
inline Lanes high_low(Lanes a, Lanes b) {
  return {_mm_castpd_si128(_mm_shuffle_pd(_mm_castsi128_pd(a.bits), _mm_castsi128_pd(b.bits), 1))};
}
// All bits of a lane where its highest bit is set, none elsewhere.
inline Lanes spread_sign(Lanes a) {
  return {_mm_shuffle_epi32(_mm_srai_epi32(a.bits, 31), _MM_SHUFFLE(3, 3, 1, 1))};
}

#else

struct Lanes {
  std::uint64_t low, high;

  static Lanes zero() { return {0, 0}; }
  static Lanes ones() { return {~std::uint64_t{0}, ~std::uint64_t{0}}; }
  static Lanes both(std::uint64_t x) { return {x, x}; }

  void store(std::uint64_t* out) const {
    out[0] = low;
    out[1] = high;
  }
};

inline Lanes operator&(Lanes a, Lanes b) { return {a.low & b.low, a.high & b.high}; }
inline Lanes operator|(Lanes a, Lanes b) { return {a.low | b.low, a.high | b.high}; }
inline Lanes operator^(Lanes a, Lanes b) { return {a.low ^ b.low, a.high ^ b.high}; }
inline Lanes operator-(Lanes a) { return {~a.low + 1, ~a.high + 1}; }
template <int Places>
Lanes shift_right(Lanes a) {
  return {a.low >> Places, a.high >> Places};
}
template <int Places>
Lanes shift_left(Lanes a) {
  return {a.low << Places, a.high << Places};
}

inline Lanes without(Lanes a, Lanes b) { return {a.low & ~b.low, a.high & ~b.high}; }
inline Lanes low_low(Lanes a, Lanes b) { return {a.low, b.low}; }
inline Lanes high_low(Lanes a, Lanes b) { return {a.high, b.low}; }
inline Lanes spread_sign(Lanes a) { return {~(a.low >> 63) + 1, ~(a.high >> 63) + 1}; }

#endif

}  // namespace bleuet
