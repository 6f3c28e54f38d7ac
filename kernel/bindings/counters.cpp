// The counters, as Python calls them.
#include <nanobind/nanobind.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings/buffers.hpp"
#include "bindings/module.hpp"
#include "bindings/names.hpp"
#include "bindings/scores.hpp"
#include "bindings/scratch.hpp"
#include "bindings/segments.hpp"
#include "edits/character.hpp"
#include "edits/charcut.hpp"
#include "edits/eed.hpp"
#include "edits/ter.hpp"
#include "edits/wer.hpp"
#include "meteor/meteor.hpp"
#include "ngrams/answers.hpp"
#include "ngrams/bleu.hpp"
#include "ngrams/bleu_pairs.hpp"
#include "ngrams/chrf.hpp"
#include "ngrams/cider.hpp"
#include "ngrams/crystal_bleu.hpp"
#include "ngrams/gleu.hpp"
#include "ngrams/hlepor.hpp"
#include "ngrams/learned_references.hpp"
#include "ngrams/nist.hpp"
#include "ngrams/reference_words.hpp"
#include "ngrams/ribes.hpp"
#include "ngrams/rouge.hpp"
#include "ngrams/sari.hpp"
#include "ngrams/self_rows.hpp"
#include "rows/counter.hpp"
#include "rows/marks.hpp"
#include "rows/pairs.hpp"

namespace bleuet {
namespace {

// Whether Python lower-cases text that is not ASCII before a counter reads it.
template <class Options>
auto python_lowers(const Options& options, int) -> decltype(options.tokenizer, bool()) {
  return options.letter_case == Case::lower_ascii && !lowers_ascii_only(options.tokenizer);
}
template <class Options>
auto python_lowers(const Options& options, long) -> decltype(options.letter_case, bool()) {
  return options.letter_case == Case::lower_ascii;
}
template <class Options>
bool python_lowers(const Options&, ...) {
  return false;
}

// Whether a counter learns from all references; ngrams/reference_words.hpp says what it then has.
template <class Counter>
auto learns(int) -> decltype(&Counter::learn, std::true_type());
template <class Counter>
std::false_type learns(...);

// Whether a counter marks words; rows/marks.hpp says how.
template <class Counter>
auto has_marks(int) -> decltype(&Counter::mark, std::true_type());
template <class Counter>
std::false_type has_marks(...);

// A counter as Python sees it. Each call has the kind of its segments as an argument.
template <class Counter>
class BoundCounter {
 public:
  using Options = typename Counter::Options;
  static constexpr bool kLearns = decltype(learns<Counter>(0))::value;
  using Prepared = std::conditional_t<kLearns, LearnedReferences, PreparedReferences<Counter>>;

  explicit BoundCounter(const Options& options)
      : options_(options), lower_(python_lowers(options, 0)) {
    if constexpr (kLearns) {
      if (!options_.learned) options_.learned = std::make_shared<LearnedReferences>();
    }
  }

  std::size_t integers() const { return Counter::integers(options_); }
  std::size_t reals() const { return Counter::reals(options_); }

  // Fills the columns; returns the references per segment, 0 where segments differ.
  std::size_t table(std::string_view kind, nb::object hypotheses, nb::object references,
                    nb::object integer_columns, nb::object real_columns, unsigned threads) const {
    return with_kind(kind, [&](auto segments) {
      return fill<decltype(segments)>(hypotheses, references, integer_columns, real_columns,
                                      threads);
    });
  }

  Prepared prepare(std::string_view kind, nb::object references, unsigned threads) const {
    return with_kind(kind, [&](auto segments) {
      Reader reader(lower_);
      auto grouped = reader.template references<decltype(segments)>(references.ptr());
      const nb::gil_scoped_release unlocked;
      return read(std::move(grouped), threads);
    });
  }

  // Fills columns with the rows of every hypothesis against every reference.
  void pairs(std::string_view kind, nb::object hypotheses, const Prepared& references,
             nb::object integer_columns, nb::object real_columns, unsigned threads) const {
    with_kind(kind, [&](auto kept) {
      using Segments = decltype(kept);
      Reader reader(lower_);
      const Segments segments = reader.template hypotheses<Segments>(hypotheses.ptr());
      const std::size_t rows = product(segments.size(), references.ends.size());
      const Borrowed<std::int64_t> integer_buffer(integer_columns, product(integers(), rows));
      const Borrowed<double> real_buffer(real_columns, product(reals(), rows));
      const Columns columns{integer_buffer.data(), real_buffer.data(), rows};
      const nb::gil_scoped_release unlocked;
      count_pairs(segments, references, columns, threads, signal_poll());
    });
  }

  nb::tuple row(std::string_view kind, nb::object hypothesis, nb::object references) {
    return with_kind(kind, [&](auto segments) -> nb::tuple {
      if constexpr (std::is_same_v<decltype(segments), Lines>) {
        throw nb::value_error("a single segment does not come as lines");
      } else {
        return row_of<decltype(segments)>(hypothesis.ptr(), references.ptr());
      }
    });
  }

