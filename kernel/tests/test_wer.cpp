// Tests of the counter of WER, CDER and PER: known values, and slow definitions.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"
#include "edits/wer.hpp"
#include "marked.hpp"

namespace bleuet {
namespace {

using Items = std::vector<std::int64_t>;

struct Row {
  std::int64_t numbers[4] = {-1, -1, -1, -1};  // hits, substitutions, deletions, insertions
  std::int64_t errors() const { return numbers[1] + numbers[2] + numbers[3]; }
};

bool is(const Row& row, std::int64_t hits, std::int64_t substitutions, std::int64_t deletions,
        std::int64_t insertions) {
  return row.numbers[0] == hits && row.numbers[1] == substitutions && row.numbers[2] == deletions &&
         row.numbers[3] == insertions;
}

Text text_of(const std::u32string& s) { return {s.data(), s.size(), 4, false}; }

Row row(const WerCounter::Options& options, const std::u32string& hypothesis,
        const std::vector<std::u32string>& references) {
  WerCounter counter(options);
  std::vector<WerCounter::Reference> prepared(references.size());
  for (std::size_t r = 0; r < references.size(); ++r) {
    counter.prepare(text_of(references[r]), prepared[r]);
    if (r % 2 == 1) WerCounter::trim(prepared[r]);
  }
  Row result;
  counter.count(text_of(hypothesis), prepared.data(), prepared.size(), result.numbers, nullptr);
  return result;
}

Row row(Moves moves, const Items& hypothesis, const Items& reference) {
  WerCounter::Options options;
  options.moves = moves;
  WerCounter counter(options);
  WerCounter::Reference prepared;
  counter.prepare_ids(reference.data(), reference.size(), prepared);
  Row result;
  counter.count_ids(hypothesis.data(), hypothesis.size(), &prepared, 1, result.numbers, nullptr);
  Marks marks;
  Row again;
  counter.mark(&marks);
  counter.count_ids(hypothesis.data(), hypothesis.size(), &prepared, 1, again.numbers, nullptr);
  // A path with jumps can take a word of the hypothesis twice, or never.
  if (moves == Moves::blocks) {
    std::vector<Mark> of_reference = marks.all;
    for (Mark& mark : of_reference) {
      if (mark.kind != kHitMark) mark.hypothesis_words = 0;
    }
    check_marks(of_reference, hypothesis, reference, kHitMark, kJumpMark, false);
  } else {
    check_marks(marks.all, hypothesis, reference, kHitMark, kJumpMark);
  }
  const std::int64_t insertions =
      words_marked(marks.all, kInsertionMark) + words_marked(marks.all, kJumpMark);
  for (std::uint8_t kind = 0; kind < 4; ++kind) {
    const std::int64_t words = kind == 3 ? insertions : words_marked(marks.all, kind);
    check(words == result.numbers[kind] && words == again.numbers[kind], "marks as in the row");
  }
  return result;
}

std::vector<Mark> marked(Moves moves, const std::u32string& hypothesis,
                         const std::u32string& reference) {
  WerCounter::Options options;
  options.moves = moves;
  options.characters = true;
  WerCounter counter(options);
  std::vector<WerCounter::Reference> prepared(2);
  counter.prepare(text_of(U"others"), prepared[0]);
  counter.prepare(text_of(reference), prepared[1]);
  Marks marks;
  Row result;
  counter.mark(&marks);
  counter.count(text_of(hypothesis), prepared.data(), 2, result.numbers, nullptr);
  check(marks.reference == 1, "the nearest reference");
  return marks.all;
}

void test_marks() {
  const std::vector<Mark> edits = marked(Moves::none, U"xbcde", U"abcfgh");
  check(edits.size() == 4 && is(edits[0], 0, 1, 0, 1, kSubstitutionMark), "a substitution");
  check(is(edits[1], 1, 2, 1, 2, kHitMark), "neighbours of one kind share a mark");
  check(words_marked(edits, kDeletionMark) == 1, "a deletion");
  const std::vector<Mark> jumps = marked(Moves::blocks, U"cdab", U"abcd");
  check(jumps.size() == 5 && is(jumps[0], 2, 0, 0, 0, kJumpMark), "a jump to the third character");
  check(is(jumps[1], 2, 1, 0, 1, kHitMark), "hits along the path stand alone");
  check(is(jumps[4], 4, 0, 3, 1, kDeletionMark), "a deletion behind the last character");
  const std::vector<Mark> any = marked(Moves::free, U"xbay", U"ab");
  check(any.size() == 4 && is(any[0], 1, 1, 1, 1, kHitMark), "hits first, in any order");
  check(is(any[3], 3, 1, 2, 0, kInsertionMark), "what is left on one side");
}

void test_known_values() {
  WerCounter::Options words;
  check(is(row(words, U"a b", {U"a b c"}), 2, 0, 1, 0), "a deletion");
  check(is(row(words, U"x b c d", {U"a b c"}), 2, 1, 0, 1), "a substitution and an insertion");
  check(is(row(words, U"", {U""}), 0, 0, 0, 0), "nothing");
  check(is(row(words, U"a c d", {U"a b", U"a b c"}), 1, 2, 0, 0), "as near, but longer");
  check(is(row(words, U"a\tb  c\u3000d", {U"a\tb c\u3000d"}), 2, 0, 0, 0), "words of jiwer");
  words.white_space = WhiteSpace::single;
  check(is(row(words, U"a\tb", {U"a b"}), 2, 0, 0, 0), "all white space divides");
  words.no_punct = true;
  check(is(row(words, U"\u00ABa,\u00BB b.", {U"a b"}), 2, 0, 0, 0), "without punctuation");
  WerCounter::Options characters;
  characters.characters = true;
  check(is(row(characters, U" a b\n", {U"ab"}), 2, 0, 0, 1), "ends are stripped");
  characters.white_space = WhiteSpace::none;
  check(is(row(characters, U" a\u2003b\n", {U"ab"}), 2, 0, 0, 0), "no white space");
  characters.white_space = WhiteSpace::single;
  check(is(row(characters, U"a \t b\u4F60", {U"a b\u4F60"}), 4, 0, 0, 0), "one space");
  check(is(row(Moves::blocks, {5, 6, 7, 8, 1, 2, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8}), 8, 0, 0, 3),
        "three jumps");
  check(is(row(Moves::free, {3, 4, 1, 9, 9}, {1, 2, 3, 4}), 3, 1, 0, 1), "any order");
}

std::int64_t slow_distance(const Items& hypothesis, const Items& reference, bool jumps) {
  std::vector<std::int64_t> row(hypothesis.size() + 1);
  for (std::size_t i = 0; i < row.size(); ++i) {
    row[i] = jumps && i > 1 ? 1 : static_cast<std::int64_t>(i);
  }
  for (const std::int64_t word : reference) {
    std::vector<std::int64_t> below(row.size());
    below[0] = row[0] + 1;
    for (std::size_t i = 1; i < row.size(); ++i) {
      below[i] = std::min(
          {row[i - 1] + (hypothesis[i - 1] == word ? 0 : 1), row[i] + 1, below[i - 1] + 1});
    }
    const std::int64_t jump = *std::min_element(below.begin(), below.end()) + 1;
    if (jumps) {
      for (std::int64_t& cost : below) cost = std::min(cost, jump);
    }
    row = below;
  }
  return row.back();
}

class Random {
 public:
  std::size_t below(std::size_t n) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::size_t>(state_ >> 33) % n;
  }

