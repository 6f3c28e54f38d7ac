// Distribution of the rows of a table over threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "rows/interruption.hpp"

namespace bleuet {

// The smallest work for a thread: the `fewest` rows to start one for, and the `shortest` run of
// rows, since with shorter runs cores exchange cache lines too often.
struct Grain {
  std::size_t fewest;
  std::size_t shortest;
};
// Rows that take microseconds each, and rows that take long enough for runs of one row.
constexpr Grain kShortRows{16, 64};
constexpr Grain kLongRows{1, 1};

// The number of threads, which is never absurd; 0 means one per core.
inline unsigned thread_count(unsigned threads) {
  constexpr unsigned kMostThreads = 1024;
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  return std::min(threads, kMostThreads);
}

// Threads that are joined however their work ends: one that is not would end the program.
struct Threads {
  std::vector<std::thread> all;

  Threads() = default;
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  ~Threads() {
    for (std::thread& thread : all) thread.join();
  }
};

// Calls worker(row) for each row below `rows`. Every thread has its own worker from make_worker();
// threads take rows in runs, and each row is written by itself, so the result does not depend on
// the number of threads. The calling thread works too and calls poll() regularly, within a row
// where that calls checkpoint(); an exception of poll or of a worker stops all threads and is
// thrown here.
template <class Poll, class MakeWorker>
void share_rows(std::size_t rows, unsigned threads, Poll poll, MakeWorker make_worker,
                Grain grain = kShortRows) {
  const std::size_t wanted = std::min<std::size_t>(thread_count(threads), rows / grain.fewest + 1);
  // Long runs of rows keep each thread in its own cache lines; they shrink towards the end, so that
  // all threads finish together.
  const auto run_after = [&](std::size_t begin) {
    return std::min(rows - begin, std::max(grain.shortest, (rows - begin) / (wanted * 2)));
  };
  struct Stopped {};
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr failure;
  std::mutex failure_lock;

  const auto fail = [&] {
    const std::lock_guard<std::mutex> guard(failure_lock);
    if (!failure) failure = std::current_exception();
    failed = true;
    next = rows;
  };
  auto stop = [&] {
    if (failed) throw Stopped();
  };
  const auto work = [&](bool polls, auto& within) {
    try {
      const Interruption interruption(within);
      auto worker = make_worker();
      for (;;) {
        std::size_t begin = next.load();
        do {
          if (begin >= rows) return;
        } while (!next.compare_exchange_weak(begin, begin + run_after(begin)));
        const std::size_t end = begin + run_after(begin);
        for (std::size_t row = begin; row < end; ++row) {
          worker(row);
          if (polls && row % grain.fewest == 0) poll();
        }
      }
    } catch (...) {
      fail();
    }
  };

  {
    Threads others;
    try {
      others.all.reserve(wanted - 1);
      for (std::size_t t = 1; t < wanted; ++t) others.all.emplace_back([&] { work(false, stop); });
    } catch (const std::system_error&) {
      // No further thread is available; those that have started share the rows.
    } catch (const std::bad_alloc&) {
      // The same, for want of memory.
    }
    work(true, poll);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace bleuet
