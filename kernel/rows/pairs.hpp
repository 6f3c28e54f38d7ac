// Rows of every hypothesis against every reference: that of hypothesis i and the references of
// segment j is row i * n + j, where the references have n segments.
#pragma once

#include <cstddef>

#include "rows/counter.hpp"
#include "rows/parallel.hpp"

namespace bleuet {

// Writes the rows of one hypothesis.
template <class Counter, class Segments>
void count_against_all(Counter& counter, RowWriter<Counter>& writer, const Segments& hypotheses,
                       std::size_t hypothesis, const PreparedReferences<Counter>& references) {
  const std::size_t n = references.ends.size();
  for (std::size_t j = 0; j < n; ++j) {
    const std::size_t start = references.start(j);
    hypotheses.count(counter, hypothesis, references.all.data() + start, references.ends[j] - start,
                     writer.integers(), writer.reals());
    writer.write(hypothesis * n + j);
  }
}

// Counters whose references are read better together overload this: ngrams/bleu_pairs.hpp.
template <class Counter, class Segments, class Poll>
void count_pairs(const Segments& hypotheses, const PreparedReferences<Counter>& references,
                 const Columns& columns, unsigned threads, Poll poll) {
  share_rows(
      hypotheses.size(), threads, poll,
      [&] {
        return [&, counter = Counter(references.options),
                writer = RowWriter<Counter>(references.options, columns)](
                   std::size_t hypothesis) mutable {
          count_against_all(counter, writer, hypotheses, hypothesis, references);
        };
      },
      kLongRows);
}

}  // namespace bleuet
