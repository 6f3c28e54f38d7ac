// Segments that Python holds, as the counters read them.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/buffers.hpp"
#include "rows/counter.hpp"
#include "text/lines.hpp"
#include "text/text.hpp"

namespace bleuet {

namespace nb = nanobind;

// In which form segments come; Python says it with each call (text/segments.py).
//
//   text       a list of strings; of references each entry is a string, or a list or tuple of
//              strings in which None is an absent reference
//   lines      a tuple with one entry per file, each a tuple of bytes: whole lines of UTF-8; or
//              with one entry per column of Arrow, each a tuple of blocks
//   token_ids  a list of sequences of integers; of references a list of lists of those and None
enum class Kind : std::uint8_t { text, lines, token_ids };

Kind kind_named(std::string_view name);

// Borrows a Python string.
inline Text text_of(PyObject* string) {
#if PY_VERSION_HEX < 0x030C0000
  if (!PyUnicode_IS_READY(string)) {
    const nb::gil_scoped_acquire lock;
    if (PyUnicode_READY(string) != 0) throw nb::python_error();
  }
#endif
  return {PyUnicode_DATA(string), static_cast<std::size_t>(PyUnicode_GET_LENGTH(string)),
          static_cast<std::uint8_t>(PyUnicode_KIND(string)), PyUnicode_IS_ASCII(string) != 0};
}

// Makes a Python string of UTF-8 from to_utf8().
inline nb::object string_of(std::string_view utf8) {
  nb::object string = nb::steal(
      PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "surrogatepass"));
  if (!string.is_valid()) throw nb::python_error();
  return string;
}

inline std::string_view bytes_of(PyObject* bytes) {
  return {PyBytes_AS_STRING(bytes), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes))};
}

// Segments in Python's strings, which the caller keeps alive. A string never changes, so threads
// read it without Python's lock.
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

// About how many characters segments have, and how much memory counting them needs: what is beyond
// `kMostKept` is released.
constexpr std::size_t kMostKept = 100000;
inline std::size_t characters_of(const Strings& segments) {
  std::size_t characters = segments.size();
  for (PyObject* const item : segments.items) characters += text_of(item).length;
  return characters;
}
inline std::size_t characters_of(const Ids& segments) {
  return segments.ids.size() + segments.size();
}

// The items that a sequence has now, kept alive: other threads may change it meanwhile.
class Items {
 public:
  explicit Items(PyObject* sequence);
  Items(const Items&) = delete;
  Items& operator=(const Items&) = delete;
  ~Items();

  PyObject* operator[](Py_ssize_t i) const { return begin_[i]; }
  PyObject* const* begin() const { return begin_; }
  PyObject* const* end() const { return begin_ + size_; }
  Py_ssize_t size() const { return size_; }

  // Whether every item is a string.
  bool strings() const { return strings_; }

 private:
  void hold(PyObject* list);

  nb::object tuple_;
  std::vector<PyObject*> held_;
  PyObject* const* begin_;
  Py_ssize_t size_;
  bool strings_;
};

// Reads Python's segments and keeps alive what they borrow, for as long as it lives itself.
class Reader {
 public:
  explicit Reader(bool lower) : lower_(lower) {}
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // One segment, and the references of one segment.
  void add(Strings& segments, PyObject* string);
  void add(Ids& segments, PyObject* sequence);
  template <class Segments>
  void add_references(Segments& segments, PyObject* references);

  // The segments of a corpus.
  template <class Segments>
  Segments hypotheses(PyObject* sequence);
  template <class Segments>
  Grouped<Segments> references(PyObject* sequence);

 private:
  const Items& items_of(PyObject* sequence, const char* expected);
  void lower(Lines& lines);
  std::string_view lowered(std::string_view bytes);
  PyObject* lowered(PyObject* string);

  bool lower_;
  std::forward_list<Borrowed<const char>> lent_;
  std::forward_list<Items> items_;
  std::vector<nb::object> alive_;
  nb::object lower_name_;
};

template <>
Lines Reader::hypotheses(PyObject* files);
template <>
Grouped<Lines> Reader::references(PyObject* files);

}  // namespace bleuet
