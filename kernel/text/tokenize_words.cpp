// The tokenizers of ROUGE: words without white space, punctuation and symbols.
#include "machine/bits.hpp"
#include "machine/byte_ranges.hpp"
#include "text/porter.hpp"
#include "text/tokenizer.hpp"
#include "text/unicode.hpp"

namespace bleuet {
namespace {

enum class Part : std::uint8_t { none, word, alone };

// Which of the 64 bytes at `bytes` are a to z or a digit; all 64 must be readable.
#ifdef BLEUET_SSE2
std::uint64_t in_ascii_words(const char* bytes) {
  std::uint64_t found = 0;
  for (int part = 0; part < 4; ++part) {
    const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * part));
    const __m128i hit = _mm_or_si128(bytes_within(c, 'a', 'z'), bytes_within(c, '0', '9'));
    const auto bits = static_cast<std::uint32_t>(_mm_movemask_epi8(hit));
    found |= static_cast<std::uint64_t>(bits) << (16 * part);
  }
  return found;
}
#else
std::uint64_t in_ascii_words(const char* bytes) {
  std::uint64_t found = 0;
  for (int i = 0; i < 64; ++i) {
    const char c = bytes[i];
    const std::uint64_t hit = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    found |= hit << i;
  }
  return found;
}
#endif

// Calls `use` with the begin and end of each word.
template <class Use>
void for_ascii_words(std::string_view text, Use use) {
  std::size_t start = 0;
  std::uint64_t before = 0;  // whether the last byte was in a word
  for (std::size_t block = 0; block < text.size(); block += 64) {
    // The bytes beyond the end are 0, which is in no word.
    const std::uint64_t in_word = in_ascii_words(text.data() + block);
    std::uint64_t edges = in_word ^ (in_word << 1 | before);
    for (; edges != 0; edges &= edges - 1) {
      const auto bit = static_cast<std::size_t>(lowest_bit(edges));
      if ((in_word >> bit & 1) != 0) {
        start = block + bit;
      } else {
        use(start, block + bit);
      }
    }
    before = in_word >> 63;
  }
  if (before != 0) use(start, text.size());
}

struct Range {
  char32_t first, last;
};

// Scripts that put no space between words; text/tokenizers/rouge_words.py has their names.
constexpr Range kUnspaced[] = {
    {0x0E00, 0x109F}, {0x1780, 0x17FF}, {0x1950, 0x19DF},   {0x1A20, 0x1AAF},
    {0x3005, 0x3007}, {0x3021, 0x3029}, {0x3031, 0x312F},   {0x31A0, 0x31FF},
    {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xA9E0, 0xA9FF},   {0xAA60, 0xAADF},
    {0xF900, 0xFAFF}, {0xFF66, 0xFF9F}, {0x1AFF0, 0x1B2FF}, {0x20000, 0x3FFFF},
};

bool is_unspaced(char32_t c) {
  for (const Range& range : kUnspaced) {
    if (c <= range.last) return c >= range.first;
  }
  return false;
}

// Zero width space and byte order mark divide words too, as do control characters.
bool divides(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x200B || c == 0xFEFF || is_space(c);
}

Part part_of(char32_t c) {
  const Property property = property_of(c);
  if (property == Property::punctuation || property == Property::symbol || divides(c)) {
    return Part::none;
  }
  return is_unspaced(c) ? Part::alone : Part::word;
}

}  // namespace

void tokenize_ascii_words(std::string_view text, TokenList& tokens) {
  tokens.read_from(text);
  for_ascii_words(text, [&](std::size_t start, std::size_t end) { tokens.add(start, end); });
}

void tokenize_ascii_stems(char* text, std::size_t length, TokenList& tokens) {
  tokens.read_from({text, length});
  for_ascii_words({text, length}, [&](std::size_t start, std::size_t end) {
    const std::size_t size = end - start;
    tokens.add(start, start + (size > 3 ? porter_stem(text + start, size) : size));
  });
}

void tokenize_unicode_words(std::string_view text, TokenList& tokens) {
  tokens.read_from(text);
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size();) {
    const Decoded c = decode(text, i);
    const std::size_t end = i + c.size;
    const Part part = part_of(c.value);
    if (part != Part::word) {
      if (i > start) tokens.add(start, i);
      if (part == Part::alone) tokens.add(i, end);
      start = end;
    }
    i = end;
  }
  if (text.size() > start) tokens.add(start, text.size());
}

}  // namespace bleuet
