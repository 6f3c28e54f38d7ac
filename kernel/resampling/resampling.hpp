// Sums of rows drawn with repetition, or chosen by random bits: the rows are added as they are
// drawn, so that no matrix of row numbers is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "resampling/random.hpp"

namespace bleuet {

// One table of `rows` rows, column after column, and where the sums of its draws go: column after
// column too, one number per draw.
struct Resampled {
  const std::int64_t* integers;
  std::size_t n_integers;
  const double* reals;
  std::size_t n_reals;
  std::int64_t* integer_sums;
  double* real_sums;
};

// All of these may be called with any number of threads and give the same sums; `poll` is called
// now and then. There must be at least one row, and for drawing no more than 2^32.
using Poll = std::function<void()>;

// Each draw takes as many rows as there are, one by one and with repetition, and all tables take
// the same. What is drawn is numpy's `stream.integers(0, rows, size=(draws, rows))`.
void sum_draws(Pcg64& stream, std::size_t rows, const std::vector<Resampled>& tables,
               std::size_t draws, unsigned threads, const Poll& poll);

// The same for row numbers of the caller, `draws` times `rows` of them, each below `rows`.
void sum_given_draws(const std::int64_t* chosen, std::size_t rows,
                     const std::vector<Resampled>& tables, std::size_t draws, unsigned threads,
                     const Poll& poll);

// Each draw takes every row or leaves it: `stream.integers(2, size=(draws, rows), dtype=bool)`.
void sum_choices(Pcg64& stream, std::size_t rows, const std::vector<Resampled>& tables,
                 std::size_t draws, unsigned threads, const Poll& poll);

// The same for choices of the caller, `draws` times `rows` bytes of 0 or 1.
void sum_given_choices(const std::uint8_t* chosen, std::size_t rows,
                       const std::vector<Resampled>& tables, std::size_t draws, unsigned threads,
                       const Poll& poll);

}  // namespace bleuet
