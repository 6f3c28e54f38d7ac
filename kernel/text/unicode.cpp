#include "text/unicode.hpp"

#include "text/unicode_properties.inc"

namespace bleuet {

Property property_of(char32_t c) {
  return static_cast<Property>(kPropertyBlocks[kPropertyBlockOf[c >> 8]][c & 0xFF]);
}

}  // namespace bleuet
