// Chinese tokenization: every Chinese character stands alone, the rest is cut as in 13a.
#include "text/tokenizer.hpp"

namespace bleuet {
namespace {

struct Range {
  char32_t low;
  char32_t high;
};

// sacreBLEU writes two ranges beyond U+FFFF with four-digit escapes, so that U+20000..U+2A6D6
// became U+2001..U+2A6D (arrows, dashes, quotation marks) and U+2F800..U+2FA1D became nothing new;
// `zh` reproduces that, `zh_fixed` does not.
constexpr Range kSacrebleu[] = {
    {0x2001, 0x2A6D}, {0x2E80, 0x2FDF}, {0x2FF0, 0x303F}, {0x3100, 0x312F}, {0x31A0, 0x31EF},
    {0x3200, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9},
    {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF},
};
constexpr Range kFixed[] = {
    {0x2600, 0x27BF}, {0x2E80, 0x2FDF}, {0x2FF0, 0x303F},   {0x3100, 0x312F},
    {0x31A0, 0x31BF}, {0x31C0, 0x31EF}, {0x3200, 0x4DB5},   {0x4E00, 0x9FBB},
    {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9},   {0xFE10, 0xFE1F},
    {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF}, {0x20000, 0x2A6D6}, {0x2F800, 0x2FA1D},
};

template <std::size_t N>
bool within(const Range (&ranges)[N], char32_t c) {
  for (const Range& range : ranges) {
    if (c >= range.low && c <= range.high) return true;
  }
  return false;
}

std::string_view strip_start(std::string_view text) {
  std::size_t start = 0;
  while (start < text.size()) {
    const std::uint32_t space = space_at(text, start);
    if (space == 0) break;
    start += space;
  }
  return text.substr(start);
}

}  // namespace

void tokenize_zh(std::string_view text, bool fixed_ranges, TokenizerScratch& scratch,
                 TokenList& tokens) {
  const std::string_view line = strip_start(strip_end(text));
  std::vector<char>& spaced = scratch.rewritten;
  spaced.clear();
  for (std::size_t i = 0; i < line.size();) {
    const Decoded c = decode(line, i);
    const bool chinese = fixed_ranges ? within(kFixed, c.value) : within(kSacrebleu, c.value);
    if (chinese) spaced.push_back(' ');
    spaced.insert(spaced.end(), line.begin() + static_cast<std::ptrdiff_t>(i),
                  line.begin() + static_cast<std::ptrdiff_t>(i + c.size));
    if (chinese) spaced.push_back(' ');
    i += c.size;
  }
  const std::size_t size = spaced.size();
  spaced.resize(size + kPadding);
  cut_at_punctuation({spaced.data(), size}, Edges::bare, tokens);
}

}  // namespace bleuet
