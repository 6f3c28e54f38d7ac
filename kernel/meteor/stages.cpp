#include "meteor/stages.hpp"

#include <algorithm>
#include <tuple>

#include "edits/length_limit.hpp"
#include "machine/bits.hpp"
#include "rows/interruption.hpp"

namespace bleuet {
namespace {

// As in metrics/meteor/stages.py.
constexpr std::size_t kMostSteps = 1000000000;
constexpr std::size_t kMostHard = 20000;
constexpr std::size_t kEasy = 1000;

bool has_bit(const std::uint64_t* bits, std::int32_t i) {
  return (bits[static_cast<std::size_t>(i) / 64] >> (i % 64) & 1) != 0;
}

void set_bit(std::uint64_t* bits, std::int32_t i) {
  bits[static_cast<std::size_t>(i) / 64] |= std::uint64_t{1} << (i % 64);
}

// How many bits are set from bit i on.
std::int64_t count_from(const std::uint64_t* bits, std::size_t words, std::int32_t i) {
  std::size_t word = static_cast<std::size_t>(i) / 64;
  std::int64_t n = count_bits(bits[word] >> (i % 64));
  while (++word < words) n += count_bits(bits[word]);
  return n;
}

bool words_match(Matcher matcher, MeteorWord ours, MeteorWord theirs,
                 const MeteorLexicon& lexicon) {
  if (matcher == Matcher::exact || ours == theirs) return ours == theirs;
  const MeteorLexicon::Entry& our = lexicon.word(ours);
  const MeteorLexicon::Entry& their = lexicon.word(theirs);
  return matcher == Matcher::stem ? our.stem == their.stem : share_synonym(our, their);
}

}  // namespace

const std::vector<MeteorMatch>& MeteorStages::align(const MeteorText& hypothesis,
                                                    const MeteorText& reference,
                                                    const std::vector<Matcher>& matchers,
                                                    std::size_t beam,
                                                    const MeteorLexicon& lexicon) {
  hypothesis_words_ = hypothesis.words.size();
  reference_words_ = reference.words.size();
  stride_ = hypothesis_words_ / 64 + 1;
  if (hypothesis.words != reference.words) {
    check_cells("METEOR in stages", hypothesis_words_, reference_words_, kMostStageCells);
  }
  mapped_.assign(reference_words_, -1);
  matcher_of_.assign(reference_words_, Matcher::exact);
  hypothesis_used_.assign(hypothesis_words_, false);
  for (const Matcher matcher : matchers) {
    find_candidates(hypothesis, reference, matcher, lexicon);
    for (std::size_t j = 0; j < reference_words_; ++j) {
      if (mapped_[j] < 0) matcher_of_[j] = matcher;
    }
    map_most(beam);
  }
  chosen_.clear();
  for (std::size_t j = 0; j < reference_words_; ++j) {
    if (mapped_[j] < 0) continue;
    chosen_.push_back({static_cast<std::uint32_t>(mapped_[j]), 1, static_cast<std::uint32_t>(j), 1,
                       matcher_of_[j]});
  }
  return chosen_;
}

// --- Matches -------------------------------------------------------------------------------------

// Finds candidates, and their groups, of all words or of those near the diagonal.
void MeteorStages::find_candidates(const MeteorText& hypothesis, const MeteorText& reference,
                                   Matcher matcher, const MeteorLexicon& lexicon) {
  for (std::size_t words = std::max(hypothesis_words_, reference_words_);; words /= 2) {
    if (words * reference_words_ > kMostSteps / 10) continue;
    const Reach reach(words, hypothesis_words_, reference_words_);
    if (!find_candidates(hypothesis, reference, matcher, lexicon, reach) && words > 0) continue;
    find_groups();
    if (count_hard() <= kMostHard || words == 0) return;
  }
}

// Returns whether there are not too many.
bool MeteorStages::find_candidates(const MeteorText& hypothesis, const MeteorText& reference,
                                   Matcher matcher, const MeteorLexicon& lexicon,
                                   const Reach& reach) {
  candidates_.resize(std::max(candidates_.size(), reference_words_));
  matching_.resize(std::max(matching_.size(), hypothesis_words_));
  for (auto& words : candidates_) words.clear();
  for (auto& words : matching_) words.clear();
  std::size_t found = 0;
  for (std::size_t j = 0; j < reference_words_; ++j) {
    if (mapped_[j] >= 0) continue;
    const auto first = static_cast<std::size_t>(std::max<std::int64_t>(reach.first(j), 0));
    const auto end = std::min(static_cast<std::size_t>(reach.last(j)) + 1, hypothesis_words_);
    for (std::size_t i = first; i < end; ++i) {
      if (hypothesis_used_[i] ||
          !words_match(matcher, hypothesis.words[i], reference.words[j], lexicon)) {
        continue;
      }
      ++found;
      candidates_[j].push_back(static_cast<std::int32_t>(i));
      matching_[i].push_back(static_cast<std::int32_t>(j));
    }
    if (found * reference_words_ > kMostSteps) return false;
    checkpoint(4 * (end - first));
  }
  return true;
}

// How many pairs of words match in groups that are not complete.
std::size_t MeteorStages::count_hard() const {
  std::size_t hard = 0;
  for (std::size_t j = 0; j < reference_words_; ++j) {
    if (group_of_[j] < 0 || groups_[static_cast<std::size_t>(group_of_[j])].complete) continue;
    hard += candidates_[j].size();
  }
  return hard;
}

MeteorStages::Group& MeteorStages::new_group() {
  if (n_groups_ == groups_.size()) groups_.emplace_back();
  Group& group = groups_[n_groups_++];
  group.hypothesis.clear();
  group.reference.clear();
  return group;
}

void MeteorStages::find_groups() {
  n_groups_ = 0;
  group_of_.assign(reference_words_, -1);
  in_group_.assign(hypothesis_words_, false);
  for (std::size_t first = 0; first < reference_words_; ++first) {
    if (candidates_[first].empty() || group_of_[first] >= 0) continue;
    const auto number = static_cast<std::int32_t>(n_groups_);
    Group& group = new_group();
    group.reference.push_back(static_cast<std::int32_t>(first));
    group_of_[first] = number;
    std::size_t pairs = 0;
    for (std::size_t k = 0; k < group.reference.size(); ++k) {
      const auto& words = candidates_[static_cast<std::size_t>(group.reference[k])];
      pairs += words.size();
      for (const std::int32_t i : words) {
        if (in_group_[static_cast<std::size_t>(i)]) continue;
        in_group_[static_cast<std::size_t>(i)] = true;
        group.hypothesis.push_back(i);
        for (const std::int32_t j : matching_[static_cast<std::size_t>(i)]) {
          if (group_of_[static_cast<std::size_t>(j)] >= 0) continue;
          group_of_[static_cast<std::size_t>(j)] = number;
          group.reference.push_back(j);
        }
      }
    }
    std::sort(group.hypothesis.begin(), group.hypothesis.end());
    std::sort(group.reference.begin(), group.reference.end());
    group.complete = pairs == group.hypothesis.size() * group.reference.size();
  }
}

// Where all words of a group match and both sides have as many, only pairs in order cross least.
void MeteorStages::map_most(std::size_t beam) {
  bool open = false;
  for (std::size_t g = 0; g < n_groups_; ++g) {
    const Group& group = groups_[g];
    if (!group.complete || group.hypothesis.size() != group.reference.size()) {
      open = true;
      continue;
    }
    for (std::size_t k = 0; k < group.reference.size(); ++k) {
      const auto j = static_cast<std::size_t>(group.reference[k]);
      mapped_[j] = group.hypothesis[k];
      group_of_[j] = -1;
      hypothesis_used_[static_cast<std::size_t>(group.hypothesis[k])] = true;
    }
  }
  if (open) search(beam);
}

// --- Search --------------------------------------------------------------------------------------

void MeteorStages::search(std::size_t beam) {
  std::size_t pairs = 0;
  hard_words_.clear();
  for (std::size_t j = 0; j < reference_words_; ++j) {
    if (group_of_[j] < 0) continue;
    pairs += candidates_[j].size();
    if (groups_[static_cast<std::size_t>(group_of_[j])].complete) continue;
    hard_words_.push_back(static_cast<std::int32_t>(j));
  }
  // Each pair that is tried is compared with all pairs before it.
  const std::size_t most = std::min(beam * kEasy / pairs, kMostSteps / (pairs * reference_words_));
  const std::size_t width = std::min(beam, std::max(std::size_t{1}, most));
  any_rest_ = !hard_words_.empty();
  nodes_.clear();
  used_.assign(stride_, 0);
  rest_.assign(any_rest_ ? reference_words_ : 0, -1);
  while (any_rest_ && add_one(rest_, hard_words_.data(), hard_words_.size(), used_.data())) {
  }
  paths_.assign(1, Path{0, 0, -1, -1, true});
  for (std::size_t j = 0; j < reference_words_; ++j) {
    next_.clear();
    next_used_.clear();
    next_rest_.clear();
    same_bucket_.clear();
    std::size_t buckets = 64;
    while (buckets < 2 * paths_.size()) buckets *= 2;
    buckets_.assign(buckets, -1);
    for (std::size_t p = 0; p < paths_.size(); ++p) extend(p, static_cast<std::int32_t>(j));
    narrow(width);
  }
  const auto best =
      std::min_element(paths_.begin(), paths_.end(), [](const Path& a, const Path& b) {
        return std::tie(a.crossings, a.chunks) < std::tie(b.crossings, b.chunks);
      });
  for (std::int32_t node = best->node; node >= 0;) {
    const Node& pair = nodes_[static_cast<std::size_t>(node)];
    mapped_[static_cast<std::size_t>(pair.reference)] = pair.hypothesis;
    hypothesis_used_[static_cast<std::size_t>(pair.hypothesis)] = true;
    node = pair.parent;
  }
}

void MeteorStages::extend(std::size_t path, std::int32_t j) {
  const std::int32_t number = group_of_[static_cast<std::size_t>(j)];
  trial_used_.assign(used_.begin() + static_cast<std::ptrdiff_t>(path * stride_),
                     used_.begin() + static_cast<std::ptrdiff_t>((path + 1) * stride_));
  const std::size_t n = any_rest_ ? reference_words_ : 0;
  trial_rest_.assign(rest_.begin() + static_cast<std::ptrdiff_t>(path * n),
                     rest_.begin() + static_cast<std::ptrdiff_t>((path + 1) * n));
  if (number < 0) {
    const std::int32_t i = mapped_[static_cast<std::size_t>(j)];
    const std::int32_t last = paths_[path].last;
    skip(path, i, i >= 0 && !(last >= 0 && last + 1 == i) ? 1 : 0);
    return;
  }
  const Group& group = groups_[static_cast<std::size_t>(number)];
  group.complete ? extend_in_order(path, j, group) : extend_any(path, j, group);
}

// Where all words match, pairs that cross can be uncrossed.
void MeteorStages::extend_in_order(std::size_t path, std::int32_t j, const Group& group) {
  const auto& words = group.hypothesis;
  std::size_t used = 0;
  std::size_t first = 0;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (!has_bit(trial_used_.data(), words[k])) continue;
    ++used;
    first = k + 1;
  }
  const std::size_t needed = std::min(words.size(), group.reference.size()) - used;
  if (needed > 0) {
    for (std::size_t k = first; k + needed <= words.size(); ++k) take(path, j, words[k]);
  }
  const auto later =
      group.reference.end() - std::upper_bound(group.reference.begin(), group.reference.end(), j);
  if (static_cast<std::size_t>(later) >= needed) skip(path, -1, 0);
}

