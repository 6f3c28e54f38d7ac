// chrF's statistics as the definition reads, with std::map: what the counter is compared with.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "ngrams/chrf.hpp"
#include "stored.hpp"

namespace slow_chrf {

using bleuet::ChrfOptions;
using bleuet_tests::Stored;

inline std::u32string lower(std::u32string text, const ChrfOptions& options) {
  for (char32_t& c : text) {
    if (options.letter_case == bleuet::Case::lower_ascii && c >= 'A' && c <= 'Z') c += 32;
  }
  return text;
}

inline std::vector<std::u32string> split(const std::u32string& text) {
  std::vector<std::u32string> words;
  bool inside = false;
  for (char32_t c : text) {
    const bool space = bleuet::is_space(c);
    if (!space && !inside) words.emplace_back();
    if (!space) words.back().push_back(c);
    inside = !space;
  }
  return words;
}

inline bool is_punctuation(char32_t c) {
  return std::u32string(U"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~").find(c) != std::u32string::npos;
}

inline std::vector<std::u32string> words_of(const std::u32string& text) {
  std::vector<std::u32string> words;
  for (const std::u32string& word : split(text)) {
    std::size_t cut = word.size();
    if (word.size() > 1 && is_punctuation(word.back())) {
      cut = word.size() - 1;
    } else if (word.size() > 1 && is_punctuation(word.front())) {
      cut = 1;
    }
    words.push_back(word.substr(0, cut));
    if (cut != word.size()) words.push_back(word.substr(cut));
  }
  return words;
}

inline std::vector<std::u32string> characters_of(const std::u32string& text, bool whitespace) {
  std::vector<std::u32string> characters;
  for (char32_t c : text) {
    if (whitespace || !bleuet::is_space(c)) characters.emplace_back(1, c);
  }
  return characters;
}

using Ngrams = std::map<std::vector<std::u32string>, std::int64_t>;

inline Ngrams ngrams(const std::vector<std::u32string>& items, std::size_t n) {
  Ngrams counts;
  for (auto begin = items.begin(); items.end() - begin >= static_cast<std::ptrdiff_t>(n); ++begin) {
    ++counts[{begin, begin + static_cast<std::ptrdiff_t>(n)}];
  }
  return counts;
}

inline void add_triples(const std::vector<std::u32string>& hypothesis,
                        const std::vector<std::u32string>& reference, std::size_t order,
                        std::vector<std::int64_t>& row) {
  for (std::size_t n = 1; n <= order; ++n) {
    Ngrams theirs = ngrams(reference, n);
    std::int64_t in_hypothesis = 0, in_reference = 0, matches = 0;
    for (const auto& [ngram, count] : ngrams(hypothesis, n)) {
      in_hypothesis += theirs.empty() ? 0 : count;
      const auto found = theirs.find(ngram);
      if (found != theirs.end()) matches += std::min(count, found->second);
    }
    for (const auto& entry : theirs) in_reference += entry.second;
    row.insert(row.end(), {in_hypothesis, in_reference, matches});
  }
}

inline std::vector<std::int64_t> row(const std::u32string& hypothesis,
                                     const std::vector<std::u32string>& references,
                                     const ChrfOptions& options) {
  std::vector<std::int64_t> best;
  double best_score = -1;
  const std::u32string ours = lower(hypothesis, options);
  for (const std::u32string& reference : references) {
    const std::u32string theirs = lower(reference, options);
    std::vector<std::int64_t> one;
    add_triples(characters_of(ours, options.whitespace), characters_of(theirs, options.whitespace),
                options.char_order, one);
    add_triples(words_of(ours), words_of(theirs), options.word_order, one);
    const double score = bleuet::chrf_f_score(one.data(), options);
    if (score > best_score) {
      best_score = score;
      best = one;
    }
  }
  return best;
}

// What the counter says; `trimmed` references are those that are kept.
inline std::vector<std::int64_t> fast_row(const std::u32string& hypothesis,
                                          const std::vector<std::u32string>& references,
                                          const ChrfOptions& options, bool trimmed) {
  using bleuet::ChrfCounter;
  ChrfCounter counter(options);
  std::vector<ChrfCounter::Reference> prepared(references.size());
  for (std::size_t r = 0; r < references.size(); ++r) {
    // The stored text is gone when the counter counts.
    counter.prepare(Stored(references[r]).view(), prepared[r]);
    if (trimmed) ChrfCounter::trim(prepared[r]);
  }
  std::vector<std::int64_t> integers(ChrfCounter::integers(options));
  counter.count(Stored(hypothesis).view(), prepared.data(), prepared.size(), integers.data(),
                nullptr);
  return integers;
}

}  // namespace slow_chrf
