// What references teach: the same by any number of threads, and by parts as by the whole.
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.hpp"
#include "ngrams/learned_ngrams.hpp"
#include "ngrams/nist.hpp"
#include "text/digest.hpp"

namespace {

using bleuet::LearnedReferences;
using bleuet::NistCounter;
using Texts = std::vector<std::u32string>;

LearnedReferences learned(const std::vector<Texts>& segments) {
  NistCounter::Options options;
  options.tokenizer = bleuet::Tokenizer::none;
  const bleuet::WordReader reader(options);
  LearnedReferences all;
  bleuet::TokenizedText read;
  for (const Texts& references : segments) {
    for (const std::u32string& text : references) {
      reader.prepare({text.data(), text.size(), 4, false}, read);
      all.add(read.tokens, false);
    }
    all.end_segment();
  }
  return all;
}

// Enough words that threads share them.
void test_threads_of_readers() {
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
  check(parts == whole && parts.digest() == whole.digest(), "parts teach what the whole does");
  check(!(learned(one) == whole) && LearnedReferences() == learned({}), "other references differ");
  check(LearnedReferences(parts.state()) == whole, "a state comes back");
  bleuet::TokenList ids;
  const std::int64_t numbers[] = {-1, 5, 5};
  ids.assign_ids(numbers, 3);
  LearnedReferences of_ids;
  of_ids.add(ids, true);
  of_ids.end_segment();
  check(of_ids.digest() == bleuet::digest_of("-1 5 5\n6\n"), "ids are written in decimal");
  check(LearnedReferences(of_ids.state()) == of_ids, "ids come back");
}

// The CRC-32 of both texts is the same, as are all sizes.
void test_equal_checksums() {
  const LearnedReferences one = learned({{U"a17792 b894428"}});
  const LearnedReferences other = learned({{U"a38960 b523316"}});
  check(!(one == other) && one.digest() != other.digest(), "references with the same CRC-32");
  // Even if their digests were the same.
  LearnedReferences::State state = other.state();
  state.digest = one.digest();
  check(!(LearnedReferences(state) == one), "references with the same digest");
  check(learned({{U"a b", U"c"}}).digest() != learned({{U"a b c"}}).digest() &&
            !(learned({{U"a", U"b c"}}) == learned({{U"a b", U"c"}})),
        "where a reference ends counts");
  check(!(learned({{U"a"}, {U"b", U"a"}}) == learned({{U"a", U"b"}, {U"a"}})),
        "where a segment ends counts");
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

void test_learning() {
  test_threads_of_readers();
  test_parts();
  test_equal_checksums();
  test_wrong_states();
}

}  // namespace bleuet
