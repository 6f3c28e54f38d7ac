// Counting the errors of one segment against its references.
#include "edits/wer.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "edits/length_limit.hpp"
#include "text/unicode.hpp"

namespace bleuet {
namespace {

// Positions are 32-bit numbers with room for sums.
constexpr std::size_t kLongestSegment = 1U << 28;

constexpr WordId kAscii = 128;
constexpr std::size_t kRecent = 256;

void check_length(std::size_t n) {
  if (n > kLongestSegment)
    throw std::length_error("a segment has more than 2^28 characters; split it into segments");
}

// Less where a reference is nearer.
auto rank(const EditCounts& edits) {
  const std::int64_t errors = edits.substitutions + edits.deletions + edits.insertions;
  return std::make_tuple(errors, -(edits.hits + edits.substitutions + edits.deletions),
                         -edits.hits);
}

}  // namespace

void WerCounter::prepare(const Text& text, Reference& reference) {
  read(text, reference.vocabulary.text());
  prepare_words(reference);
}

void WerCounter::trim(Reference& reference) {
  reference.vocabulary.trim();
  reference.positions.trim();
}

void WerCounter::count(const Text& hypothesis, const Reference* references,
                       std::size_t n_references, std::int64_t* integers, double*) {
  read(hypothesis, bytes_);
  count_words(references, n_references, integers);
}

void WerCounter::prepare_ids(const std::int64_t* ids, std::size_t n, Reference& reference) {
  read_ids(ids, n);
  prepare_words(reference);
}

void WerCounter::count_ids(const std::int64_t* ids, std::size_t n, const Reference* references,
                           std::size_t n_references, std::int64_t* integers, double*) {
  read_ids(ids, n);
  count_words(references, n_references, integers);
}

void WerCounter::read(const Text& text, std::vector<char>& buffer) {
  check_length(text.length);
  const Text kept = options_.no_punct ? without_punctuation(text) : text;
  if (options_.characters) {
    read_characters(kept);
  } else {
    split_words(to_utf8(kept, options_.letter_case, buffer), words_,
                options_.white_space == WhiteSpace::jiwer ? Gaps::spaces_and_runs : Gaps::all);
  }
}

void WerCounter::read_characters(const Text& text) {
  const std::size_t n = to_code_points(text, options_.letter_case, characters_);
  ascii_ = text.ascii;
  const auto begin = characters_.begin();
  auto end = begin + static_cast<std::ptrdiff_t>(n);
  if (options_.white_space == WhiteSpace::none) {
    end = std::remove_if(begin, end, is_space);
  } else if (options_.white_space == WhiteSpace::single) {
    const auto is_second = [](char32_t a, char32_t b) { return a == U' ' && b == U' '; };
    std::replace_if(begin, end, is_space, U' ');
    end = std::unique(begin, end, is_second);
  }
  const bool strip = options_.white_space != WhiteSpace::keep;
  const auto first = strip ? std::find_if_not(begin, end, is_space) : begin;
  while (strip && end != first && is_space(*(end - 1))) --end;
  first_ = static_cast<std::size_t>(first - begin);
  last_ = static_cast<std::size_t>(end - begin);
}

Text WerCounter::without_punctuation(const Text& text) {
  const std::size_t n = to_code_points(text, Case::keep, kept_);
  const auto end =
      std::remove_if(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(n),
                     [](char32_t c) { return property_of(c) == Property::punctuation; });
  return {kept_.data(), static_cast<std::size_t>(end - kept_.begin()), sizeof(char32_t), false};
}

void WerCounter::read_ids(const std::int64_t* ids, std::size_t n) {
  check_length(n);
  words_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    words_.push_back({static_cast<std::uint64_t>(ids[i]), nullptr, sizeof ids[i]});
  }
}

// A character of ASCII is its number; others, and words, have those of the vocabulary.
template <class NumberOf>
void WerCounter::number_items(NumberOf number_of) {
  if (!options_.characters) {
    numbers_.resize(words_.size());
    std::transform(words_.begin(), words_.end(), numbers_.begin(), number_of);
    return;
  }
  const char32_t* const first = characters_.data() + first_;
  const char32_t* const last = characters_.data() + last_;
  if (ascii_) {
    numbers_.assign(first, last);
    return;
  }
  recent_.assign(kRecent, {});
  numbers_.resize(last_ - first_);
  std::transform(first, last, numbers_.begin(), [&](char32_t c) {
    if (c < kAscii) return WordId{c};
    Numbered& recent = recent_[c % kRecent];
    if (recent.character != c) {
      recent = {c, kAscii + number_of(TerWord{c, nullptr, sizeof c})};
    }
    return recent.number;
  });
}