  // The number of the reference that counts, and its marks: each the first word and the number of
  // words of both sides, and the kind.
  nb::tuple align(std::string_view kind, nb::object hypothesis, nb::object references) const {
    Marks marks;
    counted(kind, hypothesis, references, [&](Counter& counter) { counter.mark(&marks); });
    nb::list all;
    for (const Mark& one : marks.all) {
      all.append(nb::make_tuple(one.hypothesis, one.hypothesis_words, one.reference,
                                one.reference_words, one.kind));
    }
    return nb::make_tuple(marks.reference, all);
  }

  // A counter that has counted one segment, for what it knows then besides the row. `start` gets it
  // before.
  template <class Start>
  Counter counted(std::string_view kind, nb::object hypothesis, nb::object references,
                  Start start) const {
    Counter counter(options_);
    start(counter);
    with_kind(kind, [&](auto one) {
      if constexpr (std::is_same_v<decltype(one), Lines>) {
        throw nb::value_error("a single segment does not come as lines");
      } else {
        Reader reader(lower_);
        decltype(one) all;
        reader.add(one, hypothesis.ptr());
        reader.add_references(all, references.ptr());
        std::vector<typename Counter::Reference> prepared(all.size());
        std::vector<std::int64_t> integer_row(integers());
        std::vector<double> real_row(reals());
        auto poll = signal_poll();
        const Interruption interruption(poll);
        const nb::gil_scoped_release unlocked;
        for (std::size_t r = 0; r < all.size(); ++r) all.prepare(counter, r, prepared[r]);
        one.count(counter, 0, prepared.data(), prepared.size(), integer_row.data(),
                  real_row.data());
      }
    });
    return counter;
  }

 private:
  // What one call at a time uses of memory.
  struct Scratch {
    explicit Scratch(const Options& options)
        : counter(options), integers(Counter::integers(options)), reals(Counter::reals(options)) {}

    Counter counter;
    std::vector<typename Counter::Reference> references;
    std::vector<std::int64_t> integers;
    std::vector<double> reals;
  };

  template <class C>
  static auto has_ids(int) -> decltype(&C::prepare_ids, std::true_type());
  template <class C>
  static std::false_type has_ids(...);
  static constexpr bool kHasIds = decltype(has_ids<Counter>(0))::value;

 protected:
  // The options, with what was learned.
  const Options& learned(unsigned threads) const {
    std::call_once(learned_, [&] { Counter::learn(options_, threads); });
    return options_;
  }

  // Calls `use` with an empty container of the kind.
  template <class Use>
  static auto with_kind(std::string_view kind, Use use) {
    switch (kind_named(kind)) {
      case Kind::lines:
        return use(Lines());
      case Kind::token_ids:
        if constexpr (kHasIds) {
          return use(Ids());
        } else {
          throw nb::value_error("this counter does not count token ids");
        }
      default:
        return use(Strings());
    }
  }

 private:
  template <class Segments>
  std::size_t fill(nb::object hypotheses, nb::object references, nb::object integer_columns,
                   nb::object real_columns, unsigned threads) const {
    Reader reader(lower_);
    const Segments segments = reader.template hypotheses<Segments>(hypotheses.ptr());
    const std::size_t rows = segments.size();
    const Borrowed<std::int64_t> integer_buffer(integer_columns, product(integers(), rows));
    const Borrowed<double> real_buffer(real_columns, product(reals(), rows));
    const Columns columns{integer_buffer.data(), real_buffer.data(), rows};

    if (nb::isinstance<Prepared>(references)) {
      const Prepared& prepared = nb::cast<const Prepared&>(references);
      check_rows(rows, ends_of(prepared).size());
      const nb::gil_scoped_release unlocked;
      return count(segments, prepared, columns, threads);
    }
    Grouped<Segments> grouped = reader.template references<Segments>(references.ptr());
    check_rows(rows, grouped.ends.size());
    const nb::gil_scoped_release unlocked;
    if constexpr (kLearns) {
      return count(segments, read(std::move(grouped), threads), columns, threads);
    } else {
      count_corpus<Counter>(options_, segments, grouped, columns, threads, signal_poll());
      return group_size(grouped.ends);
    }
  }

  template <class Segments>
  Prepared read(Grouped<Segments>&& references, unsigned threads) const {
    if constexpr (kLearns) {
      return read_references(WordReader(options_), references, threads, signal_poll());
    } else {
      return prepare_references<Counter>(options_, std::move(references), threads, signal_poll());
    }
  }

  static const std::vector<std::size_t>& ends_of(const Prepared& references) {
    if constexpr (kLearns) {
      return references.segments();
    } else {
      return references.ends;
    }
  }

