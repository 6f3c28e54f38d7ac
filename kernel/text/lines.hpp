// Segments in files: lines of UTF-8, one after the other, read without a copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rows/counter.hpp"
#include "text/text.hpp"

namespace bleuet {

// A container of segments for rows/counter.hpp; it does not own the bytes.
struct Lines {
  std::vector<std::string_view> items;

  std::size_t size() const { return items.size(); }

  template <class Counter>
  void prepare(Counter& counter, std::size_t i, typename Counter::Reference& reference) const {
    counter.prepare(text(i), reference);
  }
  template <class Counter>
  void count(Counter& counter, std::size_t i, const typename Counter::Reference* references,
             std::size_t n, std::int64_t* integers, double* reals) const {
    counter.count(text(i), references, n, integers, reals);
  }

  // Throws std::invalid_argument where the line is not UTF-8.
  Text text(std::size_t i) const;
};

// How many newlines there are.
std::size_t count_newlines(std::string_view bytes);

// How many lines end with `ending`. Every line has its "\n", which is also what comes before the
// first, so that the ending "\n" is that of empty lines.
std::size_t count_endings(std::string_view bytes, std::string_view ending);

// Cuts blocks of whole lines at "\n", which belongs to no line. The last line of a block need not
// be ended.
Lines cut_lines(const std::vector<std::string_view>& blocks);

// References of which each of `columns` holds one for every segment. Throws std::invalid_argument
// where the columns differ in length.
Grouped<Lines> group_lines(std::vector<Lines> columns);

}  // namespace bleuet
