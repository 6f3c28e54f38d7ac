"""The benchmarks run, find equal scores, and say so when scores differ."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from benchmarks.commands import write
from benchmarks.corpora import generated
from benchmarks.targets import TARGETS, target_of
from benchmarks.timing import Comparison, Runner, Task, ratio
from benchmarks.verification import verify

if TYPE_CHECKING:
    from pathlib import Path


# They import all tools that they compare.
@pytest.fixture
def program() -> Any:
    return import_module("benchmarks.__main__")


@pytest.fixture
def tasks() -> Any:
    return import_module("benchmarks.tasks")


@pytest.mark.peers
def test_quick_run_writes_a_page_and_its_figures(
    program: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "--quick",
        "--corpus",
        "generated",
        "--rows",
        "^(corpus|sentence) BLEU(, 2 threads)?$",
    ]
    assert program.main([*arguments, "--output", str(tmp_path)]) == 0
    page = capsys.readouterr().out
    assert "| corpus BLEU, 2 threads |" in page
    assert "| corpus BLEU, 2 threads after idling |" in page
    assert "| sentence BLEU, one call each |" in page
    (values,) = [json.loads(file.read_text()) for file in tmp_path.glob("*.json")]
    assert {row["work"] for row in values["rows"]} >= {"corpus BLEU", "sentence BLEU, batch"}
    other_scores = {row["work"] for row in values["rows"] if not row["equal"]}
    assert other_scores == {"only compression, 2 threads"}
    assert all(row["rounds"] == 2 for row in values["rows"])


@pytest.mark.peers
def test_a_wrong_score_ends_the_run(
    program: Any,
    tasks: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    task = Task(1, [Runner("a", lambda: [1.0]), Runner("b", lambda: [2.0])], [])
    monkeypatch.setitem(tasks.TASKS, "wrong", lambda setup: task)
    arguments = ["--quick", "--corpus", "generated", "--rows", "^wrong$"]
    assert program.main([*arguments, "--output", str(tmp_path)]) == 1
    assert "scores differ: wrong (generated): b: 1 of 1 scores" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.peers
def test_a_pattern_without_a_row_is_wrong_usage(program: Any, tmp_path: Path) -> None:
    arguments = ["--quick", "--corpus", "generated", "--rows", "no such row"]
    assert program.main([*arguments, "--output", str(tmp_path)]) == 2


def test_other_tools_may_have_other_scores() -> None:
    runners = [Runner("a", lambda: [1.0]), Runner("b", lambda: [2.0], expected=False)]
    outcome = verify(Task(1, runners, [Comparison("work", "a", "b")]))
    assert (outcome.wrong, outcome.different) == ([], {"b"})


def test_generated_corpus_is_the_same_every_time() -> None:
    pairs = generated(200)
    assert pairs == generated(200)
    assert pairs.hypotheses != pairs.references
    assert 20 < sum(len(line.split()) for line in pairs.references) / 200 < 27


def test_sample_is_spread_over_the_corpus() -> None:
    pairs = generated(10)
    assert pairs.sample(5).references == pairs.references[::2]
    assert pairs.sample(10) is pairs


def test_samples_do_not_overwrite_each_other(tmp_path: Path) -> None:
    pairs = generated(4)
    whole, _ = write(pairs, tmp_path)
    write(pairs.sample(2), tmp_path)
    assert whole.read_text(encoding="utf-8").splitlines() == pairs.hypotheses


@pytest.mark.peers
def test_every_bar_belongs_to_a_row(tasks: Any, tmp_path: Path) -> None:
    setup = tasks.Setup(generated(5), tasks.Sizes(), tmp_path)
    rows = {one.row for make in tasks.TASKS.values() for one in make(setup).comparisons}
    assert set(TARGETS) <= rows
    assert target_of("corpus BLEU, 2 threads", "wmt") == 1.8
    assert target_of("corpus BLEU, from files", "wmt") is None


def test_ratio_pairs_neighbours() -> None:
    assert ratio([6.0, 9.0, 8.0], [2.0, 2.0, 2.0]) == (4.0, 3.0, 4.5)
