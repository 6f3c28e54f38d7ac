#include "resampling/resampling.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "rows/parallel.hpp"

namespace bleuet {
namespace {

// A draw is stored as weights: how often each row was drawn. One byte is enough except in very rare
// draws and for row numbers of the caller, which use a wide draw.
using Weight = std::uint8_t;
using WideWeight = std::uint32_t;

// Rows that are added at a time, so that weights as 16-bit numbers stay in the nearest cache.
constexpr std::size_t kSpan = 1024;
// Products of 16-bit numbers are added in 32 bits: with this many rows they always fit.
constexpr std::size_t kShortSpan = 256;
// Draws that are added together, so that rows come from memory once for all of them.
constexpr std::size_t kDrawsTogether = 4;
constexpr std::int64_t kLargest16 = 32767;
constexpr std::int64_t kLargestOfSpan = 4096;
static_assert(kLargest16 * 255 * kShortSpan <= 0x7fffffff, "a short span cannot overflow");
static_assert(kLargestOfSpan * 255 * kSpan <= 0x7fffffff, "a span cannot overflow");

// A column of numbers small and whole enough to be multiplied as 16-bit integers.
struct NarrowColumn {
  std::vector<std::int16_t> values;
  std::size_t span;
  std::int64_t* integer_sums;  // one of the two is where its sums go
  double* real_sums;
};

template <class Number>
struct PlainColumn {
  const Number* values;
  Number* sums;
};

// Weights of as many rows as a span has, for the draws that are added together.
using Widened = std::int16_t[kDrawsTogether][kSpan];

// Adds the rows from `begin` to `end` of a span to each draw's sum; it is written so that compilers
// make 16-bit multiplications of it, eight at a time, and read the values once.
void add_span(const Widened& weights, const std::int16_t* values, std::size_t begin,
              std::size_t end, std::int64_t* sums) {
  std::int32_t parts[kDrawsTogether] = {};
  for (std::size_t i = begin; i < end; ++i) {
    const std::int32_t value = values[i];
    for (std::size_t d = 0; d < kDrawsTogether; ++d) parts[d] += weights[d][i] * value;
  }
  for (std::size_t d = 0; d < kDrawsTogether; ++d) sums[d] += parts[d];
}

// Whether a number is whole and small enough for 16 bits.
bool fits(std::int64_t value) { return -kLargest16 <= value && value <= kLargest16; }
bool fits(double value) {
  return -static_cast<double>(kLargest16) <= value && value <= static_cast<double>(kLargest16) &&
         value == std::floor(value);
}

// Whether no draw can have a sum of 2^61 or more, so that three such sums fit into 64 bits.
bool sums_fit(const std::int64_t* values, std::size_t rows) {
  constexpr std::uint64_t kLargestSum = std::uint64_t{1} << 61;
  std::uint64_t largest = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto value = static_cast<std::uint64_t>(values[i]);
    largest = std::max(largest, values[i] < 0 ? 0 - value : value);
  }
  return largest == 0 || rows <= (kLargestSum - 1) / largest;
}
bool sums_fit(const double*, std::size_t) { return true; }

// All columns of all tables, each in the form that is added fastest.
class ResampledColumns {
 public:
  ResampledColumns(std::size_t rows, const std::vector<Resampled>& tables, std::size_t draws)
      : rows_(rows) {
    for (const Resampled& table : tables) {
      for (std::size_t c = 0; c < table.n_integers; ++c) {
        add(table.integers + c * rows, table.integer_sums + c * draws, integers_);
      }
      for (std::size_t c = 0; c < table.n_reals; ++c) {
        add(table.reals + c * rows, table.real_sums + c * draws, reals_);
      }
    }
  }

  // Adds up to kDrawsTogether draws; each is its weights and its number.
  struct Draw {
    const Weight* weights;
    std::size_t number;
  };