void MeteorStages::extend_any(std::size_t path, std::int32_t j, const Group& group) {
  for (const std::int32_t i : candidates_[static_cast<std::size_t>(j)]) {
    if (has_bit(used_.data() + path * stride_, i)) continue;
    if (has_rest(path, j, i, group)) take(path, j, i);
  }
  if (has_rest(path, j, -1, group)) skip(path, -1, 0);
}

// Whether as many pairs remain after j and i as there can be; they are then in `trial_rest_`.
bool MeteorStages::has_rest(std::size_t path, std::int32_t j, std::int32_t i, const Group& group) {
  const std::int32_t* before = rest_.data() + path * reference_words_;
  trial_rest_.assign(before, before + reference_words_);
  std::size_t lost = 0;
  for (const std::int32_t other : group.reference) {
    std::int32_t& word = trial_rest_[static_cast<std::size_t>(other)];
    if (word >= 0 && (other == j || word == i)) {
      word = -1;
      ++lost;
    }
  }
  if (lost <= (i >= 0 ? 1U : 0U)) return true;
  blocked_.assign(used_.begin() + static_cast<std::ptrdiff_t>(path * stride_),
                  used_.begin() + static_cast<std::ptrdiff_t>((path + 1) * stride_));
  if (i >= 0) set_bit(blocked_.data(), i);
  const auto later = std::upper_bound(group.reference.begin(), group.reference.end(), j);
  return add_one(trial_rest_, group.reference.data() + (later - group.reference.begin()),
                 static_cast<std::size_t>(group.reference.end() - later), blocked_.data());
}

