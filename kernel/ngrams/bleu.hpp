// BLEU's sufficient statistics of one segment (Papineni et al. 2002).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngrams/ngrams.hpp"
#include "ngrams/reference_length.hpp"
#include "ngrams/word_counter.hpp"
#include "text/tokenizer.hpp"

namespace bleuet {

// A row is: hypothesis length, reference length, clipped matches of order 1..N, n-grams of the
// hypothesis of order 1..N. With ReferenceLength::average the reference length is the one real
// number of the row and not one of the integers.
class BleuCounter : public WordCounter<BleuCounter> {
 public:
  struct Options {
    std::size_t max_ngram_order = 4;
    Tokenizer tokenizer = Tokenizer::v13a;
    Case letter_case = Case::keep;
    ReferenceLength reference_length = ReferenceLength::closest;
    // NLTK counts one n-gram of every order that the hypothesis is too short for.
    bool phantom_ngrams = false;
  };

  explicit BleuCounter(const Options& options) : WordCounter(options), options_(options) {}

  static std::size_t integers(const Options& options) {
    return 2 * options.max_ngram_order + (reals(options) == 0 ? 2 : 1);
  }
  static std::size_t reals(const Options& options) {
    return options.reference_length == ReferenceLength::average ? 1 : 0;
  }

  void fill_row(const Reference* references, std::size_t n_references, std::int64_t* integers,
                double* reals);

 private:
  Options options_;
  std::vector<const TokenList*> pointers_;
  NgramMatcher matcher_;
};

}  // namespace bleuet
