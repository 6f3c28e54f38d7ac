#include "smoothing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bleuet {
namespace {

// See bleuet/metrics/bleu/smoothing.py.
constexpr double kLargest = 1e100;

double match(const NgramCounts& counts, std::size_t n) {
  return static_cast<double>(counts.matches[n]);
}

double total(const NgramCounts& counts, std::size_t n) {
  return static_cast<double>(std::max(counts.totals[n], counts.least));
}

// Counts that no printed formula divides by 0, except where there is no n-gram at all.
NgramCounts divisible(NgramCounts counts) {
  counts.least = counts.totals[0] != 0 ? 1 : 0;
  return counts;
}

// Orders from the first on of which the hypothesis has n-grams.
std::size_t orders_with_ngrams(const NgramCounts& counts) {
  std::size_t n = 0;
  while (n < counts.order && total(counts, n) != 0) ++n;
  return n;
}

// A real match counts as it is; `other` says what a precision without one is.
template <class Other>
std::size_t where_unmatched(const NgramCounts& counts, double* precisions, Other other) {
  const std::size_t orders = orders_with_ngrams(counts);
  for (std::size_t n = 0; n < orders; ++n) {
    precisions[n] = counts.matches[n] != 0 ? 100.0 * match(counts, n) / total(counts, n)
                                           : other(total(counts, n));
  }
  return orders;
}

std::size_t floored(const NgramCounts& counts, double value, double* precisions) {
  return where_unmatched(counts, precisions, [&](double t) { return 100.0 * value / t; });
}

std::size_t add_k(const NgramCounts& counts, double k, double* precisions) {
  std::size_t n = 0;
  for (; n < counts.order; ++n) {
    const double added = n > 0 ? k : 0.0;
    const double m = match(counts, n) + added;
    const double t = total(counts, n) + added;
    if (t == 0) break;
    precisions[n] = m != 0 ? 100.0 * m / t : 0.0;
  }
  return n;
}

std::size_t halved(const NgramCounts& counts, double* precisions) {
  double divisor = 1;
  return where_unmatched(counts, precisions, [&](double t) {
    divisor *= 2;
    return 100.0 / (divisor * t);
  });
}

std::size_t halved_or_whole(const NgramCounts& counts, double* precisions) {
  if (counts.length == 0) return 0;
  const std::size_t orders = halved(counts, precisions);
  std::fill(precisions + orders, precisions + counts.order, 100.0);
  return counts.order;
}

std::size_t added_one_to_all(const NgramCounts& counts, double* precisions) {
  if (counts.length == 0) return 0;
  for (std::size_t n = 0; n < counts.order; ++n) {
    precisions[n] = 100.0 * (match(counts, n) + 1.0) / (total(counts, n) + 1.0);
  }
  return counts.order;
}

std::size_t added_one(const NgramCounts& counts, double* precisions) {
  const std::size_t orders = orders_with_ngrams(counts);
  for (std::size_t n = 0; n < orders; ++n) {
    const double added = n > 0 ? 1.0 : 0.0;
    precisions[n] = 100.0 * (match(counts, n) + added) / (total(counts, n) + added);
  }
  return orders;
}

// Gives the matches of order 1, 2, ... with smoothing 4's pseudo-counts in place of zeros.
class LengthScaled {
 public:
  LengthScaled(const NgramCounts& counts, double k, bool literal)
      : counts_(counts),
        scale_(counts.length > 1 ? std::log(counts.length) / k : 0.0),
        literal_(literal) {}

  double next() {
    const std::size_t n = n_++;
    if (counts_.matches[n] != 0) return match(counts_, n);
    pseudo_ *= scale_;
    return std::min(pseudo_, literal_ ? kLargest : total(counts_, n));
  }

