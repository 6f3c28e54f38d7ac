// NIST's sufficient statistics of one segment (Doddington 2002).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ngrams/ngram_information.hpp"
#include "ngrams/ngrams.hpp"
#include "ngrams/word_counter.hpp"

namespace bleuet {

// A row is: n-grams of the hypothesis of order 1..N; the mean length of the references, and the
// bits of the matching n-grams of order 1..N, each order added from left to right.
class NistCounter : public WordCounter<NistCounter> {
 public:
  struct Options {
    std::size_t max_ngram_order = 5;
    Tokenizer tokenizer = Tokenizer::v13a;
    Case letter_case = Case::keep;
    bool mteval = true;
    std::shared_ptr<LearnedReferences> learned;
    std::shared_ptr<const NgramInformation> information;
    const ReferenceWords* words = nullptr;
  };
  using Reference = WordNumbers;

  explicit NistCounter(const Options& options) : WordCounter(options), options_(options) {}

  static std::size_t integers(const Options& options) { return options.max_ngram_order; }
  static std::size_t reals(const Options& options) { return options.max_ngram_order + 1; }

  static void learn(Options& options, unsigned threads) {
    options.information = std::make_shared<const NgramInformation>(
        *options.learned, options.max_ngram_order, options.mteval, threads);
  }

  void fill_row(const Reference* references, std::size_t n_references, std::int64_t* integers,
                double* reals);

 private:
  // Add the bits of the matches of each order, by one reference of few tokens, or by any.
  void add_by_positions(const WordNumbers& reference, double* bits);
  void add_by_numbers(const WordNumbers* references, std::size_t n_references, double* bits);

  Options options_;
  NgramMatcher matcher_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint64_t> positions_, free_;
  std::vector<NgramInformation::Ngram> ngrams_;
};

}  // namespace bleuet
