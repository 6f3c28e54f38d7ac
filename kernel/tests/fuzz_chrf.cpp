// Fuzz target: chrF's counter against the slow definition, on any bytes read as code points.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "slow_chrf.hpp"

namespace {

// The first bytes choose the options and how the rest is read; 0xFF starts a new segment.
struct Case {
  bleuet::ChrfOptions options;
  std::vector<std::u32string> segments{1};
};

char32_t widen(std::uint8_t byte, unsigned width) {
  // White space and punctuation stay what they are at every width.
  if (byte < 0x40) return byte;
  if (width == 1) return byte == 0xFE ? 0x3000 : 0x0400u + byte;
  if (width == 2) return byte < 0x80 ? 0xD7F0u + byte : 0x10FF00u + byte;
  return byte;
}

Case read(const std::uint8_t* data, std::size_t size) {
  Case one;
  one.options.char_order = data[0] % 9;
  one.options.word_order = data[0] / 9 % 4;
  one.options.beta = data[1] % 4;
  one.options.whitespace = (data[1] & 4) != 0;
  one.options.eps_smoothing = (data[1] & 8) != 0;
  if ((data[1] & 16) != 0) one.options.letter_case = bleuet::Case::lower_ascii;
  // Long texts out of short inputs, so that every way of counting is reached.
  const std::size_t repeats = (data[1] & 32) != 0 ? 1 + data[2] % 40 : 1;
  for (std::size_t i = 3; i < size; ++i) {
    if (data[i] == 0xFF) {
      one.segments.emplace_back();
    } else {
      one.segments.back().push_back(widen(data[i], data[1] >> 6));
    }
  }
  for (std::u32string& segment : one.segments) {
    const std::u32string once = segment;
    for (std::size_t r = 1; r < repeats; ++r) segment += once;
  }
  if (one.segments.size() == 1) one.segments.emplace_back();
  return one;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3 || size > 4096) return 0;
  const Case one = read(data, size);
  const std::u32string& hypothesis = one.segments[0];
  const std::vector<std::u32string> references(one.segments.begin() + 1, one.segments.end());
  const bool trimmed = size % 2 == 0;
  if (slow_chrf::fast_row(hypothesis, references, one.options, trimmed) !=
      slow_chrf::row(hypothesis, references, one.options)) {
    std::abort();
  }
  return 0;
}
