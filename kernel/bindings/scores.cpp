// The scores of all rows of a table, as Python calls them.
#include "bindings/scores.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings/buffers.hpp"
#include "bindings/module.hpp"
#include "bindings/names.hpp"
#include "edits/ter.hpp"
#include "ngrams/chrf.hpp"
#include "ngrams/smoothing.hpp"

namespace bleuet {
namespace {

constexpr Named<Smoothing> kSmoothings[] = {
    {"none", Smoothing::none},
    {"floor", Smoothing::floor},
    {"add-k", Smoothing::add_k},
    {"exp", Smoothing::exponential},
    {"mteval", Smoothing::mteval},
    {"nmt", Smoothing::nmt},
    {"chen-cherry-1", Smoothing::chen_cherry_1},
    {"chen-cherry-2", Smoothing::chen_cherry_2},
    {"chen-cherry-3", Smoothing::chen_cherry_3},
    {"chen-cherry-4", Smoothing::chen_cherry_4},
    {"chen-cherry-5", Smoothing::chen_cherry_5},
    {"chen-cherry-6", Smoothing::chen_cherry_6},
    {"chen-cherry-6-raw", Smoothing::chen_cherry_6_raw},
    {"chen-cherry-7", Smoothing::chen_cherry_7},
    {"chen-cherry-1-literal", Smoothing::literal_1},
    {"chen-cherry-2-literal", Smoothing::literal_2},
    {"chen-cherry-3-literal", Smoothing::literal_3},
    {"chen-cherry-4-literal", Smoothing::literal_4},
    {"chen-cherry-5-literal", Smoothing::literal_5},
    {"chen-cherry-6-literal", Smoothing::literal_6},
    {"chen-cherry-7-literal", Smoothing::literal_7},
    {"nltk-0", Smoothing::nltk_0},
    {"nltk-1", Smoothing::nltk_1},
    {"nltk-2", Smoothing::nltk_2},
    {"nltk-3", Smoothing::nltk_3},
    {"nltk-4", Smoothing::nltk_4},
    {"nltk-5", Smoothing::nltk_5},
    {"nltk-6", Smoothing::nltk_6},
    {"nltk-7", Smoothing::nltk_7},
};

void chrf_scores(nb::object integers, std::size_t rows, nb::object scores, std::size_t char_order,
                 std::size_t word_order, double beta, bool eps_smoothing) {
  ChrfCounter::Options options;
  options.char_order = char_order;
  options.word_order = word_order;
  options.beta = beta;
  options.eps_smoothing = eps_smoothing;
  const std::size_t columns =
      3 * (limited(char_order, "char_order") + limited(word_order, "word_order"));
  const Borrowed<const std::int64_t> in(integers, product(rows, columns));
  const Borrowed<double> out(scores, rows);
  std::vector<std::int64_t> row(columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < columns; ++c) row[c] = in.data()[c * rows + i];
    out.data()[i] = chrf_f_score(row.data(), options);
  }
}

void ter_scores(nb::object integers, nb::object reals, std::size_t rows, nb::object scores) {
  const Borrowed<const std::int64_t> edits(integers, rows);
  const Borrowed<const double> lengths(reals, rows);
  const Borrowed<double> out(scores, rows);
  for (std::size_t i = 0; i < rows; ++i) {
    out.data()[i] = ter_score(edits.data()[i], lengths.data()[i]);
  }
}

}  // namespace

void bind_scores(nb::module_& module) {
  nb::class_<BoundBleuScorer>(module, "BleuScorer")
      .def(
          "__init__",
          [](BoundBleuScorer* self, std::size_t max_ngram_order, const std::string& smooth,
             double smooth_value, bool smooth_unmatched, bool effective_order,
             const std::vector<double>& weights, bool real_length, bool compensated_sum,
             bool needs_words) {
            limited(max_ngram_order, "max_ngram_order");
            if (!weights.empty() && weights.size() != max_ngram_order) {
              throw nb::value_error("there is not a weight for each order of n-grams");
            }
            const BleuScoring scoring{max_ngram_order, by_name(kSmoothings, smooth, "smoothing"),
                                      smooth_value,    smooth_unmatched,
                                      effective_order, weights,
                                      compensated_sum, needs_words};
            new (self) BoundBleuScorer(BleuScorer(scoring, real_length));
          },
          nb::arg("max_ngram_order"), nb::arg("smooth"), nb::arg("smooth_value"),
          nb::arg("smooth_unmatched"), nb::arg("effective_order"), nb::arg("weights"),
          nb::arg("real_length"), nb::arg("compensated_sum"), nb::arg("needs_words"))
      .def("score", &BoundBleuScorer::score, nb::arg("values"))
      .def("scores", &BoundBleuScorer::scores, nb::arg("integers"), nb::arg("reals"),
           nb::arg("rows"), nb::arg("scores"));
  module.def("chrf_scores", &chrf_scores, nb::arg("integers"), nb::arg("rows"), nb::arg("scores"),
             nb::arg("char_order"), nb::arg("word_order"), nb::arg("beta"),
             nb::arg("eps_smoothing"));
  module.def("ter_scores", &ter_scores, nb::arg("integers"), nb::arg("reals"), nb::arg("rows"),
             nb::arg("scores"));
}

}  // namespace bleuet
