// The rows of texts against all others, against a counter of single segments.
#include <random>

#include "check.hpp"
#include "ngrams/self_rows.hpp"
#include "stored.hpp"

namespace {

using Texts = std::vector<std::u32string>;
using bleuet::BleuCounter;
using bleuet::ReferenceLength;
using bleuet_tests::Stored;

struct Rows {
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  bool operator==(const Rows& other) const {
    return integers == other.integers && reals == other.reals;
  }
};

Rows fast_rows(const Texts& texts, const std::vector<std::uint8_t>& chosen, bool itself,
               const BleuCounter::Options& options, unsigned threads) {
  const bleuet::WordReader reader(options);
  bleuet::LearnedReferences all;
  bleuet::TokenizedText read;
  for (const std::u32string& text : texts) {
    const Stored stored(text);
    reader.prepare(stored.view(), read);
    all.add(read.tokens, false);
    all.end_segment();
  }
  Rows rows{std::vector<std::int64_t>(BleuCounter::integers(options) * texts.size()),
            std::vector<double>(BleuCounter::reals(options) * texts.size())};
  const bleuet::Columns columns{rows.integers.data(), rows.reals.data(), texts.size()};
  bleuet::write_self_rows(options, all, {chosen.data(), itself}, columns, threads, [] {});
  return rows;
}

Rows slow_rows(const Texts& texts, const std::vector<std::uint8_t>& chosen, bool itself,
               const BleuCounter::Options& options) {
  BleuCounter counter(options);
  std::vector<BleuCounter::Reference> prepared(texts.size());
  Rows rows{std::vector<std::int64_t>(BleuCounter::integers(options) * texts.size()),
            std::vector<double>(BleuCounter::reals(options) * texts.size())};
  const bleuet::Columns columns{rows.integers.data(), rows.reals.data(), texts.size()};
  bleuet::RowWriter<BleuCounter> writer(options, columns);
  for (std::size_t text = 0; text < texts.size(); ++text) {
    std::size_t n = 0;
    for (std::size_t other = 0; other < texts.size(); ++other) {
      if (chosen[other] == 0 || (other == text && !itself)) continue;
      const Stored stored(texts[other]);
      counter.prepare(stored.view(), prepared[n]);
      BleuCounter::trim(prepared[n++]);
    }
    const Stored stored(texts[text]);
    counter.count(stored.view(), prepared.data(), n, writer.integers(), writer.reals());
    writer.write(text);
  }
  return rows;
}

}  // namespace

namespace bleuet {

void test_self_rows() {
  std::mt19937 random(5);
  for (int round = 0; round < 300; ++round) {
    BleuCounter::Options options;
    options.tokenizer = Tokenizer::none;
    options.max_ngram_order = 1 + random() % 6;
    options.reference_length = static_cast<ReferenceLength>(random() % 3);
    options.phantom_ngrams = random() % 2 != 0;
    Texts texts(2 + random() % 7);
    const auto letters = static_cast<unsigned>(1 + random() % 4);
    for (std::u32string& text : texts) {
      for (std::size_t i = random() % 10; i > 0; --i) {
        text += static_cast<char32_t>(U'a' + random() % letters);
        text += U' ';
      }
    }
    std::vector<std::uint8_t> chosen(texts.size(), 1);
    for (std::size_t i = 2; i < chosen.size(); ++i) chosen[i] = random() % 4 != 0;
    const bool itself = random() % 2 != 0;
    const auto threads = static_cast<unsigned>(1 + random() % 3);
    check(fast_rows(texts, chosen, itself, options, threads) ==
              slow_rows(texts, chosen, itself, options),
          "texts against all others");
  }
}

}  // namespace bleuet
