// Python's buffers of numbers, and Python's signals.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <cstddef>

namespace bleuet {

namespace nb = nanobind;

// A buffer of numbers that Python lends for reading or writing.
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
  // A buffer of any size.
  explicit Borrowed(nb::handle object, bool writable = false) {
    const int flags = PyBUF_C_CONTIGUOUS | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(object.ptr(), &view_, flags) != 0) throw nb::python_error();
    if (view_.len % static_cast<Py_ssize_t>(sizeof(Number)) != 0) {
      PyBuffer_Release(&view_);
      throw nb::value_error("a buffer does not hold whole numbers");
    }
  }
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  ~Borrowed() { PyBuffer_Release(&view_); }

  Number* data() const { return static_cast<Number*>(view_.buf); }
  std::size_t size() const { return static_cast<std::size_t>(view_.len) / sizeof(Number); }

 private:
  Py_buffer view_;
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
