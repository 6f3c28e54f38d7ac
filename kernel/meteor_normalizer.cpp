#include "meteor_normalizer.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace bleuet {
namespace {

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }

bool is_letter(char32_t c) {
  if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return (c >= 0xC0 && c <= 0x17E && c != 0xD7 && c != 0xF7) || (c >= 0x400 && c <= 0x527) ||
         (c >= 0x1D00 && c <= 0x1D7F) || (c >= 0xA640 && c <= 0xA697);
}

bool is_word(char32_t c) { return is_digit(c) || is_letter(c); }

// The properties that every character is checked for, for ASCII.
struct Ascii {
  bool space[128] = {};
  bool kept[128] = {};

  constexpr Ascii() {
    for (char32_t c = 0; c < 128; ++c) {
      space[c] = (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20);
      const char32_t lower = c | 0x20;
      kept[c] = space[c] || (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z') || c == '.' ||
                c == '\'' || c == ',' || c == '-';
    }
  }
};
constexpr Ascii kAscii;

inline bool is_blank(char32_t c) { return c < 128 ? kAscii.space[c] : is_space(c); }

// Any other character is a token by itself.
inline bool is_kept(char32_t c) { return c < 128 ? kAscii.kept[c] : is_letter(c) || is_space(c); }

// A mark between two characters, and what is written instead of it.
struct Cut {
  bool (*left)(char32_t);
  char32_t mark;
  bool (*right)(char32_t);
  const char* instead;
};

bool no_digit(char32_t c) { return !is_digit(c); }
bool no_letter(char32_t c) { return !is_letter(c); }
bool no_word(char32_t c) { return !is_word(c); }
bool word_or_stop(char32_t c) { return is_word(c) || c == '.'; }
bool is_s(char32_t c) { return c == 's'; }

constexpr Cut kHyphen = {word_or_stop, '-', is_word, " "};
constexpr Cut kCommas[] = {
    {no_digit, ',', no_digit, " , "},
    {is_digit, ',', no_digit, " , "},
    {no_digit, ',', is_digit, " , "},
};
constexpr Cut kEnglish[] = {
    {no_letter, '\'', no_letter, " ' "}, {no_word, '\'', is_letter, " ' "},
    {is_letter, '\'', no_letter, " ' "}, {is_letter, '\'', is_letter, " '"},
    {is_digit, '\'', is_s, " '"},
};
constexpr Cut kFrench[] = {
    {no_letter, '\'', no_letter, " ' "},
    {no_word, '\'', is_letter, " ' "},
    {is_letter, '\'', no_letter, " ' "},
    {is_letter, '\'', is_letter, "' "},
};

// A text that one step after the other changes.
class Changing {
 public:
  explicit Changing(const Text& text) {
    const std::size_t length = to_code_points(text, Case::keep, next_);
    now_.reserve(2 * length + 2);
    now_.push_back(' ');
    for (std::size_t i = 0; i < length; ++i) {
      const char32_t c = plain(next_[i]);
      if (c < 64) seen_ |= std::uint64_t{1} << c;
      now_.push_back(c);
    }
    now_.push_back(' ');
  }

  const std::vector<char32_t>& now() const { return now_; }

  // Writes one character below 64 instead of two that are the same.
  void join_pairs(char32_t one, char32_t instead) {
    if (!seen(one)) return;
    rewrite(
        [&](std::size_t i) -> std::size_t {
          return now_[i] == one && i + 1 < now_.size() && now_[i + 1] == one ? 2 : 0;
        },
        [&](std::size_t, std::size_t) { next_.push_back(instead); });
  }

  void cut(const Cut& cut) {
    if (!seen(cut.mark)) return;
    rewrite(
        [&](std::size_t i) -> std::size_t {
          return i + 2 < now_.size() && now_[i + 1] == cut.mark && cut.left(now_[i]) &&
                         cut.right(now_[i + 2])
                     ? 3
                     : 0;
        },
        [&](std::size_t i, std::size_t) {
          next_.push_back(now_[i]);
          for (const char* c = cut.instead; *c != 0; ++c) {
            next_.push_back(static_cast<char32_t>(*c));
          }
          next_.push_back(now_[i + 2]);
        });
  }

  // Separates each run of characters for which `length_at` says how many they are.
  template <class LengthAt>
  void separate(LengthAt length_at) {
    rewrite(length_at, [&](std::size_t i, std::size_t length) {
      next_.push_back(' ');
      next_.insert(next_.end(), at(i), at(i + length));
      next_.push_back(' ');
    });
  }

