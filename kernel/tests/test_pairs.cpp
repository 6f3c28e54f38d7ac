// The rows of every hypothesis against every reference, against a counter of single segments.
#include <algorithm>
#include <random>

#include "check.hpp"
#include "ngrams/bleu_pairs.hpp"
#include "ngrams/chrf.hpp"
#include "stored.hpp"

namespace {

using bleuet::BleuCounter;
using bleuet::ChrfCounter;
using bleuet_tests::Stored;

// Segments as the counters take them.
struct Texts {
  std::vector<Stored> items;

  std::size_t size() const { return items.size(); }
  template <class Counter>
  void prepare(Counter& counter, std::size_t i, typename Counter::Reference& reference) const {
    counter.prepare(items[i].view(), reference);
  }
  template <class Counter>
  void count(Counter& counter, std::size_t i, const typename Counter::Reference* references,
             std::size_t n, std::int64_t* integers, double* reals) const {
    counter.count(items[i].view(), references, n, integers, reals);
  }
};

Texts random_texts(std::mt19937& random, std::size_t n) {
  Texts texts;
  for (std::size_t i = 0; i < n; ++i) {
    std::u32string text;
    // Up to more tokens, and more equal ones, than a byte can count.
    const std::size_t words = random() % (random() % 4 == 0 ? 700 : 12);
    const std::size_t different = random() % 4 == 0 ? 1 : 5;
    for (std::size_t w = 0; w < words; ++w) {
      text += static_cast<char32_t>(U'a' + random() % different);
      text += U' ';
    }
    texts.items.emplace_back(text);
  }
  return texts;
}

template <class Counter>
void compare(const typename Counter::Options& options, const Texts& hypotheses,
             const Texts& references, const std::vector<std::size_t>& ends, unsigned threads) {
  const auto prepared = bleuet::prepare_references<Counter>(
      options, bleuet::Grouped<Texts>{references, ends}, 1, [] {});
  const std::size_t rows = hypotheses.size() * ends.size();
  std::vector<std::int64_t> fast(Counter::integers(options) * rows, -1), slow = fast;
  std::vector<double> fast_reals(Counter::reals(options) * rows, -1), slow_reals = fast_reals;
  bleuet::count_pairs(hypotheses, prepared, {fast.data(), fast_reals.data(), rows}, threads, [] {});
  Counter counter(options);
  bleuet::RowWriter<Counter> writer(options, {slow.data(), slow_reals.data(), rows});
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    bleuet::count_against_all(counter, writer, hypotheses, i, prepared);
  }
  check(fast == slow && fast_reals == slow_reals, "rows of pairs");
}

// Scores of pairs are those of their rows, one by one.
void compare_scores(const BleuCounter::Options& options, const bleuet::BleuScoring& scoring,
                    const Texts& hypotheses, const Texts& references,
                    const std::vector<std::size_t>& ends, unsigned threads) {
  const auto prepared = bleuet::prepare_references<BleuCounter>(
      options, bleuet::Grouped<Texts>{references, ends}, 1, [] {});
  const std::size_t rows = hypotheses.size() * ends.size();
  std::vector<std::int64_t> integers(BleuCounter::integers(options) * rows);
  std::vector<double> reals(BleuCounter::reals(options) * rows), slow(rows), fast(rows, -1);
  std::vector<float> narrow(rows, -1);
  const bleuet::Columns columns{integers.data(), reals.data(), rows};
  bleuet::count_pairs(hypotheses, prepared, columns, 1, [] {});
  bleuet::BleuScorer scorer(scoring, BleuCounter::reals(options) != 0);
  scorer.score_all(columns, slow.data());
  bleuet::score_pairs(hypotheses, prepared, scorer, fast.data(), threads, [] {});
  bleuet::score_pairs(hypotheses, prepared, scorer, narrow.data(), threads, [] {});
  check(fast == slow, "scores of pairs");
  const auto same = [](float x, double y) { return x == static_cast<float>(y); };
  check(std::equal(narrow.begin(), narrow.end(), slow.begin(), same), "scores of 4 bytes");
}

}  // namespace

namespace bleuet {

void test_pairs();
void test_pairs() {
  std::mt19937 random(7);
  for (int round = 0; round < 60; ++round) {
    const Texts hypotheses = random_texts(random, random() % 6);
    const Texts references = random_texts(random, 1 + random() % 6);
    std::vector<std::size_t> ends;
    for (std::size_t i = 1; i <= references.size(); ++i) ends.push_back(i);
    // Some segments have two references.
    if (round % 5 == 0 && ends.size() > 1) ends.erase(ends.begin());
    BleuCounter::Options options;
    options.max_ngram_order = 1 + random() % 9;
    options.phantom_ngrams = random() % 2 == 0;
    if (round % 3 == 0) options.reference_length = ReferenceLength::average;
    compare<BleuCounter>(options, hypotheses, references, ends,
                         1 + static_cast<unsigned>(round) % 3);
    if (round % 4 == 0) compare<ChrfCounter>({}, hypotheses, references, ends, 2);
    BleuScoring scoring;
    scoring.max_ngram_order = options.max_ngram_order;
    scoring.effective_order = random() % 2 == 0;
    if (options.phantom_ngrams) scoring.smoothing = Smoothing::nltk_3;
    compare_scores(options, scoring, hypotheses, references, ends, 2);
  }
}

}  // namespace bleuet
