// UTF-8 as files hold it: whether it is any, and what of it fits one byte for each character.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace bleuet {

// Whether all bytes are below 128.
bool is_ascii(std::string_view bytes);

// Whether bytes are UTF-8 as Python reads it: neither longer than need be, nor a surrogate, nor
// beyond U+10FFFF.
bool is_utf8(std::string_view bytes);

// Writes valid UTF-8 as one byte for each character; false where one of them is beyond U+00FF.
bool to_latin1(std::string_view utf8, std::vector<std::uint8_t>& out);

}  // namespace bleuet
