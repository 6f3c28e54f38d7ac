// The parts of the extension module. Only the files of this folder know Python.
#pragma once

#include <nanobind/nanobind.h>

namespace bleuet {

namespace nb = nanobind;

void bind_text(nb::module_& module);
void bind_counters(nb::module_& module);
void bind_scores(nb::module_& module);
void bind_tables(nb::module_& module);
void bind_resampling(nb::module_& module);
void bind_comparison(nb::module_& module);
void bind_tuning(nb::module_& module);

}  // namespace bleuet
