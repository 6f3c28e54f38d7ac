#include "ngrams/hlepor.hpp"

#include <algorithm>
#include <cmath>

#include "edits/length_limit.hpp"
#include "rows/interruption.hpp"

namespace bleuet {
namespace {

double ratio(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

// Whether one of the words around a place passes a test. As in the authors' program, a first place
// counts from the end of the text where it is negative, so that the first words mostly have none
// before them.
template <class Test>
bool any_around(const std::vector<std::uint32_t>& words, std::size_t place, std::size_t context,
                Test test) {
  const std::size_t size = words.size();
  const std::size_t from_end = place + size > context ? place + size - context : 0;
  const std::size_t first = place >= context ? place - context : from_end;
  for (std::size_t i = first; i < place; ++i) {
    if (test(words[i])) return true;
  }
  for (std::size_t i = place + 1; i < std::min(size, place + 1 + context); ++i) {
    if (test(words[i])) return true;
  }
  return false;
}

}  // namespace

void HleporCounter::fill_row(const Reference* references, std::size_t n_references,
                             std::int64_t* integers, double* reals) {
  numbers_.number(hypothesis_.tokens, words_);
  count_.assign(words_.size(), 0);
  for (const std::uint32_t word : words_) ++count_[word];
  std::array<double, 4> best{};
  for (std::size_t r = 0; r < n_references; ++r) {
    best = std::max(best, factors(references[r].tokens));
  }
  integers[0] = 1;
  std::copy(best.begin(), best.end(), reals);
}

// hLEPOR and its three factors (equations 1 to 8).
std::array<double, 4> HleporCounter::factors(const TokenList& reference) {
  numbers_.find(reference, reference_);
  const std::size_t size = words_.size(), reference_size = reference_.size();
  reference_count_.assign(size, 0);
  for (const std::uint32_t word : reference_) {
    if (word != kUnknown) ++reference_count_[word];
  }
  std::size_t shared = 0;
  for (std::size_t word = 0; word < size; ++word) {
    shared += std::min(count_[word], reference_count_[word]);
  }
  if (shared == 0) return {};
  const auto [shorter, longer] = std::minmax(size, reference_size);
  const double length = std::exp(1 - ratio(longer, shorter));
  const double distance = words_ == reference_ ? 0 : distances();
  const double position = std::exp(-distance / static_cast<double>(size));
  const double precision = ratio(shared, size), recall = ratio(shared, reference_size);
  const Options& by = options_;
  const double words = (by.beta + by.alpha) / (by.beta / precision + by.alpha / recall);
  // The length penalty of texts whose lengths differ by a factor of a thousand rounds to 0.
  if (length == 0 || position == 0) return {0, length, position, words};
  const double weights = by.length_weight + by.position_weight + by.words_weight;
  const double inverse =
      by.length_weight / length + by.position_weight / position + by.words_weight / words;
  return {weights / inverse, length, position, words};
}

// How far equal words are apart, as shares of the lengths, summed (section 3.2).
double HleporCounter::distances() {
  const std::size_t size = words_.size();
  std::size_t pairs = 0, places = 0;
  begin_.resize(size);
  for (std::size_t word = 0; word < size; ++word) {
    begin_[word] = static_cast<std::uint32_t>(places);
    places += reference_count_[word];
    pairs += std::size_t{count_[word]} * reference_count_[word];
  }
  check_pairs("hLEPOR", "equal words", pairs, kMostEqualWords);
  places_.resize(places);
  free_.assign(size, 0);
  for (std::size_t j = 0; j < reference_.size(); ++j) {
    const std::uint32_t word = reference_[j];
    if (word != kUnknown) places_[begin_[word] + free_[word]++] = static_cast<std::uint32_t>(j);
  }
  around_.assign(size, kUnknown);
  double total = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t word = words_[i];
    if (free_[word] == 0) continue;
    std::uint32_t* const free = places_.data() + begin_[word];
    const bool alone = count_[word] == 1 && free_[word] == 1;
    const std::size_t chosen = alone ? 0 : choose(i, free, free_[word]);
    total +=
        std::fabs(ratio(i + 1, size) - ratio(free[chosen] + std::size_t{1}, reference_.size()));
    std::copy(free + chosen + 1, free + free_[word], free + chosen);
    --free_[word];
  }
  return total;
}

// Which of the free places of a word of the hypothesis stands for it. Those count first that have a
// word in common around them, and of these the nearest. As in the authors' program, its rank among
// these is then taken as the rank among all.
std::size_t HleporCounter::choose(std::size_t place, const std::uint32_t* free,
                                  std::size_t n_free) {
  any_around(words_, place, options_.context, [&](std::uint32_t word) {
    around_[word] = static_cast<std::uint32_t>(place);
    return false;
  });
  const auto is_here = [&](std::uint32_t word) {
    return word != kUnknown && around_[word] == place;
  };
  alike_.clear();
  for (std::size_t k = 0; k < n_free; ++k) {
    if (any_around(reference_, free[k], options_.context, is_here)) alike_.push_back(free[k]);
  }
  checkpoint(n_free * (1 + options_.context));
  if (alike_.empty()) alike_.assign(free, free + n_free);
  const auto next = std::lower_bound(alike_.begin(), alike_.end(), place);
  if (next == alike_.begin()) return 0;
  const auto before = next - 1;
  // Of two that are equally near, the first.
  const bool first = next == alike_.end() || place - *before <= *next - place;
  return static_cast<std::size_t>((first ? before : next) - alike_.begin());
}

}  // namespace bleuet
