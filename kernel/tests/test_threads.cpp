// Rows that threads share: each is worked on once, and an exception ends the work of all.
#include <atomic>
#include <cstddef>
#include <stdexcept>
#include <thread>
#include <vector>

#include "check.hpp"
#include "rows/interruption.hpp"
#include "rows/parallel.hpp"

namespace bleuet {
namespace {

struct Enough : std::runtime_error {
  Enough() : std::runtime_error("enough") {}
};

template <class Work>
bool is_ended(Work work) {
  try {
    work();
  } catch (const Enough&) {
    return true;
  }
  return false;
}

void test_every_row_once(unsigned threads, Grain grain) {
  for (const std::size_t rows : {0u, 1u, 2u, 15u, 16u, 63u, 64u, 65u, 1000u, 5000u}) {
    std::vector<int> times(rows);
    std::atomic<unsigned> workers{0};
    share_rows(
        rows, threads, [] {},
        [&] {
          ++workers;
          return [&](std::size_t row) { ++times[row]; };
        },
        grain);
    check(times == std::vector<int>(rows, 1), "each row once");
    check(workers <= thread_count(threads), "a worker for each thread");
  }
}

void test_exceptions(unsigned threads) {
  constexpr std::size_t kRows = 5000;
  // The other threads wait in their first row, so that the calling thread gets rows, and polls.
  std::atomic<bool> polled{false};
  const auto waits = [&, caller = std::this_thread::get_id()] {
    return [&, caller](std::size_t) {
      while (std::this_thread::get_id() != caller && !polled) std::this_thread::yield();
    };
  };
  const auto poll = [&] {
    polled = true;
    throw Enough();
  };
  check(is_ended([&] { share_rows(kRows, threads, poll, waits); }), "of poll");
  for (const std::size_t wrong : {std::size_t{0}, std::size_t{777}, kRows - 1}) {
    const auto fails = [wrong] {
      return [wrong](std::size_t row) {
        if (row == wrong) throw Enough();
      };
    };
    check(is_ended([&] { share_rows(kRows, threads, [] {}, fails); }), "of a worker");
  }
  const auto missing = []() -> void (*)(std::size_t) { throw Enough(); };
  check(is_ended([&] { share_rows(kRows, threads, [] {}, missing); }), "of a worker that is made");
}

// Rows without an end: only what checkpoint() polls can end them, on the other threads too.
void test_checkpoints(unsigned threads) {
  const auto endless = [] {
    return [](std::size_t) {
      for (;;) checkpoint(1 << 16);
    };
  };
  std::atomic<int> polled{0};
  const auto poll = [&] {
    if (++polled == 3) throw Enough();
  };
  check(is_ended([&] { share_rows(8, threads, poll, endless, kLongRows); }), "of a checkpoint");
  check(polled == 3, "nothing is polled after it");
}

void test_interruptions_end() {
  checkpoint(std::size_t{1} << 30);
  int outer = 0, inner = 0;
  auto count_outer = [&] { ++outer; };
  auto count_inner = [&] { ++inner; };
  const Interruption one(count_outer);
  {
    const Interruption other(count_inner);
    checkpoint(std::size_t{1} << 30);
  }
  checkpoint(std::size_t{1} << 30);
  checkpoint(1);
  check(inner == 1 && outer == 1, "the innermost is polled, now and then");
}

}  // namespace

void test_threads() {
  for (const unsigned threads : {1u, 2u, 3u, 7u}) {
    test_every_row_once(threads, kShortRows);
    test_every_row_once(threads, kLongRows);
    test_exceptions(threads);
    test_checkpoints(threads);
  }
  test_interruptions_end();
}

}  // namespace bleuet