 private:
  const NgramCounts& counts_;
  double scale_;
  bool literal_;
  double pseudo_ = 1;
  std::size_t n_ = 0;
};

std::size_t length_scaled(const NgramCounts& counts, double k, bool literal, double* precisions) {
  LengthScaled matches(counts, k, literal);
  const std::size_t orders = orders_with_ngrams(counts);
  for (std::size_t n = 0; n < orders; ++n) {
    precisions[n] = 100.0 * matches.next() / total(counts, n);
  }
  return orders;
}

// Equation 9; `next_match` gives the matches of the next order. Totals are averaged as matches are,
// unless they are taken literally.
template <class NextMatch>
std::size_t averaged(const NgramCounts& counts, bool literal, double* precisions,
                     NextMatch next_match) {
  const std::size_t orders = orders_with_ngrams(counts);
  if (orders == 0) return 0;
  double here = next_match();
  double matches = here + 1.0;
  double totals = total(counts, 0) + 1.0;
  for (std::size_t n = 0; n < orders; ++n) {
    const double after = next_match();
    matches = (matches + here + after) / 3;
    totals = (totals + total(counts, n) + total(counts, n + 1)) / 3;
    precisions[n] = 100.0 * matches / (literal ? total(counts, n) : totals);
    here = after;
  }
  return orders;
}

std::size_t averaged_as_counted(const NgramCounts& counts, bool literal, double* precisions) {
  std::size_t n = 0;
  return averaged(counts, literal, precisions, [&] { return match(counts, n++); });
}

std::size_t averaged_after_scaling(const NgramCounts& counts, double k, bool literal,
                                   double* precisions) {
  LengthScaled scaled(counts, k, literal);
  std::size_t n = 0;
  return averaged(counts, literal, precisions,
                  [&] { return n++ < counts.order ? scaled.next() : match(counts, counts.order); });
}

double interpolated(double m, double t, double one, double two, double alpha, double most) {
  const double prior = two != 0 ? std::min(one * one / two, most) : 0.0;
  const double divisor = t + alpha;
  return divisor != 0 ? (m + alpha * prior) / divisor : 0.0;
}

std::size_t interpolated(const NgramCounts& counts, double alpha, bool raw, double* precisions) {
  const std::size_t orders = orders_with_ngrams(counts);
  double two = 0;
  double one = 0;
  for (std::size_t n = 0; n < orders; ++n) {
    const double m = match(counts, n);
    const double t = total(counts, n);
    const double unsmoothed = m / t;
    const double smoothed = n < 2 ? unsmoothed : interpolated(m, t, one, two, alpha, 1.0);
    precisions[n] = 100.0 * smoothed;
    two = one;
    one = raw ? unsmoothed : smoothed;
  }
  return orders;
}

// Has precisions of all orders, whether the hypothesis has n-grams of them or not.
std::size_t interpolated_literally(const NgramCounts& counts, double alpha, double* precisions) {
  double two = 0;
  double one = 0;
  for (std::size_t n = 0; n < counts.order; ++n) {
    const double m = match(counts, n);
    const double t = total(counts, n);
    const double p = n >= 2 ? interpolated(m, t, one, two, alpha, kLargest) : t != 0 ? m / t : 0.0;
    precisions[n] = 100.0 * p;
    two = one;
    one = p;
  }
  return counts.order;
}

// --- NLTK's: precisions, not percent, of which a zero drops out of the product ------------------

double nltk_percent(double precision) { return precision > 0 ? 100.0 * precision : 100.0; }

class NltkHalved {
 public:
  NltkHalved(const NgramCounts& counts, double scale) : counts_(counts), scale_(scale) {}

  double next() {
    const std::size_t n = n_++;
    if (counts_.matches[n] != 0) return match(counts_, n) / total(counts_, n);
    halves_ *= 2;
    return scale_ / halves_ / total(counts_, n);
  }

