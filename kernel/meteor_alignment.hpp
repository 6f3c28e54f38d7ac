// The alignment of METEOR: the matches of two texts, and the beam search that chooses some of them
// (Denkowski and Lavie 2011, section 2.1). statistics/python_backend/meteor_rows.py explains it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "meteor_lexicon.hpp"

namespace bleuet {

enum class Matcher : std::uint8_t { exact, stem, synonym, paraphrase };

struct MeteorMatch {
  std::uint32_t hypothesis;
  std::uint32_t hypothesis_words;
  std::uint32_t reference;
  std::uint32_t reference_words;
  Matcher matcher;
};

// A phrase that the paraphrases have.
struct MeteorPhrase {
  std::uint32_t start;
  std::uint32_t words;
  PhraseKey key;
  Paraphrases::Others others;
};

struct MeteorText {
  std::vector<MeteorWord> words;
  std::vector<std::uint32_t> stems;
  std::vector<bool> functions;
  std::vector<MeteorPhrase> phrases;  // from left to right, shorter ones first
  // The keys of the phrases with their numbers, sorted, and bits that say which keys there may be.
  std::vector<std::pair<PhraseKey, std::uint32_t>> by_key;
  std::array<std::uint64_t, 8> present;

  void assign(const std::int64_t* ids, std::size_t n, const MeteorLexicon& lexicon);
  // Gives back memory that only serves other texts.
  void trim();
  // Calls `use` with the number of each phrase that has the key.
  template <class Use>
  void with_key(PhraseKey key, Use use) const {
    if ((present[key / 64 % 8] >> key % 64 & 1) == 0) return;
    const std::pair<PhraseKey, std::uint32_t> first{key, 0};
    for (auto at = std::lower_bound(by_key.begin(), by_key.end(), first);
         at != by_key.end() && at->first == key; ++at) {
      use(at->second);
    }
  }
};

class MeteorAligner {
 public:
  // Returns the matches that were chosen, in the order of the reference. Throws std::length_error
  // where more words match than a search can compare.
  const std::vector<MeteorMatch>& align(const MeteorText& hypothesis, const MeteorText& reference,
                                        const std::vector<Matcher>& matchers, std::size_t beam,
                                        const MeteorLexicon& lexicon);

 private:
  // Where a match ends.
  struct End {
    std::uint32_t hypothesis = 0xFFFFFFFF;  // no match begins there
    std::uint32_t reference = 0;

    End() = default;
    explicit End(const MeteorMatch& match)
        : hypothesis(match.hypothesis + match.hypothesis_words),
          reference(match.reference + match.reference_words) {}
    bool joins(const MeteorMatch& match) const {
      return hypothesis == match.hypothesis && reference == match.reference;
    }
  };
  // A path of the search. No two of its matches share a word of the reference, as one starts where
  // the last one has ended. Of sure matches, which all paths have, it knows only the end.
  struct Path {
    std::int64_t order = 0;  // chunks, then cost
    std::int32_t value = 0;
    std::int32_t node = -1;
    std::int64_t words = 0;
    std::size_t used = 0;  // where its words of the hypothesis begin in `used_`
    End end;
  };
  // What a path becomes at a word of the reference.
  struct Step {
    std::int64_t order = 0;
    std::uint64_t rest = rest_of(0);  // the value, highest first, then its number
    std::uint32_t path = 0;
    std::int32_t match = -1;  // the match that it takes, -1 for none or a sure one

    void number(std::size_t place) { rest = (rest >> 32 << 32) | place; }
    std::int32_t value() const { return static_cast<std::int32_t>(kMostValue - (rest >> 32)); }
  };
  static constexpr std::uint64_t kMostValue = 0x7FFFFFFF;
  static std::uint64_t rest_of(std::int32_t value) {
    return (kMostValue - static_cast<std::uint64_t>(value)) << 32;
  }
  struct Node {
    std::int32_t match;
    std::int32_t parent;
  };

  void find_matches(const MeteorText& hypothesis, const MeteorText& reference,
                    const std::vector<Matcher>& matchers, const MeteorLexicon& lexicon);
  // Words that are equal only match exactly.
  void find_words(const MeteorText& hypothesis, const MeteorText& reference);
  void find_stems(const MeteorText& hypothesis, const MeteorText& reference);
  void find_synonyms(const MeteorText& hypothesis, const MeteorText& reference,
                     const MeteorLexicon& lexicon);
  void find_phrases(const MeteorText& hypothesis, const MeteorText& reference);
  void add(std::size_t i, std::size_t n, std::size_t j, std::size_t m, Matcher matcher);
  void order_by_reference(std::size_t reference_words);
  void find_sure(std::size_t hypothesis_words, std::size_t reference_words);
  void search(std::size_t hypothesis_words, std::size_t reference_words, std::size_t beam);
  void prune(std::size_t place, std::size_t beam);
  template <class Better>
  void keep_best(std::size_t n, Better better);
  void settle(const End* end);
  void extend(std::size_t place, const MeteorMatch* sure);
  void choose();
  bool allows(const Path& path, const MeteorMatch& match) const;
  void use(std::size_t used, const MeteorMatch& match);
  End end_of(const Step& step) const;
  const MeteorMatch& match(const Step& step) const {
    return matches_[static_cast<std::size_t>(step.match)];
  }
  const MeteorMatch* sure_at(std::size_t place) const {
    return sure_[place] >= 0 ? &matches_[static_cast<std::size_t>(sure_[place])] : nullptr;
  }

  // A set of synonyms that words of the hypothesis are in, and those words, from the last.
  struct Set {
    std::uint64_t text = 0;  // the number of the hypothesis; others have left theirs
    std::int32_t last = -1;
  };
  struct Member {
    std::uint32_t word;
    std::int32_t before;
  };

  std::uint64_t text_ = 0;
  std::vector<Set> sets_;
  std::vector<Member> members_;
  std::vector<bool> matched_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::vector<MeteorMatch> found_;
  std::vector<MeteorMatch> matches_;  // by the first word of the reference
  std::vector<std::uint32_t> starts_;
  // Matches whose words have no other match, by the first word of the reference, -1 for none. Every
  // path has them; at the end also those of the best path.
  std::vector<std::int32_t> sure_;
  std::vector<std::uint32_t> hypothesis_counts_, reference_counts_;
  std::vector<Path> paths_, next_;
  std::size_t stride_ = 0;
  std::vector<std::uint64_t> used_;  // bits of words of the hypothesis, `stride_` numbers a path
  std::vector<std::uint32_t> order_;
  std::vector<Step> steps_;
  std::vector<std::size_t> counts_;  // of steps by value
  std::vector<Node> nodes_;
  std::vector<MeteorMatch> chosen_;
};

// Whether a match is next to another one on both sides.
bool follows(const MeteorMatch& match, const MeteorMatch& last);

}  // namespace bleuet
