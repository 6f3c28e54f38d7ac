#include "meteor/meteor.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace bleuet {

void MeteorCounter::prepare(const Text&, Reference&) {
  throw std::invalid_argument("METEOR counts the numbers of words");
}

void MeteorCounter::count(const Text&, const Reference*, std::size_t, std::int64_t*, double*) {
  throw std::invalid_argument("METEOR counts the numbers of words");
}

void MeteorCounter::prepare_ids(const std::int64_t* ids, std::size_t n, Reference& reference) {
  const auto lock = options_.lexicon->reading();
  reference.assign(ids, n, *options_.lexicon);
}

void MeteorCounter::count_ids(const std::int64_t* ids, std::size_t n, const Reference* references,
                              std::size_t n_references, std::int64_t* integers, double*) {
  const auto lock = options_.lexicon->reading();
  hypothesis_.assign(ids, n, *options_.lexicon);
  row_.resize(MeteorCounter::integers(options_));
  double best = -1;
  for (std::size_t r = 0; r < n_references; ++r) {
    fill_row(references[r], row_.data());
    const double score =
        meteor_score(row_.data(), options_.weights, options_.parameters, options_.characters);
    if (score > best) {
      best = score;
      std::copy(row_.begin(), row_.end(), integers);
    }
  }
}

const std::vector<MeteorMatch>& MeteorCounter::align(const Reference& hypothesis,
                                                     const Reference& reference) {
  const auto lock = options_.lexicon->reading();
  return aligned(hypothesis, reference);
}

const std::vector<MeteorMatch>& MeteorCounter::aligned(const Reference& hypothesis,
                                                       const Reference& reference) {
  const auto align = [&](auto& aligner) -> const std::vector<MeteorMatch>& {
    return aligner.align(hypothesis, reference, options_.matchers, options_.beam,
                         *options_.lexicon);
  };
  return options_.staged ? align(stages_) : align(aligner_);
}

void MeteorCounter::fill_row(const Reference& reference, std::int64_t* row) {
  const auto& matches = aligned(hypothesis_, reference);
  std::fill_n(row, integers(options_), 0);
  const MeteorText* const texts[] = {&hypothesis_, &reference};
  // What the words of a text count from `start` on: their number, or that of their characters.
  const auto add = [&](std::size_t side, std::size_t start, std::size_t n, std::int64_t* content,
                       std::int64_t* function) {
    const MeteorText& text = *texts[side];
    for (std::size_t i = start; i < start + n; ++i) {
      const std::int64_t count =
          options_.characters ? options_.lexicon->word(text.words[i]).characters : 1;
      *content += text.functions[i] ? 0 : count;
      *function += text.functions[i] ? count : 0;
    }
  };
  for (std::size_t side = 0; side < 2; ++side) {
    add(side, 0, texts[side]->words.size(), row + side, row + 2 + side);
    row[side] += row[2 + side];
  }
  std::int64_t matched[2] = {0, 0};
  for (std::size_t m = 0; m < matches.size(); ++m) {
    const MeteorMatch& match = matches[m];
    if (m == 0 || !follows(match, matches[m - 1])) ++row[4];
    matched[0] += match.hypothesis_words;
    matched[1] += match.reference_words;
    const auto matcher =
        std::find(options_.matchers.begin(), options_.matchers.end(), match.matcher);
    std::int64_t* counts = row + 5 + 4 * (matcher - options_.matchers.begin());
    add(0, match.hypothesis, match.hypothesis_words, counts, counts + 2);
    add(1, match.reference, match.reference_words, counts + 1, counts + 3);
  }
  const auto ours = static_cast<std::int64_t>(hypothesis_.words.size());
  const auto theirs = static_cast<std::int64_t>(reference.words.size());
  // As in METEOR 1.5, a segment that matches in full and in order has no fragmentation.
  if (!options_.staged && row[4] == 1 && matched[0] + matched[1] == ours + theirs) row[4] = 0;
  if (options_.characters) {
    std::int64_t* words = row + integers(options_) - 4;
    words[0] = ours;
    words[1] = theirs;
    words[2] = matched[0];
    words[3] = matched[1];
  }
}

double meteor_score(const std::int64_t* values, const std::vector<double>& weights,
                    const MeteorParameters& parameters, bool characters) {
  const auto number = [&](std::size_t i) { return static_cast<double>(values[i]); };
  const double delta = parameters.delta;
  double hyp_matches = 0;
  double ref_matches = 0;
  double matched = 0;
  for (std::size_t m = 0; m < weights.size(); ++m) {
    const std::size_t at = 5 + 4 * m;
    hyp_matches += weights[m] * (delta * number(at) + (1 - delta) * number(at + 2));
    ref_matches += weights[m] * (delta * number(at + 1) + (1 - delta) * number(at + 3));
    matched += number(at) + number(at + 1) + number(at + 2) + number(at + 3);
  }
  if (!(hyp_matches > 0 && ref_matches > 0)) return 0;
  const double hyp_weight = delta * (number(0) - number(2)) + (1 - delta) * number(2);
  const double ref_weight = delta * (number(1) - number(3)) + (1 - delta) * number(3);
  const double precision = hyp_matches / hyp_weight;
  const double recall = ref_matches / ref_weight;
  const double f_mean =
      precision * recall / (parameters.alpha * precision + (1 - parameters.alpha) * recall);
  // Fragments are of words, even where characters count.
  const std::size_t words = 5 + 4 * weights.size();
  if (characters) matched = number(words + 2) + number(words + 3);
  const double fragmentation = number(4) / (matched / 2);
  return 100 * (f_mean * (1 - parameters.gamma * std::pow(fragmentation, parameters.beta)));
}

}  // namespace bleuet
