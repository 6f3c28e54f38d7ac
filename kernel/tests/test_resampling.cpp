// Tests of numpy's stream of random numbers and of the sums of rows drawn from it.
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "resampling/resampling.hpp"

namespace bleuet {
namespace {

const Poll kNoPoll = [] {};

std::vector<std::int64_t> drawn(Pcg64& stream, std::uint64_t below, std::size_t count) {
  std::vector<std::int64_t> rows;
  Below(below).draw(stream, count, [&](std::uint32_t row) { rows.push_back(row); });
  return rows;
}

void test_known_numbers() {
  Pcg64 zero({0});
  check(zero.next64() == 11749869230777074271ULL && zero.next64() == 4976686463289251617ULL,
        "numpy's raw numbers for the seed 0");
  Pcg64 stream({12345});
  check(drawn(stream, 10, 5) == std::vector<std::int64_t>{6, 2, 7, 3, 2}, "numpy's draw");
  check(stream.has_half(), "five numbers of 32 bits leave half a number");
}

void test_multiplication() {
  std::uint64_t a = 0x9e3779b97f4a7c15ULL;
  std::uint64_t b = 0xffffffffffffffffULL;
  for (int i = 0; i < 1000; ++i) {
    const Wide product = multiply(a, b);
    const Wide in_halves = multiply_in_halves(a, b);
    check(product.low == in_halves.low && product.high == in_halves.high, "products agree");
    b = a ^ (b << 13) ^ (b >> 7);
    a = a * 6364136223846793005ULL + 1442695040888963407ULL;
  }
}

struct Numbers {
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  std::vector<std::int64_t> integer_sums;
  std::vector<double> real_sums;

  // Two integer columns, one of them too large for 16 bits, and two real ones, one of them whole.
  Numbers(std::size_t rows, std::size_t draws, std::int64_t largest)
      : integers(2 * rows), reals(2 * rows), integer_sums(2 * draws), real_sums(2 * draws) {
    for (std::size_t i = 0; i < rows; ++i) {
      const auto row = static_cast<std::int64_t>(i);
      integers[i] = largest - row % 5;
      integers[rows + i] = (row % 1000 + 1) << 33;
      reals[i] = static_cast<double>(row % 7);
      reals[rows + i] = 0.1 * static_cast<double>(row);
    }
  }

  Resampled table() {
    return {integers.data(), 2, reals.data(), 2, integer_sums.data(), real_sums.data()};
  }

