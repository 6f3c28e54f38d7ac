// The alignment of METEOR: the matches of two texts, and the beam search that chooses some of them
// (Denkowski and Lavie 2011, section 2.1). metrics/meteor/alignment.py explains it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "meteor/lexicon.hpp"

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
  std::uint32_t number;
  Paraphrases::Others others;
  std::uint32_t
      next;  // one more than the place of a phrase with the same number or slot, 0 for none
};

struct MeteorText {
  std::vector<MeteorWord> words;
  std::vector<std::uint32_t> stems;
  std::vector<bool> functions;
  std::vector<MeteorPhrase> phrases;  // from left to right, shorter ones first
  std::vector<std::uint32_t> slots;   // the first phrase by its number, as `next` has it

  void assign(const std::int64_t* ids, std::size_t n, const MeteorLexicon& lexicon);
  // Gives back memory that only serves other texts.
  void trim();
  // One more than the place of the first phrase with this number, 0 for none.
  std::uint32_t first_with(std::uint32_t number) const {
    return slots.empty() ? 0 : skip_others(number, slots[number & (slots.size() - 1)]);
  }
  // The same of the next one to the right.
  std::uint32_t next_with(std::uint32_t number, std::uint32_t at) const {
    return skip_others(number, phrases[at - 1].next);
  }

 private:
  void find_phrases(const MeteorLexicon& lexicon);
  std::uint32_t skip_others(std::uint32_t number, std::uint32_t at) const {
    while (at != 0 && phrases[at - 1].number != number) at = phrases[at - 1].next;
    return at;
  }
};

// Which words are compared: those that are at most so many words from the diagonal, on which a text
// goes along with the other one.
class Reach {
 public:
  Reach(std::size_t words, std::size_t hypothesis, std::size_t reference)
      : words_(static_cast<std::int64_t>(words)),
        hypothesis_(static_cast<std::int64_t>(hypothesis)),
        reference_(static_cast<std::int64_t>(reference)) {}

  // The first and the last word of the hypothesis within reach of a word of the reference. They
  // move to the right with it.
  std::int64_t first(std::size_t j) const { return diagonal(j) - words_; }
  std::int64_t last(std::size_t j) const { return diagonal(j) + words_; }

 private:
  std::int64_t diagonal(std::size_t j) const {
    return static_cast<std::int64_t>(j) * hypothesis_ / reference_;
  }

  std::int64_t words_, hypothesis_, reference_;
};

