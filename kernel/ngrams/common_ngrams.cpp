#include "ngrams/common_ngrams.hpp"

#include <algorithm>
#include <stdexcept>

namespace bleuet {
namespace {

// An n-gram by one of its places, and how often it occurs.
struct Counted {
  std::uint32_t at;
  std::uint32_t size;
  std::uint32_t count;
  std::uint32_t number;  // among those of its order
};

// Of two n-grams, the one that is chosen first.
class ComesFirst {
 public:
  explicit ComesFirst(const LearnedReferences& references) : references_(references) {}

  bool operator()(const Counted& one, const Counted& other) const {
    if (one.count != other.count) return one.count > other.count;
    if (one.size != other.size) return one.size < other.size;
    for (std::uint32_t i = 0; i < one.size; ++i) {
      const std::uint32_t word = references_.words()[one.at + i];
      const std::uint32_t another = references_.words()[other.at + i];
      if (word != another) return is_less(word, another);
    }
    return false;
  }

 private:
  // The order of UTF-8 is that of code points.
  bool is_less(std::uint32_t word, std::uint32_t other) const {
    if (references_.ids()) return references_.id_of(word) < references_.id_of(other);
    return references_.vocabulary()[word] < references_.vocabulary()[other];
  }

  const LearnedReferences& references_;
};

// The start of an n-gram, the end of its reference, and its number among those of its order.
struct Begun {
  std::uint32_t at, end, number;
};

std::vector<Begun> all_places(const LearnedReferences& references) {
  if (references.words().size() >= kUnknown) {
    throw std::length_error("the references have too many words; score fewer segments");
  }
  std::vector<Begun> begun;
  std::uint32_t at = 0;
  for (const std::size_t end : references.ends()) {
    for (; at < end; ++at) begun.push_back({at, static_cast<std::uint32_t>(end), 0});
  }
  return begun;
}

// Numbers the n-grams of an order by those of the order below.
std::vector<Counted> count_order(const LearnedReferences& references, std::uint32_t n,
                                 std::vector<Begun>& begun) {
  const auto is_cut = [&](const Begun& one) { return one.at + n > one.end; };
  begun.erase(std::remove_if(begun.begin(), begun.end(), is_cut), begun.end());
  std::vector<Counted> counted;
  NumberPairs pairs(begun.size());
  for (Begun& one : begun) {
    const std::uint32_t word = references.words()[one.at + n - 1];
    std::uint32_t& number = pairs.number_of(one.number, word);
    if (number == kUnknown) {
      number = static_cast<std::uint32_t>(counted.size());
      counted.push_back({one.at, n, 0, number});
    }
    one.number = number;
    ++counted[number].count;
  }
  return counted;
}

// Goes on only with n-grams that are among the first k so far, since a longer one that begins with
// another one comes after all of these.
std::vector<Counted> choose(const LearnedReferences& references, std::size_t order, std::size_t k) {
  const ComesFirst comes_first(references);
  std::vector<Begun> begun = all_places(references);
  std::vector<Counted> chosen;
  for (std::uint32_t n = 1; n <= order && !begun.empty(); ++n) {
    const std::vector<Counted> counted = count_order(references, n, begun);
    chosen.insert(chosen.end(), counted.begin(), counted.end());
    if (chosen.size() > k) {
      const auto kth = chosen.begin() + static_cast<std::ptrdiff_t>(k);
      std::nth_element(chosen.begin(), kth, chosen.end(), comes_first);
      chosen.resize(k);
    }
    std::vector<bool> is_chosen(counted.size(), false);
    for (const Counted& one : chosen) {
      if (one.size == n) is_chosen[one.number] = true;
    }
    const auto is_left_out = [&](const Begun& one) { return !is_chosen[one.number]; };
    begun.erase(std::remove_if(begun.begin(), begun.end(), is_left_out), begun.end());
  }
  std::sort(chosen.begin(), chosen.end(), comes_first);
  return chosen;
}

}  // namespace

CommonNgrams::CommonNgrams(const LearnedReferences& references, std::size_t order, std::size_t k)
    : longer_(0) {
  const std::vector<Counted> chosen = choose(references, order, k);
  longer_ = NumberPairs(chosen.size());
  for (const Counted& one : chosen) {
    const std::uint32_t* const words = references.words().data() + one.at;
    ngrams_.push_back({words, one.size});
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i + 1 < one.size; ++i) first = longer_.find(first, words[i]);
    longer_.number_of(first, words[one.size - 1]) = static_cast<std::uint32_t>(ngrams_.size());
  }
}

std::size_t CommonNgrams::orders_at(const std::uint32_t* words, std::size_t size) const {
  std::uint32_t number = 0;
  for (std::size_t n = 0; n < size; ++n) {
    number = longer_.find(number, words[n]);
    if (number == kUnknown) return n;
  }
  return size;
}

}  // namespace bleuet
