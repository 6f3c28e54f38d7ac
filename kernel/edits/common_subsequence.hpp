// The longest common subsequence of two sequences of numbers, by bit vectors (Crochemore et al.
// 2001, "A fast and practical bit-vector algorithm for the longest common subsequence problem").
//
// Let L(i, j) be the length for the first i numbers of one sequence and the first j of the other.
// Column j is a vector whose bit i - 1 is 0 where L(i, j) = L(i - 1, j) + 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/tokens.hpp"

namespace bleuet {

// The length of the longest common subsequence of two segments of which `masked` has at most
// kLongestMasked tokens.
constexpr std::size_t kLongestMasked = 128;
std::size_t short_subsequence(const TokenList& masked, const TokenList& other);

class CommonSubsequence {
 public:
  // Reads the sequence whose positions are the bits. Numbers are below `n_numbers`; kUnknown equals
  // no number of the other sequence.
  void read(const std::uint32_t* numbers, std::size_t n, std::size_t n_numbers);

  // The length of the longest common subsequence with `other`, whose numbers are all known.
  std::size_t length(const std::uint32_t* other, std::size_t n);

  // Finds the positions of one longest common subsequence with `other`, by tracing back from the
  // ends: equal numbers are taken, and where L(i, j - 1) = L(i - 1, j), position i is left out.
  // Where found[i] is kUnknown, it becomes the position in `other`, counted from `first`.
  void find(const std::uint32_t* other, std::size_t n, std::size_t first,
            std::vector<std::uint32_t>& found);

 private:
  void read_large(std::size_t n_numbers);
  const std::uint64_t* positions_of(std::uint32_t number);
  void advance(std::uint32_t number, std::uint64_t* column);
  std::size_t trace(const std::uint32_t* other, std::size_t begin, std::size_t end, std::size_t i,
                    const std::uint64_t* before, std::size_t first,
                    std::vector<std::uint32_t>& found);

  std::vector<std::uint32_t> numbers_;
  std::size_t words_ = 0;  // of 64 bits in a vector

  // Positions of each number, as vectors.
  std::vector<std::uint64_t> vectors_;
  bool small_ = true;
  // Where that would be large: a vector for a number that stands at many places, so that at most 64
  // numbers need one; a list from the last position to the first for the others.
  std::vector<std::uint32_t> counts_, last_, previous_;
  std::vector<std::size_t> vector_of_;
  std::vector<std::uint64_t> listed_;
  std::uint32_t in_listed_ = 0;

  std::vector<std::uint64_t> column_, kept_, columns_;
};

}  // namespace bleuet
