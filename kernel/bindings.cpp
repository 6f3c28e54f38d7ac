// The kernel's only file that knows Python: borrows strings, releases the lock, fills buffers.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <forward_list>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>

#include "bleu.hpp"
#include "chrf.hpp"
#include "columns.hpp"
#include "counter.hpp"
#include "lines.hpp"
#include "resampling.hpp"
#include "ter.hpp"
#include "utf8.hpp"

namespace nb = nanobind;

namespace bleuet {
namespace {

// --- From Python's strings and integers ---------------------------------------------------------

Text text_of(PyObject* string) {
#if PY_VERSION_HEX < 0x030C0000
  if (!PyUnicode_IS_READY(string)) {
    const nb::gil_scoped_acquire lock;
    if (PyUnicode_READY(string) != 0) throw nb::python_error();
  }
#endif
  return {PyUnicode_DATA(string), static_cast<std::size_t>(PyUnicode_GET_LENGTH(string)),
          static_cast<std::uint8_t>(PyUnicode_KIND(string)), PyUnicode_IS_ASCII(string) != 0};
}

// Segments given as Python's strings, which somebody keeps alive. A string never changes, so
// threads look into it without the lock.
struct Strings {
  std::vector<PyObject*> items;

  std::size_t size() const { return items.size(); }

  template <class Counter>
  void prepare(Counter& counter, std::size_t i, typename Counter::Reference& reference) const {
    counter.prepare(text_of(items[i]), reference);
  }
  template <class Counter>
  void count(Counter& counter, std::size_t i, const typename Counter::Reference* references,
             std::size_t n, std::int64_t* integers, double* reals) const {
    counter.count(text_of(items[i]), references, n, integers, reals);
  }
};

[[noreturn]] void refuse(const char* expected, PyObject* got) {
  const std::string message =
      std::string("expected ") + expected + ", got " + Py_TYPE(got)->tp_name;
  throw nb::type_error(message.c_str());
}

// The items a sequence has now, kept alive: another thread may change it once the lock is released.
class Items {
 public:
  explicit Items(PyObject* sequence) {
    if (PyList_CheckExact(sequence)) {
      hold(sequence);
      return;
    }
    tuple_ = nb::steal(PySequence_Tuple(sequence));
    if (!tuple_.is_valid()) throw nb::python_error();
    begin_ = PySequence_Fast_ITEMS(tuple_.ptr());
    size_ = PyTuple_GET_SIZE(tuple_.ptr());
    strings_ = std::all_of(begin(), end(), [](PyObject* item) { return PyUnicode_Check(item); });
  }
  Items(const Items&) = delete;
  ~Items() {
    for (PyObject* const item : held_) Py_DECREF(item);
  }

  PyObject* operator[](Py_ssize_t i) const { return begin_[i]; }
  PyObject* const* begin() const { return begin_; }
  PyObject* const* end() const { return begin_ + size_; }
  Py_ssize_t size() const { return size_; }

  // Whether every item is a string.
  bool strings() const { return strings_; }

 private:
  // To touch objects that lie scattered in memory is what costs here, so it is done once.
  void hold(PyObject* list) {
    PyObject* const* const items = PySequence_Fast_ITEMS(list);
    size_ = PyList_GET_SIZE(list);
    held_.assign(items, items + size_);
    begin_ = held_.data();
    strings_ = true;
    for (PyObject* const item : held_) {
      Py_INCREF(item);
      strings_ = strings_ && PyUnicode_Check(item);
    }
  }

  nb::object tuple_;
  std::vector<PyObject*> held_;
  PyObject* const* begin_;
  Py_ssize_t size_;
  bool strings_;
};

// A corpus as the counters want it, with everything it borrows kept alive beside it.
class Gathered {
 public:
  explicit Gathered(bool lower) : lower_(lower) {}

  const Items& freeze(PyObject* sequence, const char* expected) {
    if (PyUnicode_Check(sequence) || PyBytes_Check(sequence)) refuse(expected, sequence);
    return frozen_.emplace_front(sequence);
  }

  void add(Strings& segments, PyObject* string) {
    if (!PyUnicode_Check(string)) refuse("a string", string);
    if (lower_ && !text_of(string).ascii) string = lowered(string);
    segments.items.push_back(string);
  }

