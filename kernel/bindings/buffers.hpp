// Python's buffers of numbers, and Python's signals.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <cstddef>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace bleuet {

namespace nb = nanobind;

// The product of sizes that Python passes. All that multiplies them does it here.
template <class... Sizes>
std::size_t product(std::size_t first, Sizes... others) {
  for (const std::size_t next : {static_cast<std::size_t>(others)...}) {
    if (next != 0 && first > std::numeric_limits<std::size_t>::max() / next) {
      throw nb::value_error("there is no memory for a table of this size");
    }
    first *= next;
  }
  return first;
}

// A size that Python passes and that no table limits, such as an order of n-grams.
inline std::size_t limited(std::size_t size, const char* what) {
  constexpr std::size_t kMost = std::size_t{1} << 20;
  if (size <= kMost) return size;
  throw nb::value_error((std::string(what) + " is at most " + std::to_string(kMost)).c_str());
}

// Whether a buffer has numbers of this type, or bytes that can be any.
template <class Number>
bool has_numbers(const Py_buffer& view) {
  const char* format = view.format == nullptr ? "B" : view.format;
  if (std::strchr("@=<", *format) != nullptr && *format != '\0') ++format;
  if (std::strlen(format) != 1) return false;
  if (view.itemsize == 1 && std::strchr("Bbc?", *format) != nullptr) return true;
  const char* const expected = std::is_floating_point_v<Number> ? "fd"
                               : std::is_signed_v<Number>       ? "bhilqn"
                                                                : "BHILQN";
  return view.itemsize == sizeof(Number) && std::strchr(expected, *format) != nullptr;
}

struct AnyNumbers {};

// A buffer of numbers that Python lends, for writing unless they are const. While it is lent, its
// owner cannot move or shorten it; other threads can still change the numbers.
template <class Number>
class Borrowed {
 public:
  Borrowed(nb::handle object, std::size_t numbers) : Borrowed(object) {
    if (size() != numbers) {
      throw nb::value_error("a column buffer does not have the size of its table");
    }
  }
  // A buffer of any size.
  explicit Borrowed(nb::handle object) {
    const int flags =
        PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (std::is_const_v<Number> ? 0 : PyBUF_WRITABLE);
    if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0) throw nb::python_error();
    if (!has_numbers<std::remove_const_t<Number>>(view_)) {
      const std::string message = "a buffer has numbers of another type, whose format is " +
                                  std::string(view_.format == nullptr ? "B" : view_.format);
      PyBuffer_Release(&view_);
      throw nb::type_error(message.c_str());
    }
    if (view_.len % static_cast<Py_ssize_t>(sizeof(Number)) != 0) {
      PyBuffer_Release(&view_);
      throw nb::value_error("a buffer does not hold whole numbers");
    }
  }
  // The bytes of a buffer of any numbers.
  Borrowed(nb::handle object, AnyNumbers) {
    static_assert(sizeof(Number) == 1);
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_C_CONTIGUOUS) != 0) throw nb::python_error();
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() { PyBuffer_Release(&view_); }

  Number* data() const { return static_cast<Number*>(view_.buf); }
  std::size_t size() const { return static_cast<std::size_t>(view_.len) / sizeof(Number); }

 private:
  Py_buffer view_;
};

// Numbers that lead to places in memory. They are checked once and read later, so they are copied,
// unless they are bytes, which never change.
template <class Number>
class Copied {
 public:
  explicit Copied(nb::handle object) : lent_(object), data_(lent_.data()) {
    if (PyBytes_CheckExact(object.ptr())) return;
    copy_.assign(data_, data_ + lent_.size());
    data_ = copy_.data();
  }
  Copied(nb::handle object, std::size_t numbers) : Copied(object) {
    if (size() != numbers) throw nb::value_error("a buffer does not have the size of its table");
  }
  Copied(const Copied&) = delete;
  Copied& operator=(const Copied&) = delete;

  const Number* data() const { return data_; }
  std::size_t size() const { return lent_.size(); }

 private:
  Borrowed<const Number> lent_;
  std::vector<Number> copy_;
  const Number* data_;
};

// Handles Ctrl-C while the kernel works without Python's lock.
inline auto signal_poll() {
  using Clock = std::chrono::steady_clock;
  return [last = Clock::now()]() mutable {
    const Clock::time_point now = Clock::now();
    if (now - last < std::chrono::milliseconds(100)) return;
    last = now;
    const nb::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  };
}

}  // namespace bleuet
