// The extension module bleuet.statistics._kernel.
#include "bindings/module.hpp"

#include <stdexcept>

#include "machine/sse2.hpp"

namespace {

// A text that is too long is the input's fault, and so the package's own error.
void raise_input_error(const std::exception_ptr& failure, void*) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::length_error& error) {
    const nanobind::object kind = nanobind::module_::import_("bleuet.errors").attr("TooLongError");
    PyErr_SetString(kind.ptr(), error.what());
  }
}

// The compiler and its version, for reports of errors.
#if defined(__clang__)
constexpr const char* kCompiler = "clang " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* kCompiler = "GCC " __VERSION__;
#elif defined(_MSC_VER)
#define BLEUET_TEXT_OF(number) #number
#define BLEUET_TEXT(macro) BLEUET_TEXT_OF(macro)
constexpr const char* kCompiler = "MSVC " BLEUET_TEXT(_MSC_VER);
#else
constexpr const char* kCompiler = "another compiler";
#endif

}  // namespace

NB_MODULE(_kernel, module) {
  nanobind::register_exception_translator(raise_input_error);
  // A metric that lives until the interpreter ends keeps its counter, which is not a leak.
  nanobind::set_leak_warnings(false);
  module.attr("NATIVE") = true;
  module.attr("COMPILER") = kCompiler;
#ifdef BLEUET_SSE2
  module.attr("SSE2") = true;
#else
  module.attr("SSE2") = false;
#endif
  bleuet::bind_text(module);
  bleuet::bind_counters(module);
  bleuet::bind_scores(module);
  bleuet::bind_tables(module);
  bleuet::bind_resampling(module);
  bleuet::bind_comparison(module);
  bleuet::bind_tuning(module);
}
