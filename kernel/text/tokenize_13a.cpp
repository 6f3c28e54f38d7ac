// mteval-v13a's tokenization, as the four substitutions of sacreBLEU's `13a` leave it, in one pass.
//
// The pass visits only bytes that can end a token. What it relies on: the marks of the first
// substitution always stand alone; a full stop or comma stands alone when the character before it
// is not a digit (and is not a mark that this same rule has just consumed) or the one after it is
// not a digit; a dash stands alone after a digit.
#include <cstring>
#include <string>

#include "machine/bits.hpp"
#include "machine/byte_ranges.hpp"
#include "text/tokenizer.hpp"

namespace bleuet {
namespace {

enum Class : std::uint8_t { kWord, kSpace, kMark, kPoint, kDash, kLead, kReplaced };

struct Classes {
  std::uint8_t of[256];
  constexpr Classes() : of() {
    for (int c = 0; c < 256; ++c) of[c] = kWord;
    for (int c = 0x09; c <= 0x0D; ++c) of[c] = kSpace;
    for (int c = 0x1C; c <= 0x20; ++c) of[c] = kSpace;
    for (int c = '!'; c <= '&'; ++c) of[c] = kMark;
    for (int c = '('; c <= '+'; ++c) of[c] = kMark;
    of[static_cast<int>('/')] = kMark;
    for (int c = ':'; c <= '@'; ++c) of[c] = kMark;
    for (int c = '['; c <= '`'; ++c) of[c] = kMark;
    for (int c = '{'; c <= '~'; ++c) of[c] = kMark;
    of[static_cast<int>('.')] = kPoint;
    of[static_cast<int>(',')] = kPoint;
    of[static_cast<int>('-')] = kDash;
    // What the literal replacements of 13a may begin at: entities, line ends, <skipped>.
    of[static_cast<int>('&')] = kReplaced;
    of[static_cast<int>('\n')] = kReplaced;
    of[static_cast<int>('<')] = kReplaced;
    of[0xC2] = kLead;  // the lead bytes of white space beyond ASCII
    for (int c = 0xE1; c <= 0xE3; ++c) of[c] = kLead;
  }
};
constexpr Classes kClasses;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Which of the 64 bytes at `bytes` may end a token; all 64 must be readable.
#ifdef BLEUET_SSE2
std::uint64_t candidates(const char* bytes) {
  std::uint64_t found = 0;
  for (int part = 0; part < 4; ++part) {
    const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * part));
    __m128i hit = bytes_within(c, 0x00, 0x2F);
    hit = _mm_or_si128(hit, bytes_within(c, ':', '@'));
    hit = _mm_or_si128(hit, bytes_within(c, '[', '`'));
    hit = _mm_or_si128(hit, bytes_within(c, '{', '~'));
    hit = _mm_or_si128(hit, bytes_within(c, static_cast<char>(0xE1), static_cast<char>(0xE3)));
    hit = _mm_or_si128(hit, _mm_cmpeq_epi8(c, _mm_set1_epi8(static_cast<char>(0xC2))));
    const auto bits = static_cast<std::uint32_t>(_mm_movemask_epi8(hit));
    found |= static_cast<std::uint64_t>(bits) << (16 * part);
  }
  return found;
}
#else
std::uint64_t candidates(const char* bytes) {
  std::uint64_t found = 0;
  for (int i = 0; i < 64; ++i) {
    const std::uint64_t hit = kClasses.of[static_cast<unsigned char>(bytes[i])] != kWord;
    found |= hit << i;
  }
  return found;
}
#endif

constexpr std::string_view kSkipped = "<skipped>";

class Cutter {
 public:
  Cutter(std::string_view text, Edges edges, TokenList& tokens)
      : bytes_(text.data()), size_(text.size()), padded_(edges == Edges::padded), tokens_(tokens) {}

  // Cuts until `stop` finds something that must be replaced first; true at the end.
  template <class Stop>
  bool run(Stop stop) {
    for (std::size_t block = 0; block < size_; block += 64) {
      std::uint64_t bits = candidates(bytes_ + block);
      tokens_.make_room(65);  // a byte ends at most one token, and one is open from before
      if (size_ - block < 64) bits &= (std::uint64_t{1} << (size_ - block)) - 1;
      for (; bits != 0; bits &= bits - 1) {
        const std::size_t i = block + static_cast<std::size_t>(lowest_bit(bits));
        const std::uint8_t kind = kClasses.of[static_cast<unsigned char>(bytes_[i])];
        if (kind == kReplaced && stop(i)) return false;
        visit(i, kind);
      }
    }
    tokens_.make_room(1);
    close(size_);
    return true;
  }

