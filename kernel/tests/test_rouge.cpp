// Tests of the ROUGE counter: known values, words and stems, and the slow definition.
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "marked.hpp"
#include "ngrams/rouge.hpp"
#include "slow_rouge.hpp"
#include "text/porter.hpp"

namespace bleuet {
namespace {

struct Row {
  std::int64_t segments = 0;
  double reals[3] = {0, 0, 0};
};

Text text_of(const std::string& s) { return {s.data(), s.size(), kUtf8, false}; }

Row row(const RougeCounter::Options& options, const std::string& hypothesis,
        const std::vector<std::string>& references) {
  RougeCounter counter(options);
  std::vector<RougeCounter::Reference> prepared(references.size());
  for (std::size_t r = 0; r < references.size(); ++r) {
    counter.prepare(text_of(references[r]), prepared[r]);
    if (r % 2 == 1) RougeCounter::trim(prepared[r]);
  }
  Row result;
  counter.count(text_of(hypothesis), prepared.data(), prepared.size(), &result.segments,
                result.reals);
  return result;
}

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

void test_known_values() {
  RougeCounter::Options options;
  const Row one = row(options, "The cat sat.", {"a dog", "the cat"});
  check(one.segments == 1, "a row is one segment");
  check(near(one.reals[0], 2.0 / 3) && near(one.reals[1], 1), "the reference with the best F");
  check(row(options, "", {"a"}).reals[2] == 0, "empty hypothesis");
  check(row(options, "a", {""}).reals[2] == 0, "empty reference");
  options.order = 3;
  check(row(options, "a b", {"a b"}).reals[2] == 0, "no n-gram of this order");
  options.unit = RougeCounter::Unit::sentences;
  check(near(row(options, "a b f\na c g e", {"a b c d e"}).reals[1], 4.0 / 5), "the paper's union");
}

void test_marks() {
  for (const RougeCounter::Unit unit :
       {RougeCounter::Unit::subsequence, RougeCounter::Unit::sentences}) {
    RougeCounter::Options options;
    options.unit = unit;
    RougeCounter counter(options);
    std::vector<RougeCounter::Reference> references(2);
    counter.prepare(text_of("x"), references[0]);
    counter.prepare(text_of("a b c d e"), references[1]);
    Marks marks;
    Row result;
    counter.mark(&marks);
    counter.count(text_of("a b f\na c g e"), references.data(), 2, &result.segments, result.reals);
    check(marks.reference == 1, "the best reference");
    check(marks.all.size() == 4 && near(result.reals[0], 4.0 / 7), "marks as in the row");
    check(is(marks.all[0], 0, 1, 0, 1, 0), "a word of both sentences is that of the first");
    check(is(marks.all.back(), 6, 1, 4, 1, 0), "the last word of both");
  }
}

std::string stem_of(std::string word) {
  word.resize(porter_stem(word.data(), word.size()));
  return word;
}

void test_stems() {
  const char* const pairs[][2] = {
      {"relational", "relat"}, {"playing", "play"},      {"dies", "die"},
      {"flies", "fli"},        {"theology", "theolog"},  {"skies", "sky"},
      {"controll", "control"}, {"rationally", "ration"},
  };
  for (const auto& pair : pairs) check(stem_of(pair[0]) == pair[1], pair[0]);
}

void test_words() {
  TokenList tokens;
  // Words of every length end at every place of a block of 64 bytes.
  for (std::size_t before = 0; before < 70; ++before) {
    for (std::size_t length : {1, 2, 63, 64, 65}) {
      std::string text = std::string(before, '.') + std::string(length, 'a');
      text.resize(text.size() + kPadding);
      tokenize_ascii_words({text.data(), before + length}, tokens);
      check(tokens.size() == 1 && tokens[0].begin == before && tokens[0].size == length,
            "a word of ASCII letters");
    }
  }
}

std::string random_text(std::mt19937& random, std::vector<slow::Sentence>& sentences) {
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::size_t lengths[] = {1, 5, 30, 64, 65, 129, 400};
  const std::size_t vocabulary = below(2) == 0 ? 3 : 300;
  std::string text;
  sentences.clear();
  for (std::size_t s = below(4); s-- > 0;) {
    slow::Sentence words;
    for (std::size_t n = below(lengths[below(7)]); n-- > 0;) {
      words.push_back("w" + std::to_string(below(vocabulary)));
      text += words.back() + " ";
    }
    text += "\n";
    if (!words.empty()) sentences.push_back(words);
  }
  return text;
}

void test_slow_definition() {
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    std::vector<slow::Sentence> ours, theirs;
    const std::string hypothesis = random_text(random, ours);
    const std::string reference = random_text(random, theirs);
    const slow::Sentence words = slow::all_words(ours), others = slow::all_words(theirs);
    const double most = static_cast<double>(std::max<std::size_t>(words.size(), 1));
    RougeCounter::Options options;
    options.unit = RougeCounter::Unit::subsequence;
    check(near(row(options, hypothesis, {reference}).reals[0] * most,
               static_cast<double>(slow::subsequence(others, words).size())),
          "the common subsequence");
    options.unit = RougeCounter::Unit::sentences;
    check(near(row(options, hypothesis, {reference}).reals[0] * most,
               static_cast<double>(slow::united(theirs, ours))),
          "the union of subsequences");
    options.unit = RougeCounter::Unit::ngrams;
    for (std::size_t order : {1, 2, 3}) {
      options.order = order;
      const double ngrams =
          words.size() < order ? 1 : static_cast<double>(words.size() - order + 1);
      check(std::abs(row(options, hypothesis, {reference}).reals[0] * ngrams -
                     static_cast<double>(slow::shared_ngrams(others, words, order))) < 1e-9,
            "the n-grams");
    }
  }
}

}  // namespace

void test_rouge() {
  test_known_values();
  test_marks();
  test_stems();
  test_words();
  test_slow_definition();
}

}  // namespace bleuet
