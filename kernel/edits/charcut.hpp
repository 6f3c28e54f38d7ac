// CharCut (Lardilleux and Lepage 2017): the characters that are deleted, inserted and shifted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "edits/common_strings.hpp"
#include "rows/marks.hpp"
#include "text/text.hpp"

namespace bleuet {

// A row is integers[0..2] = deleted, inserted and shifted characters, [3] = the cost, [4] = the
// characters that it is divided by, all of the reference with the lowest cost per character.
class CharCutCounter {
 public:
  enum class Length : std::uint8_t { both, hypothesis };

  struct Options {
    std::size_t match_size = 3;    // the fewest characters of a match
    Length length = Length::both;  // whose characters the cost is divided by
    // Whether a code point beyond ASCII is a letter or a digit.
    bool (*is_alphanumeric)(char32_t) = nullptr;
  };

  using Reference = WordedText;

  static std::size_t integers(const Options&) { return 5; }
  static std::size_t reals(const Options&) { return 0; }

  explicit CharCutCounter(const Options& options) : options_(options) {}

  void prepare(const Text& text, Reference& reference);
  static void trim(Reference& reference) { reference.shrink(); }
  void count(const Text& hypothesis, const Reference* references, std::size_t n_references,
             std::int64_t* integers, double* reals);

  // The blocks of both texts in the order of the hypothesis, without white space at the ends. The
  // kind is 0 for those that keep their order, and 1 for shifted ones.
  void mark(Marks* marks) { marks_ = marks; }

 private:
  struct Kept {
    std::int64_t in_order = 0, shifted = 0;  // characters
  };
  // Part of the blocks: ranges of their numbers in both orders.
  struct Part {
    std::size_t ours, our_end, theirs, their_end;
  };

  Kept compare(const Reference& reference);
  void add(const Block& block, bool in_order, Kept& kept);
  void keep_order();
  std::int64_t distance(const Block& block) const;

  Options options_;
  std::vector<char32_t> buffer_;
  WordedText hypothesis_;
  CommonStrings common_;
  std::vector<Block> blocks_;       // in the order of the hypothesis
  std::vector<std::size_t> ranks_;  // the place of each in the order of the reference
  std::vector<std::size_t> numbers_;
  std::vector<unsigned char> in_order_;
  std::vector<Part> parts_;
  std::vector<Block> kept_;
  Marks* marks_ = nullptr;
};

}  // namespace bleuet
