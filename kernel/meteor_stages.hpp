// The alignment of the first METEOR, in stages (Banerjee and Lavie 2005, section 2.2).
// metrics/meteor/stages.py explains it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "meteor_alignment.hpp"
#include "meteor_lexicon.hpp"

namespace bleuet {

class MeteorStages {
 public:
  // Returns the matches, in the order of the reference; one stage per matcher.
  const std::vector<MeteorMatch>& align(const MeteorText& hypothesis, const MeteorText& reference,
                                        const std::vector<Matcher>& matchers, std::size_t beam,
                                        const MeteorLexicon& lexicon);

 private:
  // Words that matches connect.
  struct Group {
    std::vector<std::int32_t> hypothesis;
    std::vector<std::int32_t> reference;
    bool complete;  // each of the hypothesis matches each of the reference
  };
  // A path of the search; its bits of used words and its pairs of the rest are at `place`.
  struct Path {
    std::int64_t crossings;
    std::int64_t chunks;
    std::int32_t last;  // what the word of the reference before is mapped to, or -1
    std::int32_t node;  // of the last pair, or -1
    bool kept;
  };
  struct Node {
    std::int32_t hypothesis;
    std::int32_t reference;
    std::int32_t parent;
  };

  void find_candidates(const MeteorText& hypothesis, const MeteorText& reference, Matcher matcher,
                       const MeteorLexicon& lexicon);
  bool find_candidates(const MeteorText& hypothesis, const MeteorText& reference, Matcher matcher,
                       const MeteorLexicon& lexicon, const Reach& reach);
  void find_groups();
  std::size_t count_hard() const;
  void map_most(std::size_t beam);
  void search(std::size_t beam);
  void extend(std::size_t path, std::int32_t j);
  void extend_in_order(std::size_t path, std::int32_t j, const Group& group);
  void extend_any(std::size_t path, std::int32_t j, const Group& group);
  void take(std::size_t path, std::int32_t j, std::int32_t i);
  void skip(std::size_t path, std::int32_t last, std::int64_t chunks);
  // Adds a path whose bits and rest are in `trial_used_` and `trial_rest_`, unless one that goes on
  // alike is as good.
  void keep(const Path& path);
  bool same(std::size_t place, std::int32_t last) const;
  Group& new_group();
  void narrow(std::size_t width);
  bool has_rest(std::size_t path, std::int32_t j, std::int32_t i, const Group& group);
  bool add_one(std::vector<std::int32_t>& rest, const std::int32_t* words, std::size_t n,
               const std::uint64_t* used);

  std::size_t hypothesis_words_ = 0;
  std::size_t reference_words_ = 0;
  std::vector<std::int32_t> mapped_;  // by word of the reference, -1 for none
  std::vector<Matcher> matcher_of_;
  std::vector<bool> hypothesis_used_;
  std::vector<std::vector<std::int32_t>> candidates_;  // by word of the reference
  std::vector<std::vector<std::int32_t>> matching_;    // by word of the hypothesis
  std::vector<Group> groups_;                          // the first n_groups_ of them
  std::size_t n_groups_ = 0;
  std::vector<bool> in_group_;          // by word of the hypothesis
  std::vector<std::int32_t> group_of_;  // by word of the reference, -1 for none
  std::size_t stride_ = 0;              // 64-bit words of a path's bits
  bool any_rest_ = false;               // whether a group is not complete
  std::vector<Path> paths_, next_;
  std::vector<std::uint64_t> used_, next_used_, trial_used_, blocked_;
  std::vector<std::int32_t> rest_, next_rest_, trial_rest_;
  std::vector<std::int32_t> owner_, reached_, queue_, hard_words_;
  std::vector<std::int32_t> buckets_, same_bucket_;  // of next_, by a hash; -1 for none
  std::vector<std::size_t> order_;
  std::vector<Node> nodes_;
  std::vector<MeteorMatch> chosen_;
};

}  // namespace bleuet
