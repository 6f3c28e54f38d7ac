// N-grams are numbered order after order: that of an n-gram follows from the number of the n-gram
// that it begins with and from its last word. definitions/mean_ngrams.py is the definition.
#include "mean_ngrams.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "number_pairs.hpp"

namespace bleuet {
namespace {

// How often a text has each n-gram, in the order in which they first occur.
class Occurrences {
 public:
  void add(std::uint32_t number) {
    if (number >= counts_.size()) counts_.resize(std::max<std::size_t>(number + 1, 2 * number), 0);
    if (counts_[number]++ == 0) found_.push_back(number);
  }
  // Calls use(n-gram, count) for each, and forgets them.
  template <class Use>
  void take(Use use) {
    for (const std::uint32_t number : found_) {
      use(number, static_cast<double>(counts_[number]));
      counts_[number] = 0;
    }
    found_.clear();
  }

 private:
  std::vector<std::uint32_t> counts_, found_;
};

std::size_t size_of(const NumberedTexts& texts) {
  return texts.size == 0 ? 0 : static_cast<std::size_t>(texts.ends[texts.size - 1]);
}

}  // namespace

void match_mean_ngrams(const NumberedTexts& hypotheses, const NumberedTexts& references,
                       const double* weights, std::size_t order, double* matches, double* lengths,
                       const std::function<void()>& poll) {
  double total = 0;
  for (std::size_t r = 0; r < references.size; ++r) total += weights[r];
  // By the place of a word: the number of the n-gram that begins there.
  std::vector<std::uint32_t> theirs(size_of(references), 0), ours(size_of(hypotheses), 0);
  std::vector<double> mean;
  Occurrences occurrences;
  for (std::size_t n = 1; n <= order; ++n) {
    NumberPairs known(theirs.size());
    mean.clear();
    lengths[n - 1] = 0;
    for (std::size_t r = 0; r < references.size; ++r) {
      const NumberedText text = references[r];
      std::uint32_t* numbers = theirs.data() + (text.begin() - references.numbers);
      const std::size_t ngrams = text.size() < n ? 0 : text.size() - n + 1;
      for (std::size_t i = 0; i < ngrams; ++i) {
        std::uint32_t& number =
            known.number_of(numbers[i], static_cast<std::uint32_t>(text[i + n - 1]));
        if (number == kUnknown) {
          number = static_cast<std::uint32_t>(mean.size());
          mean.push_back(0);
        }
        numbers[i] = number;
        occurrences.add(numbers[i]);
      }
      occurrences.take(
          [&](std::uint32_t number, double count) { mean[number] += count * weights[r] / total; });
      lengths[n - 1] += static_cast<double>(ngrams) * weights[r] / total;
    }
    poll();
    for (std::size_t h = 0; h < hypotheses.size; ++h) {
      const NumberedText text = hypotheses[h];
      std::uint32_t* numbers = ours.data() + (text.begin() - hypotheses.numbers);
      for (std::size_t i = 0; i + n <= text.size(); ++i) {
        if (numbers[i] == kUnknown) continue;
        numbers[i] = known.find(numbers[i], static_cast<std::uint32_t>(text[i + n - 1]));
        if (numbers[i] != kUnknown) occurrences.add(numbers[i]);
      }
      double& found = matches[h * order + n - 1] = 0;
      occurrences.take(
          [&](std::uint32_t number, double count) { found += std::min(count, mean[number]); });
    }
    poll();
  }
}

}  // namespace bleuet
