// Lines and UTF-8 as the definitions read: what the kernel is compared with.
#pragma once

#include <string>
#include <vector>

namespace slow_lines {

inline std::string encode(char32_t c) {
  const auto tail = [c](int shift) { return static_cast<char>(0x80 | ((c >> shift) & 0x3F)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xC0 | (c >> 6)), tail(0)};
  if (c < 0x10000) return {static_cast<char>(0xE0 | (c >> 12)), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | (c >> 18)), tail(12), tail(6), tail(0)};
}

inline bool is_scalar(char32_t c) { return c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF); }

// The character whose encoding starts at `bytes[i]`, or false.
inline bool read_one(const std::string& bytes, std::size_t i, char32_t& c) {
  for (std::size_t size = 1; size <= 4 && i + size <= bytes.size(); ++size) {
    const auto lead = static_cast<unsigned char>(bytes[i]);
    c = size == 1 ? lead : lead & (0x7Fu >> size);
    for (std::size_t k = 1; k < size; ++k) {
      c = c << 6 | (static_cast<unsigned char>(bytes[i + k]) & 0x3F);
    }
    if (is_scalar(c) && encode(c) == bytes.substr(i, size)) return true;
  }
  return false;
}

// Whether the bytes are UTF-8; `text` is what they say up to where they are not.
inline bool decode(const std::string& bytes, std::u32string& text) {
  text.clear();
  for (std::size_t i = 0; i < bytes.size();) {
    char32_t c;
    if (!read_one(bytes, i, c)) return false;
    text += c;
    i += encode(c).size();
  }
  return true;
}

inline std::vector<std::string> cut(const std::string& bytes) {
  std::vector<std::string> lines;
  bool open = false;
  for (const char c : bytes) {
    if (!open) lines.emplace_back();
    open = c != '\n';
    if (open) lines.back() += c;
  }
  return lines;
}

}  // namespace slow_lines
