// The Unicode properties that the tokenizer `intl` uses.
#pragma once

#include <cstdint>

namespace bleuet {

enum class Property : std::uint8_t { other, punctuation, symbol, number };

Property property_of(char32_t c);

}  // namespace bleuet