  void add(Ids& segments, PyObject* sequence) {
    if (PyObject_CheckBuffer(sequence) && add_buffer(segments, sequence)) return;
    const Items& ids = freeze(sequence, "a sequence of integers");
    for (Py_ssize_t i = 0; i < ids.size(); ++i) {
      const std::int64_t id = PyLong_AsLongLong(ids[i]);
      if (id == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
      segments.ids.push_back(id);
    }
    segments.ends.push_back(segments.ids.size());
  }

  template <class Segments>
  Segments hypotheses(PyObject* sequence) {
    const Items& items = freeze(sequence, "a sequence of hypotheses");
    Segments segments;
    if (take(segments, items)) return segments;
    reserve(segments, items.size());
    for (Py_ssize_t i = 0; i < items.size(); ++i) {
      add(segments, items[i]);
    }
    return segments;
  }

  template <class Segments>
  Grouped<Segments> references(PyObject* sequence) {
    const Items& items = freeze(sequence, "a sequence of references");
    Grouped<Segments> grouped;
    const Py_ssize_t n = items.size();
    if (take(grouped.all, items)) {
      grouped.ends.resize(static_cast<std::size_t>(n));
      std::iota(grouped.ends.begin(), grouped.ends.end(), std::size_t{1});
      return grouped;
    }
    reserve(grouped.all, n);
    grouped.ends.reserve(static_cast<std::size_t>(n));
    for (Py_ssize_t i = 0; i < n; ++i) {
      add_group(grouped.all, items[i]);
      const std::size_t before = grouped.ends.empty() ? 0 : grouped.ends.back();
      if (grouped.all.size() == before) {
        throw nb::value_error(("segment " + std::to_string(i) + " has no reference").c_str());
      }
      grouped.ends.push_back(grouped.all.size());
    }
    return grouped;
  }

  // The references of one segment: one, or a list of them in which None is an absent one.
  template <class Segments>
  void add_group(Segments& all, PyObject* group) {
    if (is_single(all, group)) return add(all, group);
    if (!PyList_Check(group) && !PyTuple_Check(group)) refuse("a list of references", group);
    const Items& items = freeze(group, "a reference or a list of references");
    for (Py_ssize_t i = 0; i < items.size(); ++i) {
      if (items[i] != Py_None) add(all, items[i]);
    }
  }

 private:
  // Takes a list of strings as it is, where nothing has to be done to any of them.
  bool take(Strings& segments, const Items& items) const {
    if (lower_ || !items.strings()) return false;
    segments.items.assign(items.begin(), items.end());
    return true;
  }
  static bool take(Ids&, const Items&) { return false; }

  // The kernel itself lowers ASCII. Other lines are lowered all at once: to Python a newline is
  // what the end of a string is, also for the sigma that ends a word.
  void lower(Lines& lines) {
    std::string others;
    for (const std::string_view line : lines.items) {
      if (!is_ascii(line)) others.append(line).push_back('\n');
    }
    if (others.empty()) return;
    const nb::object string = nb::steal(
        PyUnicode_DecodeUTF8(others.data(), static_cast<Py_ssize_t>(others.size()), nullptr));
    if (!string.is_valid()) throw nb::python_error();
    Py_ssize_t size = 0;
    const char* const utf8 = PyUnicode_AsUTF8AndSize(lowered(string.ptr()), &size);
    if (utf8 == nullptr) throw nb::python_error();
    const Lines low = cut_lines({{utf8, static_cast<std::size_t>(size)}});
    auto next = low.items.begin();
    for (std::string_view& line : lines.items) {
      if (!is_ascii(line)) line = *next++;
    }
  }

  PyObject* lowered(PyObject* string) {
    static PyObject* const method = PyUnicode_InternFromString("lower");
    alive_.push_back(nb::steal(PyObject_CallMethodNoArgs(string, method)));
    if (!alive_.back().is_valid()) throw nb::python_error();
    return alive_.back().ptr();
  }

  static void reserve(Strings& segments, Py_ssize_t n) {
    segments.items.reserve(static_cast<std::size_t>(n));
  }
  static void reserve(Ids& segments, Py_ssize_t n) {
    segments.ends.reserve(static_cast<std::size_t>(n));
  }

  static bool is_single(const Strings&, PyObject* group) { return PyUnicode_Check(group); }

  // A flat sequence of integers is one reference; a sequence of sequences, several.
  static bool is_single(const Ids&, PyObject* group) {
    if (!PyList_Check(group) && !PyTuple_Check(group)) return true;
    const Py_ssize_t n = PySequence_Fast_GET_SIZE(group);
    for (Py_ssize_t i = 0; i < n; ++i) {
      PyObject* const item = PySequence_Fast_GET_ITEM(group, i);
      if (item != Py_None) return PyIndex_Check(item) && !PySequence_Check(item);
    }
    return n == 0;
  }

  // One-dimensional arrays of 32- or 64-bit signed integers are read where they lie.
  static bool add_buffer(Ids& segments, PyObject* array) {
    Py_buffer view;
    if (PyObject_GetBuffer(array, &view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT) != 0) {
      PyErr_Clear();
      return false;
    }
    const char format = view.format != nullptr && view.format[1] == '\0' ? view.format[0] : '?';
    const bool wide = view.itemsize == 8 && (format == 'q' || format == 'l');
    const bool narrow = view.itemsize == 4 && (format == 'i' || format == 'l');
    const bool usable = view.ndim == 1 && (wide || narrow);
    if (usable) {
      const auto n = static_cast<std::size_t>(view.shape[0]);
      for (std::size_t i = 0; i < n; ++i) {
        segments.ids.push_back(wide ? static_cast<const std::int64_t*>(view.buf)[i]
                                    : static_cast<const std::int32_t*>(view.buf)[i]);
      }
      segments.ends.push_back(segments.ids.size());
    }
    PyBuffer_Release(&view);
    return usable;
  }

  bool lower_;
  std::forward_list<Items> frozen_;
  std::vector<nb::object> alive_;
};

// Lines are a tuple of bytes, block after block, which references have one of for each file. They
// never change, and who calls keeps them, so threads read them without the lock.
bool is_tuple_of(PyObject* object, bool (*is_one)(PyObject*)) {
  if (!PyTuple_Check(object) || PyTuple_GET_SIZE(object) == 0) return false;
  PyObject* const* const items = PySequence_Fast_ITEMS(object);
  return std::all_of(items, items + PyTuple_GET_SIZE(object), is_one);
}

bool are_lines(PyObject* object) {
  return is_tuple_of(object, [](PyObject* block) -> bool { return PyBytes_Check(block); });
}

std::string_view bytes_of(PyObject* bytes) {
  return {PyBytes_AS_STRING(bytes), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes))};
}

Lines lines_of(PyObject* blocks) {
  std::vector<std::string_view> all;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(blocks); ++i) {
    all.push_back(bytes_of(PyTuple_GET_ITEM(blocks, i)));
  }
  return cut_lines(all);
}

