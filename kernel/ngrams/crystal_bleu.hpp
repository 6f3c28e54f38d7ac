// CrystalBLEU's sufficient statistics of one segment (Eghbali and Pradel 2022): BLEU's, without the
// most common n-grams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ngrams/common_ngrams.hpp"
#include "ngrams/ngrams.hpp"
#include "ngrams/reference_length.hpp"
#include "ngrams/reference_words.hpp"
#include "ngrams/word_counter.hpp"

namespace bleuet {

// A row is that of BleuCounter; clipped matches and n-grams are those that are not common.
class CrystalBleuCounter : public WordCounter<CrystalBleuCounter> {
 public:
  struct Options {
    std::size_t max_ngram_order = 4;
    Tokenizer tokenizer = Tokenizer::v13a;
    Case letter_case = Case::keep;
    ReferenceLength reference_length = ReferenceLength::closest;
    bool phantom_ngrams = false;
    // How many n-grams are common, and the longest of them.
    std::size_t ignored = 500;
    std::size_t max_ignored_order = 4;
    std::shared_ptr<LearnedReferences> learned;
    std::shared_ptr<const CommonNgrams> common;
    const ReferenceWords* words = nullptr;
  };
  using Reference = WordNumbers;

  explicit CrystalBleuCounter(const Options& options) : WordCounter(options), options_(options) {}

  static std::size_t integers(const Options& options) {
    return 2 * options.max_ngram_order + 2 - reals(options);
  }
  static std::size_t reals(const Options& options) {
    return options.reference_length == ReferenceLength::average ? 1 : 0;
  }

  static void learn(Options& options, unsigned) {
    options.common = std::make_shared<const CommonNgrams>(
        *options.learned, options.max_ignored_order, options.ignored);
  }

  void fill_row(const Reference* references, std::size_t n_references, std::int64_t* integers,
                double* reals);

 private:
  void count_totals(std::int64_t* totals);
  // Count the matches of each order, by one reference of few tokens, or by any.
  void match_by_positions(const WordNumbers& reference, std::int64_t* matches);
  void match_by_numbers(const WordNumbers* references, std::size_t n_references,
                        std::int64_t* matches);

  Options options_;
  NgramMatcher matcher_;
  std::vector<std::uint32_t> words_;
  // Of each place, how many orders have a common n-gram there.
  std::vector<std::size_t> ignored_;
  std::vector<std::uint64_t> positions_, free_;
};

}  // namespace bleuet
