// The alignment of METEOR: the matches of two texts, and the beam search that chooses some of them
// (Denkowski and Lavie 2011, section 2.1). statistics/python_backend/meteor_rows.py explains it.
#pragma once

#include <algorithm>
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

// A phrase that the paraphrases may have.
struct MeteorPhrase {
  std::uint32_t start;
  std::uint32_t words;
  PhraseKey key;
  Paraphrases::Others others;
  std::uint32_t next;  // one more than the number of a phrase with the same key or slot, 0 for none
};

struct MeteorText {
  std::vector<MeteorWord> words;
  std::vector<std::uint32_t> stems;
  std::vector<bool> functions;
  std::vector<MeteorPhrase> phrases;  // from left to right, shorter ones first
  std::vector<std::uint32_t> slots;   // the first phrase by its key, as `next` has it

  void assign(const std::int64_t* ids, std::size_t n, const MeteorLexicon& lexicon);
  // Gives back memory that only serves other texts.
  void trim();
  // Calls `use` with the number of each phrase that has the key, from left to right.
  template <class Use>
  void with_key(PhraseKey key, Use use) const {
    if (slots.empty()) return;
    for (std::uint32_t at = slots[key & (slots.size() - 1)]; at != 0; at = phrases[at - 1].next) {
      if (phrases[at - 1].key == key) use(at - 1);
    }
  }

 private:
  void find_phrases(const MeteorLexicon& lexicon);
};

// The places of a text at which each number stands.
class NumberPlaces {
 public:
  // Forgets the text before. Numbers are less than `numbers`.
  void start(std::size_t numbers);
  // Places are added from the last to the first.
  void add(std::uint32_t number, std::uint32_t place);
  // Calls `use` with each place of a number, from the first to the last.
  template <class Use>
  void with(std::uint32_t number, Use use) const {
    if (first_[number].text != text_) return;
    for (std::uint32_t at = first_[number].at; at != 0; at = places_[at - 1].next) {
      use(places_[at - 1].place);
    }
  }

 private:
  struct First {
    std::uint64_t text = 0;  // the number of the text; other texts have left theirs
    std::uint32_t at = 0;
  };
  struct Place {
    std::uint32_t place;
    std::uint32_t next;  // one more than where it is, 0 for none
  };

  std::uint64_t text_ = 0;
  std::vector<First> first_;
  std::vector<Place> places_;
};

class MeteorAligner {
 public:
  // Returns the matches that were chosen, in the order of the reference. Throws std::length_error
  // where more words match than a search can compare.
  const std::vector<MeteorMatch>& align(const MeteorText& hypothesis, const MeteorText& reference,
                                        const std::vector<Matcher>& matchers, std::size_t beam,
                                        const MeteorLexicon& lexicon);

 private:
  // A place in both texts: where a match starts or ends.
  struct Place {
    std::uint32_t hypothesis = 0xFFFFFFFF;  // no match starts there
    std::uint32_t reference = 0;

    bool operator==(const Place& other) const {
      return ((hypothesis ^ other.hypothesis) | (reference ^ other.reference)) == 0;
    }
  };
  static Place start_of(const MeteorMatch& match) { return {match.hypothesis, match.reference}; }
  static Place end_of(const MeteorMatch& match) {
    return {match.hypothesis + match.hypothesis_words, match.reference + match.reference_words};
  }
  // A path of the search. No two of its matches share a word of the reference, as one starts where
  // the last one has ended. Of sure matches, which all paths have, it knows only the end.
  struct Path {
    std::int64_t order = 0;  // chunks, then cost
    Place end;
    std::int32_t value = 0;
    std::int32_t words = 0;
    std::uint32_t before = 0;  // the path that it continues
    std::int32_t match = -1;   // the match that it takes, -1 for none or a sure one

