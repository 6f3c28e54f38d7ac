// Choosing a tokenizer, and the white space that all of them share.
#include "text/tokenizer.hpp"

#include <cstring>

#include "machine/bits.hpp"

namespace bleuet {

std::uint32_t decoded_space_at(std::string_view text, std::size_t i) {
  const Decoded c = decode(text, i);
  return is_space(c.value) ? c.size : 0;
}

std::string_view strip_end(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0) {
    std::size_t start = end - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
    if (space_at(text, start) == 0) break;
    end = start;
  }
  return text.substr(0, end);
}

// How many of the next 8 bytes, from the first on, are ASCII and no white space. The zeros after
// the text end them.
static std::size_t plain_bytes(const char* bytes) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return static_cast<unsigned char>(bytes[0]) - 0x21u < 0x5Fu ? 1 : 0;
#else
  constexpr std::uint64_t kEach = 0x0101010101010101u;
  std::uint64_t word;
  std::memcpy(&word, bytes, 8);
  // The lowest bit is right: only bytes above one that is found can be wrong.
  const std::uint64_t found = ((word - 0x21 * kEach) | word) & (0x80 * kEach);
  return found == 0 ? 8 : static_cast<std::size_t>(lowest_bit(found)) / 8;
#endif
}

void tokenize_none(std::string_view text, TokenList& tokens) {
  tokens.read_from(text);
  std::size_t start = 0;
  std::size_t i = 0;
  while (i < text.size()) {
    i += plain_bytes(text.data() + i);
    if (i == text.size()) break;
    const std::uint32_t space = space_at(text, i);
    if (space == 0) {
      do ++i;
      while (i < text.size() && !may_begin_space(text[i]));
      continue;
    }
    if (i > start) tokens.add(start, i);
    i += space;
    start = i;
  }
  if (i > start) tokens.add(start, i);
}

void tokenize_character(std::string_view text, TokenList& tokens) {
  tokens.read_from(text);
  for (std::size_t i = 0; i < text.size();) {
    const Decoded c = decode(text, i);
    if (!is_space(c.value)) tokens.add(i, i + c.size);
    i += c.size;
  }
}

void tokenize(Tokenizer tokenizer, const Text& text, Case letter_case, TokenizerScratch& scratch,
              TokenList& tokens) {
  if (tokenizer == Tokenizer::mteval_v13a) {
    return tokenize_mteval_v13a(text, letter_case, scratch, tokens);
  }
  const std::string_view line = to_utf8(text, letter_case, scratch.utf8);
  switch (tokenizer) {
    case Tokenizer::none:
      return tokenize_none(line, tokens);
    case Tokenizer::v13a:
    case Tokenizer::mteval_v13a:
      return tokenize_13a(line, scratch, tokens);
    case Tokenizer::character:
      return tokenize_character(line, tokens);
    case Tokenizer::intl:
      return tokenize_intl(line, tokens);
    case Tokenizer::zh:
      return tokenize_zh(line, false, scratch, tokens);
    case Tokenizer::zh_fixed:
      return tokenize_zh(line, true, scratch, tokens);
    case Tokenizer::ascii_words:
      return tokenize_ascii_words(line, tokens);
    case Tokenizer::ascii_stems:
      return tokenize_ascii_stems(scratch.utf8.data(), line.size(), tokens);
    case Tokenizer::unicode_words:
      return tokenize_unicode_words(line, tokens);
  }
}

}  // namespace bleuet
