#include "text/tokens.hpp"

#include <limits>
#include <stdexcept>

#include "text/text.hpp"

namespace bleuet {

void TokenList::read_from(std::string_view text) {
  if (text.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("a segment is longer than 4 GiB; split it into segments");
  }
  size_ = 0;
  text_ = text.data();
}

void TokenList::assign_ids(const std::int64_t* ids, std::size_t n) {
  // The text of an integer is its bytes.
  text_ = reinterpret_cast<const char*>(ids);
  size_ = 0;
  make_room(n);
  for (std::size_t i = 0; i < n; ++i) {
    tokens_[size_++] = {static_cast<std::uint64_t>(ids[i]), 0, static_cast<std::uint32_t>(8 * i),
                        8};
  }
}

void TokenList::own_text() {
  tokens_.resize(size_);
  std::size_t bytes = 0;
  for (const Token& token : tokens_) {
    if (token.size > kWholeToken) bytes += token.size;
  }
  std::vector<char> kept;
  kept.reserve(bytes + kPadding);
  for (Token& token : tokens_) {
    if (token.size <= kWholeToken) continue;
    const char* const from = text_ + token.begin;
    token.begin = static_cast<std::uint32_t>(kept.size());
    kept.insert(kept.end(), from, from + token.size);
  }
  kept.resize(kept.size() + (bytes != 0 ? kPadding : 0));
  owned_ = std::move(kept);
  text_ = owned_.data();
  tokens_.shrink_to_fit();
}

}  // namespace bleuet
