// Of the blocks that both texts have, some keep their order, and the others are shifted.
#include "edits/charcut.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "edits/length_limit.hpp"
#include "rows/interruption.hpp"

namespace bleuet {

void CharCutCounter::prepare(const Text& text, Reference& reference) {
  const std::size_t size = to_code_points(text, Case::keep, buffer_);
  reference.read(buffer_.data(), size, options_.is_alphanumeric);
}

void CharCutCounter::count(const Text& hypothesis, const Reference* references,
                           std::size_t n_references, std::int64_t* integers, double*) {
  prepare(hypothesis, hypothesis_);
  double least = 0;
  for (std::size_t r = 0; r < n_references; ++r) {
    const Kept kept = compare(references[r]);
    const auto ours = static_cast<std::int64_t>(hypothesis_.size());
    const auto theirs = static_cast<std::int64_t>(references[r].size());
    const std::int64_t deletions = ours - kept.in_order - kept.shifted;
    const std::int64_t insertions = theirs - kept.in_order - kept.shifted;
    std::int64_t cost = deletions + insertions + kept.shifted;
    std::int64_t length = ours + theirs;
    if (options_.length == Length::hypothesis) {
      // An empty hypothesis, which the program leaves out, is as wrong as a text can be.
      length = ours > 0 ? 2 * ours : theirs;
      cost = std::min(cost, length);
    }
    const double share =
        length == 0 ? 0.0 : static_cast<double>(cost) / static_cast<double>(length);
    if (r > 0 && share >= least) continue;
    if (marks_ != nullptr) marks_->keep(r);
    least = share;
    integers[0] = deletions;
    integers[1] = insertions;
    integers[2] = kept.shifted;
    integers[3] = cost;
    integers[4] = length;
  }
}

CharCutCounter::Kept CharCutCounter::compare(const Reference& reference) {
  Kept kept;
  if (marks_ != nullptr) marks_->tried.clear();
  if (reference == hypothesis_) {
    if (reference.size() > 0) add({0, 0, static_cast<std::uint32_t>(reference.size())}, true, kept);
    return kept;
  }
  check_cells("CharCut of characters", hypothesis_.size(), reference.size(), kMostCharCutCells);
  blocks_ = common_.find(hypothesis_, reference, options_.match_size);
  keep_order();
  for (std::size_t b = 0; b < blocks_.size(); ++b) {
    const double far = static_cast<double>(std::abs(distance(blocks_[b])));
    // A far shift of few characters is no shift: the characters are deleted and inserted.
    if (in_order_[b] || far <= std::exp(static_cast<double>(blocks_[b].size))) {
      add(blocks_[b], in_order_[b] != 0, kept);
    }
  }
  return kept;
}

void CharCutCounter::add(const Block& block, bool in_order, Kept& kept) {
  (in_order ? kept.in_order : kept.shifted) += block.size;
  if (marks_ == nullptr) return;
  const std::uint8_t kind = in_order ? 0 : 1;
  marks_->tried.push_back({block.hypothesis, block.size, block.reference, block.size, kind});
}

// Finds the blocks that keep their order: those that follow each other in both texts and have the
// most characters, then again those among the blocks before them, and among those after them.
void CharCutCounter::keep_order() {
  const std::size_t n = blocks_.size();
  std::sort(blocks_.begin(), blocks_.end(),
            [](const Block& one, const Block& other) { return one.hypothesis < other.hypothesis; });
  numbers_.resize(n);
  ranks_.resize(n);
  for (std::size_t b = 0; b < n; ++b) numbers_[b] = b;
  std::sort(numbers_.begin(), numbers_.end(), [&](std::size_t one, std::size_t other) {
    return blocks_[one].reference < blocks_[other].reference;
  });
  for (std::size_t rank = 0; rank < n; ++rank) ranks_[numbers_[rank]] = rank;
  in_order_.assign(n, 0);
  parts_.assign(1, {0, n, 0, n});
  while (!parts_.empty()) {
    const Part part = parts_.back();
    parts_.pop_back();
    std::size_t most = 0, start = 0, end = 0;
    for (std::size_t b = part.ours; b < part.our_end;) {
      std::size_t size = 0, next = b;
      if (ranks_[b] >= part.theirs && ranks_[b] < part.their_end) {
        do {
          size += blocks_[next++].size;
        } while (next < part.our_end && ranks_[next] == ranks_[next - 1] + 1 &&
                 ranks_[next] < part.their_end);
      } else {
        ++next;
      }
      if (size > most) {
        most = size;
        start = b;
        end = next;
      }
      b = next;
    }
    checkpoint(part.our_end - part.ours);
    if (most == 0) continue;
    std::fill(in_order_.begin() + static_cast<std::ptrdiff_t>(start),
              in_order_.begin() + static_cast<std::ptrdiff_t>(end), 1);
    parts_.push_back({part.ours, start, part.theirs, ranks_[start]});
    parts_.push_back({end, part.our_end, ranks_[end - 1] + 1, part.their_end});
  }
  kept_.clear();
  for (std::size_t b = 0; b < n; ++b) {
    if (in_order_[b]) kept_.push_back(blocks_[b]);
  }
}

// How many characters of the hypothesis a block that crosses others has to move.
std::int64_t CharCutCounter::distance(const Block& block) const {
  const auto after = std::lower_bound(
      kept_.begin(), kept_.end(), block,
      [](const Block& one, const Block& other) { return one.reference < other.reference; });
  const std::int64_t start = block.hypothesis;
  const std::int64_t end = start + block.size;
  if (after != kept_.begin()) {
    const Block& before = *(after - 1);
    const std::int64_t place = std::int64_t{before.hypothesis} + before.size;
    if (place > end) return place - end;
  }
  if (after == kept_.end()) return 0;
  return std::min<std::int64_t>(std::int64_t{after->hypothesis} - start, 0);
}

}  // namespace bleuet
