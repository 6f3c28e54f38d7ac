// Products of 64 bits with and without a type of 128 bits, and draws that are interrupted.
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "resampling/resampling.hpp"

namespace bleuet {
namespace {

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

void test_interruption() {
  const std::vector<std::int64_t> column(100, 10);
  std::vector<std::int64_t> sums(1000);
  const Resampled table{column.data(), 1, nullptr, 0, sums.data(), nullptr};
  Pcg64 stream({7});
  bool stopped = false;
  try {
    // One thread, as with several the others may have done it all before this one polls.
    sum_draws(stream, 100, {table}, 1000, 1, [] { throw std::runtime_error("enough"); });
  } catch (const std::runtime_error&) {
    stopped = true;
  }
  check(stopped, "what the poll throws stops the draws");
}

}  // namespace

void test_random_numbers() {
  test_multiplication();
  test_interruption();
}

}  // namespace bleuet