// The places of a text at which each number stands.
class NumberPlaces {
 public:
  // Forgets the text before. Numbers are less than `numbers`.
  void start(std::size_t numbers);
  // Places are added from the last to the first.
  void add(std::uint32_t number, std::uint32_t place);
  // Calls `use` with each place of a number from `first` to `last`, from the left. From call to
  // call `first` never moves to the left, so what lies before it is forgotten.
  template <class Use>
  void with(std::uint32_t number, std::int64_t first, std::int64_t last, Use use) {
    First& kept = first_[number];
    if (kept.text != text_) return;
    while (kept.at != 0 && places_[kept.at - 1].place < first) {
      kept.at = places_[kept.at - 1].next;
    }
    for (std::uint32_t at = kept.at; at != 0; at = places_[at - 1].next) {
      if (places_[at - 1].place > last) return;
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
  // Returns the matches that were chosen, in the order of the reference.
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
    std::uint32_t before = 0;  // the path that it continues
    std::int32_t match = -1;   // the match that it takes, -1 for none or a sure one

    // Field by field: a whole one would be built elsewhere in small parts, and copying it would
    // wait for each of them.
    void set(std::int64_t its_order, Place its_end, std::int32_t its_value,
             std::uint32_t its_before, std::int32_t its_match) {
      order = its_order;
      end = its_end;
      value = its_value;
      before = its_before;
      match = its_match;
    }
  };
  // Which words of the hypothesis a path may still need, in numbers of 64 bits: matches at a word
  // of the reference and at later ones are not to its left, and those at it and at earlier ones not
  // to its right.
  struct Window {
    std::uint32_t first = 0;
    std::uint32_t end = 0;

    std::size_t size() const { return end - first; }
    bool operator==(const Window& other) const { return first == other.first && end == other.end; }
  };
  // What orders paths: the value, then chunks and cost.
  struct Ranked {
    std::int64_t order;
    std::int32_t value;
    std::uint32_t path;
  };
  // A match at a word of the reference, as every path there may take it.
  struct Candidate {
    Place start, end;
    std::int64_t distance;
    std::int32_t value;
    std::int32_t match;
    std::size_t first, last;  // the numbers of `used_` that have its words of the hypothesis
    std::uint64_t bits;       // of its words in the first of these
  };

  void find_matches(const MeteorText& hypothesis, const MeteorText& reference,
                    const std::vector<Matcher>& matchers, const MeteorLexicon& lexicon);
  void find_matches(const MeteorText& hypothesis, const MeteorText& reference,
                    const std::vector<Matcher>& matchers, const MeteorLexicon& lexicon,
                    const Reach& reach);
  void find_stems(const MeteorText& hypothesis, const MeteorText& reference, Matcher matcher,
                  const MeteorLexicon& lexicon, const Reach& reach);
  void find_synonyms(const MeteorText& hypothesis, const MeteorText& reference,
                     const MeteorLexicon& lexicon, const Reach& reach);
  void find_phrases(const MeteorText& hypothesis, const MeteorText& reference, const Reach& reach);
  bool full() const { return found_.size() > most_; }
  void order_by_reference(std::size_t reference_words);
  void find_sure(std::size_t hypothesis_words, std::size_t reference_words);
  void search(std::size_t hypothesis_words, std::size_t reference_words, std::size_t beam);
  void find_windows(std::size_t reference_words);
  void prune(std::size_t place, std::size_t beam);
  void write_used(const Window& window, const Path& path, std::size_t row,
                  std::uint64_t* next) const;
  bool find_best(std::size_t place, std::size_t beam);
  void extend(std::size_t place, const MeteorMatch& sure);
  void extend(std::size_t place, const Place* end);
  void choose(std::size_t reference_words, std::size_t beam);
  Candidate candidate(std::size_t number) const;
  template <class Change>
  void for_bits(const Candidate& one, Change change) const;
  bool is_free(const std::uint64_t* used, const Candidate& one) const;
  std::size_t n_paths() const { return end_ - start_; }
  Path* room_for(std::size_t paths);
  const MeteorMatch* sure_at(std::size_t place) const {
    return sure_[place] >= 0 ? &matches_[static_cast<std::size_t>(sure_[place])] : nullptr;
  }

  NumberPlaces stems_, sets_;  // where the hypothesis has a stem, and a word of a set of synonyms
  std::vector<std::uint32_t> synonyms_;
  std::vector<std::uint32_t> resume_;
  std::size_t most_ = 0;  // matches, of which one more is found where there are too many
  std::vector<MeteorMatch> found_;
  std::vector<MeteorMatch> matches_;  // by the first word of the reference
  std::vector<std::uint32_t> starts_;
  // Matches whose words have no other match, by the first word of the reference, -1 for none. Every
  // path has them; at the end also those of the best path.
  std::vector<std::int32_t> sure_;
  std::vector<std::uint32_t> hypothesis_counts_, reference_counts_;
  // All paths. Those from `start_` to `end_` go on.
  std::vector<Path> paths_;
  std::size_t start_ = 0, end_ = 0;
  std::vector<Path> kept_;
  std::vector<Window> windows_;  // by word of the reference
  Window window_;                // that of `used_`
  // Bits of the words that each path uses, those of the window one path after the other.
  std::vector<std::uint64_t> used_, next_used_;
  std::vector<std::uint64_t> sure_used_;  // of the whole hypothesis, by sure matches
  // Whether `used_` is that of the paths that go on; else that of those that they continue, which
  // begin at `parents_`.
  bool settled_ = true;
  std::size_t parents_ = 0;
  std::vector<std::uint32_t> order_;
  std::vector<Candidate> candidates_;
  std::vector<Ranked> ranked_;
  std::vector<MeteorMatch> chosen_;
};

// Whether a match is next to another one on both sides.
bool follows(const MeteorMatch& match, const MeteorMatch& last);

}  // namespace bleuet
