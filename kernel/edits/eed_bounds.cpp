#include "edits/eed_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "rows/interruption.hpp"

namespace bleuet {
namespace {

// Characters that share a byte are taken for equal, which only lowers a bound.
std::uint8_t byte_of(char32_t character) {
  return static_cast<std::uint8_t>(character + 89 * (character >> 8));
}

// Rounds down, but for the error of the product.
std::uint8_t units(double cost, double scale) {
  return static_cast<std::uint8_t>(std::min(255.0, std::floor(cost * scale + 1e-6)));
}

}  // namespace

void EedBounds::set_hypothesis(const std::vector<char32_t>& hypothesis) {
  const std::size_t columns = hypothesis.size() + 1;
  stretch_ = (columns + kStretches * kBlock - 1) / (kStretches * kBlock) * kBlock;
  if (!useful()) return;
  // Each stretch begins early, for the paths that begin before it.
  letters_.assign((kMostReach + stretch_) * kStretches, 255);
  for (std::size_t s = 0; s < kStretches; ++s) {
    for (std::size_t i = 0; i < kMostReach + stretch_; ++i) {
      // The letter of column c is that before it, c - 1.
      const std::size_t letter = s * stretch_ + i - kMostReach - 1;
      if (letter < hypothesis.size()) letters_[i * kStretches + s] = byte_of(hypothesis[letter]);
    }
  }
}

void EedBounds::count(const char32_t* characters, std::size_t size, double deletion,
                      double insertion, double scale) {
  const std::uint8_t deleted = units(deletion, scale);
  const std::uint8_t inserted = units(insertion, scale);
  const std::uint8_t replaced = units(1.0, scale);
  lost_per_row_ = std::max(insertion * scale - inserted, scale - replaced);
  lost_per_unit_ = deleted == 0 ? 255 : (deletion * scale - deleted) / deleted;
  rows_ = size;
  lowest_.resize(stretch_ / kBlock * kStretches * size);

  const ByteLanes deleting = ByteLanes::all(deleted);
  const ByteLanes inserting = ByteLanes::all(inserted);
  const ByteLanes replacing = ByteLanes::all(replaced);
  ByteLanes wanted[kMostRows], cells[kMostRows], lowest[kMostRows];
  for (std::size_t r = 0; r < size; ++r) {
    wanted[r] = ByteLanes::all(byte_of(characters[r]));
    cells[r] = ByteLanes::all(255);
  }
  const std::uint8_t* letter = letters_.data();
  std::uint8_t* out = lowest_.data();
  for (std::size_t block = 0; block < (kMostReach + stretch_) / kBlock; ++block) {
    std::fill_n(lowest, size, ByteLanes::all(255));
    for (std::size_t i = 0; i < kBlock; ++i, letter += kStretches) {
      const ByteLanes here = ByteLanes::load(letter);
      ByteLanes above = ByteLanes::all(0);
      ByteLanes before = above;
      for (std::size_t r = 0; r < size; ++r) {
        const ByteLanes from_left =
            lower(before + where_differ(here, wanted[r], replacing), cells[r] + deleting);
        before = cells[r];
        above = lower(from_left, above + inserting);
        cells[r] = above;
        lowest[r] = lower(lowest[r], above);
      }
    }
    checkpoint(kBlock * size);
    if (block < kMostReach / kBlock) continue;
    for (std::size_t r = 0; r < size; ++r, out += kStretches) lowest[r].store(out);
  }
}

double EedBounds::lowest(std::size_t row) const {
  ByteLanes lanes = ByteLanes::all(255);
  for (std::size_t at = row * kStretches; at < lowest_.size(); at += rows_ * kStretches)
    lanes = lower(lanes, ByteLanes::load(lowest_.data() + at));
  std::uint8_t bytes[kStretches];
  lanes.store(bytes);
  const double bound = *std::min_element(bytes, bytes + kStretches);
  return bound + lost_per_row_ * static_cast<double>(row + 1) + lost_per_unit_ * bound;
}

void EedBounds::mark(std::size_t row, double most, std::vector<unsigned char>& near) const {
  const std::size_t blocks = stretch_ / kBlock;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::uint8_t* const bounds = lowest_.data() + (block * rows_ + row) * kStretches;
    for (std::size_t s = 0; s < kStretches; ++s) {
      if (bounds[s] <= most && s * blocks + block < near.size()) near[s * blocks + block] = 1;
    }
  }
}

}  // namespace bleuet
