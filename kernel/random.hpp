// numpy's stream of random numbers: what default_rng(seed) draws, draw for draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace understudy {

// The product of two 64-bit numbers, its upper half in `high`.
std::uint64_t multiply_in_halves(std::uint64_t a, std::uint64_t b, std::uint64_t& high);

inline std::uint64_t multiply(std::uint64_t a, std::uint64_t b, std::uint64_t& high) {
#ifdef __SIZEOF_INT128__
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  high = static_cast<std::uint64_t>(product >> 64);
  return static_cast<std::uint64_t>(product);
#else
  return multiply_in_halves(a, b, high);
#endif
}

// PCG64 (O'Neill 2014, XSL RR 128/64), seeded through numpy's SeedSequence. Numbers of 32 bits are
// the lower and then the upper half of one of 64, which outlasts the call.
class Pcg64 {
 public:
  // A seed's 32-bit digits, the lowest first; 0 is one digit.
  explicit Pcg64(const std::vector<std::uint32_t>& seed);

  std::uint64_t next64() {
    step();
    const std::uint64_t mixed = high_ ^ low_;
    const unsigned turn = static_cast<unsigned>(high_ >> 58);
    return (mixed >> turn) | (mixed << (-turn & 63));
  }

  bool has_half() const { return has_half_; }

  std::uint32_t next32() {
    if (has_half_) {
      has_half_ = false;
      return half_;
    }
    const std::uint64_t whole = next64();
    has_half_ = true;
    half_ = static_cast<std::uint32_t>(whole >> 32);
    return static_cast<std::uint32_t>(whole);
  }

 private:
  // state = state * multiplier + increment, in 128 bits.
  void step() {
    constexpr std::uint64_t kHigh = 2549297995355413924ULL;
    constexpr std::uint64_t kLow = 4865540595714422341ULL;
    std::uint64_t high;
    std::uint64_t low = multiply(low_, kLow, high);
    high += high_ * kLow + low_ * kHigh;
    low += increment_low_;
    high += increment_high_ + (low < increment_low_ ? 1 : 0);
    low_ = low;
    high_ = high;
  }

  std::uint64_t high_ = 0;
  std::uint64_t low_ = 0;
  std::uint64_t increment_high_ = 0;
  std::uint64_t increment_low_ = 0;
  bool has_half_ = false;
  std::uint32_t half_ = 0;
};

// Whole numbers below n, by Lemire's method on 32 bits (Lemire 2019), as numpy draws them for n up
// to 2^32: the upper half of random * n, unless the lower half says that it came once too often.
class Below {
 public:
  explicit Below(std::uint64_t n) : n_(n), refused_(((std::uint64_t{1} << 32) - n) % n) {}

  // Hands `count` numbers to take(row), in order. One row alone is drawn without the stream.
  template <class Take>
  void draw(Pcg64& given, std::size_t count, Take take) const {
    if (n_ == 1) {
      for (; count > 0; --count) take(std::uint32_t{0});
      return;
    }
    // Copies, so that all of it lives in registers whatever take() writes.
    Pcg64 stream = given;
    const std::uint64_t n = n_;
    const std::uint64_t refused = refused_;
    const auto offer = [&](std::uint32_t random) {
      const std::uint64_t product = random * n;
      if (static_cast<std::uint32_t>(product) < refused) {
        ++count;
      } else {
        take(static_cast<std::uint32_t>(product >> 32));
      }
    };
    if (count > 0 && stream.has_half()) {
      --count;
      offer(stream.next32());
    }
    while (count > 1) {
      count -= 2;
      const std::uint64_t whole = stream.next64();
      offer(static_cast<std::uint32_t>(whole));
      offer(static_cast<std::uint32_t>(whole >> 32));
    }
    for (; count > 0; --count) offer(stream.next32());
    given = stream;
  }

 private:
  std::uint64_t n_;
  std::uint64_t refused_;
};

// Random bits, the lowest of a 32-bit number first, as numpy draws an array of booleans. What is
// left of the last number goes when the array is full.
class Bits {
 public:
  explicit Bits(Pcg64& stream) : stream_(stream) {}

  // Writes `count` times 0 or 1.
  void write(std::uint8_t* out, std::size_t count);

 private:
  Pcg64& stream_;
  std::uint32_t word_ = 0;
  unsigned left_ = 0;
};

}  // namespace understudy