  template <class Segments>
  std::size_t count(const Segments& segments, const Prepared& references, const Columns& columns,
                    unsigned threads) const {
    if constexpr (kLearns) {
      Options options = learned(threads);
      const ReferenceWords words(references, *options.learned);
      options.words = &words;
      count_corpus<Counter>(options, segments, words, columns, threads, signal_poll());
    } else {
      count_corpus(segments, references, columns, threads, signal_poll());
    }
    return group_size(ends_of(references));
  }

  static void check_rows(std::size_t hypotheses, std::size_t references) {
    if (hypotheses == references) return;
    throw nb::value_error((std::to_string(hypotheses) + " hypotheses but references for " +
                           std::to_string(references) + " segments")
                              .c_str());
  }

  template <class Segments>
  nb::tuple row_of(PyObject* hypothesis, PyObject* references) {
    Reader reader(lower_);
    Segments one;
    reader.add(one, hypothesis);
    Segments all;
    reader.add_references(all, references);
    const std::size_t n = all.size();
    if constexpr (kLearns) {
      std::vector<std::int64_t> integer_row(integers());
      std::vector<double> real_row(reals());
      const Columns columns{integer_row.data(), real_row.data(), 1};
      {
        const nb::gil_scoped_release unlocked;
        count(one, read(Grouped<Segments>{std::move(all), {n}}, 1), columns, 1);
      }
      return as_tuple(integer_row, real_row);
    } else {
      return row_of(one, all, n);
    }
  }

  template <class Segments>
  nb::tuple row_of(const Segments& one, const Segments& all, std::size_t n) {
    // Most segments are short, and what a long one needed would stay.
    const bool kept = characters_of(one) + characters_of(all) <= kMostKept;
    const typename ScratchPool<Scratch>::Loan scratch(pool_, kept, options_);
    if (scratch->references.size() < n) scratch->references.resize(n);
    {
      auto poll = signal_poll();
      const Interruption interruption(poll);
      const nb::gil_scoped_release unlocked;
      for (std::size_t r = 0; r < n; ++r) all.prepare(scratch->counter, r, scratch->references[r]);
      one.count(scratch->counter, 0, scratch->references.data(), n, scratch->integers.data(),
                scratch->reals.data());
    }
    return as_tuple(scratch->integers, scratch->reals);
  }

  static nb::tuple as_tuple(const std::vector<std::int64_t>& integers,
                            const std::vector<double>& reals) {
    const auto n = static_cast<Py_ssize_t>(integers.size() + reals.size());
    nb::object tuple = nb::steal(PyTuple_New(n));
    Py_ssize_t at = 0;
    for (const std::int64_t value : integers) {
      PyTuple_SET_ITEM(tuple.ptr(), at++, PyLong_FromLongLong(value));
    }
    for (const double value : reals) {
      PyTuple_SET_ITEM(tuple.ptr(), at++, PyFloat_FromDouble(value));
    }
    return nb::borrow<nb::tuple>(tuple);
  }

