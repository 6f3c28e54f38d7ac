// Extended edit distance (Stanchev, Wang and Ney 2019): the distance of a segment's characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "edits/eed_grid.hpp"
#include "text/text.hpp"

namespace bleuet {

// A row is integers[0] = 1, reals[0] = the distance to the nearest reference, from 0 to 1.
class EedCounter {
 public:
  struct Options {
    double alpha;             // of a jump
    double rho;               // of a hypothesis character that is used twice, or never
    double deletion;          // of a hypothesis character
    double insertion;         // of a reference character
    bool count_start = true;  // whether the place before the first character counts in `repeated`
    bool published = false;   // whether all is as in the authors' program in C++
  };

  // The cheapest path through a reference, and how often it visits places again or never.
  struct Path {
    double cost = 0;
    std::int64_t repeated = 0;
    std::size_t reference = 0;  // its number
  };

  using Reference = std::vector<char32_t>;

  static std::size_t integers(const Options&) { return 1; }
  static std::size_t reals(const Options&) { return 1; }

  explicit EedCounter(const Options& options)
      : options_(options), grid_(options.alpha, options.deletion, options.insertion) {}

  static void prepare(const Text& text, Reference& reference);
  static void trim(Reference& reference) { reference.shrink_to_fit(); }
  void count(const Text& hypothesis, const Reference* references, std::size_t n_references,
             std::int64_t* integers, double* reals);

  // That of the nearest reference of the segment counted last.
  const Path& nearest() const { return nearest_; }

 private:
  Path path(const Reference& reference);
  Path published_path(const Reference& reference);
  double distance(const Path& path, std::size_t characters) const;

  Options options_;
  Reference hypothesis_;
  Path nearest_;
  EedGrid grid_;
  // Of published_path(): two rows of its grid, and how often each column is visited.
  std::vector<float> above_, below_;
  std::vector<std::int64_t> visits_;
};

}  // namespace bleuet
