#include "ngrams/chrf.hpp"

#include <algorithm>
#include <cmath>

namespace bleuet {
namespace {

std::int64_t ngrams_of(std::size_t length, std::size_t n) {
  return length < n ? 0 : static_cast<std::int64_t>(length - n + 1);
}

// Triples of one kind of n-gram, orders 1..order.
std::int64_t* write_triples(std::size_t n_hypothesis, std::size_t n_reference, std::size_t order,
                            const std::int64_t* matches, std::int64_t* row) {
  for (std::size_t n = 1; n <= order; ++n) {
    // Where the reference has no n-gram of an order, sacreBLEU does not count the hypothesis's.
    row[1] = ngrams_of(n_reference, n);
    row[0] = row[1] == 0 ? 0 : ngrams_of(n_hypothesis, n);
    row[2] = matches[n - 1];
    row += 3;
  }
  return row;
}

}  // namespace

ChrfCounter::ChrfCounter(const Options& options)
    : options_(options),
      reader_(options.letter_case, options.whitespace, options.word_order > 0),
      matches_(std::max(options.char_order, options.word_order)),
      row_(integers(options)) {}

void ChrfCounter::trim(Reference& reference) {
  if (reference.words.size() != 0) reference.words.own_text();
  reference.utf8 = {};
  const auto shrink = [](auto& characters, std::size_t length) {
    characters.resize(length);
    characters.shrink_to_fit();
  };
  shrink(reference.bytes, reference.narrow ? reference.length : 0);
  shrink(reference.code_points, reference.narrow ? 0 : reference.length);
}

void ChrfCounter::fill_row(const Reference& reference, std::int64_t* row) {
  chars_.count(hypothesis_, reference, options_.char_order, matches_.data());
  row = write_triples(hypothesis_.length, reference.length, options_.char_order, matches_.data(),
                      row);
  if (options_.word_order == 0) return;
  const TokenList* const words = &reference.words;
  words_.count(hypothesis_.words, &words, 1, options_.word_order, matches_.data());
  write_triples(hypothesis_.words.size(), words->size(), options_.word_order, matches_.data(), row);
}

void ChrfCounter::count(const Text& hypothesis, const Reference* references,
                        std::size_t n_references, std::int64_t* integers, double*) {
  reader_.read(hypothesis, hypothesis_);
  fill_row(references[0], integers);
  if (n_references == 1) return;
  double best = chrf_f_score(integers, options_);
  for (std::size_t r = 1; r < n_references; ++r) {
    fill_row(references[r], row_.data());
    const double score = chrf_f_score(row_.data(), options_);
    if (score > best) {
      best = score;
      std::copy(row_.begin(), row_.end(), integers);
    }
  }
}

// Bit for bit sacreBLEU's value: the order of the operations is part of the definition.
double chrf_f_score(const std::int64_t* statistics, const ChrfOptions& options) {
  constexpr double kEpsilon = 1e-16;
  const std::size_t order = options.char_order + options.word_order;
  // A compiler would turn a plain pow(beta, 2) into beta * beta; Python calls pow().
  volatile double exponent = 2;
  const double factor = std::pow(options.beta, exponent);
  double smoothed = 0, precisions = 0, recalls = 0;
  std::size_t effective_order = 0;

  for (std::size_t i = 0; i < order; ++i) {
    const auto in_hypothesis = static_cast<double>(statistics[3 * i]);
    const auto in_reference = static_cast<double>(statistics[3 * i + 1]);
    const auto match = static_cast<double>(statistics[3 * i + 2]);
    const double precision = in_hypothesis > 0 ? match / in_hypothesis : kEpsilon;
    const double recall = in_reference > 0 ? match / in_reference : kEpsilon;
    const double denominator = factor * precision + recall;
    smoothed += denominator > 0 ? (1 + factor) * precision * recall / denominator : kEpsilon;
    if (in_hypothesis > 0 && in_reference > 0) {
      precisions += precision;
      recalls += recall;
      ++effective_order;
    }
  }
  if (options.eps_smoothing) return order == 0 ? 0 : 100 * smoothed / static_cast<double>(order);
  if (effective_order == 0) return 0;
  const double precision = precisions / static_cast<double>(effective_order);
  const double recall = recalls / static_cast<double>(effective_order);
  if (precision + recall == 0) return 0;
  return 100 * ((1 + factor) * precision * recall / (factor * precision + recall));
}

}  // namespace bleuet
