// Words of a hypothesis matched with words of a reference, each at most as often as both have it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/numbered_texts.hpp"

namespace bleuet {

// The counts of each word of a system and its references, by the number of the word. Of several
// references the one with the most matches counts, of equal ones the first.
struct WordCounts {
  std::int64_t* matched;   // the clipped counts
  std::int64_t* produced;  // in the hypotheses
  std::int64_t* expected;  // in the references
};

// The errors of one kind.
struct SurfaceErrors {
  std::int64_t missing = 0;         // tokens that only the reference has
  std::int64_t added = 0;           // tokens that only the hypothesis has
  std::vector<std::int64_t> rows;   // segments with such an error
  std::vector<std::int64_t> alone;  // segments that differ from a reference in nothing else
};

// What is known of each word, by its number.
struct WordKinds {
  const std::int32_t* lower;  // the same number for words that are equal in lower case
  const std::uint8_t* kinds;  // kPunctuation, kNumber
};
constexpr std::uint8_t kPunctuation = 1;
constexpr std::uint8_t kNumber = 2;

class WordMatcher {
 public:
  // Numbers of words, also those in lower case, are below `words`.
  explicit WordMatcher(std::size_t words) : available_(words) {}

  void count(const NumberedText& hypothesis, const NumberedReferences& references,
             std::size_t segment, const WordCounts& counts);

  // Adds the errors of a segment: of case, of punctuation, and of numbers.
  void find_errors(const NumberedText& hypothesis, const NumberedReferences& references,
                   std::size_t segment, const WordKinds& words,
                   std::array<SurfaceErrors, 3>& errors);

 private:
  NumberedText best_of(const NumberedText& hypothesis, const NumberedReferences& references,
                       std::size_t segment);
  std::size_t matches(const NumberedText& hypothesis, const NumberedText& reference);
  void separate(const NumberedText& hypothesis, const NumberedText& reference);
  std::int64_t in_other_case(const std::int32_t* lower);

  // How many of a word no word has been matched with yet.
  std::int32_t& available(std::int32_t word) { return available_[static_cast<std::size_t>(word)]; }

  std::vector<std::int32_t> available_;  // all zero between calls
  std::vector<std::int32_t> missing_, added_;
};

}  // namespace bleuet
