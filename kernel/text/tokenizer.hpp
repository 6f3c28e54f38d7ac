// The tokenizers of BLEU in the kernel: one function each, one file each.
#pragma once

#include <vector>

#include "text/text.hpp"
#include "text/tokens.hpp"

namespace bleuet {

enum class Tokenizer : std::uint8_t {
  none,
  v13a,
  mteval_v13a,
  character,
  intl,
  zh,
  zh_fixed,
  ascii_words,
  ascii_stems,
  unicode_words,
};

// Whether only ASCII letters are lower-cased, and the caller has nothing to lower-case before.
constexpr bool lowers_ascii_only(Tokenizer tokenizer) {
  return tokenizer == Tokenizer::mteval_v13a;
}

// Buffers a tokenizer may use between calls; the tokens it returns point into them.
struct TokenizerScratch {
  std::vector<char> utf8;
  std::vector<char> rewritten;
};

// Every function below strips trailing white space first (which only matters for `character`,
// which cuts inside words, and for the replacements of `v13a`), then cuts UTF-8 `text`, after which
// kPadding zero bytes must follow, into `tokens`.
void tokenize_none(std::string_view text, TokenList& tokens);
void tokenize_13a(std::string_view text, TokenizerScratch& scratch, TokenList& tokens);
void tokenize_character(std::string_view text, TokenList& tokens);
void tokenize_intl(std::string_view text, TokenList& tokens);
// As `13a`, but mteval lower-cases ASCII letters alone, and after the replacements.
void tokenize_mteval_v13a(const Text& text, Case letter_case, TokenizerScratch& scratch,
                          TokenList& tokens);
void tokenize_zh(std::string_view text, bool fixed_ranges, TokenizerScratch& scratch,
                 TokenList& tokens);

// Runs of ASCII letters and digits, as rouge-score has them.
void tokenize_ascii_words(std::string_view text, TokenList& tokens);
// The same, with the stems of words of more than three letters. They are written over the words,
// which are lower-cased.
void tokenize_ascii_stems(char* text, std::size_t length, TokenList& tokens);
// Words of every script; each character of a script without spaces between words is one.
void tokenize_unicode_words(std::string_view text, TokenList& tokens);

// The part that 13a and zh share: cuts at punctuation and white space, without any replacement.
// 13a pads the line with spaces, so that a full stop at either edge has a neighbour; zh does not.
enum class Edges : std::uint8_t { padded, bare };
void cut_at_punctuation(std::string_view text, Edges edges, TokenList& tokens);

void tokenize(Tokenizer tokenizer, const Text& text, Case letter_case, TokenizerScratch& scratch,
              TokenList& tokens);

// Without trailing white space, as str.rstrip() leaves it.
std::string_view strip_end(std::string_view text);

// Bytes of the white space that starts at text[i], 0 where none does.
std::uint32_t decoded_space_at(std::string_view text, std::size_t i);
// Only these bytes begin a white space.
inline bool may_begin_space(char byte) {
  const auto lead = static_cast<unsigned char>(byte);
  return lead <= 0x20 || lead == 0xC2 || (lead >= 0xE1 && lead <= 0xE3);
}
inline std::uint32_t space_at(std::string_view text, std::size_t i) {
  if (text[i] == ' ') return 1;
  return may_begin_space(text[i]) ? decoded_space_at(text, i) : 0;
}

}  // namespace bleuet
