// The counters that learn, those of NIST, CIDEr and CrystalBLEU, against the definitions, and what
// parts of the references teach.
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>

#include "check.hpp"
#include "ngrams/cider.hpp"
#include "ngrams/crystal_bleu.hpp"
#include "ngrams/nist.hpp"
#include "slow_bleu.hpp"
#include "text/checksum.hpp"

namespace {

using bleuet::CiderCounter;
using bleuet::CrystalBleuCounter;
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

LearnedReferences learned(const std::vector<Texts>& segments) {
  const bleuet::WordReader reader(NistCounter::Options{5, bleuet::Tokenizer::none});
  LearnedReferences all;
  bleuet::TokenizedText read;
  for (const Texts& references : segments) {
    for (const std::u32string& text : references) {
      const Stored stored(text);
      reader.prepare(stored.view(), read);
      all.add(read.tokens, false);
    }
    all.end_segment();
  }
  return all;
}

template <class Counter>
Row counted(typename Counter::Options options, const std::u32string& hypothesis,
            const LearnedReferences& references, const LearnedReferences& from, unsigned threads) {
  options.learned = std::make_shared<LearnedReferences>(from);
  options.tokenizer = bleuet::Tokenizer::none;
  Counter::learn(options, threads);
  const LearnedReferences& known = &references == &from ? *options.learned : references;
  const bleuet::ReferenceWords words(known, *options.learned);
  options.words = &words;
  Counter counter(options);
  std::vector<bleuet::WordNumbers> all(words.ends[0]);
  for (std::size_t r = 0; r < all.size(); ++r) words.prepare(counter, r, all[r]);
  Row row{std::vector<std::int64_t>(Counter::integers(options)),
          std::vector<double>(Counter::reals(options))};
  const Stored stored(hypothesis);
  counter.count(stored.view(), all.data(), all.size(), row.integers.data(), row.reals.data());
  return row;
}

Row fast_row(const std::u32string& hypothesis, const Texts& references,
             const LearnedReferences& from, std::size_t order, bool mteval) {
  NistCounter::Options options;
  options.max_ngram_order = order;
  options.mteval = mteval;
  return counted<NistCounter>(options, hypothesis, learned({references}), from, 1);
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

// CIDEr by its definition: vectors in order of first occurrence, of which none is left out.
Row slow_cider(const std::u32string& hypothesis, const Texts& references,
               const std::vector<Texts>& from, const CiderCounter::Options& options) {
  using slow_bleu::Tokens;
  std::map<Tokens, std::set<std::size_t>> having;
  for (std::size_t i = 0; i < from.size(); ++i) {
    for (const std::u32string& text : from[i]) {
      for (std::size_t n = 1; n <= options.max_ngram_order; ++n) {
        for (const auto& one : slow_bleu::ngrams(slow_bleu::split(text), n)) {
          having[one.first].insert(i);
        }
      }
    }
  }
  const double segments = std::log(static_cast<double>(std::max<std::size_t>(from.size(), 1)));
  const auto vector = [&](const Tokens& tokens, std::size_t n) {
    std::vector<std::pair<Tokens, double>> weights;
    for (std::size_t i = 0; i + n <= tokens.size(); ++i) {
      const auto at = tokens.begin() + static_cast<std::ptrdiff_t>(i);
      const Tokens ngram(at, at + static_cast<std::ptrdiff_t>(n));
      const auto is_same = [&](const auto& other) { return other.first == ngram; };
      const auto found = std::find_if(weights.begin(), weights.end(), is_same);
      if (found == weights.end()) {
        weights.emplace_back(ngram, 1.0);
      } else {
        ++found->second;
      }
    }
    for (auto& [ngram, weight] : weights) {
      const double documents = static_cast<double>(std::max<std::size_t>(having[ngram].size(), 1));
      weight *= std::max(segments - std::log(documents), 0.0);
    }
    return weights;
  };
  const auto norm = [](const std::vector<std::pair<Tokens, double>>& weights) {
    double square = 0;
    for (const auto& one : weights) square += one.second * one.second;
    return std::sqrt(square);
  };
  const Tokens ours = slow_bleu::split(hypothesis);
  double total = 0;
  for (const std::u32string& text : references) {
    const Tokens theirs = slow_bleu::split(text);
    double cosines = 0;
    for (std::size_t n = 1; n <= options.max_ngram_order; ++n) {
      const auto own = vector(ours, n), others = vector(theirs, n);
      double product = 0;
      for (const auto& [ngram, weight] : own) {
        for (const auto& [other, its] : others) {
          if (other == ngram) product += (options.clipped ? std::min(weight, its) : weight) * its;
        }
      }
      if (norm(own) != 0 && norm(others) != 0) cosines += product / (norm(own) * norm(others));
    }
    const double words = static_cast<double>(ours.size()) - static_cast<double>(theirs.size());
    const double penalty =
        options.clipped ? std::exp(-(words * words) / (2 * options.variance)) : 1.0;
    total += cosines / static_cast<double>(options.max_ngram_order) * penalty;
  }
  return {{1}, {total / static_cast<double>(references.size())}};
}

void test_cider() {
  std::mt19937 random(6);
  const auto text = [&](std::size_t n) {
    std::u32string found;
    for (std::size_t i = 0; i < n; ++i) {
      found +=
          random() % 9 == 0 ? std::u32string(20, U'x') : std::u32string(1, U'a' + random() % 7);
      found += U' ';
    }
    return found;
  };
  for (int round = 0; round < 80; ++round) {
    std::vector<Texts> from;
    for (std::size_t i = random() % 9; i > 0; --i) from.push_back({text(random() % 9), text(3)});
    const LearnedReferences known = learned(from);
    CiderCounter::Options options;
    options.max_ngram_order = round % 10 == 0 ? 70 : 1 + random() % 5;
    options.clipped = round % 2 == 0;
    options.variance = 1 + round;
    const std::u32string hypothesis = text(random() % 40);
    for (const Texts& references :
         {Texts{hypothesis}, Texts{text(90)}, Texts{text(7), U"", text(12)}}) {
      check(counted<CiderCounter>(options, hypothesis, learned({references}), known, 1) ==
                slow_cider(hypothesis, references, from, options),
            "CIDEr by its definition");
    }
  }
}

// CrystalBLEU by its definition: n-grams in a dictionary, sorted by what is chosen first.
Row slow_crystal(const std::u32string& hypothesis, const Texts& references,
                 const std::vector<Texts>& from, const CrystalBleuCounter::Options& options) {
  using slow_bleu::Tokens;
  std::map<Tokens, std::int64_t> counts;
  for (const Texts& segment : from) {
    for (const std::u32string& text : segment) {
      for (std::size_t n = 1; n <= options.max_ignored_order; ++n) {
        for (const auto& [ngram, times] : slow_bleu::ngrams(slow_bleu::split(text), n)) {
          counts[ngram] += times;
        }
      }
    }
  }
  std::set<std::tuple<std::int64_t, std::size_t, Tokens>> sorted;
  for (const auto& [ngram, times] : counts) sorted.insert({-times, ngram.size(), ngram});
  std::set<Tokens> ignored;
  for (const auto& one : sorted) {
    if (ignored.size() < options.ignored) ignored.insert(std::get<2>(one));
  }
  const Tokens tokens = slow_bleu::split(hypothesis);
  std::vector<Tokens> others;
  double length = 0;
  for (const std::u32string& text : references) {
    others.push_back(slow_bleu::split(text));
    length += static_cast<double>(others.back().size());
  }
  Row row{{static_cast<std::int64_t>(tokens.size())},
          {length / static_cast<double>(references.size())}};
  std::vector<std::int64_t> totals;
  for (std::size_t n = 1; n <= options.max_ngram_order; ++n) {
    std::int64_t matches = 0, total = 0;
    for (const auto& [ngram, times] : slow_bleu::ngrams(tokens, n)) {
      if (ignored.count(ngram) != 0) continue;
      std::int64_t most = 0;
      for (const Tokens& other : others) {
        const auto found = slow_bleu::ngrams(other, n);
        most = std::max(most, found.count(ngram) == 0 ? 0 : found.at(ngram));
      }
      matches += std::min(times, most);
      total += times;
    }
    row.integers.push_back(matches);
    totals.push_back(total);
  }
  row.integers.insert(row.integers.end(), totals.begin(), totals.end());
  return row;
}

void test_crystal_bleu() {
  std::mt19937 random(8);
  // Words in the order of code points, some too long for a token and some beyond ASCII.
  const std::vector<std::u32string> words = {
      U"a", U"ab", U"b", std::u32string(20, U'x'), U"\u00e9", U"\uffee", U"\U0001f600"};
  const auto text = [&](std::size_t n) {
    std::u32string found;
    for (std::size_t i = 0; i < n; ++i) found += words[random() % words.size()] + U" ";
    return found;
  };
  for (int round = 0; round < 80; ++round) {
    std::vector<Texts> from;
    for (std::size_t i = random() % 9; i > 0; --i) from.push_back({text(random() % 9), text(3)});
    CrystalBleuCounter::Options options;
    options.max_ngram_order = 1 + random() % 5;
    options.max_ignored_order = 1 + random() % 5;
    options.ignored = random() % (round % 2 == 0 ? 12 : 90);
    options.reference_length = bleuet::ReferenceLength::average;
    const std::u32string hypothesis = text(random() % 40);
    for (const Texts& references :
         {Texts{hypothesis}, Texts{text(90)}, Texts{text(7), U"", text(12)}}) {
      check(counted<CrystalBleuCounter>(options, hypothesis, learned({references}), learned(from),
                                        1) == slow_crystal(hypothesis, references, from, options),
            "CrystalBLEU by its definition");
    }
  }
}

// Enough words that threads share them.
void test_threads() {
  std::mt19937 random(7);
  bleuet::Grouped<bleuet::Ids> references;
  for (std::size_t row = 0; row < 3000; ++row) {
    for (std::size_t r = random() % 3 + 1; r > 0; --r) {
      for (std::size_t i = random() % 12; i > 0; --i) references.all.ids.push_back(random() % 90);
      references.all.ends.push_back(references.all.ids.size());
    }
    references.ends.push_back(references.all.size());
  }
  const NistCounter::Options options;
  const bleuet::WordReader reader(options);
  const auto read = [&](unsigned threads) {
    return bleuet::read_references(reader, references, threads, [] {});
  };
  const LearnedReferences one = read(1);
  check(one.words().size() > 8192 && one.segments().back() == one.ends().size(), "all are read");
  for (const unsigned threads : {2u, 3u, 7u}) {
    const LearnedReferences several = read(threads);
    check(several.words() == one.words() && several.ends() == one.ends() &&
              several.segments() == one.segments() && several == one,
          "threads read the same");
    using bleuet::LearnedNgrams;
    for (const auto unit : {LearnedNgrams::Unit::occurrences, LearnedNgrams::Unit::segments}) {
      const LearnedNgrams by_one(one, 4, unit, bleuet::kUnknown, 1);
      const LearnedNgrams by_several(one, 4, unit, bleuet::kUnknown, threads);
      for (std::uint32_t a = 0; a < 90; ++a) {
        for (std::uint32_t b = 0; b < 90; ++b) {
          const auto x = by_one.single(a), y = by_several.single(a);
          check(x.count == y.count, "threads count the same words");
          if (x.number == bleuet::kUnknown) continue;
          const auto v = by_one.longer(2, x.number, b), w = by_several.longer(2, y.number, b);
          check(v.count == w.count, "threads count the same n-grams");
          if (v.number == bleuet::kUnknown) continue;
          check(by_one.longer(3, v.number, a).count == by_several.longer(3, w.number, a).count,
                "and longer ones");
        }
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
  std::vector<LearnedReferences::State> wrong(8, right);
  wrong[0].words[1] = 3;
  wrong[1].ends[0] = 3;
  wrong[1].ends[1] = 2;
  wrong[2].ends.back() = 5;
  wrong[3].texts[1] = wrong[3].texts[0];
  wrong[4].texts.pop_back();
  wrong[5].texts.insert(wrong[5].texts.end(), 2, "c");
  wrong[6].segments[0] = 1;
  wrong[7].segments = {2, 1, 2};
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
  test_cider();
  test_crystal_bleu();
  test_threads();
  test_parts();
  test_wrong_states();
}

}  // namespace bleuet
