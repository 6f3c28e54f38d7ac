// Clipped n-gram matches of two sequences of characters of any length and order, by numbers.
//
// An n-gram is the pair of its first n - 1 characters, as a number, and its last character. Its
// own number is the slot of a hash table where that pair, compared in full, lives: exact, and the
// time is linear. Only what the two sequences share at one order is looked at in the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bleuet {

class CharNumbers {
 public:
  // Writes matches[n - 1] for n = 1..order.
  template <class Character>
  void count(const Character* hypothesis, std::size_t n_hypothesis, const Character* reference,
             std::size_t n_reference, std::size_t order, std::int64_t* matches);

 private:
  // The n-gram that starts at a position.
  struct Start {
    std::uint32_t position;
    std::uint32_t ngram;
  };
  struct Slot {
    std::uint64_t pair;  // 0: no n-gram lives here
    std::uint32_t left;  // occurrences in the reference not matched yet
    std::uint32_t shared;
  };

  template <class Character>
  bool number_reference(const Character* reference, std::size_t n_reference, std::size_t n);
  template <class Character>
  std::int64_t match_hypothesis(const Character* hypothesis, std::size_t n_hypothesis,
                                std::size_t n);
  void keep_shared_starts();

  std::vector<Start> hypothesis_, reference_, numbered_;
  std::vector<Slot> slots_;
};

}  // namespace bleuet
