#include "ngrams/sari.hpp"

#include <algorithm>

namespace bleuet {
namespace {

// Nothing out of nothing is 1.
double share(double part, std::size_t whole) {
  return whole == 0 ? 1 : part / static_cast<double>(whole);
}

double f1(double precision, double recall) {
  const double both = precision + recall;
  return both == 0 ? 0 : 2 * precision * recall / both;
}

double ratio(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

void SariCounter::fill_row(const Reference* references, std::size_t n_references,
                           std::int64_t* integers, double* reals) {
  std::size_t size = hypothesis_.tokens.size();
  for (std::size_t r = 0; r < n_references; ++r) size += references[r].tokens.size();
  numbers_.start(size);
  words_.clear();
  ends_.clear();
  read(references[0].tokens);
  read(hypothesis_.tokens);
  for (std::size_t r = 1; r < n_references; ++r) read(references[r].tokens);

  double parts[3] = {0, 0, 0};
  for (std::size_t n = 1; n <= options_.max_ngram_order; ++n) {
    read_ngrams(n);
    add_parts(n_references - 1, parts);
  }
  for (double& part : parts) part /= static_cast<double>(options_.max_ngram_order);
  integers[0] = 1;
  reals[0] = (parts[0] + parts[1] + parts[2]) / 3;
  std::copy_n(parts, 3, reals + 1);
}

// A text without words has one empty word, as in Hugging Face evaluate's sari: no word is 0.
void SariCounter::read(const TokenList& tokens) {
  numbers_.add(tokens, words_);
  if (tokens.size() == 0) words_.push_back(0);
  ends_.push_back(words_.size());
}

void SariCounter::read_ngrams(std::size_t n) {
  if (n == 1) {
    begun_.assign(words_.begin(), words_.end());
  } else {
    pairs_.clear(words_.size());
  }
  ngrams_.assign(words_.size() + 1, {0, 0, 0});
  std::size_t begin = 0;
  for (std::size_t text = 0; text < ends_.size(); ++text) {
    for (std::size_t i = begin; i + n <= ends_[text]; ++i) {
      if (n > 1) {
        std::uint32_t& number = pairs_.number_of(begun_[i], words_[i + n - 1]);
        if (number == kUnknown) number = static_cast<std::uint32_t>(i);
        begun_[i] = number;
      }
      Ngram& ngram = ngrams_[begun_[i]];
      ++(text == 0 ? ngram.source : text == 1 ? ngram.hypothesis : ngram.references);
    }
    begin = ends_[text];
  }
}

// Adds F1 of added and of kept n-grams of one order, and precision of deleted ones. Each n-gram of
// the source and the hypothesis counts so many times (equations 2 to 7).
void SariCounter::add_parts(std::size_t times, double* parts) const {
  std::size_t kept = 0, deleted = 0, rightly_kept = 0, to_keep = 0;
  std::size_t added = 0, rightly_added = 0, to_add = 0;
  double keep_precision = 0, delete_precision = 0;
  for (const Ngram& one : ngrams_) {
    if (one.source == 0) {
      added += one.hypothesis != 0;
      to_add += one.references != 0;
      rightly_added += one.hypothesis != 0 && one.references != 0;
      continue;
    }
    const std::size_t had = times * one.source;
    const std::size_t stays = std::min(had, times * one.hypothesis);
    to_keep += std::min(had, one.references);
    if (stays != 0) {
      const std::size_t rightly = std::min(stays, one.references);
      ++kept;
      rightly_kept += rightly;
      keep_precision += ratio(rightly, stays);
    }
    if (const std::size_t goes = had - stays) {
      ++deleted;
      delete_precision += ratio(goes - std::min(goes, one.references), goes);
    }
  }
  const auto as_double = [](std::size_t count) { return static_cast<double>(count); };
  parts[0] += f1(share(as_double(rightly_added), added), share(as_double(rightly_added), to_add));
  parts[1] += f1(share(keep_precision, kept), share(as_double(rightly_kept), to_keep));
  parts[2] += share(delete_precision, deleted);
}

}  // namespace bleuet
