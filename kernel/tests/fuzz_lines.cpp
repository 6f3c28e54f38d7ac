// Fuzz target: any bytes cut into lines, and each line counted as the string that it holds.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "edits/ter.hpp"
#include "ngrams/chrf.hpp"
#include "slow_lines.hpp"
#include "stored.hpp"
#include "text/lines.hpp"
#include "text/utf8.hpp"

namespace {

using bleuet::Text;
using bleuet_tests::Stored;

void require(bool ok) {
  if (!ok) std::abort();
}

// Bytes below 128 stay what they are; others become what is rare among random bytes.
std::string bytes_of(const std::uint8_t* data, std::size_t size) {
  static const std::string pieces[] = {
      "\n",
      "\n",
      " .\n",
      "\r\n",
      "\xC3\xA9",
      "\xC3\xBF",
      "\xC4\x80",
      "\xC2\x80",
      "\xC2\xA0",
      "\xE2\x82\xAC",
      "\xE6\xBC\xA2",
      "\xF0\x9F\x98\x80",
      "\xF4\x8F\xBF\xBF",
      "\xED\xA0\x80",
      "\xC0\x80",
      "\xE0\x9F\xBF",
      "\xF4\x90\x80\x80",
      "\xF0\x8F\xBF\xBF",
      "\x80",
      "\xE2\x82",
      "\xFF",
      std::string(1, '\0'),
  };
  // Most inputs hold nothing wrong, or no line would be counted.
  const std::size_t wrong = sizeof pieces / sizeof pieces[0];
  const std::size_t right = 13;
  const std::size_t known = size % 4 == 0 ? wrong : right;
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] < 0x80) {
      bytes += static_cast<char>(data[i]);
    } else {
      bytes += pieces[data[i] % known];
    }
  }
  return bytes;
}

template <class Counter>
std::vector<double> row(const typename Counter::Options& options, const Text& hypothesis,
                        const Text& reference) {
  Counter counter(options);
  typename Counter::Reference prepared;
  counter.prepare(reference, prepared);
  std::vector<std::int64_t> integers(Counter::integers(options));
  std::vector<double> reals(Counter::reals(options));
  counter.count(hypothesis, &prepared, 1, integers.data(), reals.data());
  reals.insert(reals.end(), integers.begin(), integers.end());
  return reals;
}

template <class Counter>
void compare(const typename Counter::Options& options, const Text lines[2],
             const Stored strings[2]) {
  require(row<Counter>(options, lines[0], lines[1]) ==
          row<Counter>(options, strings[0].view(), strings[1].view()));
}

void count_both(const Text lines[2], const Stored strings[2]) {
  bleuet::ChrfCounter::Options chrf;
  chrf.word_order = 2;
  compare<bleuet::ChrfCounter>(chrf, lines, strings);
  chrf.whitespace = true;
  chrf.letter_case = bleuet::Case::lower_ascii;
  compare<bleuet::ChrfCounter>(chrf, lines, strings);
  bleuet::TerCounter::Options ter;
  compare<bleuet::TerCounter>(ter, lines, strings);
  ter.normalized = ter.asian_support = true;
  compare<bleuet::TerCounter>(ter, lines, strings);
}

Text check_line(const bleuet::Lines& lines, std::size_t i, const std::string& bytes,
                std::u32string& said) {
  const bool valid = slow_lines::decode(bytes, said);
  require(bleuet::is_utf8(bytes) == valid);
  if (!valid) {
    try {
      lines.text(i);
    } catch (const std::invalid_argument&) {
      return {};
    }
    std::abort();
  }
  const Text text = lines.text(i);
  std::vector<char32_t> code_points;
  const std::size_t length = bleuet::to_code_points(text, bleuet::Case::keep, code_points);
  require(std::u32string(code_points.data(), length) == said);
  require(bleuet::count_code_points(text) == length);
  std::vector<char> copy;
  require(bleuet::to_utf8(text, bleuet::Case::keep, copy) == bytes);
  std::vector<std::uint8_t> latin;
  const bool narrow = std::all_of(said.begin(), said.end(), [](char32_t c) { return c < 0x100; });
  require(bleuet::to_latin1(bytes, latin) == narrow);
  require(!narrow || std::u32string(latin.begin(), latin.end()) == said);
  return text;
}

void check_counts(const std::string& bytes, const std::vector<std::string>& lines) {
  for (const std::string ending : {" .", "a", "\xC3\xA9"}) {
    std::size_t count = 0;
    // A last line that is not ended does not count.
    for (std::size_t i = 0; i + (bytes.empty() || bytes.back() != '\n') < lines.size(); ++i) {
      count += lines[i].size() >= ending.size() &&
               lines[i].substr(lines[i].size() - ending.size()) == ending;
    }
    require(bleuet::count_endings(bytes, ending) == count);
  }
  std::size_t empty = 0;
  for (const std::string& line : lines) empty += line.empty();
  require(bleuet::count_endings(bytes, "\n") == empty);
  const std::size_t unended = !bytes.empty() && bytes.back() != '\n';
  require(bleuet::count_newlines(bytes) + unended == lines.size());
}

void check_groups(const bleuet::Lines& some, const bleuet::Lines& others) {
  try {
    const bleuet::Grouped<bleuet::Lines> grouped = bleuet::group_lines({some, others});
    require(some.size() == others.size() && grouped.ends.size() == some.size());
    for (std::size_t i = 0; i < some.size(); ++i) {
      require(grouped.all.items[2 * i] == some.items[i]);
      require(grouped.all.items[2 * i + 1] == others.items[i] && grouped.ends[i] == 2 * i + 2);
    }
  } catch (const std::invalid_argument&) {
    require(some.size() != others.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 4096) return 0;
  const std::string bytes = bytes_of(data, size);
  const std::vector<std::string> expected = slow_lines::cut(bytes);
  // A copy of exactly this size lets the sanitizer see a byte too many being read.
  const std::vector<char> exact(bytes.begin(), bytes.end());
  const std::string_view view(exact.data(), exact.size());
  const bleuet::Lines lines = bleuet::cut_lines({view});
  require(std::vector<std::string>(lines.items.begin(), lines.items.end()) == expected);
  const std::size_t middle = view.substr(0, view.size() / 2).rfind('\n') + 1;
  const bleuet::Lines parts = bleuet::cut_lines({view.substr(0, middle), view.substr(middle)});
  require(parts.items == lines.items);
  check_counts(bytes, expected);

  Text two[2];
  std::u32string said[2];
  for (std::size_t i = 0; i < lines.size(); ++i) {
    two[i % 2] = check_line(lines, i, expected[i], said[i % 2]);
    if (i == 0 || two[0].data == nullptr || two[1].data == nullptr) continue;
    const Stored strings[2] = {Stored(said[0]), Stored(said[1])};
    count_both(two, strings);
  }

  check_groups(lines, bleuet::cut_lines({view.substr(0, view.size() / 2)}));
  return 0;
}