 private:
  const NgramCounts& counts_;
  double scale_;
  double halves_ = 1;
  std::size_t n_ = 0;
};

double nltk_scale(const NgramCounts& counts, double k) {
  return counts.length > 1 ? std::log(counts.length) / k : 0.0;
}

void nltk_halved(const NgramCounts& counts, double scale, double* precisions) {
  NltkHalved halved(counts, scale);
  for (std::size_t n = 0; n < counts.order; ++n) precisions[n] = nltk_percent(halved.next());
}

// Equation 9 over precisions: what follows the last is the precision of order 5.
template <class NextPrecision>
void nltk_averaged(const NgramCounts& counts, double* precisions, NextPrecision next_precision) {
  double here = next_precision();
  double before = here + 1.0;
  for (std::size_t n = 0; n < counts.order; ++n) {
    const double after =
        n + 1 < counts.order ? next_precision() : match(counts, 4) / total(counts, 4);
    before = (before + here + after) / 3;
    precisions[n] = nltk_percent(before);
    here = after;
  }
}

void nltk_interpolated(const NgramCounts& counts, double alpha, double* precisions) {
  double two = 0;
  double one = 0;
  for (std::size_t n = 0; n < counts.order; ++n) {
    double p = match(counts, n) / total(counts, n);
    if (n >= 2) {
      const double prior = two != 0 ? one * one / two : 0.0;
      // Here alone NLTK does not count the n-gram of an order that the hypothesis lacks.
      const double there = counts.length > static_cast<double>(n) ? total(counts, n) : 0.0;
      p = (match(counts, n) + alpha * prior) / (there + alpha);
    }
    precisions[n] = nltk_percent(p);
    two = one;
    one = p;
  }
}

void smooth_as_nltk(Smoothing smoothing, const NgramCounts& counts, double value,
                    double* precisions) {
  switch (smoothing) {
    case Smoothing::nltk_1:
      for (std::size_t n = 0; n < counts.order; ++n) {
        const double m = counts.matches[n] != 0 ? match(counts, n) : value;
        precisions[n] = nltk_percent(m / total(counts, n));
      }
      return;
    case Smoothing::nltk_2:
      for (std::size_t n = 0; n < counts.order; ++n) {
        const double added = n > 0 ? 1.0 : 0.0;
        precisions[n] = nltk_percent((match(counts, n) + added) / (total(counts, n) + added));
      }
      return;
    case Smoothing::nltk_3:
      return nltk_halved(counts, 1.0, precisions);
    case Smoothing::nltk_4:
      return nltk_halved(counts, nltk_scale(counts, value), precisions);
    case Smoothing::nltk_5: {
      std::size_t n = 0;
      return nltk_averaged(counts, precisions, [&] {
        const double p = match(counts, n) / total(counts, n);
        ++n;
        return p;
      });
    }
    case Smoothing::nltk_6:
      return nltk_interpolated(counts, value, precisions);
    case Smoothing::nltk_7: {
      NltkHalved halved(counts, nltk_scale(counts, value));
      return nltk_averaged(counts, precisions, [&] { return halved.next(); });
    }
    default:  // nltk_0
      for (std::size_t n = 0; n < counts.order; ++n) {
        const double p = counts.matches[n] != 0 ? match(counts, n) / total(counts, n)
                                                : std::numeric_limits<double>::min();
        precisions[n] = 100.0 * p;
      }
  }
}

}  // namespace

std::size_t counted_orders(Smoothing smoothing, std::size_t order) {
  switch (smoothing) {
    case Smoothing::chen_cherry_5:
    case Smoothing::chen_cherry_7:
    case Smoothing::literal_5:
    case Smoothing::literal_7:
      return order + 1;
    case Smoothing::nltk_5:
    case Smoothing::nltk_7:
      return std::max<std::size_t>(order, 5);
    default:
      return order;
  }
}

std::size_t smooth(Smoothing smoothing, const NgramCounts& counts, double value,
                   double* precisions) {
  switch (smoothing) {
    case Smoothing::none:
      return where_unmatched(counts, precisions, [](double) { return 0.0; });
    case Smoothing::floor:
      return floored(counts, value, precisions);
    case Smoothing::add_k:
      return add_k(counts, value, precisions);
    case Smoothing::exponential:
    case Smoothing::chen_cherry_3:
      return halved(counts, precisions);
    case Smoothing::mteval:
      return halved_or_whole(counts, precisions);
    case Smoothing::nmt:
      return added_one_to_all(counts, precisions);
    case Smoothing::chen_cherry_1:
      return where_unmatched(counts, precisions,
                             [&](double t) { return 100.0 * std::min(value, t) / t; });
    case Smoothing::chen_cherry_2:
      return added_one(counts, precisions);
    case Smoothing::chen_cherry_4:
      return length_scaled(counts, value, false, precisions);
    case Smoothing::chen_cherry_5:
      return averaged_as_counted(counts, false, precisions);
    case Smoothing::chen_cherry_6:
      return interpolated(counts, value, false, precisions);
    case Smoothing::chen_cherry_6_raw:
      return interpolated(counts, value, true, precisions);
    case Smoothing::chen_cherry_7:
      return averaged_after_scaling(counts, value, false, precisions);
    case Smoothing::literal_1:
      return floored(divisible(counts), value, precisions);
    case Smoothing::literal_2:
      return add_k(counts, 1.0, precisions);
    case Smoothing::literal_3:
      return halved(divisible(counts), precisions);
    case Smoothing::literal_4:
      return length_scaled(divisible(counts), value, true, precisions);
    case Smoothing::literal_5:
      return averaged_as_counted(divisible(counts), true, precisions);
    case Smoothing::literal_6:
      return interpolated_literally(counts, value, precisions);
    case Smoothing::literal_7:
      return averaged_after_scaling(divisible(counts), value, true, precisions);
    default:
      smooth_as_nltk(smoothing, counts, value, precisions);
      return counts.order;
  }
}

}  // namespace bleuet
