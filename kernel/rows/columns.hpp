// Sums and selections over columns of numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bleuet {

// Adds from the first row to the last onto `initial`. For doubles the order is part of the result:
// a corpus summed in parts, each starting from the sum before, equals the corpus summed whole.
template <class Number>
Number fold_column(const Number* column, std::size_t rows, Number initial) {
  for (std::size_t i = 0; i < rows; ++i) initial += column[i];
  return initial;
}

// The sum of integers, which can have more than 64 bits: high * 2^32 + low.
struct IntegerSum {
  std::int64_t high;
  std::uint64_t low;
};

// Adds a column exactly. Counts are small and not negative, and so are quick to add.
inline IntegerSum fold_integers(const std::int64_t* column, std::size_t rows,
                                std::int64_t initial) {
  constexpr std::uint64_t kHalf = 0xffffffff;
  std::uint64_t seen = 0, sum = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    seen |= static_cast<std::uint64_t>(column[i]);
    sum += static_cast<std::uint64_t>(column[i]);
  }
  IntegerSum exact = {initial >> 32, static_cast<std::uint64_t>(initial) & kHalf};
  if (seen <= kHalf && rows <= kHalf) {
    exact.high += static_cast<std::int64_t>(sum >> 32);
    exact.low += sum & kHalf;
  } else {
    for (std::size_t i = 0; i < rows; ++i) {
      exact.high += column[i] >> 32;
      exact.low += static_cast<std::uint64_t>(column[i]) & kHalf;
    }
  }
  return {exact.high + static_cast<std::int64_t>(exact.low >> 32), exact.low & kHalf};
}

// Copies the chosen rows of all columns in their order; false where a row number is out of range.
template <class Number>
bool select_rows(const Number* columns, std::size_t rows, std::size_t n_columns,
                 const std::int64_t* chosen, std::size_t n_chosen, Number* out) {
  for (std::size_t i = 0; i < n_chosen; ++i) {
    if (chosen[i] < 0 || static_cast<std::size_t>(chosen[i]) >= rows) return false;
  }
  for (std::size_t c = 0; c < n_columns; ++c) {
    for (std::size_t i = 0; i < n_chosen; ++i) {
      out[c * n_chosen + i] = columns[c * rows + static_cast<std::size_t>(chosen[i])];
    }
  }
  return true;
}

// Row by row: what remains of a column's total when `taken` leaves it and `chosen` comes instead.
template <class Number>
void exchange_rows(const Number* chosen, const Number* taken, std::size_t rows,
                   const std::vector<Number>& totals, Number* out) {
  for (std::size_t c = 0; c < totals.size(); ++c) {
    for (std::size_t i = c * rows; i < (c + 1) * rows; ++i) {
      out[i] = totals[c] - taken[i] + chosen[i];
    }
  }
}

}  // namespace bleuet
