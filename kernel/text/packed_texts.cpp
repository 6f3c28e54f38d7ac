#include "text/packed_texts.hpp"

#include <algorithm>
#include <utility>

namespace bleuet {

TextPacker::TextPacker(std::vector<std::string> words)
    : words_(std::move(words)), counts_(2 * words_.size()), places_(2 * words_.size()) {}

void TextPacker::count(const Text& text, const NumberedText& words) {
  if (!find_symbols(text, words)) return;
  for (const std::size_t symbol : symbols_) ++counts_[symbol];
}

std::vector<std::int32_t> TextPacker::order() {
  std::vector<std::int32_t> order;
  for (std::size_t symbol = 0; symbol < counts_.size(); ++symbol) {
    if (counts_[symbol] != 0) order.push_back(static_cast<std::int32_t>(symbol));
  }
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return counts_[static_cast<std::size_t>(a)] > counts_[static_cast<std::size_t>(b)];
  });
  for (std::size_t place = 0; place < order.size(); ++place) {
    places_[static_cast<std::size_t>(order[place])] = place;
  }
  return order;
}

bool TextPacker::add(const Text& text, const NumberedText& words) {
  if (!find_symbols(text, words)) {
    put(1);
    return false;
  }
  for (const std::size_t symbol : symbols_) put(2 + places_[symbol]);
  put(0);
  return true;
}

bool TextPacker::find_symbols(const Text& text, const NumberedText& words) {
  const std::string_view line = to_utf8(text, Case::keep, utf8_);
  symbols_.clear();
  std::size_t at = 0;
  for (const std::int32_t number : words) {
    const bool space = at != 0 && at < line.size() && line[at] == ' ';
    const bool glued = at != 0 && !space;
    if (space) ++at;
    const std::string& word = words_[static_cast<std::size_t>(number)];
    if (line.compare(at, word.size(), word) != 0) return false;
    at += word.size();
    symbols_.push_back(2 * static_cast<std::size_t>(number) + glued);
  }
  return at == line.size();
}

void TextPacker::put(std::uint64_t code) {
  for (; code > 127; code >>= 7) bytes_.push_back(static_cast<std::uint8_t>(code | 128));
  bytes_.push_back(static_cast<std::uint8_t>(code));
}

}  // namespace bleuet
