// SQuAD's scores of an answer to a question (Rajpurkar et al. 2016, section 6.1).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngrams/ngrams.hpp"
#include "text/text.hpp"
#include "text/tokens.hpp"

namespace bleuet {

// A row is the number 1, and what the answer scores against the best right answer, from 0 to 1.
class AnswerCounter {
 public:
  enum class Rules : std::uint8_t { squad_1, squad_2 };

  struct Options {
    Rules rules = Rules::squad_2;
    // Lower-case texts are normalized: without ASCII punctuation and articles.
    Case letter_case = Case::lower_ascii;
    bool exact = false;  // 1 for equal texts and 0 for others, not F1
    // Whether a code point beyond ASCII is a letter or a digit, next to which "a" is no article.
    bool (*is_alphanumeric)(char32_t) = nullptr;
  };

  struct Reference {
    std::vector<char> utf8;
    std::vector<char> normalized;
    std::size_t size = 0;  // of utf8
    TokenList tokens;
  };

  explicit AnswerCounter(const Options& options);

  void prepare(const Text& text, Reference& reference) const;
  static void trim(Reference& reference);

  template <class Known>
  void count(const Text& hypothesis, const Known* references, std::size_t n_references,
             std::int64_t* integers, double* reals) {
    prepare(hypothesis, answer_);
    integers[0] = 1;
    reals[0] = 0;
    bool right = false;
    for (std::size_t r = 0; r < n_references; ++r) {
      const Reference& reference = references[r];
      // A question has no answer only if every right answer is empty.
      if (options_.rules == Rules::squad_2 && is_empty(reference)) continue;
      right = true;
      const double score = this->score(reference);
      if (score > reals[0]) reals[0] = score;
    }
    const bool none = options_.exact ? is_empty(answer_) : answer_.tokens.size() == 0;
    if (!right && none) reals[0] = 1;
  }

  static std::size_t integers(const Options&) { return 1; }
  static std::size_t reals(const Options&) { return 1; }

 private:
  bool normalizes() const { return options_.letter_case != Case::keep; }
  bool is_empty(const Reference& text) const {
    return normalizes() ? text.tokens.size() == 0 : text.size == 0;
  }
  double score(const Reference& right);
  // How many words both have, each as often as both have it.
  std::int64_t shared(const TokenList& right);
  bool equals(const Reference& right) const;

  Options options_;
  Reference answer_;
  NgramMatcher matcher_;
};

}  // namespace bleuet
