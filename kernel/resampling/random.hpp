// numpy's stream of random numbers: what default_rng(seed) draws, draw for draw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bleuet {

// A number of 128 bits.
struct Wide {
  std::uint64_t high;
  std::uint64_t low;
};

constexpr Wide operator+(Wide a, Wide b) {
  const std::uint64_t low = a.low + b.low;
  return {a.high + b.high + (low < b.low ? 1 : 0), low};
}

// The product of two 64-bit numbers, from products of their halves.
constexpr Wide multiply_in_halves(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t kLower = 0xffffffffU;
  const std::uint64_t low = (a & kLower) * (b & kLower);
  const std::uint64_t crossed = (a >> 32) * (b & kLower) + (low >> 32);
  const std::uint64_t other = (a & kLower) * (b >> 32) + (crossed & kLower);
  return {(a >> 32) * (b >> 32) + (crossed >> 32) + (other >> 32), (other << 32) | (low & kLower)};
}

constexpr Wide multiply(std::uint64_t a, std::uint64_t b) {
#ifdef __SIZEOF_INT128__
  __extension__ using Native = unsigned __int128;
  const Native product = static_cast<Native>(a) * b;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
#else
  return multiply_in_halves(a, b);
#endif
}

constexpr Wide operator*(Wide a, Wide b) {
  const Wide lower = multiply(a.low, b.low);
  return {lower.high + a.high * b.low + a.low * b.high, lower.low};
}

// PCG64 (O'Neill 2014, XSL RR 128/64), seeded through numpy's SeedSequence. Numbers of 32 bits are
// the lower and then the upper half of one of 64, which outlasts the call.
class Pcg64 {
 public:
  // A seed's 32-bit digits, the lowest first; 0 is one digit.
  explicit Pcg64(const std::vector<std::uint32_t>& seed);

  std::uint64_t next64() {
    state_ = state_ * kMultiplier + increment_;
    return output(state_);
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

  // Calls take(number, number) with the next two for as long as wanted() says. Two chains of
  // states, each of which leaves out the other's, keep the processor busier than one.
  template <class Wanted, class Take>
  void next64_by_twos(Wanted wanted, Take take) {
    constexpr Wide kTwice = kMultiplier * kMultiplier;
    const Wide increment = increment_ * (kMultiplier + Wide{0, 1});
    Wide first = state_ * kMultiplier + increment_;
    Wide second = first * kMultiplier + increment_;
    while (wanted()) {
      state_ = second;
      take(output(first), output(second));
      first = first * kTwice + increment;
      second = second * kTwice + increment;
    }
  }

 private:
  static constexpr Wide kMultiplier{2549297995355413924ULL, 4865540595714422341ULL};

  static std::uint64_t output(Wide state) {
    const std::uint64_t mixed = state.high ^ state.low;
    const unsigned turn = static_cast<unsigned>(state.high >> 58);
    return (mixed >> turn) | (mixed << (-turn & 63));
  }

  Wide state_{0, 0};
  Wide increment_{0, 0};
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
    stream.next64_by_twos([&] { return count > 3; },
                          [&](std::uint64_t one, std::uint64_t two) {
                            count -= 4;
                            for (const std::uint64_t whole : {one, two}) {
                              offer(static_cast<std::uint32_t>(whole));
                              offer(static_cast<std::uint32_t>(whole >> 32));
                            }
                          });
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

}  // namespace bleuet
