// What counters of words share: they read a segment as its tokens.
#pragma once

#include <cstddef>
#include <cstdint>

#include "text/text.hpp"
#include "text/tokenizer.hpp"
#include "text/tokens.hpp"

namespace bleuet {

// A tokenized segment with the buffers its tokens point into.
struct TokenizedText {
  TokenizerScratch buffers;
  TokenList tokens;
};

class WordReader {
 public:
  using Reference = TokenizedText;

  template <class Options>
  explicit WordReader(const Options& options)
      : tokenizer_(options.tokenizer), letter_case_(options.letter_case) {}

  void prepare(const Text& text, Reference& reference) const {
    tokenize(tokenizer_, text, letter_case_, reference.buffers, reference.tokens);
  }
  static void prepare_ids(const std::int64_t* ids, std::size_t n, Reference& reference) {
    reference.tokens.assign_ids(ids, n);
  }
  // Drops what only prepare() needed, for a reference that is kept.
  static void trim(Reference& reference) {
    reference.tokens.own_text();
    reference.buffers = {};
  }

 private:
  Tokenizer tokenizer_;
  Case letter_case_;
};

// A counter derives from this and defines fill_row(references, n_references, integers, reals),
// which writes the row of the tokens in hypothesis_.
template <class Counter>
class WordCounter : public WordReader {
 public:
  using WordReader::WordReader;

  template <class Known>
  void count(const Text& hypothesis, const Known* references, std::size_t n_references,
             std::int64_t* integers, double* reals) {
    prepare(hypothesis, hypothesis_);
    static_cast<Counter*>(this)->fill_row(references, n_references, integers, reals);
  }
  template <class Known>
  void count_ids(const std::int64_t* ids, std::size_t n, const Known* references,
                 std::size_t n_references, std::int64_t* integers, double* reals) {
    prepare_ids(ids, n, hypothesis_);
    static_cast<Counter*>(this)->fill_row(references, n_references, integers, reals);
  }

 protected:
  TokenizedText hypothesis_;
};

}  // namespace bleuet
