#include "meteor_alignment.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <tuple>

namespace bleuet {
namespace {

// Beyond this the search takes minutes.
constexpr std::size_t kMostMatches = 1000000;
// More than the cost of any path: a million distances of less than 2^32 each are less than this.
constexpr std::int64_t kMostCost = std::int64_t{1} << 42;

std::int32_t value_of(const MeteorMatch& match) {
  if (match.matcher == Matcher::exact) return 2;
  // Half of each side's words, rounded down.
  return static_cast<std::int32_t>(match.hypothesis_words / 2 + match.reference_words / 2);
}

std::int64_t distance_of(const MeteorMatch& match) {
  const auto i = static_cast<std::int64_t>(match.hypothesis);
  const auto j = static_cast<std::int64_t>(match.reference);
  return i < j ? j - i : i - j;
}

template <class Change>
void for_bits(std::size_t start, std::size_t n, Change change) {
  for (std::size_t bit = start; bit < start + n; ++bit) {
    change(bit / 64, std::uint64_t{1} << (bit % 64));
  }
}

}  // namespace

bool follows(const MeteorMatch& match, const MeteorMatch& last) {
  return last.hypothesis + last.hypothesis_words == match.hypothesis &&
         last.reference + last.reference_words == match.reference;
}

void MeteorText::assign(const std::int64_t* ids, std::size_t n, const MeteorLexicon& lexicon) {
  words.clear();
  stems.clear();
  functions.clear();
  phrases.clear();
  for (std::size_t i = 0; i < n; ++i) {
    const MeteorLexicon::Entry& word = lexicon.word(static_cast<std::size_t>(ids[i]));
    words.push_back(static_cast<MeteorWord>(ids[i]));
    stems.push_back(word.stem);
    functions.push_back(word.function);
  }
  const Paraphrases& paraphrases = lexicon.paraphrases();
  by_key.clear();
  present.fill(0);
  if (paraphrases.empty()) return;
  for (std::size_t start = 0; start < n; ++start) {
    PhraseKey key = 0;
    for (std::size_t end = start; end < std::min(n, start + paraphrases.longest()); ++end) {
      key = extend_phrase(key, lexicon.word(words[end]).key);
      if (!paraphrases.may_have(key)) continue;
      by_key.emplace_back(key, static_cast<std::uint32_t>(phrases.size()));
      present[key / 64 % 8] |= std::uint64_t{1} << key % 64;
      phrases.push_back({static_cast<std::uint32_t>(start),
                         static_cast<std::uint32_t>(end - start + 1), key,
                         paraphrases.others(key)});
    }
  }
  std::sort(by_key.begin(), by_key.end());
}

void MeteorText::trim() {
  words.shrink_to_fit();
  stems.shrink_to_fit();
  functions.shrink_to_fit();
  phrases.shrink_to_fit();
  by_key.shrink_to_fit();
}

const std::vector<MeteorMatch>& MeteorAligner::align(const MeteorText& hypothesis,
                                                     const MeteorText& reference,
                                                     const std::vector<Matcher>& matchers,
                                                     std::size_t beam,
                                                     const MeteorLexicon& lexicon) {
  find_matches(hypothesis, reference, matchers, lexicon);
  order_by_reference(reference.words.size());
  find_sure(hypothesis.words.size(), reference.words.size());
  search(hypothesis.words.size(), reference.words.size(), beam);
  return chosen_;
}

// --- Matches -------------------------------------------------------------------------------------

void MeteorAligner::find_matches(const MeteorText& hypothesis, const MeteorText& reference,
                                 const std::vector<Matcher>& matchers,
                                 const MeteorLexicon& lexicon) {
  found_.clear();
  for (const Matcher matcher : matchers) {
    switch (matcher) {
      case Matcher::exact:
        find_words(hypothesis, reference);
        break;
      case Matcher::stem:
        find_stems(hypothesis, reference);
        break;
      case Matcher::synonym:
        find_synonyms(hypothesis, reference, lexicon);
        break;
      case Matcher::paraphrase:
        find_phrases(hypothesis, reference);
        break;
    }
  }
}

void MeteorAligner::add(std::size_t i, std::size_t n, std::size_t j, std::size_t m,
                        Matcher matcher) {
  if (found_.size() == kMostMatches) {
    throw std::length_error("more than 1000000 pairs of words of a segment match");
  }
  found_.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(n),
                    static_cast<std::uint32_t>(j), static_cast<std::uint32_t>(m), matcher});
}