 private:
  void visit(std::size_t i, std::uint8_t kind) {
    // Four in five are spaces: a branch of their own is cheaper than the table of the switch.
    if (kind == kSpace) return separate(i);
    switch (kind) {
      case kReplaced:
        if (bytes_[i] == '\n') {
          separate(i);
        } else {
          alone(i);
        }
        break;
      case kMark:
        alone(i);
        break;
      case kPoint:
        if (point_stands_alone(i)) alone(i);
        break;
      case kDash:
        if (i > 0 && is_digit(bytes_[i - 1])) alone(i);
        break;
      case kLead:
        if (const std::uint32_t space = space_at({bytes_, size_}, i)) {
          close(i);
          start_ = i + space;
        }
        break;
      default:
        break;
    }
  }

  bool point_stands_alone(std::size_t i) {
    const bool left = i > 0 ? !is_digit(bytes_[i - 1]) && consumed_ != i : padded_;
    if (left) {
      consumed_ = i + 1;
      return true;
    }
    return i + 1 < size_ ? !is_digit(bytes_[i + 1]) : padded_;
  }

  void close(std::size_t end) {
    if (end > start_) tokens_.add_in_room(start_, end);
  }

  void separate(std::size_t i) {
    close(i);
    start_ = i + 1;
  }

  void alone(std::size_t i) {
    close(i);
    tokens_.add_in_room(i, i + 1);
    start_ = i + 1;
  }

  const char* bytes_;
  std::size_t size_;
  bool padded_;
  TokenList& tokens_;
  std::size_t start_ = 0;
  std::size_t consumed_ = 0;  // 1 + the last point that the left-hand rule took; 0 for none
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  std::string out;
  std::size_t start = 0;
  for (std::size_t at; (at = text.find(from, start)) != std::string::npos;) {
    out.append(text, start, at - start).append(to);
    start = at + from.size();
  }
  if (start == 0) return;
  out.append(text, start, std::string::npos);
  text.swap(out);
}

// The literal replacements, in sacreBLEU's order: each sees what the one before has made.
std::string_view replace_literals(std::string_view text, std::vector<char>& buffer) {
  std::string line(strip_end(text));
  replace_all(line, kSkipped, "");
  replace_all(line, "-\n", "");
  replace_all(line, "\n", " ");
  replace_all(line, "&quot;", "\"");
  replace_all(line, "&amp;", "&");
  replace_all(line, "&lt;", "<");
  replace_all(line, "&gt;", ">");
  buffer.assign(line.begin(), line.end());
  buffer.resize(line.size() + kPadding);
  return {buffer.data(), line.size()};
}

}  // namespace

void cut_at_punctuation(std::string_view text, Edges edges, TokenList& tokens) {
  tokens.read_from(text);
  Cutter(text, edges, tokens).run([](std::size_t) { return false; });
}

void tokenize_13a(std::string_view text, TokenizerScratch& scratch, TokenList& tokens) {
  tokens.read_from(text);
  // Few lines need a replacement, so it is detected while cutting.
  const auto replaceable = [&](std::size_t i) {
    return text[i] != '<' || text.substr(i, kSkipped.size()) == kSkipped;
  };
  if (Cutter(text, Edges::padded, tokens).run(replaceable)) return;
  cut_at_punctuation(replace_literals(text, scratch.rewritten), Edges::padded, tokens);
}

void tokenize_mteval_v13a(const Text& text, Case letter_case, TokenizerScratch& scratch,
                          TokenList& tokens) {
  std::string_view line = to_utf8(text, Case::keep, scratch.utf8);
  if (letter_case == Case::keep) return tokenize_13a(line, scratch, tokens);
  if (line.find_first_of("&<\n") != std::string_view::npos) {
    line = replace_literals(line, scratch.rewritten);
    line = to_utf8({line.data(), line.size(), kUtf8, false}, letter_case, scratch.utf8);
  } else {
    line = to_utf8(text, letter_case, scratch.utf8);
  }
  cut_at_punctuation(line, Edges::padded, tokens);
}

}  // namespace bleuet
