// What systems are compared by, as Python calls it: words as numbers, their matches, n-grams.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "bindings/buffers.hpp"
#include "bindings/module.hpp"
#include "bindings/names.hpp"
#include "bindings/segments.hpp"
#include "edits/segment_cuts.hpp"
#include "ngrams/mean_ngrams.hpp"
#include "ngrams/ngram_groups.hpp"
#include "ngrams/word_matches.hpp"
#include "text/packed_texts.hpp"
#include "text/vocabulary.hpp"

namespace bleuet {
namespace {

template <class Number>
nb::object to_bytes(const std::vector<Number>& numbers) {
  nb::object bytes = nb::steal(
      PyByteArray_FromStringAndSize(reinterpret_cast<const char*>(numbers.data()),
                                    static_cast<Py_ssize_t>(sizeof(Number) * numbers.size())));
  if (!bytes.is_valid()) throw nb::python_error();
  return bytes;
}

// glibc keeps the small blocks that were freed, such as those of the references that metrics read.
void give_back_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

// --- Words as numbers
// -----------------------------------------------------------------------------

struct Numbering {
  Tokenizer tokenizer;
  Vocabulary words;
  TokenizerScratch scratch;
  TokenList tokens;

  template <class Poll>
  void add(const Strings& texts, std::vector<std::int32_t>& numbers,
           std::vector<std::int64_t>& ends, Poll& poll) {
    for (std::size_t i = 0; i < texts.size(); ++i) {
      tokenize(tokenizer, text_of(texts.items[i]), Case::keep, scratch, tokens);
      for (std::size_t t = 0; t < tokens.size(); ++t) {
        numbers.push_back(words.number_of(tokens, tokens[t]));
      }
      ends.push_back(static_cast<std::int64_t>(numbers.size()));
      if (i % 1024 == 0) poll();
    }
  }
};

nb::tuple number_words(const std::string& tokenizer, nb::object lists) {
  give_back_memory();
  Numbering numbering{by_name(kTokenizers, tokenizer, "tokenizer"), {}, {}, {}};
  nb::list texts;
  for (const nb::handle list : lists) {
    Reader reader(false);
    const Strings strings = reader.hypotheses<Strings>(list.ptr());
    std::vector<std::int32_t> numbers;
    std::vector<std::int64_t> ends;
    {
      const nb::gil_scoped_release unlocked;
      auto poll = signal_poll();
      numbering.add(strings, numbers, ends, poll);
    }
    texts.append(nb::make_tuple(to_bytes(numbers), to_bytes(ends)));
  }
  nb::list words;
  for (std::size_t i = 0; i < numbering.words.size(); ++i) {
    words.append(string_of(numbering.words[i]));
  }
  return nb::make_tuple(words, texts);
}

// Numbers and ends that Python lends. They are checked, so that no number leads out of a buffer.
class BorrowedTexts {
 public:
  BorrowedTexts(nb::handle pair, std::size_t words) : numbers_(pair[0]), ends_(pair[1]) {
    check_ends(ends_, numbers_.size());
    for (std::size_t i = 0; i < numbers_.size(); ++i) {
      if (static_cast<std::uint32_t>(numbers_.data()[i]) >= words) {
        throw nb::index_error("a word number is not below the number of words");
      }
    }
  }

  NumberedTexts view() const { return {numbers_.data(), ends_.data(), ends_.size()}; }

  std::size_t words() const { return numbers_.size(); }

  static void check_ends(const Copied<std::int64_t>& ends, std::size_t last) {
    std::int64_t before = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends.data()[i] < before) throw nb::index_error("ends of texts are not in order");
      before = ends.data()[i];
    }
    if (static_cast<std::size_t>(before) != last) {
      throw nb::index_error("the last end is not that of the numbers");
    }
  }

 private:
  Copied<std::int32_t> numbers_;
  Copied<std::int64_t> ends_;
};

class BorrowedReferences {
 public:
  BorrowedReferences(nb::handle triple, std::size_t words)
      : texts_(triple, words), groups_(triple[2]) {
    BorrowedTexts::check_ends(groups_, texts_.view().size);
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      if (view().begin(i) == view().end(i)) throw nb::value_error("a segment has no reference");
    }
  }

  NumberedReferences view() const { return {texts_.view(), groups_.data(), groups_.size()}; }

  std::size_t words() const { return texts_.words(); }

  void check(const NumberedTexts& hypotheses) const {
    if (hypotheses.size != groups_.size()) {
      throw nb::value_error("there are not as many hypotheses as segments");
    }
  }

 private:
  BorrowedTexts texts_;
  Copied<std::int64_t> groups_;
};

