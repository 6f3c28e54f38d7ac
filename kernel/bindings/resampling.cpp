// Random numbers and sums of rows drawn by them, as Python calls them.
// clang-format off: Python's header comes before those of the standard library.
#include <nanobind/nanobind.h>
// clang-format on
#include "resampling/resampling.hpp"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <vector>

#include "bindings/buffers.hpp"
#include "bindings/module.hpp"
#include "resampling/random.hpp"
#include "rows/columns.hpp"

namespace bleuet {
namespace {

// A table that rows are drawn from: integers, how many columns, reals, how many columns, and the
// buffers for the sums of both.
using DrawnTable =
    std::tuple<nb::object, std::size_t, nb::object, std::size_t, nb::object, nb::object>;

// The tables of one resampling; borrows their buffers for as long as it lives.
class BorrowedTables {
 public:
  BorrowedTables(const std::vector<DrawnTable>& drawn, std::size_t rows, std::size_t draws) {
    if (rows == 0) throw nb::value_error("there is no row to draw");
    if (rows > std::size_t{1} << 32) throw nb::value_error("more than 4294967296 rows");
    std::size_t columns = 0;
    for (const auto& [integers, n_integers, reals, n_reals, integer_sums, real_sums] : drawn) {
      tables_.push_back({borrow<const std::int64_t>(integers, product(n_integers, rows)),
                         n_integers, borrow<const double>(reals, product(n_reals, rows)), n_reals,
                         borrow<std::int64_t>(integer_sums, product(n_integers, draws)),
                         borrow<double>(real_sums, product(n_reals, draws))});
      columns += n_integers + n_reals;
    }
    // Else nothing limits the draws.
    if (columns == 0) throw nb::value_error("there is no column to add");
  }

  const std::vector<Resampled>& tables() const { return tables_; }

 private:
  template <class Number>
  Number* borrow(nb::handle object, std::size_t numbers) {
    const auto borrowed = std::make_shared<Borrowed<Number>>(object, numbers);
    borrowed_.push_back(borrowed);
    return borrowed->data();
  }

  std::vector<std::shared_ptr<void>> borrowed_;
  std::vector<Resampled> tables_;
};

// Other threads may use the same stream meanwhile, so the kernel works on a copy, which replaces
// the stream at the end. An interrupted call leaves the stream as it was. Python's lock of the
// stream, which nb::lock_self() takes, is open while the kernel works.
template <auto sum>
void sum_streamed(Pcg64& stream, const std::vector<DrawnTable>& drawn, std::size_t rows,
                  std::size_t draws, unsigned threads) {
  const BorrowedTables borrowed(drawn, rows, draws);
  Pcg64 copy = stream;
  {
    const nb::gil_scoped_release unlocked;
    sum(copy, rows, borrowed.tables(), draws, threads, signal_poll());
  }
  stream = copy;
}

void sum_of_given_draws(nb::object chosen, const std::vector<DrawnTable>& drawn, std::size_t rows,
                        std::size_t draws, unsigned threads) {
  const BorrowedTables borrowed(drawn, rows, draws);
  const Copied<std::int64_t> numbers(chosen, product(rows, draws));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers.data()[i] < 0 || static_cast<std::size_t>(numbers.data()[i]) >= rows) {
      throw nb::index_error("a row number lies outside the table");
    }
  }
  const nb::gil_scoped_release unlocked;
  sum_given_draws(numbers.data(), rows, borrowed.tables(), draws, threads, signal_poll());
}

void sum_of_given_choices(nb::object chosen, const std::vector<DrawnTable>& drawn, std::size_t rows,
                          std::size_t draws, unsigned threads) {
  const BorrowedTables borrowed(drawn, rows, draws);
  const Copied<std::uint8_t> bits(chosen, product(rows, draws));
  for (std::size_t i = 0; i < bits.size(); ++i) {
    if (bits.data()[i] > 1) throw nb::value_error("a choice is 0 or 1");
  }
  const nb::gil_scoped_release unlocked;
  sum_given_choices(bits.data(), rows, borrowed.tables(), draws, threads, signal_poll());
}

template <class Number>
void exchange(nb::object chosen, nb::object taken, std::size_t rows,
              const std::vector<Number>& totals, nb::object out) {
  const std::size_t numbers = product(rows, totals.size());
  const Borrowed<const Number> coming(chosen, numbers);
  const Borrowed<const Number> leaving(taken, numbers);
  const Borrowed<Number> to(out, numbers);
  exchange_rows(coming.data(), leaving.data(), rows, totals, to.data());
}

void draw_rows(Pcg64& stream, std::uint64_t below, nb::object out, std::size_t count) {
  if (below == 0 || below > std::uint64_t{1} << 32) {
    throw nb::value_error("rows are drawn from 1 to 4294967296 of them");
  }
  const Borrowed<std::int64_t> rows(out, count);
  std::int64_t* next = rows.data();
  Below(below).draw(stream, count, [&](std::uint32_t row) { *next++ = row; });
}

void draw_choices(Pcg64& stream, nb::object out, std::size_t count) {
  const Borrowed<std::uint8_t> bits(out, count);
  Bits(stream).write(bits.data(), count);
}

}  // namespace

void bind_resampling(nb::module_& module) {
  nb::class_<Pcg64>(module, "Pcg64")
      .def(nb::init<const std::vector<std::uint32_t>&>(), nb::arg("seed"))
      .def("rows", &draw_rows, nb::lock_self(), nb::arg("below"), nb::arg("out"), nb::arg("count"))
      .def("choices", &draw_choices, nb::lock_self(), nb::arg("out"), nb::arg("count"))
      .def("sum_draws", &sum_streamed<sum_draws>, nb::lock_self(), nb::arg("tables"),
           nb::arg("rows"), nb::arg("draws"), nb::arg("threads") = 1)
      .def("sum_choices", &sum_streamed<sum_choices>, nb::lock_self(), nb::arg("tables"),
           nb::arg("rows"), nb::arg("draws"), nb::arg("threads") = 1);
  module.def("exchange_integers", &exchange<std::int64_t>, nb::arg("chosen"), nb::arg("taken"),
             nb::arg("rows"), nb::arg("totals"), nb::arg("out"));
  module.def("exchange_reals", &exchange<double>, nb::arg("chosen"), nb::arg("taken"),
             nb::arg("rows"), nb::arg("totals"), nb::arg("out"));
  module.def("sum_given_draws", &sum_of_given_draws, nb::arg("chosen"), nb::arg("tables"),
             nb::arg("rows"), nb::arg("draws"), nb::arg("threads") = 1);
  module.def("sum_given_choices", &sum_of_given_choices, nb::arg("chosen"), nb::arg("tables"),
             nb::arg("rows"), nb::arg("draws"), nb::arg("threads") = 1);
}

}  // namespace bleuet
