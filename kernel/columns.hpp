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
