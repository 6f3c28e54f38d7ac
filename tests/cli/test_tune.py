"""`bleuet tune`: its inputs, outputs and errors."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from bleuet import tune
from tests.corpora import write_lines
from tests.tuning.generated import generated

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Outcome

    Run = Callable[..., Outcome]

LISTS, REFERENCES = generated(1)
TUNE = ("tune", "dev.txt", "--nbest", "nbest.txt", "--method", "mert:restarts=2", "--seed", "1")


@pytest.fixture(autouse=True)
def files(folder: Path) -> None:
    lines = []
    for segment, hypotheses in enumerate(LISTS):
        for text, features in hypotheses:
            groups = {name: v if isinstance(v, list) else [v] for name, v in features.items()}
            field = " ".join(f"{name}= {' '.join(map(repr, v))}" for name, v in groups.items())
            lines.append(f"{segment} ||| {text} ||| {field} ||| 0")
    write_lines(folder / "nbest.txt", lines)
    write_lines(folder / "dev.txt", REFERENCES)


def test_the_answer_is_that_of_python(run: Run, folder: Path) -> None:
    outcome = run(*TUNE, "-f", "json", "--save-weights", "w.json", "--texts", "best.txt")
    assert outcome.code == 0, outcome.err
    found = json.loads(outcome.out)
    expected = tune(LISTS, REFERENCES, method="mert:restarts=2", seed=1)
    assert (found["start"], found["tuned"]) == (expected.start, expected.tuned)
    assert 0 <= found["start"] < found["tuned"] <= 100
    assert list(found["weights"].values()) == list(expected.weights.values())
    assert json.loads((folder / "w.json").read_text()) == found["weights"]
    assert (folder / "best.txt").read_text().splitlines() == list(expected.texts)
    assert [one["score"] for one in found["curve"]] == [one.score for one in expected.curve]


def test_weights_are_applied(run: Run, folder: Path) -> None:
    run(*TUNE, "--save-weights", "moses.ini", "--texts", "tuned.txt")
    applied = run("tune", "--nbest", "nbest.txt", "--apply", "moses.ini", "--texts", "again.txt")
    assert applied.code == 0, applied.err
    assert (folder / "again.txt").read_text() == (folder / "tuned.txt").read_text()
    scored = run("tune", "dev.txt", "--nbest", "nbest.txt", "--apply", "moses.ini", "-f", "json")
    tuned = json.loads(run(*TUNE, "-f", "json").out)
    answer = json.loads(scored.out)
    assert answer["chosen"] == tuned["tuned"]
    assert answer["oracle"] == tuned["oracle"]
    started = run(*TUNE, "--start", "moses.ini", "-f", "json")
    assert json.loads(started.out)["start"] == tuned["tuned"]


def test_held_out_lists_and_several_metrics(run: Run) -> None:
    outcome = run(
        *TUNE, "-m", "bleu:smooth=chen-cherry-4", "ter", "-f", "json",
        "--held-out", "nbest.txt", "--held-out-references", "dev.txt",
    )  # fmt: skip
    assert outcome.code == 0, outcome.err
    found = json.loads(outcome.out)
    assert found["held_out"]["tuned"] == found["tuned"]
    assert found["curve"][0]["held_out"] == found["start"]
    assert found["metrics"]["tuned"]["BLEU"] == found["tuned"]
    assert set(found["signatures"]) == {"BLEU", "TER"}


def test_merged_lists_are_one_list(run: Run) -> None:
    once = run(*TUNE, "-f", "json")
    twice = run("tune", "dev.txt", "--nbest", "nbest.txt", "nbest.txt", *TUNE[4:], "-f", "json")
    assert once.out == twice.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("tune", "dev.txt"), "no n-best list"),
        (("tune", "--nbest", "nbest.txt"), "no reference"),
        (("tune", "ref.txt", "--nbest", "nbest.txt"), "4 references for the 8 segments"),
        (
            ("tune", "dev.txt", "--nbest", "dev.txt"),
            "dev.txt:1 is .*: use an n-best list with features, or a .jsonl file with the keys "
            "segment, text and features$",
        ),
        ((*TUNE, "--held-out", "nbest.txt"), "add --held-out-references REF"),
        ((*TUNE, "--apply", "dev.txt"), "--apply and --method exclude"),
        (("tune", "--nbest", "nbest.txt", "--apply", "dev.txt"), "dev.txt has no weights"),
        (("tune", "dev.txt", "--nbest", "nbest.txt", "--method", "mart"), "mert"),
        (
            ("tune", "dev.txt", "--nbest", "nbest.txt", "--method", "mert:restarts=x"),
            "restarts must be a whole number|restarts .*number",
        ),
        ((*TUNE, "-m", "blue"), "bleu"),
    ],
)
def test_errors(run: Run, words: tuple[str, ...], message: str) -> None:
    outcome = run(*words)
    assert outcome.code in (1, 2)
    assert outcome.err.count("\n") == 1
    assert re.search(message, outcome.err), outcome.err
