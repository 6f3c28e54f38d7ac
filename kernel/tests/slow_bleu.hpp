// BLEU's statistics and 13a's tokens as the definitions read: what the kernel is compared with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ngrams/bleu.hpp"
#include "stored.hpp"

namespace slow_bleu {

using Tokens = std::vector<std::u32string>;

inline bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }
inline bool is_point(char32_t c) { return c == '.' || c == ','; }
inline bool is_mark(char32_t c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
         (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
}

inline std::u32string replace(const std::u32string& text, const std::u32string& from,
                              const std::u32string& to) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, from.size(), from) == 0) {
      out += to;
      i += from.size();
    } else {
      out += text[i++];
    }
  }
  return out;
}

// One substitution of two neighbouring characters by themselves and spaces, left to right.
template <class First, class Second>
std::u32string separate(const std::u32string& text, First first, Second second, bool space_before,
                        bool space_after) {
  std::u32string out;
  for (std::size_t i = 0; i < text.size();) {
    if (i + 1 < text.size() && first(text[i]) && second(text[i + 1])) {
      if (space_before) out += U' ';
      out += text[i];
      out += U' ';
      out += text[i + 1];
      if (space_after) out += U' ';
      i += 2;
    } else {
      out += text[i++];
    }
  }
  return out;
}

inline Tokens split(const std::u32string& text) {
  Tokens tokens(1);
  for (char32_t c : text) {
    if (!bleuet::is_space(c)) {
      tokens.back() += c;
    } else if (!tokens.back().empty()) {
      tokens.emplace_back();
    }
  }
  if (tokens.back().empty()) tokens.pop_back();
  return tokens;
}

inline Tokens tokenize_13a(const std::u32string& text) {
  std::u32string line = text;
  while (!line.empty() && bleuet::is_space(line.back())) line.pop_back();
  line = replace(line, U"<skipped>", U"");
  line = replace(line, U"-\n", U"");
  line = replace(line, U"\n", U" ");
  line = replace(line, U"&quot;", U"\"");
  line = replace(line, U"&amp;", U"&");
  line = replace(line, U"&lt;", U"<");
  line = replace(line, U"&gt;", U">");
  std::u32string marked = U" ";
  for (char32_t c : line) {
    if (is_mark(c)) {
      marked += U' ';
      marked += c;
      marked += U' ';
    } else {
      marked += c;
    }
  }
  marked += U' ';
  const auto other = [](char32_t c) { return !is_digit(c); };
  marked = separate(marked, other, is_point, false, true);
  marked = separate(marked, is_point, other, true, false);
  marked = separate(marked, is_digit, [](char32_t c) { return c == '-'; }, false, true);
  return split(marked);
}

inline std::map<Tokens, std::int64_t> ngrams(const Tokens& tokens, std::size_t n) {
  std::map<Tokens, std::int64_t> counts;
  for (std::size_t i = 0; i + n <= tokens.size(); ++i) {
    ++counts[Tokens(tokens.begin() + static_cast<std::ptrdiff_t>(i),
                    tokens.begin() + static_cast<std::ptrdiff_t>(i + n))];
  }
  return counts;
}

inline std::int64_t clipped_matches(const Tokens& hypothesis, const std::vector<Tokens>& references,
                                    std::size_t n) {
  std::map<Tokens, std::int64_t> most;
  for (const Tokens& reference : references) {
    for (const auto& [ngram, count] : ngrams(reference, n)) {
      most[ngram] = std::max(most[ngram], count);
    }
  }
  std::int64_t matches = 0;
  for (const auto& [ngram, count] : ngrams(hypothesis, n)) {
    const auto found = most.find(ngram);
    if (found != most.end()) matches += std::min(count, found->second);
  }
  return matches;
}

inline std::vector<std::int64_t> row(const std::u32string& hypothesis,
                                     const std::vector<std::u32string>& references,
                                     const bleuet::BleuCounter::Options& options) {
  const auto cut = options.tokenizer == bleuet::Tokenizer::v13a ? tokenize_13a : split;
  const Tokens tokens = cut(hypothesis);
  const auto length = static_cast<std::int64_t>(tokens.size());
  std::vector<Tokens> others;
  std::vector<std::int64_t> lengths;
  for (const std::u32string& reference : references) {
    others.push_back(cut(reference));
    lengths.push_back(static_cast<std::int64_t>(others.back().size()));
  }
  const auto key = [&](std::int64_t n) { return std::make_pair(std::abs(n - length), n); };
  const std::int64_t closest =
      *std::min_element(lengths.begin(), lengths.end(),
                        [&](std::int64_t a, std::int64_t b) { return key(a) < key(b); });
  std::vector<std::int64_t> row{length, closest};
  const auto order = static_cast<std::int64_t>(options.max_ngram_order);
  for (std::int64_t n = 1; n <= order; ++n) {
    row.push_back(clipped_matches(tokens, others, static_cast<std::size_t>(n)));
  }
  for (std::int64_t n = 1; n <= order; ++n) {
    row.push_back(std::max<std::int64_t>(0, length - n + 1));
  }
  return row;
}

inline std::vector<std::int64_t> fast_row(const std::u32string& hypothesis,
                                          const std::vector<std::u32string>& references,
                                          const bleuet::BleuCounter::Options& options,
                                          bool trimmed) {
  using bleuet_tests::Stored;
  bleuet::BleuCounter counter(options);
  std::vector<bleuet::BleuCounter::Reference> prepared(references.size());
  for (std::size_t r = 0; r < references.size(); ++r) {
    const Stored stored(references[r]);
    counter.prepare(stored.view(), prepared[r]);
    if (trimmed) bleuet::BleuCounter::trim(prepared[r]);
  }
  const Stored stored(hypothesis);
  std::vector<std::int64_t> row(bleuet::BleuCounter::integers(options));
  counter.count(stored.view(), prepared.data(), prepared.size(), row.data(), nullptr);
  return row;
}

inline Tokens fast_tokens(const std::u32string& line, bleuet::Tokenizer tokenizer) {
  const bleuet_tests::Stored stored(line);
  bleuet::TokenizerScratch scratch;
  bleuet::TokenList tokens;
  bleuet::tokenize(tokenizer, stored.view(), bleuet::Case::keep, scratch, tokens);
  Tokens out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view bytes = tokens.text_of(tokens[i]);
    out.emplace_back();
    for (std::size_t at = 0; at < bytes.size();) {
      const bleuet::Decoded c = bleuet::decode(bytes, at);
      out.back() += c.value;
      at += c.size;
    }
  }
  return out;
}

}  // namespace slow_bleu