template <>
Lines Gathered::hypotheses<Lines>(PyObject* blocks) {
  Lines lines = lines_of(blocks);
  if (lower_) lower(lines);
  return lines;
}

template <>
Grouped<Lines> Gathered::references<Lines>(PyObject* columns) {
  if (!is_tuple_of(columns, are_lines)) refuse("a tuple of blocks of lines", columns);
  std::vector<Lines> all;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(columns); ++i) {
    all.push_back(lines_of(PyTuple_GET_ITEM(columns, i)));
  }
  Grouped<Lines> grouped = group_lines(std::move(all));
  if (lower_) lower(grouped.all);
  return grouped;
}

std::size_t count_checked_lines(nb::bytes utf8) {
  const std::string_view bytes = bytes_of(utf8.ptr());
  if (!is_utf8(bytes)) throw nb::value_error("the bytes are not UTF-8");
  return count_newlines(bytes);
}

std::size_t count_line_endings(nb::bytes utf8, nb::bytes ending) {
  return count_endings(bytes_of(utf8.ptr()), bytes_of(ending.ptr()));
}

// --- To Python's buffers ------------------------------------------------------------------------

// A buffer of 8-byte numbers that Python lends for writing or reading.
template <class Number>
class Borrowed {
 public:
  Borrowed(nb::handle object, std::size_t numbers, bool writable) {
    const int flags = PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0) throw nb::python_error();
    if (static_cast<std::size_t>(view_.len) != numbers * sizeof(Number)) {
      PyBuffer_Release(&view_);
      throw nb::value_error("a column buffer does not have the size of its table");
    }
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() { PyBuffer_Release(&view_); }

  Number* data() const { return static_cast<Number*>(view_.buf); }

 private:
  Py_buffer view_;
};

// Lets Ctrl-C through while the counters run without the lock.
auto signal_poll() {
  using Clock = std::chrono::steady_clock;
  return [last = Clock::now()]() mutable {
    const Clock::time_point now = Clock::now();
    if (now - last < std::chrono::milliseconds(100)) return;
    last = now;
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  };
}

// --- One face for all counters ------------------------------------------------------------------

template <class Counter>
class Face {
 public:
  using Options = typename Counter::Options;
  using Prepared = PreparedReferences<Counter>;

  Face(const Options& options, bool lower, bool token_ids)
      : options_(options), lower_(lower), token_ids_(token_ids), counter_(options) {}

  std::size_t integers() const { return Counter::integers(options_); }
  std::size_t reals() const { return Counter::reals(options_); }

