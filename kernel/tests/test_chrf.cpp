// chrF's counter: examples by hand, and every way of counting against the slow definition.
#include <random>

#include "check.hpp"
#include "slow_chrf.hpp"

namespace {

using Row = std::vector<std::int64_t>;
using bleuet::chrf_f_score;
using bleuet::ChrfOptions;

ChrfOptions orders(std::size_t char_order, std::size_t word_order) {
  ChrfOptions options;
  options.char_order = char_order;
  options.word_order = word_order;
  return options;
}

bool agrees(const std::u32string& hypothesis, const std::vector<std::u32string>& references,
            const ChrfOptions& options) {
  const Row want = slow_chrf::row(hypothesis, references, options);
  return slow_chrf::fast_row(hypothesis, references, options, false) == want &&
         slow_chrf::fast_row(hypothesis, references, options, true) == want;
}

void test_examples() {
  using slow_chrf::fast_row;
  check(fast_row(U"a cat", {U"the cat"}, orders(2, 0), false) == Row{4, 6, 3, 3, 5, 2},
        "white space is no character");
  ChrfOptions spaced = orders(1, 0);
  spaced.whitespace = true;
  check(fast_row(U" a ", {U"a b"}, spaced, false) == Row{3, 3, 2}, "white space is kept");
  check(fast_row(U"abc", {U"a"}, orders(2, 0), false) == Row{3, 1, 1, 0, 0, 0},
        "no bigram in the reference, none counted in the hypothesis");
  check(fast_row(U"(hi) !? x", {U"(hi ) ! ? x"}, orders(0, 1), false) == Row{5, 6, 4},
        "one trailing mark, else one leading");
  check(fast_row(U"ab", {U"x", U"ab", U"ba"}, orders(1, 0), false) == Row{2, 2, 2},
        "the first of the best references");
  check(fast_row(U"", {U""}, orders(1, 1), false) == Row{0, 0, 0, 0, 0, 0}, "empty on empty");
}

void test_f_score() {
  const Row row = {4, 6, 3, 3, 5, 2};
  ChrfOptions options = orders(2, 0);
  check(chrf_f_score(row.data(), options) == 48.54060913705583, "F of averages");
  options.eps_smoothing = true;
  check(chrf_f_score(row.data(), options) == 48.524844720496894, "average of Fs");
  const Row none = {0, 0, 0, 0, 0, 0};
  check(chrf_f_score(none.data(), orders(2, 0)) == 0, "nothing to score");
  check(chrf_f_score(none.data(), orders(0, 0)) == 0, "no order at all");
}

// Lengths about every number of 64-bit words, alphabets of each storage width.
void test_lengths() {
  const std::u32string alphabets[] = {U"ab ", U"abcdefgh.,( ", U"a\u00e9\u00a0\u0085b",
                                      U"\u0431\u0432. a\u3000", U"\U0001F600a\u00e9 \U0010FFFF!"};
  std::mt19937 random(20150917);
  const auto draw = [&](const std::u32string& alphabet, std::size_t length) {
    std::u32string text(length, U'\0');
    for (char32_t& c : text) c = alphabet[random() % alphabet.size()];
    return text;
  };
  for (std::size_t length : {0u, 1u, 6u, 63u, 64u, 65u, 128u, 129u, 192u, 257u, 385u, 512u, 700u}) {
    for (const std::u32string& alphabet : alphabets) {
      const std::u32string hypothesis = draw(alphabet, length + random() % 3);
      const std::u32string& other = alphabets[random() % 5];
      ChrfOptions options = orders(6, 2);
      options.whitespace = random() % 2 != 0;
      check(agrees(hypothesis, {draw(alphabet, length), draw(other, length)}, options),
            "masks and numbers agree with the definition");
    }
  }
  const std::u32string few = U"ab", many = draw(alphabets[1], 3000);
  check(agrees(few, {many}, orders(6, 2)), "short against long");
  check(agrees(many, {draw(alphabets[1], 3000)}, orders(6, 2)), "long against long");
  check(agrees(many, {many}, orders(9, 3)), "orders above six");
}

}  // namespace

namespace bleuet {

void test_chrf() {
  test_examples();
  test_f_score();
  test_lengths();
}

}  // namespace bleuet
