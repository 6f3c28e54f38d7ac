// NIST's counter against the definition, and what parts of the references teach.
#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

#include "check.hpp"
#include "checksum.hpp"
#include "nist.hpp"
#include "slow_bleu.hpp"

namespace {

using bleuet::LearnedReferences;
using bleuet::NistCounter;
using bleuet_tests::Stored;
using Texts = std::vector<std::u32string>;

struct Row {
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  bool operator==(const Row& other) const {
    return integers == other.integers && reals == other.reals;
  }
};

std::vector<NistCounter::Reference> prepared(const Texts& references, bool trimmed) {
  NistCounter::Options options;
  options.tokenizer = bleuet::Tokenizer::none;
  NistCounter counter(options);
  std::vector<NistCounter::Reference> all(references.size());
  for (std::size_t r = 0; r < references.size(); ++r) {
    const Stored stored(references[r]);
    counter.prepare(stored.view(), all[r]);
    if (trimmed) NistCounter::trim(all[r]);
  }
  return all;
}

LearnedReferences learned(const std::vector<Texts>& segments) {
  LearnedReferences all;
  for (const Texts& references : segments) {
    for (const auto& one : prepared(references, false)) all.add(one.tokens, false);
    all.end_segment();
  }
  return all;
}

Row fast_row(const std::u32string& hypothesis, const Texts& references,
             const LearnedReferences& from, std::size_t order, bool mteval) {
  NistCounter::Options options{
      order, bleuet::Tokenizer::none, bleuet::Case::keep,
      std::make_shared<const bleuet::NgramInformation>(from, order, mteval)};
  NistCounter counter(options);
  const std::vector<NistCounter::Reference> all = prepared(references, true);
  Row row{std::vector<std::int64_t>(NistCounter::integers(options)),
          std::vector<double>(NistCounter::reals(options))};
  const Stored stored(hypothesis);
  counter.count(stored.view(), all.data(), all.size(), row.integers.data(), row.reals.data());
  return row;
}

Row slow_row(const std::u32string& hypothesis, const Texts& references,
             const std::vector<Texts>& from, std::size_t order, bool mteval) {
  using slow_bleu::Tokens;
  const Tokens tokens = slow_bleu::split(hypothesis);
  std::map<Tokens, double> counts;
  double words = 0;
  for (const Texts& segment : from) {
    for (const std::u32string& text : segment) {
      const Tokens reference = slow_bleu::split(text);
      words += static_cast<double>(reference.size());
      for (std::size_t n = 1; n <= order; ++n) {
        for (const auto& [ngram, times] : slow_bleu::ngrams(reference, n)) {
          counts[ngram] += static_cast<double>(times);
        }
      }
    }
  }
  const auto count = [&](const Tokens& ngram) {
    const auto found = counts.find(ngram);
    return found == counts.end() ? 1.0 : found->second;
  };
  Row row;
  double length = 0;
  for (const auto& text : references) length += static_cast<double>(slow_bleu::split(text).size());
  row.reals.push_back(length / static_cast<double>(references.size()));
  for (std::size_t n = 1; n <= order; ++n) {
    row.integers.push_back(std::max<std::int64_t>(
        0, static_cast<std::int64_t>(tokens.size()) - static_cast<std::int64_t>(n) + 1));
    std::map<Tokens, std::int64_t> most;
    for (const std::u32string& text : references) {
      for (const auto& [ngram, times] : slow_bleu::ngrams(slow_bleu::split(text), n)) {
        most[ngram] = std::max(most[ngram], times);
      }
    }
    double bits = 0;
    for (std::size_t i = 0; i + n <= tokens.size(); ++i) {
      const auto at = tokens.begin() + static_cast<std::ptrdiff_t>(i);
      const Tokens ngram(at, at + static_cast<std::ptrdiff_t>(n));
      if (most[ngram]-- <= 0) continue;
      const Tokens first(ngram.begin(), ngram.end() - 1);
      const bool whole = first.empty() || (mteval && first == Tokens{U"0"});
      const double before = whole ? std::max(words, 1.0) : count(first);
      bits += std::log2(std::max(before / count(ngram), 1.0));
    }
    row.reals.push_back(bits);
  }
  return row;
}

void test_rows() {
  std::mt19937 random(5);
  const std::vector<std::u32string> words = {
      U"0", U"a", U"b", U"c", std::u32string(20, U'x'), std::u32string(19, U'x') + U"y"};
  const auto text = [&](std::size_t n) {
    std::u32string found;
    for (std::size_t i = 0; i < n; ++i) found += words[random() % words.size()] + U" ";
    return found;
  };
  for (int round = 0; round < 60; ++round) {
    std::vector<Texts> from;
    for (std::size_t i = random() % 6; i > 0; --i) from.push_back({text(random() % 9), text(3)});
    const LearnedReferences known = learned(from);
    for (std::size_t n : {0u, 1u, 7u, 63u, 64u, 65u, 90u}) {
      const std::size_t order = round % 10 == 0 ? 70 : 1 + random() % 6;
      const std::u32string hypothesis = text(random() % 80);
      for (const Texts& references : {Texts{text(n)}, Texts{text(n), text(5), text(12)}}) {
        const bool mteval = random() % 2 == 0;
        check(fast_row(hypothesis, references, known, order, mteval) ==
                  slow_row(hypothesis, references, from, order, mteval),
              "NIST by its definition");
      }
    }
  }
}

void test_parts() {
  const std::vector<Texts> one = {{U"a b a", U""}, {std::u32string(30, U'z') + U" b"}};
  const std::vector<Texts> other = {{U"c b"}, {std::u32string(30, U'z') + U" c", U"a b a c"}};
  LearnedReferences whole = learned({one[0], one[1], other[0], other[1]});
  LearnedReferences parts = learned(other);
  parts.join(learned(one));
  check(parts == whole && parts.checksum() == whole.checksum(), "parts teach what the whole does");
  check(!(learned(one) == whole) && LearnedReferences() == learned({}), "other references differ");
  for (const LearnedReferences& from : {parts, LearnedReferences(parts.state())}) {
    check(fast_row(U"a b a c", {U"a b a c"}, from, 5, true) ==
              fast_row(U"a b a c", {U"a b a c"}, whole, 5, true),
          "and gives the same rows");
  }
  bleuet::TokenList ids;
  const std::int64_t numbers[] = {-1, 5, 5};
  ids.assign_ids(numbers, 3);
  LearnedReferences of_ids;
  of_ids.add(ids, true);
  of_ids.end_segment();
  check(of_ids.checksum() == bleuet::crc32("-1 5 5"), "ids are written in decimal");
  check(LearnedReferences(of_ids.state()) == of_ids, "ids come back");
  check(bleuet::crc32("123456789") == 0xCBF43926u && bleuet::crc32("") == 0, "the CRC-32 of zlib");
}

void test_wrong_states() {
  const LearnedReferences::State right = learned({{U"a b", U"a c"}}).state();
  std::vector<LearnedReferences::State> wrong(6, right);
  wrong[0].words[1] = 3;
  wrong[1].ends[0] = 3;
  wrong[1].ends[1] = 2;
  wrong[2].ends.back() = 5;
  wrong[3].texts[1] = wrong[3].texts[0];
  wrong[4].texts.pop_back();
  wrong[5].texts.insert(wrong[5].texts.end(), 2, "c");
  for (const LearnedReferences::State& state : wrong) {
    bool thrown = false;
    try {
      LearnedReferences made(state);
    } catch (const std::invalid_argument&) {
      thrown = true;
    }
    check(thrown, "a state that none has");
  }
}

}  // namespace

namespace bleuet {

void test_nist() {
  test_rows();
  test_parts();
  test_wrong_states();
}

}  // namespace bleuet