  // Fills the columns; returns the references per segment, 0 where segments differ.
  std::size_t table(nb::object hypotheses, nb::object references, nb::object integer_columns,
                    nb::object real_columns, unsigned threads) const {
    if constexpr (kHasIds) {
      if (token_ids_) {
        return fill<Ids>(hypotheses, references, integer_columns, real_columns, threads);
      }
    }
    if (are_lines(hypotheses.ptr())) {
      return fill<Lines>(hypotheses, references, integer_columns, real_columns, threads);
    }
    return fill<Strings>(hypotheses, references, integer_columns, real_columns, threads);
  }

  Prepared prepare(nb::object references, unsigned threads) const {
    if constexpr (kHasIds) {
      if (token_ids_) return prepare_as<Ids>(references, threads);
    }
    if (is_tuple_of(references.ptr(), are_lines)) return prepare_as<Lines>(references, threads);
    return prepare_as<Strings>(references, threads);
  }

  nb::tuple row(nb::object hypothesis, nb::object references) {
    if constexpr (kHasIds) {
      if (token_ids_) return row_of<Ids>(hypothesis, references);
    }
    return row_of<Strings>(hypothesis, references);
  }

 private:
  template <class C>
  static auto has_ids(int) -> decltype(&C::prepare_ids, std::true_type());
  template <class C>
  static std::false_type has_ids(...);
  static constexpr bool kHasIds = decltype(has_ids<Counter>(0))::value;

  template <class Segments>
  std::size_t fill(nb::object hypotheses, nb::object references, nb::object integer_columns,
                   nb::object real_columns, unsigned threads) const {
    Gathered gathered(lower_);
    const Segments segments = gathered.template hypotheses<Segments>(hypotheses.ptr());
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
    const Grouped<Segments> grouped = gathered.template references<Segments>(references.ptr());
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
  Prepared prepare_as(nb::object references, unsigned threads) const {
    Gathered gathered(lower_);
    Grouped<Segments> grouped = gathered.template references<Segments>(references.ptr());
    const nb::gil_scoped_release unlocked;
    return prepare_references<Counter>(options_, std::move(grouped), threads, signal_poll());
  }

  template <class Segments>
  nb::tuple row_of(nb::object hypothesis, nb::object references) {
    Gathered gathered(lower_);
    Segments one;
    gathered.add(one, hypothesis.ptr());
    Segments all;
    gathered.add_group(all, references.ptr());
    const std::size_t n = all.size();
    if (n == 0) throw nb::value_error("the segment has no reference");
    if (references_.size() < n) references_.resize(n);
    for (std::size_t r = 0; r < n; ++r) all.prepare(counter_, r, references_[r]);
    integer_row_.resize(integers());
    real_row_.resize(reals());
    one.count(counter_, 0, references_.data(), n, integer_row_.data(), real_row_.data());
    return as_tuple();
  }

  nb::tuple as_tuple() const {
    const auto n = static_cast<Py_ssize_t>(integer_row_.size() + real_row_.size());
    nb::object tuple = nb::steal(PyTuple_New(n));
    Py_ssize_t at = 0;
    for (const std::int64_t value : integer_row_) {
      PyTuple_SET_ITEM(tuple.ptr(), at++, PyLong_FromLongLong(value));
    }
    for (const double value : real_row_) {
      PyTuple_SET_ITEM(tuple.ptr(), at++, PyFloat_FromDouble(value));
    }
    return nb::borrow<nb::tuple>(tuple);
  }

  Options options_;
  bool lower_;
  bool token_ids_;
  Counter counter_;
  std::vector<typename Counter::Reference> references_;
  std::vector<std::int64_t> integer_row_;
  std::vector<double> real_row_;
};

template <class Counter>
nb::class_<Face<Counter>> bind_counter(nb::module_& module, const char* name,
                                       const char* prepared_name) {
  using F = Face<Counter>;
  nb::class_<PreparedReferences<Counter>>(module, prepared_name)
      .def("__len__", [](const PreparedReferences<Counter>& p) { return p.ends.size(); });
  return nb::class_<F>(module, name)
      .def_prop_ro("integers", &F::integers)
      .def_prop_ro("reals", &F::reals)
      .def("table", &F::table, nb::arg("hypotheses"), nb::arg("references"),
           nb::arg("integer_columns"), nb::arg("real_columns"), nb::arg("threads") = 1)
      .def("prepare", &F::prepare, nb::arg("references"), nb::arg("threads") = 1)
      .def("row", &F::row, nb::arg("hypothesis"), nb::arg("references"));
}

// --- Options by name ----------------------------------------------------------------------------

template <class Value>
struct Named {
  const char* name;
  Value value;
};

template <class Value, std::size_t N>
Value by_name(const Named<Value> (&names)[N], const std::string& wanted, const char* what) {
  for (const Named<Value>& named : names) {
    if (wanted == named.name) return named.value;
  }
  throw nb::value_error((std::string("unknown ") + what + " " + wanted).c_str());
}

constexpr Named<Tokenizer> kTokenizers[] = {
    {"none", Tokenizer::none}, {"13a", Tokenizer::v13a}, {"char", Tokenizer::character},
    {"intl", Tokenizer::intl}, {"zh", Tokenizer::zh},    {"zh-fixed", Tokenizer::zh_fixed},
};
constexpr Named<ReferenceLength> kReferenceLengths[] = {
    {"closest", ReferenceLength::closest},
    {"shortest", ReferenceLength::shortest},
    {"average", ReferenceLength::average},
};
constexpr Named<Smoothing> kSmoothings[] = {
    {"none", Smoothing::none},
    {"floor", Smoothing::floor},
    {"add-k", Smoothing::add_k},
    {"exp", Smoothing::exponential},
    {"chen-cherry-1", Smoothing::chen_cherry_1},
    {"chen-cherry-2", Smoothing::chen_cherry_2},
    {"chen-cherry-3", Smoothing::chen_cherry_3},
    {"chen-cherry-4", Smoothing::chen_cherry_4},
    {"chen-cherry-5", Smoothing::chen_cherry_5},
    {"chen-cherry-6", Smoothing::chen_cherry_6},
    {"chen-cherry-6-raw", Smoothing::chen_cherry_6_raw},
    {"chen-cherry-7", Smoothing::chen_cherry_7},
    {"nltk-0", Smoothing::nltk_0},
    {"nltk-1", Smoothing::nltk_1},
    {"nltk-2", Smoothing::nltk_2},
    {"nltk-3", Smoothing::nltk_3},
    {"nltk-4", Smoothing::nltk_4},
    {"nltk-5", Smoothing::nltk_5},
    {"nltk-6", Smoothing::nltk_6},
    {"nltk-7", Smoothing::nltk_7},
};

Case case_of(bool lowercase) { return lowercase ? Case::lower_ascii : Case::keep; }

nb::list as_strings(const TokenList& tokens,
                    std::string_view (*text)(const TokenList&, const Token&)) {
  nb::list out;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const std::string_view bytes = text(tokens, tokens[i]);
    out.append(nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()),
                                              "surrogatepass")));
  }
  return out;
}

