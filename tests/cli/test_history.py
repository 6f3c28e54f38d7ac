"""`bleuet gate --history` and `bleuet history`: the scores of a gate over time."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bleuet import TER
from bleuet.cli.history import COMMAND
from bleuet.gate import append_run, read_history
from bleuet.significance import bootstrap_interval
from tests.cli.conftest import Outcome, command, environment, run_apart
from tests.corpora import REFERENCE, SYSTEM_A, SYSTEM_B, write_lines
from tests.evaluation_data import REPOSITORY
from tests.gate_runs import five_runs, lines_of, with_breaks
from tests.report.specifications import values_in

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Run: TypeAlias = Callable[..., Outcome]

GATE = ("ref.txt", "--baseline", "old=a.txt", "-i", "new=b.txt", "-m", "bleu", "ter", "-q")
COMMIT = "c" * 40


@pytest.fixture
def gate(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The gate, quiet, outside continuous integration."""
    for name in ("GITHUB_SHA", "CI_COMMIT_SHA"):
        monkeypatch.delenv(name, raising=False)
    for name, lines in (("ref.txt", REFERENCE), ("a.txt", SYSTEM_A), ("b.txt", SYSTEM_B)):
        write_lines(Path(name), lines * 10)
    return lambda *words: run("gate", *GATE, *words)


@pytest.fixture
def history(run: Run) -> Run:
    """The command, with a history of five runs."""
    write_lines(Path("history.jsonl"), lines_of(five_runs()))
    return lambda *words: run("history", "history.jsonl", *words)


# --- The gate writes ------------------------------------------------------------------------------


def test_the_gate_appends_its_runs_whatever_the_verdict(gate: Run, run: Run) -> None:
    plain = gate("--changes", "20")
    for number in (1, 2):
        outcome = gate("--history", "h.jsonl", "--label", f"change {number}")
        assert (outcome.code, outcome.out, outcome.err) == (3, plain.out, "")
    runs = read_history("h.jsonl").runs
    assert [run.label for run in runs] == ["change 1", "change 2"]
    assert [(run.system, run.passed, run.segments) for run in runs] == [("new", False, 40)] * 2
    shown = run("history", "h.jsonl")
    assert shown.code == 0
    assert shown.out.count("worse   fails") == 4


def test_the_intervals_are_those_of_score(gate: Run, run: Run) -> None:
    gate("--history", "h.jsonl", "--seed", "7")
    scored = run("score", "ref.txt", "-i", "b.txt", "-m", "bleu", "ter", "--confidence",
                 "--seed", "7", "-f", "json", "-q")  # fmt: skip
    expected = [(one["score"], one["low"], one["high"]) for one in json.loads(scored.out)]
    (found,) = read_history("h.jsonl").runs
    assert [(one.score, one.low, one.high) for one in found.scores] == expected


