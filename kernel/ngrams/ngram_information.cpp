#include "ngrams/ngram_information.hpp"

#include <algorithm>
#include <cmath>

namespace bleuet {
namespace {

double computed_bits(std::uint64_t first, std::uint64_t all) {
  return std::log2(std::max(static_cast<double>(first) / static_cast<double>(all), 1.0));
}

// Most n-grams are rare, and a logarithm takes longer than finding one.
constexpr std::size_t kRare = 32;

const std::vector<double>& rare_bits() {
  static const std::vector<double> bits = [] {
    std::vector<double> computed(kRare * kRare);
    for (std::size_t i = 0; i < computed.size(); ++i) {
      computed[i] = computed_bits(i / kRare, std::max<std::size_t>(i % kRare, 1));
    }
    return computed;
  }();
  return bits;
}

double bits_of(std::uint64_t first, std::uint64_t all) {
  return first < kRare && all < kRare ? rare_bits()[first * kRare + all]
                                      : computed_bits(first, all);
}

}  // namespace

NgramInformation::NgramInformation(const LearnedReferences& references, std::size_t order,
                                   bool mteval, unsigned threads)
    : whole_(std::max<std::uint64_t>(references.words().size(), 1)),
      zero_(mteval && !references.ids() ? number_of_zero(references) : kUnknown),
      counts_(references, order, LearnedNgrams::Unit::occurrences, zero_, threads),
      most_(bits_of(whole_, 1)) {
  // Of words that occur as often.
  std::vector<double> bits;
  for (std::size_t count = 0; count < kRare; ++count) {
    bits.push_back(bits_of(whole_, std::max<std::size_t>(count, 1)));
  }
  word_bits_.reserve(counts_.words().size());
  for (const std::uint32_t count : counts_.words()) {
    word_bits_.push_back(count < kRare ? bits[count] : bits_of(whole_, count));
  }
}

NgramInformation::Ngram NgramInformation::single(std::uint32_t word) const {
  const LearnedNgrams::Ngram known = counts_.single(word);
  const bool everywhere = known.count == 0 || word == zero_;
  return {known.number, known.count == 0 ? most_ : word_bits_[word],
          everywhere ? whole_ : known.count};
}

NgramInformation::Ngram NgramInformation::longer(std::size_t n, const Ngram& first,
                                                 std::uint32_t word) const {
  if (ends(first)) return {kUnknown, 0.0, 1};
  const LearnedNgrams::Ngram known = counts_.longer(n, first.number, word);
  // Unknown n-grams count as if references had them once.
  const std::uint64_t count = std::max<std::uint64_t>(known.count, 1);
  return {known.number, bits_of(first.occurrences, count), count};
}

}  // namespace bleuet