  // What is learned is added when the first row is counted.
  mutable Options options_;
  mutable std::once_flag learned_;
  bool lower_;
  ScratchPool<Scratch> pool_;
};

// Binds all of a counter but how it is made. What it prepares is the class `References` in it.
template <class Counter>
nb::class_<BoundCounter<Counter>> bind_counter(nb::module_& module, const char* name) {
  using Bound = BoundCounter<Counter>;
  nb::class_<Bound> bound(module, name);
  bound.def_prop_ro("integers", &Bound::integers)
      .def_prop_ro("reals", &Bound::reals)
      .def("table", &Bound::table, nb::arg("kind"), nb::arg("hypotheses"), nb::arg("references"),
           nb::arg("integer_columns"), nb::arg("real_columns"), nb::arg("threads") = 1)
      .def("prepare", &Bound::prepare, nb::arg("kind"), nb::arg("references"),
           nb::arg("threads") = 1)
      .def("row", &Bound::row, nb::arg("kind"), nb::arg("hypothesis"), nb::arg("references"));
  if constexpr (Bound::kLearns) {
    bound.def("learn", &Bound::prepare, nb::arg("kind"), nb::arg("references"),
              nb::arg("threads") = 1);
    bound.attr("learned_type") = module.attr("LearnedReferences");
  } else {
    if constexpr (decltype(has_marks<Counter>(0))::value) {
      bound.def("align", &Bound::align, nb::arg("kind"), nb::arg("hypothesis"),
                nb::arg("references"));
    }
    bound.def("pairs", &Bound::pairs, nb::arg("kind"), nb::arg("hypotheses"), nb::arg("references"),
              nb::arg("integer_columns"), nb::arg("real_columns"), nb::arg("threads") = 1);
    nb::class_<PreparedReferences<Counter>>(bound, "References")
        .def("__len__", [](const PreparedReferences<Counter>& p) { return p.ends.size(); });
  }
  return bound;
}

// Binds a counter that is made with its options, all of them by name.
template <class Counter>
nb::class_<BoundCounter<Counter>> bind_counter(
    nb::module_& module, const char* name, std::vector<Field<typename Counter::Options>> fields) {
  using Bound = BoundCounter<Counter>;
  return bind_counter<Counter>(module, name)
      .def("__init__", [fields = std::move(fields)](Bound* self, const nb::kwargs& options) {
        new (self) Bound(options_from(options, fields));
      });
}

constexpr Named<AnswerCounter::Rules> kAnswerRules[] = {
    {"squad-1.1", AnswerCounter::Rules::squad_1},
    {"squad-2.0", AnswerCounter::Rules::squad_2},
};

// Whether a code point belongs to a word of Python's regular expressions; "_" is punctuation here.
bool is_alphanumeric(char32_t c) { return Py_UNICODE_ISALNUM(static_cast<Py_UCS4>(c)) != 0; }

void bind_answers(nb::module_& module) {
  using Answer = AnswerCounter::Options;
  const std::vector<Field<Answer>> fields = {field("rules", &Answer::rules, kAnswerRules),
                                             field("normalize", &Answer::letter_case),
                                             field("exact", &Answer::exact)};
  bind_counter<AnswerCounter>(module, "AnswerCounter")
      .def("__init__", [fields](BoundCounter<AnswerCounter>* self, const nb::kwargs& options) {
        Answer made = options_from(options, fields);
        made.is_alphanumeric = &is_alphanumeric;
        new (self) BoundCounter<AnswerCounter>(made);
      });
}

constexpr Named<CharCutCounter::Length> kCharCutLengths[] = {
    {"both", CharCutCounter::Length::both},
    {"hypothesis", CharCutCounter::Length::hypothesis},
};

void bind_charcut(nb::module_& module) {
  using CharCut = CharCutCounter::Options;
  const std::vector<Field<CharCut>> fields = {
      field("match_size", &CharCut::match_size),
      field("normalize", &CharCut::length, kCharCutLengths)};
  bind_counter<CharCutCounter>(module, "CharCutCounter")
      .def("__init__", [fields](BoundCounter<CharCutCounter>* self, const nb::kwargs& options) {
        CharCut made = options_from(options, fields);
        made.is_alphanumeric = &is_alphanumeric;
        new (self) BoundCounter<CharCutCounter>(made);
      });
}

constexpr Named<ReferenceLength> kReferenceLengths[] = {
    {"closest", ReferenceLength::closest},
    {"shortest", ReferenceLength::shortest},
    {"average", ReferenceLength::average},
};

constexpr Named<Moves> kMoves[] = {
    {"none", Moves::none},
    {"blocks", Moves::blocks},
    {"free", Moves::free},
};

constexpr Named<WhiteSpace> kWhiteSpace[] = {
    {"jiwer", WhiteSpace::jiwer},
    {"single", WhiteSpace::single},
    {"none", WhiteSpace::none},
    {"keep", WhiteSpace::keep},
};

constexpr Named<RougeCounter::Unit> kRougeUnits[] = {
    {"ngrams", RougeCounter::Unit::ngrams},       {"subsequence", RougeCounter::Unit::subsequence},
    {"sentences", RougeCounter::Unit::sentences}, {"weighted", RougeCounter::Unit::weighted},
    {"skip", RougeCounter::Unit::skip},
};

constexpr Named<RougeCounter::Several> kSeveral[] = {
    {"best", RougeCounter::Several::best},
    {"average", RougeCounter::Several::average},
    {"jackknife", RougeCounter::Several::jackknife},
};

constexpr Named<Matcher> kMatchers[] = {
    {"exact", Matcher::exact},
    {"stem", Matcher::stem},
    {"synonym", Matcher::synonym},
    {"paraphrase", Matcher::paraphrase},
};

class BoundBleuCounter : public BoundCounter<BleuCounter> {
 public:
  explicit BoundBleuCounter(const BleuCounter::Options& options)
      : BoundCounter<BleuCounter>(options), options_(options) {}

  // Fills the columns with a row of each text against the others; returns how many different
  // n-grams of each order there are.
  std::vector<std::int64_t> self_table(std::string_view kind, nb::object texts,
                                       nb::object references, bool itself,
                                       nb::object integer_columns, nb::object real_columns,
                                       unsigned threads) const {
    return with_kind(kind, [&](auto segments) {
      Reader reader(python_lowers(options_, 0));
      Grouped<decltype(segments)> alone{reader.template hypotheses<decltype(segments)>(texts.ptr()),
                                        {}};
      const std::size_t rows = alone.all.size();
      for (std::size_t row = 1; row <= rows; ++row) alone.ends.push_back(row);
      const Copied<std::uint8_t> chosen(references, rows);
      const Borrowed<std::int64_t> integer_buffer(integer_columns, product(integers(), rows));
      const Borrowed<double> real_buffer(real_columns, product(reals(), rows));
      check_chosen(chosen.data(), rows, itself);
      const nb::gil_scoped_release unlocked;
      const LearnedReferences read =
          read_references(WordReader(options_), alone, threads, signal_poll());
      return write_self_rows(options_, read, {chosen.data(), itself},
                             {integer_buffer.data(), real_buffer.data(), rows}, threads,
                             signal_poll());
    });
  }

