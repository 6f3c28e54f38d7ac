#include "edits/common_subsequence.hpp"

#include <algorithm>
#include <cmath>

#include "machine/bits.hpp"
#include "rows/interruption.hpp"
#include "text/token_masks.hpp"
#include "text/token_numbers.hpp"

namespace bleuet {
namespace {

constexpr std::uint64_t kOnes = ~std::uint64_t{0};

void set_bit(std::uint64_t* words, std::size_t i) { words[i / 64] |= std::uint64_t{1} << (i % 64); }

// Makes column V the next one: (V + (V & M)) | (V & ~M), a sum over all words. The bits beyond the
// last position are 1, and stay so.
inline void next_column(const std::uint64_t* positions, std::size_t words, std::uint64_t* column) {
  std::uint64_t carry = 0;
  for (std::size_t w = 0; w < words; ++w) {
    const std::uint64_t v = column[w];
    const std::uint64_t part = v + (v & positions[w]);
    const std::uint64_t sum = part + carry;
    carry = static_cast<std::uint64_t>(part < v) | static_cast<std::uint64_t>(sum < part);
    column[w] = sum | (v & ~positions[w]);
  }
}

std::size_t count_zeros(const std::uint64_t* column, std::size_t words) {
  std::size_t zeros = 0;
  for (std::size_t w = 0; w < words; ++w) zeros += static_cast<std::size_t>(count_bits(~column[w]));
  return zeros;
}

template <std::size_t Words>
std::size_t length_by_masks(const TokenList& masked, const TokenList& other) {
  const TokenMasks<Words> masks(masked);
  std::uint64_t column[Words];
  std::fill_n(column, Words, kOnes);
  for (std::size_t j = 0; j < other.size(); ++j) {
    next_column(masks.find(other, other[j]), Words, column);
  }
  return count_zeros(column, Words);
}

constexpr std::size_t kNoVector = ~std::size_t{0};
// A vector for each number where all of them have at most so many words.
constexpr std::size_t kSmall = 4096;
// Columns of more words than this are computed a second time instead of being kept.
constexpr std::size_t kKeptWords = std::size_t{1} << 15;

}  // namespace

std::size_t short_subsequence(const TokenList& masked, const TokenList& other) {
  return masked.size() <= 64 ? length_by_masks<1>(masked, other)
                             : length_by_masks<2>(masked, other);
}

void CommonSubsequence::read(const std::uint32_t* numbers, std::size_t n, std::size_t n_numbers) {
  if (!small_) {
    for (const std::uint32_t number : numbers_) {
      if (number != kUnknown) counts_[number] = 0;
    }
  }
  numbers_.assign(numbers, numbers + n);
  words_ = (n + 63) / 64;
  small_ = n_numbers * words_ <= kSmall;
  if (!small_) return read_large(n_numbers);
  vectors_.assign(n_numbers * words_, 0);
  for (std::size_t i = 0; i < n; ++i) {
    if (numbers[i] != kUnknown) set_bit(vectors_.data() + numbers[i] * words_, i);
  }
}

void CommonSubsequence::read_large(std::size_t n_numbers) {
  if (counts_.size() < n_numbers) {
    counts_.resize(n_numbers, 0);
    last_.resize(n_numbers);
    vector_of_.resize(n_numbers);
  }
  previous_.resize(numbers_.size());
  vectors_.clear();
  listed_.assign(words_, 0);
  in_listed_ = kUnknown;
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const std::uint32_t number = numbers_[i];
    if (number == kUnknown) continue;
    previous_[i] = counts_[number]++ == 0 ? kUnknown : last_[number];
    last_[number] = static_cast<std::uint32_t>(i);
    vector_of_[number] = kNoVector;
  }
  for (std::size_t i = 0; i < numbers_.size(); ++i) {
    const std::uint32_t number = numbers_[i];
    if (number == kUnknown || counts_[number] < words_) continue;
    if (vector_of_[number] == kNoVector) {
      vector_of_[number] = vectors_.size();
      vectors_.resize(vectors_.size() + words_, 0);
    }
    set_bit(vectors_.data() + vector_of_[number], i);
  }
}

// The positions of a number as a vector; null where it has none.
const std::uint64_t* CommonSubsequence::positions_of(std::uint32_t number) {
  if (small_) return vectors_.data() + number * words_;
  if (counts_[number] == 0) return nullptr;
  if (vector_of_[number] != kNoVector) return vectors_.data() + vector_of_[number];
  if (in_listed_ == number) return listed_.data();
  if (in_listed_ != kUnknown) {
    for (std::uint32_t i = last_[in_listed_]; i != kUnknown; i = previous_[i]) listed_[i / 64] = 0;
  }
  in_listed_ = number;
  for (std::uint32_t i = last_[number]; i != kUnknown; i = previous_[i]) {
    set_bit(listed_.data(), i);
  }
  return listed_.data();
}

void CommonSubsequence::advance(std::uint32_t number, std::uint64_t* column) {
  const std::uint64_t* const positions = positions_of(number);
  if (positions != nullptr) next_column(positions, words_, column);
  checkpoint(2 * words_);
}

std::size_t CommonSubsequence::length(const std::uint32_t* other, std::size_t n) {
  column_.assign(words_, kOnes);
  for (std::size_t j = 0; j < n; ++j) advance(other[j], column_.data());
  return count_zeros(column_.data(), words_);
}

void CommonSubsequence::find(const std::uint32_t* other, std::size_t n, std::size_t first,
                             std::vector<std::uint32_t>& found) {
  std::size_t block = std::max<std::size_t>(n, 1);
  if (n * words_ > kKeptWords) {
    block = static_cast<std::size_t>(std::sqrt(static_cast<double>(n))) + 1;
  }
  column_.assign(words_, kOnes);
  kept_ = column_;
  for (std::size_t j = 0; block < n && j < n; ++j) {
    if (j != 0 && j % block == 0) kept_.insert(kept_.end(), column_.begin(), column_.end());
    advance(other[j], column_.data());
  }
  std::size_t i = numbers_.size();
  for (std::size_t end = n; end > 0 && i > 0;) {
    const std::size_t begin = (end - 1) / block * block;
    const std::uint64_t* const before = kept_.data() + begin / block * words_;
    i = trace(other, begin, end, i, before, first, found);
    end = begin;
  }
}

// Traces back from row i of column `end` to column `begin`, which is `before`; returns the row
// there.
std::size_t CommonSubsequence::trace(const std::uint32_t* other, std::size_t begin, std::size_t end,
                                     std::size_t i, const std::uint64_t* before, std::size_t first,
                                     std::vector<std::uint32_t>& found) {
  if (columns_.size() < (end - begin) * words_) columns_.resize((end - begin) * words_);
  for (std::size_t j = begin; j < end; ++j) {
    std::uint64_t* const column = columns_.data() + (j - begin) * words_;
    std::copy_n(before, words_, column);
    advance(other[j], column);
    before = column;
  }
  for (std::size_t j = end; i > 0 && j > begin;) {
    const std::uint64_t word = columns_[(j - 1 - begin) * words_ + (i - 1) / 64];
    if (numbers_[i - 1] == other[j - 1]) {
      --i;
      --j;
      if (found[i] == kUnknown) found[i] = static_cast<std::uint32_t>(first + j);
    } else if ((word >> ((i - 1) % 64) & 1) == 0) {
      --j;
    } else {
      --i;
    }
  }
  return i;
}

}  // namespace bleuet