void WerCounter::prepare_words(Reference& reference) {
  TerVocabulary& vocabulary = reference.vocabulary;
  const std::size_t characters = ascii_ ? 0 : last_ - first_;
  vocabulary.clear(options_.characters ? characters : words_.size());
  number_items([&](const TerWord& word) { return vocabulary.add(word); });
  const std::size_t n_words = vocabulary.size() + (options_.characters ? kAscii : 0);
  if (options_.moves == Moves::blocks) {
    reference.positions.build(numbers_, n_words);
  } else {
    reference.positions.build_words(numbers_, n_words);
  }
}

void WerCounter::find_words(const Reference& reference) {
  number_items([&](const TerWord& word) { return reference.vocabulary.find(word); });
}

void WerCounter::check_size(const WordPositions& reference) const {
  if (numbers_ == reference.reference()) return;
  check_cells(options_.characters ? "edits of characters" : "edits of words", numbers_.size(),
              reference.reference().size(), kMostEditCells);
}

WerCounter::Distance WerCounter::distance(const Text& hypothesis, const Reference& reference) {
  read(hypothesis, bytes_);
  find_words(reference);
  check_size(reference.positions);
  return {static_cast<std::int64_t>(numbers_.size()),
          levenshtein_.distance(reference.positions, numbers_)};
}

void WerCounter::count_words(const Reference* references, std::size_t n_references,
                             std::int64_t* integers) {
  EditCounts nearest;
  for (std::size_t r = 0; r < n_references; ++r) {
    find_words(references[r]);
    if (options_.moves != Moves::free) check_size(references[r].positions);
    const EditCounts counts = edits(references[r].positions);
    if (r > 0 && rank(counts) >= rank(nearest)) continue;
    nearest = counts;
    if (marks_ != nullptr) marks_->keep(r);
  }
  integers[0] = nearest.hits;
  integers[1] = nearest.substitutions;
  integers[2] = nearest.deletions;
  integers[3] = nearest.insertions;
}

EditCounts WerCounter::edits(const WordPositions& reference) {
  std::vector<Mark>* const marks = marks_ == nullptr ? nullptr : &marks_->tried;
  switch (options_.moves) {
    case Moves::blocks:
      return long_jumps_.count(reference, numbers_, marks);
    case Moves::free:
      if (marks != nullptr) mark_unordered(reference);
      return unordered(reference);
    default:
      return levenshtein_.count(reference, numbers_, marks);
  }
}

EditCounts WerCounter::unordered(const WordPositions& reference) {
  left_.assign(reference.n_words() + 1, 0);
  for (const WordId word : reference.reference()) ++left_[word];
  EditCounts counts;
  for (const WordId word : numbers_) {
    if (left_[word] == 0) continue;
    --left_[word];
    ++counts.hits;
  }
  const std::int64_t n = reference.size();
  const auto m = static_cast<std::int64_t>(numbers_.size());
  counts.substitutions = std::min(n, m) - counts.hits;
  counts.deletions = std::max<std::int64_t>(n - m, 0);
  counts.insertions = std::max<std::int64_t>(m - n, 0);
  return counts;
}

void WerCounter::mark_unordered(const WordPositions& reference) {
  const std::vector<WordId>& theirs = reference.reference();
  const std::size_t n = theirs.size();
  const std::size_t m = numbers_.size();
  // The places of each reference word from the left, n behind the last.
  std::vector<std::size_t> first(reference.n_words() + 1, n);
  std::vector<std::size_t> following(n);
  for (std::size_t j = n; j-- > 0; first[theirs[j]] = j) following[j] = first[theirs[j]];
  std::vector<Mark>& marks = marks_->tried;
  marks.clear();
  std::vector<std::size_t> ours;
  std::vector<bool> matched(n);
  for (std::size_t i = 0; i < m; ++i) {
    const std::size_t j = first[numbers_[i]];
    if (j == n) {
      ours.push_back(i);
      continue;
    }
    first[numbers_[i]] = following[j];
    matched[j] = true;
    marks.push_back({i, 1, j, 1, kHitMark});
  }
  auto one = ours.begin();
  for (std::size_t j = 0; j < n; ++j) {
    if (matched[j]) continue;
    const bool left = one != ours.end();
    marks.push_back({left ? *one : m, left ? std::size_t{1} : 0, j, 1,
                     left ? kSubstitutionMark : kDeletionMark});
    if (left) ++one;
  }
  for (; one != ours.end(); ++one) marks.push_back({*one, 1, n, 0, kInsertionMark});
}

}  // namespace bleuet
