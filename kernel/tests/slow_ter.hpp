// Translation edit rate as sacreBLEU 2.6.0 defines it, written for legibility: the oracle of the
// tests. It holds whole tables of cells and measures every candidate.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <tuple>
#include <vector>

namespace bleuet::slow {

using Words = std::vector<std::int64_t>;

enum class Way { match, substitute, erase, insert };

struct Result {
  std::int64_t distance;
  std::vector<Way> trace;
};

inline Result edit_distance(const Words& hypothesis, const Words& reference) {
  constexpr std::int64_t kInfinity = 1LL << 40;
  const auto n = static_cast<std::int64_t>(hypothesis.size());
  const auto m = static_cast<std::int64_t>(reference.size());
  const auto width_of = static_cast<std::size_t>(m) + 1;
  std::vector<std::int64_t> cells((static_cast<std::size_t>(n) + 1) * width_of, kInfinity);
  std::vector<Way> ways(cells.size(), Way::insert);
  const auto at = [&](std::int64_t i, std::int64_t j) {
    return static_cast<std::size_t>(i) * width_of + static_cast<std::size_t>(j);
  };
  for (std::int64_t j = 0; j <= m; ++j) cells[at(0, j)] = j;

  const double ratio = n == 0 ? 1.0 : static_cast<double>(m) / static_cast<double>(n);
  const std::int64_t width =
      25 < ratio / 2 ? static_cast<std::int64_t>(std::ceil(ratio / 2 + 25)) : 25;
  for (std::int64_t i = 1; i <= n; ++i) {
    const auto diagonal = static_cast<std::int64_t>(std::floor(static_cast<double>(i) * ratio));
    const std::int64_t end = i == n ? m + 1 : std::min(m + 1, diagonal + width);
    for (std::int64_t j = std::max<std::int64_t>(0, diagonal - width); j < end; ++j) {
      const auto offer = [&](std::int64_t cost, Way way) {
        if (cost >= cells[at(i, j)]) return;
        cells[at(i, j)] = cost;
        ways[at(i, j)] = way;
      };
      if (j > 0) {
        const bool equal = hypothesis[static_cast<std::size_t>(i - 1)] ==
                           reference[static_cast<std::size_t>(j - 1)];
        offer(cells[at(i - 1, j - 1)] + (equal ? 0 : 1), equal ? Way::match : Way::substitute);
      }
      offer(cells[at(i - 1, j)] + 1, Way::erase);
      if (j > 0) offer(cells[at(i, j - 1)] + 1, Way::insert);
    }
  }

  Result result{cells[at(n, m)], {}};
  for (std::int64_t i = n, j = m; i > 0 || j > 0;) {
    const Way way = ways[at(i, j)];
    result.trace.push_back(way);
    i -= way != Way::insert ? 1 : 0;
    j -= way != Way::erase ? 1 : 0;
  }
  std::reverse(result.trace.begin(), result.trace.end());
  return result;
}

inline Words shifted(const Words& words, std::ptrdiff_t start, std::ptrdiff_t length,
                     std::ptrdiff_t target) {
  const auto block = words.begin() + start;
  Words rest(words.begin(), block);
  rest.insert(rest.end(), block + length, words.end());
  if (target > start + length) target -= length;
  // As Python's slices do: beyond the end is the end.
  target = std::min(target, static_cast<std::ptrdiff_t>(rest.size()));
  rest.insert(rest.begin() + target, block, block + length);
  return rest;
}

inline std::int64_t edits(Words words, const Words& reference) {
  const auto n = static_cast<std::ptrdiff_t>(words.size());
  const auto m = static_cast<std::ptrdiff_t>(reference.size());
  const auto word = [&](std::ptrdiff_t i) { return words[static_cast<std::size_t>(i)]; };
  std::int64_t shifts = 0;
  std::int64_t candidates = 0;
  for (;;) {
    const Result before = edit_distance(words, reference);
    if (m == 0) return before.distance;
    std::vector<std::ptrdiff_t> reached;
    std::vector<bool> wrong;
    std::vector<bool> lacking;
    for (const Way way : before.trace) {
      if (way != Way::insert) wrong.push_back(way != Way::match);
      if (way == Way::erase) continue;
      reached.push_back(static_cast<std::ptrdiff_t>(wrong.size()) - 1);
      lacking.push_back(way != Way::match);
    }
    const auto any = [](const std::vector<bool>& flags, std::ptrdiff_t begin,
                        std::ptrdiff_t length) {
      const auto first = flags.begin() + begin;
      return std::find(first, first + length, true) != first + length;
    };

    using Rank = std::tuple<std::int64_t, std::ptrdiff_t, std::ptrdiff_t, std::ptrdiff_t>;
    Rank best{0, 0, 0, 0};
    Words best_words;
    for (std::ptrdiff_t s = 0; s < n; ++s) {
      for (std::ptrdiff_t r = 0; r < m; ++r) {
        if (std::abs(r - s) > 50) continue;
        for (std::ptrdiff_t length = 1; length <= 10; ++length) {
          if (s + length > n || r + length > m) break;
          if (word(s + length - 1) != reference[static_cast<std::size_t>(r + length - 1)]) break;
          if (!any(wrong, s, length) || !any(lacking, r, length)) continue;
          const std::ptrdiff_t here = reached[static_cast<std::size_t>(r)];
          if (s <= here && here < s + length) continue;
          std::ptrdiff_t previous = -1;
          for (std::ptrdiff_t p = r - 1; p < r + length; ++p) {
            const std::ptrdiff_t target = p < 0 ? 0 : reached[static_cast<std::size_t>(p)] + 1;
            if (target == previous) continue;
            previous = target;
            ++candidates;
            const Words after = shifted(words, s, length, target);
            const std::int64_t gain = before.distance - edit_distance(after, reference).distance;
            const Rank rank{gain, length, -s, -target};
            if (gain > 0 && rank > best) {
              best = rank;
              best_words = after;
            }
          }
          if (candidates >= 1000) return shifts + before.distance;
        }
      }
    }
    if (best_words.empty()) return shifts + before.distance;
    words = best_words;
    ++shifts;
  }
}

}  // namespace bleuet::slow
