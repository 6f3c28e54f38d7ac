#include "bleu_pairs.hpp"

#include <algorithm>

#include "ngram_walk.hpp"

namespace bleuet {

BleuPairs::BleuPairs(const PreparedReferences<BleuCounter>& references)
    : references_(references), single_(references.all.size() == references.ends.size()) {
  if (!single_) return;
  for (const TokenizedText& reference : references.all) {
    const TokenList& tokens = reference.tokens;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      words_.push_back(vocabulary_.number_of(tokens, tokens[i]));
    }
    ends_.push_back(words_.size());
  }
}

bool BleuPairs::count(Scratch& scratch, const Columns& columns, std::size_t row) const {
  if (!single_) return false;
  switch ((references_.options.max_ngram_order + 1) / 2) {
    case 1:
      return count_orders<1>(scratch, columns, row);
    case 2:
      return count_orders<2>(scratch, columns, row);
    case 3:
      return count_orders<3>(scratch, columns, row);
    default:
      return false;
  }
}

template <int Pairs>
bool BleuPairs::count_orders(Scratch& scratch, const Columns& columns, std::size_t row) const {
  switch ((scratch.hypothesis.tokens.size() + 63) / 64) {
    case 0:
    case 1:
      return count_in<Pairs, 1>(scratch, columns, row);
    case 2:
      return count_in<Pairs, 2>(scratch, columns, row);
    default:
      return false;
  }
}

template <int Pairs, std::size_t Words>
bool BleuPairs::count_in(Scratch& scratch, const Columns& columns, std::size_t row) const {
  const BleuCounter::Options& options = references_.options;
  const TokenList& tokens = scratch.hypothesis.tokens;
  const std::size_t order = options.max_ngram_order;
  const std::size_t length = tokens.size();
  scratch.masks.resize(vocabulary_.size() * Words);
  std::uint64_t* const masks = scratch.masks.data();
  scratch.numbers.clear();
  for (std::size_t i = 0; i < length; ++i) {
    const std::int32_t number = vocabulary_.find(tokens, tokens[i]);
    if (number < 0) continue;
    masks[static_cast<std::size_t>(number) * Words + i / 64] |= std::uint64_t{1} << (i % 64);
    scratch.numbers.push_back(number);
  }

  const bool average = options.reference_length == ReferenceLength::average;
  const std::size_t rows = columns.rows;
  std::int64_t* const lengths = columns.integers + row;
  std::int64_t* const matches = lengths + (average ? 1 : 2) * rows;
  std::int64_t* const totals = matches + order * rows;
  std::size_t begin = 0;
  for (std::size_t j = 0; j < ends_.size(); ++j) {
    NgramWalk<Pairs, Words> walk;
    for (std::size_t i = ends_[j]; i-- > begin;) {
      walk.step(masks + static_cast<std::size_t>(words_[i]) * Words);
    }
    std::int64_t counts[2 * Pairs];
    walk.write(counts);
    lengths[j] = static_cast<std::int64_t>(length);
    if (average) {
      columns.reals[row + j] = static_cast<double>(ends_[j] - begin);
    } else {
      lengths[rows + j] = static_cast<std::int64_t>(ends_[j] - begin);
    }
    for (std::size_t n = 0; n < order; ++n) matches[n * rows + j] = counts[n];
    begin = ends_[j];
  }
  for (std::size_t n = 0; n < order; ++n) {
    std::fill_n(totals + n * rows, ends_.size(),
                length > n ? static_cast<std::int64_t>(length - n) : options.phantom_ngrams);
  }

  for (const std::int32_t number : scratch.numbers) {
    std::fill_n(masks + static_cast<std::size_t>(number) * Words, Words, 0);
  }
  return true;
}

}  // namespace bleuet
