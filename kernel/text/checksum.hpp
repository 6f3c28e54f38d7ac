// The CRC-32 of zlib, which Python has too.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bleuet {

namespace checksum {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

// tables[k][b] is what byte b adds that is followed by k more bytes.
constexpr Tables make_tables() {
  Tables tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t value = byte;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1) * 0xEDB88320u);
    tables[0][byte] = value;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xFF];
    }
  }
  return tables;
}

inline constexpr Tables kTables = make_tables();

}  // namespace checksum

// Eight bytes at a time, so that no byte waits for the table of the byte before it.
inline std::uint32_t crc32(std::string_view bytes) {
  using checksum::kTables;
  const auto at = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i]));
  };
  std::uint32_t crc = ~0u;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    const std::uint32_t low = crc ^ (at(i) | at(i + 1) << 8 | at(i + 2) << 16 | at(i + 3) << 24);
    crc = kTables[7][low & 0xFF] ^ kTables[6][low >> 8 & 0xFF] ^ kTables[5][low >> 16 & 0xFF] ^
          kTables[4][low >> 24] ^ kTables[3][at(i + 4)] ^ kTables[2][at(i + 5)] ^
          kTables[1][at(i + 6)] ^ kTables[0][at(i + 7)];
  }
  for (; i < bytes.size(); ++i) crc = (crc >> 8) ^ kTables[0][(crc ^ at(i)) & 0xFF];
  return ~crc;
}

}  // namespace bleuet
