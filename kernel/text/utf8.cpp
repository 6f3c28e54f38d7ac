#include "text/utf8.hpp"

#include <cstring>
#include <utility>

#include "machine/sse2.hpp"
#include "text/text.hpp"

namespace bleuet {
namespace {

// Where the ASCII that starts at `bytes[i]` ends.
std::size_t ascii_prefix(std::string_view bytes, std::size_t i) {
  // Words by fours, which every processor takes at once.
  std::uint64_t words[4];
  for (; bytes.size() - i >= sizeof words; i += sizeof words) {
    std::memcpy(words, bytes.data() + i, sizeof words);
    if (((words[0] | words[1] | words[2] | words[3]) & 0x8080808080808080) != 0) break;
  }
  for (; bytes.size() - i >= sizeof words[0]; i += sizeof words[0]) {
    std::memcpy(words, bytes.data() + i, sizeof words[0]);
    if ((words[0] & 0x8080808080808080) != 0) break;
  }
  while (i < bytes.size() && static_cast<unsigned char>(bytes[i]) < 0x80) ++i;
  return i;
}

constexpr std::size_t kBlock = 64;

// Which bytes of a block lie between two: byte i in bit i.
#ifdef BLEUET_SSE2
class Block {
 public:
  explicit Block(const char* bytes) {
    for (std::size_t i = 0; i < 4; ++i) {
      part_[i] = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16 * i));
    }
  }

  std::uint64_t within(int first, int last) const {
    const __m128i from = _mm_set1_epi8(static_cast<char>(first));
    const __m128i widest = _mm_set1_epi8(static_cast<char>(last - first));
    return bits([&](__m128i x) {
      const __m128i offset = _mm_sub_epi8(x, from);
      return _mm_cmpeq_epi8(_mm_min_epu8(offset, widest), offset);
    });
  }
  std::uint64_t beyond_ascii() const {
    return bits([](__m128i x) { return x; });
  }

 private:
  template <class Test>
  std::uint64_t bits(Test test) const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto some = static_cast<std::uint32_t>(_mm_movemask_epi8(test(part_[i])));
      all |= static_cast<std::uint64_t>(some) << (16 * i);
    }
    return all;
  }

  __m128i part_[4];
};
#else
class Block {
 public:
  explicit Block(const char* bytes) { std::memcpy(bytes_, bytes, kBlock); }

  std::uint64_t within(int first, int last) const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < kBlock; ++i) {
      all |= std::uint64_t{bytes_[i] >= first && bytes_[i] <= last} << i;
    }
    return all;
  }
  std::uint64_t beyond_ascii() const { return within(0x80, 0xFF); }

 private:
  unsigned char bytes_[kBlock];
};
#endif

// Checks block after block. A character may reach from one into the next: its missing bytes are
// the lowest bits of the next block.
class Utf8Check {
 public:
  bool take(const Block& block) {
    const std::uint64_t beyond = block.beyond_ascii();
    if (beyond == 0) return std::exchange(owed_, 0) == 0;
    const std::uint64_t following = block.within(0x80, 0xBF);
    const std::uint64_t two = block.within(0xC2, 0xDF);
    const std::uint64_t longer = beyond & ~following & ~two;
    std::uint64_t expected = owed_ | two << 1;
    owed_ = two >> 63;
    if (longer != 0 || limits_ != 0) {
      if (!take_longer(block, longer, expected)) return false;
    }
    return expected == following;
  }
  bool ended() const { return owed_ == 0; }

 private:
  // Characters of three bytes and four, of which some first bytes limit the second.
  bool take_longer(const Block& block, std::uint64_t longer, std::uint64_t& expected) {
    const std::uint64_t four = block.within(0xF0, 0xF4);
    if (longer != (four | block.within(0xE0, 0xEF))) return false;
    expected |= longer << 1 | longer << 2 | four << 3;
    owed_ |= longer >> 63 | longer >> 62 | four >> 61;
    const std::uint64_t firsts[] = {block.within(0xE0, 0xE0), block.within(0xED, 0xED),
                                    block.within(0xF0, 0xF0), block.within(0xF4, 0xF4)};
    // Otherwise an overlong form, a surrogate, an overlong form, or beyond U+10FFFF.
    const std::uint64_t wrong[] = {block.within(0x80, 0x9F), block.within(0xA0, 0xBF),
                                   block.within(0x80, 0x8F), block.within(0x90, 0xBF)};
    std::uint64_t any = 0;
    for (unsigned k = 0; k < 4; ++k) {
      any |= (firsts[k] << 1 | (limits_ >> k & 1)) & wrong[k];
    }
    limits_ = 0;
    for (unsigned k = 0; k < 4; ++k) limits_ |= (firsts[k] >> 63) << k;
    return any == 0;
  }

  std::uint64_t owed_ = 0;    // bytes that have to follow, in the lowest bits
  std::uint64_t limits_ = 0;  // which of the first bytes that limit the next came last
};

}  // namespace

bool is_ascii(std::string_view bytes) { return ascii_prefix(bytes, 0) == bytes.size(); }

bool is_utf8(std::string_view bytes) {
  Utf8Check check;
  for (; bytes.size() >= kBlock; bytes.remove_prefix(kBlock)) {
    if (!check.take(Block(bytes.data()))) return false;
  }
  char rest[kBlock] = {};
  if (!bytes.empty()) std::memcpy(rest, bytes.data(), bytes.size());
  return check.take(Block(rest)) && check.ended();
}

bool to_latin1(std::string_view utf8, std::vector<std::uint8_t>& out) {
  out.clear();
  std::size_t i = 0;
  for (;;) {
    const std::size_t end = ascii_prefix(utf8, i);
    out.insert(out.end(), utf8.begin() + static_cast<std::ptrdiff_t>(i),
               utf8.begin() + static_cast<std::ptrdiff_t>(end));
    if (end == utf8.size()) return true;
    const Decoded c = decode(utf8, end);
    if (c.value > 0xFF) return false;
    out.push_back(static_cast<std::uint8_t>(c.value));
    i = end + c.size;
  }
}

}  // namespace bleuet
