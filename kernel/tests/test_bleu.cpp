// BLEU's counter and scores: examples by hand, and every way of counting against the definition.
#include <algorithm>
#include <cmath>
#include <random>

#include "check.hpp"
#include "ngrams/bleu_scorer.hpp"
#include "slow_bleu.hpp"

namespace {

using Row = std::vector<std::int64_t>;
using bleuet::BleuCounter;

BleuCounter::Options orders(std::size_t order,
                            bleuet::Tokenizer tokenizer = bleuet::Tokenizer::none) {
  BleuCounter::Options options;
  options.max_ngram_order = order;
  options.tokenizer = tokenizer;
  return options;
}

bool agrees(const std::u32string& hypothesis, const std::vector<std::u32string>& references,
            const BleuCounter::Options& options) {
  const Row want = slow_bleu::row(hypothesis, references, options);
  return slow_bleu::fast_row(hypothesis, references, options, false) == want &&
         slow_bleu::fast_row(hypothesis, references, options, true) == want;
}

void test_examples() {
  using slow_bleu::fast_row;
  // Papineni et al. 2002, section 2.1, example 2.
  check(fast_row(U"the the the the the the the",
                 {U"The cat is on the mat", U"There is a cat on the mat"}, orders(1),
                 false) == Row{7, 7, 1, 7},
        "clipping: `the` stands once in each reference in that case");
  check(fast_row(U"a b", {U"a b c", U"a"}, orders(2), false) == Row{2, 1, 2, 1, 2, 1},
        "of two lengths equally near the shorter");
  check(fast_row(U"", {U""}, orders(2), false) == Row{0, 0, 0, 0, 0, 0}, "empty on empty");
}

// All strings of up to five of the characters whose neighbourhood the rules of 13a look at.
void test_13a_exhaustively() {
  const std::u32string alphabet = U"a1.,- &/\u00e9";
  std::vector<std::u32string> level{U""};
  for (int length = 1; length <= 5; ++length) {
    std::vector<std::u32string> longer;
    for (const std::u32string& prefix : level) {
      for (char32_t c : alphabet) longer.push_back(prefix + c);
    }
    level.swap(longer);
    for (const std::u32string& line : level) {
      check(slow_bleu::fast_tokens(line, bleuet::Tokenizer::v13a) == slow_bleu::tokenize_13a(line),
            "13a cuts as the four substitutions do");
    }
  }
}

void test_every_length() {
  std::mt19937 random(1);
  const auto words = [&](std::size_t n, unsigned kinds) {
    std::u32string text;
    for (std::size_t i = 0; i < n; ++i) {
      const char32_t word = U'a' + random() % kinds;
      // Words of 1, 9 and 17 bytes: held whole, in two halves, and by reference.
      text += std::u32string(std::size_t{1} + 8 * (word % 3), word) + U' ';
    }
    return text;
  };
  for (std::size_t n : {0u, 1u, 3u, 63u, 64u, 65u, 127u, 128u, 129u, 300u}) {
    for (std::size_t m : {0u, 1u, 5u, 64u, 128u, 129u, 200u}) {
      for (unsigned kinds : {1u, 3u, 20u}) {
        const std::u32string hypothesis = words(m, kinds);
        check(agrees(hypothesis, {words(n, kinds)}, orders(4)), "one reference");
        check(agrees(hypothesis, {words(n, kinds), words(m, kinds), U""}, orders(5)),
              "several references");
      }
    }
  }
}

void test_scores() {
  bleuet::BleuScoring scoring;
  const Row matches{3, 2, 1, 0};
  const Row totals{4, 3, 2, 1};
  std::vector<double> precisions(4);
  const auto score = [&](double hypothesis_length, double reference_length) {
    return bleuet::bleu_score(hypothesis_length, reference_length, matches.data(), totals.data(),
                              scoring, precisions.data());
  };
  const double by_hand =
      std::exp((std::log(75.0) + std::log(200.0 / 3) + std::log(50.0) + std::log(50.0)) / 4);
  check(std::fabs(score(4, 4) - by_hand) < 1e-12, "exponential smoothing halves once");
  check(std::fabs(score(4, 8) - std::exp(-1) * by_hand) < 1e-12,
        "half as long as the reference costs a factor of e");
  scoring.smoothing = bleuet::Smoothing::none;
  check(score(4, 4) == 0, "without smoothing one order without matches makes zero");
}

// Every smoothing, every row of small counts, any order: inside its bounds, and 100 where all
// match.
void test_smoothings() {
  using bleuet::Smoothing;
  for (int kind = 0; kind <= static_cast<int>(Smoothing::nltk_7); ++kind) {
    for (std::size_t order = 1; order <= 6; ++order) {
      bleuet::BleuScoring scoring;
      scoring.smoothing = static_cast<Smoothing>(kind);
      scoring.max_ngram_order = order;
      scoring.smooth_value = 5;
      scoring.smooth_unmatched = true;
      scoring.effective_order = true;
      const std::size_t counted = bleuet::counted_orders(scoring.smoothing, order);
      std::vector<double> precisions(order);
      for (std::int64_t length = 0; length <= 7; ++length) {
        Row totals(counted), matches(counted);
        for (std::size_t n = 0; n < counted; ++n) {
          const std::int64_t ngrams = length - static_cast<std::int64_t>(n);
          totals[n] = std::max<std::int64_t>(ngrams, is_nltks(scoring.smoothing) ? 1 : 0);
        }
        for (std::int64_t lost = 0; lost <= length; ++lost) {
          for (std::size_t n = 0; n < counted; ++n) {
            matches[n] = std::max<std::int64_t>(
                0, std::min(totals[n], length - static_cast<std::int64_t>(n)) -
                       lost * static_cast<std::int64_t>(n + 1));
          }
          const double score = bleuet::bleu_score(static_cast<double>(length), 4, matches.data(),
                                                  totals.data(), scoring, precisions.data());
          check(score >= 0 && std::isfinite(score), "a score is a number");
          const bool papers = scoring.smoothing >= Smoothing::chen_cherry_1 &&
                              scoring.smoothing <= Smoothing::chen_cherry_7;
          check(!papers || score <= 100 + 1e-9, "a score of the paper's is at most 100");
          check(!papers || lost > 0 || length < 4 || std::fabs(score - 100) < 1e-9,
                "a perfect match is 100");
        }
      }
    }
  }
}

}  // namespace

namespace bleuet {

void test_bleu() {
  test_examples();
  test_13a_exhaustively();
  test_every_length();
  test_scores();
  test_smoothings();
}

}  // namespace bleuet
