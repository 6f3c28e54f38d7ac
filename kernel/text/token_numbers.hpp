// The tokens of one segment as numbers, and those of other segments by the same numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "text/tokens.hpp"

namespace bleuet {

// The number of a token that the numbered segment lacks.
constexpr std::uint32_t kUnknown = 0xFFFFFFFF;

// The size of a hash table that stays at most half full.
inline std::size_t table_size_for(std::size_t entries) {
  std::size_t size = 16;
  while (size < 2 * entries) size *= 2;
  return size;
}

// A text as the numbers of its words, which someone else holds. Words that have none are kUnknown.
struct WordNumbers {
  const std::uint32_t* words = nullptr;
  std::size_t size = 0;

  std::uint32_t operator[](std::size_t i) const { return words[i]; }
};

class TokenNumbers {
 public:
  // The number of a token is the first position at which it stands in `tokens`, which must stay as
  // it is while find() is called.
  void number(const TokenList& tokens, std::vector<std::uint32_t>& numbers);
  void find(const TokenList& others, std::vector<std::uint32_t>& numbers) const;

 private:
  std::size_t slot_of(const TokenList& list, const Token& token) const;

  const TokenList* tokens_ = nullptr;
  std::vector<std::uint32_t> slots_;
};

// The tokens of several texts as numbers, from 1 on as they first occur.
class SharedNumbers {
 public:
  // Forgets all. The texts have at most so many tokens.
  void start(std::size_t tokens);
  // Appends the numbers of a text, which must stay as it is until the last one is added.
  void add(const TokenList& tokens, std::vector<std::uint32_t>& numbers);

 private:
  struct Known {
    const TokenList* text;
    std::size_t place;
  };

  std::vector<Known> known_;  // by number - 1
  std::vector<std::uint32_t> slots_;
};

}  // namespace bleuet