void MeteorAligner::find_words(const MeteorText& hypothesis, const MeteorText& reference) {
  for (std::size_t j = 0; j < reference.words.size(); ++j) {
    for (std::size_t i = 0; i < hypothesis.words.size(); ++i) {
      if (hypothesis.words[i] == reference.words[j]) add(i, 1, j, 1, Matcher::exact);
    }
  }
}

void MeteorAligner::find_stems(const MeteorText& hypothesis, const MeteorText& reference) {
  for (std::size_t j = 0; j < reference.words.size(); ++j) {
    for (std::size_t i = 0; i < hypothesis.words.size(); ++i) {
      if (hypothesis.stems[i] != reference.stems[j]) continue;
      if (hypothesis.words[i] != reference.words[j]) add(i, 1, j, 1, Matcher::stem);
    }
  }
}

void MeteorAligner::find_synonyms(const MeteorText& hypothesis, const MeteorText& reference,
                                  const MeteorLexicon& lexicon) {
  ++text_;
  members_.clear();
  sets_.resize(lexicon.synonym_sets());
  for (std::size_t i = 0; i < hypothesis.words.size(); ++i) {
    for (const std::uint32_t set : lexicon.word(hypothesis.words[i]).synonyms) {
      Set& its = sets_[set];
      const std::int32_t before = its.text == text_ ? its.last : -1;
      its = {text_, static_cast<std::int32_t>(members_.size())};
      members_.push_back({static_cast<std::uint32_t>(i), before});
    }
  }
  for (std::size_t j = 0; j < reference.words.size(); ++j) {
    matched_.assign(hypothesis.words.size(), false);
    for (const std::uint32_t set : lexicon.word(reference.words[j]).synonyms) {
      if (sets_[set].text != text_) continue;
      for (std::int32_t m = sets_[set].last; m >= 0;) {
        const Member& member = members_[static_cast<std::size_t>(m)];
        matched_[member.word] = true;
        m = member.before;
      }
    }
    for (std::size_t i = 0; i < hypothesis.words.size(); ++i) {
      if (matched_[i] && hypothesis.words[i] != reference.words[j]) {
        add(i, 1, j, 1, Matcher::synonym);
      }
    }
  }
}

void MeteorAligner::find_phrases(const MeteorText& hypothesis, const MeteorText& reference) {
  // METEOR counts a pair that the table has in both directions as two matches.
  for (const bool forward : {false, true}) {
    const MeteorText& from = forward ? hypothesis : reference;
    const MeteorText& to = forward ? reference : hypothesis;
    pairs_.clear();
    for (std::uint32_t one = 0; one < from.phrases.size(); ++one) {
      const Paraphrases::Others& others = from.phrases[one].others;
      for (const PhraseKey* key = others.begin; key != others.end; ++key) {
        to.with_key(*key, [&](std::uint32_t other) {
          forward ? pairs_.emplace_back(one, other) : pairs_.emplace_back(other, one);
        });
      }
    }
    std::sort(pairs_.begin(), pairs_.end());
    for (const auto& [our, their] : pairs_) {
      const MeteorPhrase& ours = hypothesis.phrases[our];
      const MeteorPhrase& theirs = reference.phrases[their];
      add(ours.start, ours.words, theirs.start, theirs.words, Matcher::paraphrase);
    }
  }
}

// A stable counting sort: the matches of a word stay in the order in which they were found.
void MeteorAligner::order_by_reference(std::size_t reference_words) {
  starts_.assign(reference_words + 1, 0);
  for (const MeteorMatch& match : found_) ++starts_[match.reference + 1];
  for (std::size_t j = 0; j < reference_words; ++j) starts_[j + 1] += starts_[j];
  order_.assign(starts_.begin(), starts_.end());
  matches_.resize(found_.size());
  for (const MeteorMatch& match : found_) matches_[order_[match.reference]++] = match;
}