nb::list tokenize_to_strings(const std::string& tokenizer, nb::str line) {
  TokenizerScratch scratch;
  TokenList tokens;
  tokenize(by_name(kTokenizers, tokenizer, "tokenizer"), text_of(line.ptr()), Case::keep, scratch,
           tokens);
  return as_strings(tokens,
                    [](const TokenList& list, const Token& token) { return list.text_of(token); });
}

// --- Scores of all rows of a table --------------------------------------------------------------

// BLEU's formula over rows that lie in columns or in a tuple, always in the order of the columns.
class BleuScorer {
 public:
  BleuScorer(const BleuScoring& scoring, bool real_length)
      : scoring_(scoring),
        real_length_(real_length),
        lengths_(real_length ? 1 : 2),
        orders_(counted_orders(scoring.smoothing, scoring.max_ngram_order)),
        row_(2 * orders_ + lengths_),
        precisions_(scoring.max_ngram_order) {}

  double score(nb::tuple values) {
    if (values.size() != row_.size() + (real_length_ ? 1 : 0)) {
      throw nb::value_error("a row does not have the numbers of its metric");
    }
    for (std::size_t c = 0; c < row_.size(); ++c) row_[c] = nb::cast<std::int64_t>(values[c]);
    return of_row(real_length_ ? nb::cast<double>(values[row_.size()]) : 0);
  }

  void scores(nb::object integers, nb::object reals, std::size_t rows, nb::object scores) {
    const Borrowed<const std::int64_t> in(integers, rows * row_.size(), false);
    const Borrowed<const double> in_reals(reals, real_length_ ? rows : 0, false);
    const Borrowed<double> out(scores, rows, true);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t c = 0; c < row_.size(); ++c) row_[c] = in.data()[c * rows + i];
      out.data()[i] = of_row(real_length_ ? in_reals.data()[i] : 0);
    }
  }

 private:
  double of_row(double real_length) {
    const std::int64_t* const matches = row_.data() + lengths_;
    return bleu_score(static_cast<double>(row_[0]),
                      real_length_ ? real_length : static_cast<double>(row_[1]), matches,
                      matches + orders_, scoring_, precisions_.data());
  }

  BleuScoring scoring_;
  bool real_length_;
  std::size_t lengths_;
  std::size_t orders_;
  std::vector<std::int64_t> row_;
  std::vector<double> precisions_;
};