// Changes pairs so that there is one more; returns whether there can be.
bool MeteorStages::add_one(std::vector<std::int32_t>& rest, const std::int32_t* words,
                           std::size_t n, const std::uint64_t* used) {
  owner_.assign(hypothesis_words_, -1);
  reached_.assign(hypothesis_words_, -1);
  queue_.clear();
  for (std::size_t k = 0; k < n; ++k) {
    const std::int32_t i = rest[static_cast<std::size_t>(words[k])];
    if (i < 0) {
      queue_.push_back(words[k]);
    } else {
      owner_[static_cast<std::size_t>(i)] = words[k];
    }
  }
  for (std::size_t next = 0; next < queue_.size(); ++next) {
    const std::int32_t j = queue_[next];
    for (std::int32_t i : candidates_[static_cast<std::size_t>(j)]) {
      if (has_bit(used, i) || reached_[static_cast<std::size_t>(i)] >= 0) continue;
      reached_[static_cast<std::size_t>(i)] = j;
      const std::int32_t owner = owner_[static_cast<std::size_t>(i)];
      if (owner >= 0) {
        queue_.push_back(owner);
        continue;
      }
      // Each word on the way that reached a free word gets the next one.
      while (i >= 0) {
        const auto word = static_cast<std::size_t>(reached_[static_cast<std::size_t>(i)]);
        std::swap(rest[word], i);
      }
      return true;
    }
  }
  return false;
}

