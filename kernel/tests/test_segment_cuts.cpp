// Cuts of a hypothesis, against the table of all segments and words that the definition fills.
#include <algorithm>
#include <random>
#include <vector>

#include "check.hpp"
#include "edits/segment_cuts.hpp"

namespace {

using Words = std::vector<std::int32_t>;
using Segments = std::vector<std::vector<Words>>;

std::int64_t distance(const std::int32_t* begin, const std::int32_t* end, const Words& words) {
  std::vector<std::int64_t> row(words.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = static_cast<std::int64_t>(j);
  for (; begin != end; ++begin) {
    std::int64_t diagonal = row[0]++;
    for (std::size_t j = 0; j < words.size(); ++j) {
      const std::int64_t above = row[j + 1];
      row[j + 1] = std::min({diagonal + (words[j] != *begin), above + 1, row[j] + 1});
      diagonal = above;
    }
  }
  return row.back();
}

std::int64_t nearest(const Words& own, std::int64_t begin, std::int64_t end,
                     const std::vector<Words>& references) {
  std::int64_t least = -1;
  for (const Words& reference : references) {
    const std::int64_t edits = distance(own.data() + begin, own.data() + end, reference);
    if (least < 0 || edits < least) least = edits;
  }
  return least;
}

// The fewest edits of all cuts.
std::int64_t fewest(const Words& own, const Segments& segments) {
  const auto n = static_cast<std::int64_t>(own.size());
  std::vector<std::int64_t> best(own.size() + 1, 1 << 30);
  best[0] = 0;
  for (const std::vector<Words>& references : segments) {
    std::vector<std::int64_t> next(best.size(), 1 << 30);
    for (std::int64_t begin = 0; begin <= n; ++begin) {
      for (std::int64_t end = begin; end <= n; ++end) {
        std::int64_t& cell = next[static_cast<std::size_t>(end)];
        cell = std::min(
            cell, best[static_cast<std::size_t>(begin)] + nearest(own, begin, end, references));
      }
    }
    best = next;
  }
  return best.back();
}

void check_cuts(const Words& own, const Segments& segments, std::mt19937& random) {
  Words numbers;
  std::vector<std::int64_t> ends, groups;
  for (const std::vector<Words>& references : segments) {
    for (const Words& reference : references) {
      numbers.insert(numbers.end(), reference.begin(), reference.end());
      ends.push_back(static_cast<std::int64_t>(numbers.size()));
    }
    groups.push_back(static_cast<std::int64_t>(ends.size()));
  }
  const auto looks = [&](std::size_t n) {
    Words drawn(n);
    for (std::int32_t& look : drawn) look = static_cast<std::int32_t>(random() % 3) - 1;
    return drawn;
  };
  const Words begins = looks(own.size()), behind = looks(own.size()), words = looks(own.size());
  const Words first = looks(ends.size()), last = looks(ends.size());
  const Words first_words = looks(ends.size()), last_words = looks(ends.size());
  // A word has up to three characters, and one is between two words.
  Words characters;
  std::vector<std::int64_t> word_begins, word_ends;
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (i > 0) characters.push_back(3);
    word_begins.push_back(static_cast<std::int64_t>(characters.size()));
    for (std::size_t n = random() % 4; n > 0; --n) {
      characters.push_back(static_cast<std::int32_t>(random() % 3));
    }
    word_ends.push_back(static_cast<std::int64_t>(characters.size()));
  }
  const bleuet::NumberedReferences references{
      {numbers.data(), ends.data(), ends.size()}, groups.data(), groups.size()};
  bleuet::SegmentCutter cutter({own.data(), own.data() + own.size()}, references,
                               {begins.data(), behind.data(), words.data(), first.data(),
                                last.data(), first_words.data(), last_words.data()},
                               8);
  std::vector<std::int64_t> cuts(segments.size());
  const std::int64_t edits = cutter.cut(cuts.data(), [](double) {});
  cutter.settle(cuts.data(),
                {{characters.data(), characters.data() + characters.size()},
                 word_begins.data(),
                 word_ends.data(),
                 references,
                 8},
                [](double) {});
  check(edits == fewest(own, segments), "the edits are the fewest");
  check(cuts.back() == static_cast<std::int64_t>(own.size()), "the last cut is the end");
  std::int64_t counted = 0;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::int64_t begin = i == 0 ? 0 : cuts[i - 1];
    check(begin <= cuts[i], "cuts are in order");
    counted += nearest(own, begin, cuts[i], segments[i]);
  }
  check(counted == edits, "the cuts have the edits");
}

}  // namespace

namespace bleuet {

void test_segment_cuts() {
  std::mt19937 random(1);
  const auto drawn = [&](std::size_t most) {
    Words words(random() % (most + 1));
    for (std::int32_t& word : words) word = static_cast<std::int32_t>(random() % 8);
    return words;
  };
  for (int round = 0; round < 60; ++round) {
    const std::size_t longest = round % 10 == 0 ? 70 : 12;
    Segments segments(1 + random() % 4);
    for (std::vector<Words>& references : segments) {
      references.resize(1 + random() % 3);
      for (Words& reference : references) reference = drawn(round % 10 == 0 ? 25 : 5);
    }
    check_cuts(drawn(longest), segments, random);
  }
}

}  // namespace bleuet
