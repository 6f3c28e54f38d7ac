// Tokens of one segment, held so that comparing two of them is usually three integer compares.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

namespace bleuet {

// A token of up to 16 bytes is held whole in `low` and `high` (zero-filled); of a longer one,
// `low` holds its first eight bytes and `high` a hash of all, and equality looks at the text.
struct Token {
  std::uint64_t low;
  std::uint64_t high;
  std::uint32_t begin;  // offset of the first byte in the text
  std::uint32_t size;   // bytes
};

constexpr std::uint32_t kWholeToken = 16;

// The tokens of one segment together with the bytes they were cut from.
class TokenList {
 public:
  std::size_t size() const { return size_; }
  const Token& operator[](std::size_t i) const { return tokens_[i]; }
  void clear() { size_ = 0; }

  // The bytes that later calls of add() cut from; kPadding readable bytes must follow them.
  // A text of more than 4 GiB throws.
  void read_from(std::string_view text);
  void add(std::size_t begin, std::size_t end) {
    make_room(1);
    add_in_room(begin, end);
  }

  // The two halves of add(), for a loop that makes room for many tokens at once.
  void make_room(std::size_t n) {
    if (tokens_.size() - size_ < n) tokens_.resize(2 * tokens_.size() + n);
  }
  void add_in_room(std::size_t begin, std::size_t end);

  // Tokens that are integers instead of text.
  void assign_ids(const std::int64_t* ids, std::size_t n);

  // Copies the text of long tokens, so that the list outlives the buffer it was read from.
  void own_text();

  std::string_view text_of(const Token& token) const { return {text_ + token.begin, token.size}; }

 private:
  std::vector<Token> tokens_;  // the first size_ of them count
  std::size_t size_ = 0;
  std::vector<char> owned_;
  const char* text_ = nullptr;
};

inline bool same_token(const TokenList& a, const Token& x, const TokenList& b, const Token& y) {
  if (x.low != y.low || x.high != y.high || x.size != y.size) return false;
  return x.size <= kWholeToken || a.text_of(x) == b.text_of(y);
}

inline std::uint64_t mix(std::uint64_t x) {
  x *= 0x9E3779B97F4A7C15u;
  return x ^ (x >> 32);
}

// Fetches memory that is read a little later.
inline void prefetch(const void* memory) {
#if defined(__GNUC__)
  __builtin_prefetch(memory);
#else
  (void)memory;
#endif
}

inline std::uint64_t hash_token(const Token& token) {
  // Two products that do not wait for each other; the size distinguishes texts that end in NULs.
  const std::uint64_t hash =
      (token.low + token.size) * 0x9E3779B97F4A7C15u + token.high * 0xC2B2AE3D27D4EB4Fu;
  return hash >> 32;
}

// The first n bytes in memory of `word` (1 <= n <= 8), the others zero.
inline std::uint64_t first_bytes(std::uint64_t word, std::size_t n) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  return word & (~std::uint64_t{0} << (8 * (8 - n)));
#else
  return word & (~std::uint64_t{0} >> (8 * (8 - n)));
#endif
}

// Hash of a text whose kPadding following bytes are readable.
inline std::uint64_t hash_bytes(const char* bytes, std::size_t size) {
  std::uint64_t h = size;
  for (std::size_t i = 0; i < size; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, bytes + i, 8);
    if (size - i < 8) word = first_bytes(word, size - i);
    h = mix(h ^ word);
  }
  return h;
}

inline void TokenList::add_in_room(std::size_t begin, std::size_t end) {
  const std::size_t size = end - begin;
  const char* const bytes = text_ + begin;
  Token token;
  std::memcpy(&token.low, bytes, 8);
  if (size <= 8) {
    token.low = first_bytes(token.low, size);
    token.high = 0;
  } else if (size <= kWholeToken) {
    std::memcpy(&token.high, bytes + 8, 8);
    token.high = first_bytes(token.high, size - 8);
  } else {
    token.high = hash_bytes(bytes, size);
  }
  token.begin = static_cast<std::uint32_t>(begin);
  token.size = static_cast<std::uint32_t>(size);
  tokens_[size_++] = token;
}

}  // namespace bleuet
