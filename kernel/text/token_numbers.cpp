#include "text/token_numbers.hpp"

namespace bleuet {

std::size_t TokenNumbers::slot_of(const TokenList& list, const Token& token) const {
  const std::size_t last = slots_.size() - 1;
  std::size_t at = hash_token(token) & last;
  while (slots_[at] != kUnknown && !same_token(*tokens_, (*tokens_)[slots_[at]], list, token)) {
    at = (at + 1) & last;
  }
  return at;
}

void TokenNumbers::number(const TokenList& tokens, std::vector<std::uint32_t>& numbers) {
  tokens_ = &tokens;
  slots_.assign(table_size_for(tokens.size()), kUnknown);
  numbers.resize(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    std::uint32_t& slot = slots_[slot_of(tokens, tokens[i])];
    if (slot == kUnknown) slot = static_cast<std::uint32_t>(i);
    numbers[i] = slot;
  }
}

void TokenNumbers::find(const TokenList& others, std::vector<std::uint32_t>& numbers) const {
  numbers.resize(others.size());
  for (std::size_t i = 0; i < others.size(); ++i) {
    numbers[i] = slots_[slot_of(others, others[i])];
  }
}

void SharedNumbers::start(std::size_t tokens) {
  known_.clear();
  slots_.assign(table_size_for(tokens), 0);
}

void SharedNumbers::add(const TokenList& tokens, std::vector<std::uint32_t>& numbers) {
  const std::size_t last = slots_.size() - 1;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    const auto is_other = [&](std::uint32_t number) {
      const auto& [text, place] = known_[number - 1];
      return !same_token(*text, (*text)[place], tokens, token);
    };
    std::size_t at = hash_token(token) & last;
    while (slots_[at] != 0 && is_other(slots_[at])) at = (at + 1) & last;
    if (slots_[at] == 0) {
      known_.push_back({&tokens, i});
      slots_[at] = static_cast<std::uint32_t>(known_.size());
    }
    numbers.push_back(slots_[at]);
  }
}

}  // namespace bleuet
