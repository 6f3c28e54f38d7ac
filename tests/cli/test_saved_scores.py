"""`--save-scores`: a file with a row for each segment and system, and a column for each metric."""

from __future__ import annotations

import csv
import json
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import pytest

import bleuet
from bleuet import BLEU, CHRF, TER
from bleuet.evaluation.saved_scores import SavedScores
from bleuet.text.fingerprint import fingerprint_of
from tests.cli.conftest import Outcome
from tests.corpora import REFERENCE, SYSTEM_A, SYSTEM_B

if TYPE_CHECKING:
    from collections.abc import Callable

Run: TypeAlias = "Callable[..., Outcome]"
FILES = ("score", "ref.txt", "-i", "a.txt", "b.txt", "-q", "-m", "bleu", "chrf", "ter")


def metrics() -> tuple[BLEU, CHRF, TER]:
    return BLEU(effective_order=True), CHRF(), TER()


def expected() -> list[tuple[object, ...]]:
    """The rows, as the metrics score each segment."""
    return [
        (name, number, *(metric.sentence_score(text, reference).score for metric in metrics()))
        for name, texts in (("a", SYSTEM_A), ("b", SYSTEM_B))
        for number, (text, reference) in enumerate(zip(texts, REFERENCE, strict=True), 1)
    ]


def test_csv(run: Run) -> None:
    assert run(*FILES, "--save-scores", "s.csv") == run(*FILES)
    with open("s.csv", encoding="utf-8", newline="") as file:
        heading, *rows = csv.reader(file)
    assert heading == ["system", "segment", "bleu", "chrf", "ter", "test_set"]
    assert rows == [[*map(str, row), fingerprint_of(REFERENCE)] for row in expected()]


def test_json_lines(run: Run) -> None:
    assert run(*FILES, "--save-scores", "s.jsonl").code == 0
    rows = [json.loads(line) for line in Path("s.jsonl").read_text().splitlines()]
    names = ["system", "segment", "bleu", "chrf", "ter", "test_set"]
    found = fingerprint_of(REFERENCE)
    assert rows == [dict(zip(names, (*row, found), strict=True)) for row in expected()]


@pytest.mark.libraries
def test_parquet(run: Run) -> None:
    assert run(*FILES, "--save-scores", "s.parquet").code == 0
    table = import_module("pyarrow.parquet").read_table("s.parquet")
    found = fingerprint_of(REFERENCE)
    assert [tuple(row.values()) for row in table.to_pylist()] == [
        (*row, found) for row in expected()
    ]
    kinds = ["string", "int64", *["double"] * 3, "string"]
    assert [str(kind) for kind in table.schema.types] == kinds
    signatures = json.loads(table.schema.metadata[b"bleuet_signatures"])
    assert signatures["bleu"] == str(metrics()[0].signature())
    assert run(*FILES, "--align", "char", "--save-scores", "cut.parquet").code == 0
    cut = import_module("pyarrow.parquet").read_schema("cut.parquet")
    for signature in json.loads(cut.metadata[b"bleuet_signatures"]).values():
        assert "|align:char-lc|" in signature


@pytest.mark.libraries
def test_python_writes_the_same_columns(run: Run) -> None:
    read = import_module("pyarrow.parquet").read_table
    assert run(*FILES, "--save-scores", "s.parquet").code == 0
    scores = bleuet.score({"a": SYSTEM_A, "b": SYSTEM_B}, REFERENCE, ["bleu", "chrf", "ter"])
    scores.to_parquet("p.parquet")
    assert read("p.parquet").to_pydict() == read("s.parquet").to_pydict()


def test_documents_have_a_column(run: Run) -> None:
    names = [f"d{number // 2}" for number in range(len(REFERENCE))]
    Path("documents.txt").write_text("".join(f"{name}\n" for name in names))
    outcome = run(*FILES, "--save-scores", "s.csv", "--documents", "documents.txt")
    assert (outcome.code, outcome.err) == (0, "")
    with open("s.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0])[:3] == ["system", "segment", "document"]
    assert [row["document"] for row in rows] == names * 2
    Path("documents.txt").write_text("one\n")
    short = run(*FILES, "--save-scores", "t.csv", "--documents", "documents.txt")
    assert (short.code, short.out) == (1, "")
    assert "has 1 documents for" in short.err
    assert not Path("t.csv").exists()


@pytest.mark.parametrize(
    "more", [("-s",), ("-s", "-f", "jsonl"), ("--confidence", "--draws", "20"), ("-b",)]
)
def test_the_answer_stays_as_it_is(run: Run, more: tuple[str, ...]) -> None:
    assert run(*FILES, *more, "--save-scores", "s.csv") == run(*FILES, *more)
    assert len(Path("s.csv").read_text().splitlines()) == 1 + len(expected())


def test_an_option_of_the_metric_stays(run: Run) -> None:
    run("score", "ref.txt", "-i", "a.txt", "--save-scores", "s.csv", "--no-effective-order", "-q")
    with open("s.csv", encoding="utf-8", newline="") as file:
        found = [row["bleu"] for row in csv.DictReader(file)]
    metric = BLEU(effective_order=False)
    assert found == [
        str(metric.sentence_score(*pair).score) for pair in zip(SYSTEM_A, REFERENCE, strict=True)
    ]


def test_systems_come_one_after_the_other_however_many_batches(tmp_path: Path) -> None:
    from bleuet.engines.counting import count_batches
    from bleuet.engines.spooling import SpooledRows
    from bleuet.text.segments import TEXT, Segments

    batches = [
        ([Segments(TEXT, ["a"]), Segments(TEXT, ["b"])], Segments(TEXT, ["a"])) for _ in range(3)
    ]
    rows = SpooledRows(count_batches([TER()], batches))
    SavedScores(["one", "two"], {"TER": TER()}, rows, test_set="x").save(str(tmp_path / "s.csv"))
    assert (tmp_path / "s.csv").read_text().splitlines() == [
        "system,segment,TER,test_set",
        *(f"one,{number},0.0,x" for number in (1, 2, 3)),
        *(f"two,{number},100.0,x" for number in (1, 2, 3)),
    ]
    # Each batch has the documents of its own segments.
    saved = SavedScores(["one", "two"], {"TER": TER()}, rows, ["d", "e", "e"])
    saved.save(str(tmp_path / "d.csv"))
    found = [line.split(",")[:3] for line in (tmp_path / "d.csv").read_text().splitlines()[1:]]
    assert found == [
        [system, str(number), document]
        for system in ("one", "two")
        for number, document in enumerate("dee", 1)
    ]
