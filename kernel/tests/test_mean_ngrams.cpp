// Matches with mean n-gram counts, against counts by their definition.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "check.hpp"
#include "ngrams/mean_ngrams.hpp"

namespace {

using Words = std::vector<std::int32_t>;
using Counts = std::map<Words, double>;

struct Texts {
  Words numbers;
  std::vector<std::int64_t> ends;

  void add(const Words& text) {
    numbers.insert(numbers.end(), text.begin(), text.end());
    ends.push_back(static_cast<std::int64_t>(numbers.size()));
  }
  bleuet::NumberedTexts view() const { return {numbers.data(), ends.data(), ends.size()}; }
};

Counts counts_of(const Words& text, std::size_t n) {
  Counts counts;
  for (std::size_t i = 0; i + n <= text.size(); ++i) {
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(i);
    ++counts[Words(begin, begin + static_cast<std::ptrdiff_t>(n))];
  }
  return counts;
}

}  // namespace

namespace bleuet {

void test_mean_ngrams() {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    std::vector<Words> own(random() % 4), others(1 + random() % 4);
    Texts hypotheses, references;
    std::vector<double> weights;
    double total = 0;
    const auto drawn = [&] {
      Words words(random() % 12);
      for (std::int32_t& word : words) word = static_cast<std::int32_t>(random() % 3);
      return words;
    };
    for (Words& text : own) hypotheses.add(text = drawn());
    for (Words& text : others) {
      references.add(text = drawn());
      weights.push_back(static_cast<double>(1 + random() % 3));
      total += weights.back();
    }
    const std::size_t order = 1 + random() % 4;
    std::vector<double> matches(own.size() * order), lengths(order);
    match_mean_ngrams(hypotheses.view(), references.view(), weights.data(), order, matches.data(),
                      lengths.data(), [] {});
    for (std::size_t n = 1; n <= order; ++n) {
      Counts mean;
      double length = 0;
      for (std::size_t r = 0; r < others.size(); ++r) {
        for (const auto& [ngram, count] : counts_of(others[r], n)) {
          mean[ngram] += count * weights[r] / total;
          length += count * weights[r] / total;
        }
      }
      check(std::abs(lengths[n - 1] - length) < 1e-9, "the mean length is that of the references");
      for (std::size_t h = 0; h < own.size(); ++h) {
        double expected = 0;
        for (const auto& [ngram, count] : counts_of(own[h], n)) {
          if (mean.count(ngram) != 0) expected += std::min(count, mean[ngram]);
        }
        check(std::abs(matches[h * order + n - 1] - expected) < 1e-9, "matches are clipped");
      }
    }
  }
}

}  // namespace bleuet
