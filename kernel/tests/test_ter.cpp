// Tests of the TER counter and of Tercom's tokenizer: known values, traps, and the slow oracle.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "edits/ter.hpp"
#include "marked.hpp"
#include "slow_ter.hpp"

namespace bleuet {
namespace {

struct Row {
  std::int64_t edits;
  double length;
};

bool operator==(const Row& a, const Row& b) { return a.edits == b.edits && a.length == b.length; }

Text text_of(const std::u32string& s) { return {s.data(), s.size(), 4, false}; }

Row row(const TerCounter::Options& options, const std::u32string& hypothesis,
        const std::vector<std::u32string>& references) {
  TerCounter counter(options);
  std::vector<TerCounter::Reference> prepared(references.size());
  for (std::size_t r = 0; r < references.size(); ++r) {
    counter.prepare(text_of(references[r]), prepared[r]);
    if (r % 2 == 1) TerCounter::trim(prepared[r]);
  }
  Row result{};
  counter.count(text_of(hypothesis), prepared.data(), prepared.size(), &result.edits,
                &result.length);
  return result;
}

std::string tokens(const TercomOptions& options, const std::u32string& text, int times = 1) {
  std::vector<char> buffer;
  return std::string(TercomTokenizer(options).prepare(text_of(text), Case::keep, times, buffer));
}

void test_known_values() {
  const TerCounter::Options plain;
  check(row(plain, U"a b c d", {U"a b c d"}) == Row{0, 4}, "an equal segment needs no edits");
  check(row(plain, U"d a b c", {U"a b c d"}) == Row{1, 4}, "one shift");
  check(row(plain, U"a b", {U""}) == Row{2, 0}, "empty reference");
  check(row(plain, U"", {U"a b"}) == Row{2, 2}, "empty hypothesis");
  check(row(plain, U" \n", {U"\u3000"}) == Row{0, 0}, "white space only");
  check(row(plain, U"a b", {U"a c", U"a b c"}) == Row{1, 2.5}, "fewest edits, mean length");
  check(row(plain, U"A B", {U"a b"}) == Row{0, 2}, "case is ignored");
}

void test_words_are_compared_exactly() {
  TerCounter::Options options;
  options.letter_case = Case::keep;
  const std::u32string nul(1, U'\0');
  check(row(options, U"a", {U"a" + nul}).edits == 1, "NUL is part of a word");
  check(row(options, U"A", {U"a"}).edits == 1, "case can be kept");
  check(row(options, U"abcdefghijkl1", {U"abcdefghijkl2"}).edits == 1,
        "long words differ at the end");
  check(row(options, U"\u00e9t\u00e9\u00a0x", {U"\u00e9t\u00e9 x"}).edits == 0,
        "no-break space splits");
  std::u32string surrogates(1, static_cast<char32_t>(0xD83D));
  surrogates.push_back(static_cast<char32_t>(0xDE00));
  check(row(options, surrogates, {U"\U0001F600"}).edits == 1,
        "two surrogates are not one character");
  const std::string latin1 = "\xe9t\xe9";
  TerCounter counter(options);
  TerCounter::Reference reference;
  counter.prepare({latin1.data(), latin1.size(), 1, false}, reference);
  std::int64_t edits = -1;
  double length = -1;
  counter.count(text_of(U"\u00e9t\u00e9"), &reference, 1, &edits, &length);
  check(edits == 0 && length == 1, "the storage unit does not matter");
}

void test_copies_stand_alone() {
  TerCounter counter({});
  TerCounter::Reference copy;
  {
    TerCounter::Reference reference;
    counter.prepare(text_of(U"extraordinarily long words"), reference);
    copy = reference;
    TerCounter::trim(reference);
    counter.prepare(text_of(U"something else entirely, and longer"), reference);
  }
  std::int64_t edits = -1;
  double length = -1;
  counter.count(text_of(U"extraordinarily long words"), &copy, 1, &edits, &length);
  check(edits == 0 && length == 3, "a copied reference does not depend on the original");
}

void test_tokenizer() {
  TercomOptions normalized;
  normalized.normalized = true;
  TercomOptions both = normalized;
  both.no_punct = true;
  TercomOptions asian = normalized;
  asian.asian_support = true;
  TercomOptions bare;
  bare.no_punct = true;
  check(tokens(normalized, U"it's 1,000 &lt; 2-3.") == "it 's 1,000 < 2 - 3 .", "normalized");
  check(tokens(both, U"(it's) 1,000.") == "it 's 1000", "normalized without punctuation");
  check(tokens(bare, U"(it's) 1,000.") == "it's 1000", "without punctuation");
  check(tokens(normalized, U"hyphen\n-ated\nline") == "hyphenated line", "lines are joined");
  check(tokens(asian, U"x\u4e2d\u6587\u3002") == "x \u4e2d \u6587 \u3002",
        "ideographs stand alone");
  check(tokens(asian, U"\u3400\u4dc0") == "\u3400 \u4dc0", "the end of extension A");
  check(tokens(normalized, U"dog's.") == "dog's .", "tokenized once");
  check(tokens(normalized, U"dog's.", 2) == "dog 's .", "tokenized twice");
}

void test_references_twice_or_once() {
  TerCounter::Options options;
  options.normalized = true;
  check(row(options, U"dog's.", {U"dog's."}) == Row{2, 3}, "sacreBLEU tokenizes references twice");
  options.tokenize_references_once = true;
  check(row(options, U"dog's.", {U"dog's."}) == Row{0, 2}, "once is right");
}

// A small generator of its own, so that the cases are the same everywhere.
class Random {
 public:
  std::size_t below(std::size_t n) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::size_t>(state_ >> 33) % n;
  }

