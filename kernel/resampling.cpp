#include "resampling.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <numeric>
#include <utility>

#include "parallel.hpp"

namespace understudy {
namespace {

// A draw is held as weights: how often each row was taken. One byte is enough unless chance is
// very odd (or row numbers are given); a wide draw takes over then.
using Weight = std::uint8_t;
using WideWeight = std::uint32_t;

// Rows that are added at a time, so that weights as 16-bit numbers stay in the nearest cache.
constexpr std::size_t kSpan = 2048;
// Products of 16-bit numbers are added in 32 bits: for so many rows they fit whatever comes.
constexpr std::size_t kShortSpan = 256;
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

std::int32_t dot(const std::int16_t* a, const std::int16_t* b, std::size_t n) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += static_cast<std::int32_t>(a[i]) * b[i];
  return sum;
}

// Whether a number is whole and small enough for 16 bits.
bool fits(std::int64_t value) { return -kLargest16 <= value && value <= kLargest16; }
bool fits(double value) {
  return -static_cast<double>(kLargest16) <= value && value <= static_cast<double>(kLargest16) &&
         value == std::floor(value);
}

// All columns of all tables, each in the form that is added soonest.
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

  void write_sums(const Weight* weights, std::size_t draw) const {
    std::int16_t wider[kSpan];
    std::vector<std::int64_t> sums(narrow_.size(), 0);
    for (std::size_t begin = 0; begin < rows_ && !narrow_.empty(); begin += kSpan) {
      const std::size_t n = std::min(kSpan, rows_ - begin);
      for (std::size_t i = 0; i < n; ++i) wider[i] = weights[begin + i];
      for (std::size_t c = 0; c < narrow_.size(); ++c) {
        const std::int16_t* const values = narrow_[c].values.data() + begin;
        for (std::size_t i = 0; i < n; i += narrow_[c].span) {
          sums[c] += dot(wider + i, values + i, std::min(narrow_[c].span, n - i));
        }
      }
    }
    for (std::size_t c = 0; c < narrow_.size(); ++c) write(narrow_[c], draw, sums[c]);
    write_plain_sums(weights, draw);
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
  // not drawn adds nothing, even where it holds no number.
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
  return std::accumulate(weights.begin(), weights.end(), std::size_t{0}) == weights.size();
}

// Draws come one after the other, since nobody knows beforehand how many random numbers one takes;
// so they are drawn under a lock, and threads share the adding.
template <class Source>
void sum_drawn(Source& source, std::size_t rows, const std::vector<Resampled>& tables,
               std::size_t draws, unsigned threads, const Poll& poll) {
  const ResampledColumns columns(rows, tables, draws);
  std::mutex lock;
  std::size_t next = 0;
  share_rows(draws, threads, poll, [&] {
    return [&, weights = std::vector<Weight>(rows)](std::size_t) mutable {
      std::unique_lock<std::mutex> drawing(lock);
      // Which draw this is depends on who came first, not on the number that was shared out.
      const std::size_t draw = next++;
      const Source before = source;
      source.weigh(weights);
      if (all_counted(weights)) {
        drawing.unlock();
        columns.write_sums(weights.data(), draw);
        return;
      }
      source = before;
      std::vector<WideWeight> wide(rows);
      source.weigh(wide);
      drawing.unlock();
      columns.write_sums(wide.data(), draw);
    };
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
  std::mutex lock;
  std::size_t next = 0;
  share_rows(draws, threads, poll, [&] {
    return [&, weights = std::vector<Weight>(rows)](std::size_t) mutable {
      std::unique_lock<std::mutex> drawing(lock);
      const std::size_t draw = next++;
      bits.write(weights.data(), rows);
      drawing.unlock();
      columns.write_sums(weights.data(), draw);
    };
  });
}

void sum_given_choices(const std::uint8_t* chosen, std::size_t rows,
                       const std::vector<Resampled>& tables, std::size_t draws, unsigned threads,
                       const Poll& poll) {
  const ResampledColumns columns(rows, tables, draws);
  share_rows(draws, threads, poll, [&] {
    return [&](std::size_t draw) { columns.write_sums(chosen + draw * rows, draw); };
  });
}

}  // namespace understudy
