// BLEU's rows of every hypothesis against the references of every segment. The n-grams of all
// references are numbered once, each with the segments that have it, so that the time goes into
// n-grams that are shared and not into pairs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngrams/bleu.hpp"
#include "ngrams/bleu_scorer.hpp"
#include "ngrams/number_pairs.hpp"
#include "rows/counter.hpp"
#include "rows/pairs.hpp"
#include "text/token_numbers.hpp"
#include "text/vocabulary.hpp"

namespace bleuet {

class BleuPairs {
 public:
  // The references must live as long as this.
  explicit BleuPairs(const PreparedReferences<BleuCounter>& references);

  std::size_t segments() const { return segments_; }

  // What one thread needs.
  struct Scratch {
    explicit Scratch(const BleuPairs& pairs)
        : reader(pairs.references_.options),
          counts(pairs.ngrams_.size(), 0),
          reached(pairs.words_.size(), 0) {}

    WordReader reader;
    TokenizedText hypothesis;
    std::vector<std::uint32_t> words, numbers;
    std::vector<std::uint32_t> places, followed;
    // All zero between calls: by the number of an n-gram, how often the hypothesis has it, and by
    // the place of an n-gram that stands nowhere else, the longest match from there.
    std::vector<std::uint32_t> counts, reached;
    // The matches with each segment, order after order; in one byte each where that is enough.
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint32_t> matches;
  };

  // Counts what of scratch.hypothesis matches each segment.
  void count(Scratch& scratch) const;
  // Writes the rows of what was counted, those of segments `begin` to `end`, the first at `row`.
  void write(const Scratch& scratch, std::size_t begin, std::size_t end, const Columns& columns,
             std::size_t row) const;

 private:
  // How often the reference of a segment that has an n-gram most often has it.
  struct Having {
    std::uint32_t segment;
    std::uint32_t count;
  };
  struct Ngram {
    std::uint32_t first;  // its first segment in having_; the next n-gram's follow
    std::uint32_t row;    // in counts_, where many segments have it; else kUnknown
    std::uint32_t place;  // in words_, where it stands nowhere else; else kUnknown
  };
  // An n-gram by where it starts, with its number.
  struct Begun {
    std::uint32_t at;
    std::uint32_t reference;
    std::uint32_t number;
  };
  std::vector<Begun> read_words();
  void number_longer(std::size_t n, std::vector<Begun>& begun);
  void collect(const std::vector<Begun>& begun, std::size_t base, std::size_t end);
  void make_rows();
  template <class Count>
  void count_in(Scratch& scratch, std::vector<Count>& matches) const;
  template <class Count>
  void add(std::uint32_t number, std::uint32_t count, Count* matches) const;
  template <class Count>
  void follow(Scratch& scratch, std::size_t n, std::size_t i, std::vector<Count>& matches) const;
  template <class Number>
  void write_lengths(std::size_t length, std::size_t begin, std::size_t end, Number* lengths) const;

  const PreparedReferences<BleuCounter>& references_;
  std::size_t order_;
  std::size_t segments_;
  Vocabulary vocabulary_;
  std::vector<std::uint32_t> words_;  // of all references, kNoWord after each
  std::vector<std::size_t> ends_;     // of each reference
  // By number; an n-gram of one word has the number of the word.
  std::vector<Ngram> ngrams_;
  // Of order 2, 3, ...: the numbers of n-grams with a word more than those that stand at several
  // places. What begins with an n-gram that stands at one place is found by comparing words.
  std::vector<NumberPairs> longer_;
  std::vector<Having> having_;
  std::vector<std::uint8_t> counts_;  // rows with a count for every segment
};

// So few pairs are counted faster by one thread than it takes to start another.
inline Grain grain_of(const BleuPairs& pairs) {
  constexpr std::size_t kFewPairs = 4096;
  return {kFewPairs / pairs.segments() + 1, 1};
}

template <class Segments, class Poll>
void count_pairs(const Segments& hypotheses, const PreparedReferences<BleuCounter>& references,
                 const Columns& columns, unsigned threads, Poll poll) {
  const BleuPairs pairs(references);
  const std::size_t width = pairs.segments();
  share_rows(
      hypotheses.size(), threads, poll,
      [&] {
        return [&, scratch = BleuPairs::Scratch(pairs)](std::size_t hypothesis) mutable {
          hypotheses.prepare(scratch.reader, hypothesis, scratch.hypothesis);
          pairs.count(scratch);
          pairs.write(scratch, 0, width, columns, hypothesis * width);
        };
      },
      grain_of(pairs));
}

// The rows that are scored at a time, so that they stay in a core's cache.
class RowsOfPairs {
 public:
  explicit RowsOfPairs(const BleuCounter::Options& options)
      : integers_(BleuCounter::integers(options) * kRows), reals_(kRows) {}

  static constexpr std::size_t kRows = 256;
  Columns columns() { return {integers_.data(), reals_.data(), kRows}; }

 private:
  std::vector<std::int64_t> integers_;
  std::vector<double> reals_;
};

// Writes the score of every hypothesis against every segment, row after row.
template <class Number, class Segments, class Poll>
void score_pairs(const Segments& hypotheses, const PreparedReferences<BleuCounter>& references,
                 const BleuScorer& scorer, Number* scores, unsigned threads, Poll poll) {
  const BleuPairs pairs(references);
  const std::size_t width = pairs.segments();
  share_rows(
      hypotheses.size(), threads, poll,
      [&] {
        return [&, scratch = BleuPairs::Scratch(pairs), rows = RowsOfPairs(references.options),
                own = scorer](std::size_t hypothesis) mutable {
          hypotheses.prepare(scratch.reader, hypothesis, scratch.hypothesis);
          pairs.count(scratch);
          Number* const out = scores + hypothesis * width;
          for (std::size_t begin = 0; begin < width; begin += RowsOfPairs::kRows) {
            const std::size_t end = std::min(width, begin + RowsOfPairs::kRows);
            pairs.write(scratch, begin, end, rows.columns(), 0);
            own.score_alike(rows.columns(), end - begin, out + begin);
          }
        };
      },
      grain_of(pairs));
}

}  // namespace bleuet
