// The error of texts whose comparison would take minutes.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>

namespace bleuet {

// The most cells of a table that has a row for each item of one text and a column for each of the
// other: what takes about ten seconds. As in statistics/definitions/length_limit.py.
constexpr std::size_t kMostEedCells = 10000000000;
constexpr std::size_t kMostEditCells = 40000000000;
constexpr std::size_t kMostStageCells = 100000000;
constexpr std::size_t kMostWeightedCells = 5000000000;
constexpr std::size_t kMostSubsequenceCells = 200000000000;
constexpr std::size_t kMostCharCutCells = 100000000;
// The most pairs of words of a segment, which are kept or compared one by one.
constexpr std::size_t kMostSkipBigrams = 50000000;
constexpr std::size_t kMostEqualWords = 40000000;
// Of one table of words, and of the words of all blocks in all rounds of shifts times the
// reference.
constexpr std::size_t kMostShiftTable = 100000000;
constexpr std::size_t kMostShiftCells = 200000000000;

// `product` is what the time grows with.
[[noreturn]] inline void throw_too_long(const char* method, std::size_t hypothesis,
                                        std::size_t reference, const char* product,
                                        std::size_t most) {
  throw std::length_error("a hypothesis of " + std::to_string(hypothesis) + " and a reference of " +
                          std::to_string(reference) + " are too long for " + method +
                          ", whose time grows with the product of " + product + ", at most " +
                          std::to_string(most) + ": divide the segment into sentences");
}

inline void check_cells(const char* method, std::size_t hypothesis, std::size_t reference,
                        std::size_t most) {
  if (reference == 0 || hypothesis <= most / reference) return;
  throw_too_long(method, hypothesis, reference, "the lengths", most);
}

// `words` says what words the pairs have.
inline void check_pairs(const char* method, const char* words, std::size_t pairs,
                        std::size_t most) {
  if (pairs <= most) return;
  throw std::length_error("a hypothesis and a reference have " + std::to_string(pairs) +
                          " pairs of " + words + " for " + method + ", which takes at most " +
                          std::to_string(most) + ": divide the segment into sentences");
}

}  // namespace bleuet