  // Writes the score of every hypothesis against every segment of the references, in numbers of 8
  // or 4 bytes.
  void score_pairs(std::string_view kind, nb::object hypotheses,
                   const PreparedReferences<BleuCounter>& references, const BoundBleuScorer& scorer,
                   nb::object scores, unsigned threads) const {
    if (scorer.scorer().integers() != BleuCounter::integers(references.options) ||
        scorer.scorer().reals() != BleuCounter::reals(references.options)) {
      throw nb::value_error("the references are not those of this metric");
    }
    with_kind(kind, [&](auto kept) {
      using Segments = decltype(kept);
      Reader reader(python_lowers(options_, 0));
      const Segments segments = reader.template hypotheses<Segments>(hypotheses.ptr());
      const std::size_t pairs = product(segments.size(), references.ends.size());
      const std::size_t bytes = Borrowed<char>(scores, AnyNumbers()).size();
      const auto fill = [&](auto number) {
        using Number = decltype(number);
        const Borrowed<Number> numbers(scores, pairs);
        const nb::gil_scoped_release unlocked;
        bleuet::score_pairs(segments, references, scorer.scorer(), numbers.data(), threads,
                            signal_poll());
      };
      bytes == product(pairs, sizeof(float)) ? fill(float()) : fill(double());
    });
  }

 private:
  static void check_chosen(const std::uint8_t* chosen, std::size_t rows, bool itself) {
    const auto references = rows - static_cast<std::size_t>(std::count(chosen, chosen + rows, 0));
    if (references < (itself ? 1 : 2)) throw nb::value_error("a text has no reference");
  }

  BleuCounter::Options options_;
};

void bind_bleu(nb::module_& module) {
  using Options = BleuCounter::Options;
  const std::vector<Field<Options>> fields = {
      order_field("max_ngram_order", &Options::max_ngram_order),
      field("tokenizer", &Options::tokenizer, kTokenizers),
      field("lowercase", &Options::letter_case),
      field("reference_length", &Options::reference_length, kReferenceLengths),
      field("phantom_ngrams", &Options::phantom_ngrams)};
  bind_counter<BleuCounter>(module, "BleuRows");
  nb::class_<BoundBleuCounter, BoundCounter<BleuCounter>>(module, "BleuCounter")
      .def("__init__",
           [fields](BoundBleuCounter* self, const nb::kwargs& options) {
             new (self) BoundBleuCounter(options_from(options, fields));
           })
      .def("self_table", &BoundBleuCounter::self_table, nb::arg("kind"), nb::arg("texts"),
           nb::arg("references"), nb::arg("itself"), nb::arg("integer_columns"),
           nb::arg("real_columns"), nb::arg("threads") = 1)
      .def("score_pairs", &BoundBleuCounter::score_pairs, nb::arg("kind"), nb::arg("hypotheses"),
           nb::arg("references"), nb::arg("scorer"), nb::arg("scores"), nb::arg("threads") = 1);
}

class BoundCrystalBleuCounter : public BoundCounter<CrystalBleuCounter> {
 public:
  using BoundCounter<CrystalBleuCounter>::BoundCounter;

  // The n-grams that do not count, as tuples of words.
  nb::list common() const {
    const CrystalBleuCounter::Options& options = learned(1);
    nb::list ngrams;
    for (const WordNumbers& ngram : options.common->ngrams()) {
      nb::list words;
      for (std::size_t i = 0; i < ngram.size; ++i) words.append(word(*options.learned, ngram[i]));
      ngrams.append(nb::tuple(words));
    }
    return ngrams;
  }

