// The strings that two texts have in common, longest first, each taken once: CharCut's matches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace bleuet {

// Characters that two texts have in common: the first place in both, and how many.
struct Block {
  std::uint32_t hypothesis, reference, size;
};

// A text without white space at its ends, and where its words are: runs of letters, digits and "_".
class WordedText {
 public:
  // `text` has `size` code points at its start; white space at the ends is left out.
  void read(const char32_t* text, std::size_t size, bool (*is_alphanumeric)(char32_t));

  std::size_t size() const { return characters_.size(); }
  const char32_t* characters() const { return characters_.data(); }
  bool operator==(const WordedText& other) const { return characters_ == other.characters_; }
  // Whether a word or another character begins or ends at a place.
  bool edge(std::size_t place) const { return edges_[place] != 0; }
  // Whether a string counts: one of several words only if it ends at edges.
  bool counts(std::size_t start, std::size_t end) const {
    return (edge(start) && edge(end)) || words(start, end) <= 1;
  }
  // How many words, or parts of words, are between two places.
  std::size_t words(std::size_t start, std::size_t end) const {
    return begun_[end] - begun_[start] + (edge(start) ? 0 : 1);
  }
  // The place after the last word, the end of a text without words.
  std::size_t after_words() const { return after_words_; }
  void shrink();

 private:
  std::vector<char32_t> characters_;
  std::vector<unsigned char> edges_;
  std::vector<std::uint32_t> begun_;  // how many words begin before a place
  std::size_t after_words_ = 0;
};

class CommonStrings {
 public:
  // The blocks of both texts; strings of fewer than `match_size` characters match only where both
  // texts begin or end with these words.
  const std::vector<Block>& find(const WordedText& hypothesis, const WordedText& reference,
                                 std::size_t match_size);

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFF;

  // Where each string of `size` characters, at most 3, is in a text.
  class Grams {
   public:
    void read(const WordedText& text, std::size_t size);
    // The first place of the characters at `string`, or kNone.
    std::uint32_t first(const char32_t* string) const;
    std::uint32_t next(std::uint32_t place) const { return next_[place]; }

   private:
    std::uint64_t key(const char32_t* string) const;
    std::size_t slot(std::uint64_t key) const;

    std::size_t size_ = 0;
    unsigned shift_ = 0;
    std::vector<std::uint64_t> keys_;
    std::vector<std::uint32_t> firsts_;
    std::vector<std::uint32_t> next_;
  };

  // A text, which characters no block has, and where its strings are.
  struct Side {
    const WordedText* text = nullptr;
    std::vector<unsigned char> taken;
    Grams grams;
    bool is_free(std::size_t start, std::size_t size) const;
    void take(std::size_t start, std::size_t size);
  };

  struct Run {
    Block block;
    std::uint32_t next;  // of those that wait for the same size
  };

  // A string of the size in turn: its places in both texts, as ranges of places_.
  struct String {
    std::uint32_t hypothesis, reference, end;
    std::uint32_t first;

    std::uint32_t in_hypothesis() const { return reference - hypothesis; }
    std::uint32_t in_reference() const { return end - reference; }
  };

  void find_runs();
  void wait(const Block& run, std::size_t most);
  void wait_pieces(const Block& run, std::size_t most);
  bool is_free(const Block& run) const;
  void take_size(std::size_t size);
  void take_strings(std::size_t size);
  void add_string(std::uint32_t start, std::size_t size);
  void add_places(const Side& side, const char32_t* string, std::size_t size);
  void drop_late_places(String& string);
  void take(const Block& block);
  void take_ends();

  std::size_t match_size_ = 0;
  std::size_t gram_size_ = 0;
  Side ours_, theirs_;
  bool has_our_grams_ = false;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> waiting_;  // the first run that waits for each size
  std::vector<Block> in_turn_;
  std::vector<Block> candidates_;
  std::vector<String> strings_;
  std::vector<std::uint32_t> places_;
  std::vector<Block> blocks_;
};

}  // namespace bleuet
