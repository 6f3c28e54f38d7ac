#include "meteor/normalizer.hpp"

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
      const bool is_space = (c >= 0x09 && c <= 0x0D) || c == ' ';
      // The vertical tab divides no words.
      space[c] = is_space && c != 0x0B;
      const char32_t lower = c | 0x20;
      kept[c] = is_space || (c >= '0' && c <= '9') || (lower >= 'a' && lower <= 'z') || c == '.' ||
                c == '\'' || c == ',' || c == '-';
    }
  }
};
constexpr Ascii kAscii;

inline bool is_blank(char32_t c) { return c < 128 && kAscii.space[c]; }

// Any other character is a token by itself.
inline bool is_kept(char32_t c) { return c < 128 ? kAscii.kept[c] : is_letter(c); }

// Tokens that are left out, but only after full stops were separated.
bool is_no_token(char32_t c) {
  return c == 0xA0 || (c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000;
}

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
    {no_letter, '\'', is_letter, " ' "},
    {is_letter, '\'', no_letter, " ' "},
    {is_letter, '\'', is_letter, "' "},
};

// A text that one step after the other changes. A step that would change nothing is left out.
class Changing {
 public:
  Changing(const Text& text, MeteorNormalizer::Scratch& scratch)
      : now_(scratch.now), next_(scratch.next) {
    const std::size_t length = to_code_points(text, Case::keep, next_);
    now_.resize(length + 2);
    now_.front() = now_.back() = ' ';
    for (std::size_t i = 0; i < length; ++i) {
      const char32_t c = plain(next_[i]);
      if (c < 64) seen_ |= std::uint64_t{1} << c;
      all_kept_ &= is_kept(c);
      has_dots_ |= c == '.' && now_[i] == '.';
      now_[i + 1] = c;
    }
  }

  // Writes one character below 64 instead of two that are the same.
  void join_pairs(char32_t one, char32_t instead) {
    if (!seen(one)) return;
    rewrite(
        [&](std::size_t from) {
          const auto pair = std::adjacent_find(
              at(from), now_.cend(), [&](char32_t a, char32_t b) { return a == one && b == one; });
          return Found{place_of(pair), 2};
        },
        [&](Found) {
          next_.push_back(instead);
          all_kept_ &= is_kept(instead);
        });
  }

  void cut(const Cut& cut) {
    if (!seen(cut.mark)) return;
    rewrite(
        [&](std::size_t from) {
          for (std::size_t i = from + 1; i + 1 < now_.size(); ++i) {
            if (now_[i] == cut.mark && cut.left(now_[i - 1]) && cut.right(now_[i + 1])) {
              return Found{i - 1, 3};
            }
          }
          return Found{now_.size(), 0};
        },
        [&](Found found) {
          next_.push_back(now_[found.start]);
          for (const char* c = cut.instead; *c != 0; ++c) {
            next_.push_back(static_cast<char32_t>(*c));
          }
          next_.push_back(now_[found.start + 2]);
        });
  }

  void separate_others() {
    if (all_kept_) return;
    separate([](char32_t c) { return !is_kept(c); }, 1);
    // A dash is a token, where a hyphen between letters or digits is none.
    std::replace(now_.begin(), now_.end(), char32_t{0x2013}, U'-');
  }
  void separate_dots() {
    if (!has_dots_) return;
    rewrite(
        [&](std::size_t from) {
          const auto is_dot = [](char32_t a, char32_t b) { return a == '.' && b == '.'; };
          const auto start = std::adjacent_find(at(from), now_.cend(), is_dot);
          const auto end = std::find_if(start, now_.cend(), [](char32_t c) { return c != '.'; });
          return Found{place_of(start), static_cast<std::size_t>(end - start)};
        },
        [&](Found found) { separated(found); });
  }
  void separate_each(char32_t mark) {
    if (!seen(mark)) return;
    separate([mark](char32_t c) { return c == mark; }, 1);
  }

 private:
  struct Found {
    std::size_t start;
    std::size_t length;
  };

  template <class Is>
  void separate(Is is, std::size_t length) {
    rewrite(
        [&](std::size_t from) {
          return Found{place_of(std::find_if(at(from), now_.cend(), is)), length};
        },
        [&](Found found) { separated(found); });
  }

