// The most common n-grams of the references that were learned (Eghbali and Pradel 2022, section 3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngrams/learned_references.hpp"
#include "ngrams/number_pairs.hpp"
#include "text/token_numbers.hpp"

namespace bleuet {

class CommonNgrams {
 public:
  // The first k n-grams of up to `order` words: by how often they occur, then the shorter ones,
  // then those whose words come first. So all that an n-gram begins with come before it.
  CommonNgrams(const LearnedReferences& references, std::size_t order, std::size_t k);

  // Where the n-grams stand among the words of the references.
  const std::vector<WordNumbers>& ngrams() const { return ngrams_; }
  // How many orders, from the first on, have an n-gram at this place that is one of them.
  std::size_t orders_at(const std::uint32_t* words, std::size_t size) const;

 private:
  std::vector<WordNumbers> ngrams_;
  // The numbers of the n-grams, from 1 on; the n-gram of no words is 0.
  NumberPairs longer_;
};

}  // namespace bleuet
