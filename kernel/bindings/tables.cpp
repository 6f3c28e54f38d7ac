// Memory for tables, sums and selections of their rows, as Python calls them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#include "bindings/buffers.hpp"
#include "bindings/module.hpp"
#include "rows/columns.hpp"

namespace bleuet {
namespace {

nb::list sum_reals(nb::object columns, std::size_t rows, const std::vector<double>& initial) {
  const Borrowed<const double> in(columns, product(rows, initial.size()));
  nb::list out;
  for (std::size_t c = 0; c < initial.size(); ++c) {
    out.append(nb::cast(fold_column(in.data() + c * rows, rows, initial[c])));
  }
  return out;
}

// A sum that has more than 64 bits is returned as it is; its caller rejects it.
nb::list sum_integers(nb::object columns, std::size_t rows,
                      const std::vector<std::int64_t>& initial) {
  const Borrowed<const std::int64_t> in(columns, product(rows, initial.size()));
  nb::list out;
  for (std::size_t c = 0; c < initial.size(); ++c) {
    const IntegerSum sum = fold_integers(in.data() + c * rows, rows, initial[c]);
    if (sum.high == static_cast<std::int32_t>(sum.high)) {
      out.append(nb::int_(sum.high * (std::int64_t{1} << 32) + static_cast<std::int64_t>(sum.low)));
    } else {
      out.append((nb::int_(sum.high) << nb::int_(32)) | nb::int_(sum.low));
    }
  }
  return out;
}

// Memory for so many 64-bit numbers, whatever it held before: a counter writes every number, and
// zeros written by one thread would first have to leave its core's cache for another's.
nb::object unwritten(std::size_t numbers) {
  if (numbers > PY_SSIZE_T_MAX / 8) throw std::bad_alloc();
  nb::object bytes =
      nb::steal(PyByteArray_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(8 * numbers)));
  if (!bytes.is_valid()) throw nb::python_error();
  return bytes;
}

template <class Number>
void select(nb::object columns, std::size_t rows, nb::object chosen, std::size_t n_chosen,
            std::size_t n_columns, nb::object out) {
  const Borrowed<const Number> in(columns, product(rows, n_columns));
  const Copied<std::int64_t> picks(chosen, n_chosen);
  const Borrowed<Number> to(out, product(n_chosen, n_columns));
  if (!select_rows(in.data(), rows, n_columns, picks.data(), n_chosen, to.data())) {
    throw nb::index_error("a row number lies outside the table");
  }
}

}  // namespace

void bind_tables(nb::module_& module) {
  module.def("unwritten", &unwritten, nb::arg("numbers"));
  module.def("sum_integers", &sum_integers, nb::arg("columns"), nb::arg("rows"),
             nb::arg("initial"));
  module.def("sum_reals", &sum_reals, nb::arg("columns"), nb::arg("rows"), nb::arg("initial"));
  module.def("select_integers", &select<std::int64_t>, nb::arg("columns"), nb::arg("rows"),
             nb::arg("chosen"), nb::arg("n_chosen"), nb::arg("n_columns"), nb::arg("out"));
  module.def("select_reals", &select<double>, nb::arg("columns"), nb::arg("rows"),
             nb::arg("chosen"), nb::arg("n_chosen"), nb::arg("n_columns"), nb::arg("out"));
}

}  // namespace bleuet