void MeteorAligner::find_sure(std::size_t hypothesis_words, std::size_t reference_words) {
  hypothesis_counts_.assign(hypothesis_words, 0);
  reference_counts_.assign(reference_words, 0);
  for (const MeteorMatch& match : matches_) {
    for (std::size_t k = 0; k < match.hypothesis_words; ++k) {
      ++hypothesis_counts_[match.hypothesis + k];
    }
    for (std::size_t k = 0; k < match.reference_words; ++k) {
      ++reference_counts_[match.reference + k];
    }
  }
  const auto all_once = [](const std::vector<std::uint32_t>& counts, std::size_t start,
                           std::size_t n) {
    return std::all_of(counts.begin() + static_cast<std::ptrdiff_t>(start),
                       counts.begin() + static_cast<std::ptrdiff_t>(start + n),
                       [](std::uint32_t count) { return count == 1; });
  };
  sure_.assign(reference_words, -1);
  for (std::size_t m = 0; m < matches_.size(); ++m) {
    const MeteorMatch& match = matches_[m];
    if (all_once(hypothesis_counts_, match.hypothesis, match.hypothesis_words) &&
        all_once(reference_counts_, match.reference, match.reference_words)) {
      sure_[match.reference] = static_cast<std::int32_t>(m);
    }
  }
}

// --- Search --------------------------------------------------------------------------------------

bool MeteorAligner::allows(const Path& path, const MeteorMatch& match) const {
  const std::uint64_t* const used = used_.data() + path.used;
  std::uint64_t taken = 0;
  for_bits(match.hypothesis, match.hypothesis_words,
           [&](std::size_t word, std::uint64_t bit) { taken |= used[word] & bit; });
  return taken == 0;
}

void MeteorAligner::use(std::size_t used, const MeteorMatch& match) {
  for_bits(match.hypothesis, match.hypothesis_words,
           [&](std::size_t word, std::uint64_t bit) { used_[used + word] |= bit; });
}

MeteorAligner::End MeteorAligner::end_of(const Step& step) const {
  return step.match >= 0 ? End(match(step)) : paths_[step.path].end;
}

void MeteorAligner::search(std::size_t hypothesis_words, std::size_t reference_words,
                           std::size_t beam) {
  stride_ = (hypothesis_words + 63) / 64;
  nodes_.clear();
  used_.assign(stride_, 0);
  for (const std::int32_t sure : sure_) {
    if (sure >= 0) use(0, matches_[static_cast<std::size_t>(sure)]);
  }
  paths_.assign(1, Path{});
  steps_.assign(1, Step{});
  // Where the last match of all paths ends, if that is the same.
  bool same_end = true;
  End end;
  for (std::size_t place = 0; place < reference_words; ++place) {
    // At a word without matches no path becomes longer, and what orders them stays the same.
    if (starts_[place] == starts_[place + 1] && steps_.size() <= beam) continue;
    const MeteorMatch* const sure = sure_at(place);
    // A sure match that all paths continue alike changes nothing between them.
    if (sure == nullptr || !same_end) {
      prune(place, beam);
      settle(same_end ? &end : nullptr);
      extend(place, sure);
      same_end = sure != nullptr;
    }
    if (sure != nullptr) end = End(*sure);
  }
  choose();
}

// Orders the steps by chunks, cost and value, and keeps the best.
void MeteorAligner::prune(std::size_t place, std::size_t beam) {
  const auto in_order = [](const Step& a, const Step& b) {
    return a.order != b.order ? a.order < b.order : a.rest < b.rest;
  };
  for (std::size_t s = 0; s < steps_.size(); ++s) steps_[s].number(s);
  if (steps_.size() > beam) {
    // Of chunks only those count that have ended.
    const auto ended = [&](const Step& step) {
      return step.order - (end_of(step).reference >= place ? kMostCost : 0);
    };
    keep_best(beam, [&](const Step& a, const Step& b) {
      const std::int64_t ours = ended(a);
      const std::int64_t theirs = ended(b);
      return ours != theirs ? ours < theirs : in_order(a, b);
    });
  }
  if (!std::is_sorted(steps_.begin(), steps_.end(), in_order)) {
    std::sort(steps_.begin(), steps_.end(), in_order);
  }
}

