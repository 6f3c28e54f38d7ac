// Memory that one call after the other uses, instead of allocating it anew.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace bleuet {

namespace nb = nanobind;

// Without Python's global lock several threads may call at once, and each then has its own scratch.
template <class Scratch>
class ScratchPool {
 public:
  // Borrows a scratch, which is kept for the next call or not; `arguments` make one where none is
  // free.
  class Loan {
   public:
    template <class... Arguments>
    explicit Loan(ScratchPool& pool, bool kept, Arguments&&... arguments)
        : pool_(pool), kept_(kept), scratch_(kept ? pool.take() : nullptr) {
      if (!scratch_) scratch_ = std::make_unique<Scratch>(std::forward<Arguments>(arguments)...);
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    ~Loan() {
      if (kept_) pool_.give_back(std::move(scratch_));
    }

    Scratch& operator*() const { return *scratch_; }
    Scratch* operator->() const { return scratch_.get(); }

   private:
    ScratchPool& pool_;
    bool kept_;
    std::unique_ptr<Scratch> scratch_;
  };

 private:
  std::unique_ptr<Scratch> take() {
    const nb::ft_lock_guard guard(mutex_);
    if (free_.empty()) return nullptr;
    std::unique_ptr<Scratch> scratch = std::move(free_.back());
    free_.pop_back();
    return scratch;
  }

  void give_back(std::unique_ptr<Scratch> scratch) {
    const nb::ft_lock_guard guard(mutex_);
    try {
      free_.push_back(std::move(scratch));
    } catch (const std::bad_alloc&) {
      // Then the next call makes one.
    }
  }

  nb::ft_mutex mutex_;
  std::vector<std::unique_ptr<Scratch>> free_;
};

}  // namespace bleuet
