// Tests of the EED counter: its row, and the cheapest path to the nearest reference.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "check.hpp"
#include "eed.hpp"

namespace bleuet {
namespace {

constexpr EedCounter::Options kUsual{2.0, 0.3, 0.2, 1.0};

struct Found {
  double distance = -1;
  EedCounter::Path path;
};

Found found(const std::u32string& hypothesis, const std::vector<std::u32string>& references) {
  const auto text_of = [](const std::u32string& s) { return Text{s.data(), s.size(), 4, false}; };
  EedCounter counter(kUsual);
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

}  // namespace

void test_eed() {
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