 private:
  std::uint64_t state_ = 99;
};

Items random_items(Random& random, std::size_t n, std::size_t words) {
  Items items(n);
  for (auto& item : items) item = static_cast<std::int64_t>(random.below(words));
  return items;
}

Items disturbed(Random& random, Items items, std::size_t edits) {
  for (; edits > 0 && items.size() > 20; --edits) {
    const auto at = static_cast<std::ptrdiff_t>(random.below(items.size() - 10));
    switch (random.below(3)) {
      case 0:
        items.erase(items.begin() + at);
        break;
      case 1:
        items[static_cast<std::size_t>(at)] = 7;
        break;
      default:
        std::rotate(items.begin() + at, items.begin() + at + 4, items.begin() + at + 9);
    }
  }
  return items;
}

void check_sums(const Row& found, const Items& hypothesis, const Items& reference, Moves moves) {
  const bool jumps = moves == Moves::blocks;
  check(found.errors() == slow_distance(hypothesis, reference, jumps), "errors as defined");
  check(found.numbers[0] + found.numbers[1] + found.numbers[2] ==
            static_cast<std::int64_t>(reference.size()),
        "reference words");
  check(jumps || found.numbers[0] + found.numbers[1] + found.numbers[3] ==
                     static_cast<std::int64_t>(hypothesis.size()),
        "hypothesis words");
}

void test_against_definitions(std::size_t longest, int cases) {
  Random random;
  for (int i = 0; i < cases; ++i) {
    const std::size_t words = 1 + random.below(30);
    const Items reference = random_items(random, random.below(longest), words);
    const Items hypothesis = random.below(2) == 0
                                 ? random_items(random, random.below(longest), words)
                                 : disturbed(random, reference, random.below(20));
    for (const Moves moves : {Moves::none, Moves::blocks}) {
      check_sums(row(moves, hypothesis, reference), hypothesis, reference, moves);
    }
  }
}

// Tables that are cut in halves, and paths whose rows are not all kept.
void test_long_segments() {
  Random random;
  const Items reference = random_items(random, 9000, 40);
  const Items hypothesis = disturbed(random, reference, 300);
  for (const Moves moves : {Moves::none, Moves::blocks}) {
    check_sums(row(moves, hypothesis, reference), hypothesis, reference, moves);
    check_sums(row(moves, {hypothesis.begin(), hypothesis.begin() + 70}, reference),
               {hypothesis.begin(), hypothesis.begin() + 70}, reference, moves);
  }
}

}  // namespace

void test_wer() {
  test_known_values();
  test_marks();
  test_against_definitions(12, 2000);
  test_against_definitions(300, 60);
  test_long_segments();
}

}  // namespace bleuet
