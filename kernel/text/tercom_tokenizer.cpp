// The steps of Tercom's tokenizer, each one pass over the code points like the regular expression
// it stands for.
#include "text/tercom_tokenizer.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace bleuet {
namespace {

using CodePoints = std::vector<char32_t>;

bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
bool is_stop(char32_t c) { return c == '.' || c == ','; }

bool within(char32_t c, char32_t first, char32_t last) { return c >= first && c <= last; }

bool is_western_punctuation(char32_t c) {
  return within(c, '{', '~') || within(c, '[', '`') || within(c, ' ', '&') || within(c, '(', '+') ||
         within(c, ':', '@') || c == '/';
}

bool is_removed(char32_t c) {
  return c < 0x80 &&
         std::string_view(".,?:;!\"()").find(static_cast<char>(c)) != std::string_view::npos;
}

bool is_asian_punctuation(char32_t c) {
  if (within(c, 0x3001, 0x3002) || within(c, 0x3008, 0x3011) || within(c, 0x3014, 0x301F)) {
    return true;
  }
  if (within(c, 0xFF61, 0xFF65) || c == 0x30FB) return true;
  return within(c, 0xFF01, 0xFF02) || within(c, 0xFF08, 0xFF09) || c == 0xFF0C || c == 0xFF0E ||
         within(c, 0xFF1A, 0xFF1B) || c == 0xFF1F;
}

// 3200-3F22 is sacreBLEU's mistake for 3200-32FF; the rest is part of other ranges anyway.
bool is_asian_token(char32_t c) {
  return within(c, 0x4E00, 0x9FFF) || within(c, 0x3400, 0x4DBF) || within(c, 0x31C0, 0x31EF) ||
         within(c, 0x2E80, 0x2EFF) || within(c, 0x3300, 0x33FF) || within(c, 0xF900, 0xFAFF) ||
         within(c, 0xFE30, 0xFE4F) || within(c, 0x3200, 0x3F22) || is_asian_punctuation(c);
}

bool contains(const CodePoints& text, char32_t c) {
  return std::find(text.begin(), text.end(), c) != text.end();
}

void append(CodePoints& out, std::u32string_view text) {
  out.insert(out.end(), text.begin(), text.end());
}

void append_apart(CodePoints& out, char32_t c) {
  out.push_back(' ');
  out.push_back(c);
  out.push_back(' ');
}

void join_lines(const CodePoints& in, CodePoints& out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (in[i] != '\n') {
      out.push_back(in[i]);
    } else if (i + 1 < in.size() && in[i + 1] == '-') {
      ++i;
    } else {
      out.push_back(' ');
    }
  }
}

void replace(const CodePoints& in, CodePoints& out, std::u32string_view from,
             std::u32string_view to) {
  const std::u32string_view text(in.data(), in.size());
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == from[0] && text.substr(i, from.size()) == from) {
      append(out, to);
      i += from.size();
    } else {
      out.push_back(text[i++]);
    }
  }
}

void pad(const CodePoints& in, CodePoints& out) {
  out.push_back(' ');
  append(out, {in.data(), in.size()});
  out.push_back(' ');
}

template <class Belongs>
void set_apart(const CodePoints& in, CodePoints& out, Belongs belongs) {
  for (const char32_t c : in) {
    if (belongs(c)) {
      append_apart(out, c);
    } else {
      out.push_back(c);
    }
  }
}

template <class Belongs>
void remove(const CodePoints& in, CodePoints& out, Belongs belongs) {
  for (const char32_t c : in) {
    if (!belongs(c)) out.push_back(c);
  }
}

// ([^0-9])([.,]): a match consumes both characters, so that of two stops one is left to the next
// rule.
void split_stop_after_nondigit(const CodePoints& in, CodePoints& out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    out.push_back(in[i]);
    if (i + 1 < in.size() && !is_digit(in[i]) && is_stop(in[i + 1])) append_apart(out, in[++i]);
  }
}

// ([.,])([^0-9])
void split_stop_before_nondigit(const CodePoints& in, CodePoints& out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    if (i + 1 < in.size() && is_stop(in[i]) && !is_digit(in[i + 1])) {
      append_apart(out, in[i]);
      out.push_back(in[++i]);
    } else {
      out.push_back(in[i]);
    }
  }
}

void split_dash_after_digit(const CodePoints& in, CodePoints& out) {
  for (std::size_t i = 0; i < in.size(); ++i) {
    out.push_back(in[i]);
    if (i + 1 < in.size() && is_digit(in[i]) && in[i + 1] == '-') append_apart(out, in[++i]);
  }
}

}  // namespace

void TercomTokenizer::tokenize() {
  const auto step = [this](auto pass, auto... arguments) {
    next_.clear();
    pass(text_, next_, arguments...);
    text_.swap(next_);
  };
  if (options_.normalized) {
    if (contains(text_, '\n')) step(join_lines);
    if (contains(text_, '&')) {
      step(replace, U"&quot;", U"\"");
      step(replace, U"&amp;", U"&");
      step(replace, U"&lt;", U"<");
      step(replace, U"&gt;", U">");
    }
    step(pad);
    step([](const CodePoints& in, CodePoints& out) { set_apart(in, out, is_western_punctuation); });
    if (contains(text_, '\'')) step(replace, U"'s ", U" 's ");
    step(split_stop_after_nondigit);
    step(split_stop_before_nondigit);
    step(split_dash_after_digit);
  }
  if (options_.normalized && options_.asian_support) {
    step([](const CodePoints& in, CodePoints& out) { set_apart(in, out, is_asian_token); });
  }
  if (options_.no_punct) {
    step([](const CodePoints& in, CodePoints& out) { remove(in, out, is_removed); });
  }
  if (options_.no_punct && options_.asian_support) {
    step([](const CodePoints& in, CodePoints& out) { remove(in, out, is_asian_punctuation); });
  }
  // White space of every kind becomes a single blank, none at the ends.
  step([](const CodePoints& in, CodePoints& out) {
    for (const char32_t c : in) {
      if (!is_space(c)) {
        out.push_back(c);
      } else if (!out.empty() && out.back() != ' ') {
        out.push_back(' ');
      }
    }
    if (!out.empty() && out.back() == ' ') out.pop_back();
  });
}

std::string_view TercomTokenizer::prepare(const Text& text, Case letter_case, int times,
                                          std::vector<char>& buffer) {
  if (!options_.normalized && !options_.no_punct) return to_utf8(text, letter_case, buffer);
  std::size_t length = to_code_points(text, letter_case, input_);
  while (length > 0 && is_space(input_[length - 1])) --length;
  text_.assign(input_.begin(), input_.begin() + static_cast<std::ptrdiff_t>(length));
  for (int i = 0; i < times && !text_.empty(); ++i) tokenize();
  return to_utf8({text_.data(), text_.size(), 4, false}, Case::keep, buffer);
}

}  // namespace bleuet
