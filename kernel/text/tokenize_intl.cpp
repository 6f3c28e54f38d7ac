// mteval-v14's international tokenization: Unicode punctuation and symbols stand alone, except
// punctuation between digits.
//
// sacreBLEU applies three substitutions; one pass suffices. Punctuation stands alone when the
// character before it exists, is not numeric and was not itself taken by this rule, or when the
// character after it exists and is not numeric. Symbols always stand alone. The line is not padded.
#include "text/tokenizer.hpp"
#include "text/unicode.hpp"

namespace bleuet {

void tokenize_intl(std::string_view text, TokenList& tokens) {
  const std::string_view line = strip_end(text);
  tokens.read_from(line);
  std::size_t start = 0;
  bool left_ok = false;  // whether the character before lets punctuation stand alone
  for (std::size_t i = 0; i < line.size();) {
    const Decoded c = decode(line, i);
    const std::size_t end = i + c.size;
    const Property property = property_of(c.value);
    bool alone = property == Property::symbol;
    bool taken = false;
    if (property == Property::punctuation) {
      taken = left_ok;
      alone =
          taken || (end < line.size() && property_of(decode(line, end).value) != Property::number);
    }
    const bool space = property == Property::other && is_space(c.value);
    if (alone || space) {
      if (i > start) tokens.add(start, i);
      if (alone) tokens.add(i, end);
      start = end;
    }
    left_ok = property != Property::number && !taken;
    i = end;
  }
  if (line.size() > start) tokens.add(start, line.size());
}

}  // namespace bleuet
