// Two 64-bit lanes worked on at once: one SSE2 register, or two numbers where there is no SSE2.
#pragma once

#include <cstdint>

#include "machine/sse2.hpp"

namespace bleuet {

#ifdef BLEUET_SSE2

struct Lanes {
  __m128i bits;

  static Lanes zero() { return {_mm_setzero_si128()}; }
  static Lanes ones() { return {_mm_set1_epi32(-1)}; }
  static Lanes both(std::uint64_t x) { return {_mm_set1_epi64x(static_cast<std::int64_t>(x))}; }
  static Lanes of(std::uint64_t low, std::uint64_t high) {
    return {_mm_set_epi64x(static_cast<std::int64_t>(high), static_cast<std::int64_t>(low))};
  }
  static Lanes load(const std::uint64_t* from) {
    return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))};
  }

  void store(std::uint64_t* out) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(out), bits); }
};

inline Lanes operator&(Lanes a, Lanes b) { return {_mm_and_si128(a.bits, b.bits)}; }
inline Lanes operator|(Lanes a, Lanes b) { return {_mm_or_si128(a.bits, b.bits)}; }
inline Lanes operator^(Lanes a, Lanes b) { return {_mm_xor_si128(a.bits, b.bits)}; }
inline Lanes operator+(Lanes a, Lanes b) { return {_mm_add_epi64(a.bits, b.bits)}; }
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
// (high lane of a, high lane of b)
inline Lanes high_high(Lanes a, Lanes b) { return {_mm_unpackhi_epi64(a.bits, b.bits)}; }
// (high lane of a, low lane of b)
inline Lanes high_low(Lanes a, Lanes b) {
  return {_mm_castpd_si128(_mm_shuffle_pd(_mm_castsi128_pd(a.bits), _mm_castsi128_pd(b.bits), 1))};
}
// All bits of a lane where its highest bit is set, none elsewhere.
inline Lanes spread_sign(Lanes a) {
  return {_mm_shuffle_epi32(_mm_srai_epi32(a.bits, 31), _MM_SHUFFLE(3, 3, 1, 1))};
}

// Sixteen bytes. Sums beyond 255 are 255.
struct ByteLanes {
  __m128i bits;

  static ByteLanes all(std::uint8_t x) { return {_mm_set1_epi8(static_cast<char>(x))}; }
  static ByteLanes load(const std::uint8_t* from) {
    return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))};
  }

  void store(std::uint8_t* out) const { _mm_storeu_si128(reinterpret_cast<__m128i*>(out), bits); }
};

inline ByteLanes operator+(ByteLanes a, ByteLanes b) { return {_mm_adds_epu8(a.bits, b.bits)}; }
inline ByteLanes lower(ByteLanes a, ByteLanes b) { return {_mm_min_epu8(a.bits, b.bits)}; }
// 0 in a lane where `a` and `b` are equal, else that of `cost`.
inline ByteLanes where_differ(ByteLanes a, ByteLanes b, ByteLanes cost) {
  return {_mm_andnot_si128(_mm_cmpeq_epi8(a.bits, b.bits), cost.bits)};
}

// Two real numbers, none of which is a NaN.
struct RealLanes {
  __m128d reals;

  static RealLanes both(double x) { return {_mm_set1_pd(x)}; }
  static RealLanes load(const double* from) { return {_mm_loadu_pd(from)}; }

  void store(double* out) const { _mm_storeu_pd(out, reals); }
};

inline RealLanes operator+(RealLanes a, RealLanes b) { return {_mm_add_pd(a.reals, b.reals)}; }
inline RealLanes lower(RealLanes a, RealLanes b) { return {_mm_min_pd(a.reals, b.reals)}; }
// 0 in a lane where both are equal, else 1.
inline RealLanes differ(RealLanes a, RealLanes b) {
  return {_mm_andnot_pd(_mm_cmpeq_pd(a.reals, b.reals), _mm_set1_pd(1.0))};
}
inline bool any_less(RealLanes a, RealLanes b) {
  return _mm_movemask_pd(_mm_cmplt_pd(a.reals, b.reals)) != 0;
}
inline RealLanes high_low(RealLanes a, RealLanes b) {
  return {_mm_shuffle_pd(a.reals, b.reals, 1)};
}

