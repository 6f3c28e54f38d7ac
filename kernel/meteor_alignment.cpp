#include "meteor_alignment.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace bleuet {
namespace {

// Beyond this the search takes minutes.
constexpr std::size_t kMostMatches = 1000000;
// More than the cost of any path: a million distances of less than 2^32 each are less than this.
constexpr std::int64_t kMostCost = std::int64_t{1} << 42;

std::int64_t value_of(const MeteorMatch& match) {
  if (match.matcher == Matcher::exact) return 2;
  // Half of each side's words, rounded down.
  return match.hypothesis_words / 2 + match.reference_words / 2;
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
  phrases.clear();
  for (std::size_t i = 0; i < n; ++i) {
    lexicon.word(static_cast<std::size_t>(ids[i]));
    words.push_back(static_cast<MeteorWord>(ids[i]));
  }
  const Paraphrases& paraphrases = lexicon.paraphrases();
  if (paraphrases.empty()) return;
  for (std::size_t start = 0; start < n; ++start) {
    PhraseKey key = 0;
    for (std::size_t end = start; end < std::min(n, start + paraphrases.longest()); ++end) {
      key = extend_phrase(key, lexicon.word(words[end]).key);
      if (paraphrases.may_have(key)) {
        phrases.push_back(
            {static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end - start + 1), key});
      }
    }
  }
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
    if (matcher == Matcher::paraphrase) {
      find_phrases(hypothesis, reference, lexicon);
    } else {
      find_words(hypothesis, reference, matcher, lexicon);
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

void MeteorAligner::find_words(const MeteorText& hypothesis, const MeteorText& reference,
                               Matcher matcher, const MeteorLexicon& lexicon) {
  const auto& ours = hypothesis.words;
  const auto& theirs = reference.words;
  for (std::size_t j = 0; j < theirs.size(); ++j) {
    const MeteorLexicon::Entry& their = lexicon.word(theirs[j]);
    if (matcher == Matcher::synonym && their.synonyms.empty()) continue;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      // Words that are equal only match exactly.
      const bool equal = ours[i] == theirs[j];
      if (equal != (matcher == Matcher::exact)) continue;
      if (!equal) {
        const MeteorLexicon::Entry& our = lexicon.word(ours[i]);
        if (matcher == Matcher::stem ? our.stem != their.stem : !share_synonym(our, their)) {
          continue;
        }
      }
      add(i, 1, j, 1, matcher);
    }
  }
}

void MeteorAligner::find_phrases(const MeteorText& hypothesis, const MeteorText& reference,
                                 const MeteorLexicon& lexicon) {
  // METEOR counts a pair that the table has in both directions as two matches.
  const Paraphrases& table = lexicon.paraphrases();
  for (const bool forward : {false, true}) {
    for (const MeteorPhrase& our : hypothesis.phrases) {
      for (const MeteorPhrase& their : reference.phrases) {
        if (forward ? table.has(our.key, their.key) : table.has(their.key, our.key)) {
          add(our.start, our.words, their.start, their.words, Matcher::paraphrase);
        }
      }
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

bool MeteorAligner::allows(const std::uint64_t* used, const MeteorMatch& match) const {
  bool free = true;
  const auto check = [&](std::size_t word, std::uint64_t bit) { free &= (used[word] & bit) == 0; };
  for_bits(match.hypothesis, match.hypothesis_words, check);
  for_bits(reference_offset_ + match.reference, match.reference_words, check);
  return free;
}

void MeteorAligner::use(std::uint64_t* used, const MeteorMatch& match) const {
  const auto set = [&](std::size_t word, std::uint64_t bit) { used[word] |= bit; };
  for_bits(match.hypothesis, match.hypothesis_words, set);
  for_bits(reference_offset_ + match.reference, match.reference_words, set);
}

bool MeteorAligner::follows(std::int32_t match, std::int32_t last) const {
  return last >= 0 && bleuet::follows(matches_[static_cast<std::size_t>(match)],
                                      matches_[static_cast<std::size_t>(last)]);
}

void MeteorAligner::search(std::size_t hypothesis_words, std::size_t reference_words,
                           std::size_t beam) {
  reference_offset_ = (hypothesis_words + 63) / 64 * 64;
  stride_ = (reference_offset_ + reference_words + 63) / 64;
  nodes_.clear();
  used_.assign(stride_, 0);
  for (const std::int32_t sure : sure_) {
    if (sure >= 0) use(used_.data(), matches_[static_cast<std::size_t>(sure)]);
  }
  paths_.clear();
  next_.assign(1, Path{0, 0, 0, 0, 0, -1, -1, -1});
  for (std::size_t place = 0; place < reference_words; ++place) {
    if (starts_[place] == starts_[place + 1] && next_.size() <= beam) {
      pass(place);
      continue;
    }
    prune(beam);
    settle();
    extend(place);
  }
  const auto rank = [](const Path& path) {
    return std::make_tuple(-path.value, path.chunks, path.cost, -path.words);
  };
  const Path& best = *std::min_element(
      next_.begin(), next_.end(), [&](const Path& a, const Path& b) { return rank(a) < rank(b); });
  chosen_.clear();
  if (best.match >= 0) chosen_.push_back(matches_[static_cast<std::size_t>(best.match)]);
  for (std::int32_t node = best.node; node >= 0;
       node = nodes_[static_cast<std::size_t>(node)].parent) {
    chosen_.push_back(
        matches_[static_cast<std::size_t>(nodes_[static_cast<std::size_t>(node)].match)]);
  }
  std::reverse(chosen_.begin(), chosen_.end());
}

// Orders the new paths by chunks, cost and value, and keeps the best, in `keys_`.
void MeteorAligner::prune(std::size_t beam) {
  const auto in_order = [](const Key& a, const Key& b) {
    if (a.first != b.first) return a.first < b.first;
    return a.second != b.second ? a.second < b.second : a.path < b.path;
  };
  keys_.clear();
  for (std::size_t p = 0; p < next_.size(); ++p) {
    const Path& path = next_[p];
    keys_.push_back(
        {path.chunks * kMostCost + path.cost, -path.value, static_cast<std::uint32_t>(p)});
  }
  if (keys_.size() > beam) {
    // Of chunks only those count that have ended.
    const auto ended = [&](const Key& key) {
      return key.first - (next_[key.path].last >= 0 ? kMostCost : 0);
    };
    const auto better = [&](const Key& a, const Key& b) {
      if (a.second != b.second) return a.second < b.second;
      const std::int64_t ours = ended(a);
      const std::int64_t theirs = ended(b);
      return ours != theirs ? ours < theirs : in_order(a, b);
    };
    std::nth_element(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(beam), keys_.end(),
                     better);
    keys_.resize(beam);
  }
  if (!std::is_sorted(keys_.begin(), keys_.end(), in_order)) {
    std::sort(keys_.begin(), keys_.end(), in_order);
  }
}

// Gives the paths that were kept their own words and nodes.
void MeteorAligner::settle() {
  next_used_.resize(keys_.size() * stride_);
  paths_.clear();
  for (std::size_t p = 0; p < keys_.size(); ++p) {
    Path path = next_[keys_[p].path];
    std::uint64_t* used = next_used_.data() + p * stride_;
    std::copy_n(used_.data() + path.parent * stride_, stride_, used);
    if (path.match >= 0) {
      use(used, matches_[static_cast<std::size_t>(path.match)]);
      nodes_.push_back({path.match, path.node});
      path.node = static_cast<std::int32_t>(nodes_.size()) - 1;
    }
    paths_.push_back(path);
  }
  used_.swap(next_used_);
}

MeteorAligner::Path MeteorAligner::taken(std::size_t parent, std::int32_t match,
                                         std::int64_t cost) const {
  const Path& path = paths_[parent];
  const MeteorMatch& matched = matches_[static_cast<std::size_t>(match)];
  return {path.value + value_of(matched),
          path.chunks + (follows(match, path.last) ? 0 : 1),
          cost,
          path.words + matched.reference_words,
          static_cast<std::uint32_t>(parent),
          match,
          match,
          path.node};
}

// At a word without matches no path becomes longer, and what orders them stays the same.
void MeteorAligner::pass(std::size_t place) {
  for (Path& path : next_) {
    if (path.last < 0) continue;
    const MeteorMatch& last = matches_[static_cast<std::size_t>(path.last)];
    if (last.reference + last.reference_words <= place) path.last = -1;
  }
}

void MeteorAligner::extend(std::size_t place) {
  next_.clear();
  for (std::size_t p = 0; p < paths_.size(); ++p) {
    Path without = paths_[p];
    without.parent = static_cast<std::uint32_t>(p);
    without.match = -1;
    if (without.last >= 0) {
      const MeteorMatch& last = matches_[static_cast<std::size_t>(without.last)];
      if (last.reference + last.reference_words > place) {
        next_.push_back(without);
        continue;
      }
    }
    if (sure_[place] >= 0) {
      next_.push_back(taken(p, sure_[place], without.cost));
      continue;
    }
    const std::size_t first = next_.size();
    without.last = -1;
    next_.push_back(without);
    std::int64_t cost = without.cost;
    for (std::size_t m = starts_[place]; m < starts_[place + 1]; ++m) {
      if (!allows(used_.data() + p * stride_, matches_[m])) continue;
      next_.push_back(taken(p, static_cast<std::int32_t>(m), cost));
      cost += distance_of(matches_[m]);
    }
    next_[first].cost = cost;
  }
}

}  // namespace bleuet
