// UTF-8 of files: validation, and conversion to one byte per character where that is possible.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace bleuet {

// Whether all bytes are below 128.
bool is_ascii(std::string_view bytes);

// Whether bytes are UTF-8 as Python reads it: no overlong form, no surrogate, nothing
// beyond U+10FFFF.
bool is_utf8(std::string_view bytes);

// Writes valid UTF-8 as one byte per character; false if a character is beyond U+00FF.
bool to_latin1(std::string_view utf8, std::vector<std::uint8_t>& out);

}  // namespace bleuet
