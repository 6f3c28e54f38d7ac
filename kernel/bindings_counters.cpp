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
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "bindings_buffers.hpp"
#include "bindings_names.hpp"
#include "bindings_scratch.hpp"
#include "bindings_segments.hpp"
#include "bleu.hpp"
#include "chrf.hpp"
#include "counter.hpp"
#include "eed.hpp"
#include "gleu.hpp"
#include "learned_references.hpp"
#include "meteor.hpp"
#include "nist.hpp"
#include "rouge.hpp"
#include "ter.hpp"
#include "wer.hpp"

namespace bleuet {
namespace {

// A counter as Python sees it. Each call has the kind of its segments as an argument.
template <class Counter>
class BoundCounter {
 public:
  using Options = typename Counter::Options;
  using Prepared = PreparedReferences<Counter>;

  BoundCounter(const Options& options, bool lower) : options_(options), lower_(lower) {}

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
      return prepare_references<Counter>(options_, std::move(grouped), threads, signal_poll());
    });
  }

  LearnedReferences learn(std::string_view kind, nb::object references, unsigned threads) const {
    return with_kind(kind, [&](auto segments) {
      using Segments = decltype(segments);
      Reader reader(lower_);
      const auto grouped = reader.template references<Segments>(references.ptr());
      const nb::gil_scoped_release unlocked;
      LearnedReferences learned;
      read_references<Counter>(options_, grouped, threads, signal_poll(),
                               [&](const typename Counter::Reference& one, bool ends) {
                                 learned.add(one.tokens, std::is_same_v<Segments, Ids>);
                                 if (ends) learned.end_segment();
                               });
      return learned;
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

  template <class Segments>
  std::size_t fill(nb::object hypotheses, nb::object references, nb::object integer_columns,
                   nb::object real_columns, unsigned threads) const {
    Reader reader(lower_);
    const Segments segments = reader.template hypotheses<Segments>(hypotheses.ptr());
    const std::size_t rows = segments.size();
    const Borrowed<std::int64_t> integer_buffer(integer_columns, integers() * rows, true);
    const Borrowed<double> real_buffer(real_columns, reals() * rows, true);
    const Columns columns{integer_buffer.data(), real_buffer.data(), rows};

    if (nb::isinstance<Prepared>(references)) {
      const Prepared& prepared = nb::cast<const Prepared&>(references);
      check_rows(rows, prepared.ends.size());
      const nb::gil_scoped_release unlocked;
      count_corpus(segments, prepared, columns, threads, signal_poll());
      return group_size(prepared.ends);
    }
    const Grouped<Segments> grouped = reader.template references<Segments>(references.ptr());
    check_rows(rows, grouped.ends.size());
    const nb::gil_scoped_release unlocked;
    count_corpus<Counter>(options_, segments, grouped, columns, threads, signal_poll());
    return group_size(grouped.ends);
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
    const typename ScratchPool<Scratch>::Loan scratch(pool_, options_);
    if (scratch->references.size() < n) scratch->references.resize(n);
    for (std::size_t r = 0; r < n; ++r) all.prepare(scratch->counter, r, scratch->references[r]);
    one.count(scratch->counter, 0, scratch->references.data(), n, scratch->integers.data(),
              scratch->reals.data());
    return as_tuple(*scratch);
  }

  static nb::tuple as_tuple(const Scratch& row) {
    const auto n = static_cast<Py_ssize_t>(row.integers.size() + row.reals.size());
    nb::object tuple = nb::steal(PyTuple_New(n));
    Py_ssize_t at = 0;
    for (const std::int64_t value : row.integers) {
      PyTuple_SET_ITEM(tuple.ptr(), at++, PyLong_FromLongLong(value));
    }
    for (const double value : row.reals) {
      PyTuple_SET_ITEM(tuple.ptr(), at++, PyFloat_FromDouble(value));
    }
    return nb::borrow<nb::tuple>(tuple);
  }

  Options options_;
  bool lower_;
  ScratchPool<Scratch> pool_;
};

template <class Counter>
nb::class_<BoundCounter<Counter>> bind_counter(nb::module_& module, const char* name,
                                               const char* prepared_name) {
  using Bound = BoundCounter<Counter>;
  nb::class_<PreparedReferences<Counter>>(module, prepared_name)
      .def("__len__", [](const PreparedReferences<Counter>& p) { return p.ends.size(); });
  return nb::class_<Bound>(module, name)
      .def_prop_ro("integers", &Bound::integers)
      .def_prop_ro("reals", &Bound::reals)
      .def("table", &Bound::table, nb::arg("kind"), nb::arg("hypotheses"), nb::arg("references"),
           nb::arg("integer_columns"), nb::arg("real_columns"), nb::arg("threads") = 1)
      .def("prepare", &Bound::prepare, nb::arg("kind"), nb::arg("references"),
           nb::arg("threads") = 1)
      .def("row", &Bound::row, nb::arg("kind"), nb::arg("hypothesis"), nb::arg("references"));
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
};

constexpr Named<RougeCounter::Unit> kRougeUnits[] = {
    {"ngrams", RougeCounter::Unit::ngrams},
    {"subsequence", RougeCounter::Unit::subsequence},
    {"sentences", RougeCounter::Unit::sentences},
};

Case case_of(bool lowercase) { return lowercase ? Case::lower_ascii : Case::keep; }

// Whether Python lower-cases text that is not ASCII before a counter of words reads it.
template <class Options>
bool python_lowers(const Options& options) {
  return options.letter_case == Case::lower_ascii && !lowers_ascii_only(options.tokenizer);
}

constexpr Named<Matcher> kMatchers[] = {
    {"exact", Matcher::exact},
    {"stem", Matcher::stem},
    {"synonym", Matcher::synonym},
    {"paraphrase", Matcher::paraphrase},
};

// A match as Python reads it: the first word and the number of words of both sides, and the place
// of its matcher.
nb::tuple match_tuple(const MeteorMatch& match, const std::vector<Matcher>& matchers) {
  const auto place = std::find(matchers.begin(), matchers.end(), match.matcher);
  return nb::make_tuple(match.hypothesis, match.hypothesis_words, match.reference,
                        match.reference_words, place - matchers.begin());
}

class BoundMeteorCounter : public BoundCounter<MeteorCounter> {
 public:
  explicit BoundMeteorCounter(const MeteorCounter::Options& options)
      : BoundCounter<MeteorCounter>(options, false), options_(options) {}

  nb::list align(const std::vector<std::int64_t>& hypothesis,
                 const std::vector<std::int64_t>& reference) const {
    MeteorCounter counter(options_);
    MeteorText ours;
    MeteorText theirs;
    counter.prepare_ids(hypothesis.data(), hypothesis.size(), ours);
    counter.prepare_ids(reference.data(), reference.size(), theirs);
    nb::list matches;
    for (const MeteorMatch& match : counter.align(ours, theirs)) {
      matches.append(match_tuple(match, options_.matchers));
    }
    return matches;
  }

 private:
  MeteorCounter::Options options_;
};

void bind_meteor(nb::module_& module) {
  nb::class_<MeteorLexicon>(module, "MeteorLexicon")
      .def(nb::init<>())
      .def(
          "add_word",
          [](MeteorLexicon& self, nb::bytes word, std::int64_t stem, bool function,
             std::vector<std::int64_t> synonyms) {
            self.add_word({word.c_str(), word.size()}, stem, function, std::move(synonyms));
          },
          nb::arg("word"), nb::arg("stem"), nb::arg("function"), nb::arg("synonyms"))
      .def(
          "read_paraphrases",
          [](MeteorLexicon& self, nb::bytes part) {
            self.paraphrases().read({part.c_str(), part.size()});
          },
          nb::arg("part"))
      .def("close_paraphrases", [](MeteorLexicon& self) { return self.paraphrases().close(); });

  bind_counter<MeteorCounter>(module, "MeteorRows", "MeteorReferences");
  nb::class_<BoundMeteorCounter, BoundCounter<MeteorCounter>>(module, "MeteorCounter")
      .def(
          "__init__",
          [](BoundMeteorCounter* self, std::shared_ptr<MeteorLexicon> lexicon,
             const std::vector<std::string>& matchers, const std::vector<double>& weights,
             double alpha, double beta, double gamma, double delta, std::size_t beam) {
            MeteorCounter::Options options;
            options.lexicon = std::move(lexicon);
            for (const std::string& name : matchers) {
              options.matchers.push_back(by_name(kMatchers, name, "matcher"));
            }
            options.weights = weights;
            options.parameters = {alpha, beta, gamma, delta};
            options.beam = beam;
            if (weights.size() != matchers.size() || beam == 0) {
              throw nb::value_error("a weight per matcher, and a beam of at least 1");
            }
            new (self) BoundMeteorCounter(options);
          },
          nb::arg("lexicon"), nb::arg("matchers"), nb::arg("weights"), nb::arg("alpha"),
          nb::arg("beta"), nb::arg("gamma"), nb::arg("delta"), nb::arg("beam"))
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
  return nb::make_tuple(texts, state.ids, as_bytes(state.words), as_bytes(state.ends),
                        state.checksum);
}

void set_state(LearnedReferences& learned,
               const std::tuple<nb::list, bool, nb::bytes, nb::bytes, std::uint64_t>& from) {
  const auto& [texts, ids, words, ends, checksum] = from;
  LearnedReferences::State state{
      {}, ids, as_numbers<std::uint32_t>(words), as_numbers<std::uint64_t>(ends), checksum};
  for (const nb::handle text : texts) {
    const nb::bytes bytes = nb::cast<nb::bytes>(text);
    state.texts.emplace_back(bytes.c_str(), bytes.size());
  }
  new (&learned) LearnedReferences(state);
}

nb::object bind_learned(nb::module_& module) {
  return nb::class_<LearnedReferences>(module, "LearnedReferences")
      .def_prop_ro("fingerprint",
                   [](const LearnedReferences& learned) {
                     char digits[17];
                     std::snprintf(digits, sizeof digits, "%016llx",
                                   static_cast<unsigned long long>(learned.checksum()));
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
  bind_counter<BleuCounter>(module, "BleuCounter", "BleuReferences")
      .def(
          "__init__",
          [](BoundCounter<BleuCounter>* self, std::size_t max_ngram_order,
             const std::string& tokenizer, bool lowercase, const std::string& reference_length,
             bool phantom_ngrams) {
            const BleuCounter::Options options{
                max_ngram_order, by_name(kTokenizers, tokenizer, "tokenizer"), case_of(lowercase),
                by_name(kReferenceLengths, reference_length, "reference length"), phantom_ngrams};
            new (self) BoundCounter<BleuCounter>(options, python_lowers(options));
          },
          nb::arg("max_ngram_order"), nb::arg("tokenizer"), nb::arg("lowercase"),
          nb::arg("reference_length"), nb::arg("phantom_ngrams") = false);

  bind_counter<ChrfCounter>(module, "ChrfCounter", "ChrfReferences")
      .def(
          "__init__",
          [](BoundCounter<ChrfCounter>* self, std::size_t char_order, std::size_t word_order,
             double beta, bool lowercase, bool whitespace, bool eps_smoothing) {
            ChrfCounter::Options options;
            options.char_order = char_order;
            options.word_order = word_order;
            options.beta = beta;
            options.letter_case = case_of(lowercase);
            options.whitespace = whitespace;
            options.eps_smoothing = eps_smoothing;
            new (self) BoundCounter<ChrfCounter>(options, lowercase);
          },
          nb::arg("char_order"), nb::arg("word_order"), nb::arg("beta"), nb::arg("lowercase"),
          nb::arg("whitespace"), nb::arg("eps_smoothing"));

  bind_counter<GleuCounter>(module, "GleuCounter", "GleuReferences")
      .def(
          "__init__",
          [](BoundCounter<GleuCounter>* self, std::size_t min_ngram_order,
             std::size_t max_ngram_order, const std::string& tokenizer, bool lowercase) {
            if (min_ngram_order < 1 || min_ngram_order > max_ngram_order) {
              throw nb::value_error("the shortest n-grams are longer than the longest");
            }
            const GleuCounter::Options options{min_ngram_order, max_ngram_order,
                                               by_name(kTokenizers, tokenizer, "tokenizer"),
                                               case_of(lowercase)};
            new (self) BoundCounter<GleuCounter>(options, python_lowers(options));
          },
          nb::arg("min_ngram_order"), nb::arg("max_ngram_order"), nb::arg("tokenizer"),
          nb::arg("lowercase"));

  const nb::object learned = bind_learned(module);
  bind_counter<NistCounter>(module, "NistCounter", "NistReferences")
      .def(
          "__init__",
          [](BoundCounter<NistCounter>* self, std::size_t max_ngram_order,
             const std::string& tokenizer, bool lowercase, bool mteval,
             const LearnedReferences* known) {
            NistCounter::Options options{max_ngram_order,
                                         by_name(kTokenizers, tokenizer, "tokenizer"),
                                         case_of(lowercase),
                                         {}};
            {
              const nb::gil_scoped_release unlocked;
              const LearnedReferences none;
              options.information = std::make_shared<const NgramInformation>(
                  known == nullptr ? none : *known, max_ngram_order, mteval);
            }
            new (self) BoundCounter<NistCounter>(options, python_lowers(options));
          },
          nb::arg("max_ngram_order"), nb::arg("tokenizer"), nb::arg("lowercase"), nb::arg("mteval"),
          nb::arg("learned").none())
      .def("learn", &BoundCounter<NistCounter>::learn, nb::arg("kind"), nb::arg("references"),
           nb::arg("threads") = 1)
      .attr("learned_type") = learned;

  bind_counter<TerCounter>(module, "TerCounter", "TerReferences")
      .def(
          "__init__",
          [](BoundCounter<TerCounter>* self, bool normalized, bool no_punct, bool asian_support,
             bool lowercase, bool tokenize_references_once) {
            TerCounter::Options options;
            options.normalized = normalized;
            options.no_punct = no_punct;
            options.asian_support = asian_support;
            options.letter_case = case_of(lowercase);
            options.tokenize_references_once = tokenize_references_once;
            new (self) BoundCounter<TerCounter>(options, lowercase);
          },
          nb::arg("normalized"), nb::arg("no_punct"), nb::arg("asian_support"),
          nb::arg("lowercase"), nb::arg("tokenize_references_once"));

  bind_counter<WerCounter>(module, "WerCounter", "WerReferences")
      .def(
          "__init__",
          [](BoundCounter<WerCounter>* self, const std::string& moves, bool characters,
             bool lowercase, bool no_punct, const std::string& whitespace) {
            WerCounter::Options options;
            options.moves = by_name(kMoves, moves, "moves");
            options.characters = characters;
            options.no_punct = no_punct;
            options.white_space = by_name(kWhiteSpace, whitespace, "white space");
            options.letter_case = case_of(lowercase);
            new (self) BoundCounter<WerCounter>(options, lowercase);
          },
          nb::arg("moves"), nb::arg("characters"), nb::arg("lowercase"), nb::arg("no_punct"),
          nb::arg("whitespace"));

  bind_counter<EedCounter>(module, "EedCounter", "EedReferences")
      .def(
          "__init__",
          [](BoundCounter<EedCounter>* self, double alpha, double rho, double deletion,
             double insertion) {
            new (self) BoundCounter<EedCounter>({alpha, rho, deletion, insertion}, false);
          },
          nb::arg("alpha"), nb::arg("rho"), nb::arg("deletion"), nb::arg("insertion"));

  bind_counter<RougeCounter>(module, "RougeCounter", "RougeReferences")
      .def(
          "__init__",
          [](BoundCounter<RougeCounter>* self, const std::string& unit, std::size_t order,
             const std::string& tokenizer, bool lowercase) {
            const RougeCounter::Options options{by_name(kRougeUnits, unit, "unit"), order,
                                                by_name(kTokenizers, tokenizer, "tokenizer"),
                                                case_of(lowercase)};
            new (self) BoundCounter<RougeCounter>(options, lowercase);
          },
          nb::arg("unit"), nb::arg("order"), nb::arg("tokenizer"), nb::arg("lowercase"));
}

}  // namespace bleuet