def test_the_label_is_the_commit_or_the_time(gate: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    gate("--history", "h.jsonl")
    monkeypatch.setenv("CI_COMMIT_SHA", COMMIT)
    gate("--history", "h.jsonl")
    gate("--history", "h.jsonl", "--label", "mine")
    first, *others = read_history("h.jsonl").runs
    assert first.label == first.time[:16].replace("T", " ")
    assert [run.label for run in others] == [COMMIT, "mine"]


def test_a_first_run_and_scores_as_a_baseline_are_runs_too(gate: Run, run: Run) -> None:
    words = ("ref.txt", "-i", "a.txt", "--history", "h.jsonl", "-q", "--label")
    stored = ("--baseline", "main.json", "--max-drop", "1")
    assert run("gate", *words, "first", *stored, "--init").code == 0
    assert run("gate", *words, "second", *stored).code == 0
    assert run("gate", *words, "third", "--min", "bleu=99").code == 3
    runs = read_history("h.jsonl").runs
    drops = [[one.drop for one in run.scores[0].comparisons] for run in runs]
    assert drops == [[], [0.0], []]
    assert [run.passed for run in runs] == [True, True, False]
    # Without the baseline and the test, they are the same scores of one test set.
    assert read_history("h.jsonl").breaks == []


def test_whole_documents_are_drawn(gate: Run) -> None:
    write_lines(Path("documents.txt"), [f"d{number // 4}" for number in range(40)])
    gate("--history", "h.jsonl", "--documents", "documents.txt")
    gate("--history", "h.jsonl")
    one, other = read_history("h.jsonl").runs
    assert (one.documents, other.documents) == (10, None)
    assert one.scores[0].low != other.scores[0].low


DRAWN = {
    "a baseline of texts": ("--baseline", "a.txt"),
    "a baseline of scores": ("--baseline", "scores.json", "--max-drop", "99"),
    "the best run": ("--baseline", "best", "--max-drop", "99"),
    "no baseline": ("--min", "bleu=0"),
    "a first run": ("--baseline", "first.json", "--init", "--max-drop", "99"),
    "a first run of a history": ("--baseline", "best", "--init", "--max-drop", "99"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_whole_documents_are_drawn_whatever_the_baseline_is(name: str, gate: Run, run: Run) -> None:
    documents = [f"d{number // 4}" for number in range(40)]
    write_lines(Path("documents.txt"), documents)
    write_lines(Path("fewer.txt"), documents[:-1])
    run("score", "ref.txt", "-i", "a.txt", "-m", "bleu", "ter", "-f", "json", "-o", "scores.json")
    if name == "the best run":
        gate("--history", "h.jsonl", "--fail-on", "drop", "--max-drop", "99")
    words = ("gate", "ref.txt", "-i", "b.txt", "-m", "bleu", "ter", "-q", "--history", "h.jsonl")
    failed = run(*words, *DRAWN[name], "--documents", "fewer.txt")
    assert failed.code == 1
    assert "fewer.txt has 39 documents for 40 segments" in failed.err
    assert not Path("first.json").exists()
    run(*words, *DRAWN[name], "--documents", "documents.txt")
    table = TER().count(SYSTEM_B * 10, REFERENCE * 10)
    drawn = bootstrap_interval(TER(), table, documents=documents)
    found = read_history("h.jsonl").runs[-1]
    assert (found.documents, found.scores[1].low) == (10, drawn.low)


def test_another_test_set_or_tokenizer_is_a_break(gate: Run, run: Run) -> None:
    for reference, metric in (("ref", "bleu"), ("other", "bleu"), ("other", "bleu:tokenize=intl")):
        write_lines(Path("other.txt"), [*REFERENCE * 9, *reversed(REFERENCE)])
        words = ("--baseline", "a.txt", "-i", "b.txt", "-m", metric, "-q", "--history", "h.jsonl")
        run("gate", f"{reference}.txt", *words, "--label", f"{reference} {metric}")
    shown = run("history", "h.jsonl").out
    assert "BLEU: other bleu has another test set (40 segments), so scores" in shown
    assert "tok:intl (before tok:13a), so scores" in shown
    assert [one.step for one in read_history("h.jsonl").breaks] == [2, 3]


@pytest.mark.slow
def test_gates_that_run_at_once_lose_no_run(gate: Run) -> None:
    running = [
        subprocess.Popen(
            command("gate", *GATE, "--history", "h.jsonl", "--label", str(number)),
            env=environment(),
            stdout=subprocess.DEVNULL,
        )
        for number in range(4)
    ]
    assert [one.wait() for one in running] == [3] * 4
    assert {run.label for run in read_history("h.jsonl").runs} == set("0123")


def test_a_damaged_history_is_found_before_anything_is_counted(gate: Run) -> None:
    append_run("h.jsonl", five_runs()[0])
    with open("h.jsonl", "a") as file:
        file.write("{\n")
    before = Path("h.jsonl").read_bytes()
    outcome = gate("--history", "h.jsonl", "--summary", "summary.md")
    assert (outcome.code, outcome.out) == (1, "")
    assert "h.jsonl:2 is not a run of a gate" in outcome.err
    assert Path("h.jsonl").read_bytes() == before
    assert not os.path.exists("summary.md")


@pytest.mark.slow
@pytest.mark.parametrize("runs", [0, 5])
def test_a_history_on_a_full_disk_stays_as_it_was(gate: Run, runs: int) -> None:
    if runs:
        write_lines(Path("h.jsonl"), lines_of(five_runs()))
    before = sorted((one.name, one.read_bytes()) for one in Path().glob("*.jsonl"))
    names = set(os.listdir())
    words = command("gate", *GATE, "--history", "h.jsonl")
    done = subprocess.run(
        ["bash", "-c", f"ulimit -f {runs}; exec {shlex.join(words)}"],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "h.jsonl cannot be written (File too large): make room" in done.stderr
    assert sorted((one.name, one.read_bytes()) for one in Path().glob("*.jsonl")) == before
    assert set(os.listdir()) == names


WRONG_GATES: dict[str, tuple[tuple[str, ...], int, str]] = {
    "a label of no history": (("--label", "a"), 2, "--label needs --history"),
    "standard output": (("--history", "-"), 2, "--history needs a file"),
    "a folder": (("--history", "."), 1, "is a folder"),
    "no folder": (("--history", "no/h.jsonl"), 1, "no folder"),
    "a device": (("--history", "/dev/null"), 1, "is not a regular file"),
    "a compressed file": (("--history", "h.jsonl.gz"), 1, "name of a compressed file"),
    "an empty name": (("--history", ""), 2, "empty file name"),
    "a file that is read": (("--history", "ref.txt"), 2, "would overwrite"),
    "the file of another option": (("--history", "s", "--summary", "s"), 2, "use two files"),
    "an empty label": (("--history", "h.jsonl", "--label", ""), 2, "--label must not be empty"),
    "a long label": (("--history", "h.jsonl", "--label", "x" * 201), 2, "200 characters"),
    "a label of lines": (("--history", "h.jsonl", "--label", "a\nb"), 2, "one line"),
}


@pytest.mark.parametrize("name", WRONG_GATES)
def test_wrong_usage_of_the_gate(gate: Run, name: str) -> None:
    words, code, problem = WRONG_GATES[name]
    outcome = gate(*words)
    assert (outcome.code, outcome.out) == (code, "")
    assert problem in outcome.err
    assert outcome.err.count("\n") == 1
    assert not os.path.exists("h.jsonl")


# --- The history is shown -------------------------------------------------------------------------


def test_every_run_is_a_row(history: Run) -> None:
    rows = history().out.split("\n\n")[0].splitlines()
    assert [row.split()[0] for row in rows[1:]] == [run.label[:7] for run in five_runs()]
    assert rows[4].split()[3:] == [
        "25.00",
        "±",
        "1.38",
        "main",
        "-5.25",
        "0.0100",
        "worse",
        "fails",
    ]
    assert rows[5].split()[3:] == [
        *("31.00", "±", "1.38", "main", "+6.00", "0.0100", "better", "passes"),
    ]


def test_csv_has_all_numbers(history: Run) -> None:
    heading, *rows = history("-f", "csv").out.splitlines()
    assert len(rows) == 10
    found = [dict(zip(heading.split(","), row.split(","), strict=True)) for row in rows]
    scores = [run.scores[0].score for run in five_runs()]
    assert [float(row["score"]) for row in found[:5]] == scores
    assert found[3]["label"] == five_runs()[3].label


def test_the_newest_commits_only(history: Run) -> None:
    shown = history("--last", "2")
    assert [run.label[:7] in shown.out for run in five_runs()] == [False] * 3 + [True] * 2
    assert "3 older runs are left out." in shown.out
    assert history("--last", "9").out == history().out


@pytest.mark.slow
def test_standard_input(history: Run) -> None:
    text = Path("history.jsonl").read_bytes()
    assert run_apart("history", "-", stdin=text).out == history().out


def test_the_picture_has_the_numbers_and_the_table_stays(history: Run) -> None:
    outcome = history("--picture", "h.json", "--theme", "dark")
    assert (outcome.code, outcome.out) == (0, history().out)
    drawn = json.loads(Path("h.json").read_bytes())
    rows = [row for row in values_in(drawn) if isinstance(row, dict)]
    expected = {score.score for run in five_runs() for score in run.scores}
    assert {row["score"] for row in rows if "score" in row} == expected
    assert drawn["config"]["background"] == "#14181e"


@pytest.mark.libraries
@pytest.mark.parametrize("ending", ["svg", "png", "html"])
def test_every_kind_of_picture(history: Run, ending: str) -> None:
    write_lines(Path("history.jsonl"), lines_of(with_breaks()))
    assert history("--picture", f"h.{ending}").code == 0
    content = Path(f"h.{ending}").read_bytes()
    if ending == "html":
        assert b"https://cdn" not in content
        assert re.search(rb"<title>Scores over time</title>", content)
    assert len(content) > 5000


WRONG: dict[str, tuple[tuple[str, ...], int, str]] = {
    "no file": ((), 2, "FILE is missing"),
    "two files": (("history.jsonl", "history.jsonl"), 2, "name one file"),
    "a file that is missing": (("hist.jsonl",), 1, "there is no file hist.jsonl"),
    "an empty file": (("/dev/null",), 1, "has no runs"),
    "a folder": ((".",), 1, "is a folder"),
    "a column": (("history.jsonl:label",), 2, "names a column"),
    "other lines": (("text.txt",), 1, "text.txt:1 is not a run of a gate"),
    "a theme of no picture": (("history.jsonl", "--theme", "dark"), 2, "--theme needs --picture"),
    "a theme that is none": (
        ("history.jsonl", "--picture", "a.svg", "--theme", "red"),
        2,
        "light, dark",
    ),
    "a picture of no kind": (("history.jsonl", "--picture", "a.gif"), 2, "must end in .svg"),
    "a picture nowhere": (("history.jsonl", "--picture", "no/a.svg"), 1, "no folder"),
    "a picture over the file": (
        ("history.jsonl", "--picture", "history.jsonl"),
        2,
        "would overwrite",
    ),
    "the last 0": (("history.jsonl", "--last", "0"), 2, "--last must be 1 or more"),
    "the last half": (("history.jsonl", "--last", "0.5"), 2, "--last must be a whole number"),
}


@pytest.mark.usefixtures("history")
@pytest.mark.parametrize("name", WRONG)
def test_wrong_usage(run: Run, name: str) -> None:
    write_lines(Path("text.txt"), ["hello"])
    words, code, problem = WRONG[name]
    outcome = run("history", *words)
    assert (outcome.code, outcome.out) == (code, "")
    assert problem in outcome.err
    assert outcome.err.count("\n") == 1


def test_every_option_is_in_the_guide() -> None:
    text = (REPOSITORY / "docs" / "gate.md").read_text(encoding="utf-8")
    text = text[text.index("## History") :]
    flags = [flag.name for flag in COMMAND.flags if flag.name.startswith("--")]
    assert [flag for flag in flags if f"`{flag}" not in text] == []
