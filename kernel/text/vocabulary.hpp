// The different words of many texts, numbered as they first occur.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "text/tokens.hpp"

namespace bleuet {

class Vocabulary {
 public:
  // The number of a token, which may be new. More than 2^31 - 1 words, or 4 GiB of them, throw.
  std::int32_t number_of(const TokenList& tokens, const Token& token);
  std::int32_t number_of(const Vocabulary& other, std::size_t number);
  // The number of a token, -1 where it has none.
  std::int32_t find(const TokenList& tokens, const Token& token) const;
  std::int32_t find(const Vocabulary& other, std::size_t number) const;

  // Fetches what finding these tokens reads first, since most time goes into waiting for it.
  void prefetch_slots(const TokenList& tokens) const {
    if (slots_.empty()) return;
    const std::size_t last = slots_.size() - 1;
    for (std::size_t i = 0; i < tokens.size(); ++i) prefetch(&slots_[hash_token(tokens[i]) & last]);
  }

  std::size_t size() const { return words_.size(); }
  std::string_view operator[](std::size_t number) const {
    return {bytes_.data() + words_[number].begin, words_[number].size};
  }

 private:
  std::size_t slot_of(std::string_view text, const Token& token) const;
  std::int32_t number_of(std::string_view text, const Token& token);
  std::int32_t find(std::string_view text, const Token& token) const;
  std::int32_t add(std::string_view text, const Token& token);
  void grow();

  std::vector<char> bytes_;
  std::vector<Token> words_;          // their text is in bytes_
  std::vector<std::uint32_t> slots_;  // number + 1, or 0; linear probing
};

}  // namespace bleuet
