#include "ngrams/self_rows.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "rows/parallel.hpp"
#include "text/token_numbers.hpp"

namespace bleuet {
namespace {

// The n-grams of a part are so few that their table stays in a core's cache.
constexpr std::size_t kWordsOfPart = 16384;

// The lengths of the references, without that of the text itself.
class OtherLengths {
 public:
  OtherLengths(const LearnedReferences& texts, const SelfReferences& references)
      : itself_(references.itself), chosen_(references.chosen) {
    for (std::size_t text = 0; text < texts.ends().size(); ++text) {
      if (chosen_[text] == 0) continue;
      sorted_.push_back(texts.ends()[text] - (text == 0 ? 0 : texts.ends()[text - 1]));
      sum_ += sorted_.back();
    }
    std::sort(sorted_.begin(), sorted_.end());
  }

  // Of two equally close lengths the shorter one, as in BleuCounter.
  std::size_t closest(std::size_t text, std::size_t length) const {
    const std::size_t first = place_of(length);
    const std::size_t next = first + left_out(text);
    if (first == 0) return sorted_[next];
    if (next == sorted_.size()) return sorted_[first - 1];
    return sorted_[next] - length < length - sorted_[first - 1] ? sorted_[next]
                                                                : sorted_[first - 1];
  }
  std::size_t shortest(std::size_t text, std::size_t length) const {
    return sorted_[place_of(length) == 0 ? left_out(text) : 0];
  }
  double average(std::size_t text, std::size_t length) const {
    const std::size_t out = left_out(text);
    return static_cast<double>(sum_ - out * length) / static_cast<double>(sorted_.size() - out);
  }

 private:
  std::size_t left_out(std::size_t text) const { return !itself_ && chosen_[text] != 0; }
  std::size_t place_of(std::size_t length) const {
    return static_cast<std::size_t>(std::lower_bound(sorted_.begin(), sorted_.end(), length) -
                                    sorted_.begin());
  }

  bool itself_;
  const std::uint8_t* chosen_;
  std::vector<std::size_t> sorted_;
  std::size_t sum_ = 0;
};

// An n-gram by where it starts, its text, and the number of its first words.
struct Begun {
  std::uint32_t at;
  std::uint32_t text;
  std::uint32_t number;
};

// Counts the n-grams that begin with some of the words, order after order.
class PartCounter {
 public:
  PartCounter(const LearnedReferences& texts, const SelfReferences& references, std::size_t order,
              std::uint32_t* matches, std::int64_t* repeated)
      : words_(texts.words().data()),
        ends_(texts.ends().data()),
        n_texts_(texts.ends().size()),
        references_(references),
        order_(order),
        matches_(matches),
        repeated_(repeated) {}

  // `begun` has every place of these words; it is used up.
  void count(Begun* begun, std::size_t size) {
    for (std::size_t n = 1; n <= order_; ++n) {
      const auto is_cut = [&](const Begun& one) { return one.at + n > ends_[one.text]; };
      size = static_cast<std::size_t>(std::remove_if(begun, begun + size, is_cut) - begun);
      read(begun, size, n);
      repeated_[n - 1] += static_cast<std::int64_t>(size) - settle_all();
      size = match(begun, size, matches_ + (n - 1) * n_texts_);
    }
  }

 private:
  struct Ngram {
    std::uint64_t key;
    std::uint32_t occurrences;  // 0 in an empty slot
    std::uint32_t text;         // the text that is read, and how often it has the n-gram
    std::uint32_t here;
    std::uint32_t most, second;  // in a reference, and in another one
    std::uint32_t whose;         // the text that has it most often
  };

  void read(Begun* begun, std::size_t size, std::size_t n) {
    slots_.assign(table_size_for(size), Ngram{0, 0, kUnknown, 0, 0, 0, kUnknown});
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t slot = slot_of(begun[i].number, words_[begun[i].at + n - 1]);
      Ngram& ngram = slots_[slot];
      if (ngram.text != begun[i].text) {
        settle(ngram);
        ngram.text = begun[i].text;
        ngram.here = 0;
      }
      ++ngram.here;
      ++ngram.occurrences;
      begun[i].number = slot;
    }
  }

  std::uint32_t slot_of(std::uint32_t first, std::uint32_t word) {
    const std::uint64_t key = std::uint64_t{first} << 32 | word;
    const std::size_t last = slots_.size() - 1;
    std::size_t at = mix(key) & last;
    while (slots_[at].occurrences != 0 && slots_[at].key != key) at = (at + 1) & last;
    slots_[at].key = key;
    return static_cast<std::uint32_t>(at);
  }

  void settle(Ngram& ngram) const {
    if (ngram.text == kUnknown || references_.chosen[ngram.text] == 0) return;
    if (ngram.here > ngram.most) {
      ngram.second = ngram.most;
      ngram.most = ngram.here;
      ngram.whose = ngram.text;
    } else {
      ngram.second = std::max(ngram.second, ngram.here);
    }
  }

