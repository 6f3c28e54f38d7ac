#include "ngrams/chrf_text.hpp"

#include <cstring>
#include <string_view>

#include "machine/bits.hpp"
#include "machine/sse2.hpp"
#include "text/tokenizer.hpp"
#include "text/utf8.hpp"

namespace bleuet {
namespace {

constexpr std::size_t kBlock = 64;

// Whether the block's bytes, read as Latin-1, are white space: byte i in bit i.
#ifdef BLEUET_SSE2
std::uint64_t spaces(const std::uint8_t* block) {
  const auto within = [](__m128i x, int first, int last) {
    const __m128i offset = _mm_sub_epi8(x, _mm_set1_epi8(static_cast<char>(first)));
    const __m128i widest = _mm_set1_epi8(static_cast<char>(last - first));
    return _mm_cmpeq_epi8(_mm_min_epu8(offset, widest), offset);
  };
  const auto is = [](__m128i x, int c) {
    return _mm_cmpeq_epi8(x, _mm_set1_epi8(static_cast<char>(c)));
  };
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kBlock; i += 16) {
    const __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + i));
    const __m128i ascii = _mm_or_si128(within(x, 0x09, 0x0D), within(x, 0x1C, 0x20));
    const __m128i any = _mm_or_si128(ascii, _mm_or_si128(is(x, 0x85), is(x, 0xA0)));
    bits |= static_cast<std::uint64_t>(_mm_movemask_epi8(any)) << i;
  }
  return bits;
}
#else
std::uint64_t spaces(const std::uint8_t* block) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < kBlock; ++i) bits |= std::uint64_t{is_space(block[i])} << i;
  return bits;
}
#endif

// Calls visit(begin, end) for each run of characters between white space. `line` is followed by
// white space up to a whole number of blocks, and by at least one.
template <class Visit>
void each_run(const std::uint8_t* line, std::size_t length, Visit visit) {
  std::uint64_t space_before = 1;
  std::size_t begin = 0;
  for (std::size_t base = 0; base <= length; base += kBlock) {
    const std::uint64_t space = spaces(line + base);
    std::uint64_t edges = space ^ (space << 1 | space_before);
    for (; edges != 0; edges &= edges - 1) {
      const std::size_t at = base + static_cast<std::size_t>(lowest_bit(edges));
      if (space_before == 0) visit(begin, at);
      begin = at;
      space_before ^= 1;
    }
  }
}

// White space below 256, without a branch, since processors cannot predict where words end.
bool is_latin_space(char32_t c) {
  return static_cast<int>(c - 0x09 < 5) | static_cast<int>(c - 0x1C < 5) |
         static_cast<int>(c == 0x85) | static_cast<int>(c == 0xA0);
}

// Removes the white space and returns the length that is left.
std::size_t squeeze(char32_t* characters, std::size_t length) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const char32_t c = characters[i];
    characters[kept] = c;
    const bool rare = c >= 0x1680 && c <= 0x3000;
    kept += !(rare ? is_space(c) : is_latin_space(c));
  }
  return kept;
}

// Copies in chunks: both sides have kPadding bytes to spare.
void copy_run(const std::uint8_t* from, std::size_t size, std::uint8_t* to) {
  std::size_t i = 0;
  do {
    std::memcpy(to + i, from + i, 16);
    i += 16;
  } while (i < size);
}

bool is_punctuation(std::uint8_t c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

// One trailing mark is cut off, else one leading mark (Popović 2017). Byte by byte in UTF-8 is
// enough: a mark is one byte, and a word of one byte stays whole.
void add_word(const std::uint8_t* text, std::size_t begin, std::size_t end, TokenList& words) {
  std::size_t cut = end;
  if (end - begin > 1) {
    if (is_punctuation(text[end - 1])) {
      cut = end - 1;
    } else if (is_punctuation(text[begin])) {
      cut = begin + 1;
    }
  }
  words.add(begin, cut);
  if (cut != end) words.add(cut, end);
}

void lower_ascii(std::uint8_t* bytes, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) {
    if (bytes[i] >= 'A' && bytes[i] <= 'Z') bytes[i] = static_cast<std::uint8_t>(bytes[i] + 32);
  }
}

// Whether white space may begin with this byte of UTF-8.
bool may_begin_space(std::uint8_t byte) {
  return byte <= ' ' || byte == 0xC2 || (byte >= 0xE1 && byte <= 0xE3);
}

std::string_view as_view(const std::vector<std::uint8_t>& bytes, std::size_t length) {
  return {reinterpret_cast<const char*>(bytes.data()), length};
}

}  // namespace

void ChrfReader::read(const Text& text, ChrfText& out) {
  // Characters below 256 are counted faster, so UTF-8 is converted to what CPython would store.
  if (text.unit == kUtf8 && !text.ascii &&
      to_latin1({static_cast<const char*>(text.data), text.length}, latin_)) {
    return read({latin_.data(), latin_.size(), 1, false}, out);
  }
  out.words.clear();
  out.narrow = text.unit == 1 || text.ascii;
  if (out.narrow) {
    read_narrow(text, out);
  } else {
    read_wide(text, out);
  }
}

void ChrfReader::read_narrow(const Text& text, ChrfText& out) {
  const std::size_t n = text.length;
  std::vector<std::uint8_t>& line = whitespace_ ? out.bytes : line_;
  const std::size_t need = n + kBlock + kPadding;
  if (line.size() < need) line.resize(need + need / 2);
  if (out.bytes.size() < need) out.bytes.resize(need + need / 2);
  if (n != 0) std::memcpy(line.data(), text.data, n);
  std::memset(line.data() + n, ' ', kBlock + kPadding);
  if (letter_case_ == Case::lower_ascii) lower_ascii(line.data(), n);

  const bool cut_here = words_ && text.ascii;
  if (cut_here) out.words.read_from(as_view(out.bytes, n));
  std::uint8_t* const bytes = out.bytes.data();
  out.length = n;
  if (!whitespace_) {
    std::size_t length = 0;
    each_run(line.data(), n, [&](std::size_t begin, std::size_t end) {
      copy_run(line.data() + begin, end - begin, bytes + length);
      const std::size_t start = length;
      length += end - begin;
      if (cut_here) add_word(bytes, start, length, out.words);
    });
    out.length = length;
  } else if (cut_here) {
    each_run(bytes, n,
             [&](std::size_t begin, std::size_t end) { add_word(bytes, begin, end, out.words); });
  }
  if (words_ && !cut_here) cut_utf8(text, out);
}

void ChrfReader::read_wide(const Text& text, ChrfText& out) {
  out.length = to_code_points(text, letter_case_, out.code_points);
  if (!whitespace_) out.length = squeeze(out.code_points.data(), out.length);
  if (words_) cut_utf8(text, out);
}

void ChrfReader::cut_utf8(const Text& text, ChrfText& out) const {
  const std::string_view line = to_utf8(text, letter_case_, out.utf8);
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(line.data());
  out.words.read_from(line);
  std::size_t begin = 0;
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t space = may_begin_space(bytes[i]) ? space_at(line, i) : 0;
    if (space != 0) {
      if (begin < i) add_word(bytes, begin, i, out.words);
      begin = i + space;
    }
    i += space != 0 ? space : 1;
  }
  if (begin < line.size()) add_word(bytes, begin, line.size(), out.words);
}

}  // namespace bleuet
