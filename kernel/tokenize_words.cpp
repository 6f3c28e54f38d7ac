// The tokenizers of ROUGE: words without white space, punctuation and symbols.
#include "porter.hpp"
#include "tokenizer.hpp"
#include "unicode.hpp"

namespace bleuet {
namespace {

enum class Part : std::uint8_t { none, word, alone };

bool in_ascii_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

template <class Use>
void for_ascii_words(std::string_view text, Use use) {
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t start = i;
    while (i < text.size() && in_ascii_word(text[i])) ++i;
    if (i > start) use(start, i);
    ++i;
  }
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
