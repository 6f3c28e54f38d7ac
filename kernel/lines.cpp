#include "lines.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace understudy {
namespace {

// Takes the first line off `bytes`, which must not be empty.
std::string_view next_line(std::string_view& bytes) {
  const std::size_t end = bytes.find('\n');
  const std::string_view line = bytes.substr(0, end);
  bytes.remove_prefix(end == bytes.npos ? bytes.size() : end + 1);
  return line;
}

// A sum that fits a byte is counted for many bytes at once.
std::size_t count_newlines(std::string_view bytes) {
  constexpr std::size_t kRun = 128;
  std::size_t count = 0;
  for (; bytes.size() >= kRun; bytes.remove_prefix(kRun)) {
    std::uint8_t in_run = 0;
    for (std::size_t i = 0; i < kRun; ++i)
      in_run = static_cast<std::uint8_t>(in_run + (bytes[i] == '\n'));
    count += in_run;
  }
  return count + static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
}

}  // namespace

Text Lines::text(std::size_t i) const {
  const std::string_view line = items[i];
  const bool ascii = is_ascii(line);
  if (!ascii && !is_utf8(line)) {
    throw std::invalid_argument("line " + std::to_string(i) + " is not UTF-8");
  }
  return {line.data(), line.size(), kUtf8, ascii};
}

std::size_t count_lines(std::string_view bytes, std::string_view ending) {
  if (ending.empty()) return count_newlines(bytes);
  std::size_t count = 0;
  for (std::size_t at = bytes.find('\n'); at != bytes.npos; at = bytes.find('\n', at + 1)) {
    const bool fits =
        at >= ending.size() && bytes.compare(at - ending.size(), ending.size(), ending) == 0;
    count += fits || (at == 0 && ending == "\n");
  }
  return count;
}

Lines cut_lines(std::string_view bytes) {
  Lines lines;
  lines.items.reserve(count_newlines(bytes) + 1);
  while (!bytes.empty()) lines.items.push_back(next_line(bytes));
  return lines;
}

Grouped<Lines> group_lines(const std::vector<std::string_view>& columns) {
  std::vector<std::string_view> rest = columns;
  Grouped<Lines> grouped;
  const std::size_t rows = columns.empty() ? 0 : count_newlines(columns[0]) + 1;
  grouped.all.items.reserve(rows * columns.size());
  grouped.ends.reserve(rows);
  while (!rest.empty() && !rest[0].empty()) {
    for (std::string_view& bytes : rest) {
      if (bytes.empty()) throw std::invalid_argument("columns of references differ in length");
      grouped.all.items.push_back(next_line(bytes));
    }
    grouped.ends.push_back(grouped.all.size());
  }
  for (const std::string_view bytes : rest) {
    if (!bytes.empty()) throw std::invalid_argument("columns of references differ in length");
  }
  return grouped;
}

}  // namespace understudy
