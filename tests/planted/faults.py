"""The lists of planted faults, and the tests that are selected for the file of each.

`python -m tests.planted.faults src/bleuet/gate/history.py` prints the tests that hold a file, for
`make test-of`.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
GROUPS = tuple(sorted(path.stem for path in HERE.glob("*.toml")))
ROOT = HERE.parents[1]


class Fault(NamedTuple):
    """A bug that is put into a copy of the product to see which test finds it."""

    group: str
    name: str
    file: str
    # Text that occurs once in the file, or once in the function or class, and what takes its place.
    was: str
    now: str
    # "hand", or "mutation" where a program drew it.
    by: str
    # The function, class or constant of Python that it is in, such as "History.read".
    within: str = ""

    @property
    def in_kernel(self) -> bool:
        """Whether the kernel is built to try the fault."""
        return self.file.startswith("kernel/")

    def planted_in(self, text: str) -> str:
        """Return the text of the file with the fault."""
        for place in definitions(text).get(self.within, []) if self.within else [text]:
            if place.count(self.was) == 1 and text.count(place) == 1:
                return text.replace(place, place.replace(self.was, self.now))
        where = self.within or self.file
        raise ValueError(f"{self.name}: the text to change must occur once in {where}")


class Selection(NamedTuple):
    """The tests for the files below a place, as paths from the root of the checkout.

    Those that find most faults run first. A path that a checkout does not have is left out.
    """

    first: tuple[str, ...]
    then: tuple[str, ...]


@cache
def definitions(source: str) -> dict[str, list[str]]:
    """Return the text of each function, class and constant of a file, by its qualified name."""
    lines = source.splitlines(keepends=True)
    texts: dict[str, list[str]] = {}

    def visit(parent: ast.AST, qualifier: str) -> None:
        for node in ast.iter_child_nodes(parent):
            names = []
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names = [node.name]
            elif not isinstance(parent, ast.FunctionDef | ast.AsyncFunctionDef):
                targets: list[ast.expr] = []
                if isinstance(node, ast.Assign):
                    targets = node.targets
                elif isinstance(node, ast.AnnAssign):
                    targets = [node.target]
                names = [target.id for target in targets if isinstance(target, ast.Name)]
            for name in names:
                assert isinstance(node, ast.stmt)
                decorators = getattr(node, "decorator_list", [])
                first = min([node.lineno, *(decorator.lineno for decorator in decorators)])
                text = "".join(lines[first - 1 : node.end_lineno])
                texts.setdefault(f"{qualifier}{name}", []).append(text)
            visit(node, f"{qualifier}{names[0]}." if names else qualifier)

    visit(ast.parse(source), "")
    return texts


@cache
def _sources() -> dict[str, str]:
    paths = sorted((ROOT / "src/bleuet").rglob("*.py"))
    return {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def _file_of(name: str, within: str, was: str) -> str:
    """Return the only file that has the text once in a definition of this name."""
    files = [
        file
        for file, source in _sources().items()
        if was in source and within.rpartition(".")[2] in source
        for text in definitions(source).get(within, [])
        if text.count(was) == 1
    ]
    if len(files) != 1:
        places = ", ".join(files) or "no file"
        raise ValueError(f"{name}: the text to change must occur once in {within}: {places}")
    return files[0]


def read_faults(group: str) -> list[Fault]:
    """Return the faults of one list.

    A fault in Python names the function, class or constant that it is in, so that it stays there
    when code moves, and the file only where another one has the same text.
    """
    return read_list(HERE / f"{group}.toml")


def read_list(path: Path) -> list[Fault]:
    """Return the faults of a file, whose name is their group."""
    with path.open("rb") as file:
        entries = tomllib.load(file)["fault"]
    for entry in entries:
        if "file" not in entry:
            entry["file"] = _file_of(entry["name"], entry["within"], entry["was"])
    return [Fault(path.stem, **entry) for entry in entries]


@cache
def all_faults() -> list[Fault]:
    """Return the faults of all lists."""
    return [fault for group in GROUPS for fault in read_faults(group)]


def selection_for(file: str) -> Selection:
    """Return the tests for a file: those of the longest beginning of its path."""
    return SELECTIONS[max((place for place in SELECTIONS if file.startswith(place)), key=len)]


def paths_of_tests(file: str) -> list[str]:
    """Return the tests that hold a file best: those that mirror it, and the first of its place."""
    place = Path(file).relative_to("src/bleuet") if file.startswith("src/bleuet/") else Path(file)
    mirrored = Path("tests", place).with_name(f"test_{place.stem}.py")
    found = [str(mirrored)] if (ROOT / mirrored).exists() else []
    return list(dict.fromkeys((*found, *selection_for(file).first)))


# The examples of docstrings and guides.
EXAMPLES = ("tests/test_public_names.py", "README.md", "docs")
COUNTING = (
    *("tests/contract", "tests/statistics", "tests/metrics", "tests/oracles", "tests/engines"),
    *("tests/compat", *EXAMPLES),
)
ARGUMENTS = tuple(
    f"tests/contract/test_every_argument{part}.py"
    for part in ("", "_of_files", "_of_scores", "_of_studies")
)
PRINTING = (*ARGUMENTS, "tests/cli", "tests/test_readme.py", "tests/test_messages.py", *EXAMPLES)
TOKENS = ("tests/text/tokenizers", "tests/contract/test_backends.py")
RESAMPLING = ("tests/statistics/test_resampling.py", "tests/significance")
AROUND_THE_PAGE = ("tests/web", "tests/report", *PRINTING)
OPTIONS = Selection(
    ("tests/metrics/test_options.py", "tests/metrics/test_parse_metric.py"),
    ("tests/metrics", "tests/contract", *PRINTING),
)
COLUMNS = Selection(("tests/test_column_functions.py",), EXAMPLES)
COMPARISON = ("tests/comparison", "tests/statistics/test_compared_words.py")

SELECTIONS = {
    "kernel/": Selection(("tests/contract/test_backends.py",), (*COUNTING, "tests/text")),
    "kernel/bindings/comparison": Selection(COMPARISON, (*COUNTING, "tests/cli/test_compare.py")),
    "kernel/bindings/resampling": Selection(RESAMPLING, COUNTING),
    "kernel/edits/long_jumps": Selection(RESAMPLING, COUNTING),
    "kernel/edits/segment_cuts": Selection(
        ("tests/statistics/test_segment_cuts.py", "tests/test_resegmentation.py"),
        ("tests/cli/test_align.py", *COUNTING),
    ),
    "kernel/edits/shifts": Selection(("tests/metrics/test_ter_definition.py",), COUNTING),
    "kernel/edits/ter": Selection(("tests/metrics/test_ter_definition.py",), COUNTING),
    "kernel/ngrams/bleu_pairs": Selection(("tests/contract/test_matrix.py",), COUNTING),
    "kernel/ngrams/bleu_scorer": Selection(("tests/metrics/test_smoothing.py",), COUNTING),
    "kernel/ngrams/char_masks": Selection(("tests/metrics/test_chrf_definition.py",), COUNTING),
    "kernel/ngrams/chrf": Selection(("tests/metrics/test_chrf_definition.py",), COUNTING),
    "kernel/ngrams/mean_ngrams": Selection(("tests/statistics/test_mean_ngrams.py",), COUNTING),
    "kernel/ngrams/ngram_groups": Selection(COMPARISON, COUNTING),
    "kernel/ngrams/self_rows": Selection(("tests/metrics/test_self_bleu.py",), COUNTING),
    "kernel/ngrams/smoothing": Selection(("tests/metrics/test_smoothing.py",), COUNTING),
    "kernel/ngrams/word_matches": Selection(COMPARISON, COUNTING),
    "kernel/resampling/": Selection(RESAMPLING, (*COUNTING, "tests/cli/significance")),
    "kernel/text/lines": Selection(("tests/contract/test_lines.py",), (*COUNTING, "tests/text")),
    "kernel/text/packed_texts": Selection(COMPARISON, COUNTING),
    "kernel/text/tercom_tokenizer": Selection(("tests/metrics/test_ter_definition.py",), COUNTING),
    "kernel/text/token": Selection(TOKENS, (*COUNTING, "tests/text")),
    "kernel/text/vocabulary": Selection(COMPARISON, COUNTING),
    "src/bleuet/": Selection(("tests/test_messages.py",), (*COUNTING, *PRINTING)),
    "src/bleuet/adapters/": Selection(("tests/adapters",), ("tests/torch", *EXAMPLES)),
    "src/bleuet/argument_types": Selection(
        ("tests/metrics/test_misuse.py", "tests/test_frozen.py"), (*COUNTING, *PRINTING)
    ),
    "src/bleuet/cli/": Selection(
        ("tests/cli/test_command_line.py", "tests/cli/test_flag_values.py"), PRINTING
    ),
    "src/bleuet/column_functions": COLUMNS,
    "src/bleuet/compat/": Selection(("tests/compat",), COUNTING),
    "src/bleuet/duckdb": COLUMNS,
    "src/bleuet/engines/": Selection(("tests/engines",), COUNTING),
    "src/bleuet/extras": Selection(("tests/test_extras.py",), PRINTING),
    "src/bleuet/frozen": Selection(("tests/test_frozen.py",), COUNTING),
    "src/bleuet/metrics/neural/": Selection(("tests/metrics/neural",), PRINTING),
    "src/bleuet/polars": COLUMNS,
    "src/bleuet/rewards/": Selection(("tests/rewards",), ("tests/web", *PRINTING)),
    "src/bleuet/shards/": Selection(("tests/shards",), PRINTING),
    "src/bleuet/study_settings": Selection(
        ("tests/test_study_settings.py",), ("tests/significance", *PRINTING)
    ),
    "src/bleuet/tablefile/": Selection(
        ("tests/tablefile",), ("tests/cli/test_saved_scores.py", "tests/evaluation", *PRINTING)
    ),
    "src/bleuet/torch/": Selection(("tests/torch",), EXAMPLES),
    "src/bleuet/cli/align": Selection(("tests/cli/test_align.py",), PRINTING),
    "src/bleuet/cli/compare": Selection(("tests/cli/test_compare.py",), PRINTING),
    "src/bleuet/cli/completion": Selection(("tests/cli/test_completion.py",), PRINTING),
    "src/bleuet/evaluation/names": Selection(("tests/cli/test_display_names.py",), PRINTING),
    "src/bleuet/cli/diversity": Selection(("tests/cli/test_diversity.py",), PRINTING),
    "src/bleuet/cli/explain": Selection(("tests/cli/test_explain.py",), PRINTING),
    "src/bleuet/cli/external": Selection(("tests/cli/test_external_scores.py",), PRINTING),
    "src/bleuet/cli/gate": Selection(("tests/cli/test_gate.py",), PRINTING),
    "src/bleuet/cli/history": Selection(("tests/cli/test_history.py",), PRINTING),
    "src/bleuet/cli/lint": Selection(("tests/cli/test_lint.py",), PRINTING),
    "src/bleuet/cli/matrix": Selection(("tests/cli/test_mbr.py",), PRINTING),
    "src/bleuet/cli/mbr": Selection(("tests/cli/test_mbr.py",), PRINTING),
    "src/bleuet/cli/meta": Selection(("tests/cli/test_meta.py",), PRINTING),
    "src/bleuet/cli/metric": Selection(("tests/cli/test_lists.py",), PRINTING),
    "src/bleuet/cli/score": Selection(("tests/cli/test_score.py",), PRINTING),
    "src/bleuet/cli/serve": Selection(("tests/web/test_server.py",), PRINTING),
    "src/bleuet/cli/significance": Selection(("tests/cli/significance",), PRINTING),
    "src/bleuet/cli/tune": Selection(("tests/cli/test_tune.py",), PRINTING),
    "src/bleuet/metrics/": Selection(
        ("tests/metrics", "tests/contract/test_backends.py"),
        (*COUNTING, "tests/test_explanation.py", "tests/cli/test_explain.py"),
    ),
    "src/bleuet/metrics/base/matrix": Selection(("tests/contract/test_matrix.py",), COUNTING),
    "src/bleuet/metrics/catalogue": OPTIONS,
    "src/bleuet/metrics/base/declared": OPTIONS,
    "src/bleuet/metrics/base/derivation": Selection(
        ("tests/contract/test_derivations.py",), COUNTING
    ),
    "src/bleuet/metrics/base/option": OPTIONS,
    "src/bleuet/metrics/base/signature": Selection(
        ("tests/metrics/test_signatures.py",), ("tests/metrics", "tests/contract", *PRINTING)
    ),
    "src/bleuet/output/": Selection(
        ("tests/output",),
        ("tests/cli/test_formats.py", "tests/cli/test_every_format.py", *PRINTING),
    ),
    "src/bleuet/output/destination": Selection(
        ("tests/output/test_destination.py",),
        ("tests/output", "tests/cli/test_output_faults.py", "tests/tablefile", *PRINTING),
    ),
    "src/bleuet/report/": Selection(
        ("tests/report",), ("tests/cli/test_compare_report.py", "tests/web", *PRINTING)
    ),
    "src/bleuet/statistics/": Selection(
        ("tests/statistics", "tests/contract/test_addition.py"),
        (*COUNTING, "tests/significance"),
    ),
    "src/bleuet/statistics/definitions/": Selection(
        ("tests/contract/test_backends.py", "tests/statistics"), COUNTING
    ),
    "src/bleuet/statistics/definitions/draws": Selection(RESAMPLING, COUNTING),
    "src/bleuet/statistics/definitions/compared_words": Selection(COMPARISON, COUNTING),
    "src/bleuet/statistics/resampling": Selection(
        RESAMPLING, ("tests/comparison", "tests/cli/significance", *COUNTING)
    ),
    "src/bleuet/evaluation/": Selection(
        ("tests/evaluation",), ("tests/significance", "tests/comparison", *PRINTING)
    ),
    "src/bleuet/comparison/": Selection(
        COMPARISON, ("tests/cli/test_compare.py", "tests/report", "tests/web", *PRINTING)
    ),
    "src/bleuet/explanation": Selection(
        ("tests/test_explanation.py",), ("tests/cli/test_explain.py", *PRINTING)
    ),
    "src/bleuet/evaluation/external": Selection(
        ("tests/evaluation/test_external_scores.py", "tests/cli/test_external_scores.py"),
        ("tests/significance", *PRINTING),
    ),
    "src/bleuet/gate/": Selection(
        ("tests/test_gate.py", "tests/test_gate_history.py"),
        ("tests/cli/test_gate.py", "tests/cli/test_history.py", *PRINTING),
    ),
    "src/bleuet/linting/": Selection(("tests/linting",), ("tests/cli/test_lint.py", *PRINTING)),
    "src/bleuet/minimum_bayes_risk/": Selection(
        ("tests/minimum_bayes_risk",), ("tests/oracles", "tests/cli/test_mbr.py", *PRINTING)
    ),
    "src/bleuet/meta_evaluation/": Selection(
        ("tests/meta_evaluation",), ("tests/cli/test_meta.py", *PRINTING)
    ),
    "src/bleuet/evaluation/pair_scores": Selection(
        ("tests/contract/test_matrix.py",), ("tests/minimum_bayes_risk", *PRINTING)
    ),
    "src/bleuet/resegmentation": Selection(
        ("tests/test_resegmentation.py",), ("tests/cli/test_align.py", *PRINTING)
    ),
    "src/bleuet/evaluation/score_tables": Selection(
        ("tests/cli/test_tables.py", "tests/significance"), ("tests/evaluation", *PRINTING)
    ),
    "src/bleuet/evaluation/sentence_scores": Selection(
        ("tests/cli/test_score.py",), ("tests/evaluation", *PRINTING)
    ),
    "src/bleuet/significance/": Selection(
        ("tests/significance",),
        ("tests/cli/significance", "tests/comparison", "tests/cli/test_confidence.py", *PRINTING),
    ),
    "src/bleuet/tuning/": Selection(("tests/tuning",), ("tests/cli/test_tune.py", *PRINTING)),
    "src/bleuet/text/": Selection(
        ("tests/text",),
        ("tests/contract/test_lines.py", "tests/engines", "tests/statistics", *PRINTING),
    ),
    "src/bleuet/text/meteor": Selection(("tests/contract/test_backends.py",), COUNTING),
    "src/bleuet/text/porter": Selection(("tests/contract/test_backends.py",), COUNTING),
    "src/bleuet/text/stemmers/": Selection(("tests/oracles/test_stemmers.py",), COUNTING),
    "src/bleuet/text/tokenizers/": Selection(TOKENS, ("tests/text", *COUNTING)),
    "src/bleuet/text/unspaced": Selection(TOKENS, COUNTING),
    "src/bleuet/text/wordnet": Selection(("tests/contract/test_backends.py",), COUNTING),
    "src/bleuet/web/": Selection(("tests/web",), AROUND_THE_PAGE),
    "src/bleuet/web/answering": Selection(
        ("tests/web/test_server.py", "tests/web/test_operations.py"), AROUND_THE_PAGE
    ),
    "src/bleuet/web/calculation": Selection(("tests/web/test_operations.py",), AROUND_THE_PAGE),
    "src/bleuet/web/comparisons": Selection(("tests/web/test_comparisons.py",), AROUND_THE_PAGE),
    "src/bleuet/web/guard": Selection(
        ("tests/web/test_server.py", "tests/web/test_connections.py"), AROUND_THE_PAGE
    ),
    "src/bleuet/web/operations": Selection(("tests/web/test_operations.py",), AROUND_THE_PAGE),
    "src/bleuet/web/sentence_texts": Selection(("tests/web/test_segments.py",), AROUND_THE_PAGE),
    "src/bleuet/web/server": Selection(("tests/web/test_server.py",), AROUND_THE_PAGE),
    "src/bleuet/web/workers": Selection(("tests/web/test_workers.py",), AROUND_THE_PAGE),
}


if __name__ == "__main__":
    print(*paths_of_tests(sys.argv[1]))
