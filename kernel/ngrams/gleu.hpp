// GLEU's sufficient statistics of one segment (Wu et al. 2016, section 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngrams/ngrams.hpp"
#include "ngrams/word_counter.hpp"

namespace bleuet {

// A row is: matching n-grams, and the n-grams of the hypothesis or of the reference, whichever has
// more, of all orders together. They are those of the reference with the best ratio.
class GleuCounter : public WordCounter<GleuCounter> {
 public:
  struct Options {
    std::size_t min_ngram_order = 1;
    std::size_t max_ngram_order = 4;
    Tokenizer tokenizer = Tokenizer::v13a;
    Case letter_case = Case::keep;
  };

  // Throws std::invalid_argument where the shortest n-grams are longer than the longest.
  explicit GleuCounter(const Options& options);

  static std::size_t integers(const Options&) { return 2; }
  static std::size_t reals(const Options&) { return 0; }

  void fill_row(const Reference* references, std::size_t n_references, std::int64_t* row,
                double* reals);

 private:
  // The n-grams of all orders in a text of so many tokens.
  std::int64_t ngrams(std::size_t tokens) const;
  std::int64_t matches(const TokenList& reference);

  Options options_;
  std::vector<std::int64_t> matches_;
  NgramMatcher matcher_;
};

}  // namespace bleuet