#else

struct Lanes {
  std::uint64_t low, high;

  static Lanes zero() { return {0, 0}; }
  static Lanes ones() { return {~std::uint64_t{0}, ~std::uint64_t{0}}; }
  static Lanes both(std::uint64_t x) { return {x, x}; }
  static Lanes of(std::uint64_t low, std::uint64_t high) { return {low, high}; }
  static Lanes load(const std::uint64_t* from) { return {from[0], from[1]}; }

  void store(std::uint64_t* out) const {
    out[0] = low;
    out[1] = high;
  }
};

inline Lanes operator&(Lanes a, Lanes b) { return {a.low & b.low, a.high & b.high}; }
inline Lanes operator|(Lanes a, Lanes b) { return {a.low | b.low, a.high | b.high}; }
inline Lanes operator^(Lanes a, Lanes b) { return {a.low ^ b.low, a.high ^ b.high}; }
inline Lanes operator+(Lanes a, Lanes b) { return {a.low + b.low, a.high + b.high}; }
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
inline Lanes high_high(Lanes a, Lanes b) { return {a.high, b.high}; }
inline Lanes high_low(Lanes a, Lanes b) { return {a.high, b.low}; }
inline Lanes spread_sign(Lanes a) { return {~(a.low >> 63) + 1, ~(a.high >> 63) + 1}; }

struct ByteLanes {
  std::uint8_t bytes[16];

  static ByteLanes all(std::uint8_t x) {
    ByteLanes lanes;
    for (std::uint8_t& byte : lanes.bytes) byte = x;
    return lanes;
  }
  static ByteLanes load(const std::uint8_t* from) {
    ByteLanes lanes;
    for (int i = 0; i < 16; ++i) lanes.bytes[i] = from[i];
    return lanes;
  }

  void store(std::uint8_t* out) const {
    for (int i = 0; i < 16; ++i) out[i] = bytes[i];
  }
};

inline ByteLanes operator+(ByteLanes a, const ByteLanes& b) {
  for (int i = 0; i < 16; ++i) {
    const int sum = a.bytes[i] + b.bytes[i];
    a.bytes[i] = static_cast<std::uint8_t>(sum < 255 ? sum : 255);
  }
  return a;
}
inline ByteLanes lower(ByteLanes a, const ByteLanes& b) {
  for (int i = 0; i < 16; ++i) a.bytes[i] = a.bytes[i] < b.bytes[i] ? a.bytes[i] : b.bytes[i];
  return a;
}
inline ByteLanes where_differ(ByteLanes a, const ByteLanes& b, const ByteLanes& cost) {
  for (int i = 0; i < 16; ++i)
    a.bytes[i] = a.bytes[i] == b.bytes[i] ? std::uint8_t{0} : cost.bytes[i];
  return a;
}

struct RealLanes {
  double low, high;

  static RealLanes both(double x) { return {x, x}; }
  static RealLanes load(const double* from) { return {from[0], from[1]}; }

  void store(double* out) const {
    out[0] = low;
    out[1] = high;
  }
};

inline RealLanes operator+(RealLanes a, RealLanes b) { return {a.low + b.low, a.high + b.high}; }
inline RealLanes lower(RealLanes a, RealLanes b) {
  return {a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
}
inline RealLanes differ(RealLanes a, RealLanes b) {
  return {a.low == b.low ? 0.0 : 1.0, a.high == b.high ? 0.0 : 1.0};
}
inline bool any_less(RealLanes a, RealLanes b) { return a.low < b.low || a.high < b.high; }
inline RealLanes high_low(RealLanes a, RealLanes b) { return {a.high, b.low}; }

#endif

}  // namespace bleuet
