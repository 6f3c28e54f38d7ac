"""What a test needs decides when it runs: each test has exactly one of these markers.

`make quick` runs the tests marked `quick`, `make test` runs all.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

TESTS = Path(__file__).parent

MARKERS = {
    "packaging": "builds and installs the package, with pip and the index",
    "browser": "opens a page in Chromium",
    "data": "reads the evaluation data",
    "peer": "compares with another program, such as sacreBLEU or NLTK",
    "slow": "starts many processes, waits for signals, measures memory, draws pictures, simulates, "
    "or tries every wrong value",
    "quick": "needs none of these",
}
BY_FIXTURE = {"chromium": "browser", "evaluation_data": "data"}
# By the beginning of a test's name: a folder, a file, or FILE::TEST.
BY_NAME = {
    "packaging/": "packaging",
    "web/test_server.py": "slow",
    "web/test_assistant_tools.py": "slow",
    "web/test_comparisons.py": "slow",
    "web/test_description.py": "slow",
    "studies/lint/test_real_systems.py": "data",
    "studies/meta_evaluation/test_judgments.py": "data",
    "studies/meta_evaluation/test_newstest2021.py": "data",
    "benchmarks/": "peer",
    "compat/": "peer",
    "examples/test_examples.py": "peer",
    "examples/test_minimum_risk.py": "peer",
    "oracles/": "peer",
    "rewards/test_released.py": "peer",
    "torch/": "peer",
    "cli/test_documentation.py::test_every_command_prints_what_the_guide_shows": "slow",
    "cli/test_interruption.py": "slow",
    "cli/significance/test_external_scores.py": "slow",
    "cli/significance/test_saved_tables.py": "slow",
    "cli/significance/test_warnings.py": "slow",
    "cli/test_segment_limit.py": "slow",
    "cli/test_output_faults.py": "slow",
    "cli/test_flag_values.py": "slow",
    "cli/test_tables.py::test_long_files_are_saved_in_portions": "slow",
    "contract/test_option_values.py": "slow",
    "contract/test_value.py::test_every_option_is_in_the_settings": "slow",
    "contract/test_wrong_types.py": "slow",
    "output/test_renderers.py::test_a_streamed_table_is_never_held_in_memory": "slow",
    "output/test_surrogates.py": "slow",
    "report/test_report.py::test_the_page_has_the_numbers_of_the_comparison": "slow",
    "studies/meta_evaluation/test_rates.py": "slow",
    "studies/meta_evaluation/test_significance.py": "slow",
    "studies/meta_evaluation/test_statistics.py::test_scores_that_differ_by_rounding_tie": "slow",
    "studies/meta_evaluation/test_statistics.py::test_undefined_values_count_as_zero": "slow",
    "studies/significance/test_paired.py::test_counted_ties_keep_alpha": "slow",
    "tablefile/test_hostile_files.py": "slow",
    "text/test_lines.py::test_more_than_a_block": "slow",
    "text/test_lines.py::test_an_archive_that_swells": "slow",
    "tablefile/test_saved_tables.py::test_no_changed_byte_yields_other_numbers": "slow",
    "tablefile/test_saved_tables.py::test_tables_of_any_length_come_back": "slow",
    "cli/test_tables.py::test_memory_does_not_grow": "slow",
    "cli/test_terminal.py": "slow",
    "cli/test_compare_report.py::test_a_page_and_pictures": "slow",
    "engines/test_counting.py::test_memory_does_not_grow": "slow",
    "report/test_charts.py": "slow",
    "report/test_report.py::test_every_chart_is_a_picture": "slow",
    "studies/meta_evaluation/test_confidence.py::test_intervals_cover": "slow",
}
# The other programs that quick tests do not import.
PEERS = {"jiwer", "nltk", "playwright", "rouge_score", "sacrebleu", "torchmetrics"}


def need_of(item: pytest.Item) -> str:
    """Return the marker of a test: by the fixtures it uses and by its name."""
    used = {need for name, need in BY_FIXTURE.items() if name in getattr(item, "fixturenames", ())}
    if item.path.is_relative_to(TESTS):
        test = f"{item.path.relative_to(TESTS).as_posix()}::{item.name}"
        used |= {need for name, need in BY_NAME.items() if test.startswith(name)}
    return next(need for need in MARKERS if need in used or need == "quick")


def is_never_quick(path: Path) -> bool:
    """Whether no test of a file or folder is quick, so that it need not be imported."""
    if not path.is_relative_to(TESTS):
        return False
    name = path.relative_to(TESTS).as_posix() + ("/" if path.is_dir() else "")
    return name in BY_NAME