    // Field by field: a whole one would be built elsewhere in small parts, and copying it would
    // wait for each of them.
    void set(std::int64_t its_order, Place its_end, std::int32_t its_value, std::int32_t its_words,
             std::uint32_t its_before, std::int32_t its_match) {
      order = its_order;
      end = its_end;
      value = its_value;
      words = its_words;
      before = its_before;
      match = its_match;
    }
  };
  // What orders paths of the same value.
  struct Ranked {
    std::int64_t order;
    std::uint32_t path;
  };
  // A match at a word of the reference, as every path there may take it.
  struct Candidate {
    Place start, end;
    std::int64_t distance;
    std::int32_t value;
    std::int32_t match;
    std::int32_t words;
    std::size_t first, last;  // the numbers of `used_` that have its words of the hypothesis
    std::uint64_t bits;       // of its words in the first of these
  };

  void find_matches(const MeteorText& hypothesis, const MeteorText& reference,
                    const std::vector<Matcher>& matchers, const MeteorLexicon& lexicon);
  void find_stems(const MeteorText& hypothesis, const MeteorText& reference, Matcher matcher);
  void find_synonyms(const MeteorText& hypothesis, const MeteorText& reference,
                     const MeteorLexicon& lexicon);
  void find_phrases(const MeteorText& hypothesis, const MeteorText& reference);
  void add(std::size_t i, std::size_t n, std::size_t j, std::size_t m, Matcher matcher);
  void order_by_reference(std::size_t reference_words);
  void find_sure(std::size_t hypothesis_words, std::size_t reference_words);
  void search(std::size_t hypothesis_words, std::size_t reference_words, std::size_t beam);
  void prune(std::size_t place, std::size_t beam);
  void find_best(std::size_t place, std::size_t n);
  void extend(std::size_t place, const MeteorMatch& sure);
  void extend(std::size_t place, const Place* end);
  void choose();
  bool comes_before(std::uint32_t a, std::uint32_t b) const;
  void select(Ranked* begin, Ranked* end, Ranked* middle) const;
  Candidate candidate(std::size_t number) const;
  template <class Change>
  static void for_bits(const Candidate& one, Change change);
  bool use(const std::uint64_t* used, const Candidate& one, std::uint64_t* next) const;
  std::size_t n_paths() const { return end_ - start_; }
  Path* room_for(std::size_t paths);
  const MeteorMatch* sure_at(std::size_t place) const {
    return sure_[place] >= 0 ? &matches_[static_cast<std::size_t>(sure_[place])] : nullptr;
  }

  NumberPlaces stems_, sets_;  // where the hypothesis has a stem, and a word of a set of synonyms
  std::vector<std::uint32_t> synonyms_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
  std::vector<MeteorMatch> found_;
  std::vector<MeteorMatch> matches_;  // by the first word of the reference
  std::vector<std::uint32_t> starts_;
  // Matches whose words have no other match, by the first word of the reference, -1 for none. Every
  // path has them; at the end also those of the best path.
  std::vector<std::int32_t> sure_;
  std::vector<std::uint32_t> hypothesis_counts_, reference_counts_;
  // All paths. Those from `start_` to `end_` go on; those before `ordered_` are in order among
  // those of the same word.
  std::vector<Path> paths_;
  std::size_t start_ = 0, end_ = 0, ordered_ = 0;
  std::size_t unordered_words_ = 0;
  std::vector<Path> kept_;
  std::size_t stride_ = 0;
  // Bits of the words of the hypothesis, `stride_` numbers for each path that goes on.
  std::vector<std::uint64_t> used_, next_used_;
  std::vector<std::uint32_t> order_;
  std::vector<Candidate> candidates_;
  std::vector<std::uint32_t> best_;
  std::vector<Ranked> ties_;
  std::vector<std::size_t> counts_;  // of paths by value
  std::vector<MeteorMatch> chosen_;
};

// Whether a match is next to another one on both sides.
bool follows(const MeteorMatch& match, const MeteorMatch& last);

}  // namespace bleuet
