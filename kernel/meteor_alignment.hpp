// The alignment of METEOR: the matches of two texts, and the beam search that chooses some of them
// (Denkowski and Lavie 2011, section 2.1). statistics/python_backend/meteor_rows.py explains it.
#pragma once

#include <cstddef>
#include <cstdint>
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
};

struct MeteorText {
  std::vector<MeteorWord> words;
  std::vector<MeteorPhrase> phrases;  // from left to right, shorter ones first

  void assign(const std::int64_t* ids, std::size_t n, const MeteorLexicon& lexicon);
};

class MeteorAligner {
 public:
  // Returns the matches that were chosen, in the order of the reference. Throws std::length_error
  // where more words match than a search can compare.
  const std::vector<MeteorMatch>& align(const MeteorText& hypothesis, const MeteorText& reference,
                                        const std::vector<Matcher>& matchers, std::size_t beam,
                                        const MeteorLexicon& lexicon);

 private:
  // A path of the search, which is longer by one match than its parent, or by none.
  struct Path {
    std::int64_t value;
    std::int64_t chunks;
    std::int64_t cost;
    std::int64_t words;
    std::uint32_t parent;
    std::int32_t match;  // -1 for none
    std::int32_t last;   // the match before this word of the reference, -1 for none
    std::int32_t node;
  };
  // What orders a path: chunks and cost, then the value.
  struct Key {
    std::int64_t first;
    std::int64_t second;
    std::uint32_t path;
  };
  struct Node {
    std::int32_t match;
    std::int32_t parent;
  };

  void find_matches(const MeteorText& hypothesis, const MeteorText& reference,
                    const std::vector<Matcher>& matchers, const MeteorLexicon& lexicon);
  void find_words(const MeteorText& hypothesis, const MeteorText& reference, Matcher matcher,
                  const MeteorLexicon& lexicon);
  void find_phrases(const MeteorText& hypothesis, const MeteorText& reference,
                    const MeteorLexicon& lexicon);
  void add(std::size_t i, std::size_t n, std::size_t j, std::size_t m, Matcher matcher);
  void order_by_reference(std::size_t reference_words);
  void find_sure(std::size_t hypothesis_words, std::size_t reference_words);
  void search(std::size_t hypothesis_words, std::size_t reference_words, std::size_t beam);
  void prune(std::size_t beam);
  void settle();
  void pass(std::size_t place);
  void extend(std::size_t place);
  Path taken(std::size_t parent, std::int32_t match, std::int64_t cost) const;
  bool allows(const std::uint64_t* used, const MeteorMatch& match) const;
  void use(std::uint64_t* used, const MeteorMatch& match) const;
  bool follows(std::int32_t match, std::int32_t last) const;

  std::vector<MeteorMatch> found_;
  std::vector<MeteorMatch> matches_;  // by the first word of the reference
  std::vector<std::uint32_t> starts_;
  std::vector<std::int32_t> sure_;  // by the first word of the reference, -1 for none
  std::vector<std::uint32_t> hypothesis_counts_, reference_counts_;
  std::size_t reference_offset_ = 0;  // the first bit of the reference in `used`
  std::size_t stride_ = 0;            // 64-bit words in `used`
  std::vector<Path> paths_, next_;
  std::vector<std::uint64_t> used_, next_used_;
  std::vector<std::uint32_t> order_;
  std::vector<Key> keys_;
  std::vector<Node> nodes_;
  std::vector<MeteorMatch> chosen_;
};

// Whether a match is next to another one on both sides.
bool follows(const MeteorMatch& match, const MeteorMatch& last);

}  // namespace bleuet
