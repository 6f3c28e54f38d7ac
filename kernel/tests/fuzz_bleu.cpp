// Fuzz target: BLEU's counter against the slow definition, and every tokenizer on any text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "slow_bleu.hpp"

namespace {

char32_t widen(std::uint8_t byte, unsigned width) {
  // White space, digits and punctuation stay what they are at every width.
  if (byte < 0x80 || width == 0) return byte;
  if (width == 1) return byte < 0xC0 ? 0x2000u + (byte & 0x3F) : 0xD7E0u + byte;
  if (width == 2) return byte < 0xC0 ? 0x2F80u + byte : 0x10FF00u + byte;
  return 0x4E00u + byte;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size > 4096) return 0;
  bleuet::BleuCounter::Options options;
  options.max_ngram_order = 1 + data[0] % 7;
  options.tokenizer = (data[0] & 8) != 0 ? bleuet::Tokenizer::v13a : bleuet::Tokenizer::none;
  const std::size_t repeats = (data[1] & 32) != 0 ? 1 + data[1] % 32 : 1;
  std::vector<std::u32string> segments{1};
  for (std::size_t i = 2; i < size; ++i) {
    if (data[i] == 0xFF) {
      segments.emplace_back();
    } else {
      segments.back().push_back(widen(data[i], data[1] >> 6));
    }
  }
  for (std::u32string& segment : segments) {
    const std::u32string once = segment;
    for (std::size_t r = 1; r < repeats; ++r) segment += once;
  }
  if (segments.size() == 1) segments.emplace_back();
  const std::vector<std::u32string> references(segments.begin() + 1, segments.end());
  if (slow_bleu::fast_row(segments[0], references, options, size % 2 == 0) !=
      slow_bleu::row(segments[0], references, options)) {
    std::abort();
  }

  if (slow_bleu::fast_tokens(segments[0], bleuet::Tokenizer::v13a) !=
      slow_bleu::tokenize_13a(segments[0])) {
    std::abort();
  }
  for (const bleuet::Tokenizer tokenizer :
       {bleuet::Tokenizer::intl, bleuet::Tokenizer::zh, bleuet::Tokenizer::zh_fixed,
        bleuet::Tokenizer::character}) {
    for (const std::u32string& token : slow_bleu::fast_tokens(segments[0], tokenizer)) {
      if (token.empty()) std::abort();
    }
  }
  return 0;
}