nb::object replace_numbers(nb::object numbers, nb::object by) {
  const Copied<std::int32_t> from(numbers), to(by);
  std::vector<std::int32_t> replaced(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto number = static_cast<std::uint32_t>(from.data()[i]);
    if (number >= to.size()) {
      throw nb::index_error("a word number is not below the number of words");
    }
    replaced[i] = to.data()[number];
  }
  return to_bytes(replaced);
}

// --- Matches
// --------------------------------------------------------------------------------------

// Calls `use` for each segment without Python's lock.
template <class Use>
void each_segment(std::size_t segments, Use use) {
  const nb::gil_scoped_release unlocked;
  auto poll = signal_poll();
  for (std::size_t i = 0; i < segments; ++i) {
    use(i);
    if (i % 1024 == 0) poll();
  }
}

nb::tuple count_words(nb::object hypotheses, nb::object references, std::size_t words) {
  const BorrowedTexts texts(hypotheses, words);
  const BorrowedReferences against(references, words);
  against.check(texts.view());
  std::vector<std::int64_t> matched(words), produced(words), expected(words);
  const WordCounts counts{matched.data(), produced.data(), expected.data()};
  WordMatcher matcher(words);
  each_segment(texts.view().size, [&](std::size_t segment) {
    matcher.count(texts.view()[segment], against.view(), segment, counts);
  });
  return nb::make_tuple(to_bytes(matched), to_bytes(produced), to_bytes(expected));
}

nb::tuple to_tuple(const std::vector<std::int64_t>& rows) {
  nb::list listed;
  for (const std::int64_t row : rows) listed.append(row);
  return nb::tuple(listed);
}

nb::tuple surface_errors(nb::object hypotheses, nb::object references, nb::object lower,
                         nb::object kinds) {
  const Copied<std::uint8_t> of_words(kinds);
  const std::size_t words = of_words.size();
  const Copied<std::int32_t> lowered(lower, words);
  for (std::size_t i = 0; i < words; ++i) {
    if (static_cast<std::uint32_t>(lowered.data()[i]) >= words) {
      throw nb::index_error("a word number is not below the number of words");
    }
  }
  const BorrowedTexts texts(hypotheses, words);
  const BorrowedReferences against(references, words);
  against.check(texts.view());
  const WordKinds known{lowered.data(), of_words.data()};
  std::array<SurfaceErrors, 3> errors;
  WordMatcher matcher(words);
  each_segment(texts.view().size, [&](std::size_t segment) {
    matcher.find_errors(texts.view()[segment], against.view(), segment, known, errors);
  });
  nb::list found;
  for (const SurfaceErrors& one : errors) {
    found.append(nb::make_tuple(one.missing, one.added, to_tuple(one.rows), to_tuple(one.alone)));
  }
  return nb::tuple(found);
}

// --- Cuts
// -----------------------------------------------------------------------------------------

// Numbers from 0 on, and those of the texts that they are compared with.
struct ComparedNumbers {
  ComparedNumbers(nb::handle hypothesis, nb::handle references)
      : own(hypothesis), different(count_all(own, references)), against(references, different) {
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own.data()[i] < 0) throw nb::index_error("a word number is negative");
    }
  }

  static std::size_t count_all(const Copied<std::int32_t>& own, nb::handle references) {
    std::int32_t most = 0;
    for (std::size_t i = 0; i < own.size(); ++i) most = std::max(most, own.data()[i]);
    const nb::object numbers = references[0];
    const Borrowed<const std::int32_t> others(numbers);
    for (std::size_t i = 0; i < others.size(); ++i) most = std::max(most, others.data()[i]);
    return static_cast<std::size_t>(most) + 1;
  }
  NumberedText text() const { return {own.data(), own.data() + own.size()}; }

  Copied<std::int32_t> own;
  std::size_t different;
  BorrowedReferences against;
};

// Words must lie one behind the other among the characters.
void check_places(const Copied<std::int64_t>& begins, const Copied<std::int64_t>& ends,
                  std::size_t characters) {
  std::int64_t before = 0;
  for (std::size_t i = 0; i < begins.size(); ++i) {
    if (begins.data()[i] < before || ends.data()[i] < begins.data()[i]) {
      throw nb::index_error("words are not in order");
    }
    before = ends.data()[i];
  }
  if (before > static_cast<std::int64_t>(characters)) {
    throw nb::index_error("a word ends behind the text");
  }
}

