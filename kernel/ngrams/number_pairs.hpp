// Numbers of pairs of numbers, such as an n-gram without its last word, and that word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/token_numbers.hpp"

namespace bleuet {

class NumberPairs {
 public:
  explicit NumberPairs(std::size_t most) { clear(most); }

  void clear(std::size_t most) { slots_.assign(table_size_for(most), Slot{0, kUnknown}); }

  // The number of a pair; of a new one it is kUnknown, and the caller sets it.
  std::uint32_t& number_of(std::uint32_t first, std::uint32_t second) {
    Slot& slot = slots_[slot_of(key_of(first, second))];
    slot.key = key_of(first, second);
    return slot.number;
  }
  // kUnknown of a pair that has none.
  std::uint32_t find(std::uint32_t first, std::uint32_t second) const {
    return slots_[slot_of(key_of(first, second))].number;
  }

 private:
  struct Slot {
    std::uint64_t key;
    std::uint32_t number;
  };

  static std::uint64_t key_of(std::uint32_t first, std::uint32_t second) {
    return std::uint64_t{first} << 32 | second;
  }
  std::size_t slot_of(std::uint64_t key) const {
    const std::size_t last = slots_.size() - 1;
    std::size_t at = mix(key) & last;
    while (slots_[at].number != kUnknown && slots_[at].key != key) at = (at + 1) & last;
    return at;
  }

  std::vector<Slot> slots_;  // at most half full; linear probing
};

}  // namespace bleuet
