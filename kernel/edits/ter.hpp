// Translation edit rate (Snover et al. 2006): a segment's edits and its mean reference length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "edits/shifts.hpp"
#include "edits/ter_vocabulary.hpp"
#include "edits/word_positions.hpp"
#include "rows/marks.hpp"
#include "text/tercom_tokenizer.hpp"
#include "text/text.hpp"

namespace bleuet {

// A row is integers[0] = edits to the nearest reference, reals[0] = mean reference length.
class TerCounter {
 public:
  struct Options {
    bool normalized = false;
    bool no_punct = false;
    bool asian_support = false;
    Case letter_case = Case::lower_ascii;
    // sacreBLEU tokenizes references twice, which makes a difference with `normalized`.
    bool tokenize_references_once = false;
  };

  struct Reference {
    TerVocabulary vocabulary;
    WordPositions positions;
  };

  static std::size_t integers(const Options&) { return 1; }
  static std::size_t reals(const Options&) { return 1; }

  explicit TerCounter(const Options& options);

  void prepare(const Text& text, Reference& reference);
  static void trim(Reference& reference);
  void count(const Text& hypothesis, const Reference* references, std::size_t n_references,
             std::int64_t* integers, double* reals);

  // The same for segments that are tokens already, given as numbers.
  void prepare_ids(const std::int64_t* ids, std::size_t n, Reference& reference);
  void count_ids(const std::int64_t* ids, std::size_t n, const Reference* references,
                 std::size_t n_references, std::int64_t* integers, double* reals);

  // What shifts.hpp marks, of the nearest reference.
  void mark(Marks* marks) { marks_ = marks; }

 private:
  void read_ids(const std::int64_t* ids, std::size_t n);
  void prepare_words(Reference& reference);
  void count_words(const Reference* references, std::size_t n_references, std::int64_t* integers,
                   double* reals);

  Options options_;
  TercomTokenizer tokenizer_;
  ShiftSearch search_;
  std::vector<char> bytes_;
  std::vector<TerWord> words_;
  std::vector<WordId> numbers_;
  Marks* marks_ = nullptr;
};

// Edits per reference word in percent; any edit against empty references makes 100.
double ter_score(std::int64_t edits, double reference_length);

}  // namespace bleuet
