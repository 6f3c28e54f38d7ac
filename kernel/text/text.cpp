#include "text/text.hpp"

#include <algorithm>
#include <cstring>

namespace bleuet {
namespace {

char lower_ascii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

char* encode(char32_t c, char* out) {
  if (c < 0x80) {
    *out++ = static_cast<char>(c);
  } else if (c < 0x800) {
    *out++ = static_cast<char>(0xC0 | (c >> 6));
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    *out++ = static_cast<char>(0xE0 | (c >> 12));
    *out++ = static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  } else {
    *out++ = static_cast<char>(0xF0 | (c >> 18));
    *out++ = static_cast<char>(0x80 | ((c >> 12) & 0x3F));
    *out++ = static_cast<char>(0x80 | ((c >> 6) & 0x3F));
    *out++ = static_cast<char>(0x80 | (c & 0x3F));
  }
  return out;
}

template <class Unit>
char* encode_all(const Unit* units, std::size_t length, char* out) {
  for (std::size_t i = 0; i < length; ++i) out = encode(static_cast<char32_t>(units[i]), out);
  return out;
}

bool continues(char byte) { return (byte & 0xC0) == 0x80; }

std::size_t decode_all(std::string_view bytes, char32_t* out) {
  char32_t* const begin = out;
  for (std::size_t i = 0; i < bytes.size();) {
    const Decoded c = decode(bytes, i);
    *out++ = c.value;
    i += c.size;
  }
  return static_cast<std::size_t>(out - begin);
}

template <class Unit>
void widen(const Unit* units, std::size_t length, char32_t* out) {
  for (std::size_t i = 0; i < length; ++i) out[i] = static_cast<char32_t>(units[i]);
}

}  // namespace

std::string_view to_utf8(const Text& text, Case letter_case, std::vector<char>& buffer) {
  // A code point of 1, 2 or 4 stored bytes takes at most 2, 3 or 4 bytes of UTF-8.
  const bool utf8 = text.ascii || text.unit == kUtf8;
  const std::size_t widest = utf8 ? 1 : text.unit == 1 ? 2 : text.unit == 2 ? 3 : 4;
  const std::size_t need = text.length * widest + kPadding;
  if (buffer.size() < need) buffer.resize(need + need / 2);
  char* const begin = buffer.data();
  char* end = begin;
  if (utf8) {
    if (text.length != 0) std::memcpy(begin, text.data, text.length);
    end += text.length;
  } else if (text.unit == 1) {
    end = encode_all(static_cast<const std::uint8_t*>(text.data), text.length, begin);
  } else if (text.unit == 2) {
    end = encode_all(static_cast<const std::uint16_t*>(text.data), text.length, begin);
  } else {
    end = encode_all(static_cast<const std::uint32_t*>(text.data), text.length, begin);
  }
  if (letter_case == Case::lower_ascii) {
    for (char* p = begin; p != end; ++p) *p = lower_ascii(*p);
  }
  std::memset(end, 0, kPadding);
  return {begin, static_cast<std::size_t>(end - begin)};
}

std::size_t to_code_points(const Text& text, Case letter_case, std::vector<char32_t>& buffer) {
  const std::size_t need = text.length + kPadding;
  if (buffer.size() < need) buffer.resize(need + need / 2);
  char32_t* const out = buffer.data();
  std::size_t length = text.length;
  if (text.unit == kUtf8) {
    length = decode_all({static_cast<const char*>(text.data), text.length}, out);
  } else if (text.unit == 1) {
    widen(static_cast<const std::uint8_t*>(text.data), text.length, out);
  } else if (text.unit == 2) {
    widen(static_cast<const std::uint16_t*>(text.data), text.length, out);
  } else {
    widen(static_cast<const std::uint32_t*>(text.data), text.length, out);
  }
  if (letter_case == Case::lower_ascii) {
    for (std::size_t i = 0; i < length; ++i) {
      if (out[i] >= 'A' && out[i] <= 'Z') out[i] += 32;
    }
  }
  std::memset(out + length, 0, kPadding * sizeof(char32_t));
  return length;
}

std::size_t count_code_points(const Text& text) {
  if (text.unit != kUtf8) return text.length;
  const char* const bytes = static_cast<const char*>(text.data);
  return text.length -
         static_cast<std::size_t>(std::count_if(bytes, bytes + text.length, continues));
}

bool is_space(char32_t c) {
  if (c < 0x80) return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
  return c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 ||
         c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

Decoded decode(std::string_view bytes, std::size_t i) {
  const auto at = [&](std::size_t k) {
    return static_cast<char32_t>(static_cast<unsigned char>(bytes[i + k]));
  };
  const char32_t lead = at(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {((lead & 0x1F) << 6) | (at(1) & 0x3F), 2};
  if (lead < 0xF0) return {((lead & 0x0F) << 12) | ((at(1) & 0x3F) << 6) | (at(2) & 0x3F), 3};
  return {((lead & 0x07) << 18) | ((at(1) & 0x3F) << 12) | ((at(2) & 0x3F) << 6) | (at(3) & 0x3F),
          4};
}

}  // namespace bleuet
