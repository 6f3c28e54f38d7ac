"""`bleuet score --confidence`: intervals beside the scores, in every format."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU, CHRF, TER
from bleuet.significance import Interval, IntervalSettings, bootstrap_interval
from bleuet.text.fingerprint import fingerprint_of, with_documents
from tests.cli.conftest import Outcome
from tests.corpora import REFERENCE, SYSTEM_A, SYSTEM_B, write_lines
from tests.output.documents import without_bold

if TYPE_CHECKING:
    from collections.abc import Callable

FILES = ("ref.txt", "-i", "a.txt", "b.txt", "-m", "bleu", "chrf", "ter")
FORMATS = ("text", "json", "jsonl", "csv", "markdown", "latex")
NUMBERS = ("score", "mean", "low", "high", "half_width")


@pytest.fixture
def score(run: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """`bleuet score`, where nobody has set a seed."""
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    return lambda *arguments: run("score", *arguments)


def intervals(**options: Any) -> list[tuple[str, Interval]]:
    """What the studies find, system after system."""
    return [
        (
            name,
            bootstrap_interval(metric, metric.count(texts, REFERENCE), IntervalSettings(**options)),
        )
        for name, texts in (("a", SYSTEM_A), ("b", SYSTEM_B))
        for metric in (BLEU(), CHRF(), TER())
    ]


# --- The numbers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [None, "0", "7"])
@pytest.mark.parametrize("in_environment", [True, False])
def test_a_line_is_sacrebleus(
    score: Callable[..., Outcome],
    run: Callable[..., Outcome],
    monkeypatch: pytest.MonkeyPatch,
    seed: str | None,
    in_environment: bool,
) -> None:
    """The compatible command is held to sacreBLEU's own tests."""
    more = [] if seed is None or in_environment else ["--seed", seed]
    if seed is not None and in_environment:
        monkeypatch.setenv("SACREBLEU_SEED", seed)
    files = ("ref.txt", "ref2.txt", "-i", "a.txt", "-m", "bleu", "ter")
    ours = score(*files, "--confidence", *more)
    if seed is not None:
        monkeypatch.setenv("SACREBLEU_SEED", seed)
    theirs = run("sacrebleu", *files, "--confidence", "-f", "text", "-w", "2")
    assert (ours.code, theirs.code) == (0, 0)
    assert f"|bs:1000|seed:{seed or 12345}|" in ours.out
    numbers = [
        [line.partition(" = ")[2] for line in out.splitlines()] for out in (ours.out, theirs.out)
    ]
    assert numbers[0] == numbers[1]
    assert all("(μ = " in line for line in numbers[0])


def test_json_has_all_of_it(score: Callable[..., Outcome]) -> None:
    plain = json.loads(score(*FILES, "-f", "json").out)
    found = json.loads(score(*FILES, "-f", "json", "--confidence").out)
    expected = intervals()
    for one, before, (system, interval) in zip(found, plain, expected, strict=True):
        assert one["system"] == system
        assert {name: one[name] for name in interval.to_dict()} == interval.to_dict()
        # Besides the interval it is what it was, and in the same order.
        assert [name for name in one if name in before] == list(before)
        assert all(one[name] == before[name] for name in before if name != "signature")
    lines = score(*FILES, "-f", "jsonl", "--confidence").out.splitlines()
    assert [json.loads(line) for line in lines] == found


def test_a_width_rounds_all_of_it(score: Callable[..., Outcome]) -> None:
    found = json.loads(score(*FILES, "-f", "json", "--confidence", "-w", "1").out)
    for one, (_, interval) in zip(found, intervals(), strict=True):
        assert [one[n] for n in NUMBERS] == [round(getattr(interval, n), 1) for n in NUMBERS]


def test_csv_has_columns_for_it(score: Callable[..., Outcome]) -> None:
    more = ("-f", "csv", "--confidence", "--draws", "50", "--seed", "3", "-w", "4")
    rows = list(csv.DictReader(io.StringIO(score(*FILES, *more).out)))
    for row, (system, interval) in zip(rows, intervals(draws=50, seed=3), strict=True):
        assert row["system"] == system
        assert row["signature"] == str(interval.signature)
        assert [row[n] for n in NUMBERS] == [f"{getattr(interval, n):.4f}" for n in NUMBERS]


@pytest.mark.parametrize(
    ("format_", "sign"), [("text", "±"), ("markdown", "±"), ("latex", r"$\pm$")]
)
def test_tables_have_half_the_width(score: Callable[..., Outcome], format_: str, sign: str) -> None:
    outcome = score(*FILES, "-f", format_, "--confidence", "--cumulative", "-q")
    assert (outcome.code, outcome.err) == (0, "")
    for _, interval in intervals():
        shown = f"{interval.score:.2f} {sign} {interval.half_width:.2f}"
        assert shown in without_bold(outcome.out)
        assert str(interval.signature) in outcome.out
    # BLEU-1 to BLEU-4 have none. A note says what the sign means.
    table, note = outcome.out.count(sign), "is half the width of the 95% confidence interval"
    assert table - (format_ != "latex") == len(intervals())
    assert note in outcome.out.replace("\\", "")


def test_another_level(score: Callable[..., Outcome]) -> None:
    for level, shown in (("0.8", "80%"), ("0.999", "99.9%")):
        found = score(*FILES, "-f", "json", "--confidence", level)
        expected = [interval.to_dict() for _, interval in intervals(confidence=float(level))]
        for one, wanted in zip(json.loads(found.out), expected, strict=True):
            assert {name: one[name] for name in wanted} == wanted
        assert f" {shown} confidence interval" in score(*FILES, "--confidence", level).out


