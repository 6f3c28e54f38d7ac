// Tests of the EED counter: its row, and the cheapest path to the nearest reference.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "edits/eed.hpp"

namespace bleuet {
namespace {

constexpr EedCounter::Options kUsual{2.0, 0.3, 0.2, 1.0};

struct Found {
  double distance = -1;
  EedCounter::Path path;
};

Found found(const std::u32string& hypothesis, const std::vector<std::u32string>& references,
            const EedCounter::Options& options = kUsual) {
  const auto text_of = [](const std::u32string& s) { return Text{s.data(), s.size(), 4, false}; };
  EedCounter counter(options);
  std::vector<EedCounter::Reference> prepared(references.size());
  for (std::size_t r = 0; r < references.size(); ++r) {
    EedCounter::prepare(text_of(references[r]), prepared[r]);
  }
  Found one;
  std::int64_t segments = 0;
  counter.count(text_of(hypothesis), prepared.data(), prepared.size(), &segments, &one.distance);
  check(segments == 1, "one segment");
  one.path = counter.nearest();
  return one;
}

// The definition, cell by cell.
EedCounter::Path slow_path(const std::u32string& hypothesis, const std::u32string& reference,
                           const EedCounter::Options& options) {
  std::vector<double> row(hypothesis.size() + 1, 1.0);
  row[0] = 0.0;
  std::vector<std::int64_t> visits(row.size(), 0);
  for (const char32_t character : reference) {
    std::vector<double> below = {row[0] + 1.0};
    for (std::size_t i = 1; i < row.size(); ++i) {
      const double replaced = row[i - 1] + (hypothesis[i - 1] == character ? 0.0 : 1.0);
      below.push_back(
          std::min({below[i - 1] + options.deletion, replaced, row[i] + options.insertion}));
    }
    const auto lowest = std::min_element(below.begin(), below.end());
    ++visits[static_cast<std::size_t>(lowest - below.begin())];
    const double jump = options.alpha + *lowest;
    if (character == U' ') {
      for (double& cost : below) cost = std::min(cost, jump);
    }
    row = below;
  }
  std::int64_t repeated = 0;
  for (const std::int64_t count : visits) repeated += count == 0 ? 1 : count - 1;
  return {row.back(), repeated, 0};
}

class Drawn {
 public:
  explicit Drawn(std::uint32_t seed) : random_(seed) {}

  // Uniform below n.
  std::size_t below(std::size_t n) { return random_() % n; }

  // Words of some letters.
  std::u32string text(std::size_t most) {
    const std::size_t letters = 1 + below(12);
    const std::size_t spaces = below(8);  // how rare they are; 0 is never
    std::u32string one;
    for (std::size_t size = below(most + 1); one.size() < size;) {
      one += spaces > 0 && below(spaces + 1) == 0 ? U' '
                                                  : static_cast<char32_t>(U'a' + below(letters));
      // As in a text that has words again.
      if (one.size() > 20 && below(10) == 0)
        one += one.substr(below(one.size() - 10), 1 + below(10));
    }
    return one;
  }
  std::u32string edited(const std::u32string& text) {
    const std::size_t rare = 2 + below(40);
    std::u32string one;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::size_t chance = below(rare);
      if (chance != 0) one += text[i];
      if (chance == 1) one += U"ab "[below(3)];
      if (below(20 * rare) == 0) i = below(text.size());
    }
    return one;
  }

 private:
  std::mt19937 random_;
};

void test_against_the_definition() {
  const double costs[] = {0, 0.1, 0.2, 0.3, 1, 1.0 / 3, 2, 1e-17, 7, 1000};
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    Drawn drawn(seed);
    EedCounter::Options options = kUsual;
    if (seed % 2 == 1) {
      for (double* cost : {&options.alpha, &options.rho, &options.deletion, &options.insertion})
        *cost = costs[drawn.below(10)];
    }
    const std::u32string reference = drawn.text(seed % 30 == 0 ? 2000 : 200);
    std::u32string hypothesis = drawn.below(3) == 0 ? drawn.text(200) : drawn.edited(reference);
    // Where most words cost much.
    if (seed % 20 == 0) hypothesis.insert(drawn.below(hypothesis.size() + 1), drawn.text(6000));
    const Found fast = found(hypothesis, {reference}, options);
    const EedCounter::Path slow = slow_path(hypothesis, reference, options);
    check(fast.path.cost == slow.cost, "the cost is that of the definition, bit by bit");
    check(fast.path.repeated == slow.repeated, "the visits are those of the definition");
  }
}

}  // namespace

void test_eed() {
  test_against_the_definition();
  const Found equal = found(U" a b ", {U" a b "});
  check(std::abs(equal.distance - 0.3 / 5.3) < 1e-15, "only the first place is not visited");
  check(equal.path.cost == 0 && equal.path.repeated == 1, "the path through an equal text");
  const Found nearest = found(U"ab", {U"xy", U"ab", U"ab"});
  check(nearest.path.reference == 1 && nearest.path.cost == 0, "the first of the nearest");
  const Found longer = found(U"abc", {U"ab"});
  check(longer.path.cost == 0.2, "a character that only the hypothesis has");
  const Found shorter = found(U"ab", {U"abc"});
  check(shorter.path.cost == 1, "a character that only the reference has");
  const Found empty = found(U"", {U""});
  check(empty.distance == 1 && empty.path.cost == 0 && empty.path.repeated == 1, "no characters");
}

}  // namespace bleuet
