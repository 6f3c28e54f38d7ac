// How often references have each n-gram, as far as it matters: of an n-gram that occurs once, all
// longer ones that begin with it occur once too, and are not kept. Most long n-grams are such.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ngrams/learned_references.hpp"
#include "text/token_numbers.hpp"

namespace bleuet {

class LearnedNgrams {
 public:
  // Whether every occurrence counts, or each segment once that has the n-gram in any reference.
  enum class Unit : std::uint8_t { occurrences, segments };

  // An n-gram: its number, kUnknown where no longer one is kept, and its count. The count is 0 of
  // an n-gram that is not kept or that no reference has.
  struct Ngram {
    std::uint32_t number;
    std::uint32_t count;
  };

  // Longer n-grams that begin with the word `kept` are kept however rare it is.
  LearnedNgrams(const LearnedReferences& references, std::size_t order, Unit unit,
                std::uint32_t kept, unsigned threads);

  Ngram single(std::uint32_t word) const {
    const std::uint32_t count = word < words_.size() ? words_[word] : 0;
    return {count > 1 || word == kept_ ? word : kUnknown, count};
  }
  // With a word more than `first`, which has n - 1 words and a number.
  Ngram longer(std::size_t n, std::uint32_t first, std::uint32_t word) const {
    const Table& table = tables_[(n - 2) * parts_ + (first & (parts_ - 1))];
    const std::size_t slot = table.find(key_of(first, word));
    const std::uint32_t count = table.slots[slot].count;
    return {count > 1 ? number_of(slot, first) : kUnknown, count};
  }
  const std::vector<std::uint32_t>& words() const { return words_; }

 private:
  // N-grams of one order that begin with some of the words, by the number of their first words and
  // their last word.
  struct Table {
    struct Slot {
      std::uint64_t key;
      std::uint32_t count;  // 0 in an empty slot
    };
    std::vector<Slot> slots;

    void make_room(std::size_t ngrams);
    // The slot of an n-gram, or the empty one where it would be.
    std::size_t find(std::uint64_t key) const {
      const std::size_t last = slots.size() - 1;
      std::size_t at = mix(key) & last;
      while (slots[at].count != 0 && slots[at].key != key) at = (at + 1) & last;
      return at;
    }
  };
  // An n-gram by where it starts, with its number.
  struct Begun {
    std::uint32_t at;
    std::uint32_t number;
  };

  static std::uint64_t key_of(std::uint32_t first, std::uint32_t word) {
    return std::uint64_t{first} << 32 | word;
  }
  void count_words(const LearnedReferences& references, Unit unit);
  void count_part(const LearnedReferences& references, std::size_t order, Unit unit,
                  std::uint32_t part);
  std::vector<Begun> begin(const LearnedReferences& references, std::uint32_t part) const;
  void count_order(const LearnedReferences& references, std::size_t n, Unit unit, Table& table,
                   std::vector<Begun>& begun) const;
  // Numbers of n-grams keep the part of their first word in the low bits.
  std::uint32_t number_of(std::size_t slot, std::uint32_t first) const {
    return static_cast<std::uint32_t>(slot) * parts_ + (first & (parts_ - 1));
  }

  std::uint32_t kept_;
  std::uint32_t parts_;               // a power of two
  std::vector<std::uint32_t> words_;  // counts
  std::vector<Table> tables_;         // of order 2 and all parts, then of order 3 ...
};

}  // namespace bleuet