void chrf_scores(nb::object integers, std::size_t rows, nb::object scores, std::size_t char_order,
                 std::size_t word_order, double beta, bool eps_smoothing) {
  ChrfCounter::Options options;
  options.char_order = char_order;
  options.word_order = word_order;
  options.beta = beta;
  options.eps_smoothing = eps_smoothing;
  const std::size_t columns = 3 * (char_order + word_order);
  const Borrowed<const std::int64_t> in(integers, rows * columns, false);
  const Borrowed<double> out(scores, rows, true);
  std::vector<std::int64_t> row(columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < columns; ++c) row[c] = in.data()[c * rows + i];
    out.data()[i] = chrf_f_score(row.data(), options);
  }
}

void ter_scores(nb::object integers, nb::object reals, std::size_t rows, nb::object scores) {
  const Borrowed<const std::int64_t> edits(integers, rows, false);
  const Borrowed<const double> lengths(reals, rows, false);
  const Borrowed<double> out(scores, rows, true);
  for (std::size_t i = 0; i < rows; ++i) {
    out.data()[i] = ter_score(edits.data()[i], lengths.data()[i]);
  }
}

// --- Sums and selections of rows ----------------------------------------------------------------

template <class Number>
nb::list sums(nb::object columns, std::size_t rows, const std::vector<Number>& initial) {
  const Borrowed<const Number> in(columns, rows * initial.size(), false);
  nb::list out;
  for (std::size_t c = 0; c < initial.size(); ++c) {
    out.append(nb::cast(fold_column(in.data() + c * rows, rows, initial[c])));
  }
  return out;
}

// Memory for so many 64-bit numbers, whatever it held before: a counter writes every number, and
// zeros written by one thread would first have to leave its core's cache for another's.
nb::object unwritten(std::size_t numbers) {
  if (numbers > PY_SSIZE_T_MAX / 8) throw std::bad_alloc();
  nb::object bytes =
      nb::steal(PyByteArray_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(8 * numbers)));
  if (!bytes.is_valid()) throw nb::python_error();
  return bytes;
}

template <class Number>
void select(nb::object columns, std::size_t rows, nb::object chosen, std::size_t n_chosen,
            std::size_t n_columns, nb::object out) {
  const Borrowed<const Number> in(columns, rows * n_columns, false);
  const Borrowed<const std::int64_t> picks(chosen, n_chosen, false);
  const Borrowed<Number> to(out, n_chosen * n_columns, true);
  if (!select_rows(in.data(), rows, n_columns, picks.data(), n_chosen, to.data())) {
    throw nb::index_error("a row number lies outside the table");
  }
}

// --- Draws of rows ------------------------------------------------------------------------------

// A table as Python hands it over: integers, how many columns, reals, how many columns, and the
// buffers for the sums of both.
using GivenTable =
    std::tuple<nb::object, std::size_t, nb::object, std::size_t, nb::object, nb::object>;

// The tables of one resampling, with their buffers held for as long as they are needed.
class BorrowedTables {
 public:
  BorrowedTables(const std::vector<GivenTable>& given, std::size_t rows, std::size_t draws) {
    if (rows == 0) throw nb::value_error("there is no row to draw");
    if (rows > std::size_t{1} << 32) throw nb::value_error("more than 4294967296 rows");
    for (const auto& [integers, n_integers, reals, n_reals, integer_sums, real_sums] : given) {
      tables_.push_back({hold<const std::int64_t>(integers, n_integers * rows, false), n_integers,
                         hold<const double>(reals, n_reals * rows, false), n_reals,
                         hold<std::int64_t>(integer_sums, n_integers * draws, true),
                         hold<double>(real_sums, n_reals * draws, true)});
    }
  }

  const std::vector<Resampled>& tables() const { return tables_; }

 private:
  template <class Number>
  Number* hold(nb::handle object, std::size_t numbers, bool writable) {
    const auto held = std::make_shared<Borrowed<Number>>(object, numbers, writable);
    held_.push_back(held);
    return held->data();
  }

  std::vector<std::shared_ptr<void>> held_;
  std::vector<Resampled> tables_;
};

// Python's other threads may use the same stream meanwhile, so the kernel works on a copy, which
// takes its place at the end; an interrupted call leaves it as it was.
template <auto sum>
void sum_streamed(Pcg64& stream, const std::vector<GivenTable>& given, std::size_t rows,
                  std::size_t draws, unsigned threads) {
  const BorrowedTables borrowed(given, rows, draws);
  Pcg64 copy = stream;
  {
    const nb::gil_scoped_release unlocked;
    sum(copy, rows, borrowed.tables(), draws, threads, signal_poll());
  }
  stream = copy;
}