nb::tuple cut_segments(nb::object hypothesis, nb::object references, nb::object edges,
                       nb::object characters, nb::object report) {
  const ComparedNumbers words(hypothesis, references);
  const ComparedNumbers letters(characters[0], characters[3]);
  const std::size_t size = words.own.size(), texts = words.against.view().texts.size;
  const std::size_t segments = words.against.view().segments;
  if (letters.against.view().segments != segments) {
    throw nb::value_error("the characters have another number of segments");
  }
  const auto edge = [&](int which) {
    return Copied<std::int32_t>(edges[which], which < 3 ? size : texts);
  };
  const auto begins = edge(0), ends = edge(1), own = edge(2), first = edge(3), last = edge(4),
             first_words = edge(5), last_words = edge(6);
  const Copied<std::int64_t> word_begins(characters[1], size);
  const Copied<std::int64_t> word_ends(characters[2], size);
  check_places(word_begins, word_ends, letters.own.size());
  std::vector<std::int64_t> found(segments);
  std::int64_t edits = 0;
  {
    const nb::gil_scoped_release unlocked;
    SegmentCutter cutter(words.text(), words.against.view(),
                         {begins.data(), ends.data(), own.data(), first.data(), last.data(),
                          first_words.data(), last_words.data()},
                         words.different);
    auto interrupt = signal_poll();
    auto last_report = std::chrono::steady_clock::now();
    const auto poll = [&](double share) {
      interrupt();
      const auto now = std::chrono::steady_clock::now();
      if (report.is_none() || now - last_report < std::chrono::milliseconds(100)) return;
      last_report = now;
      const nb::gil_scoped_acquire lock;
      report(std::min(share, 1.0));
    };
    edits = cutter.cut(found.data(), poll);
    cutter.settle(found.data(),
                  {letters.text(), word_begins.data(), word_ends.data(), letters.against.view(),
                   letters.different},
                  poll);
  }
  if (!report.is_none()) report(1.0);
  return nb::make_tuple(edits, to_bytes(found));
}

nb::tuple mean_matches(nb::object hypotheses, nb::object references, nb::object weights,
                       std::size_t words, std::size_t order) {
  limited(order, "the order of n-grams");
  const BorrowedTexts own(hypotheses, words), others(references, words);
  const Borrowed<const double> shares(weights, others.view().size);
  std::vector<double> matches(product(own.view().size, order)), lengths(order);
  {
    const nb::gil_scoped_release unlocked;
    match_mean_ngrams(own.view(), others.view(), shares.data(), order, matches.data(),
                      lengths.data(), signal_poll());
  }
  return nb::make_tuple(to_bytes(matches), to_bytes(lengths));
}

// --- N-grams
// --------------------------------------------------------------------------------------

nb::tuple match_ngrams(nb::object hypotheses, nb::object references, std::size_t words,
                       std::size_t longest) {
  const BorrowedReferences against(references, words);
  std::vector<std::unique_ptr<BorrowedTexts>> lent;
  std::vector<NumberedTexts> systems;
  for (const nb::handle own : hypotheses) {
    lent.push_back(std::make_unique<BorrowedTexts>(own, words));
    systems.push_back(lent.back()->view());
    against.check(systems.back());
  }
  give_back_memory();
  NgramGroups groups;
  {
    MatchedNgrams ngrams(systems.size(), longest, against.words());
    each_segment(against.view().segments,
                 [&](std::size_t segment) { ngrams.count(against.view(), systems, segment); });
    const nb::gil_scoped_release unlocked;
    groups = ngrams.groups();
  }
  return nb::make_tuple(to_bytes(groups.lengths), to_bytes(groups.matches), to_bytes(groups.ends),
                        to_bytes(groups.starts));
}