 private:
  static nb::object word(const LearnedReferences& learned, std::uint32_t number) {
    if (learned.ids()) return nb::int_(learned.id_of(number));
    return string_of(learned.vocabulary()[number]);
  }
};

void bind_crystal_bleu(nb::module_& module) {
  using Options = CrystalBleuCounter::Options;
  const std::vector<Field<Options>> fields = {
      order_field("max_ngram_order", &Options::max_ngram_order),
      field("tokenizer", &Options::tokenizer, kTokenizers),
      field("lowercase", &Options::letter_case),
      field("reference_length", &Options::reference_length, kReferenceLengths),
      field("phantom_ngrams", &Options::phantom_ngrams),
      field("ignored", &Options::ignored),
      order_field("max_ignored_order", &Options::max_ignored_order),
      field("learned", &Options::learned)};
  bind_counter<CrystalBleuCounter>(module, "CrystalBleuRows");
  nb::class_<BoundCrystalBleuCounter, BoundCounter<CrystalBleuCounter>>(module,
                                                                        "CrystalBleuCounter")
      .def("__init__",
           [fields](BoundCrystalBleuCounter* self, const nb::kwargs& options) {
             new (self) BoundCrystalBleuCounter(options_from(options, fields));
           })
      .def("common", &BoundCrystalBleuCounter::common);
}

// A match as Python reads it: the first word and the number of words of both sides, and the place
// of its matcher.
nb::tuple match_tuple(const MeteorMatch& match, const std::vector<Matcher>& matchers) {
  const auto place = std::find(matchers.begin(), matchers.end(), match.matcher);
  return nb::make_tuple(match.hypothesis, match.hypothesis_words, match.reference,
                        match.reference_words, place - matchers.begin());
}

// Memory that reading words uses again, unless a text had more words than this.
constexpr std::size_t kMostWordsKept = 10000;
struct WordScratch {
  TokenizerScratch scratch;
  TokenList words;
  std::vector<std::int64_t> numbers;
};

// Calls `use` without Python's global lock: a thread that counts holds the lock of the lexicon, and
// takes Python's to see whether it is interrupted.
template <class Use>
decltype(auto) without_global_lock(Use use) {
  const nb::gil_scoped_release unlocked;
  return use();
}

// The numbers of the words of a text. `describe` returns the stem of a new word, whether it is a
// function word, and its sets of synonyms. No lock is held while it runs.
nb::tuple read_words(MeteorLexicon& lexicon, nb::str text, const nb::callable& describe) {
  // Taken away while it is used, as `describe` may read other words.
  static thread_local WordScratch kept;
  WordScratch taken = std::move(kept);
  TokenizerScratch& scratch = taken.scratch;
  TokenList& words = taken.words;
  std::vector<std::int64_t>& numbers = taken.numbers;
  split_meteor_words(to_utf8(text_of(text.ptr()), Case::keep, scratch.utf8), words);
  without_global_lock([&] { lexicon.find(words, numbers); });
  if (std::find(numbers.begin(), numbers.end(), -1) != numbers.end()) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (numbers[i] >= 0) continue;
      using Description = std::tuple<nb::str, bool, std::vector<std::int64_t>>;
      const auto described = nb::cast<Description>(describe(string_of(words.text_of(words[i]))));
      const nb::str& stem = std::get<0>(described);
      const std::string_view utf8 = to_utf8(text_of(stem.ptr()), Case::keep, scratch.rewritten);
      without_global_lock([&] {
        const auto& [_, function, synonyms] = described;
        lexicon.add(words, words[i], std::string(utf8), function, synonyms);
      });
    }
    without_global_lock([&] { lexicon.find(words, numbers); });
  }
  const nb::object read = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(numbers.size())));
  if (!read.is_valid()) nb::raise_python_error();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    PyObject* const number = PyLong_FromLongLong(numbers[i]);
    if (number == nullptr) nb::raise_python_error();
    PyTuple_SET_ITEM(read.ptr(), static_cast<Py_ssize_t>(i), number);
  }
  if (numbers.size() <= kMostWordsKept) kept = std::move(taken);
  return nb::borrow<nb::tuple>(read);
}

class BoundMeteorCounter : public BoundCounter<MeteorCounter> {
 public:
  explicit BoundMeteorCounter(const MeteorCounter::Options& options)
      : BoundCounter<MeteorCounter>(options), options_(options) {}

  nb::list align(const std::vector<std::int64_t>& hypothesis,
                 const std::vector<std::int64_t>& reference) const {
    MeteorCounter counter(options_);
    auto poll = signal_poll();
    const Interruption interruption(poll);
    const auto& found = without_global_lock([&]() -> const std::vector<MeteorMatch>& {
      MeteorText ours;
      MeteorText theirs;
      counter.prepare_ids(hypothesis.data(), hypothesis.size(), ours);
      counter.prepare_ids(reference.data(), reference.size(), theirs);
      return counter.align(ours, theirs);
    });
    nb::list matches;
    for (const MeteorMatch& match : found) matches.append(match_tuple(match, options_.matchers));
    return matches;
  }

 private:
  MeteorCounter::Options options_;
};

