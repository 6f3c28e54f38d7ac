// The shift search: candidates are collected first, then measured from the longest to the shortest.
//
// The order does not matter for the result, since candidates are totally ordered; it makes the
// bound on a candidate's gain bite early. Collecting first also means that a round that reaches the
// limit of candidates measures none.
#include "edits/shifts.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace bleuet {
namespace {

std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

Exchange exchange_of(const Shift& shift, std::int32_t n) {
  const std::int32_t end = shift.start + shift.length;
  if (shift.target < shift.start) return {shift.target, shift.start, end};
  if (shift.target > end) return {shift.start, end, shift.target};
  // A target inside the block counts from its start: the block moves right by target - start.
  return {shift.start, end, std::min(shift.length + shift.target, n)};
}

bool better(const Shift& a, const Shift& b) {
  if (a.gain != b.gain) return a.gain > b.gain;
  if (a.length != b.length) return a.length > b.length;
  if (a.start != b.start) return a.start < b.start;
  return a.target < b.target;
}

}  // namespace

std::int64_t ShiftSearch::edits(const std::vector<WordId>& hypothesis,
                                const WordPositions& reference, std::vector<Mark>* marks) {
  const auto n = static_cast<std::int32_t>(hypothesis.size());
  const std::int32_t m = reference.size();
  words_ = hypothesis;
  reference_ = &reference;
  marks_ = marks;
  if (marks_ != nullptr) {
    marks_->clear();
    order_.resize(hypothesis.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }
  if (n == 0 || m == 0) {
    mark_edits(plain_);
    return std::max(n, m);
  }
  fewest_edits_ = fewest_edits();
  if (m <= UnlimitedDistance::kLongestReference) {
    unlimited_.start(reference, n);
    const std::int32_t before = unlimited_.read(words_, 0);
    if (!beam_may_bind(before)) return search(unlimited_, before);
  }
  if (m / n < BandDistance::kLargestRatio) {
    band_.start(reference, n);
    return search(band_, band_.read(words_, 0));
  }
  plain_.start(reference, n);
  return search(plain_, plain_.read(words_, 0));
}

// A path of d edits strays at most (d + |m - n|) / 2 columns from the diagonal on either side:
// below the width the beam admits all best paths, and all those of shifts that gain.
bool ShiftSearch::beam_may_bind(std::int32_t before) const {
  const std::int32_t m = reference_->size();
  return m >= kBeamWidth && std::abs(m - n_hypothesis()) + before >= 2 * kBeamWidth;
}

// The larger length less the words in common, in whatever order.
std::int32_t ShiftSearch::fewest_edits() {
  left_.assign(reference_->n_words() + 1, 0);
  for (const WordId word : reference_->reference()) ++left_[word];
  std::int32_t common = 0;
  for (const WordId word : words_) common += left_[word]-- > 0 ? 1 : 0;
  return std::max(n_hypothesis(), reference_->size()) - common;
}

template <class Distance>
std::int64_t ShiftSearch::search(Distance& distance, std::int32_t before) {
  std::int64_t shifts = 0;
  n_candidates_ = 0;
  while (before > fewest_edits_) {
    align(distance);
    if (!collect()) break;
    const Shift best = best_shift(distance, before);
    if (best.gain <= 0) break;
    const Exchange exchange = exchange_of(best, n_hypothesis());
    const auto words = words_.begin();
    std::rotate(words + exchange.first, words + exchange.middle, words + exchange.last);
    if (marks_ != nullptr) {
      mark_shift(best);
      const auto order = order_.begin();
      std::rotate(order + exchange.first, order + exchange.middle, order + exchange.last);
    }
    before = distance.read(words_, exchange.first);
    ++shifts;
  }
  mark_edits(distance);
  return shifts + before;
}

void ShiftSearch::mark_shift(const Shift& shift) {
  const auto start = order_.begin() + shift.start;
  const auto [first, last] = std::minmax_element(start, start + shift.length);
  marks_->push_back({*first, *last + 1 - *first, 0, 0, kShiftMark});
}

template <class Distance>
void ShiftSearch::mark_edits(const Distance& distance) {
  if (marks_ == nullptr) return;
  const std::size_t shifts = marks_->size();
  const std::size_t n = order_.size();
  trace(distance, [&](Edit edit, std::int32_t i, std::int32_t j) {
    const std::size_t ours = edit == Edit::insert ? 0 : 1;
    const std::size_t theirs = edit == Edit::erase ? 0 : 1;
    const std::size_t at = index(i) - ours;
    marks_->push_back({at < n ? order_[at] : n, ours, index(j) - theirs, theirs,
                       static_cast<std::uint8_t>(edit)});
  });
  std::reverse(marks_->begin() + static_cast<std::ptrdiff_t>(shifts), marks_->end());
}

// Calls `visit` with each edit of the trace, from the last to the first, and the number of words of
// hypothesis and reference behind it.
template <class Distance, class Visit>
void ShiftSearch::trace(const Distance& distance, Visit visit) const {
  std::int32_t i = n_hypothesis();
  std::int32_t j = reference_->size();
  while (i > 0 || j > 0) {
    const Edit edit = i == 0 ? Edit::insert : j == 0 ? Edit::erase : distance.edit(i, j);
    visit(edit, i, j);
    if (edit != Edit::erase) --j;
    if (edit != Edit::insert) --i;
  }
}

template <class Distance>
void ShiftSearch::align(const Distance& distance) {
  std::int32_t hypothesis_error = n_hypothesis();
  std::int32_t reference_error = reference_->size();
  Alignment& a = alignment_;
  a.reached.resize(index(reference_error));
  a.hypothesis_error.resize(index(hypothesis_error));
  a.reference_error.resize(index(reference_error));
  trace(distance, [&](Edit edit, std::int32_t i, std::int32_t j) {
    if (edit != Edit::erase) {
      a.reached[index(j - 1)] = i - 1;
      if (edit != Edit::match) reference_error = j - 1;
      a.reference_error[index(j - 1)] = reference_error;
    }
    if (edit != Edit::insert) {
      if (edit != Edit::match) hypothesis_error = i - 1;
      a.hypothesis_error[index(i - 1)] = hypothesis_error;
    }
  });
}

// Fills candidates_; false when the limit of candidates is reached.
bool ShiftSearch::collect() {
  for (auto& candidates : candidates_) candidates.clear();
  for (std::int32_t start = 0; start < n_hypothesis(); ++start) {
    if (words_[index(start)] == reference_->unknown()) continue;
    // A shift must take along at least one word that is wrong where it stands.
    if (alignment_.hypothesis_error[index(start)] >= start + kMaxShiftSize) continue;
    if (!collect_from(start)) return false;
  }
  return true;
}

bool ShiftSearch::collect_from(std::int32_t start) {
  bool within_limit = true;
  reference_->each(
      words_[index(start)], start - kMaxShiftDistance, start + kMaxShiftDistance + 1,
      [&](std::int32_t position) { within_limit = within_limit && collect_pair(start, position); });
  return within_limit;
}

// All lengths of equal words from `start` and from `reference_start`, shortest first.
bool ShiftSearch::collect_pair(std::int32_t start, std::int32_t reference_start) {
  const std::vector<WordId>& reference = reference_->reference();
  const std::int32_t shortest =
      1 + std::max(alignment_.hypothesis_error[index(start)] - start,
                   alignment_.reference_error[index(reference_start)] - reference_start);
  std::int32_t longest =
      std::min({kMaxShiftSize, n_hypothesis() - start, reference_->size() - reference_start});
  // No shift to where the block already stands.
  const std::int32_t reached = alignment_.reached[index(reference_start)];
  if (reached >= start) longest = std::min(longest, reached - start);
  if (shortest > longest) return true;
  std::int32_t length = 1;
  while (length < longest &&
         words_[index(start + length)] == reference[index(reference_start + length)]) {
    ++length;
  }
  for (std::int32_t l = shortest; l <= length; ++l) {
    if (!collect_targets({0, l, start, 0}, reference_start)) return false;
  }
  return true;
}

// The targets lie behind the hypothesis words that stand opposite the reference's, from the one
// before the first.
bool ShiftSearch::collect_targets(Shift candidate, std::int32_t reference_start) {
  std::int32_t previous = -1;
  for (std::int32_t offset = -1; offset < candidate.length; ++offset) {
    const std::int32_t position = reference_start + offset;
    candidate.target = position < 0 ? 0 : alignment_.reached[index(position)] + 1;
    if (candidate.target == previous) continue;
    previous = candidate.target;
    ++n_candidates_;
    candidates_[index(candidate.length)].push_back(candidate);
  }
  return n_candidates_ < kMaxShiftCandidates;
}

template <class Distance>
Shift ShiftSearch::best_shift(const Distance& distance, std::int32_t before) const {
  Shift best{0, 0, 0, 0};
  for (std::size_t length = kMaxShiftSize; length > 0; --length) {
    for (const Shift& candidate : candidates_[length]) measure(distance, before, candidate, best);
  }
  return best;
}

template <class Distance>
void ShiftSearch::measure(const Distance& distance, std::int32_t before, Shift candidate,
                          Shift& best) const {
  const Exchange exchange = exchange_of(candidate, n_hypothesis());
  const std::int32_t moved =
      std::min(exchange.middle - exchange.first, exchange.last - exchange.middle);
  if (moved == 0) return;
  candidate.gain = before - fewest_edits_;
  // Each word of the smaller block moves past the larger for at most one erasure and one insertion;
  // but where the beam binds, a shift may also bring a better path into it.
  if (!beam_may_bind(before)) candidate.gain = std::min(2 * moved, candidate.gain);
  if (!better(candidate, best)) return;
  candidate.gain = before - distance.exchanged(words_, exchange);
  if (better(candidate, best)) best = candidate;
}

}  // namespace bleuet
