#include "bindings/segments.hpp"

#include <algorithm>
#include <cstring>
#include <forward_list>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>

#include "bindings/buffers.hpp"
#include "text/utf8.hpp"

namespace bleuet {
namespace {

[[noreturn]] void reject(const char* expected, PyObject* got) {
  const std::string message =
      std::string("expected ") + expected + ", got " + Py_TYPE(got)->tp_name;
  throw nb::type_error(message.c_str());
}

// Reads a one-dimensional array of 32- or 64-bit signed integers; false where it is none.
bool add_array(Ids& segments, PyObject* array) {
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

// Reads a list or tuple of integers; false where it has anything else. Reading an integer runs no
// code of Python's, so that the list stays as it is meanwhile.
bool add_integers(Ids& segments, PyObject* sequence) {
  if (!PyList_CheckExact(sequence) && !PyTuple_CheckExact(sequence)) return false;
  const nb::ft_object_guard guard(sequence);
  PyObject* const* const items = PySequence_Fast_ITEMS(sequence);
  const Py_ssize_t n = PySequence_Fast_GET_SIZE(sequence);
  const std::size_t before = segments.ids.size();
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (!PyLong_CheckExact(items[i])) {
      segments.ids.resize(before);
      return false;
    }
    const std::int64_t id = PyLong_AsLongLong(items[i]);
    if (id == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    segments.ids.push_back(id);
  }
  segments.ends.push_back(segments.ids.size());
  return true;
}

void reserve(Strings& segments, Py_ssize_t n) {
  segments.items.reserve(static_cast<std::size_t>(n));
}
void reserve(Ids& segments, Py_ssize_t n) { segments.ends.reserve(static_cast<std::size_t>(n)); }

// The buffers that lines lie in, which are lent for as long as these are read.
using Lent = std::forward_list<Borrowed<const char>>;

const Borrowed<const char>& borrow(nb::handle buffer, Lent& lent) {
  return lent.emplace_front(buffer, AnyNumbers());
}

// Adds texts of an array of Arrow, whose offsets are numbers of 32 or 64 bits. Another thread might
// change them, so each is read once.
template <class Offset>
void add_texts(nb::handle offsets, nb::handle bytes, std::size_t first, std::size_t count,
               Lines& lines, Lent& lent) {
  const Borrowed<const Offset> places(offsets);
  const Borrowed<const char>& all = borrow(bytes, lent);
  if (places.size() < count + 1 || first > places.size() - count - 1) {
    throw nb::value_error("an array has fewer offsets than texts");
  }
  const volatile Offset* const ends = places.data() + first;
  Offset begin = ends[0];
  for (std::size_t i = 0; i < count; ++i) {
    const Offset end = ends[i + 1];
    if (begin < 0 || end < begin || static_cast<std::uint64_t>(end) > all.size()) {
      throw nb::value_error("an array has an offset outside its texts");
    }
    lines.items.emplace_back(all.data() + begin, static_cast<std::size_t>(end - begin));
    begin = end;
  }
}

// Adds texts of an array of views: each has its length, and either the text or the number of a
// buffer and the place in it.
void add_views(nb::handle views, PyObject* buffers, std::size_t first, std::size_t count,
               Lines& lines, Lent& lent) {
  constexpr std::size_t kView = 16;
  constexpr std::int32_t kInside = 12;
  const Borrowed<const char>& parts = borrow(views, lent);
  if (parts.size() / kView < count || first > parts.size() / kView - count) {
    throw nb::value_error("an array has fewer views than texts");
  }
  std::vector<std::string_view> texts;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(buffers); ++i) {
    const Borrowed<const char>& one = borrow(PyTuple_GET_ITEM(buffers, i), lent);
    texts.emplace_back(one.data(), one.size());
  }
  for (std::size_t i = first; i < first + count; ++i) {
    const char* const bytes = parts.data() + kView * i;
    std::int32_t view[4];
    std::memcpy(view, bytes, sizeof view);
    const auto [size, _, buffer, begin] = view;
    if (size >= 0 && size <= kInside) {
      lines.items.emplace_back(bytes + sizeof size, static_cast<std::size_t>(size));
      continue;
    }
    const bool known = size >= 0 && buffer >= 0 && begin >= 0 &&
                       static_cast<std::size_t>(buffer) < texts.size() &&
                       static_cast<std::uint64_t>(begin) + static_cast<std::uint64_t>(size) <=
                           texts[static_cast<std::size_t>(buffer)].size();
    if (!known) throw nb::value_error("an array has a view outside its texts");
    lines.items.push_back(texts[static_cast<std::size_t>(buffer)].substr(
        static_cast<std::size_t>(begin), static_cast<std::size_t>(size)));
  }
}

// A block of a column of Arrow: its offsets or views, the bytes of each, the buffers of its texts,
// which text is the first, and how many there are.
void add_arrow(PyObject* block, Lines& lines, Lent& lent) {
  if (PyTuple_GET_SIZE(block) != 5 || !PyTuple_Check(PyTuple_GET_ITEM(block, 2))) {
    reject("five values of a block", block);
  }
  const auto number = [&](Py_ssize_t place) {
    const std::size_t found = PyLong_AsSize_t(PyTuple_GET_ITEM(block, place));
    if (PyErr_Occurred() != nullptr) throw nb::python_error();
    return found;
  };
  const nb::handle places = PyTuple_GET_ITEM(block, 0);
  PyObject* const buffers = PyTuple_GET_ITEM(block, 2);
  const std::size_t width = number(1);
  const std::size_t first = number(3);
  const std::size_t count = number(4);
  if (width != sizeof(std::int32_t) && width != sizeof(std::int64_t)) {
    add_views(places, buffers, first, count, lines, lent);
    return;
  }
  if (PyTuple_GET_SIZE(buffers) != 1) reject("one buffer of texts", buffers);
  const nb::handle texts = PyTuple_GET_ITEM(buffers, 0);
  if (width == sizeof(std::int64_t)) {
    add_texts<std::int64_t>(places, texts, first, count, lines, lent);
  } else {
    add_texts<std::int32_t>(places, texts, first, count, lines, lent);
  }
}

// A file's lines: a tuple of bytes, block after block, which never change; or a tuple of blocks of
// Arrow.
Lines lines_of(PyObject* blocks, Lent& lent) {
  const char* const expected = "a tuple of bytes";
  if (!PyTuple_Check(blocks)) reject(expected, blocks);
  Lines texts;
  std::vector<std::string_view> all;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(blocks); ++i) {
    PyObject* const block = PyTuple_GET_ITEM(blocks, i);
    if (PyTuple_Check(block)) {
      add_arrow(block, texts, lent);
      continue;
    }
    if (!PyBytes_Check(block)) reject(expected, block);
    all.push_back(bytes_of(block));
  }
  return all.empty() ? texts : cut_lines(all);
}

std::vector<Lines> columns_of(PyObject* files, Lent& lent) {
  if (!PyTuple_Check(files) || PyTuple_GET_SIZE(files) == 0) {
    reject("a tuple of one tuple of bytes per file", files);
  }
  std::vector<Lines> columns;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(files); ++i) {
    columns.push_back(lines_of(PyTuple_GET_ITEM(files, i), lent));
  }
  return columns;
}

}  // namespace

