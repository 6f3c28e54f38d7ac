#include "ngrams/bleu_pairs.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace bleuet {
namespace {

constexpr std::size_t kOneByte = std::numeric_limits<std::uint8_t>::max();
// An n-gram of so large a part of the segments has a row with a count for every segment: adding a
// row costs a sixteenth of what adding as many single counts costs, or less.
constexpr std::size_t kPart = 16;
// Stands after each reference; no word of a hypothesis has this number.
constexpr std::uint32_t kNoWord = kUnknown - 1;

void check_size(std::size_t size) {
  if (size < kNoWord) return;
  throw std::length_error("the references have too many n-grams; score fewer segments at a time");
}

}  // namespace

BleuPairs::BleuPairs(const PreparedReferences<BleuCounter>& references)
    : references_(references),
      order_(references.options.max_ngram_order),
      segments_(references.ends.size()) {
  std::vector<Begun> begun = read_words();
  having_.reserve(2 * words_.size());
  collect(begun, 0, vocabulary_.size());
  for (std::size_t n = 2; n <= order_ && !begun.empty(); ++n) number_longer(n, begun);
  make_rows();
}

std::vector<BleuPairs::Begun> BleuPairs::read_words() {
  std::size_t words = 0;
  for (const TokenizedText& reference : references_.all) words += reference.tokens.size() + 1;
  check_size(words);
  words_.reserve(words);
  std::vector<Begun> begun;
  begun.reserve(words);
  for (const TokenizedText& reference : references_.all) {
    const TokenList& tokens = reference.tokens;
    const auto number = static_cast<std::uint32_t>(ends_.size());
    vocabulary_.prefetch_slots(tokens);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      const auto word = static_cast<std::uint32_t>(vocabulary_.number_of(tokens, tokens[i]));
      begun.push_back({static_cast<std::uint32_t>(words_.size()), number, word});
      words_.push_back(word);
    }
    ends_.push_back(words_.size());
    words_.push_back(kNoWord);
  }
  return begun;
}

// `begun` has all n-grams of the order below, and gets those of this order.
void BleuPairs::number_longer(std::size_t n, std::vector<Begun>& begun) {
  const auto is_last = [&](const Begun& one) {
    return one.at + n > ends_[one.reference] || ngrams_[one.number].place != kUnknown;
  };
  begun.erase(std::remove_if(begun.begin(), begun.end(), is_last), begun.end());
  const std::size_t base = ngrams_.size();
  longer_.emplace_back(begun.size());
  std::size_t end = base;
  for (Begun& one : begun) {
    std::uint32_t& number = longer_.back().number_of(one.number, words_[one.at + n - 1]);
    if (number == kUnknown) number = static_cast<std::uint32_t>(end++);
    one.number = number;
  }
  collect(begun, base, end);
}

// Collects the segments of the n-grams of one order, which have the numbers from `base` to `end`.
void BleuPairs::collect(const std::vector<Begun>& begun, std::size_t base, std::size_t end) {
  check_size(having_.size() + begun.size());
  ngrams_.resize(end, {0, kUnknown, kUnknown});
  // Of an n-gram: its occurrences, then the place of the next segment in having_; and what of the
  // segment and the reference was read last.
  struct Seen {
    std::uint32_t next = 0, segment = kUnknown, reference = kUnknown, here = 0;
  };
  std::vector<Seen> seen(end - base);
  const auto each = [&](auto use) {
    std::uint32_t segment = 0;
    for (const Begun& one : begun) {
      while (one.reference >= references_.ends[segment]) ++segment;
      use(one, segment, seen[one.number - base]);
    }
  };
  each([&](const Begun& one, std::uint32_t segment, Seen& last) {
    Ngram& ngram = ngrams_[one.number];
    ngram.place = last.segment == kUnknown ? one.at : kUnknown;
    last.next += last.segment != segment;
    last.segment = segment;
  });
  auto next = static_cast<std::uint32_t>(having_.size());
  for (std::size_t number = base; number < end; ++number) {
    ngrams_[number].first = next;
    next += seen[number - base].next;
    seen[number - base] = {ngrams_[number].first, kUnknown, kUnknown, 0};
  }
  having_.resize(next);
  each([&](const Begun& one, std::uint32_t segment, Seen& last) {
    if (last.segment != segment) having_[last.next++] = {segment, 0};
    if (last.reference != one.reference) last.here = 0;
    last.segment = segment;
    last.reference = one.reference;
    Having& having = having_[last.next - 1];
    having.count = std::max(having.count, ++last.here);
  });
}

void BleuPairs::make_rows() {
  std::uint32_t rows = 0;
  ngrams_.push_back({static_cast<std::uint32_t>(having_.size()), kUnknown, kUnknown});
  for (std::size_t number = 0; number + 1 < ngrams_.size(); ++number) {
    const Having* const begin = having_.data() + ngrams_[number].first;
    const Having* const end = having_.data() + ngrams_[number + 1].first;
    if (static_cast<std::size_t>(end - begin) < segments_ / kPart + 2) continue;
    if (std::any_of(begin, end, [](const Having& one) { return one.count > kOneByte; })) continue;
    ngrams_[number].row = rows;
    counts_.resize(++rows * segments_, 0);
    std::uint8_t* const row = counts_.data() + (rows - 1) * segments_;
    for (const Having* one = begin; one != end; ++one) {
      row[one->segment] = static_cast<std::uint8_t>(one->count);
    }
  }
}

void BleuPairs::count(Scratch& scratch) const {
  scratch.matches.clear();
  if (scratch.hypothesis.tokens.size() <= kOneByte) {
    count_in(scratch, scratch.bytes);
  } else {
    count_in(scratch, scratch.matches);
  }
}

