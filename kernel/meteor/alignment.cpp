#include "meteor/alignment.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "machine/bits.hpp"
#include "rows/interruption.hpp"
#include "text/token_numbers.hpp"

namespace bleuet {
namespace {

// Where more words match, only words near the diagonal are compared. As in meteor_rows.py.
constexpr std::size_t kMostMatches = 1000000;
// Instead of the place of a phrase: all that have its number lie too far to the left.
constexpr std::uint32_t kPassed = 0xFFFFFFFF;
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

// The bits of n words from `start` on, in the 64-bit number `number` of all words.
std::uint64_t bits_in(std::size_t number, std::size_t start, std::size_t n) {
  const std::size_t from = std::max(start, 64 * number);
  const std::size_t to = std::min(start + n, 64 * number + 64);
  return ~std::uint64_t{0} >> (64 - (to - from)) << (from % 64);
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
  slots.clear();
  if (!lexicon.paraphrases().empty()) find_phrases(lexicon);
}

// Each step fetches what the next one reads, since most time goes into waiting for it.
void MeteorText::find_phrases(const MeteorLexicon& lexicon) {
  const Paraphrases& paraphrases = lexicon.paraphrases();
  const auto word = [&](std::size_t i) -> const auto& { return lexicon.word(words[i]); };
  for (std::size_t start = 0; start + 1 < words.size(); ++start) {
    if (!word(start).phrase.begins) continue;
    paraphrases.fetch(word(start).phrase.number, word(start + 1).in_phrases);
  }
  for (std::size_t start = 0; start < words.size(); ++start) {
    Paraphrases::Known known = word(start).phrase;
    for (std::size_t end = start + 1;; ++end) {
      if (known.phrase) {
        phrases.push_back({static_cast<std::uint32_t>(start),
                           static_cast<std::uint32_t>(end - start),
                           known.number,
                           {},
                           0});
      }
      if (!known.begins || end == words.size()) break;
      known = paraphrases.extend(known.number, word(end).in_phrases);
    }
  }
  for (MeteorPhrase& phrase : phrases) {
    phrase.others = paraphrases.others(phrase.number);
    prefetch(phrase.others.begin);
  }
  slots.assign(table_size_for(phrases.size()), 0);
  for (std::size_t p = phrases.size(); p-- > 0;) {
    std::uint32_t& slot = slots[phrases[p].number & (slots.size() - 1)];
    phrases[p].next = slot;
    slot = static_cast<std::uint32_t>(p) + 1;
  }
}

void MeteorText::trim() {
  words.shrink_to_fit();
  stems.shrink_to_fit();
  functions.shrink_to_fit();
  phrases.shrink_to_fit();
  slots.shrink_to_fit();
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

void NumberPlaces::start(std::size_t numbers) {
  places_.clear();
  ++text_;
  first_.resize(std::max(first_.size(), numbers));
}

void NumberPlaces::add(std::uint32_t number, std::uint32_t place) {
  First& first = first_[number];
  places_.push_back({place, first.text == text_ ? first.at : 0});
  first = {text_, static_cast<std::uint32_t>(places_.size())};
}

// --- Matches -------------------------------------------------------------------------------------

void MeteorAligner::find_matches(const MeteorText& hypothesis, const MeteorText& reference,
                                 const std::vector<Matcher>& matchers,
                                 const MeteorLexicon& lexicon) {
  const std::size_t n = hypothesis.words.size();
  const std::size_t m = reference.words.size();
  most_ = kMostMatches;
  for (std::size_t words = std::max(n, m);; words /= 2) {
    // Of a word with itself alone there cannot be too many.
    if (words == 0) most_ = std::numeric_limits<std::size_t>::max();
    found_.clear();
    find_matches(hypothesis, reference, matchers, lexicon, Reach(words, n, m));
    if (!full()) return;
  }
}

void MeteorAligner::find_matches(const MeteorText& hypothesis, const MeteorText& reference,
                                 const std::vector<Matcher>& matchers, const MeteorLexicon& lexicon,
                                 const Reach& reach) {
  for (const Matcher matcher : matchers) {
    switch (matcher) {
      case Matcher::exact:
      case Matcher::stem:
        find_stems(hypothesis, reference, matcher, lexicon, reach);
        break;
      case Matcher::synonym:
        find_synonyms(hypothesis, reference, lexicon, reach);
        break;
      case Matcher::paraphrase:
        find_phrases(hypothesis, reference, reach);
        break;
    }
    if (full()) return;
  }
}

// Words that are equal have the same stem, but only match exactly.
void MeteorAligner::find_stems(const MeteorText& hypothesis, const MeteorText& reference,
                               Matcher matcher, const MeteorLexicon& lexicon, const Reach& reach) {
  stems_.start(lexicon.stems());
  for (std::size_t i = hypothesis.stems.size(); i-- > 0;) {
    stems_.add(hypothesis.stems[i], static_cast<std::uint32_t>(i));
  }
  const bool exact = matcher == Matcher::exact;
  for (std::uint32_t j = 0; j < reference.words.size() && !full(); ++j) {
    std::size_t seen = 1;
    stems_.with(reference.stems[j], reach.first(j), reach.last(j), [&](std::uint32_t i) {
      ++seen;
      if ((hypothesis.words[i] == reference.words[j]) == exact && !full()) {
        found_.push_back({i, 1, j, 1, matcher});
      }
    });
    checkpoint(2 * seen);
  }
}

void MeteorAligner::find_synonyms(const MeteorText& hypothesis, const MeteorText& reference,
                                  const MeteorLexicon& lexicon, const Reach& reach) {
  sets_.start(lexicon.synonym_sets());
  for (std::size_t i = hypothesis.words.size(); i-- > 0;) {
    for (const std::uint32_t set : lexicon.word(hypothesis.words[i]).synonyms) {
      sets_.add(set, static_cast<std::uint32_t>(i));
    }
  }
  for (std::uint32_t j = 0; j < reference.words.size() && !full(); ++j) {
    synonyms_.clear();
    for (const std::uint32_t set : lexicon.word(reference.words[j]).synonyms) {
      sets_.with(set, reach.first(j), reach.last(j), [&](std::uint32_t i) {
        if (hypothesis.words[i] != reference.words[j]) synonyms_.push_back(i);
      });
    }
    // Two words can be in several sets.
    std::sort(synonyms_.begin(), synonyms_.end());
    synonyms_.erase(std::unique(synonyms_.begin(), synonyms_.end()), synonyms_.end());
    for (const std::uint32_t i : synonyms_) {
      if (!full()) found_.push_back({i, 1, j, 1, Matcher::synonym});
    }
    checkpoint(1 + 8 * synonyms_.size());
  }
}

void MeteorAligner::find_phrases(const MeteorText& hypothesis, const MeteorText& reference,
                                 const Reach& reach) {
  // METEOR counts a pair that the table has in both directions as two matches.
  for (const bool forward : {false, true}) {
    const MeteorText& from = forward ? hypothesis : reference;
    const MeteorText& to = forward ? reference : hypothesis;
    // Whether another phrase is too far to the left of this one, or too far to the right.
    const auto before = [&](std::uint32_t one, std::uint32_t other) {
      const std::uint32_t here = from.phrases[one].start;
      const std::uint32_t there = to.phrases[other].start;
      return forward ? reach.last(there) < here : there < reach.first(here);
    };
    const auto after = [&](std::uint32_t one, std::uint32_t other) {
      const std::uint32_t here = from.phrases[one].start;
      const std::uint32_t there = to.phrases[other].start;
      return forward ? reach.first(there) > here : there > reach.last(here);
    };
    resume_.assign(to.phrases.size(), 0);
    for (std::uint32_t one = 0; one < from.phrases.size(); ++one) {
      const Paraphrases::Others& others = from.phrases[one].others;
      for (const std::uint32_t* other = others.begin; other != others.end; ++other) {
        const std::uint32_t first = to.first_with(*other);
        if (first == 0) continue;
        // As phrases go to the right, so do those within reach.
        std::uint32_t& at = resume_[first - 1];
        if (at == kPassed) continue;
        if (at == 0) at = first;
        while (at != 0 && before(one, at - 1)) at = to.next_with(*other, at);
        if (at == 0) {
          at = kPassed;
          continue;
        }
        for (std::uint32_t p = at; p != 0 && !after(one, p - 1); p = to.next_with(*other, p)) {
          if (full()) return;
          const MeteorPhrase& ours = hypothesis.phrases[forward ? one : p - 1];
          const MeteorPhrase& theirs = reference.phrases[forward ? p - 1 : one];
          found_.push_back(
              {ours.start, ours.words, theirs.start, theirs.words, Matcher::paraphrase});
        }
        checkpoint(64);
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

// Calls `change` with each number of used words that has words of the match, and their bits there.
template <class Change>
void MeteorAligner::for_bits(const Candidate& one, Change change) const {
  change(one.first, one.bits);
  const std::uint32_t start = one.start.hypothesis;
  for (std::size_t number = one.first + 1; number <= one.last; ++number) {
    change(number, bits_in(number, start, one.end.hypothesis - start));
  }
}

// Whether a path that uses these words, in the window, can take the match.
bool MeteorAligner::is_free(const std::uint64_t* used, const Candidate& one) const {
  std::uint64_t taken = 0;
  for_bits(one, [&](std::size_t number, std::uint64_t bits) {
    taken |= used[number - window_.first] & bits;
  });
  return taken == 0;
}

MeteorAligner::Candidate MeteorAligner::candidate(std::size_t number) const {
  const MeteorMatch& match = matches_[number];
  const std::size_t first = match.hypothesis / 64;
  return {start_of(match),
          end_of(match),
          distance_of(match),
          value_of(match),
          static_cast<std::int32_t>(number),
          first,
          (match.hypothesis + match.hypothesis_words - 1) / 64,
          bits_in(first, match.hypothesis, match.hypothesis_words)};
}

void MeteorAligner::search(std::size_t hypothesis_words, std::size_t reference_words,
                           std::size_t beam) {
  sure_used_.assign(hypothesis_words / 64 + 1, 0);
  for (const std::int32_t sure : sure_) {
    if (sure < 0) continue;
    for_bits(candidate(static_cast<std::size_t>(sure)),
             [&](std::size_t number, std::uint64_t bits) { sure_used_[number] |= bits; });
  }
  find_windows(reference_words);
  window_ = {};
  used_.clear();
  settled_ = true;
  start_ = end_ = 0;
  *room_for(1) = Path{};
  end_ = 1;
  // Where the last match of all paths ends, if that is the same.
  bool same_end = true;
  Place end;
  for (std::size_t place = 0; place < reference_words; ++place) {
    const MeteorMatch* const sure = sure_at(place);
    // A sure match that all paths continue alike changes nothing between them.
    if (sure == nullptr || !same_end) {
      prune(place, beam);
      if (sure != nullptr) {
        extend(place, *sure);
      } else if (starts_[place] < starts_[place + 1]) {
        extend(place, same_end ? &end : nullptr);
        same_end = false;
      }
    }
    if (sure != nullptr) {
      end = end_of(*sure);
      same_end = true;
    }
  }
  choose(reference_words, beam);
}

// Sure matches, which all paths have, count only where they use words within a window.
void MeteorAligner::find_windows(std::size_t reference_words) {
  windows_.assign(reference_words, {});
  std::uint32_t end = 0;
  for (std::size_t place = 0; place < reference_words; ++place) {
    for (std::size_t m = starts_[place]; sure_[place] < 0 && m < starts_[place + 1]; ++m) {
      end = std::max(end, (matches_[m].hypothesis + matches_[m].hypothesis_words - 1) / 64 + 1);
    }
    windows_[place].end = end;
  }
  std::uint32_t first = end;
  for (std::size_t place = reference_words; place-- > 0;) {
    for (std::size_t m = starts_[place]; sure_[place] < 0 && m < starts_[place + 1]; ++m) {
      first = std::min(first, matches_[m].hypothesis / 64);
    }
    windows_[place].first = std::min(first, windows_[place].end);
  }
}

// Finds the best paths at a place, in order: those with the highest values, of these the ones with
// the fewest chunks, and of these those with the lowest costs. Of chunks only those count that have
// ended. Of paths that are alike, those come first that do so already. Returns whether all paths
// are kept in the order that they have.
bool MeteorAligner::find_best(std::size_t place, std::size_t beam) {
  const std::size_t n = n_paths();
  ranked_.resize(n);
  const auto less = [](const Ranked& a, const Ranked& b) {
    if (a.value != b.value) return a.value > b.value;
    return a.order != b.order ? a.order < b.order : a.path < b.path;
  };
  bool sorted = true;
  for (std::size_t i = 0; i < n; ++i) {
    const Path& path = paths_[start_ + i];
    const bool open = path.end.reference >= place;
    ranked_[i] = {path.order - (open ? kMostCost : 0), path.value,
                  static_cast<std::uint32_t>(start_ + i)};
    sorted = sorted && (i == 0 || less(ranked_[i - 1], ranked_[i]));
  }
  if (n > beam) {
    const auto middle = ranked_.begin() + static_cast<std::ptrdiff_t>(beam);
    if (!sorted) std::nth_element(ranked_.begin(), middle, ranked_.end(), less);
    ranked_.resize(beam);
  }
  if (!sorted) std::sort(ranked_.begin(), ranked_.end(), less);
  return sorted && n <= beam;
}

// Keeps the best paths, and writes which words they use in the window of the place.
void MeteorAligner::prune(std::size_t place, std::size_t beam) {
  if (find_best(place, beam) && settled_ && window_ == windows_[place]) return;
  const Window window = windows_[place];
  next_used_.resize(std::max(next_used_.size(), ranked_.size() * window.size()));
  kept_.clear();
  for (const Ranked& ranked : ranked_) {
    const Path& one = paths_[ranked.path];
    write_used(window, one, settled_ ? ranked.path - start_ : one.before - parents_,
               next_used_.data() + kept_.size() * window.size());
    kept_.push_back(one);
  }
  std::copy(kept_.begin(), kept_.end(), paths_.begin() + static_cast<std::ptrdiff_t>(start_));
  used_.swap(next_used_);
  window_ = window;
  settled_ = true;
  end_ = start_ + kept_.size();
}

// Writes the words that a path uses: those in row `row` of `used_`, and, where that is of the path
// that it continues, those of its own match.
void MeteorAligner::write_used(const Window& window, const Path& path, std::size_t row,
                               std::uint64_t* next) const {
  const std::uint64_t* const used = used_.data() + row * window_.size();
  const std::uint32_t end = std::min(window.end, window_.end);
  std::uint32_t number = window.first;
  for (; number < end; ++number) next[number - window.first] = used[number - window_.first];
  for (; number < window.end; ++number) next[number - window.first] = sure_used_[number];
  if (settled_ || path.match < 0) return;
  for_bits(candidate(static_cast<std::size_t>(path.match)),
           [&](std::size_t at, std::uint64_t bits) {
             if (at >= window.first && at < window.end) next[at - window.first] |= bits;
           });
}

// Continues each path with the sure match at the word, if it is free.
void MeteorAligner::extend(std::size_t place, const MeteorMatch& sure) {
  const std::size_t n = n_paths();
  Path* next = room_for(n);
  const Path* const begin = paths_.data() + start_;
  const Place start = start_of(sure);
  const Place end = end_of(sure);
  const std::int32_t value = value_of(sure);
  for (const Path* path = begin; path != begin + n; ++path) {
    const auto number = static_cast<std::uint32_t>(path - paths_.data());
    if (path->end.reference > place) {
      next++->set(path->order, path->end, path->value, number, -1);
    } else {
      next++->set(path->order + (path->end == start ? 0 : kMostCost), end, path->value + value,
                  number, -1);
    }
  }
  start_ = end_;
  end_ += n;
}

// Continues each path with each match at the word, and then without one. `end` is where the last
// match of all paths ends, if that is the same.
void MeteorAligner::extend(std::size_t place, const Place* end) {
  candidates_.clear();
  for (std::size_t m = starts_[place]; m < starts_[place + 1]; ++m) {
    candidates_.push_back(candidate(m));
  }
  const std::size_t n = n_paths();
  checkpoint(2 * n * (candidates_.size() + 1));
  Path* next = room_for(n * (candidates_.size() + 1));
  const Path* const begin = paths_.data() + start_;
  const std::uint64_t* used = used_.data();
  for (const Path* path = begin; path != begin + n; ++path, used += window_.size()) {
    const auto number = static_cast<std::uint32_t>(path - paths_.data());
    const Place its_end = end != nullptr ? *end : path->end;
    std::int64_t cost = 0;
    if (its_end.reference <= place) {
      for (const Candidate& one : candidates_) {
        next->set(path->order + cost + (its_end == one.start ? 0 : kMostCost), one.end,
                  path->value + one.value, number, one.match);
        const bool allowed = is_free(used, one);
        cost += allowed ? one.distance : 0;
        next += allowed;
      }
    }
    next++->set(path->order + cost, its_end, path->value, number, -1);
  }
  settled_ = false;
  parents_ = start_;
  start_ = end_;
  end_ = static_cast<std::size_t>(next - paths_.data());
}

MeteorAligner::Path* MeteorAligner::room_for(std::size_t paths) {
  if (paths_.size() < end_ + paths) paths_.resize(2 * end_ + paths);
  return paths_.data() + end_;
}

// Takes the matches of the best path, and the sure ones. Now all chunks count.
void MeteorAligner::choose(std::size_t reference_words, std::size_t beam) {
  find_best(reference_words, beam);
  const auto better = [&](const Ranked& a, const Ranked& b) {
    return a.value != b.value ? a.value > b.value : paths_[a.path].order < paths_[b.path].order;
  };
  std::size_t best = std::min_element(ranked_.begin(), ranked_.end(), better)->path;
  for (; best != 0; best = paths_[best].before) {
    const std::int32_t match = paths_[best].match;
    if (match >= 0) sure_[matches_[static_cast<std::size_t>(match)].reference] = match;
  }
  chosen_.clear();
  for (std::size_t place = 0; place < sure_.size(); ++place) {
    if (const MeteorMatch* const match = sure_at(place)) chosen_.push_back(*match);
  }
}

}  // namespace bleuet
