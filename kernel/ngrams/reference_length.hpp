// The reference length that the length of a hypothesis is compared with (Papineni et al. 2002,
// section 2.2.2).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace bleuet {

enum class ReferenceLength : std::uint8_t { closest, shortest, average };

// That of the n references of one segment, whose lengths length_of(0) to length_of(n - 1) return.
// Only an average may be fractional.
template <class LengthOf>
double reference_length(ReferenceLength which, std::size_t length, std::size_t n,
                        LengthOf length_of) {
  const auto distance = [&](std::size_t other) {
    return other > length ? other - length : length - other;
  };
  std::size_t best = length_of(0), sum = best;
  for (std::size_t r = 1; r < n; ++r) {
    const std::size_t other = length_of(r);
    sum += other;
    if (which == ReferenceLength::shortest) {
      best = std::min(best, other);
      // Ties take the shorter reference, as in mteval-v11b and later.
    } else if (distance(other) < distance(best) ||
               (distance(other) == distance(best) && other < best)) {
      best = other;
    }
  }
  if (which == ReferenceLength::average) return static_cast<double>(sum) / static_cast<double>(n);
  return static_cast<double>(best);
}

}  // namespace bleuet