Kind kind_named(std::string_view name) {
  if (name == "text" || name == "tokens") return Kind::text;
  if (name == "lines" || name == "arrow") return Kind::lines;
  if (name == "token ids") return Kind::token_ids;
  throw nb::value_error(("unknown kind of segments " + std::string(name)).c_str());
}

// --- Items --------------------------------------------------------------------------------------

Items::Items(PyObject* sequence) {
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

Items::~Items() {
  for (PyObject* const item : held_) Py_DECREF(item);
}

// One pass does it all, since what costs here is touching objects that lie scattered in memory.
void Items::hold(PyObject* list) {
  // Without the global lock, another thread could free an item before it is held.
  const nb::ft_object_guard guard(list);
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

// --- Reader -------------------------------------------------------------------------------------

const Items& Reader::items_of(PyObject* sequence, const char* expected) {
  if (PyUnicode_Check(sequence) || PyBytes_Check(sequence)) reject(expected, sequence);
  return items_.emplace_front(sequence);
}

void Reader::add(Strings& segments, PyObject* string) {
  if (!PyUnicode_Check(string)) reject("a string", string);
  if (lower_ && !text_of(string).ascii) string = lowered(string);
  segments.items.push_back(string);
}

void Reader::add(Ids& segments, PyObject* sequence) {
  if (add_integers(segments, sequence)) return;
  if (PyObject_CheckBuffer(sequence) && add_array(segments, sequence)) return;
  const Items& ids = items_of(sequence, "a sequence of integers");
  for (Py_ssize_t i = 0; i < ids.size(); ++i) {
    const std::int64_t id = PyLong_AsLongLong(ids[i]);
    if (id == -1 && PyErr_Occurred() != nullptr) throw nb::python_error();
    segments.ids.push_back(id);
  }
  segments.ends.push_back(segments.ids.size());
}

template <class Segments>
void Reader::add_references(Segments& segments, PyObject* references) {
  if (std::is_same_v<Segments, Strings> && PyUnicode_Check(references)) {
    return add(segments, references);
  }
  if (!PyList_Check(references) && !PyTuple_Check(references)) {
    reject("a list of references", references);
  }
  const std::size_t before = segments.size();
  const Items& several = items_of(references, "a list of references");
  for (Py_ssize_t i = 0; i < several.size(); ++i) {
    if (several[i] != Py_None) add(segments, several[i]);
  }
  if (segments.size() == before) throw nb::value_error("a segment has no reference");
}

template <class Segments>
Segments Reader::hypotheses(PyObject* sequence) {
  const Items& items = items_of(sequence, "a sequence of hypotheses");
  Segments segments;
  if constexpr (std::is_same_v<Segments, Strings>) {
    if (!lower_ && items.strings()) {
      segments.items.assign(items.begin(), items.end());
      return segments;
    }
  }
  reserve(segments, items.size());
  for (PyObject* const item : items) add(segments, item);
  return segments;
}

template <class Segments>
Grouped<Segments> Reader::references(PyObject* sequence) {
  const Items& items = items_of(sequence, "a sequence of references");
  const auto n = static_cast<std::size_t>(items.size());
  Grouped<Segments> grouped;
  if constexpr (std::is_same_v<Segments, Strings>) {
    if (!lower_ && items.strings()) {
      grouped.all.items.assign(items.begin(), items.end());
      grouped.ends.resize(n);
      std::iota(grouped.ends.begin(), grouped.ends.end(), std::size_t{1});
      return grouped;
    }
  }
  reserve(grouped.all, items.size());
  grouped.ends.reserve(n);
  for (PyObject* const item : items) {
    add_references(grouped.all, item);
    grouped.ends.push_back(grouped.all.size());
  }
  return grouped;
}

template <>
Lines Reader::hypotheses(PyObject* files) {
  std::vector<Lines> columns = columns_of(files, lent_);
  if (columns.size() != 1) throw nb::value_error("hypotheses come from one file");
  if (lower_) lower(columns[0]);
  return std::move(columns[0]);
}

template <>
Grouped<Lines> Reader::references(PyObject* files) {
  Grouped<Lines> grouped = group_lines(columns_of(files, lent_));
  if (lower_) lower(grouped.all);
  return grouped;
}

// The kernel itself lowers ASCII. Other lines are lowered all at once: to Python a newline is
// what the end of a string is, also for the sigma that ends a word.
void Reader::lower(Lines& lines) {
  std::string others;
  for (std::string_view& line : lines.items) {
    if (is_ascii(line)) continue;
    if (line.find('\n') != line.npos) {
      // Only a text of Arrow has a newline inside.
      line = lowered(line);
    } else {
      others.append(line).push_back('\n');
    }
  }
  if (others.empty()) return;
  const Lines low = cut_lines({lowered(others)});
  auto next = low.items.begin();
  for (std::string_view& line : lines.items) {
    if (!is_ascii(line) && line.find('\n') == line.npos) line = *next++;
  }
}

std::string_view Reader::lowered(std::string_view bytes) {
  const nb::object string =
      nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), nullptr));
  if (!string.is_valid()) throw nb::python_error();
  Py_ssize_t size = 0;
  const char* const utf8 = PyUnicode_AsUTF8AndSize(lowered(string.ptr()), &size);
  if (utf8 == nullptr) throw nb::python_error();
  return {utf8, static_cast<std::size_t>(size)};
}

PyObject* Reader::lowered(PyObject* string) {
  if (!lower_name_.is_valid()) lower_name_ = nb::steal(PyUnicode_InternFromString("lower"));
  nb::object low = nb::steal(PyObject_CallMethodNoArgs(string, lower_name_.ptr()));
  if (!low.is_valid()) throw nb::python_error();
  if (!PyUnicode_Check(low.ptr())) reject("a string from str.lower()", low.ptr());
  alive_.push_back(std::move(low));
  return alive_.back().ptr();
}

template void Reader::add_references(Strings&, PyObject*);
template void Reader::add_references(Ids&, PyObject*);
template Strings Reader::hypotheses(PyObject*);
template Ids Reader::hypotheses(PyObject*);
template Grouped<Strings> Reader::references(PyObject*);
template Grouped<Ids> Reader::references(PyObject*);

}  // namespace bleuet
