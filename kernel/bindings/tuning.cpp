// The line search, as Python calls it.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "bindings/buffers.hpp"
#include "bindings/module.hpp"
#include "tuning/line_search.hpp"

namespace bleuet {
namespace {

// Keeps the buffers of the lists for as long as it lives.
class BoundLineSearch {
 public:
  BoundLineSearch(std::size_t segments, std::size_t width, nb::object features,
                  std::size_t n_features, nb::object integers, std::size_t n_integers,
                  nb::object reals, std::size_t n_reals)
      : features_(features, product(checked(segments), checked(width), n_features)),
        integers_(integers, product(segments, width, n_integers)),
        reals_(reals, product(segments, width, n_reals)),
        lists_{segments,         width,      features_.data(), n_features,
               integers_.data(), n_integers, reals_.data(),    n_reals},
        search_(lists_) {}

  Intervals follow(nb::object intercepts, nb::object directions, std::size_t n_directions,
                   nb::object first, unsigned threads) const {
    const Borrowed<const double> from(intercepts, lists_.hypotheses());
    const Borrowed<const double> along(directions, product(n_directions, lists_.n_features));
    const Borrowed<std::int64_t> to(first, product(n_directions, lists_.segments));
    const nb::gil_scoped_release unlocked;
    return search_.follow(from.data(), along.data(), n_directions, to.data(), threads,
                          signal_poll());
  }

 private:
  static std::size_t checked(std::size_t size) {
    if (size == 0) throw nb::value_error("there is no hypothesis");
    if (size <= std::size_t{1} << 32) return size;
    throw nb::value_error("more than 4294967296 segments or hypotheses of one");
  }

  Borrowed<const double> features_;
  Borrowed<const std::int64_t> integers_;
  Borrowed<const double> reals_;
  HypothesisLists lists_;
  LineSearch search_;
};

void sums(const Intervals& intervals, nb::object starts, nb::object integers, nb::object reals) {
  const HypothesisLists& lists = intervals.lists();
  const Borrowed<const double> from(starts, product(intervals.directions(), lists.n_reals));
  const Borrowed<std::int64_t> whole(integers, product(intervals.rows(), lists.n_integers));
  const Borrowed<double> real(reals, product(intervals.rows(), lists.n_reals));
  intervals.sums(from.data(), whole.data(), real.data());
}

void best(const Intervals& intervals, nb::object scores, std::size_t window, nb::object steps,
          nb::object values) {
  const Borrowed<const double> of(scores, intervals.rows());
  const Borrowed<double> middles(steps, intervals.directions());
  const Borrowed<double> highest(values, intervals.directions());
  intervals.best(of.data(), std::min(window, intervals.rows()), middles.data(), highest.data());
}

void weighted_sums(nb::object features, nb::object weights, nb::object sums) {
  const Borrowed<const double> by(weights);
  const Borrowed<double> to(sums);
  const Borrowed<const double> of(features, product(by.size(), to.size()));
  add_weighted(of.data(), by.data(), by.size(), to.size(), 0, to.size(), to.data());
}

}  // namespace

void bind_tuning(nb::module_& module) {
  nb::class_<BoundLineSearch>(module, "LineSearch")
      .def(nb::init<std::size_t, std::size_t, nb::object, std::size_t, nb::object, std::size_t,
                    nb::object, std::size_t>(),
           nb::arg("segments"), nb::arg("width"), nb::arg("features"), nb::arg("n_features"),
           nb::arg("integers"), nb::arg("n_integers"), nb::arg("reals"), nb::arg("n_reals"))
      // The intervals read the statistics that the search borrows.
      .def("follow", &BoundLineSearch::follow, nb::keep_alive<0, 1>(), nb::arg("intercepts"),
           nb::arg("directions"), nb::arg("n_directions"), nb::arg("first"),
           nb::arg("threads") = 1);
  nb::class_<Intervals>(module, "Intervals")
      .def_prop_ro("rows", &Intervals::rows)
      .def("sums", &sums, nb::arg("starts"), nb::arg("integers"), nb::arg("reals"))
      .def("best", &best, nb::arg("scores"), nb::arg("window"), nb::arg("steps"),
           nb::arg("values"));
  module.def("weighted_sums", &weighted_sums, nb::arg("features"), nb::arg("weights"),
             nb::arg("sums"));
}

}  // namespace bleuet