 private:
  // Lets `write` write something else where `length_at` says how many characters that replaces.
  template <class LengthAt, class Write>
  void rewrite(LengthAt length_at, Write write) {
    next_.clear();
    std::size_t copied = 0;
    for (std::size_t i = 0; i < now_.size();) {
      const std::size_t length = length_at(i);
      if (length > 0) {
        next_.insert(next_.end(), at(copied), at(i));
        write(i, length);
        copied = i + length;
      }
      i += std::max<std::size_t>(length, 1);
    }
    if (copied == 0) return;
    next_.insert(next_.end(), at(copied), at(now_.size()));
    now_.swap(next_);
  }

  std::vector<char32_t>::const_iterator at(std::size_t i) const {
    return now_.begin() + static_cast<std::ptrdiff_t>(i);
  }

  static char32_t plain(char32_t c) {
    if (c < 0x80) return c == '`' ? '\'' : c;
    if (c == 0x201C || c == 0x201D) return '"';
    if (c == 0x2018 || c == 0x2019) return '\'';
    return c == 0x2013 ? '-' : c;
  }

  // Whether a character below 64 was there at the start. No step writes other marks.
  bool seen(char32_t c) const { return (seen_ >> c & 1) != 0; }

  std::uint64_t seen_ = 0;
  std::vector<char32_t> now_, next_;
};

void cut_apostrophes(Changing& text, MeteorNormalizer::Apostrophes apostrophes) {
  switch (apostrophes) {
    case MeteorNormalizer::Apostrophes::english:
      for (const Cut& one : kEnglish) text.cut(one);
      break;
    case MeteorNormalizer::Apostrophes::french:
      for (const Cut& one : kFrench) text.cut(one);
      break;
    case MeteorNormalizer::Apostrophes::other:
      text.separate([&](std::size_t i) { return text.now()[i] == '\'' ? 1U : 0U; });
  }
}

}  // namespace

std::u32string MeteorNormalizer::operator()(const Text& text) const {
  Changing changing(text);
  const std::vector<char32_t>& now = changing.now();
  changing.join_pairs('\'', '"');
  changing.join_pairs('-', '-');
  changing.cut(kHyphen);
  changing.separate([&](std::size_t i) -> std::size_t { return is_kept(now[i]) ? 0 : 1; });
  changing.separate([&](std::size_t i) -> std::size_t {
    if (now[i] != '.') return 0;
    std::size_t end = i;
    while (end < now.size() && now[end] == '.') ++end;
    return end - i > 1 ? end - i : 0;
  });
  for (const Cut& one : kCommas) changing.cut(one);
  cut_apostrophes(changing, apostrophes_);

  std::u32string out;
  out.reserve(now.size());
  const char32_t* const end = now.data() + now.size();
  const auto skip = [&](const char32_t* at, bool blanks) {
    while (at != end && is_blank(*at) == blanks) ++at;
    return at;
  };
  const char32_t* word = skip(now.data(), true);
  while (word != end) {
    const char32_t* const stop = skip(word, false);
    const char32_t* const next = skip(stop, true);
    if (!out.empty()) out.push_back(' ');
    add({word, static_cast<std::size_t>(stop - word)}, next == end ? U'\0' : *next, out);
    word = next;
  }
  return out;
}

// Adds a word with its full stop separated where it ends a sentence; `after` begins the next word.
void MeteorNormalizer::add(const Word& word, char32_t after, std::u32string& out) const {
  const char32_t* const end = word.begin + word.size;
  const auto is_stop = [](char32_t c) { return c == '.'; };
  const char32_t* const last = end - 1;
  if (*last != '.' || std::all_of(word.begin, end, is_stop)) {
    out.append(word.begin, end);
    return;
  }
  if (std::any_of(word.begin, last, is_stop) && std::any_of(word.begin, last, is_letter)) {
    std::copy_if(word.begin, last, std::back_inserter(out), [](char32_t c) { return c != '.'; });
    return;
  }
  const auto prefix = prefixes_.find(std::u32string(word.begin, last));
  const bool keeps = prefix != prefixes_.end() && (!prefix->second || is_digit(after));
  out.append(word.begin, last);
  if (!keeps && !(after >= 'a' && after <= 'z')) out.push_back(' ');
  out.push_back('.');
}

}  // namespace bleuet
