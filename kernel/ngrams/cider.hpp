// CIDEr's sufficient statistics of one segment (Vedantam et al. 2015).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ngrams/learned_ngrams.hpp"
#include "ngrams/reference_words.hpp"
#include "ngrams/word_counter.hpp"

namespace bleuet {

// The inverse document frequencies of n-grams (equation 1); a document is a segment's references.
class NgramRareness {
 public:
  NgramRareness(const LearnedReferences& references, std::size_t order, unsigned threads);

  const LearnedNgrams& counts() const { return counts_; }
  // The weight of an n-gram that so many segments have; unknown ones count as if one had it.
  double of(std::uint32_t count) const;

 private:
  LearnedNgrams counts_;
  double segments_;          // the logarithm of their number
  std::vector<double> few_;  // of small counts
};

// A row is integers[0] = 1, reals[0] = the similarity, a mean over references and orders.
class CiderCounter : public WordCounter<CiderCounter> {
 public:
  struct Options {
    std::size_t max_ngram_order = 4;
    Tokenizer tokenizer = Tokenizer::v13a;
    Case letter_case = Case::keep;
    // CIDEr-D: n-grams count at most as often as in the reference, and other lengths are penalized.
    bool clipped = false;
    double variance = 36;
    std::shared_ptr<LearnedReferences> learned;
    std::shared_ptr<const NgramRareness> rareness;
    const ReferenceWords* words = nullptr;
  };
  using Reference = WordNumbers;

  static std::size_t integers(const Options&) { return 1; }
  static std::size_t reals(const Options&) { return 1; }

  explicit CiderCounter(const Options& options)
      : WordCounter(options),
        options_(options),
        ends_(options.max_ngram_order + 1),
        norms_(options.max_ngram_order) {}

  static void learn(Options& options, unsigned threads) {
    options.rareness =
        std::make_shared<const NgramRareness>(*options.learned, options.max_ngram_order, threads);
  }

  void fill_row(const Reference* references, std::size_t n_references, std::int64_t* integers,
                double* reals);

 private:
  // An n-gram of the segment, and how often the text that is read has it.
  struct Ngram {
    LearnedNgrams::Ngram known;
    double rareness;
    double count;
  };
  struct Weight {
    std::uint32_t ngram;
    double weight;
  };

  WordNumbers hypothesis_words();
  void clear(std::size_t ngrams);
  void read(const WordNumbers& text);
  std::uint32_t number(std::size_t n, std::uint32_t first, std::uint32_t word);
  void forget();
  double similarity(std::size_t n, double norm) const;
  double penalty(std::size_t reference_size) const;

  Options options_;
  TokenNumbers tokens_;
  std::vector<std::uint32_t> words_, firsts_;
  // The n-grams of a segment, numbered by the number of their first words and the last word.
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> slots_;
  std::vector<Ngram> ngrams_;
  // The text that is read: the n-grams that begin at each word, the different ones of all orders,
  // those of order n up to ends_[n], and the length of the vector of each order.
  std::vector<std::uint32_t> begun_, different_;
  std::vector<std::size_t> ends_;
  std::vector<double> norms_;
  // The same of the hypothesis, with weights.
  std::vector<Weight> own_;
  std::vector<std::size_t> own_ends_;
  std::vector<double> own_norms_;
};

}  // namespace bleuet
