#include "text/lines.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "text/utf8.hpp"

namespace bleuet {

Text Lines::text(std::size_t i) const {
  const std::string_view line = items[i];
  const bool ascii = is_ascii(line);
  if (!ascii && !is_utf8(line)) {
    throw std::invalid_argument("line " + std::to_string(i) + " is not UTF-8");
  }
  return {line.data(), line.size(), kUtf8, ascii};
}

// A sum that fits a byte is counted for many bytes at once.
std::size_t count_newlines(std::string_view bytes) {
  constexpr std::size_t kRun = 128;
  std::size_t count = 0;
  for (; bytes.size() >= kRun; bytes.remove_prefix(kRun)) {
    std::uint8_t in_run = 0;
    for (std::size_t i = 0; i < kRun; ++i) {
      in_run = static_cast<std::uint8_t>(in_run + (bytes[i] == '\n'));
    }
    count += in_run;
  }
  return count + static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n'));
}

std::size_t count_endings(std::string_view bytes, std::string_view ending) {
  std::size_t count = 0;
  for (std::size_t at = bytes.find('\n'); at != bytes.npos; at = bytes.find('\n', at + 1)) {
    const bool fits =
        at >= ending.size() && bytes.compare(at - ending.size(), ending.size(), ending) == 0;
    count += fits || (at == 0 && ending == "\n");
  }
  return count;
}

Lines cut_lines(const std::vector<std::string_view>& blocks) {
  Lines lines;
  std::size_t most = 0;
  for (const std::string_view block : blocks) most += count_newlines(block) + 1;
  lines.items.reserve(most);
  for (std::string_view rest : blocks) {
    while (!rest.empty()) {
      const std::size_t end = rest.find('\n');
      lines.items.push_back(rest.substr(0, end));
      rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
    }
  }
  return lines;
}

Grouped<Lines> group_lines(std::vector<Lines> columns) {
  const std::size_t rows = columns.empty() ? 0 : columns[0].size();
  for (const Lines& column : columns) {
    if (column.size() != rows) throw std::invalid_argument("references differ in length");
  }
  Grouped<Lines> grouped;
  for (std::size_t i = 0; i < rows; ++i) grouped.ends.push_back((i + 1) * columns.size());
  if (columns.size() == 1) {
    grouped.all = std::move(columns[0]);
    return grouped;
  }
  grouped.all.items.reserve(rows * columns.size());
  for (std::size_t i = 0; i < rows; ++i) {
    for (const Lines& column : columns) grouped.all.items.push_back(column.items[i]);
  }
  return grouped;
}

}  // namespace bleuet
