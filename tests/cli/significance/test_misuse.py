"""Wrong usage ends with one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from bleuet.cli.significance import COMMAND
from tests.cli.significance.corpora import (
    FILES,
    RUN_WORDS,
    TABLES,
    Run,
    texts,
)
from tests.corpora import write_lines

WRONG: dict[str, tuple[tuple[str, ...], int, str]] = {
    "nothing": ((), 2, "no reference; expected a file"),
    "no system": (("ref.txt",), 2, "no system: files before -i are references"),
    "one system": (("ref.txt", "-i", "a.txt"), 2, "there is only a.txt: add one after -i"),
    "references behind -i": (("-i", "a.txt", "ref.txt"), 2, "-i took all 2 files"),
    "no such baseline": (
        (*FILES, "--baseline", "d.txt"),
        2,
        "there is no system d.txt; expected one of a, b, c",
    ),
    "a baseline of all pairs": (
        (*FILES, "--baseline", "b.txt", "--all-pairs"),
        2,
        "--all-pairs and --baseline exclude each other",
    ),
    "no such test": ((*FILES, "--test", "boostrap"), 2, "(did you mean bootstrap?)"),
    "no such correction": ((*FILES, "--correction", "holms"), 2, "(did you mean holm?)"),
    "alpha": ((*FILES, "--alpha", "5"), 2, "--alpha must be between 1e-12 and 1, not 5"),
    "a level in percent": (
        (*FILES, "--confidence", "95"),
        2,
        "--confidence must be between 0 and 1, not 95",
    ),
    "one draw": ((*FILES, "--draws", "1"), 2, "--draws must be 2 or more, not 1"),
    "a negative seed": ((*FILES, "--seed", "-1"), 2, "--seed must be 0 or more, not -1"),
    "runs of one alone": (
        ("ref.txt", "-i", "x=a.txt,b.txt", "c.txt"),
        2,
        "the same number of runs, but x has 2, c.txt has 1",
    ),
    "runs without a name": (("ref.txt", "-i", "a.txt,b.txt", "c.txt"), 2, "NAME=a.txt,b.txt"),
    "a run without a file": (("ref.txt", "-i", "x=a.txt,", "c.txt"), 2, "between the commas"),
    "a run twice": (("ref.txt", "-i", "x=a.txt,a.txt", "y=b.txt,c.txt"), 2, "is named twice"),
    "a missing run": (("ref.txt", "-i", "x=a.txt,e.txt", "y=b.txt,c.txt"), 1, "no file e.txt"),
    "a test of runs": (
        ("ref.txt", *RUN_WORDS, "--test", "sacrebleu-bootstrap"),
        2,
        "--test must be welch or randomization or multeval-randomization or bootstrap for several ",
    ),
    "Welch's test of single runs": (
        (*FILES, "--test", "welch"),
        2,
        "--test welch needs several runs of each system, such as NAME=RUN,RUN: add runs, or ",
    ),
    "documents of another test set": (
        (*FILES, "--documents", "short.txt"),
        1,
        "short.txt has 39 documents for 40 segments; expected the document of each segment",
    ),
    "no name": (("ref.txt", "-i", "=a.txt", "b.txt"), 2, "a system is HYP or NAME=HYP"),
    "a name twice": (("ref.txt", "-i", "x=a.txt", "x=b.txt"), 2, "two systems are named x"),
    "segments of texts": ((*FILES, "--segments", "1-3"), 2, "add --from-table"),
    "no such format": ((*FILES, "-f", "jsno"), 2, "(did you mean json"),
    "the output is the input": ((*FILES, "-o", "ref.txt"), 2, "would overwrite a file"),
    "scores of some": ((*FILES, "--scores", "COMET=a.txt,b.txt"), 2, "for 3 systems; expected one"),
    "scores that are none": (
        (*FILES, "--scores", "COMET=a.txt,b.txt,c.txt"),
        1,
        "a.txt",
    ),
    "less of what is not there": ((*FILES, "--lower-is-better", "COMET"), 2, "add --scores"),
    "a shorter file": (("ref.txt", "-i", "a.txt", "short.txt"), 1, "differ in length"),
    "an option of a metric": ((*FILES, "--ter-normalized"), 2, "no option --ter-normalized"),
    "a number of points": ((*FILES, "-w", "99"), 2, "--width must be from 0 to 17"),
}

WRONG_TABLES: dict[str, tuple[tuple[str, ...], int, str]] = {
    "references of tables": (("ref.txt", *TABLES), 2, "--from-table and REF exclude each other"),
    "no such system": ((*TABLES, "-i", "a.txt", "e.txt"), 2, "there is no system e.txt"),
    "one system of tables": ((*TABLES, "-i", "a.txt"), 2, "there is only a.txt"),
    "another tokenizer": ((*TABLES, "-m", "bleu:tokenize=intl"), 1, "changes what is counted"),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_usage(significance: Run, name: str) -> None:
    write_lines(Path("short.txt"), texts()["b"][:-1])
    check_one_line(significance, *WRONG[name])


@pytest.mark.libraries
@pytest.mark.parametrize("name", WRONG_TABLES)
def test_wrong_usage_of_tables(saved: Run, name: str) -> None:
    check_one_line(saved, *WRONG_TABLES[name])


def check_one_line(run: Run, arguments: tuple[str, ...], code: int, message: str) -> None:
    outcome = run(*arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.startswith("bleuet: error: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


def test_every_option_stands_in_the_guide() -> None:
    guide = Path(__file__).parents[3] / "docs" / "significance.md"
    text = guide.read_text(encoding="utf-8")
    names = {flag.name for flag in COMMAND.flags if flag.name.startswith("-")}
    assert {"--test", "--baseline", "--all-pairs", "--confidence", "--scores"} <= names
    assert [name for name in names if f"`{name}" not in text] == []
