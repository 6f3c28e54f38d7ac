// The extension module bleuet.statistics._kernel.
#include "bindings.hpp"

NB_MODULE(_kernel, module) {
  // A metric that lives until the interpreter ends keeps its counter, which is not a leak.
  nanobind::set_leak_warnings(false);
  module.attr("NATIVE") = true;
  bleuet::bind_text(module);
  bleuet::bind_counters(module);
  bleuet::bind_scores(module);
  bleuet::bind_tables(module);
  bleuet::bind_resampling(module);
  bleuet::bind_comparison(module);
  bleuet::bind_tuning(module);
}
