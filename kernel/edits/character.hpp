// CharacTER, translation edit rate on characters (Wang, Peter, Rosendahl and Ney 2016).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "edits/character_shifts.hpp"
#include "edits/ter_vocabulary.hpp"
#include "edits/wer.hpp"
#include "edits/word_positions.hpp"
#include "text/text.hpp"

namespace bleuet {

// A row is integers[0] = 1, reals[0] = the rate of the nearest reference, from 0 to 1.
class CharacterCounter {
 public:
  struct Options {
    Case letter_case = Case::keep;
  };

  // What a rate is computed from.
  struct Parts {
    double shifts = 0;
    std::int64_t edits = 0;
    std::int64_t characters = 0;  // of the hypothesis
  };

  struct Reference {
    TerVocabulary vocabulary;
    WordPositions words;
    // Of the words with a space between two.
    WerCounter::Reference characters;
  };

  static std::size_t integers(const Options&) { return 1; }
  static std::size_t reals(const Options&) { return 1; }

  explicit CharacterCounter(const Options& options) : options_(options), characters_(of_text()) {}

  void prepare(const Text& text, Reference& reference);
  static void trim(Reference& reference);
  void count(const Text& hypothesis, const Reference* references, std::size_t n_references,
             std::int64_t* integers, double* reals);

  // Those of the nearest reference of the segment counted last.
  const Parts& nearest() const { return nearest_; }

 private:
  static WerCounter::Options of_text();
  void read(const Text& text, std::vector<char>& buffer);
  Text joined(const std::vector<std::int32_t>* order);
  Parts parts(const Reference& reference);

  Options options_;
  CharacterShifts shifts_;
  WerCounter characters_;
  std::vector<char> bytes_;
  std::vector<TerWord> words_;
  std::vector<WordId> numbers_;
  std::vector<char> joined_;
  Parts nearest_;
};

}  // namespace bleuet
