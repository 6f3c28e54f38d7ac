// hLEPOR's sufficient statistics of one segment (Han et al. 2013, section 3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngrams/word_counter.hpp"
#include "text/token_numbers.hpp"

namespace bleuet {

// A row is integers[0] = 1, and hLEPOR, the penalties for length and for positions, and the mean of
// precision and recall, of the reference with the highest hLEPOR.
class HleporCounter : public WordCounter<HleporCounter> {
 public:
  struct Options {
    double alpha = 9;  // the weight of recall
    double beta = 1;   // and of precision
    std::size_t context = 2;
    double length_weight = 2;
    double position_weight = 1;
    double words_weight = 7;
    Tokenizer tokenizer = Tokenizer::v13a;
    Case letter_case = Case::lower_ascii;
  };

  static std::size_t integers(const Options&) { return 1; }
  static std::size_t reals(const Options&) { return 4; }

  explicit HleporCounter(const Options& options) : WordCounter(options), options_(options) {}

  void fill_row(const Reference* references, std::size_t n_references, std::int64_t* integers,
                double* reals);

 private:
  std::array<double, 4> factors(const TokenList& reference);
  double distances();
  std::size_t choose(std::size_t place, const std::uint32_t* free, std::size_t n_free);

  Options options_;
  TokenNumbers numbers_;
  std::vector<std::uint32_t> words_, reference_;  // by the numbers of the hypothesis
  // By the number of a word: how often both texts have it, where its places in the reference begin
  // in places_, how many of them are free, and the last word that it stood around.
  std::vector<std::uint32_t> count_, reference_count_, begin_, free_, around_;
  std::vector<std::uint32_t> places_, alike_;
};

}  // namespace bleuet
