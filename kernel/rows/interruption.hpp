// Lets long work on one segment be interrupted: loops that can take long call checkpoint(), and it
// calls now and then what the thread's Interruption polls, which throws in order to end the work.
#pragma once

#include <cstddef>

namespace bleuet {

class Interruption {
 public:
  // While it lives, checkpoint() on this thread calls `poll`, which lives longer.
  template <class Poll>
  explicit Interruption(Poll& poll)
      : before_(current()), poll_(&poll), call_([](void* p) { (*static_cast<Poll*>(p))(); }) {
    current() = this;
  }
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  ~Interruption() { current() = before_; }

  static void check() {
    if (const Interruption* const interruption = current())
      interruption->call_(interruption->poll_);
  }

 private:
  static Interruption*& current() {
    static thread_local Interruption* interruption = nullptr;
    return interruption;
  }

  Interruption* before_;
  void* poll_;
  void (*call_)(void*);
};

// `steps` is about how many nanoseconds the work since the last call took.
inline void checkpoint(std::size_t steps) {
  constexpr std::size_t kBetween = std::size_t{1} << 20;
  static thread_local std::size_t done = 0;
  done += steps;
  if (done < kBetween) return;
  done = 0;
  Interruption::check();
}

}  // namespace bleuet