template <class Count>
void BleuPairs::count_in(Scratch& scratch, std::vector<Count>& matches) const {
  const TokenList& tokens = scratch.hypothesis.tokens;
  const std::size_t size = tokens.size();
  matches.assign(order_ * segments_, 0);
  vocabulary_.prefetch_slots(tokens);
  scratch.words.resize(size);
  scratch.places.clear();
  for (std::size_t i = 0; i < size; ++i) {
    scratch.words[i] = static_cast<std::uint32_t>(vocabulary_.find(tokens, tokens[i]));
    if (scratch.words[i] != kUnknown) scratch.places.push_back(static_cast<std::uint32_t>(i));
  }
  std::vector<std::uint32_t>& numbers = scratch.numbers;
  numbers = scratch.words;
  for (std::size_t n = 1; !scratch.places.empty(); ++n) {
    for (const std::uint32_t i : scratch.places) ++scratch.counts[numbers[i]];
    for (const std::uint32_t i : scratch.places) {
      std::uint32_t& count = scratch.counts[numbers[i]];
      if (count != 0) add(numbers[i], count, matches.data() + (n - 1) * segments_);
      count = 0;
    }
    if (n > longer_.size()) break;
    const auto is_last = [&](std::uint32_t i) {
      if (i + n >= size || scratch.words[i + n] == kUnknown) return true;
      if (ngrams_[numbers[i]].place != kUnknown) {
        follow(scratch, n, i, matches);
        return true;
      }
      numbers[i] = longer_[n - 1].find(numbers[i], scratch.words[i + n]);
      return numbers[i] == kUnknown;
    };
    scratch.places.erase(std::remove_if(scratch.places.begin(), scratch.places.end(), is_last),
                         scratch.places.end());
  }
  for (const std::uint32_t place : scratch.followed) scratch.reached[place] = 0;
  scratch.followed.clear();
}

// Counts the n-grams longer than n that start at word i of the hypothesis and at the only place of
// the n-gram.
template <class Count>
void BleuPairs::follow(Scratch& scratch, std::size_t n, std::size_t i,
                       std::vector<Count>& matches) const {
  const Ngram& ngram = ngrams_[scratch.numbers[i]];
  const Having& having = having_[ngram.first];
  const std::size_t most = std::min(order_, scratch.words.size() - i);
  std::uint32_t& reached = scratch.reached[ngram.place];
  for (; n < most && words_[ngram.place + n] == scratch.words[i + n]; ++n) {
    if (n >= reached) ++matches[n * segments_ + having.segment];
  }
  if (n > reached) {
    reached = static_cast<std::uint32_t>(n);
    scratch.followed.push_back(ngram.place);
  }
}

template <class Count>
void BleuPairs::add(std::uint32_t number, std::uint32_t count, Count* matches) const {
  const Ngram& ngram = ngrams_[number];
  if (ngram.row != kUnknown) {
    // A copy, since to the compiler each byte that is written might be a part of segments_.
    const std::size_t segments = segments_;
    const std::uint8_t* const row = counts_.data() + ngram.row * segments;
    const auto most = static_cast<std::uint8_t>(std::min<std::size_t>(count, kOneByte));
    for (std::size_t segment = 0; segment < segments; ++segment) {
      matches[segment] = static_cast<Count>(matches[segment] + std::min(row[segment], most));
    }
    return;
  }
  for (std::uint32_t i = ngram.first; i < ngrams_[number + 1].first; ++i) {
    Count& sum = matches[having_[i].segment];
    sum = static_cast<Count>(sum + std::min(having_[i].count, count));
  }
}

void BleuPairs::write(const Scratch& scratch, std::size_t begin, std::size_t end,
                      const Columns& columns, std::size_t row) const {
  const BleuCounter::Options& options = references_.options;
  const std::size_t length = scratch.hypothesis.tokens.size();
  std::int64_t* column = columns.integers + row;
  const auto fill = [&](std::int64_t number) {
    std::fill_n(column, end - begin, number);
    column += columns.rows;
  };
  fill(static_cast<std::int64_t>(length));
  if (options.reference_length == ReferenceLength::average) {
    write_lengths(length, begin, end, columns.reals + row);
  } else {
    write_lengths(length, begin, end, column);
    column += columns.rows;
  }
  for (std::size_t n = 0; n < order_; ++n) {
    const std::size_t from = n * segments_ + begin;
    if (scratch.matches.empty()) {
      std::copy_n(scratch.bytes.data() + from, end - begin, column);
    } else {
      std::copy_n(scratch.matches.data() + from, end - begin, column);
    }
    column += columns.rows;
  }
  for (std::size_t n = 0; n < order_; ++n) {
    fill(length > n ? static_cast<std::int64_t>(length - n) : options.phantom_ngrams);
  }
}

// The length of the references of each segment that a hypothesis is compared with.
template <class Number>
void BleuPairs::write_lengths(std::size_t length, std::size_t begin, std::size_t end,
                              Number* lengths) const {
  const bool single = references_.all.size() == segments_;
  for (std::size_t segment = begin; segment < end; ++segment) {
    const std::size_t start = references_.start(segment);
    const std::size_t n = references_.ends[segment] - start;
    lengths[segment - begin] = static_cast<Number>(
        single
            ? static_cast<double>(ends_[segment] - (segment == 0 ? 0 : ends_[segment - 1] + 1))
            : reference_length(references_.options.reference_length, length, n, [&](std::size_t r) {
                return references_.all[start + r].tokens.size();
              }));
  }
}

}  // namespace bleuet
