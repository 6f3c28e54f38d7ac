// The references that a metric has learned from, kept as numbers of their words.
//
// How often they have an n-gram follows from them. They take a hundredth of the memory that the
// counts of all n-grams take, and those of the parts of a corpus are joined at once. Hypotheses are
// compared with them too, so that references are tokenized once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "ngrams/word_counter.hpp"
#include "rows/counter.hpp"
#include "text/digest.hpp"
#include "text/tokens.hpp"
#include "text/vocabulary.hpp"

namespace bleuet {

class LearnedReferences {
 public:
  // What another process needs to make them again.
  struct State {
    std::vector<std::string> texts;
    bool ids;  // whether the texts are the bytes of integers
    std::vector<std::uint32_t> words;
    std::vector<std::uint64_t> ends;
    std::vector<std::uint64_t> segments;
    Digest digest;
  };

  LearnedReferences() = default;
  // Throws std::invalid_argument where the state is none that state() returned.
  explicit LearnedReferences(const State& state);
  State state() const;

  // Adds the next reference of a segment, untrimmed. `ids` says that its tokens are integers.
  void add(const TokenList& reference, bool ids);
  void end_segment();
  // Adds those of another part. Throws std::invalid_argument where its words are of another kind.
  void join(const LearnedReferences& other);

  // A sum of digests of segments, which does not depend on their order. That others have the same
  // one by chance has a probability of 1 in 2^256.
  const Digest& digest() const { return digest_; }
  // Whether the segments are the same, in any order.
  bool operator==(const LearnedReferences& other) const;

  const Vocabulary& vocabulary() const { return vocabulary_; }
  // The words of all references; reference r ends at ends()[r], and the references of segment i end
  // at segments()[i].
  const std::vector<std::uint32_t>& words() const { return words_; }
  const std::vector<std::size_t>& ends() const { return ends_; }
  const std::vector<std::size_t>& segments() const { return segments_; }
  bool ids() const { return ids_; }
  // The integer that a word is, where ids().
  std::int64_t id_of(std::uint32_t word) const;

 private:
  std::vector<std::vector<std::uint32_t>> sorted_segments(
      const std::vector<std::uint32_t>& words) const;
  // Add to text_. After a text of `put`, at least 8 more bytes are readable.
  void put(const char* text, std::size_t size);
  char* room_for(std::size_t size);

  Vocabulary vocabulary_;
  std::vector<std::uint32_t> words_;
  std::vector<std::size_t> ends_, segments_;
  bool ids_ = false;
  Digest digest_{};
  // The segment as it goes into the digest: the words of each reference, and how many bytes they
  // are.
  std::vector<char> text_;
  std::size_t text_size_ = 0;
};

// Reads references. Each thread reads a part, and the parts are joined in order, so that words get
// the same numbers from any number of threads.
template <class Segments, class Poll>
LearnedReferences read_references(const WordReader& reader, const Grouped<Segments>& references,
                                  unsigned threads, Poll poll) {
  constexpr std::size_t kFewest = 512;  // segments of a part
  const std::size_t rows = references.ends.size();
  const std::size_t n = std::min<std::size_t>(thread_count(threads), rows / kFewest + 1);
  std::vector<LearnedReferences> parts(n);
  const auto make_worker = [&] {
    return [&, poll, read = TokenizedText()](std::size_t part) mutable {
      LearnedReferences learned;
      for (std::size_t row = rows * part / n; row < rows * (part + 1) / n; ++row) {
        for (std::size_t r = references.start(row); r < references.ends[row]; ++r) {
          references.all.prepare(reader, r, read);
          learned.add(read.tokens, std::is_same_v<Segments, Ids>);
        }
        learned.end_segment();
        if (row % 64 == 0) poll();
      }
      parts[part] = std::move(learned);
    };
  };
  share_rows(n, threads, poll, make_worker, kLongRows);
  for (std::size_t part = 1; part < n; ++part) parts[0].join(parts[part]);
  return std::move(parts[0]);
}

}  // namespace bleuet