  // Returns how many n-grams there are.
  std::int64_t settle_all() {
    std::int64_t ngrams = 0;
    for (Ngram& ngram : slots_) {
      if (ngram.occurrences == 0) continue;
      settle(ngram);
      ngram.text = kUnknown;
      ++ngrams;
    }
    return ngrams;
  }

  // Keeps the n-grams that longer ones can begin with that match: those that occur again, or all
  // where a text matches itself.
  std::size_t match(Begun* begun, std::size_t size, std::uint32_t* matches) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const Begun one = begun[i];
      Ngram& ngram = slots_[one.number];
      if (ngram.text != one.text) {
        ngram.text = one.text;
        const bool own = ngram.whose == one.text && !references_.itself;
        ngram.here = own ? ngram.second : ngram.most;
      }
      if (ngram.here != 0) {
        --ngram.here;
        ++matches[one.text];
      }
      if (ngram.occurrences > 1 || references_.itself) begun[kept++] = one;
    }
    return kept;
  }

  const std::uint32_t* words_;
  const std::size_t* ends_;
  std::size_t n_texts_;
  SelfReferences references_;
  std::size_t order_;
  std::uint32_t* matches_;
  std::int64_t* repeated_;
  std::vector<Ngram> slots_;
};

// The places of all words, those of the words of each part together, and where each part ends.
class Places {
 public:
  explicit Places(const LearnedReferences& texts) {
    const std::vector<std::uint32_t>& words = texts.words();
    if (words.size() >= kUnknown) {
      throw std::length_error("the texts have too many words; compare fewer");
    }
    std::size_t parts = 1;
    while (parts * kWordsOfPart < words.size()) parts *= 2;
    std::vector<std::size_t> next(parts + 1, 0);
    for (const std::uint32_t word : words) ++next[(word & (parts - 1)) + 1];
    for (std::size_t part = 0; part < parts; ++part) next[part + 1] += next[part];
    ends_.assign(next.begin() + 1, next.end());
    places_.resize(words.size());
    std::size_t at = 0;
    for (std::size_t text = 0; text < texts.ends().size(); ++text) {
      for (; at < texts.ends()[text]; ++at) {
        places_[next[words[at] & (parts - 1)]++] = {static_cast<std::uint32_t>(at),
                                                    static_cast<std::uint32_t>(text), 0};
      }
    }
  }

  std::size_t parts() const { return ends_.size(); }
  Begun* begin(std::size_t part) { return places_.data() + (part == 0 ? 0 : ends_[part - 1]); }
  std::size_t size(std::size_t part) const {
    return ends_[part] - (part == 0 ? 0 : ends_[part - 1]);
  }

 private:
  std::vector<std::size_t> ends_;
  std::vector<Begun> places_;
};

}  // namespace

std::vector<std::int64_t> write_self_rows(const BleuCounter::Options& options,
                                          const LearnedReferences& texts,
                                          const SelfReferences& references, const Columns& columns,
                                          unsigned threads, const std::function<void()>& poll) {
  const std::size_t order = options.max_ngram_order;
  const std::size_t rows = columns.rows;
  Places places(texts);
  // Each thread adds up its own, and the sums of all are added at the end.
  const std::size_t workers = std::min<std::size_t>(thread_count(threads), places.parts() + 1);
  std::vector<std::vector<std::uint32_t>> matches(workers);
  std::vector<std::vector<std::int64_t>> repeated(workers, std::vector<std::int64_t>(order, 0));
  std::atomic<std::size_t> started{0};
  const auto make_worker = [&] {
    const std::size_t worker = started++;
    matches[worker].assign(order * rows, 0);
    return [&places, counter = PartCounter(texts, references, order, matches[worker].data(),
                                           repeated[worker].data())](std::size_t part) mutable {
      counter.count(places.begin(part), places.size(part));
    };
  };
  share_rows(places.parts(), threads, poll, make_worker, kLongRows);

  const OtherLengths lengths(texts, references);
  const std::size_t before = 2 - BleuCounter::reals(options);
  std::vector<std::int64_t> different(order, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t length = texts.ends()[row] - (row == 0 ? 0 : texts.ends()[row - 1]);
    const auto put = [&](std::size_t column, std::size_t value) {
      columns.integers[column * rows + row] = static_cast<std::int64_t>(value);
    };
    put(0, length);
    switch (options.reference_length) {
      case ReferenceLength::closest:
        put(1, lengths.closest(row, length));
        break;
      case ReferenceLength::shortest:
        put(1, lengths.shortest(row, length));
        break;
      case ReferenceLength::average:
        columns.reals[row] = lengths.average(row, length);
        break;
    }
    for (std::size_t n = 0; n < order; ++n) {
      std::size_t matched = 0;
      for (const std::vector<std::uint32_t>& some : matches) {
        if (!some.empty()) matched += some[n * rows + row];
      }
      put(before + n, matched);
      put(before + order + n, length > n ? length - n : options.phantom_ngrams);
      different[n] += static_cast<std::int64_t>(length > n ? length - n : 0);
    }
  }
  for (const std::vector<std::int64_t>& some : repeated) {
    for (std::size_t n = 0; n < order; ++n) different[n] -= some[n];
  }
  return different;
}

}  // namespace bleuet
