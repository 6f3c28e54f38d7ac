// SARI's sufficient statistics of one segment (Xu et al. 2016, section 4).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngrams/number_pairs.hpp"
#include "ngrams/word_counter.hpp"
#include "text/token_numbers.hpp"

namespace bleuet {

// A row is integers[0] = 1, and SARI, F1 of added and of kept n-grams, and precision of deleted
// ones. The first reference is the source of the segment.
class SariCounter : public WordCounter<SariCounter> {
 public:
  struct Options {
    std::size_t max_ngram_order = 4;
    Tokenizer tokenizer = Tokenizer::v13a;
    Case letter_case = Case::lower_ascii;
  };

  static std::size_t integers(const Options&) { return 1; }
  static std::size_t reals(const Options&) { return 4; }

  explicit SariCounter(const Options& options) : WordCounter(options), options_(options) {}

  void fill_row(const Reference* references, std::size_t n_references, std::int64_t* integers,
                double* reals);

 private:
  // How often the source, the hypothesis and all references have an n-gram.
  struct Ngram {
    std::size_t source, hypothesis, references;
  };

  void read(const TokenList& tokens);
  void read_ngrams(std::size_t n);
  void add_parts(std::size_t times, double* parts) const;

  Options options_;
  SharedNumbers numbers_;
  NumberPairs pairs_{0};
  // The words of the source, the hypothesis and the references, one text after the other; the
  // number of the n-gram that begins at each, in the order in which they first occur; and where
  // each text ends.
  std::vector<std::uint32_t> words_, begun_;
  std::vector<std::size_t> ends_;
  std::vector<Ngram> ngrams_;  // by number
};

}  // namespace bleuet
