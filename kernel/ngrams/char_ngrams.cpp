#include "ngrams/char_ngrams.hpp"

#include <algorithm>

namespace bleuet {
namespace {

constexpr std::size_t kSlots = 2 * CharMasks::kLongest;

std::size_t first_slot(char32_t c) { return (static_cast<std::uint32_t>(c) * 0x9E3779B1u) >> 22; }
static_assert(kSlots == std::size_t{1} << (32 - 22), "first_slot yields a slot");

}  // namespace

const char32_t* CharNgramMatcher::widen(const ChrfText& text, std::vector<char32_t>& buffer) const {
  if (!text.narrow) return text.code_points.data();
  buffer.assign(text.bytes.begin(), text.bytes.begin() + static_cast<std::ptrdiff_t>(text.length));
  return buffer.data();
}

void CharNgramMatcher::count_wide(const char32_t* masked, std::size_t n_masked,
                                  const char32_t* walked, std::size_t n_walked,
                                  std::int64_t* matches) {
  slot_characters_.resize(kSlots);
  slot_numbers_.assign(kSlots, 0);
  const auto slot_of = [&](char32_t c) {
    std::size_t at = first_slot(c);
    while (slot_numbers_[at] != 0 && slot_characters_[at] != c) at = (at + 1) % kSlots;
    return at;
  };
  std::uint16_t n_characters = 1;
  masked_numbers_.resize(n_masked);
  for (std::size_t i = 0; i < n_masked; ++i) {
    const std::size_t at = slot_of(masked[i]);
    if (slot_numbers_[at] == 0) {
      slot_characters_[at] = masked[i];
      slot_numbers_[at] = n_characters++;
    }
    masked_numbers_[i] = slot_numbers_[at];
  }
  walked_numbers_.resize(n_walked);
  for (std::size_t i = 0; i < n_walked; ++i) walked_numbers_[i] = slot_numbers_[slot_of(walked[i])];
  masks_.count(masked_numbers_.data(), n_masked, walked_numbers_.data(), n_walked, n_characters,
               matches);
}

void CharNgramMatcher::count(const ChrfText& hypothesis, const ChrfText& reference,
                             std::size_t order, std::int64_t* matches) {
  const ChrfText* masked = &reference;
  const ChrfText* walked = &hypothesis;
  if (CharMasks::cost(walked->length, masked->length) <
      CharMasks::cost(masked->length, walked->length)) {
    std::swap(masked, walked);
  }
  const bool by_masks = order <= CharMasks::kOrders && masked->length <= CharMasks::kLongest;
  std::int64_t all[CharMasks::kOrders];
  if (hypothesis.narrow && reference.narrow) {
    if (by_masks) {
      masks_.count(masked->bytes.data(), masked->length, walked->bytes.data(), walked->length, 256,
                   all);
    } else {
      numbers_.count(hypothesis.bytes.data(), hypothesis.length, reference.bytes.data(),
                     reference.length, order, matches);
    }
  } else {
    const char32_t* const h = widen(hypothesis, wide_hypothesis_);
    const char32_t* const r = widen(reference, wide_reference_);
    if (by_masks) {
      const bool swapped = masked == &hypothesis;
      count_wide(swapped ? h : r, masked->length, swapped ? r : h, walked->length, all);
    } else {
      numbers_.count(h, hypothesis.length, r, reference.length, order, matches);
    }
  }
  if (by_masks) std::copy_n(all, order, matches);
}

}  // namespace bleuet
