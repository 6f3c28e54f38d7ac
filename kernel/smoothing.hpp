// Smoothing: what an n-gram precision is when nothing, or little, matched.
//
// The same functions as in bleuet/metrics/bleu/smoothing.py, which says what each one is and where
// it comes from; the order of operations is the same too, so that results are equal to the bit.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bleuet {

enum class Smoothing : std::uint8_t {
  none,
  floor,
  add_k,
  exponential,
  mteval,
  nmt,
  chen_cherry_1,
  chen_cherry_2,
  chen_cherry_3,
  chen_cherry_4,
  chen_cherry_5,
  chen_cherry_6,
  chen_cherry_6_raw,
  chen_cherry_7,
  literal_1,
  literal_2,
  literal_3,
  literal_4,
  literal_5,
  literal_6,
  literal_7,
  nltk_0,
  nltk_1,
  nltk_2,
  nltk_3,
  nltk_4,
  nltk_5,
  nltk_6,
  nltk_7,
};

// NLTK's family, which stands last, counts one n-gram of every order that a hypothesis is too short
// for.
constexpr bool is_nltks(Smoothing smoothing) { return smoothing >= Smoothing::nltk_0; }

// How many orders must be counted for BLEU up to `order`: some average with one order more.
std::size_t counted_orders(Smoothing smoothing, std::size_t order);

// Matches and n-grams of the hypothesis of each counted order, and the hypothesis length.
struct NgramCounts {
  const std::int64_t* matches;
  const std::int64_t* totals;
  std::size_t order;  // BLEU's; more may be counted
  double length;
  std::int64_t least = 0;  // what counts as the n-grams of an order that has fewer
};

// Writes precisions in percent for the orders of which the hypothesis has n-grams, at most
// counts.order of them, and returns how many it wrote.
std::size_t smooth(Smoothing smoothing, const NgramCounts& counts, double value,
                   double* precisions);

}  // namespace bleuet