void sum_of_given_draws(nb::object chosen, const std::vector<GivenTable>& given, std::size_t rows,
                        std::size_t draws, unsigned threads) {
  const BorrowedTables borrowed(given, rows, draws);
  const Borrowed<const std::int64_t> numbers(chosen, rows * draws, false);
  for (std::size_t i = 0; i < rows * draws; ++i) {
    if (numbers.data()[i] < 0 || static_cast<std::size_t>(numbers.data()[i]) >= rows) {
      throw nb::index_error("a row number lies outside the table");
    }
  }
  const nb::gil_scoped_release unlocked;
  sum_given_draws(numbers.data(), rows, borrowed.tables(), draws, threads, signal_poll());
}

void sum_of_given_choices(nb::object chosen, const std::vector<GivenTable>& given, std::size_t rows,
                          std::size_t draws, unsigned threads) {
  const BorrowedTables borrowed(given, rows, draws);
  const Borrowed<const std::uint8_t> bits(chosen, rows * draws, false);
  for (std::size_t i = 0; i < rows * draws; ++i) {
    if (bits.data()[i] > 1) throw nb::value_error("a choice is 0 or 1");
  }
  const nb::gil_scoped_release unlocked;
  sum_given_choices(bits.data(), rows, borrowed.tables(), draws, threads, signal_poll());
}

template <class Number>
void exchange(nb::object chosen, nb::object taken, std::size_t rows,
              const std::vector<Number>& totals, nb::object out) {
  const std::size_t numbers = rows * totals.size();
  const Borrowed<const Number> coming(chosen, numbers, false);
  const Borrowed<const Number> leaving(taken, numbers, false);
  const Borrowed<Number> to(out, numbers, true);
  exchange_rows(coming.data(), leaving.data(), rows, totals, to.data());
}

void draw_rows(Pcg64& stream, std::uint64_t below, nb::object out, std::size_t count) {
  if (below == 0 || below > std::uint64_t{1} << 32) {
    throw nb::value_error("rows are drawn from 1 to 4294967296 of them");
  }
  const Borrowed<std::int64_t> rows(out, count, true);
  std::int64_t* next = rows.data();
  Below(below).draw(stream, count, [&](std::uint32_t row) { *next++ = row; });
}

void draw_choices(Pcg64& stream, nb::object out, std::size_t count) {
  const Borrowed<std::uint8_t> bits(out, count, true);
  Bits(stream).write(bits.data(), count);
}

void bind_resampling(nb::module_& module) {
  nb::class_<Pcg64>(module, "Pcg64")
      .def(nb::init<const std::vector<std::uint32_t>&>(), nb::arg("seed"))
      .def("rows", &draw_rows, nb::arg("below"), nb::arg("out"), nb::arg("count"))
      .def("choices", &draw_choices, nb::arg("out"), nb::arg("count"))
      .def("sum_draws", &sum_streamed<sum_draws>, nb::arg("tables"), nb::arg("rows"),
           nb::arg("draws"), nb::arg("threads") = 1)
      .def("sum_choices", &sum_streamed<sum_choices>, nb::arg("tables"), nb::arg("rows"),
           nb::arg("draws"), nb::arg("threads") = 1);
  module.def("exchange_integers", &exchange<std::int64_t>, nb::arg("chosen"), nb::arg("taken"),
             nb::arg("rows"), nb::arg("totals"), nb::arg("out"));
  module.def("exchange_reals", &exchange<double>, nb::arg("chosen"), nb::arg("taken"),
             nb::arg("rows"), nb::arg("totals"), nb::arg("out"));
  module.def("sum_given_draws", &sum_of_given_draws, nb::arg("chosen"), nb::arg("tables"),
             nb::arg("rows"), nb::arg("draws"), nb::arg("threads") = 1);
  module.def("sum_given_choices", &sum_of_given_choices, nb::arg("chosen"), nb::arg("tables"),
             nb::arg("rows"), nb::arg("draws"), nb::arg("threads") = 1);
}

}  // namespace
}  // namespace bleuet

