// A segment as its owner stores it, and the two forms that counters use: UTF-8 bytes and code
// points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace bleuet {

// A borrowed string of `length` code points, each stored in `unit` bytes (1 = Latin-1, 2, or 4),
// which is how CPython stores its strings, or of `length` bytes of valid UTF-8, as files hold them.
// `ascii` promises that every code point is below 128. Lone surrogates and NUL are ordinary code
// points.
struct Text {
  const void* data = nullptr;
  std::size_t length = 0;
  std::uint8_t unit = 1;
  bool ascii = true;
};

constexpr std::uint8_t kUtf8 = 0;  // the `unit` of UTF-8

// Only ASCII is lower-cased here; the caller lower-cases other text before.
enum class Case : std::uint8_t { keep, lower_ascii };

// How many zero bytes (or code points) follow the text in the buffers filled below, so that a
// reader may load whole words beyond the end.
constexpr std::size_t kPadding = 64;

// Copies `text` into `buffer` as UTF-8 (surrogates are encoded like any other code point) and
// returns a view of it; kPadding zero bytes follow. `buffer` only ever grows.
std::string_view to_utf8(const Text& text, Case letter_case, std::vector<char>& buffer);

// Copies `text` into `buffer` as code points and returns their number; kPadding zeros follow.
std::size_t to_code_points(const Text& text, Case letter_case, std::vector<char32_t>& buffer);

// The number of code points in `text`.
std::size_t count_code_points(const Text& text);

// White space as Python's str.split() knows it.
bool is_space(char32_t c);

// The code point that starts at `bytes[i]` of UTF-8 made by to_utf8, and its length in bytes.
struct Decoded {
  char32_t value;
  std::uint32_t size;
};
Decoded decode(std::string_view bytes, std::size_t i);

}  // namespace bleuet