void MeteorStages::take(std::size_t path, std::int32_t j, std::int32_t i) {
  const std::uint64_t* before = used_.data() + path * stride_;
  trial_used_.assign(before, before + stride_);
  checkpoint(reference_words_);
  Path longer = paths_[path];
  longer.crossings += count_from(before, stride_, i);
  for (std::size_t b = 0; b < reference_words_; ++b) {
    const std::int32_t a = group_of_[b] < 0 ? mapped_[b] : -1;
    if (a >= 0 && (a < i) != (static_cast<std::int32_t>(b) < j)) ++longer.crossings;
  }
  if (!(longer.last >= 0 && longer.last + 1 == i)) ++longer.chunks;
  longer.last = i;
  set_bit(trial_used_.data(), i);
  nodes_.push_back({i, j, longer.node});
  longer.node = static_cast<std::int32_t>(nodes_.size()) - 1;
  keep(longer);
}

void MeteorStages::skip(std::size_t path, std::int32_t last, std::int64_t chunks) {
  const std::uint64_t* before = used_.data() + path * stride_;
  trial_used_.assign(before, before + stride_);
  Path longer = paths_[path];
  longer.last = last;
  longer.chunks += chunks;
  keep(longer);
}

bool MeteorStages::same(std::size_t place, std::int32_t last) const {
  return next_[place].last == last &&
         std::equal(trial_used_.begin(), trial_used_.end(),
                    next_used_.begin() + static_cast<std::ptrdiff_t>(place * stride_));
}

void MeteorStages::keep(const Path& path) {
  auto key = static_cast<std::uint64_t>(path.last + 1);
  for (const std::uint64_t bits : trial_used_) key = mix(key ^ bits);
  std::int32_t& bucket = buckets_[static_cast<std::size_t>(key) & (buckets_.size() - 1)];
  for (std::int32_t place = bucket; place >= 0;
       place = same_bucket_[static_cast<std::size_t>(place)]) {
    Path& other = next_[static_cast<std::size_t>(place)];
    if (!other.kept || !same(static_cast<std::size_t>(place), path.last)) continue;
    if (std::tie(path.crossings, path.chunks) >= std::tie(other.crossings, other.chunks)) return;
    other.kept = false;
    break;
  }
  same_bucket_.push_back(bucket);
  bucket = static_cast<std::int32_t>(next_.size());
  next_.push_back(path);
  next_used_.insert(next_used_.end(), trial_used_.begin(), trial_used_.end());
  next_rest_.insert(next_rest_.end(), trial_rest_.begin(), trial_rest_.end());
}

// Makes the best new paths those that go on, in the same order.
void MeteorStages::narrow(std::size_t width) {
  order_.clear();
  for (std::size_t p = 0; p < next_.size(); ++p) {
    if (next_[p].kept) order_.push_back(p);
  }
  if (order_.size() > width) {
    const auto better = [&](std::size_t a, std::size_t b) {
      return std::tie(next_[a].crossings, next_[a].chunks, a) <
             std::tie(next_[b].crossings, next_[b].chunks, b);
    };
    std::nth_element(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(width),
                     order_.end(), better);
    order_.resize(width);
    std::sort(order_.begin(), order_.end());
  }
  const std::size_t n = any_rest_ ? reference_words_ : 0;
  paths_.clear();
  used_.clear();
  rest_.clear();
  const auto copy = [](auto& to, const auto& from, std::size_t start, std::size_t length) {
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(start);
    to.insert(to.end(), begin, begin + static_cast<std::ptrdiff_t>(length));
  };
  for (const std::size_t p : order_) {
    paths_.push_back(next_[p]);
    copy(used_, next_used_, p * stride_, stride_);
    copy(rest_, next_rest_, p * n, n);
  }
}

}  // namespace bleuet