  void write_sums(const Draw* draws, std::size_t n_draws) const {
    Widened wider = {};
    std::vector<std::int64_t> sums(narrow_.size() * kDrawsTogether, 0);
    for (std::size_t begin = 0; begin < rows_ && !narrow_.empty(); begin += kSpan) {
      const std::size_t n = std::min(kSpan, rows_ - begin);
      for (std::size_t d = 0; d < n_draws; ++d) {
        for (std::size_t i = 0; i < n; ++i) wider[d][i] = draws[d].weights[begin + i];
      }
      for (std::size_t c = 0; c < narrow_.size(); ++c) {
        for (std::size_t i = 0; i < n; i += narrow_[c].span) {
          add_span(wider, narrow_[c].values.data() + begin, i, std::min(n, i + narrow_[c].span),
                   sums.data() + c * kDrawsTogether);
        }
      }
    }
    for (std::size_t d = 0; d < n_draws; ++d) {
      for (std::size_t c = 0; c < narrow_.size(); ++c) {
        write(narrow_[c], draws[d].number, sums[c * kDrawsTogether + d]);
      }
      write_plain_sums(draws[d].weights, draws[d].number);
    }
  }

  void write_sums(const WideWeight* weights, std::size_t draw) const {
    for (const NarrowColumn& column : narrow_) {
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < rows_; ++i) {
        sum += static_cast<std::int64_t>(weights[i]) * column.values[i];
      }
      write(column, draw, sum);
    }
    write_plain_sums(weights, draw);
  }

 private:
  template <class Number>
  void add(const Number* values, Number* sums, std::vector<PlainColumn<Number>>& plain) {
    if (!std::all_of(values, values + rows_, [](Number value) { return fits(value); })) {
      if (!sums_fit(values, rows_)) throw std::overflow_error("a sum has more than 61 bits");
      plain.push_back({values, sums});
      return;
    }
    NarrowColumn column{{}, kSpan, nullptr, nullptr};
    column.values.resize(rows_);
    for (std::size_t i = 0; i < rows_; ++i) {
      column.values[i] = static_cast<std::int16_t>(values[i]);
      if (std::abs(column.values[i]) > kLargestOfSpan) column.span = kShortSpan;
    }
    place(column, sums);
    narrow_.push_back(std::move(column));
  }

  static void place(NarrowColumn& column, std::int64_t* sums) { column.integer_sums = sums; }
  static void place(NarrowColumn& column, double* sums) { column.real_sums = sums; }

  static void write(const NarrowColumn& column, std::size_t draw, std::int64_t sum) {
    if (column.integer_sums != nullptr) {
      column.integer_sums[draw] = sum;
    } else {
      column.real_sums[draw] = static_cast<double>(sum);
    }
  }

  // Real numbers are added from the first row to the last, each times its weight; a row that was
  // not drawn adds nothing, even where it is NaN.
  template <class AnyWeight>
  void write_plain_sums(const AnyWeight* weights, std::size_t draw) const {
    for (const PlainColumn<std::int64_t>& column : integers_) {
      std::int64_t sum = 0;
      for (std::size_t i = 0; i < rows_; ++i) sum += weights[i] * column.values[i];
      column.sums[draw] = sum;
    }
    for (const PlainColumn<double>& column : reals_) {
      double sum = 0;
      for (std::size_t i = 0; i < rows_; ++i) {
        sum += weights[i] != 0 ? weights[i] * column.values[i] : 0.0;
      }
      column.sums[draw] = sum;
    }
  }

  std::size_t rows_;
  std::vector<NarrowColumn> narrow_;
  std::vector<PlainColumn<std::int64_t>> integers_;
  std::vector<PlainColumn<double>> reals_;
};

// --- Where draws come from ----------------------------------------------------------------------

// Each source gives the weights of one draw after the other; a copy of it begins where it stands.
class StreamedDraws {
 public:
  StreamedDraws(Pcg64& stream, std::size_t rows) : stream_(stream), below_(rows) {}

  template <class AnyWeight>
  void weigh(std::vector<AnyWeight>& weights) {
    std::fill(weights.begin(), weights.end(), AnyWeight{0});
    AnyWeight* const weight = weights.data();
    below_.draw(stream_, weights.size(), [=](std::uint32_t row) { ++weight[row]; });
  }

  const Pcg64& stream() const { return stream_; }

 private:
  Pcg64 stream_;
  Below below_;
};

class GivenDraws {
 public:
  explicit GivenDraws(const std::int64_t* chosen) : next_(chosen) {}

  template <class AnyWeight>
  void weigh(std::vector<AnyWeight>& weights) {
    std::fill(weights.begin(), weights.end(), AnyWeight{0});
    for (std::size_t i = 0; i < weights.size(); ++i) ++weights[static_cast<std::size_t>(*next_++)];
  }

