// The references that a metric has learned from, kept as numbers of their words.
//
// How often they have an n-gram follows from them. They take a hundredth of the memory that the
// counts of all n-grams take, and those of the parts of a corpus are joined at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tokens.hpp"
#include "vocabulary.hpp"

namespace bleuet {

constexpr std::uint32_t kUnknownWord = ~std::uint32_t{0};

class LearnedReferences {
 public:
  // What another process needs to make them again.
  struct State {
    std::vector<std::string> texts;
    bool ids;  // whether the texts are the bytes of integers
    std::vector<std::uint32_t> words;
    std::vector<std::uint64_t> ends;
    std::uint64_t checksum;
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

  // A sum of checksums of segments, which does not depend on their order.
  std::uint64_t checksum() const { return checksum_; }
  bool operator==(const LearnedReferences& other) const;

  const Vocabulary& vocabulary() const { return vocabulary_; }
  // The words of all references; reference r ends at ends()[r].
  const std::vector<std::uint32_t>& words() const { return words_; }
  const std::vector<std::uint64_t>& ends() const { return ends_; }
  bool ids() const { return ids_; }

 private:
  Vocabulary vocabulary_;
  std::vector<std::uint32_t> words_;
  std::vector<std::uint64_t> ends_;
  bool ids_ = false;
  std::uint64_t checksum_ = 0;
  std::string segment_;  // as it goes into the checksum
  bool begun_ = false;
};

}  // namespace bleuet
