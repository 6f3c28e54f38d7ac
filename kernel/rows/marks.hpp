// What a counter marks on a segment: which words of the hypothesis stand for which words of the
// reference that counts.
//
// A counter that marks has `void mark(Marks*)`. From then on its count() writes there too, what it
// finds on the way to the row; null ends that. The marks of each reference go into `tried`, and
// keep() makes those of the best one the marks of the segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bleuet {

// Each counter says what its kinds are. A side without words has the place where they are missing.
struct Mark {
  std::size_t hypothesis, hypothesis_words;  // the first word, and how many
  std::size_t reference, reference_words;
  std::uint8_t kind;
};

struct Marks {
  std::size_t reference = 0;  // the number of the one that counts
  std::vector<Mark> all;
  std::vector<Mark> tried;

  void keep(std::size_t number) {
    reference = number;
    all.swap(tried);
  }
};

}  // namespace bleuet
