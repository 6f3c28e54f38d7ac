#include "ngrams/rouge.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "edits/length_limit.hpp"
#include "rows/interruption.hpp"

namespace bleuet {

void RougeCounter::prepare(const Text& text, Reference& reference) {
  tokenize(options_.tokenizer, text, options_.letter_case, reference.buffers, reference.tokens);
  const TokenList& tokens = reference.tokens;
  reference.ends.clear();
  const char* const bytes = reference.buffers.utf8.data();
  for (std::size_t i = 1; options_.unit == Unit::sentences && i < tokens.size(); ++i) {
    const std::size_t before = tokens[i - 1].begin + tokens[i - 1].size;
    const std::string_view between(bytes + before, tokens[i].begin - before);
    if (between.find('\n') != std::string_view::npos) reference.ends.push_back(i);
  }
  if (tokens.size() != 0) reference.ends.push_back(tokens.size());
}

void RougeCounter::trim(Reference& reference) {
  reference.tokens.own_text();
  reference.buffers = {};
}

// A word has as many followers as are left, and at most one more than it can skip.
std::size_t RougeCounter::skip_pairs(std::size_t tokens) const {
  const std::size_t most = std::min(tokens, options_.skip_distance + 1);
  const std::size_t few = most * (most - std::min<std::size_t>(most, 1)) / 2;
  return (tokens - most) * (options_.skip_distance + 1) + few;
}

// What precision and recall divide by: n-grams or tokens.
std::size_t RougeCounter::units(const Segment& segment) const {
  const std::size_t tokens = segment.tokens.size();
  if (options_.unit == Unit::skip) {
    const std::size_t single = options_.paper || tokens == 0 ? tokens : tokens - 1;
    return skip_pairs(tokens) + (options_.unigrams ? single : 0);
  }
  if (options_.unit != Unit::ngrams) return tokens;
  return tokens < options_.order ? 0 : tokens - options_.order + 1;
}

std::size_t RougeCounter::shared_units(const Segment& reference) {
  if (units(hypothesis_) == 0 || units(reference) == 0) return 0;
  if (options_.unit == Unit::ngrams) {
    const TokenList* const tokens = &reference.tokens;
    ngrams_.count(hypothesis_.tokens, &tokens, 1, options_.order, matches_.data());
    return static_cast<std::size_t>(matches_.back());
  }
  check_cells("ROUGE-L of words", hypothesis_.tokens.size(), reference.tokens.size(),
              kMostSubsequenceCells);
  const bool united = options_.unit == Unit::sentences || marks_ != nullptr;
  if (!united && reference.tokens.size() <= kLongestMasked) {
    return short_subsequence(reference.tokens, hypothesis_.tokens);
  }
  numbers_.number(hypothesis_.tokens, hypothesis_numbers_);
  numbers_.find(reference.tokens, reference_numbers_);
  if (united) return union_of_subsequences(reference);
  subsequence_.read(reference_numbers_.data(), reference_numbers_.size(),
                    hypothesis_numbers_.size());
  return subsequence_.length(hypothesis_numbers_.data(), hypothesis_numbers_.size());
}

// Reference tokens in the union of the subsequences, each token at most as often as the hypothesis
// has it, as in ROUGE-1.5.5 and rouge-score.
std::size_t RougeCounter::union_of_subsequences(const Segment& reference) {
  left_.assign(hypothesis_numbers_.size(), 0);
  for (const std::uint32_t number : hypothesis_numbers_) ++left_[number];
  std::size_t shared = 0;
  std::size_t start = 0;
  for (const std::size_t end : reference.ends) {
    const std::uint32_t* const sentence = reference_numbers_.data() + start;
    found_.assign(end - start, kUnknown);
    subsequence_.read(sentence, end - start, left_.size());
    std::size_t other = 0;
    for (const std::size_t other_end : hypothesis_.ends) {
      subsequence_.find(hypothesis_numbers_.data() + other, other_end - other, other, found_);
      other = other_end;
    }
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (found_[i] == kUnknown || left_[sentence[i]] == 0) continue;
      --left_[sentence[i]];
      ++shared;
      if (marks_ != nullptr) marks_->tried.push_back({found_[i], 1, start + i, 1, 0});
    }
    start = end;
  }
  return shared;
}

// The weight of the common subsequence in which runs count more, as the definition has it.
double RougeCounter::weighted_subsequence() {
  const std::size_t n = reference_numbers_.size(), m = hypothesis_numbers_.size();
  for (std::size_t k = powers_.size(); k < std::min(n, m) + 2; ++k) {
    powers_.push_back(power(static_cast<double>(k)));
  }
  row_.assign(m + 1, Cell{0, 0, 0, n + 1, 0});
  for (std::size_t i = 1; i <= n; ++i) {
    checkpoint(4 * m);
    const std::uint32_t number = reference_numbers_[i - 1];
    Cell diagonal = row_[0];
    for (std::size_t j = 1; j <= m; ++j) {
      Cell cell = row_[j];
      const Cell above = cell;
      if (number == hypothesis_numbers_[j - 1]) {
        cell = diagonal;
        cell.total = cell.total + powers_[cell.length + 1] - powers_[cell.length];
        ++cell.length;
        if (cell.last == i - 1) {
          ++cell.run;
        } else {
          cell.ended += powers_[cell.run];
          cell.run = 1;
        }
        cell.last = i;
      } else {
        if (!(above.total >= row_[j - 1].total)) cell = row_[j - 1];
        cell.length = 0;
      }
      diagonal = above;
      row_[j] = cell;
    }
  }
  const Cell& end = row_[m];
  return options_.paper ? end.total : end.ended + powers_[end.run];
}

