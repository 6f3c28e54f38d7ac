#include "ngrams/gleu.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace bleuet {

GleuCounter::GleuCounter(const Options& options)
    : WordCounter(options), options_(options), matches_(options.max_ngram_order) {
  if (options.min_ngram_order < 1 || options.min_ngram_order > options.max_ngram_order) {
    throw std::invalid_argument("the shortest n-grams are longer than the longest");
  }
}

void GleuCounter::fill_row(const Reference* references, std::size_t n_references, std::int64_t* row,
                           double*) {
  const std::int64_t own = ngrams(hypothesis_.tokens.size());
  double best = -1;
  row[0] = row[1] = 0;
  for (std::size_t r = 0; r < n_references; ++r) {
    const TokenList& reference = references[r].tokens;
    const std::int64_t most = std::max(own, ngrams(reference.size()));
    if (most == 0) continue;
    const std::int64_t matching = matches(reference);
    const double ratio = static_cast<double>(matching) / static_cast<double>(most);
    if (ratio > best) {
      best = ratio;
      row[0] = matching;
      row[1] = most;
    }
  }
}

std::int64_t GleuCounter::ngrams(std::size_t tokens) const {
  std::size_t sum = 0;
  for (std::size_t n = options_.min_ngram_order; n <= options_.max_ngram_order; ++n) {
    if (n <= tokens) sum += tokens - n + 1;
  }
  return static_cast<std::int64_t>(sum);
}

std::int64_t GleuCounter::matches(const TokenList& reference) {
  const TokenList* const one = &reference;
  matcher_.count(hypothesis_.tokens, &one, 1, options_.max_ngram_order, matches_.data());
  const auto first = matches_.begin() + static_cast<std::ptrdiff_t>(options_.min_ngram_order - 1);
  return std::accumulate(first, matches_.end(), std::int64_t{0});
}

}  // namespace bleuet
