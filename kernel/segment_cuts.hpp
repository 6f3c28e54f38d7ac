// Where a hypothesis is cut, so that its segments fit the references with the fewest edits (Matusov
// et al. 2005). statistics/definitions/segment_cuts.py is the definition.
//
// A row of Levenshtein's table behind a reference is two bits a word, as in levenshtein.cpp, but
// the columns are the words of the hypothesis. Row 0 of a segment is the last row of the segment
// before: where a segment begins costs nothing. Neighbours in the minimum of the rows of several
// references differ by at most one too.
//
// Memory is linear (Hirschberg 1975): rows from both ends meet in the middle, where one cut is
// chosen; then the same for both halves. At last each cut is chosen again between the cuts beside
// it, where edits of characters decide between places with as many edits of words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "numbered_texts.hpp"

namespace bleuet {

// How words look at a cut, and which they are without marks; a negative number is equal to none.
struct CutEdges {
  const std::int32_t* begins;  // of each word of the hypothesis
  const std::int32_t* ends;
  const std::int32_t* words;
  const std::int32_t* first;  // of each reference
  const std::int32_t* last;
  const std::int32_t* first_words;
  const std::int32_t* last_words;
};

// The characters of the texts.
struct CutCharacters {
  NumberedText hypothesis;
  const std::int64_t* begins;  // of each word, among the characters
  const std::int64_t* ends;
  NumberedReferences references;
  std::size_t different;
};

class SegmentCutter {
 public:
  // Word numbers are below `words`.
  SegmentCutter(const NumberedText& hypothesis, const NumberedReferences& references,
                const CutEdges& edges, std::size_t words);

  // Writes where each segment ends and returns the edits. Calls poll(share of the work done).
  template <class Poll>
  std::int64_t cut(std::int64_t* ends, Poll poll);

  // Chooses each cut again, by the edits of characters too.
  template <class Poll>
  void settle(std::int64_t* ends, const CutCharacters& characters, Poll poll);

 private:
  // Of a row: cells that are one more, or one less, than their left neighbour.
  struct Row {
    std::int64_t first = 0;
    std::vector<std::uint64_t> rises, falls;

    void start(std::size_t columns);
    void add_word(const std::vector<std::uint64_t>& matches);
    void take_less(const Row& other, std::size_t columns);
    void values(std::size_t columns, std::vector<std::int64_t>& cells) const;
  };
  // Segments [s0, s1) and words [h0, h1).
  struct Part {
    std::size_t s0, s1, h0, h1;
    std::size_t columns() const { return h1 - h0; }
  };

  template <class Poll>
  void fill(const Part& part, bool backwards, std::vector<std::int64_t>& cells, Poll& poll);
  // Fills left_ and right_ for a cut before a segment.
  template <class Poll>
  void fill_sides(const Part& part, std::size_t middle, Poll& poll);
  void mark(const Part& part, bool backwards, std::int32_t word, bool set);
  std::int64_t edits_at(const Part& part, std::size_t place) const {
    return left_[place - part.h0] + right_[part.h1 - place];
  }
  std::int64_t choose(const Part& part, std::size_t middle, std::size_t& place) const;
  // Writes the places with the fewest edits.
  void find_best(const Part& part, std::vector<std::size_t>& places) const;
  int fit(std::size_t segment, std::size_t place) const;

  NumberedText hypothesis_;
  NumberedReferences references_;
  CutEdges edges_;
  // Where each word stands in the hypothesis: places_[starts_[word]] and so on, ascending.
  std::vector<std::size_t> starts_, places_;
  std::vector<std::uint64_t> matches_;  // of one word of a reference
  Row row_, start_, best_;
  std::vector<std::int64_t> left_, right_;
  double work_ = 0, done_ = 0;
};

template <class Poll>
std::int64_t SegmentCutter::cut(std::int64_t* ends, Poll poll) {
  const std::size_t segments = references_.segments;
  std::int64_t edits = -1;
  std::vector<Part> parts{{0, segments, 0, hypothesis_.size()}};
  if (segments < 2) {
    fill(parts.back(), false, left_, poll);
    edits = left_.back();
  }
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    if (part.s1 - part.s0 < 2) {
      if (part.s1 > part.s0) ends[part.s1 - 1] = static_cast<std::int64_t>(part.h1);
      continue;
    }
    const std::size_t middle = part.s0 + (part.s1 - part.s0) / 2;
    fill_sides(part, middle, poll);
    std::size_t place = 0;
    const std::int64_t fewest = choose(part, middle, place);
    if (edits < 0) edits = fewest;
    parts.push_back({middle, part.s1, place, part.h1});
    parts.push_back({part.s0, middle, part.h0, place});
  }
  return edits;
}

template <class Poll>
void SegmentCutter::settle(std::int64_t* ends, const CutCharacters& characters, Poll poll) {
  SegmentCutter letters(characters.hypothesis, characters.references, edges_, characters.different);
  std::vector<std::size_t> places;
  for (std::size_t segment = 1; segment < references_.segments; ++segment) {
    const Part part{segment - 1, segment + 1,
                    static_cast<std::size_t>(segment < 2 ? 0 : ends[segment - 2]),
                    static_cast<std::size_t>(ends[segment])};
    fill_sides(part, segment, poll);
    find_best(part, places);
    if (places.size() < 2) continue;
    const Part text{part.s0, part.s1, static_cast<std::size_t>(characters.begins[part.h0]),
                    static_cast<std::size_t>(characters.ends[part.h1 - 1])};
    letters.fill_sides(text, segment, poll);
    std::int64_t fewest = 0;
    int best = -1;
    for (const std::size_t place : places) {
      const std::size_t end =
          place == part.h0 ? text.h0 : static_cast<std::size_t>(characters.ends[place - 1]);
      const std::size_t begin =
          place == part.h1 ? text.h1 : static_cast<std::size_t>(characters.begins[place]);
      const std::int64_t edits = letters.left_[end - text.h0] + letters.right_[text.h1 - begin];
      const int fits = fit(segment, place);
      if (fits < best || (fits == best && edits > fewest)) continue;
      best = fits;
      fewest = edits;
      ends[segment - 1] = static_cast<std::int64_t>(place);
    }
  }
}

template <class Poll>
void SegmentCutter::fill_sides(const Part& part, std::size_t middle, Poll& poll) {
  fill({part.s0, middle, part.h0, part.h1}, false, left_, poll);
  fill({middle, part.s1, part.h0, part.h1}, true, right_, poll);
}

template <class Poll>
void SegmentCutter::fill(const Part& part, bool backwards, std::vector<std::int64_t>& cells,
                         Poll& poll) {
  best_.start(part.columns());
  for (std::size_t i = part.s0; i < part.s1; ++i) {
    const std::size_t segment = backwards ? part.s1 - 1 - (i - part.s0) : i;
    const std::size_t begin = references_.begin(segment), end = references_.end(segment);
    if (end - begin > 1) start_ = best_;
    for (std::size_t r = begin; r < end; ++r) {
      if (r > begin) row_ = start_;
      Row& row = r == begin ? best_ : row_;
      const NumberedText text = references_.texts[r];
      for (std::size_t w = 0; w < text.size(); ++w) {
        const std::int32_t word = text[backwards ? text.size() - 1 - w : w];
        mark(part, backwards, word, true);
        row.add_word(matches_);
        mark(part, backwards, word, false);
        done_ += static_cast<double>(part.columns());
        if (part.columns() > 4096 || w % 64 == 0) poll(done_ / work_);
      }
      if (r > begin) best_.take_less(row_, part.columns());
    }
  }
  best_.values(part.columns(), cells);
}

}  // namespace bleuet
