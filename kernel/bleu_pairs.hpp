// BLEU's rows of every hypothesis against every reference, with the words of all references
// numbered once and the masks of a hypothesis built once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bleu.hpp"
#include "counter.hpp"
#include "pairs.hpp"
#include "vocabulary.hpp"

namespace bleuet {

class BleuPairs {
 public:
  // The references must live as long as this.
  explicit BleuPairs(const PreparedReferences<BleuCounter>& references);

  // What one thread needs.
  struct Scratch {
    explicit Scratch(const BleuPairs& pairs) : reader(pairs.references_.options) {}

    WordReader reader;
    TokenizedText hypothesis;
    std::vector<std::int32_t> numbers;
    std::vector<std::uint64_t> masks;  // by the number of a word, all zero between calls
  };

  // Writes the rows of scratch.hypothesis, the first at `row`; returns false without writing where
  // it is too long, an order too high, or a segment has several references.
  bool count(Scratch& scratch, const Columns& columns, std::size_t row) const;

 private:
  template <int Pairs>
  bool count_orders(Scratch& scratch, const Columns& columns, std::size_t row) const;
  template <int Pairs, std::size_t Words>
  bool count_in(Scratch& scratch, const Columns& columns, std::size_t row) const;

  const PreparedReferences<BleuCounter>& references_;
  bool single_;
  Vocabulary vocabulary_;
  std::vector<std::int32_t> words_;
  std::vector<std::size_t> ends_;
};

template <class Segments, class Poll>
void count_pairs(const Segments& hypotheses, const PreparedReferences<BleuCounter>& references,
                 const Columns& columns, unsigned threads, Poll poll) {
  const BleuPairs pairs(references);
  share_rows(
      hypotheses.size(), threads, poll,
      [&] {
        return [&, counter = BleuCounter(references.options), scratch = BleuPairs::Scratch(pairs),
                writer = RowWriter<BleuCounter>(references.options, columns)](
                   std::size_t hypothesis) mutable {
          hypotheses.prepare(scratch.reader, hypothesis, scratch.hypothesis);
          if (pairs.count(scratch, columns, hypothesis * references.ends.size())) return;
          count_against_all(counter, writer, hypotheses, hypothesis, references);
        };
      },
      kLongRows);
}

}  // namespace bleuet