 private:
  std::uint64_t state_ = 12345;
};

slow::Words random_words(Random& random, std::size_t longest) {
  const std::size_t n_words = 1 + random.below(random.below(4) == 0 ? 200 : 12);
  slow::Words words(random.below(longest + 1));
  for (auto& word : words) word = static_cast<std::int64_t>(random.below(n_words));
  return words;
}

slow::Words disturbed(Random& random, slow::Words words) {
  for (std::size_t k = random.below(6); k > 0 && !words.empty(); --k) {
    const auto start = static_cast<std::ptrdiff_t>(random.below(words.size()));
    const auto rest = words.size() - static_cast<std::size_t>(start);
    const auto length =
        static_cast<std::ptrdiff_t>(1 + random.below(std::min<std::size_t>(rest, 12)));
    words = slow::shifted(words, start, length,
                          static_cast<std::ptrdiff_t>(random.below(words.size())));
  }
  for (std::size_t k = random.below(12); k > 0 && !words.empty(); --k) {
    const std::size_t i = random.below(words.size());
    if (random.below(2) == 0) {
      words[i] = 1000;
    } else {
      words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return words;
}

std::int64_t fast_edits(TerCounter& counter, const slow::Words& hypothesis,
                        const slow::Words& words) {
  TerCounter::Reference reference;
  counter.prepare_ids(words.data(), words.size(), reference);
  std::int64_t edits = -1;
  double length = -1;
  counter.count_ids(hypothesis.data(), hypothesis.size(), &reference, 1, &edits, &length);
  check(length == static_cast<double>(words.size()), "reference length");
  Marks marks;
  std::int64_t again = -1;
  counter.mark(&marks);
  counter.count_ids(hypothesis.data(), hypothesis.size(), &reference, 1, &again, &length);
  counter.mark(nullptr);
  check(again == edits, "marking changes no row");
  const auto equal = static_cast<std::uint8_t>(Edit::match);
  check_marks(marks.all, hypothesis, words, equal, kShiftMark);
  const auto is_edit = [&](const Mark& mark) { return mark.kind != equal; };
  check(std::count_if(marks.all.begin(), marks.all.end(), is_edit) == edits, "a mark per edit");
  return edits;
}

void test_marks() {
  TerCounter counter({});
  std::vector<TerCounter::Reference> references(3);
  counter.prepare(text_of(U"x y"), references[0]);
  counter.prepare(text_of(U"a b c d"), references[1]);
  counter.prepare(text_of(U"a b c d"), references[2]);
  Marks marks;
  std::int64_t edits = 0;
  double length = 0;
  counter.mark(&marks);
  counter.count(text_of(U"d e a b c"), references.data(), references.size(), &edits, &length);
  check(marks.reference == 1, "the first of the nearest references");
  const auto kind = [](Edit edit) { return static_cast<std::uint8_t>(edit); };
  check(marks.all.size() == 6 && is(marks.all[0], 0, 1, 0, 0, kShiftMark), "the shift is first");
  check(is(marks.all[1], 1, 1, 0, 0, kind(Edit::erase)), "then the edits from left to right");
  check(is(marks.all[2], 2, 1, 0, 1, kind(Edit::match)), "with the places before the shift");
  check(is(marks.all[5], 0, 1, 3, 1, kind(Edit::match)), "a word that was shifted");
  counter.count(text_of(U""), references.data(), 1, &edits, &length);
  check(marks.all.size() == 2 && is(marks.all[1], 0, 0, 1, 1, kind(Edit::insert)), "no words");
}

void test_against_oracle(std::size_t longest, int cases) {
  Random random;
  TerCounter counter({});
  for (int i = 0; i < cases; ++i) {
    const slow::Words reference = random_words(random, longest);
    const slow::Words hypothesis =
        random.below(3) == 0 ? random_words(random, longest) : disturbed(random, reference);
    check(fast_edits(counter, hypothesis, reference) == slow::edits(hypothesis, reference),
          "edits as in the slow definition");
  }
}

void test_very_different_lengths() {
  Random random;
  TerCounter counter({});
  for (int i = 0; i < 300; ++i) {
    const slow::Words small = random_words(random, 8);
    slow::Words large = random_words(random, 20);
    while (large.size() < 300) large.push_back(static_cast<std::int64_t>(random.below(30)));
    check(fast_edits(counter, small, large) == slow::edits(small, large), "long reference");
    check(fast_edits(counter, large, small) == slow::edits(large, small), "long hypothesis");
  }
}

void test_long_segments_finish() {
  Random random;
  slow::Words reference(20000);
  for (auto& word : reference) word = static_cast<std::int64_t>(random.below(5000));
  const slow::Words hypothesis = disturbed(random, reference);
  TerCounter counter({});
  const std::int64_t edits = fast_edits(counter, hypothesis, reference);
  check(edits >= 0 && edits < 300, "20,000 tokens");
}

}  // namespace

void test_ter() {
  test_known_values();
  test_words_are_compared_exactly();
  test_copies_stand_alone();
  test_tokenizer();
  test_references_twice_or_once();
  test_marks();
  test_against_oracle(12, 3000);
  test_against_oracle(40, 150);
  test_against_oracle(110, 12);
  test_very_different_lengths();
  test_long_segments_finish();
}

}  // namespace bleuet
