// Word error rate and its relatives: a segment's hits, substitutions, deletions and insertions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "edits/levenshtein.hpp"
#include "edits/long_jumps.hpp"
#include "edits/ter_vocabulary.hpp"
#include "edits/word_positions.hpp"
#include "rows/marks.hpp"
#include "text/text.hpp"

namespace bleuet {

// How words may move: not at all, in blocks (CDER), or freely (PER).
enum class Moves : std::uint8_t { none, blocks, free };

// jiwer: words end at spaces and at two or more characters of white space; the ends of characters
// are stripped. single: all white space counts as one space. none: no character of it counts. keep,
// of characters: all count.
enum class WhiteSpace : std::uint8_t { jiwer, single, none, keep };

// A row is the four numbers of EditCounts for the reference with the fewest edits; of those with as
// few, the longest; of those as long, the one with the most hits.
class WerCounter {
 public:
  struct Options {
    Moves moves = Moves::none;
    bool characters = false;
    bool no_punct = false;
    WhiteSpace white_space = WhiteSpace::jiwer;
    Case letter_case = Case::keep;
  };

  struct Reference {
    TerVocabulary vocabulary;  // of characters, those beyond ASCII
    WordPositions positions;
  };

  static std::size_t integers(const Options&) { return 4; }
  static std::size_t reals(const Options&) { return 0; }

  explicit WerCounter(const Options& options) : options_(options) {}

  void prepare(const Text& text, Reference& reference);
  static void trim(Reference& reference);
  void count(const Text& hypothesis, const Reference* references, std::size_t n_references,
             std::int64_t* integers, double* reals);

  // The same for segments that are tokens already, given as numbers.
  void prepare_ids(const std::int64_t* ids, std::size_t n, Reference& reference);
  void count_ids(const std::int64_t* ids, std::size_t n, const Reference* references,
                 std::size_t n_references, std::int64_t* integers, double* reals);

  // The words or characters of a hypothesis, and its edits where they keep their order.
  struct Distance {
    std::int64_t items;
    std::int64_t edits;
  };
  Distance distance(const Text& hypothesis, const Reference& reference);

  // What levenshtein.hpp marks, of the nearest reference. In any order, words that match come
  // first, equal ones in their order, then those that are left on both sides or on one.
  void mark(Marks* marks) { marks_ = marks; }

 private:
  void read(const Text& text, std::vector<char>& buffer);
  void check_size(const WordPositions& reference) const;
  void read_characters(const Text& text);
  Text without_punctuation(const Text& text);
  void read_ids(const std::int64_t* ids, std::size_t n);
  void prepare_words(Reference& reference);
  template <class NumberOf>
  void number_items(NumberOf number_of);
  void find_words(const Reference& reference);
  void count_words(const Reference* references, std::size_t n_references, std::int64_t* integers);
  EditCounts edits(const WordPositions& reference);
  EditCounts unordered(const WordPositions& reference);
  void mark_unordered(const WordPositions& reference);

  Options options_;
  Levenshtein levenshtein_;
  LongJumps long_jumps_;
  std::vector<char> bytes_;
  std::vector<char32_t> kept_;  // what is not punctuation
  std::vector<char32_t> characters_;
  std::size_t first_ = 0, last_ = 0;  // of characters_, those that count; one behind
  bool ascii_ = false;                // whether all of characters_ are of ASCII
  // Characters whose numbers were looked up last, each in the place of its low bits.
  struct Numbered {
    char32_t character;
    WordId number;
  };
  std::vector<Numbered> recent_;
  std::vector<TerWord> words_;
  std::vector<WordId> numbers_;
  std::vector<std::int64_t> left_;  // occurrences of each reference word not matched yet
  Marks* marks_ = nullptr;
};

}  // namespace bleuet
