// The line search, as Python calls it.
#include <nanobind/nanobind.h>

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
      : features_(features, checked(segments, width) * n_features, false),
        integers_(integers, segments * width * n_integers, false),
        reals_(reals, segments * width * n_reals, false),
        lists_{segments,         width,      features_.data(), n_features,
               integers_.data(), n_integers, reals_.data(),    n_reals},
        search_(lists_) {}

  Intervals follow(nb::object intercepts, nb::object directions, std::size_t n_directions,
                   nb::object first, unsigned threads) const {
    const Borrowed<const double> from(intercepts, lists_.hypotheses(), false);
    const Borrowed<const double> along(directions, n_directions * lists_.n_features, false);
    const Borrowed<std::int64_t> to(first, n_directions * lists_.segments, true);
    const nb::gil_scoped_release unlocked;
    return search_.follow(from.data(), along.data(), n_directions, to.data(), threads,
                          signal_poll());
  }

 private:
  static std::size_t checked(std::size_t segments, std::size_t width) {
    if (segments == 0 || width == 0) throw nb::value_error("there is no hypothesis");
    if (segments > std::size_t{1} << 32 || width > std::size_t{1} << 32) {
      throw nb::value_error("more than 4294967296 segments or hypotheses of one");
    }
    return segments * width;
  }

  Borrowed<const double> features_;
  Borrowed<const std::int64_t> integers_;
  Borrowed<const double> reals_;
  HypothesisLists lists_;
  LineSearch search_;
};

void sums(const Intervals& intervals, nb::object starts, nb::object integers, nb::object reals) {
  const HypothesisLists& lists = intervals.lists();
  const Borrowed<const double> from(starts, intervals.directions() * lists.n_reals, false);
  const Borrowed<std::int64_t> whole(integers, intervals.rows() * lists.n_integers, true);
  const Borrowed<double> real(reals, intervals.rows() * lists.n_reals, true);
  intervals.sums(from.data(), whole.data(), real.data());
}

void best(const Intervals& intervals, nb::object scores, std::size_t window, nb::object steps,
          nb::object values) {
  const Borrowed<const double> of(scores, intervals.rows(), false);
  const Borrowed<double> middles(steps, intervals.directions(), true);
  const Borrowed<double> highest(values, intervals.directions(), true);
  intervals.best(of.data(), window, middles.data(), highest.data());
}

void weighted_sums(nb::object features, nb::object weights, nb::object sums) {
  const Borrowed<const double> by(weights);
  const Borrowed<double> to(sums, true);
  const Borrowed<const double> of(features, by.size() * to.size(), false);
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