// The pairs of words in order, and single words as pairs with kUnknown. Those with words that the
// hypothesis lacks are left out.
void RougeCounter::skip_bigrams(const std::vector<std::uint32_t>& numbers,
                                std::vector<std::uint64_t>& grams) {
  grams.clear();
  const std::size_t n = numbers.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (numbers[i] == kUnknown) continue;
    const std::uint64_t first = static_cast<std::uint64_t>(numbers[i]) << 32;
    const std::size_t end =
        n - i <= options_.skip_distance + 1 ? n : i + options_.skip_distance + 2;
    checkpoint(8 * (end - i));
    for (std::size_t j = i + 1; j < end; ++j) {
      if (numbers[j] != kUnknown) grams.push_back(first | numbers[j]);
    }
    if (options_.unigrams && (options_.paper || i + 1 < n)) grams.push_back(first | kUnknown);
  }
  std::sort(grams.begin(), grams.end());
}

double RougeCounter::power(double length) const { return std::pow(length, options_.weight); }

RougeCounter::Shared RougeCounter::shared_with(const Segment& reference) {
  if (options_.unit != Unit::weighted && options_.unit != Unit::skip) {
    return {static_cast<double>(shared_units(reference)), static_cast<double>(units(hypothesis_)),
            static_cast<double>(units(reference))};
  }
  numbers_.number(hypothesis_.tokens, hypothesis_numbers_);
  numbers_.find(reference.tokens, reference_numbers_);
  if (options_.unit == Unit::weighted) {
    check_cells("ROUGE-W of words", hypothesis_.tokens.size(), reference.tokens.size(),
                kMostWeightedCells);
    const double theirs = power(static_cast<double>(reference.tokens.size()));
    return {weighted_subsequence(), power(static_cast<double>(hypothesis_.tokens.size())),
            options_.paper ? theirs : power(theirs)};
  }
  check_pairs("ROUGE-S", "words",
              skip_pairs(hypothesis_.tokens.size()) + skip_pairs(reference.tokens.size()),
              kMostSkipBigrams);
  skip_bigrams(hypothesis_numbers_, grams_);
  skip_bigrams(reference_numbers_, other_grams_);
  std::size_t shared = 0;
  auto one = grams_.begin();
  for (const std::uint64_t gram : other_grams_) {
    while (one != grams_.end() && *one < gram) ++one;
    if (one == grams_.end()) break;
    if (*one != gram) continue;
    ++shared;
    ++one;
  }
  return {static_cast<double>(shared), static_cast<double>(units(hypothesis_)),
          static_cast<double>(units(reference))};
}

RougeCounter::Measures RougeCounter::measures(const Shared& counts) const {
  double precision = counts.shared / std::max(counts.ours, 1.0);
  double recall = counts.shared / std::max(counts.theirs, 1.0);
  if (options_.unit == Unit::weighted && options_.weight != 1) {
    precision = std::pow(precision, 1 / options_.weight);
    recall = std::pow(recall, 1 / options_.weight);
  }
  const double sum = precision + recall;
  return {precision, recall, sum > 0 ? 2 * precision * recall / sum : 0};
}

// The first with the highest F but one; `left_out` may be none of them.
const RougeCounter::Measures* RougeCounter::best_but(std::size_t left_out) const {
  const Measures* best = nullptr;
  for (std::size_t i = 0; i < measures_.size(); ++i) {
    if (i != left_out && (best == nullptr || measures_[i].f > best->f)) best = &measures_[i];
  }
  return best;
}

void RougeCounter::count(const Text& hypothesis, const Reference* references,
                         std::size_t n_references, std::int64_t* integers, double* reals) {
  prepare(hypothesis, hypothesis_);
  measures_.clear();
  Shared all{0, 0, 0};
  double highest = -1;
  for (std::size_t r = 0; r < n_references; ++r) {
    if (marks_ != nullptr) marks_->tried.clear();
    const Shared counts = shared_with(references[r]);
    all = {all.shared + counts.shared, all.ours + counts.ours, all.theirs + counts.theirs};
    measures_.push_back(measures(counts));
    if (measures_.back().f <= highest) continue;
    highest = measures_.back().f;
    if (marks_ != nullptr) marks_->keep(r);
  }
  Measures found = *best_but(n_references);
  if (options_.several == Several::average) found = measures(all);
  if (options_.several == Several::jackknife && n_references > 1) {
    found = {0, 0, 0};
    for (std::size_t r = 0; r < n_references; ++r) {
      const Measures& best = *best_but(r);
      found = {found.precision + best.precision, found.recall + best.recall, found.f + best.f};
    }
    const double n = static_cast<double>(n_references);
    found = {found.precision / n, found.recall / n, found.f / n};
  }
  integers[0] = 1;
  reals[0] = found.precision;
  reals[1] = found.recall;
  reals[2] = found.f;
}

}  // namespace bleuet