  // The sums of one draw, whose rows are `chosen` times taken.
  void check_draw(const std::vector<std::int64_t>& taken, std::size_t draw) const {
    const std::size_t rows = taken.size();
    const std::size_t draws = integer_sums.size() / 2;
    for (std::size_t c = 0; c < 2; ++c) {
      std::int64_t integer = 0;
      double real = 0;
      for (std::size_t i = 0; i < rows; ++i) {
        integer += taken[i] * integers[c * rows + i];
        real += static_cast<double>(taken[i]) * reals[c * rows + i];
      }
      check(integer_sums[c * draws + draw] == integer, "sum of an integer column");
      check(real_sums[c * draws + draw] == real, "sum of a real column");
    }
  }
};

void test_sums_of_draws(std::size_t rows, std::size_t draws, unsigned threads) {
  Numbers numbers(rows, draws, 30000);
  Pcg64 stream({7});
  Pcg64 again = stream;
  sum_draws(stream, rows, {numbers.table()}, draws, threads, kNoPoll);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    std::vector<std::int64_t> taken(rows);
    for (const std::int64_t row : drawn(again, rows, rows)) ++taken[static_cast<std::size_t>(row)];
    numbers.check_draw(taken, draw);
  }
  check(stream.next32() == again.next32(), "the stream goes on behind the last draw");
}

void test_sums_of_choices(std::size_t rows, std::size_t draws, unsigned threads) {
  Numbers numbers(rows, draws, 30000);
  Pcg64 stream({7, 1});
  Pcg64 again = stream;
  sum_choices(stream, rows, {numbers.table()}, draws, threads, kNoPoll);
  std::uint32_t word = 0;
  for (std::size_t draw = 0, bit = 0; draw < draws; ++draw) {
    std::vector<std::int64_t> taken(rows);
    for (std::int64_t& one : taken) {
      if (bit % 32 == 0) word = again.next32();
      one = (word >> (bit++ % 32)) & 1;
    }
    numbers.check_draw(taken, draw);
  }
}

void test_rows_drawn_very_often() {
  for (const std::size_t times : {255u, 256u, 700u}) {
    const std::size_t rows = 700;
    Numbers numbers(rows, 1, 32767);
    std::vector<std::int64_t> chosen(rows, 3);
    std::vector<std::int64_t> taken(rows);
    for (std::size_t i = times; i < rows; ++i) chosen[i] = static_cast<std::int64_t>(i);
    for (const std::int64_t row : chosen) ++taken[static_cast<std::size_t>(row)];
    sum_given_draws(chosen.data(), rows, {numbers.table()}, 1, 1, kNoPoll);
    numbers.check_draw(taken, 0);
  }
}

void test_the_largest_narrow_numbers() {
  // 256 rows taken 255 times each would be the most that a short span must hold.
  const std::size_t rows = 256 * 255;
  Numbers numbers(rows, 1, 32767);
  std::vector<std::int64_t> chosen(rows);
  std::vector<std::int64_t> taken(rows);
  for (std::size_t i = 0; i < rows; ++i) chosen[i] = static_cast<std::int64_t>(i % 256);
  for (const std::int64_t row : chosen) ++taken[static_cast<std::size_t>(row)];
  sum_given_draws(chosen.data(), rows, {numbers.table()}, 1, 1, kNoPoll);
  numbers.check_draw(taken, 0);
}

void test_sums_beyond_61_bits() {
  // A draw may take the largest row each time: 2 rows of 2^60 could have a sum of 2^61.
  std::vector<std::int64_t> integers = {std::int64_t{1} << 60, 0};
  std::vector<std::int64_t> sums(1);
  const std::vector<std::int64_t> chosen = {1, 1};
  bool rejected = false;
  try {
    const Resampled table{integers.data(), 1, nullptr, 0, sums.data(), nullptr};
    sum_given_draws(chosen.data(), 2, {table}, 1, 1, kNoPoll);
  } catch (const std::overflow_error&) {
    rejected = true;
  }
  check(rejected, "a sum that may have more than 61 bits is rejected");
}

void test_given_choices() {
  const std::size_t rows = 2100;
  Numbers numbers(rows, 2, -30000);
  std::vector<std::uint8_t> chosen(2 * rows);
  for (std::size_t i = 0; i < chosen.size(); ++i) chosen[i] = i % 3 == 0;
  sum_given_choices(chosen.data(), rows, {numbers.table()}, 2, 1, kNoPoll);
  for (std::size_t draw = 0; draw < 2; ++draw) {
    const auto* const first = chosen.data() + draw * rows;
    numbers.check_draw(std::vector<std::int64_t>(first, first + rows), draw);
  }
}

void test_interruption() {
  Numbers numbers(100, 1000, 10);
  Pcg64 stream({7});
  bool stopped = false;
  try {
    // One thread, as with several the others may have done it all before this one polls.
    sum_draws(stream, 100, {numbers.table()}, 1000, 1, [] { throw std::runtime_error("enough"); });
  } catch (const std::runtime_error&) {
    stopped = true;
  }
  check(stopped, "what the poll throws stops the draws");
}

}  // namespace

void test_resampling() {
  test_known_numbers();
  test_multiplication();
  for (const unsigned threads : {1u, 3u}) {
    for (const std::size_t rows : {1u, 2u, 31u, 33u, 2047u, 2048u, 2049u, 5000u}) {
      test_sums_of_draws(rows, 40, threads);
      test_sums_of_choices(rows, 40, threads);
    }
  }
  test_rows_drawn_very_often();
  test_the_largest_narrow_numbers();
  test_sums_beyond_61_bits();
  test_given_choices();
  test_interruption();
}

}  // namespace bleuet