  void separated(Found found) {
    next_.push_back(' ');
    next_.insert(next_.end(), at(found.start), at(found.start + found.length));
    next_.push_back(' ');
  }

  // Lets `write` write something else instead of all that `find` finds from a place on.
  template <class Find, class Write>
  void rewrite(Find find, Write write) {
    next_.clear();
    std::size_t copied = 0;
    for (;;) {
      const Found found = find(copied);
      if (found.start >= now_.size()) break;
      next_.insert(next_.end(), at(copied), at(found.start));
      write(found);
      copied = found.start + found.length;
    }
    if (copied == 0) return;
    next_.insert(next_.end(), at(copied), now_.cend());
    now_.swap(next_);
  }

  std::vector<char32_t>::const_iterator at(std::size_t i) const {
    return now_.cbegin() + static_cast<std::ptrdiff_t>(i);
  }
  std::size_t place_of(std::vector<char32_t>::const_iterator where) const {
    return static_cast<std::size_t>(where - now_.cbegin());
  }

  static char32_t plain(char32_t c) {
    if (c < 0x80) return c == '`' ? '\'' : c;
    if (c == 0x201C || c == 0x201D) return '"';
    if (c == 0x2018 || c == 0x2019) return '\'';
    return c;
  }

  // Whether a character below 64 was there at the start. No step writes other marks.
  bool seen(char32_t c) const { return (seen_ >> c & 1) != 0; }

  std::uint64_t seen_ = 0;
  bool all_kept_ = true;
  bool has_dots_ = false;
  std::vector<char32_t>& now_;
  std::vector<char32_t>& next_;
};

// Replaces everything else by one space between words.
void keep_letters_and_digits(std::u32string& text) {
  std::size_t length = 0;
  bool ended = false;
  for (const char32_t c : text) {
    if (!is_word(c)) {
      ended = true;
      continue;
    }
    if (ended && length > 0) text[length++] = ' ';
    ended = false;
    text[length++] = c;
  }
  text.resize(length);
}

// Removes control characters and spaces at both ends, as Java's trim() does.
void trim(std::u32string& text) {
  const auto kept = [](char32_t c) { return c > ' '; };
  text.erase(std::find_if(text.rbegin(), text.rend(), kept).base(), text.end());
  text.erase(text.begin(), std::find_if(text.begin(), text.end(), kept));
}

void cut_apostrophes(Changing& text, MeteorNormalizer::Apostrophes apostrophes) {
  switch (apostrophes) {
    case MeteorNormalizer::Apostrophes::english:
      for (const Cut& one : kEnglish) text.cut(one);
      break;
    case MeteorNormalizer::Apostrophes::french:
      for (const Cut& one : kFrench) text.cut(one);
      break;
    case MeteorNormalizer::Apostrophes::other:
      text.separate_each('\'');
  }
}

}  // namespace

std::u32string& MeteorNormalizer::operator()(const Text& text, Scratch& scratch) const {
  Changing changing(text, scratch);
  changing.join_pairs('\'', '"');
  changing.join_pairs('-', '-');
  changing.separate_dots();
  changing.cut(kHyphen);
  changing.separate_others();
  for (const Cut& one : kCommas) changing.cut(one);
  cut_apostrophes(changing, apostrophes_);

  const std::vector<char32_t>& now = scratch.now;
  std::u32string& out = scratch.out;
  out.clear();
  const char32_t* const end = now.data() + now.size();
  const auto skip = [&](const char32_t* at, bool blanks) {
    while (at != end && is_blank(*at) == blanks) ++at;
    return at;
  };
  const char32_t* word = skip(now.data(), true);
  while (word != end) {
    const char32_t* const stop = skip(word, false);
    const char32_t* const next = skip(stop, true);
    if (stop - word > 1 || !is_no_token(*word)) {
      if (!out.empty()) out.push_back(' ');
      add({word, static_cast<std::size_t>(stop - word)}, next == end ? U'\0' : *next, out);
    }
    word = next;
  }
  trim(out);
  if (no_punct_) keep_letters_and_digits(out);
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