def test_a_file_behind_confidence_is_a_reference(score: Callable[..., Outcome]) -> None:
    expected = score("ref.txt", "-i", "a.txt", "--confidence")
    assert expected.code == 0
    assert score("--confidence", "ref.txt", "-i", "a.txt") == expected


def test_numbers_alone(score: Callable[..., Outcome]) -> None:
    cells = [f"{one.score:.2f} ± {one.half_width:.2f}" for _, one in intervals()]
    expected = ["\t".join(cells[:3]), "\t".join(cells[3:])]
    assert score(*FILES, "--confidence", "-b").out.splitlines() == expected


# --- Where rows come from -------------------------------------------------------------------------


@pytest.mark.libraries
@pytest.mark.parametrize("format_", FORMATS)
def test_saved_tables_give_the_same(score: Callable[..., Outcome], format_: str) -> None:
    more = ("--confidence", "--draws", "30", "-f", format_)
    expected = score(*FILES, *more)
    assert score(*FILES, *more, "--save-table", "t.parquet") == expected
    assert score("--from-table", "t.parquet", *more) == expected


@pytest.mark.parametrize("format_", ["json", "jsonl"])
def test_intervals_of_documents_have_a_test_set_with_documents(
    score: Callable[..., Outcome], format_: str
) -> None:
    documents = ["one", "two", "two", "three"]
    write_lines(Path("docs.txt"), documents)
    plain = fingerprint_of(REFERENCE)
    for more, expected in (
        ([], plain),
        (["--documents", "docs.txt"], with_documents(plain, documents)),
    ):
        out = score(*FILES, "--confidence", "--draws", "9", "-f", format_, *more).out
        found = json.loads(out) if format_ == "json" else map(json.loads, out.splitlines())
        assert {one["test_set"] for one in found} == {expected}


@pytest.mark.libraries
def test_intervals_of_some_saved_segments(score: Callable[..., Outcome]) -> None:
    score(*FILES, "--save-table", "t.parquet")
    write_lines(Path("ref3.txt"), REFERENCE[1:])
    write_lines(Path("b3.txt"), SYSTEM_B[1:])
    expected = score("ref3.txt", "-i", "b3.txt", "-m", "ter", "--confidence")
    some = ("--segments", "2-4", "-i", "b.txt", "-m", "ter", "--confidence")
    assert score("--from-table", "t.parquet", *some) == expected
    write_lines(Path("docs.txt"), ["one", "two", "two", "three"])
    write_lines(Path("docs3.txt"), ["two", "two", "three"])
    files = ("ref3.txt", "-i", "b3.txt", "-m", "ter", "--confidence")
    documents = score(*files, "--documents", "docs3.txt")
    assert "|docs:2|" in documents.out
    found = score("--from-table", "t.parquet", *some, "--documents", "docs.txt")
    assert found.out.replace("b ", "") == documents.out.replace("b3 ", "")


def test_portions_are_put_together(score: Callable[..., Outcome]) -> None:
    write_lines(Path("ref.txt"), REFERENCE * 20_000)
    write_lines(Path("a.txt"), SYSTEM_A * 20_000)
    files = ("ref.txt", "-i", "a.txt", "-m", "ter", "-f", "json")
    plain, (found,) = (
        json.loads(score(*files, *more).out)
        for more in ([], ["--confidence", "--draws", "20", "--threads", "2"])
    )
    table = TER().count(SYSTEM_A * 20_000, REFERENCE * 20_000)
    interval = bootstrap_interval(TER(), table, IntervalSettings(draws=20))
    assert {name: found[name] for name in interval.to_dict()} == interval.to_dict()
    assert found["score"] == plain[0]["score"]


def test_a_seed_that_nobody_knows(
    score: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    first, second = (score(*FILES, "--confidence", "-f", "json").out for _ in range(2))
    assert "|bs:1000|seed:none|" in first
    assert first != second


# --- What is refused ------------------------------------------------------------------------------

WRONG = {
    "draws of nothing": (["--draws", "9"], "--draws needs --confidence: add --confidence LEVEL"),
    "a seed of nothing": (["--seed", "9"], "--seed needs --confidence: add --confidence LEVEL"),
    "documents of nothing": (
        ["--documents", "docs.txt"],
        "--documents needs --confidence or --align or --save-scores (bleuet compare --labels",
    ),
    "documents of sentences": (
        ["--documents", "docs.txt", "-s"],
        "add one of them, or remove --documents",
    ),
    "one draw": (["--confidence", "--draws", "1"], "--draws must be 2 or more, not 1"),
    "no number": (["--confidence", "--draws", "x"], "--draws must be a whole number, not 'x'"),
    "a seed below 0": (["--confidence", "--seed", "-1"], "--seed must be 0 or more, not -1"),
    "sentences": (["--confidence", "-s"], "exclude each other (an interval needs many segments)"),
    "too many": (["--confidence", "--draws", "9" * 30], "must be a whole number of 64 bits"),
    "percent": (["--confidence", "95"], "--confidence must be between 0 and 1, not 95: write 0.95"),
    "a level of all": (["--confidence=1"], "--confidence must be between 0 and 1, not 1"),
    "no level": (["--confidence=x"], "--confidence must be a number, not 'x'"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_refused(score: Callable[..., Outcome], name: str) -> None:
    arguments, says = WRONG[name]
    outcome = score(*FILES, *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert says in outcome.err
    assert outcome.err.count("\n") == 1


def test_a_seed_of_the_environment_that_is_none(
    score: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused before anything is read."""
    monkeypatch.setenv("SACREBLEU_SEED", "abc")
    outcome = score("no such file", "-i", "a.txt", "--confidence")
    assert outcome.code == 2
    assert "SACREBLEU_SEED must be a whole number or 'none', not 'abc'" in outcome.err
    assert score(*FILES).code == 0
    assert score(*FILES, "--confidence", "--seed", "1").code == 0
