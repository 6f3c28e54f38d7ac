// What a counter is, and the loops that run one over a corpus.
//
// A counter turns one segment into one row of sufficient statistics. Every counter has
//
//   struct Options;                         // plain values, the same for all segments
//   struct Reference;                       // one reference, read once, kept as long as wanted
//   explicit Counter(const Options&);       // owns scratch memory: one counter per thread
//   void prepare(const Text&, Reference&);  // fills (and reuses) a Reference
//   static void trim(Reference&);           // drops what only prepare() needed
//   void count(const Text& hypothesis, const Reference* references, std::size_t n_references,
//              std::int64_t* integers, double* reals);  // writes one row; n_references >= 1
//   static std::size_t integers(const Options&), reals(const Options&);  // numbers in a row
//
// and, where tokens may also be integers, prepare_ids() and count_ids() with
// (const std::int64_t* ids, std::size_t n) in place of the Text. It knows neither Python nor
// threads nor files. Text is that of text/text.hpp; what a counter has that learns from all
// references is in ngrams/reference_words.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "rows/parallel.hpp"

namespace bleuet {

// A container of segments passes segment i to a counter: the one below, the one of text/lines.hpp,
// or the strings of the bindings. Here segments are token ids, one after the other in `ids`;
// segment i ends at ends[i].
struct Ids {
  std::vector<std::int64_t> ids;
  std::vector<std::size_t> ends;

  std::size_t size() const { return ends.size(); }

  template <class Counter>
  void prepare(Counter& counter, std::size_t i, typename Counter::Reference& reference) const {
    counter.prepare_ids(begin(i), length(i), reference);
  }
  template <class Counter>
  void count(Counter& counter, std::size_t i, const typename Counter::Reference* references,
             std::size_t n, std::int64_t* integers, double* reals) const {
    counter.count_ids(begin(i), length(i), references, n, integers, reals);
  }

 private:
  std::size_t start(std::size_t i) const { return i == 0 ? 0 : ends[i - 1]; }
  const std::int64_t* begin(std::size_t i) const { return ids.data() + start(i); }
  std::size_t length(std::size_t i) const { return ends[i] - start(i); }
};

// References of a corpus, one after the other; those of segment i end at ends[i].
template <class Segments>
struct Grouped {
  Segments all;
  std::vector<std::size_t> ends;

  std::size_t start(std::size_t i) const { return i == 0 ? 0 : ends[i - 1]; }
  template <class Counter>
  void prepare(Counter& counter, std::size_t i, typename Counter::Reference& reference) const {
    all.prepare(counter, i, reference);
  }
};

// How many references every segment has, 0 where segments differ.
inline std::size_t group_size(const std::vector<std::size_t>& ends) {
  const std::size_t first = ends.empty() ? 0 : ends[0];
  for (std::size_t i = 1; i < ends.size(); ++i) {
    if (ends[i] - ends[i - 1] != first) return 0;
  }
  return first;
}

// Where rows go: one column after the other, each `rows` numbers long.
struct Columns {
  std::int64_t* integers;
  double* reals;
  std::size_t rows;
};

template <class Counter>
class RowWriter {
 public:
  RowWriter(const typename Counter::Options& options, const Columns& columns)
      : columns_(columns), integers_(Counter::integers(options)), reals_(Counter::reals(options)) {}

  std::int64_t* integers() { return integers_.data(); }
  double* reals() { return reals_.data(); }

  void write(std::size_t row) {
    for (std::size_t c = 0; c < integers_.size(); ++c) {
      columns_.integers[c * columns_.rows + row] = integers_[c];
    }
    for (std::size_t c = 0; c < reals_.size(); ++c) {
      columns_.reals[c * columns_.rows + row] = reals_[c];
    }
  }

 private:
  Columns columns_;
  std::vector<std::int64_t> integers_;
  std::vector<double> reals_;
};

// Counts every segment against references that are prepared on the way.
template <class Counter, class Segments, class References, class Poll>
void count_corpus(const typename Counter::Options& options, const Segments& hypotheses,
                  const References& references, const Columns& columns, unsigned threads,
                  Poll poll) {
  share_rows(hypotheses.size(), threads, poll, [&] {
    return [&, counter = Counter(options), writer = RowWriter<Counter>(options, columns),
            prepared = std::vector<typename Counter::Reference>()](std::size_t row) mutable {
      const std::size_t start = references.start(row);
      const std::size_t n = references.ends[row] - start;
      if (prepared.size() < n) prepared.resize(n);
      for (std::size_t r = 0; r < n; ++r) references.prepare(counter, start + r, prepared[r]);
      hypotheses.count(counter, row, prepared.data(), n, writer.integers(), writer.reals());
      writer.write(row);
    };
  });
}

// References that serve many systems: read once, by the options they were made with.
template <class Counter>
struct PreparedReferences {
  typename Counter::Options options;
  std::vector<typename Counter::Reference> all;
  std::vector<std::size_t> ends;

  std::size_t start(std::size_t i) const { return i == 0 ? 0 : ends[i - 1]; }
};

template <class Counter, class Segments, class Poll>
PreparedReferences<Counter> prepare_references(const typename Counter::Options& options,
                                               Grouped<Segments>&& references, unsigned threads,
                                               Poll poll) {
  PreparedReferences<Counter> prepared{options, {}, std::move(references.ends)};
  prepared.all.resize(references.all.size());
  share_rows(prepared.all.size(), threads, poll, [&] {
    return [&, counter = Counter(options)](std::size_t row) mutable {
      references.all.prepare(counter, row, prepared.all[row]);
      Counter::trim(prepared.all[row]);
    };
  });
  return prepared;
}

template <class Counter, class Segments, class Poll>
void count_corpus(const Segments& hypotheses, const PreparedReferences<Counter>& references,
                  const Columns& columns, unsigned threads, Poll poll) {
  share_rows(hypotheses.size(), threads, poll, [&] {
    return [&, counter = Counter(references.options),
            writer = RowWriter<Counter>(references.options, columns)](std::size_t row) mutable {
      const std::size_t start = references.start(row);
      hypotheses.count(counter, row, references.all.data() + start, references.ends[row] - start,
                       writer.integers(), writer.reals());
      writer.write(row);
    };
  });
}

}  // namespace bleuet