nb::list choose_first(nb::object numbers, nb::object ranks, nb::object starts, nb::object slices,
                      std::size_t length, std::size_t limit) {
  const Copied<std::int32_t> words(numbers), order(ranks), all(starts);
  std::vector<std::int32_t> chosen;
  for (const nb::handle slice : slices) {
    const auto begin = nb::cast<std::size_t>(slice[0]);
    const auto end = nb::cast<std::size_t>(slice[1]);
    if (begin > end || end > all.size()) throw nb::index_error("a slice is not one of n-grams");
    chosen.insert(chosen.end(), all.data() + begin, all.data() + end);
  }
  for (const std::int32_t start : chosen) {
    const auto at = static_cast<std::size_t>(start);
    if (start < 0 || length > words.size() || at > words.size() - length) {
      throw nb::index_error("an n-gram is not among the words");
    }
    for (std::size_t i = 0; i < length; ++i) {
      if (static_cast<std::uint32_t>(words.data()[at + i]) >= order.size()) {
        throw nb::index_error("a word number is not below the number of words");
      }
    }
  }
  nb::list found;
  for (const std::int32_t start :
       first_ngrams(words.data(), order.data(), std::move(chosen), length, limit)) {
    found.append(start);
  }
  return found;
}

// --- Packed texts
// ---------------------------------------------------------------------------------

nb::tuple pack_texts(nb::object vocabulary, nb::object hypotheses, nb::object references) {
  Reader reader(false);
  const Strings known = reader.hypotheses<Strings>(vocabulary.ptr());
  std::vector<std::string> words;
  std::vector<char> buffer;
  for (PyObject* const word : known.items) {
    words.emplace_back(to_utf8(text_of(word), Case::keep, buffer));
  }
  const BorrowedReferences against(references[1], words.size());
  // The references first, then each system.
  std::vector<Strings> texts{reader.hypotheses<Strings>(nb::object(references[0]).ptr())};
  std::vector<NumberedTexts> numbers{against.view().texts};
  std::vector<std::unique_ptr<BorrowedTexts>> lent;
  for (const nb::handle own : hypotheses) {
    texts.push_back(reader.hypotheses<Strings>(nb::object(own[0]).ptr()));
    lent.push_back(std::make_unique<BorrowedTexts>(own[1], words.size()));
    numbers.push_back(lent.back()->view());
    against.check(numbers.back());
  }
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (texts[i].size() != numbers[i].size) throw nb::value_error("a text has no numbers");
  }
  TextPacker packer(std::move(words));
  for (std::size_t list = 0; list < texts.size(); ++list) {
    each_segment(texts[list].size(), [&](std::size_t i) {
      packer.count(text_of(texts[list].items[i]), numbers[list][i]);
    });
  }
  const std::vector<std::int32_t> order = packer.order();
  std::vector<std::pair<std::size_t, std::size_t>> others;
  const auto add = [&](std::size_t list, std::size_t i) {
    if (!packer.add(text_of(texts[list].items[i]), numbers[list][i])) others.emplace_back(list, i);
  };
  each_segment(against.view().segments, [&](std::size_t segment) {
    for (std::size_t r = against.view().begin(segment); r < against.view().end(segment); ++r) {
      add(0, r);
    }
    for (std::size_t system = 1; system < texts.size(); ++system) add(system, segment);
  });
  nb::list listed;
  for (const auto& [list, i] : others) listed.append(nb::make_tuple(list, i));
  return nb::make_tuple(to_bytes(order), to_bytes(packer.bytes()), listed);
}

}  // namespace

void bind_comparison(nb::module_& module) {
  module.def("number_words", &number_words, nb::arg("tokenizer"), nb::arg("lists"));
  module.def("replace_numbers", &replace_numbers, nb::arg("numbers"), nb::arg("by"));
  module.def("count_words", &count_words, nb::arg("hypotheses"), nb::arg("references"),
             nb::arg("words"));
  module.def("surface_errors", &surface_errors, nb::arg("hypotheses"), nb::arg("references"),
             nb::arg("lower"), nb::arg("kinds"));
  module.def("cut_segments", &cut_segments, nb::arg("hypothesis"), nb::arg("references"),
             nb::arg("edges"), nb::arg("characters"), nb::arg("report") = nb::none());
  module.def("match_mean_ngrams", &mean_matches, nb::arg("hypotheses"), nb::arg("references"),
             nb::arg("weights"), nb::arg("words"), nb::arg("order"));
  module.def("match_ngrams", &match_ngrams, nb::arg("hypotheses"), nb::arg("references"),
             nb::arg("words"), nb::arg("longest"));
  module.def("pack_texts", &pack_texts, nb::arg("vocabulary"), nb::arg("hypotheses"),
             nb::arg("references"));
  module.def("first_ngrams", &choose_first, nb::arg("numbers"), nb::arg("ranks"), nb::arg("starts"),
             nb::arg("slices"), nb::arg("length"), nb::arg("limit"));
}

}  // namespace bleuet
