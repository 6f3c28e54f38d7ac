// Texts whose words are numbers, so that words are compared as integers.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bleuet {

// The words of one text.
struct NumberedText {
  const std::int32_t* first;
  const std::int32_t* last;

  const std::int32_t* begin() const { return first; }
  const std::int32_t* end() const { return last; }
  std::size_t size() const { return static_cast<std::size_t>(last - first); }
  std::int32_t operator[](std::size_t i) const { return first[i]; }
};

// Texts one after the other; text i ends at ends[i].
struct NumberedTexts {
  const std::int32_t* numbers;
  const std::int64_t* ends;
  std::size_t size;

  NumberedText operator[](std::size_t i) const {
    return {numbers + (i == 0 ? 0 : ends[i - 1]), numbers + ends[i]};
  }
};

// The references of all segments; those of segment i end with text groups[i].
struct NumberedReferences {
  NumberedTexts texts;
  const std::int64_t* groups;
  std::size_t segments;

  std::size_t begin(std::size_t i) const {
    return i == 0 ? 0 : static_cast<std::size_t>(groups[i - 1]);
  }
  std::size_t end(std::size_t i) const { return static_cast<std::size_t>(groups[i]); }
};

}  // namespace bleuet
