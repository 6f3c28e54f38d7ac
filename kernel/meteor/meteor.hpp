// METEOR's sufficient statistics of one segment (Denkowski and Lavie 2014).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "meteor/alignment.hpp"
#include "meteor/lexicon.hpp"
#include "meteor/stages.hpp"
#include "text/text.hpp"

namespace bleuet {

struct MeteorParameters {
  double alpha = 0;
  double beta = 0;
  double gamma = 0;
  double delta = 0;
};

// METEOR in percent of a row or a sum of rows.
double meteor_score(const std::int64_t* values, const std::vector<double>& weights,
                    const MeteorParameters& parameters, bool characters);

// A row is: words of the hypothesis and of the reference, function words of both, chunks, and four
// counts per matcher. With several references it is that of the one with the highest score. If
// characters count, all but the chunks are characters, and four counts of words follow: of both
// texts, and those that are matched of both.
class MeteorCounter {
 public:
  struct Options {
    std::shared_ptr<MeteorLexicon> lexicon;
    std::vector<Matcher> matchers;
    std::vector<double> weights;
    MeteorParameters parameters;
    std::size_t beam = 40;
    bool staged = false;  // as in the first METEOR
    bool characters = false;
  };
  using Reference = MeteorText;

  explicit MeteorCounter(const Options& options) : options_(options) {}

  static std::size_t integers(const Options& options) {
    return 5 + 4 * (options.matchers.size() + (options.characters ? 1 : 0));
  }
  static std::size_t reals(const Options&) { return 0; }

  // Text comes as numbers of the lexicon's words only.
  void prepare(const Text& text, Reference& reference);
  void count(const Text& hypothesis, const Reference* references, std::size_t n_references,
             std::int64_t* integers, double* reals);
  void prepare_ids(const std::int64_t* ids, std::size_t n, Reference& reference);
  static void trim(Reference& reference) { reference.trim(); }
  void count_ids(const std::int64_t* ids, std::size_t n, const Reference* references,
                 std::size_t n_references, std::int64_t* integers, double* reals);

  // The matches of a hypothesis and one reference that were chosen.
  const std::vector<MeteorMatch>& align(const Reference& hypothesis, const Reference& reference);

 private:
  const std::vector<MeteorMatch>& aligned(const Reference& hypothesis, const Reference& reference);
  void fill_row(const Reference& reference, std::int64_t* row);

  Options options_;
  MeteorText hypothesis_;
  MeteorAligner aligner_;
  MeteorStages stages_;
  std::vector<std::int64_t> row_;
};

}  // namespace bleuet