NB_MODULE(_kernel, module) {
  using namespace bleuet;

  // A metric that lives until the interpreter ends keeps its counter; that is no fault to report.
  nb::set_leak_warnings(false);
  module.attr("NATIVE") = true;

  bind_counter<BleuCounter>(module, "BleuCounter", "BleuReferences")
      .def(
          "__init__",
          [](Face<BleuCounter>* self, std::size_t max_ngram_order, const std::string& tokenizer,
             bool lowercase, const std::string& reference_length, bool token_ids,
             bool phantom_ngrams) {
            const BleuCounter::Options options{
                max_ngram_order, by_name(kTokenizers, tokenizer, "tokenizer"), case_of(lowercase),
                by_name(kReferenceLengths, reference_length, "reference length"), phantom_ngrams};
            new (self) Face<BleuCounter>(options, lowercase, token_ids);
          },
          nb::arg("max_ngram_order"), nb::arg("tokenizer"), nb::arg("lowercase"),
          nb::arg("reference_length"), nb::arg("token_ids"), nb::arg("phantom_ngrams") = false);

  bind_counter<ChrfCounter>(module, "ChrfCounter", "ChrfReferences")
      .def(
          "__init__",
          [](Face<ChrfCounter>* self, std::size_t char_order, std::size_t word_order, double beta,
             bool lowercase, bool whitespace, bool eps_smoothing) {
            ChrfCounter::Options options;
            options.char_order = char_order;
            options.word_order = word_order;
            options.beta = beta;
            options.letter_case = case_of(lowercase);
            options.whitespace = whitespace;
            options.eps_smoothing = eps_smoothing;
            new (self) Face<ChrfCounter>(options, lowercase, false);
          },
          nb::arg("char_order"), nb::arg("word_order"), nb::arg("beta"), nb::arg("lowercase"),
          nb::arg("whitespace"), nb::arg("eps_smoothing"));

  bind_counter<TerCounter>(module, "TerCounter", "TerReferences")
      .def(
          "__init__",
          [](Face<TerCounter>* self, bool normalized, bool no_punct, bool asian_support,
             bool lowercase, bool tokenize_references_once, bool token_ids) {
            TerCounter::Options options;
            options.normalized = normalized;
            options.no_punct = no_punct;
            options.asian_support = asian_support;
            options.letter_case = case_of(lowercase);
            options.tokenize_references_once = tokenize_references_once;
            new (self) Face<TerCounter>(options, lowercase, token_ids);
          },
          nb::arg("normalized"), nb::arg("no_punct"), nb::arg("asian_support"),
          nb::arg("lowercase"), nb::arg("tokenize_references_once"), nb::arg("token_ids"));

  module.def("count_lines", &count_checked_lines, nb::arg("utf8"));
  module.def("count_endings", &count_line_endings, nb::arg("utf8"), nb::arg("ending"));
  module.def("tokenize", &tokenize_to_strings, nb::arg("tokenizer"), nb::arg("line"));
  nb::class_<BleuScorer>(module, "BleuScorer")
      .def(
          "__init__",
          [](BleuScorer* self, std::size_t max_ngram_order, const std::string& smooth,
             double smooth_value, bool smooth_unmatched, bool effective_order,
             const std::vector<double>& weights, bool real_length, bool compensated_sum) {
            const BleuScoring scoring{max_ngram_order, by_name(kSmoothings, smooth, "smoothing"),
                                      smooth_value,    smooth_unmatched,
                                      effective_order, weights,
                                      compensated_sum};
            new (self) BleuScorer(scoring, real_length);
          },
          nb::arg("max_ngram_order"), nb::arg("smooth"), nb::arg("smooth_value"),
          nb::arg("smooth_unmatched"), nb::arg("effective_order"), nb::arg("weights"),
          nb::arg("real_length"), nb::arg("compensated_sum"))
      .def("score", &BleuScorer::score, nb::arg("values"))
      .def("scores", &BleuScorer::scores, nb::arg("integers"), nb::arg("reals"), nb::arg("rows"),
           nb::arg("scores"));
  module.def("chrf_scores", &chrf_scores, nb::arg("integers"), nb::arg("rows"), nb::arg("scores"),
             nb::arg("char_order"), nb::arg("word_order"), nb::arg("beta"),
             nb::arg("eps_smoothing"));
  module.def("ter_scores", &ter_scores, nb::arg("integers"), nb::arg("reals"), nb::arg("rows"),
             nb::arg("scores"));
  module.def("unwritten", &unwritten, nb::arg("numbers"));
  module.def("sum_integers", &sums<std::int64_t>, nb::arg("columns"), nb::arg("rows"),
             nb::arg("initial"));
  module.def("sum_reals", &sums<double>, nb::arg("columns"), nb::arg("rows"), nb::arg("initial"));
  module.def("select_integers", &select<std::int64_t>, nb::arg("columns"), nb::arg("rows"),
             nb::arg("chosen"), nb::arg("n_chosen"), nb::arg("n_columns"), nb::arg("out"));
  module.def("select_reals", &select<double>, nb::arg("columns"), nb::arg("rows"),
             nb::arg("chosen"), nb::arg("n_chosen"), nb::arg("n_columns"), nb::arg("out"));
  bind_resampling(module);
}