// Keeps the steps with the highest values; of those with the lowest of these, the `better` ones.
template <class Better>
void MeteorAligner::keep_best(std::size_t n, Better better) {
  const auto [least, most] = std::minmax_element(
      steps_.begin(), steps_.end(), [](const Step& a, const Step& b) { return a.rest < b.rest; });
  const std::uint64_t first = least->rest >> 32;
  counts_.assign((most->rest >> 32) - first + 1, 0);
  for (const Step& step : steps_) ++counts_[(step.rest >> 32) - first];
  std::size_t last = 0;
  std::size_t whole = 0;  // how many have a higher value than `last` stands for
  while (whole + counts_[last] < n) whole += counts_[last++];
  const auto below = [&](std::size_t limit) {
    return [=](const Step& step) { return (step.rest >> 32) - first < limit; };
  };
  const auto ties = std::partition(steps_.begin(), steps_.end(), below(last));
  const auto end = std::partition(ties, steps_.end(), below(last + 1));
  std::nth_element(ties, steps_.begin() + static_cast<std::ptrdiff_t>(n), end, better);
  steps_.resize(n);
}

// Makes paths of the steps. `end` is where the last match of all of them ends, if that is the same.
void MeteorAligner::settle(const End* end) {
  next_.clear();
  for (const Step& step : steps_) {
    Path path = paths_[step.path];
    path.order = step.order;
    path.value = step.value();
    if (step.match >= 0) {
      const std::size_t used = used_.size();
      used_.resize(used + stride_);
      std::copy_n(used_.data() + path.used, stride_, used_.data() + used);
      use(used, match(step));
      path.used = used;
      path.words += match(step).reference_words;
      nodes_.push_back({step.match, path.node});
      path.node = static_cast<std::int32_t>(nodes_.size()) - 1;
    }
    path.end = end != nullptr ? *end : end_of(step);
    next_.push_back(path);
  }
  paths_.swap(next_);
}

void MeteorAligner::extend(std::size_t place, const MeteorMatch* sure) {
  steps_.clear();
  for (std::size_t p = 0; p < paths_.size(); ++p) {
    const Path& path = paths_[p];
    const auto step = [&](std::int64_t order, std::int32_t value, std::int32_t match) {
      steps_.push_back(
          {path.order + order, rest_of(path.value + value), static_cast<std::uint32_t>(p), match});
    };
    if (path.end.reference > place) {
      step(0, 0, -1);
    } else if (sure != nullptr) {
      step(path.end.joins(*sure) ? 0 : kMostCost, value_of(*sure), -1);
    } else {
      const std::size_t without = steps_.size();
      step(0, 0, -1);
      std::int64_t cost = 0;
      for (std::size_t m = starts_[place]; m < starts_[place + 1]; ++m) {
        if (!allows(path, matches_[m])) continue;
        step(cost + (path.end.joins(matches_[m]) ? 0 : kMostCost), value_of(matches_[m]),
             static_cast<std::int32_t>(m));
        cost += distance_of(matches_[m]);
      }
      steps_[without].order += cost;
    }
  }
}

// Takes the matches of the best path, and the sure ones.
void MeteorAligner::choose() {
  const auto rank = [&](const Step& step) {
    const std::int64_t words =
        paths_[step.path].words + (step.match >= 0 ? match(step).reference_words : 0);
    return std::make_tuple(step.rest >> 32, step.order, -words);
  };
  const Step& best =
      *std::min_element(steps_.begin(), steps_.end(),
                        [&](const Step& a, const Step& b) { return rank(a) < rank(b); });
  const auto take = [&](std::int32_t number) {
    sure_[matches_[static_cast<std::size_t>(number)].reference] = number;
  };
  if (best.match >= 0) take(best.match);
  for (std::int32_t node = paths_[best.path].node; node >= 0;) {
    const Node& passed = nodes_[static_cast<std::size_t>(node)];
    take(passed.match);
    node = passed.parent;
  }
  chosen_.clear();
  for (std::size_t place = 0; place < sure_.size(); ++place) {
    if (const MeteorMatch* const match = sure_at(place)) chosen_.push_back(*match);
  }
}

}  // namespace bleuet