void bind_meteor(nb::module_& module) {
  nb::class_<MeteorLexicon>(module, "MeteorLexicon")
      .def(nb::init<>())
      .def("read", &read_words, nb::arg("text"), nb::arg("describe"))
      .def("__len__",
           [](const MeteorLexicon& self) {
             return without_global_lock([&] {
               const auto lock = self.reading();
               return self.size();
             });
           })
      .def("without_words",
           [](const MeteorLexicon& self) {
             auto lexicon = std::make_shared<MeteorLexicon>();
             lexicon->share_paraphrases(self);
             return lexicon;
           })
      .def(
          "read_paraphrases",
          [](MeteorLexicon& self, nb::bytes part) {
            self.read_paraphrases({part.c_str(), part.size()});
          },
          nb::arg("part"))
      .def("close_paraphrases", &MeteorLexicon::close_paraphrases);

  bind_counter<MeteorCounter>(module, "MeteorRows");
  nb::class_<BoundMeteorCounter, BoundCounter<MeteorCounter>>(module, "MeteorCounter")
      .def(
          "__init__",
          [](BoundMeteorCounter* self, std::shared_ptr<MeteorLexicon> lexicon,
             const std::vector<std::string>& matchers, const std::vector<double>& weights,
             double alpha, double beta, double gamma, double delta, std::size_t beam, bool staged,
             bool characters) {
            MeteorCounter::Options options;
            options.lexicon = std::move(lexicon);
            for (const std::string& name : matchers) {
              options.matchers.push_back(by_name(kMatchers, name, "matcher"));
            }
            options.weights = weights;
            options.parameters = {alpha, beta, gamma, delta};
            options.beam = beam;
            options.staged = staged;
            options.characters = characters;
            limited(beam, "beam");
            if (weights.size() != matchers.size() || beam == 0) {
              throw nb::value_error("a weight per matcher, and a beam of at least 1");
            }
            new (self) BoundMeteorCounter(options);
          },
          nb::arg("lexicon"), nb::arg("matchers"), nb::arg("weights"), nb::arg("alpha"),
          nb::arg("beta"), nb::arg("gamma"), nb::arg("delta"), nb::arg("beam"), nb::arg("staged"),
          nb::arg("characters"))
      .def("align", &BoundMeteorCounter::align, nb::arg("hypothesis"), nb::arg("reference"));
}

// --- What was learned, and how it is pickled -----------------------------------------------------

template <class Number>
nb::bytes as_bytes(const std::vector<Number>& numbers) {
  return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

template <class Number>
std::vector<Number> as_numbers(const nb::bytes& bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.c_str(), numbers.size() * sizeof(Number));
  return numbers;
}

nb::tuple state_of(const LearnedReferences& learned) {
  const LearnedReferences::State state = learned.state();
  nb::list texts;
  for (const std::string& text : state.texts) texts.append(nb::bytes(text.data(), text.size()));
  return nb::make_tuple(
      texts, state.ids, as_bytes(state.words), as_bytes(state.ends), as_bytes(state.segments),
      nb::bytes(reinterpret_cast<const char*>(state.digest.data()), sizeof state.digest));
}

void set_state(LearnedReferences& learned,
               const std::tuple<nb::list, bool, nb::bytes, nb::bytes, nb::bytes, nb::bytes>& from) {
  const auto& [texts, ids, words, ends, segments, digest] = from;
  LearnedReferences::State state{{},
                                 ids,
                                 as_numbers<std::uint32_t>(words),
                                 as_numbers<std::uint64_t>(ends),
                                 as_numbers<std::uint64_t>(segments),
                                 {}};
  if (digest.size() != sizeof state.digest) throw nb::value_error("this is not what was learned");
  std::memcpy(state.digest.data(), digest.c_str(), sizeof state.digest);
  for (const nb::handle text : texts) {
    const nb::bytes bytes = nb::cast<nb::bytes>(text);
    state.texts.emplace_back(bytes.c_str(), bytes.size());
  }
  new (&learned) LearnedReferences(state);
}

void bind_learned(nb::module_& module) {
  nb::class_<LearnedReferences>(module, "LearnedReferences")
      .def("__len__", [](const LearnedReferences& learned) { return learned.segments().size(); })
      .def_prop_ro("fingerprint",
                   [](const LearnedReferences& learned) {
                     char digits[65];
                     const Digest& digest = learned.digest();
                     for (std::size_t i = 0; i < digest.size(); ++i) {
                       std::snprintf(
                           digits + 16 * i, 17, "%016llx",
                           static_cast<unsigned long long>(digest[digest.size() - 1 - i]));
                     }
                     return std::string(digits);
                   })
      .def_static(
          "join",
          [](const nb::sequence& parts) {
            LearnedReferences whole;
            for (const nb::handle part : parts) {
              whole.join(nb::cast<const LearnedReferences&>(part));
            }
            return whole;
          },
          nb::arg("parts"))
      .def(
          "__eq__",
          [](const LearnedReferences& one, const nb::object& other) {
            return nb::isinstance<LearnedReferences>(other) &&
                   one == nb::cast<const LearnedReferences&>(other);
          },
          nb::arg("other").none())
      .def("__getstate__", &state_of)
      .def("__setstate__", &set_state, nb::arg("state"));
}

}  // namespace

