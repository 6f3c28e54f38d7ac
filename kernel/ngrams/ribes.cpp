#include "ngrams/ribes.hpp"

#include <algorithm>
#include <cmath>

#include "machine/bits.hpp"

namespace bleuet {
namespace {

// The longest n-gram that is tried: without a limit, the time grows with the square of the length
// of a segment that repeats itself throughout.
constexpr std::size_t kLongest = 100;

constexpr std::size_t kMostMasked = 64;

// Where an n-gram stands on both sides: a bit for each place of the word that is aligned by it.
struct Places {
  std::uint64_t ours, theirs;
  bool once() const { return (ours & (ours - 1)) == 0 && (theirs & (theirs - 1)) == 0; }
};

// Aligns the words of texts of up to 64 words by the numbers of the words alone.
void align_by_masks(const NgramMatcher& words, std::size_t reference_size, bool left_first,
                    std::vector<std::uint32_t>& aligned) {
  const std::size_t size = aligned.size();
  Places of_words[kMostMasked] = {};
  for (std::size_t i = 0; i < size; ++i) {
    if (words.number(i) != kUnknown) of_words[words.number(i)].ours |= 1ULL << i;
  }
  for (std::size_t i = 0; i < reference_size; ++i) {
    const std::uint32_t number = words.reference_number(i);
    if (number != kUnknown) of_words[number].theirs |= 1ULL << i;
  }
  for (std::size_t i = 0; i < size; ++i) {
    if (words.number(i) == kUnknown) continue;
    Places left = of_words[words.number(i)];
    Places right = left;
    for (std::size_t n = 1; left.theirs != 0 || right.theirs != 0; ++n) {
      const Places& first = left_first ? left : right;
      const Places& second = left_first ? right : left;
      const Places* const found = first.theirs != 0 && first.once()     ? &first
                                  : second.theirs != 0 && second.once() ? &second
                                                                        : nullptr;
      if (found != nullptr) {
        aligned[i] = static_cast<std::uint32_t>(lowest_bit(found->theirs));
        break;
      }
      const bool no_left = n > i || words.number(i - n) == kUnknown;
      const bool no_right = i + n >= size || words.number(i + n) == kUnknown;
      const Places before = no_left ? Places{} : of_words[words.number(i - n)];
      const Places after = no_right ? Places{} : of_words[words.number(i + n)];
      left = {left.ours & before.ours << n, left.theirs & before.theirs << n};
      right = {right.ours & after.ours >> n, right.theirs & after.theirs >> n};
    }
  }
}

}  // namespace

void RibesCounter::fill_row(const Reference* references, std::size_t n_references,
                            std::int64_t* integers, double* reals) {
  integers[0] = 1;
  reals[0] = -1.0;
  for (std::size_t r = 0; r < n_references; ++r) {
    double row[4];
    score(references[r].tokens, row);
    if (row[0] <= reals[0]) continue;
    std::copy_n(row, 4, reals);
    if (marks_ == nullptr) continue;
    marks_->tried.clear();
    for (std::size_t i = 0; i < aligned_.size(); ++i) {
      if (aligned_[i] != kUnknown) marks_->tried.push_back({i, 1, aligned_[i], 1, 0});
    }
    marks_->keep(r);
  }
}

void RibesCounter::score(const TokenList& reference, double* reals) {
  const std::size_t size = hypothesis_.tokens.size();
  align(reference);
  const auto others = std::count(aligned_.begin(), aligned_.end(), kUnknown);
  const std::size_t aligned = size - static_cast<std::size_t>(others);
  reals[1] = rank_correlation(aligned, reference.size());
  reals[0] = reals[2] = reals[3] = 0.0;
  if (size == 0) return;
  const double length = static_cast<double>(size);
  reals[2] = static_cast<double>(aligned) / length;
  reals[3] = std::exp(std::min(0.0, 1 - static_cast<double>(reference.size()) / length));
  reals[0] = reals[1] * std::pow(reals[2], options_.alpha) * std::pow(reals[3], options_.beta);
}

// A word is aligned by the shortest n-gram that begins or ends with it and occurs once on both
// sides.
void RibesCounter::align(const TokenList& reference) {
  const TokenList& tokens = hypothesis_.tokens;
  const TokenList* const one = &reference;
  aligned_.assign(tokens.size(), kUnknown);
  matcher_.start(tokens, &one, 1);
  if (tokens.size() <= kMostMasked && reference.size() <= kMostMasked) {
    if (matcher_.extend(1))
      align_by_masks(matcher_, reference.size(), options_.left_first, aligned_);
    return;
  }
  waiting_.resize(tokens.size());
  for (std::size_t i = 0; i < waiting_.size(); ++i) waiting_[i] = static_cast<std::uint32_t>(i);
  for (std::size_t n = 1; n <= kLongest && !waiting_.empty() && matcher_.extend(n); ++n) {
    read_ngrams(n, reference.size());
    const auto is_done = [&](std::size_t word) {
      const bool first = find_place(word, n, options_.left_first);
      const bool second = aligned_[word] == kUnknown && find_place(word, n, !options_.left_first);
      return aligned_[word] != kUnknown || !(first || second);
    };
    waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(), is_done), waiting_.end());
  }
}

void RibesCounter::read_ngrams(std::size_t n, std::size_t reference_size) {
  const std::size_t size = hypothesis_.tokens.size();
  counts_.assign(size, 0);
  places_.resize(size);
  for (std::size_t i = 0; i + n <= size; ++i) {
    if (matcher_.number(i) != kUnknown) ++counts_[matcher_.number(i)];
  }
  for (std::size_t i = 0; i + n <= reference_size; ++i) {
    const std::uint32_t number = matcher_.reference_number(i);
    if (number != kUnknown) places_[number] = static_cast<std::uint32_t>(i);
  }
}

// Whether the reference has the n-gram that begins or ends with a word. Aligns the word where that
// occurs once on both sides.
bool RibesCounter::find_place(std::size_t word, std::size_t n, bool left) {
  const std::size_t before = left ? n - 1 : 0;
  if (word < before || word - before + n > hypothesis_.tokens.size()) return false;
  const std::uint32_t number = matcher_.number(word - before);
  if (number == kUnknown) return false;
  if (counts_[number] == 1 && matcher_.in_references(number) == 1) {
    aligned_[word] = places_[number] + static_cast<std::uint32_t>(before);
  }
  return true;
}

double RibesCounter::rank_correlation(std::size_t aligned, std::size_t reference_size) {
  if (aligned < 2) return aligned == 1 && reference_size == 1 ? 1.0 : 0.0;
  below_.assign(reference_size + 1, 0);
  std::uint64_t increasing = 0;
  for (const std::uint32_t position : aligned_) {
    if (position == kUnknown) continue;
    for (std::size_t at = position; at > 0; at &= at - 1) increasing += below_[at];
    for (std::size_t at = position + 1; at <= reference_size; at += at & (~at + 1)) ++below_[at];
  }
  const std::uint64_t pairs = std::uint64_t{aligned} * (aligned - 1) / 2;
  return static_cast<double>(increasing) / static_cast<double>(pairs);
}

}  // namespace bleuet
