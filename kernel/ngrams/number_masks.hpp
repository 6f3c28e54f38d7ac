// Where each word of a short text stands, as bit masks; its words are numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "text/token_numbers.hpp"

namespace bleuet {

// What the bits of one word have room for.
constexpr std::size_t kFewTokens = 64;

class NumberMasks {
 public:
  explicit NumberMasks(const WordNumbers& text) : text_(text) {
    std::memset(slots_, 0, sizeof slots_);
    masks_[0] = 0;
    for (std::size_t i = 0; i < text.size; ++i) {
      std::uint8_t& slot = slots_[slot_of(text[i])];
      if (slot == 0) {
        slot = static_cast<std::uint8_t>(i + 1);
        masks_[slot] = 0;
      }
      masks_[slot] |= std::uint64_t{1} << i;
    }
  }

  std::uint64_t operator[](std::uint32_t word) const { return masks_[slots_[slot_of(word)]]; }

 private:
  std::size_t slot_of(std::uint32_t word) const {
    std::size_t at = (word * 0x9E3779B1u) >> 24;
    while (slots_[at] != 0 && text_[slots_[at] - 1u] != word) at = (at + 1) % sizeof slots_;
    return at;
  }

  const WordNumbers text_;
  std::uint8_t slots_[256];  // 1 + the first position of the word that lives there
  std::uint64_t masks_[kFewTokens + 1];
};

}  // namespace bleuet
