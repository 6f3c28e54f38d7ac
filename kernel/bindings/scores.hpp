// BLEU's formula, as Python holds it.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bindings/buffers.hpp"
#include "bindings/scratch.hpp"
#include "ngrams/bleu_scorer.hpp"

namespace bleuet {

namespace nb = nanobind;

// Over rows that lie in columns or in a tuple, always in the order of the columns.
class BoundBleuScorer {
 public:
  explicit BoundBleuScorer(const BleuScorer& scorer) : scorer_(scorer) {}

  // A scorer for one thread.
  const BleuScorer& scorer() const { return scorer_; }

  double score(nb::tuple values) {
    const std::size_t integers = scorer_.integers();
    if (values.size() != integers + scorer_.reals()) {
      throw nb::value_error("a row does not have the numbers of its metric");
    }
    const Loan scratch(pool_, true, scorer_);
    for (std::size_t c = 0; c < integers; ++c) {
      scratch->row[c] = nb::cast<std::int64_t>(values[c]);
    }
    const double real = scorer_.reals() == 0 ? 0 : nb::cast<double>(values[integers]);
    return scratch->scorer.score(scratch->row.data(), &real);
  }

  void scores(nb::object integer_columns, nb::object real_columns, std::size_t rows,
              nb::object scores) {
    const Borrowed<const std::int64_t> integers(integer_columns, product(rows, scorer_.integers()));
    const Borrowed<const double> reals(real_columns, product(rows, scorer_.reals()));
    const Borrowed<double> out(scores, rows);
    const Loan scratch(pool_, true, scorer_);
    // A scorer only reads columns.
    const Columns columns{const_cast<std::int64_t*>(integers.data()),
                          const_cast<double*>(reals.data()), rows};
    scratch->scorer.score_all(columns, out.data());
  }

 private:
  struct Scratch {
    explicit Scratch(const BleuScorer& made) : scorer(made), row(made.integers()) {}

    BleuScorer scorer;
    std::vector<std::int64_t> row;
  };
  using Loan = ScratchPool<Scratch>::Loan;

  BleuScorer scorer_;
  ScratchPool<Scratch> pool_;
};

}  // namespace bleuet
