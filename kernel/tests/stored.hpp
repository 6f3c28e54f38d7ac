// Strings held as CPython holds them, for tests that have no Python.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "text/text.hpp"

namespace bleuet_tests {

using bleuet::Text;

// A string stored as CPython would: as narrow as its largest code point allows.
class Stored {
 public:
  explicit Stored(const std::u32string& text) {
    char32_t largest = 0;
    for (char32_t c : text) largest = std::max(largest, c);
    unit_ = largest < 0x100 ? 1 : largest < 0x10000 ? 2 : 4;
    ascii_ = largest < 0x80;
    for (char32_t c : text) {
      latin_.push_back(static_cast<std::uint8_t>(c));
      two_.push_back(static_cast<std::uint16_t>(c));
      four_.push_back(static_cast<std::uint32_t>(c));
    }
  }

  Text view() const {
    const void* data = four_.data();
    if (unit_ == 1) data = latin_.data();
    if (unit_ == 2) data = two_.data();
    return {data, four_.size(), unit_, ascii_};
  }

 private:
  std::vector<std::uint8_t> latin_;
  std::vector<std::uint16_t> two_;
  std::vector<std::uint32_t> four_;
  std::uint8_t unit_;
  bool ascii_;
};

}  // namespace bleuet_tests
