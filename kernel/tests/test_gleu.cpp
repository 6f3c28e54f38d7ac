// GLEU's counter: examples by hand, and n-grams of every order against the definition.
#include <algorithm>
#include <random>

#include "check.hpp"
#include "ngrams/gleu.hpp"
#include "slow_bleu.hpp"

namespace {

using Row = std::vector<std::int64_t>;
using bleuet::GleuCounter;

Row fast_row(const std::u32string& hypothesis, const std::vector<std::u32string>& references,
             const GleuCounter::Options& options) {
  using bleuet_tests::Stored;
  GleuCounter counter(options);
  std::vector<GleuCounter::Reference> prepared(references.size());
  for (std::size_t r = 0; r < references.size(); ++r) {
    const Stored stored(references[r]);
    counter.prepare(stored.view(), prepared[r]);
    GleuCounter::trim(prepared[r]);
  }
  const Stored stored(hypothesis);
  Row row(GleuCounter::integers(options));
  counter.count(stored.view(), prepared.data(), prepared.size(), row.data(), nullptr);
  return row;
}

Row slow_row(const std::u32string& hypothesis, const std::vector<std::u32string>& references,
             const GleuCounter::Options& options) {
  const slow_bleu::Tokens tokens = slow_bleu::split(hypothesis);
  Row best{0, 0};
  for (const std::u32string& text : references) {
    const slow_bleu::Tokens reference = slow_bleu::split(text);
    std::int64_t matches = 0, in_hypothesis = 0, in_reference = 0;
    for (std::size_t n = options.min_ngram_order; n <= options.max_ngram_order; ++n) {
      matches += slow_bleu::clipped_matches(tokens, {reference}, n);
      for (const auto& ngram : slow_bleu::ngrams(tokens, n)) in_hypothesis += ngram.second;
      for (const auto& ngram : slow_bleu::ngrams(reference, n)) in_reference += ngram.second;
    }
    const std::int64_t most = std::max(in_hypothesis, in_reference);
    // Ratios as fractions: a / b > c / d.
    if (most > 0 && (best[1] == 0 || matches * best[1] > best[0] * most)) best = {matches, most};
  }
  return best;
}

}  // namespace

namespace bleuet {

void test_gleu() {
  GleuCounter::Options options;
  options.tokenizer = Tokenizer::none;
  check(fast_row(U"the the the the the the the", {U"the cat is on the mat"}, options) == Row{2, 22},
        "`the` matches twice");
  check(fast_row(U"", {U"", U"a b"}, options) == Row{0, 3}, "an empty pair has no ratio");
  check(fast_row(U"", {U""}, options) == Row{0, 0}, "empty on empty");

  std::mt19937 random(3);
  const auto words = [&](std::size_t n) {
    std::u32string text;
    for (std::size_t i = 0; i < n; ++i) text += U"abc"[random() % 3] + std::u32string(1, U' ');
    return text;
  };
  for (std::size_t n : {0u, 1u, 3u, 10u, 64u, 65u, 129u}) {
    for (std::size_t m : {0u, 1u, 2u, 12u, 64u, 130u}) {
      for (std::size_t order : {1u, 2u, 4u, 6u}) {
        options.min_ngram_order = 1 + random() % order;
        options.max_ngram_order = order;
        const std::u32string hypothesis = words(m);
        const std::vector<std::u32string> references{words(n), words(m), words(3)};
        check(
            fast_row(hypothesis, references, options) == slow_row(hypothesis, references, options),
            "the best reference");
      }
    }
  }
}

}  // namespace bleuet
