"""No argument of a public function is ignored: here those of files."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

import bleuet
from bleuet import BLEU, CHRF, Corpus, SavedTable, load_tables, save_tables
from bleuet.gate import Limits, append_run, gate_systems, read_history, run_of
from bleuet.meta_evaluation import MqmWeights
from bleuet.report import Report
from bleuet.significance import Evaluation, IntervalSettings, TestSettings
from bleuet.text.m2 import read_sentences
from bleuet.text.parallel import Parallel, read_corpus, read_systems, stream_corpus
from bleuet.text.source import Source
from bleuet.text.tokenizers import find_tokenizer
from tests.contract.every_argument import Calls, Case, holds
from tests.corpora import write_lines
from tests.laws.generated import generated

S = generated(3, 12)
FIRST, CLOSE, R = S.systems["first"], S.systems["close"], S.column(0)
FILES = {"first": FIRST, "close": CLOSE, "ref": R, "src": S.sources, "other": S.column(1)}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of all cases, none of which changes them."""
    path = tmp_path_factory.mktemp("arguments")
    for name, lines in FILES.items():
        write_lines(path / f"{name}.txt", lines)
    rows = [f"{hypothesis}\t{own}" for hypothesis, own in zip(CLOSE, R, strict=True)]
    write_lines(path / "both.tsv", ["hyp\tref", *rows])
    write_lines(path / "short.txt", ["It rains."])
    for number, label in enumerate(("one", "two")):
        write_lines(
            path / f"weights{number}.tsv", ["severity\tcategory\tweight", f"Minor\t\t{number + 3}"]
        )
        append_run(f"{path}/history{number}.jsonl", run(label))
    return path


