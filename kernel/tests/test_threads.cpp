// Rows that threads share: each is worked on once, and an exception ends the work of all.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "check.hpp"
#include "rows/interruption.hpp"
#include "rows/parallel.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BLEUET_FIXED_NEW 1
#endif
#endif

namespace {

// How many allocations of the thread succeed; all of them where it is negative.
thread_local int allocations_left = -1;

}  // namespace

// Clang's sanitizers have these operators, and no place for others.
#ifndef BLEUET_FIXED_NEW
void* operator new(std::size_t size) {
  if (allocations_left == 0) throw std::bad_alloc();
  if (allocations_left > 0) --allocations_left;
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
#endif

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

// Where memory ends while threads are started, fewer of them share the rows, or none is started.
void test_little_memory(unsigned threads) {
  for (int left = 0; left < 40; ++left) {
    std::vector<int> times(5000);
    bool ended = false;
    allocations_left = left;
    try {
      share_rows(
          times.size(), threads, [] {}, [&] { return [&](std::size_t row) { ++times[row]; }; },
          kLongRows);
    } catch (const std::bad_alloc&) {
      ended = true;
    }
    allocations_left = -1;
    check(ended || times == std::vector<int>(5000, 1), "each row once, or an exception");
  }
}

// Whatever a thread throws reaches the caller, and no thread goes on.
void test_all_threads_throw(unsigned threads) {
  for (int times = 0; times < 20; ++times) {
    const auto fails = [] { return [](std::size_t) { throw Enough(); }; };
    check(is_ended([&] { share_rows(5000, threads, [] {}, fails, kLongRows); }), "of all threads");
  }
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
    test_little_memory(threads);
    test_all_threads_throw(threads);
  }
  test_interruptions_end();
}

}  // namespace bleuet
