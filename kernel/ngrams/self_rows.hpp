// BLEU's rows of texts each of which is compared with all others, as Self-BLEU does (Zhu et al.
// 2018). All n-grams are counted once: of each, only the two texts that have it most often matter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "ngrams/bleu.hpp"
#include "ngrams/learned_references.hpp"
#include "rows/counter.hpp"

namespace bleuet {

// Which texts the others are compared with.
struct SelfReferences {
  const std::uint8_t* chosen;  // of each text, whether it is a reference
  bool itself;                 // whether a text that is a reference is also one of itself
};

// Writes a row for each text, and returns how many different n-grams of each order the texts have.
// Every text needs a reference.
std::vector<std::int64_t> write_self_rows(const BleuCounter::Options& options,
                                          const LearnedReferences& texts,
                                          const SelfReferences& references, const Columns& columns,
                                          unsigned threads, const std::function<void()>& poll);

}  // namespace bleuet
