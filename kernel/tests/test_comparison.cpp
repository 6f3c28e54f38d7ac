// Words as numbers, their matches and n-grams: random texts against the definitions.
#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "ngrams/ngram_groups.hpp"
#include "ngrams/word_matches.hpp"
#include "text/text.hpp"
#include "text/tokenizer.hpp"
#include "text/vocabulary.hpp"

namespace {

using Words = std::vector<std::int32_t>;
using Matches = std::vector<std::int64_t>;

// Texts and the buffers that hold them.
struct Held {
  Words numbers;
  std::vector<std::int64_t> ends;

  void add(const Words& text) {
    numbers.insert(numbers.end(), text.begin(), text.end());
    ends.push_back(static_cast<std::int64_t>(numbers.size()));
  }
  bleuet::NumberedTexts view() const { return {numbers.data(), ends.data(), ends.size()}; }
};

std::map<Words, std::int64_t> ngrams(const Words& text, std::size_t longest) {
  std::map<Words, std::int64_t> found;
  for (std::size_t n = 1; n <= longest; ++n) {
    for (std::size_t i = 0; i + n <= text.size(); ++i) {
      const auto at = text.begin() + static_cast<std::ptrdiff_t>(i);
      ++found[Words(at, at + static_cast<std::ptrdiff_t>(n))];
    }
  }
  return found;
}

// The matches of each n-gram by each system, from the groups.
std::map<Words, Matches> listed(const bleuet::NgramGroups& groups, const Words& numbers,
                                std::size_t systems) {
  std::map<Words, Matches> found;
  std::size_t at = 0;
  for (std::size_t g = 0; g < groups.lengths.size(); ++g) {
    const auto row = groups.matches.begin() + static_cast<std::ptrdiff_t>(g * systems);
    for (; at < static_cast<std::size_t>(groups.ends[g]); ++at) {
      const auto begin = numbers.begin() + groups.starts[at];
      const Words ngram(begin, begin + groups.lengths[g]);
      check(found.count(ngram) == 0, "an n-gram is in one group");
      found[ngram] = Matches(row, row + static_cast<std::ptrdiff_t>(systems));
    }
  }
  return found;
}

void compare_ngrams(std::mt19937& random, std::size_t longest, std::size_t longest_text) {
  constexpr std::size_t kSystems = 3;
  const auto text = [&] {
    Words words(random() % (longest_text + 1));
    for (std::int32_t& word : words) word = static_cast<std::int32_t>(random() % 3);
    return words;
  };
  Held references;
  std::vector<Held> systems(kSystems);
  std::vector<std::int64_t> groups;
  std::map<Words, Matches> expected;
  for (std::size_t segment = 0; segment < 4; ++segment) {
    std::map<Words, std::int64_t> most;
    for (std::size_t r = 0; r < 1 + segment % 2; ++r) {
      const Words reference = text();
      references.add(reference);
      for (const auto& [ngram, count] : ngrams(reference, longest)) {
        most[ngram] = std::max(most[ngram], count);
      }
    }
    groups.push_back(static_cast<std::int64_t>(references.ends.size()));
    for (std::size_t s = 0; s < kSystems; ++s) {
      const Words hypothesis = text();
      systems[s].add(hypothesis);
      for (const auto& [ngram, count] : ngrams(hypothesis, longest)) {
        if (most.count(ngram) == 0) continue;
        expected.emplace(ngram, Matches(kSystems)).first->second[s] += std::min(count, most[ngram]);
      }
    }
  }
  bleuet::MatchedNgrams matched(kSystems, longest, references.numbers.size());
  std::vector<bleuet::NumberedTexts> hypotheses;
  for (const Held& own : systems) hypotheses.push_back(own.view());
  const bleuet::NumberedReferences against{references.view(), groups.data(), groups.size()};
  for (std::size_t segment = 0; segment < groups.size(); ++segment) {
    matched.count(against, hypotheses, segment);
  }
  check(listed(matched.groups(), references.numbers, kSystems) == expected, "n-grams that match");
}

void compare_words() {
  Held references, hypotheses;
  references.add({0, 1, 2, 2});
  references.add({3, 3});
  hypotheses.add({2, 1, 1, 4});
  const std::vector<std::int64_t> groups{2};
  const bleuet::NumberedReferences against{references.view(), groups.data(), 1};
  Matches matched(5), produced(5), expected(5);
  bleuet::WordMatcher matcher(5);
  matcher.count(hypotheses.view()[0], against, 0,
                {matched.data(), produced.data(), expected.data()});
  check(matched == Matches{0, 1, 1, 0, 0}, "clipped counts");
  check(produced == Matches{0, 2, 1, 0, 1}, "counts of the hypothesis");
  check(expected == Matches{1, 1, 2, 0, 0}, "counts of the best reference");

  // 4 is 0 in another case; 1 is punctuation, 3 a number.
  const Words lower{0, 1, 2, 3, 0};
  const std::vector<std::uint8_t> kinds{0, bleuet::kPunctuation, 0, bleuet::kNumber, 0};
  std::array<bleuet::SurfaceErrors, 3> errors;
  matcher.find_errors(hypotheses.view()[0], against, 0, {lower.data(), kinds.data()}, errors);
  check(errors[0].missing == 1 && errors[0].added == 1, "case");
  check(errors[1].missing == 0 && errors[1].added == 1, "punctuation");
  check(errors[2].missing == 0 && errors[2].rows.empty(), "numbers");
  check(errors[0].alone.empty() && errors[1].alone.empty(), "more than one thing differs");
}

void number_words() {
  bleuet::Vocabulary vocabulary;
  bleuet::TokenList tokens;
  std::vector<std::string> words;
  for (int i = 0; i < 3000; ++i) {
    words.push_back(std::string(static_cast<std::size_t>(i % 20), 'x') + std::to_string(i));
  }
  for (int times = 0; times < 2; ++times) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      std::string padded = words[i] + std::string(bleuet::kPadding, '\0');
      bleuet::tokenize_none(std::string_view(padded).substr(0, words[i].size()), tokens);
      check(vocabulary.number_of(tokens, tokens[0]) == static_cast<std::int32_t>(i), "its number");
      check(vocabulary[i] == words[i], "its text");
    }
  }
  check(vocabulary.size() == words.size(), "every word once");
}

void count_large_numbers() {
  bleuet::Counts counts;
  counts.add_zeros(2);
  std::int64_t sum = 0;
  for (const std::uint32_t one : {1u, 253u, 1u, 1u, 254u, 100000u}) {
    counts.add(1, one);
    sum += one;
    check(counts[1] == sum && counts[0] == 0, "small and large counts");
  }
}

}  // namespace

namespace bleuet {

void test_comparison() {
  std::mt19937 random(5);
  for (std::size_t longest : {1u, 2u, 4u, 7u}) {
    for (std::size_t longest_text : {0u, 1u, 6u, 200u}) {
      compare_ngrams(random, longest, longest_text);
    }
  }
  compare_words();
  number_words();
  count_large_numbers();
}

}  // namespace bleuet
