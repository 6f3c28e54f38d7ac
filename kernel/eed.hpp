// Extended edit distance (Stanchev, Wang and Ney 2019): the distance of a segment's characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text.hpp"

namespace bleuet {

// A row is integers[0] = 1, reals[0] = the distance to the nearest reference, from 0 to 1.
class EedCounter {
 public:
  struct Options {
    double alpha;      // of a jump
    double rho;        // of a hypothesis character that is used twice, or never
    double deletion;   // of a hypothesis character
    double insertion;  // of a reference character
  };

  using Reference = std::vector<char32_t>;

  static std::size_t integers(const Options&) { return 1; }
  static std::size_t reals(const Options&) { return 1; }

  explicit EedCounter(const Options& options) : options_(options) {}

  static void prepare(const Text& text, Reference& reference);
  static void trim(Reference& reference) { reference.shrink_to_fit(); }
  void count(const Text& hypothesis, const Reference* references, std::size_t n_references,
             std::int64_t* integers, double* reals);

 private:
  double distance(const Reference& reference);

  Options options_;
  Reference hypothesis_;
  std::vector<double> row_;
  std::vector<double> below_;
  std::vector<std::int64_t> visits_;
};

}  // namespace bleuet
