// GLEU's sufficient statistics of one segment (Wu et al. 2016, section 5).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bleu.hpp"
#include "ngrams.hpp"

namespace bleuet {

// A row is: matching n-grams, and the n-grams of the hypothesis or of the reference, whichever has
// more, of all orders together. They are those of the reference with the best ratio.
class GleuCounter {
 public:
  struct Options {
    std::size_t min_ngram_order = 1;
    std::size_t max_ngram_order = 4;
    Tokenizer tokenizer = Tokenizer::v13a;
    Case letter_case = Case::keep;
  };
  using Reference = BleuCounter::Segment;

  explicit GleuCounter(const Options& options)
      : options_(options), matches_(options.max_ngram_order) {}

  static std::size_t integers(const Options&) { return 2; }
  static std::size_t reals(const Options&) { return 0; }

  void prepare(const Text& text, Reference& reference);
  void prepare_ids(const std::int64_t* ids, std::size_t n, Reference& reference);
  static void trim(Reference& reference) { BleuCounter::trim(reference); }
  void count(const Text& hypothesis, const Reference* references, std::size_t n_references,
             std::int64_t* integers, double* reals);
  void count_ids(const std::int64_t* ids, std::size_t n, const Reference* references,
                 std::size_t n_references, std::int64_t* integers, double* reals);

 private:
  void fill_row(const Reference* references, std::size_t n_references, std::int64_t* row);
  // The n-grams of all orders in a text of so many tokens.
  std::int64_t ngrams(std::size_t tokens) const;
  std::int64_t matches(const TokenList& reference);

  Options options_;
  Reference hypothesis_;
  std::vector<std::int64_t> matches_;
  NgramMatcher matcher_;
};

}  // namespace bleuet
