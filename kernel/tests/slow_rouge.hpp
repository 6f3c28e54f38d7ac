// Common subsequences by the whole table of lengths, as rouge-score has them: the oracle of the
// tests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace bleuet::slow {

using Sentence = std::vector<std::string>;

inline Sentence all_words(const std::vector<Sentence>& sentences) {
  Sentence words;
  for (const Sentence& one : sentences) words.insert(words.end(), one.begin(), one.end());
  return words;
}

// The positions in `a` of one longest common subsequence.
inline std::set<std::size_t> subsequence(const Sentence& a, const Sentence& b) {
  std::vector<std::vector<std::size_t>> cells(a.size() + 1,
                                              std::vector<std::size_t>(b.size() + 1, 0));
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      cells[i][j] = a[i - 1] == b[j - 1] ? cells[i - 1][j - 1] + 1
                                         : std::max(cells[i - 1][j], cells[i][j - 1]);
    }
  }
  std::set<std::size_t> positions;
  for (std::size_t i = a.size(), j = b.size(); i > 0 && j > 0;) {
    if (a[i - 1] == b[j - 1]) {
      positions.insert(--i);
      --j;
    } else if (cells[i][j - 1] > cells[i - 1][j]) {
      --j;
    } else {
      --i;
    }
  }
  return positions;
}

inline std::size_t united(const std::vector<Sentence>& reference,
                          const std::vector<Sentence>& hypothesis) {
  std::map<std::string, std::size_t> left;
  for (const std::string& word : all_words(hypothesis)) ++left[word];
  std::size_t shared = 0;
  for (const Sentence& sentence : reference) {
    std::set<std::size_t> marked;
    for (const Sentence& other : hypothesis) {
      const std::set<std::size_t> found = subsequence(sentence, other);
      marked.insert(found.begin(), found.end());
    }
    for (const std::size_t i : marked) {
      if (left[sentence[i]] == 0) continue;
      --left[sentence[i]];
      ++shared;
    }
  }
  return shared;
}

inline std::size_t shared_ngrams(const Sentence& reference, const Sentence& hypothesis,
                                 std::size_t order) {
  std::map<Sentence, std::size_t> left;
  const auto each = [order](const Sentence& words, auto use) {
    for (std::size_t i = 0; i + order <= words.size(); ++i) {
      const auto begin = words.begin() + static_cast<std::ptrdiff_t>(i);
      use(Sentence(begin, begin + static_cast<std::ptrdiff_t>(order)));
    }
  };
  each(reference, [&](const Sentence& ngram) { ++left[ngram]; });
  std::size_t shared = 0;
  each(hypothesis, [&](const Sentence& ngram) {
    const auto found = left.find(ngram);
    if (found == left.end() || found->second == 0) return;
    --found->second;
    ++shared;
  });
  return shared;
}

}  // namespace bleuet::slow