 private:
  const std::int64_t* next_;
};

// A weight that began again at 0 is missing from the sum of all.
bool all_counted(const std::vector<Weight>& weights) {
  // This number of weights fits 16 bits, which add faster than 64.
  constexpr std::size_t kBlock = 256;
  std::size_t sum = 0;
  for (std::size_t begin = 0; begin < weights.size(); begin += kBlock) {
    const Weight* const block = weights.data() + begin;
    const std::size_t n = std::min(kBlock, weights.size() - begin);
    std::uint16_t part = 0;
    for (std::size_t i = 0; i < n; ++i) part = static_cast<std::uint16_t>(part + block[i]);
    sum += part;
  }
  return sum == weights.size();
}

// Weights of the draws that a thread adds together.
struct Hand {
  explicit Hand(std::size_t rows) : weights(kDrawsTogether, std::vector<Weight>(rows)) {}

  std::vector<std::vector<Weight>> weights;
  ResampledColumns::Draw draws[kDrawsTogether];
};

// Draws come one after the other, since the number of random numbers of a draw is not known before;
// so deal(weights, number) makes their weights under a lock, and threads share the adding. It
// returns false where it has written the sums itself.
template <class Deal>
void sum_dealt(const ResampledColumns& columns, std::size_t rows, std::size_t draws,
               unsigned threads, const Poll& poll, Deal deal) {
  std::mutex lock;
  std::size_t next = 0;
  const std::size_t hands = (draws + kDrawsTogether - 1) / kDrawsTogether;
  share_rows(
      hands, threads, poll,
      [&] {
        return [&, hand = Hand(rows)](std::size_t) mutable {
          std::size_t held = 0;
          {
            // Which draws these are depends on which thread came first, not on the number of a
            // draw.
            const std::lock_guard<std::mutex> dealing(lock);
            for (std::size_t i = 0; i < kDrawsTogether && next < draws; ++i, ++next) {
              std::vector<Weight>& weights = hand.weights[held];
              if (deal(weights, next)) hand.draws[held++] = {weights.data(), next};
            }
          }
          columns.write_sums(hand.draws, held);
        };
      },
      kLongRows);
}

template <class Source>
void sum_drawn(Source& source, std::size_t rows, const std::vector<Resampled>& tables,
               std::size_t draws, unsigned threads, const Poll& poll) {
  const ResampledColumns columns(rows, tables, draws);
  sum_dealt(columns, rows, draws, threads, poll,
            [&](std::vector<Weight>& weights, std::size_t draw) {
              const Source before = source;
              source.weigh(weights);
              if (all_counted(weights)) return true;
              source = before;
              std::vector<WideWeight> wide(rows);
              source.weigh(wide);
              columns.write_sums(wide.data(), draw);
              return false;
            });
}

}  // namespace

void sum_draws(Pcg64& stream, std::size_t rows, const std::vector<Resampled>& tables,
               std::size_t draws, unsigned threads, const Poll& poll) {
  StreamedDraws source(stream, rows);
  sum_drawn(source, rows, tables, draws, threads, poll);
  stream = source.stream();
}

void sum_given_draws(const std::int64_t* chosen, std::size_t rows,
                     const std::vector<Resampled>& tables, std::size_t draws, unsigned threads,
                     const Poll& poll) {
  GivenDraws source(chosen);
  sum_drawn(source, rows, tables, draws, threads, poll);
}

void sum_choices(Pcg64& stream, std::size_t rows, const std::vector<Resampled>& tables,
                 std::size_t draws, unsigned threads, const Poll& poll) {
  const ResampledColumns columns(rows, tables, draws);
  Bits bits(stream);
  sum_dealt(columns, rows, draws, threads, poll, [&](std::vector<Weight>& weights, std::size_t) {
    bits.write(weights.data(), rows);
    return true;
  });
}

void sum_given_choices(const std::uint8_t* chosen, std::size_t rows,
                       const std::vector<Resampled>& tables, std::size_t draws, unsigned threads,
                       const Poll& poll) {
  const ResampledColumns columns(rows, tables, draws);
  share_rows(
      draws, threads, poll,
      [&] {
        return [&](std::size_t draw) {
          const ResampledColumns::Draw one{chosen + draw * rows, draw};
          columns.write_sums(&one, 1);
        };
      },
      kLongRows);
}

}  // namespace bleuet
