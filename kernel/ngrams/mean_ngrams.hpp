// The clipped matches of texts with the mean counts of the n-grams of other texts (DeNero, Chiang
// and Knight 2009; Vamvas and Sennrich 2024).
#pragma once

#include <cstddef>
#include <functional>

#include "text/numbered_texts.hpp"

namespace bleuet {

// Writes matches[h * order + n - 1] of each hypothesis, and the mean number of n-grams of the
// references, lengths[n - 1], for n = 1..order. There is a weight for each reference.
void match_mean_ngrams(const NumberedTexts& hypotheses, const NumberedTexts& references,
                       const double* weights, std::size_t order, double* matches, double* lengths,
                       const std::function<void()>& poll);

}  // namespace bleuet
