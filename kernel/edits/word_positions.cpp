// Building and searching the occurrence masks of a reference's words.
#include "edits/word_positions.hpp"

#include <algorithm>

namespace bleuet {
namespace {

constexpr std::size_t kBlock = 64;

}  // namespace

void WordPositions::build(const std::vector<WordId>& reference, std::size_t n_words) {
  build_words(reference, n_words);
  if (reference.size() <= kBlock) {
    build_short();
  } else {
    build_long(n_words);
  }
}

void WordPositions::build_words(const std::vector<WordId>& reference, std::size_t n_words) {
  reference_ = reference;
  first_.assign(n_words + 2, 0);
}

void WordPositions::trim() {
  reference_.shrink_to_fit();
  first_.shrink_to_fit();
  blocks_.shrink_to_fit();
  masks_.shrink_to_fit();
}

void WordPositions::build_short() {
  const std::size_t n_words = first_.size() - 2;
  blocks_.assign(n_words + 1, 0);
  masks_.assign(n_words + 1, 0);
  for (std::size_t i = 0; i < reference_.size(); ++i) masks_[reference_[i]] |= 1ULL << i;
  for (std::size_t w = 0; w < n_words; ++w) first_[w + 1] = static_cast<std::uint32_t>(w + 1);
  first_[n_words + 1] = first_[n_words];
}

void WordPositions::build_long(std::size_t n_words) {
  constexpr auto kNone = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> last_block(n_words, kNone);
  for (std::size_t i = 0; i < reference_.size(); ++i) {
    const WordId word = reference_[i];
    const auto block = static_cast<std::uint32_t>(i / kBlock);
    if (last_block[word] != block) ++first_[word + 1];
    last_block[word] = block;
  }
  for (std::size_t w = 0; w <= n_words; ++w) first_[w + 1] += first_[w];
  blocks_.assign(first_.back() + 1, kNone);
  masks_.assign(first_.back() + 1, 0);
  std::vector<std::uint32_t> next(first_.begin(), first_.end());
  for (std::size_t i = 0; i < reference_.size(); ++i) {
    const WordId word = reference_[i];
    const auto block = static_cast<std::uint32_t>(i / kBlock);
    if (next[word] == first_[word] || blocks_[next[word] - 1] != block) {
      blocks_[next[word]++] = block;
    }
    masks_[next[word] - 1] |= 1ULL << (i % kBlock);
  }
}

std::size_t WordPositions::search_entry(WordId word, std::uint32_t block) const {
  const auto begin = blocks_.begin() + first_[word];
  const auto end = blocks_.begin() + first_[word + 1];
  return static_cast<std::size_t>(std::lower_bound(begin, end, block) - blocks_.begin());
}

std::uint64_t WordPositions::window(WordId word, std::int32_t base) const {
  const auto block = static_cast<std::uint32_t>(base) / kBlock;
  const auto shift = static_cast<std::uint32_t>(base) % kBlock;
  const std::size_t stop = first_[word + 1];
  std::size_t e = entry_at(word, static_cast<std::uint32_t>(block));
  std::uint64_t bits = 0;
  if (e < stop && blocks_[e] == block) bits = masks_[e++] >> shift;
  if (shift != 0 && e < stop && blocks_[e] == block + 1) bits |= masks_[e] << (kBlock - shift);
  return bits;
}

}  // namespace bleuet
