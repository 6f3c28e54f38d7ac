"""Saved tables give the results of their texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.significance.corpora import (
    FILES,
    METRICS,
    TABLES,
    Run,
    found,
    references,
)
from tests.corpora import write_lines

pytestmark = pytest.mark.libraries


@pytest.mark.parametrize("format_", ["text", "json", "csv", "latex", "markdown", "jsonl", "html"])
@pytest.mark.parametrize(
    "more",
    [
        [],
        ["--all-pairs", "--test", "randomization", "--draws", "200"],
        ["-m", "bleu:smooth=floor,max_ngram_order=2", "--baseline", "c.txt"],
    ],
)
def test_saved_tables_have_the_results_of_texts(saved: Run, more: list[str], format_: str) -> None:
    metrics = [] if "-m" in more else METRICS
    expected = saved(*FILES, *metrics, *more, "-f", format_)
    assert expected.code == 0
    assert saved(*TABLES, *more, "-f", format_) == expected


def test_systems_of_tables_are_chosen_named_and_ordered(saved: Run) -> None:
    expected = saved("ref.txt", "-i", "c.txt", "old=a.txt", *METRICS)
    assert expected.code == 0
    assert saved(*TABLES, "-i", "c.txt", "old=a.txt") == expected


def test_runs_of_saved_tables(saved: Run, run: Run) -> None:
    run("score", "ref.txt", "-i", "d.txt", *METRICS, "--save-table", "d.parquet")
    runs = ("-i", "new=b.txt,c.txt", "old=a.txt,d.txt")
    expected = saved("ref.txt", *runs, *METRICS)
    assert expected.code == 0
    assert saved(*TABLES, "d.parquet", *runs) == expected
    # As systems, runs can be named without the ending of their files.
    plain = ("-i", "new=b,c.txt", "old=a.txt,d")
    assert saved(*TABLES, "d.parquet", *plain) == expected


def test_some_segments(saved: Run, run: Run) -> None:
    for name in ("ref", "a", "b", "c"):
        lines = Path(f"{name}.txt").read_text().splitlines()
        write_lines(Path(f"some-{name}.txt"), lines[4:24])
    named = [f"{name}=some-{name}.txt" for name in "abc"]
    expected = saved("some-ref.txt", "-i", *named, *METRICS, "-f", "json")
    assert saved(*TABLES, "--segments", "5-24", "-f", "json") == expected
    # The file of documents is that of all segments.
    documents = [f"document {number // 3}" for number in range(len(references()))]
    write_lines(Path("documents.txt"), documents)
    write_lines(Path("some-documents.txt"), documents[4:24])
    drawn = ("--documents", "some-documents.txt", "-q")
    expected = saved("some-ref.txt", "-i", *named, *METRICS, *drawn)
    assert expected.code == 0
    selected = ("--segments", "5-24", "--documents", "documents.txt", "-q")
    assert saved(*TABLES, *selected) == expected
    # The same segments from files that hold some of them each.
    for first, name in ((0, "first"), (12, "second")):
        for file in ("ref", "a", "b"):
            lines = Path(f"some-{file}.txt").read_text().splitlines()
            write_lines(Path(f"{file}.txt"), lines[first : first + 12])
        files = ("ref.txt", "-i", "a.txt", "b.txt")
        run("score", *files, *METRICS, "--save-table", f"{name}.parquet")
    expected = saved("some-ref.txt", "-i", *named[:2], *METRICS, "-f", "json")
    joined = ("--from-table", "first.parquet", "second.parquet", "--append")
    assert saved(*joined, "-f", "json") == expected


def test_tables_of_other_references_are_rejected(saved: Run, run: Run) -> None:
    write_lines(Path("ref.txt"), [*references()[:-1], "the boat"])
    run("score", "ref.txt", "-i", "c.txt", *METRICS, "--save-table", "c.parquet")
    outcome = saved(*TABLES)
    assert (outcome.code, outcome.out) == (1, "")
    assert "it has other references" in outcome.err


def test_systems_of_tables_are_named_as_in_output(saved: Run) -> None:
    shown = saved(*TABLES, "-f", "json", "-i", "b", "c")
    assert shown.code == 0
    assert shown == saved(*TABLES, "-f", "json", "-i", "b.txt", "c.txt")
    given = saved(*TABLES, "-f", "json", "-i", "mine=b", "c.txt")
    assert [one["system"] for one in found(given)["scores"][::3]] == ["mine", "c.txt"]
    outcome = saved(*TABLES, "-i", "b.text", "c")
    assert outcome.code == 2
    assert (
        "no system b.text in the saved tables (did you mean b.txt?); they are a.txt" in outcome.err
    )
