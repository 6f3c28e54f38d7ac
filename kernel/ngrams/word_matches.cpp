#include "ngrams/word_matches.hpp"

#include <algorithm>

namespace bleuet {
namespace {

constexpr std::uint8_t kCase = 0;

// Whether two texts are equal in lower case, or without the words of a kind.
bool same_but_for(std::uint8_t kind, const NumberedText& a, const NumberedText& b,
                  const WordKinds& words) {
  if (kind == kCase) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](std::int32_t x, std::int32_t y) {
      return words.lower[x] == words.lower[y];
    });
  }
  const auto skip = [&](const std::int32_t* at, const std::int32_t* end) {
    while (at != end && (words.kinds[*at] & kind) != 0) ++at;
    return at;
  };
  const std::int32_t* x = skip(a.begin(), a.end());
  const std::int32_t* y = skip(b.begin(), b.end());
  while (x != a.end() && y != b.end()) {
    if (*x != *y) return false;
    x = skip(x + 1, a.end());
    y = skip(y + 1, b.end());
  }
  return x == a.end() && y == b.end();
}

bool same(const NumberedText& a, const NumberedText& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

std::size_t WordMatcher::matches(const NumberedText& hypothesis, const NumberedText& reference) {
  for (const std::int32_t word : reference) ++available(word);
  std::size_t found = 0;
  for (const std::int32_t word : hypothesis) {
    if (available(word) == 0) continue;
    --available(word);
    ++found;
  }
  for (const std::int32_t word : reference) available(word) = 0;
  return found;
}

NumberedText WordMatcher::best_of(const NumberedText& hypothesis,
                                  const NumberedReferences& references, std::size_t segment) {
  std::size_t best = references.begin(segment);
  if (references.end(segment) == best + 1) return references.texts[best];
  std::size_t most = matches(hypothesis, references.texts[best]);
  for (std::size_t r = best + 1; r < references.end(segment); ++r) {
    const std::size_t found = matches(hypothesis, references.texts[r]);
    if (found <= most) continue;
    most = found;
    best = r;
  }
  return references.texts[best];
}

void WordMatcher::count(const NumberedText& hypothesis, const NumberedReferences& references,
                        std::size_t segment, const WordCounts& counts) {
  const NumberedText reference = best_of(hypothesis, references, segment);
  for (const std::int32_t word : reference) {
    ++counts.expected[word];
    ++available(word);
  }
  for (const std::int32_t word : hypothesis) {
    ++counts.produced[word];
    if (available(word) == 0) continue;
    --available(word);
    ++counts.matched[word];
  }
  for (const std::int32_t word : reference) available(word) = 0;
}

// Puts the words without a match into missing_ and added_.
void WordMatcher::separate(const NumberedText& hypothesis, const NumberedText& reference) {
  missing_.clear();
  added_.clear();
  for (const std::int32_t word : reference) ++available(word);
  for (const std::int32_t word : hypothesis) {
    if (available(word) == 0) {
      added_.push_back(word);
    } else {
      --available(word);
    }
  }
  for (const std::int32_t word : reference) {
    missing_.insert(missing_.end(), static_cast<std::size_t>(available(word)), word);
    available(word) = 0;
  }
}

// How many words without a match match each other in lower case.
std::int64_t WordMatcher::in_other_case(const std::int32_t* lower) {
  std::int64_t found = 0;
  for (const std::int32_t word : missing_) ++available(lower[word]);
  for (const std::int32_t word : added_) {
    if (available(lower[word]) == 0) continue;
    --available(lower[word]);
    ++found;
  }
  for (const std::int32_t word : missing_) available(lower[word]) = 0;
  return found;
}

void WordMatcher::find_errors(const NumberedText& hypothesis, const NumberedReferences& references,
                              std::size_t segment, const WordKinds& words,
                              std::array<SurfaceErrors, 3>& errors) {
  const auto row = static_cast<std::int64_t>(segment);
  separate(hypothesis, best_of(hypothesis, references, segment));
  const auto of_kind = [&](const std::vector<std::int32_t>& some, std::uint8_t kind) {
    return std::count_if(some.begin(), some.end(),
                         [&](std::int32_t word) { return (words.kinds[word] & kind) != 0; });
  };
  const std::int64_t in_case = in_other_case(words.lower);
  const std::uint8_t kinds[] = {kCase, kPunctuation, kNumber};
  for (std::size_t k = 0; k < errors.size(); ++k) {
    const std::int64_t missing = kinds[k] == kCase ? in_case : of_kind(missing_, kinds[k]);
    const std::int64_t added = kinds[k] == kCase ? in_case : of_kind(added_, kinds[k]);
    errors[k].missing += missing;
    errors[k].added += added;
    if (missing != 0 || added != 0) errors[k].rows.push_back(row);
  }

  const auto any = [&](auto holds) {
    for (std::size_t r = references.begin(segment); r < references.end(segment); ++r) {
      if (holds(references.texts[r])) return true;
    }
    return false;
  };
  if (any([&](const NumberedText& reference) { return same(hypothesis, reference); })) return;
  for (std::size_t k = 0; k < errors.size(); ++k) {
    if (any([&](const NumberedText& reference) {
          return same_but_for(kinds[k], hypothesis, reference, words);
        })) {
      errors[k].alone.push_back(row);
    }
  }
}

}  // namespace bleuet