@pytest.fixture(autouse=True)
def in_a_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run cases where the files are."""
    monkeypatch.chdir(folder)


def of(name: str) -> Source:
    """The file of a system."""
    return Source(f"{name}.txt")


@cache
def run(label: str) -> Any:
    """A run of a gate."""
    evaluation = Evaluation.count([CHRF()], {"first": FIRST, "close": CLOSE}, R)
    result = gate_systems(evaluation, Limits(1.0), TestSettings(draws=120))
    saved = [SavedTable("close", CHRF(), evaluation.tables["close"][0])]
    return run_of(
        result, saved, label=label, time="2026-01-01T00:00:00Z", settings=IntervalSettings(draws=20)
    )


def appended(path: str, run: Any) -> list[Any]:
    """The runs of two files after a run is appended to one of them."""
    before = [Path(f"history{number}.jsonl").read_bytes() for number in (0, 1)]
    append_run(path, run)
    found = [read_history(f"history{number}.jsonl").runs for number in (0, 1)]
    for number, content in enumerate(before):
        Path(f"history{number}.jsonl").write_bytes(content)
    return [[own.label for own in runs] for runs in found]


def texts_of(batches: Any) -> list[Any]:
    """The texts of batches, in the order of the files."""
    with batches as opened:
        return [
            ([own.tolist() for own in texts], references.tolist()) for texts, references in opened
        ]


CALLS: Calls = {
    "read_corpus": lambda: (read_corpus, {"system": of("close"), "references": [of("ref")]}),
    "read_systems": lambda: (
        read_systems, {"systems": [of("first"), of("close")], "references": [of("ref")]}
    ),
    "stream_corpus": lambda: (
        lambda **given: [(own.hypotheses, own.references) for own in stream_corpus(**given)],
        {"system": of("close"), "references": [of("ref")]},
    ),
    "Parallel": lambda: (
        lambda **given: texts_of(Parallel(**given)),
        {"systems": [of("first"), of("close")], "references": [of("ref")]},
    ),
    "Source": lambda: (lambda **given: Source(**given).read(), {"path": "close.txt"}),
    "Source.parse": lambda: (
        lambda text, reading=None: Source.parse(text, **(reading or {})), {"text": "both.tsv:ref"}
    ),
    "read_sentences": lambda: (read_sentences, {"lines": ["S A cat sit ."], "name": "a.m2"}),
    "find_tokenizer": lambda: (
        lambda name: find_tokenizer(name).tokenize("a-b, c"), {"name": "13a"}
    ),
    "lint": lambda: (
        bleuet.lint, {"systems": {"a": FIRST, "b": CLOSE}, "references": R, "checks": ["empty"]}
    ),
    "append_run": lambda: (appended, {"path": "history0.jsonl", "run": run("three")}),
    "read_history": lambda: (read_history, {"path": "history0.jsonl"}),
    "MqmWeights.read": lambda: (MqmWeights.read, {"source": Source("weights0.tsv")}),
    "Report": lambda: (
        lambda **given: Report(**given).to_html(),
        {"comparison": bleuet.compare({"a": FIRST, "b": CLOSE}, R, ["chrf"])},
    ),
}  # fmt: skip
CASES = [
    Case("read_corpus.system", lambda: of("first"), lambda _, b: (b, Corpus(FIRST, R))),
    Case(
        "read_corpus.references",
        lambda: [of("ref"), of("other")],
        lambda _, b: (b, Corpus(CLOSE, list(zip(R, FILES["other"], strict=True)))),
    ),
    Case(
        "read_systems.systems",
        lambda: [of("src"), of("first")],
        lambda _, b: (b, [Corpus(S.sources, R), Corpus(FIRST, R)]),
    ),
    Case(
        "read_systems.references",
        lambda: [of("other")],
        lambda _, b: (b[1], Corpus(CLOSE, FILES["other"])),
    ),
    Case(
        "read_systems.source",
        lambda: of("src"),
        lambda _, b: ([own.sources for own in b], [S.sources] * 2),
    ),
    Case(
        "stream_corpus.system",
        lambda: of("first"),
        lambda _, b: ([text for texts, _ in b for text in texts], FIRST),
    ),
    Case(
        "stream_corpus.references",
        lambda: [of("other")],
        lambda _, b: ([text for _, own in b for text in own], FILES["other"]),
    ),
    Case(
        "stream_corpus.batch_size", lambda: 5, lambda _, b: ([len(one) for one, _ in b], [5, 5, 2])
    ),
    Case(
        "stream_corpus.batch_bytes",
        lambda: 40,
        lambda a, b: (
            (len(b) > 2, [text for texts, _ in b for text in texts]),
            (True, a[0][0]),
        ),
    ),
    Case(
        "Parallel.systems",
        lambda: [of("src"), of("first")],
        lambda _, b: (b[0][0], [S.sources, FIRST]),
    ),
    Case("Parallel.references", lambda: [of("other")], lambda _, b: (b[0][1], FILES["other"])),
    Case("Parallel.batch_size", lambda: 7, lambda _, b: ([len(own) for _, own in b], [7, 5])),
    Case("Parallel.batch_bytes", lambda: 40, lambda _, b: (len(b) > 2, True)),
    Case(
        "Parallel.source",
        lambda: of("src"),
        lambda _, b: ([one.source for one in b[0][1]], S.sources),
    ),
    Case("Source.path", lambda: "first.txt", lambda _, b: (b, FIRST)),
    Case(
        "Source.column",
        lambda: "hyp",
        lambda _, b: (b, CLOSE),
        lambda: {"path": "both.tsv", "column": "ref"},
    ),
    Case("Source.parse.text", lambda: "both.tsv:hyp", lambda _, b: (b, Source("both.tsv", "hyp"))),
    Case(
        "Source.parse.reading",
        lambda: {"bom": "strip", "max_segment_bytes": 99},
        lambda _, b: (b, Source("both.tsv", "ref", bom="strip", max_segment_bytes=99)),
    ),
    Case(
        "read_sentences.lines",
        lambda: ["S It rain .", "A 1 2|||R:VERB|||rains|||REQUIRED|||-NONE-|||0"],
        lambda _, b: ([one.hypothesis for one in b], ["It rains ."]),
    ),
    Case(
        "find_tokenizer.name", lambda: "char", lambda _, b: (b.split(), ["a", "-", "b", ",", "c"])
    ),
    Case(
        "lint.training",
        lambda: "ref.txt",
        lambda _, b: ({one.check for one in b.findings} - {"empty"}, {"overlap"}),
        lambda: {"checks": None, "training": "short.txt"},
    ),
    Case(
        "append_run.path",
        lambda: "history1.jsonl",
        lambda _, b: (b, [["one"], ["two", "three"]]),
    ),
    Case("append_run.run", lambda: run("four"), lambda _, b: (b[0][-1], "four")),
    Case(
        "read_history.path",
        lambda: "history1.jsonl",
        lambda _, b: ([one.label for one in b.runs], ["two"]),
    ),
    Case(
        "MqmWeights.read.source",
        lambda: Source("weights1.tsv"),
        lambda _, b: (b.of("Style", "Minor"), 4.0),
    ),
    Case(
        "Report.comparison",
        lambda: bleuet.compare({"a": FIRST, "c": CLOSE}, R, ["chrf"]),
        lambda _, b: ("<title>Comparison of a and c</title>" in b, True),
    ),
    Case("Report.title", lambda: "Two boats", lambda _, b: ("<title>Two boats" in b, True)),
    Case(
        "Report.command",
        lambda: "bleuet compare boats",
        lambda _, b: ("bleuet compare boats" in b, True),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_another_value_of_an_argument_changes_the_answer_as_it_says(case: Case) -> None:
    holds(CALLS, case)


def test_a_limit_of_bytes_holds_for_each_file() -> None:
    for name in ("close.txt", "ref.txt"):
        with pytest.raises(bleuet.InputError, match="bytes"):
            Source(name, max_segment_bytes=3).read()
    with pytest.raises(bleuet.InputError, match="bytes"):
        read_history("history0.jsonl", max_segment_bytes=30)


def test_a_table_is_read_as_lines_where_that_is_wanted() -> None:
    with pytest.raises(bleuet.InputError, match="no column was named"):
        Source("both.tsv").read()
    assert Source("both.tsv", as_lines=True).read()[1] == f"{CLOSE[0]}\t{R[0]}"


@pytest.mark.libraries
def test_saved_tables_are_read_from_the_file_that_is_named() -> None:
    a, b = (BLEU().count(own, R) for own in (FIRST, CLOSE))
    save_tables("one.parquet", [("a", BLEU(), a), SavedTable("b", BLEU(), b)], R)
    save_tables("other.parquet", [SavedTable("b", BLEU(), b)], FILES["other"])
    found, other = load_tables("one.parquet"), load_tables("other.parquet")
    assert [(one.system, one.table) for one in found] == [("a", a), ("b", b)]
    assert [one.system for one in other] == ["b"]
    assert found[0].references != other[0].references
    with pytest.raises(bleuet.MismatchError):
        Evaluation.from_saved([found[0], other[0]])
    with pytest.warns(bleuet.BleuetWarning):
        Evaluation.from_saved([found[0], other[0]], allow_mismatch=True)
