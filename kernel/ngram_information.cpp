#include "ngram_information.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "text.hpp"

namespace bleuet {
namespace {

// The numbers of n-grams that no longer one with information begins with, and of the word 0 that no
// reference has.
constexpr std::uint32_t kEnds = kUnknownWord;
constexpr std::uint32_t kUnknownZero = kEnds - 1;

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

bool is_zero(const TokenList& tokens, const Token& token) {
  return token.size == 1 && tokens.text_of(token) == "0";
}

}  // namespace

NgramInformation::NgramInformation(const LearnedReferences& references, std::size_t order,
                                   bool mteval)
    : vocabulary_(references.vocabulary()),
      whole_(std::max<std::uint64_t>(references.words().size(), 1)),
      most_(bits_of(whole_, 1)),
      zero_(kUnknownWord),
      mteval_(mteval && !references.ids()),
      orders_(std::max<std::size_t>(order, 1)) {
  if (mteval_) {
    const std::string text = '0' + std::string(kPadding, '\0');
    TokenList tokens;
    tokens.read_from(text);
    tokens.add(0, 1);
    zero_ = static_cast<std::uint32_t>(vocabulary_.find(tokens, tokens[0]));
  }
  std::vector<std::uint32_t>& counts = orders_[0].counts;
  counts.assign(vocabulary_.size(), 0);
  for (const std::uint32_t word : references.words()) ++counts[word];
  for (const std::uint32_t count : counts) word_bits_.push_back(bits_of(whole_, count));
  std::vector<std::uint32_t> firsts(references.words());
  for (std::size_t n = 2; n <= order; ++n) count_order(references, n, firsts);
}

// `firsts` has the numbers of the n-grams of the order below by where they start, and gets those of
// this order.
void NgramInformation::count_order(const LearnedReferences& references, std::size_t n,
                                   std::vector<std::uint32_t>& firsts) {
  Order& order = orders_[n - 1];
  const std::vector<std::uint32_t>& words = references.words();
  // Never full, however many n-grams differ.
  std::size_t continuing = n == 2 ? words.size() : 0;
  if (n > 2) {
    for (const std::uint32_t count : orders_[n - 2].counts) continuing += count > 1 ? count : 0;
  }
  std::size_t slots = 16;
  while (slots < continuing + continuing / 4) slots *= 2;
  order.keys.resize(slots);
  order.counts.assign(slots, 0);
  std::size_t i = 0;
  for (const std::uint64_t end : references.ends()) {
    for (; i + n <= end; ++i) {
      if (firsts[i] == kEnds) continue;
      const std::uint32_t first = continued(n - 1, firsts[i]);
      firsts[i] = first == kEnds ? kEnds : order.add(first, words[i + n - 1]);
    }
    for (; i < end; ++i) firsts[i] = kEnds;
  }
}

std::uint64_t NgramInformation::occurrences(std::size_t n, std::uint32_t first) const {
  return n == 2 && first == zero_ ? whole_ : orders_[n - 2].counts[first];
}

std::uint32_t NgramInformation::continued(std::size_t n, std::uint32_t number) const {
  return orders_[n - 1].counts[number] > 1 || (n == 1 && number == zero_) ? number : kEnds;
}

std::uint32_t NgramInformation::find(const TokenList& tokens, const Token& token) const {
  const auto word = static_cast<std::uint32_t>(vocabulary_.find(tokens, token));
  return word == kUnknownWord && mteval_ && is_zero(tokens, token) ? kUnknownZero : word;
}

NgramInformation::Ngram NgramInformation::single(std::uint32_t word) const {
  if (word >= kUnknownZero) return {word, most_, whole_};
  return {continued(1, word), word_bits_[word], occurrences(2, word)};
}

NgramInformation::Ngram NgramInformation::longer(std::size_t n, const Ngram& first,
                                                 std::uint32_t word) const {
  if (ends(first)) return {kEnds, 0.0, 1};
  if (first.number != kUnknownZero && word < kUnknownZero) {
    const std::uint32_t number = orders_[n - 1].find(first.number, word);
    const std::uint32_t count = orders_[n - 1].counts[number];
    if (count != 0) return {count > 1 ? number : kEnds, bits_of(first.occurrences, count), count};
  }
  // Unknown n-grams count as if references had them once.
  return {kEnds, bits_of(first.occurrences, 1), 1};
}

// The slot of an n-gram, or the empty one where it would be.
std::uint32_t NgramInformation::Order::find(std::uint32_t first, std::uint32_t word) const {
  const std::uint64_t key = std::uint64_t{first} << 32 | word;
  const std::size_t last = keys.size() - 1;
  std::size_t at = mix(key) & last;
  while (counts[at] != 0 && keys[at] != key) at = (at + 1) & last;
  return static_cast<std::uint32_t>(at);
}

std::uint32_t NgramInformation::Order::add(std::uint32_t first, std::uint32_t word) {
  const std::uint32_t slot = find(first, word);
  keys[slot] = std::uint64_t{first} << 32 | word;
  ++counts[slot];
  return slot;
}

}  // namespace bleuet
