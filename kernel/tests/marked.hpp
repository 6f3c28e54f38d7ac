// What holds of the marks of every alignment of words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "check.hpp"
#include "rows/marks.hpp"

namespace bleuet {

inline bool is(const Mark& mark, std::size_t hypothesis, std::size_t hypothesis_words,
               std::size_t reference, std::size_t reference_words, std::uint8_t kind) {
  return mark.hypothesis == hypothesis && mark.hypothesis_words == hypothesis_words &&
         mark.reference == reference && mark.reference_words == reference_words &&
         mark.kind == kind;
}

// Returns how many marks are of a kind, or have words of it.
inline std::int64_t words_marked(const std::vector<Mark>& marks, std::uint8_t kind) {
  std::size_t words = 0;
  for (const Mark& mark : marks) {
    if (mark.kind != kind) continue;
    words += std::max({mark.hypothesis_words, mark.reference_words, std::size_t{1}});
  }
  return static_cast<std::int64_t>(words);
}

// Each word of the reference has one mark, and so has each of the hypothesis unless marks may leave
// some out; those with a mark of the kind `equal` are equal on both sides. Marks of the kind
// `others` are about something else.
inline void check_marks(const std::vector<Mark>& marks, const std::vector<std::int64_t>& hypothesis,
                        const std::vector<std::int64_t>& reference, std::uint8_t equal,
                        std::uint8_t others, bool every_word = true) {
  std::vector<int> ours(hypothesis.size(), 0);
  std::vector<int> theirs(reference.size(), 0);
  for (const Mark& mark : marks) {
    check(mark.hypothesis + mark.hypothesis_words <= hypothesis.size() &&
              mark.reference + mark.reference_words <= reference.size(),
          "marks are inside their texts");
    if (mark.kind == others) continue;
    for (std::size_t i = 0; i < mark.hypothesis_words; ++i) ++ours[mark.hypothesis + i];
    for (std::size_t j = 0; j < mark.reference_words; ++j) ++theirs[mark.reference + j];
    if (mark.kind != equal) continue;
    check(mark.hypothesis_words == mark.reference_words, "as many equal words on both sides");
    for (std::size_t i = 0; i < mark.hypothesis_words; ++i) {
      check(hypothesis[mark.hypothesis + i] == reference[mark.reference + i], "equal words");
    }
  }
  check(theirs == std::vector<int>(reference.size(), 1), "each reference word has one mark");
  check(!every_word || ours == std::vector<int>(hypothesis.size(), 1),
        "each hypothesis word has one mark");
}

}  // namespace bleuet
