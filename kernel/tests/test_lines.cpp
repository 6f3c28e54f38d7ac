// Lines of UTF-8: every short sequence of critical bytes, compared with the slow definition.
#include <string>

#include "check.hpp"
#include "slow_lines.hpp"
#include "text/lines.hpp"
#include "text/utf8.hpp"

namespace bleuet {
namespace {

// The bytes where the rules of UTF-8 change, each alone and behind others, up to four.
void test_utf8(const std::string& before, int more) {
  static const unsigned char bytes[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF,
                                        0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
                                        0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF};
  std::u32string text;
  check(is_utf8(before) == slow_lines::decode(before, text), "what is UTF-8");
  if (more == 0) return;
  for (const unsigned char byte : bytes) test_utf8(before + static_cast<char>(byte), more - 1);
}

// A wrong byte, or one beyond ASCII, at every place of lines about the width of a word.
void test_places() {
  for (std::size_t length = 0; length < 70; ++length) {
    const std::string plain(length, 'a');
    check(is_ascii(plain) && is_utf8(plain), "ASCII");
    for (std::size_t i = 0; i < length; ++i) {
      std::string wrong = plain;
      wrong[i] = '\x80';
      check(!is_ascii(wrong) && !is_utf8(wrong), "a wrong byte anywhere");
    }
    for (std::size_t i = 0; i + 1 < length; ++i) {
      std::string right = plain;
      right.replace(i, 2, "\xC3\xA9");
      check(!is_ascii(right) && is_utf8(right), "a character anywhere");
    }
  }
}

void test_lines_are_counted() {
  std::string bytes;
  for (std::size_t n = 0; n < 1000; ++n) {
    check(count_newlines(bytes) == n, "as many lines as newlines");
    check(count_endings(bytes, "\n") == (n + 2) / 3, "empty lines");
    check(cut_lines({bytes}).size() == n, "lines");
    bytes += std::string(n % 3, '.') + '\n';
  }
}

void test_groups() {
  const Grouped<Lines> grouped = group_lines({cut_lines({"a\nb\n"}), cut_lines({"c", "d\n"})});
  check(grouped.ends == std::vector<std::size_t>{2, 4}, "two references of each segment");
  check(grouped.all.items[1] == "c" && grouped.all.items[3] == "d", "in the order of the columns");
  check(group_lines({}).ends.empty() && group_lines({{}, {}}).ends.empty(), "nothing");
}

}  // namespace

void test_lines() {
  test_utf8("", 4);
  // Characters that reach from one block into the next.
  for (std::size_t length = 60; length <= 64; ++length) {
    test_utf8(std::string(length, 'a'), 3);
    test_utf8(std::string(length - 1, 'a') + '\xF1', 3);
  }
  test_places();
  test_lines_are_counted();
  test_groups();
}

}  // namespace bleuet