void bind_counters(nb::module_& module) {
  bind_meteor(module);
  bind_learned(module);

  bind_bleu(module);
  bind_crystal_bleu(module);

  using Chrf = ChrfCounter::Options;
  bind_counter<ChrfCounter>(
      module, "ChrfCounter",
      {field("char_order", &Chrf::char_order), field("word_order", &Chrf::word_order),
       field("beta", &Chrf::beta), field("lowercase", &Chrf::letter_case),
       field("whitespace", &Chrf::whitespace), field("eps_smoothing", &Chrf::eps_smoothing)});

  bind_answers(module);

  using Gleu = GleuCounter::Options;
  bind_counter<GleuCounter>(
      module, "GleuCounter",
      {order_field("min_ngram_order", &Gleu::min_ngram_order),
       order_field("max_ngram_order", &Gleu::max_ngram_order),
       field("tokenizer", &Gleu::tokenizer, kTokenizers), field("lowercase", &Gleu::letter_case)});

  using Hlepor = HleporCounter::Options;
  bind_counter<HleporCounter>(
      module, "HleporCounter",
      {field("alpha", &Hlepor::alpha), field("beta", &Hlepor::beta),
       field("context", &Hlepor::context), field("length_weight", &Hlepor::length_weight),
       field("position_weight", &Hlepor::position_weight),
       field("words_weight", &Hlepor::words_weight),
       field("tokenizer", &Hlepor::tokenizer, kTokenizers),
       field("lowercase", &Hlepor::letter_case)});

  using Sari = SariCounter::Options;
  bind_counter<SariCounter>(
      module, "SariCounter",
      {order_field("max_ngram_order", &Sari::max_ngram_order),
       field("tokenizer", &Sari::tokenizer, kTokenizers), field("lowercase", &Sari::letter_case)});

  using Nist = NistCounter::Options;
  bind_counter<NistCounter>(
      module, "NistCounter",
      {order_field("max_ngram_order", &Nist::max_ngram_order),
       field("tokenizer", &Nist::tokenizer, kTokenizers), field("lowercase", &Nist::letter_case),
       field("mteval", &Nist::mteval), field("learned", &Nist::learned)});

  using Cider = CiderCounter::Options;
  bind_counter<CiderCounter>(
      module, "CiderCounter",
      {order_field("max_ngram_order", &Cider::max_ngram_order),
       field("tokenizer", &Cider::tokenizer, kTokenizers), field("lowercase", &Cider::letter_case),
       field("clipped", &Cider::clipped), field("variance", &Cider::variance),
       field("learned", &Cider::learned)});

  using Ribes = RibesCounter::Options;
  bind_counter<RibesCounter>(
      module, "RibesCounter",
      {field("alpha", &Ribes::alpha), field("beta", &Ribes::beta),
       field("left_first", &Ribes::left_first), field("tokenizer", &Ribes::tokenizer, kTokenizers),
       field("lowercase", &Ribes::letter_case)});

  using Ter = TerCounter::Options;
  bind_counter<TerCounter>(
      module, "TerCounter",
      {field("normalized", &Ter::normalized), field("no_punct", &Ter::no_punct),
       field("asian_support", &Ter::asian_support), field("lowercase", &Ter::letter_case),
       field("tokenize_references_once", &Ter::tokenize_references_once)});

  using Wer = WerCounter::Options;
  bind_counter<WerCounter>(
      module, "WerCounter",
      {field("moves", &Wer::moves, kMoves), field("characters", &Wer::characters),
       field("lowercase", &Wer::letter_case), field("no_punct", &Wer::no_punct),
       field("whitespace", &Wer::white_space, kWhiteSpace)});

  const auto parts = [](const BoundCounter<CharacterCounter>& self, std::string_view kind,
                        nb::object hypothesis, nb::object references) {
    const CharacterCounter counter =
        self.counted(kind, hypothesis, references, [](CharacterCounter&) {});
    const CharacterCounter::Parts& nearest = counter.nearest();
    return nb::make_tuple(nearest.shifts, nearest.edits, nearest.characters);
  };
  bind_counter<CharacterCounter>(module, "CharacterCounter",
                                 {field("lowercase", &CharacterCounter::Options::letter_case)})
      .def("parts", parts, nb::arg("kind"), nb::arg("hypothesis"), nb::arg("references"));

  const auto path = [](const BoundCounter<EedCounter>& self, std::string_view kind,
                       nb::object hypothesis, nb::object references) {
    const EedCounter counter = self.counted(kind, hypothesis, references, [](EedCounter&) {});
    const EedCounter::Path& nearest = counter.nearest();
    return nb::make_tuple(nearest.reference, nearest.cost, nearest.repeated);
  };
  using Eed = EedCounter::Options;
  bind_counter<EedCounter>(
      module, "EedCounter",
      {field("alpha", &Eed::alpha), field("rho", &Eed::rho), field("deletion", &Eed::deletion),
       field("insertion", &Eed::insertion), field("count_start", &Eed::count_start),
       field("published", &Eed::published)})
      .def("path", path, nb::arg("kind"), nb::arg("hypothesis"), nb::arg("references"));

  bind_charcut(module);

  using Rouge = RougeCounter::Options;
  bind_counter<RougeCounter>(
      module, "RougeCounter",
      {field("unit", &Rouge::unit, kRougeUnits), field("order", &Rouge::order),
       field("weight", &Rouge::weight), field("skip_distance", &Rouge::skip_distance),
       field("unigrams", &Rouge::unigrams), field("paper", &Rouge::paper),
       field("several", &Rouge::several, kSeveral),
       field("tokenizer", &Rouge::tokenizer, kTokenizers),
       field("lowercase", &Rouge::letter_case)});
}

}  // namespace bleuet
