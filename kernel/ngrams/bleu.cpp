#include "ngrams/bleu.hpp"

namespace bleuet {
void BleuCounter::fill_row(const Reference* references, std::size_t n_references,
                           std::int64_t* integers, double* reals) {
  const std::size_t order = options_.max_ngram_order;
  const std::size_t length = hypothesis_.tokens.size();
  pointers_.clear();
  for (std::size_t r = 0; r < n_references; ++r) pointers_.push_back(&references[r].tokens);

  *integers++ = static_cast<std::int64_t>(length);
  const double compared =
      reference_length(options_.reference_length, length, n_references,
                       [&](std::size_t r) { return references[r].tokens.size(); });
  if (options_.reference_length == ReferenceLength::average) {
    *reals = compared;
  } else {
    *integers++ = static_cast<std::int64_t>(compared);
  }
  matcher_.count(hypothesis_.tokens, pointers_.data(), n_references, order, integers);
  integers += order;
  for (std::size_t n = 0; n < order; ++n) {
    integers[n] = length > n ? static_cast<std::int64_t>(length - n) : options_.phantom_ngrams;
  }
}

}  // namespace bleuet
