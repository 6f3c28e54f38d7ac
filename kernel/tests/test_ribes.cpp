// RIBES's counter: examples by hand, and any words against the definition.
#include <cmath>
#include <random>

#include "check.hpp"
#include "marked.hpp"
#include "ngrams/ribes.hpp"
#include "slow_bleu.hpp"

namespace {

using bleuet::RibesCounter;
using slow_bleu::Tokens;
using Row = std::vector<double>;

Row fast_row(const std::u32string& hypothesis, const std::vector<std::u32string>& references,
             const RibesCounter::Options& options) {
  using bleuet_tests::Stored;
  RibesCounter counter(options);
  std::vector<RibesCounter::Reference> prepared(references.size());
  for (std::size_t r = 0; r < references.size(); ++r) {
    const Stored stored(references[r]);
    counter.prepare(stored.view(), prepared[r]);
    RibesCounter::trim(prepared[r]);
  }
  const Stored stored(hypothesis);
  std::int64_t segments = 0;
  Row row(RibesCounter::reals(options));
  bleuet::Marks marks;
  counter.mark(&marks);
  counter.count(stored.view(), prepared.data(), prepared.size(), &segments, row.data());
  check(segments == 1, "one segment");
  const std::size_t words = slow_bleu::split(hypothesis).size();
  check(row[2] == (words == 0 ? 0.0 : double(marks.all.size()) / double(words)),
        "a mark for each aligned word");
  return row;
}

std::vector<std::size_t> starts(const Tokens& ngram, const Tokens& words) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i + ngram.size() <= words.size(); ++i) {
    const auto at = words.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::equal(ngram.begin(), ngram.end(), at)) found.push_back(i);
  }
  return found;
}

std::vector<std::size_t> aligned(const Tokens& ours, const Tokens& theirs, bool left_first) {
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    bool done = false;
    for (std::size_t n = 1; n <= 100 && !done; ++n) {
      for (const bool left : {left_first, !left_first}) {
        const std::size_t before = left ? n - 1 : 0;
        if (done || i < before || i - before + n > ours.size()) continue;
        const auto at = ours.begin() + static_cast<std::ptrdiff_t>(i - before);
        const Tokens ngram(at, at + static_cast<std::ptrdiff_t>(n));
        const std::vector<std::size_t> places = starts(ngram, theirs);
        if (places.size() != 1 || starts(ngram, ours).size() != 1) continue;
        positions.push_back(places[0] + before);
        done = true;
      }
    }
  }
  return positions;
}

Row slow_row(const std::u32string& hypothesis, const std::vector<std::u32string>& references,
             const RibesCounter::Options& options) {
  const Tokens ours = slow_bleu::split(hypothesis);
  Row best{-1, 0, 0, 0};
  for (const std::u32string& text : references) {
    const Tokens theirs = slow_bleu::split(text);
    const std::vector<std::size_t> places = aligned(ours, theirs, options.left_first);
    double pairs = 0, increasing = 0;
    for (std::size_t j = 0; j < places.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i, ++pairs) increasing += places[i] < places[j];
    }
    Row row{0, pairs > 0 ? increasing / pairs : double(places.size() == 1 && theirs.size() == 1), 0,
            0};
    if (!ours.empty()) {
      const double length = static_cast<double>(ours.size());
      row[2] = static_cast<double>(places.size()) / length;
      row[3] = std::exp(std::min(0.0, 1 - static_cast<double>(theirs.size()) / length));
      row[0] = row[1] * std::pow(row[2], options.alpha) * std::pow(row[3], options.beta);
    }
    if (row[0] > best[0]) best = row;
  }
  return best;
}

}  // namespace

namespace bleuet {

void test_ribes() {
  RibesCounter::Options options;
  options.tokenizer = Tokenizer::none;
  check(fast_row(U"Bob hit John yesterday", {U"John hit Bob yesterday"}, options)[1] == 0.5,
        "half of the pairs are in order");
  check(fast_row(U"", {U"a"}, options) == Row{0, 0, 0, 0}, "no words");
  check(fast_row(U"yes", {U"no", U"yes"}, options) == Row{1, 1, 1, 1}, "one word");
  check(fast_row(U"x w z w y", {U"x w y"}, options)[2] == 0.8, "two words at one place");

  std::mt19937 random(4);
  const auto words = [&](std::size_t n, std::size_t different) {
    std::u32string text;
    for (std::size_t i = 0; i < n; ++i) {
      text += static_cast<char32_t>(U'a' + random() % different);
      text += U' ';
    }
    return text;
  };
  for (const std::size_t different : {1u, 2u, 3u, 9u, 26u}) {
    for (const std::size_t n : {0u, 1u, 2u, 7u, 40u, 130u}) {
      for (const std::size_t m : {1u, 6u, 41u, 130u}) {
        options.left_first = random() % 2 == 0;
        const std::u32string hypothesis = words(n, different);
        const std::vector<std::u32string> references{words(m, different), words(n, different),
                                                     hypothesis};
        for (std::size_t r = 1; r <= references.size(); ++r) {
          const std::vector<std::u32string> some(references.begin(),
                                                 references.begin() + static_cast<long>(r));
          check(fast_row(hypothesis, some, options) == slow_row(hypothesis, some, options),
                "RIBES by its definition");
        }
      }
    }
  }
}

}  // namespace bleuet
