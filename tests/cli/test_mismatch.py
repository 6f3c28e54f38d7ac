"""Stored scores and counts of another test set, or by other settings, are rejected everywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import Outcome
from tests.corpora import REFERENCE, SYSTEM_A, SYSTEM_B, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    Run: TypeAlias = Callable[..., Outcome]

FIX = "or add --allow-mismatch if you know why"
EXTERNAL = ("--scores", "own=others.csv:ter", "--lower-is-better", "own")


@pytest.fixture
def files(run: Run) -> Run:
    """A test set, and another one that has as many words, so that only its texts differ."""
    for name, lines in (("ref", REFERENCE), ("a", SYSTEM_A), ("b", SYSTEM_B)):
        write_lines(Path(f"{name}.txt"), lines * 10)
        write_lines(Path(f"{name}2.txt"), [line.upper() for line in lines] * 10)
    run(
        "score", "ref.txt", "-i", "a.txt", "-m", "bleu", "chrf", "ter", "-f", "json", "-o", "a.json"
    )
    for save in ("others.csv", "others.jsonl"):
        run("score", "ref2.txt", "-i", "a.txt", "b.txt", "-m", "ter", "--save-scores", save)
    run("score", "ref.txt", "-i", "a.txt", "b.txt", "-m", "ter", "--save-scores", "own.csv")
    return run


GATE = ("gate", "--max-drop", "50", "--baseline", "a.json")


def rejected(outcome: Outcome, *words: str) -> None:
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.count("\n") == 1
    assert outcome.err.rstrip().endswith(FIX)
    for word in words:
        assert word in outcome.err


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter"])
def test_scores_of_other_references(files: Run, metric: str) -> None:
    arguments = (*GATE, "ref2.txt", "-i", "b2.txt", "-m", metric)
    rejected(files(*arguments), "a.json was scored on another test set than b2: it has other")
    allowed = files(*arguments, "--allow-mismatch")
    assert allowed.code in (0, 3)
    assert "warning: a.json was scored on another test set" in allowed.err
    assert "Other test sets and settings of stored scores were allowed." in allowed.out
    assert files(*GATE, "ref.txt", "-i", "b.txt", "-m", metric, "-q").err == ""


def test_scores_of_other_segments(files: Run) -> None:
    for name in ("ref", "b"):
        lines = Path(f"{name}.txt").read_text(encoding="utf-8").splitlines()
        write_lines(Path(f"{name}-39.txt"), lines[:-1])
    outcome = files(*GATE, "ref-39.txt", "-i", "b-39.txt", "-m", "chrf")
    rejected(outcome, "it has 40 segments, not 39")


def test_scores_by_other_settings(files: Run) -> None:
    arguments = (*GATE, "ref.txt", "-i", "b.txt", "-m", "bleu:tokenize=char")
    rejected(files(*arguments), "a.json has BLEU with tok:13a, and the new score has tok:char;")
    assert files(*arguments, "--allow-mismatch").code in (0, 3)
    two = files(*GATE, "ref.txt", "ref2.txt", "-i", "b.txt", "-m", "chrf")
    rejected(two, "a.json has chrF2 with nrefs:1, and the new score has nrefs:2")


def edited(**changes: Any) -> None:
    scores = json.loads(Path("a.json").read_text(encoding="utf-8"))
    for score in scores:
        for name, change in changes.items():
            score[name] = change(score.get(name))
    Path("a.json").write_text(json.dumps(scores), encoding="utf-8")


def test_scores_without_a_fingerprint_or_of_another_version_warn(files: Run) -> None:
    arguments = (*GATE, "ref.txt", "-i", "b.txt", "-m", "chrf")
    edited(signature=lambda text: text.replace("version:bleuet-", "version:bleuet-0"))
    assert "warning: a.json was scored by bleuet-0" in files(*arguments).err
    edited(test_set=lambda _: "")
    assert "warning: a.json has no fingerprint of its test set" in files(*arguments).err
    # BLEU knows how long the references are.
    write_lines(Path("longer.txt"), [f"{line} too" for line in REFERENCE * 10])
    outcome = files(*GATE, "longer.txt", "-i", "b.txt", "-m", "bleu", "-q")
    rejected(outcome, "a.json was scored against other references: theirs have")


def test_an_edited_or_truncated_file(files: Run) -> None:
    text = Path("a.json").read_text(encoding="utf-8")
    Path("a.json").write_text(text.replace("segments:40", "segments:many"), encoding="utf-8")
    outcome = files(*GATE, "ref.txt", "-i", "b.txt")
    assert "the test_set of BLEU is not a fingerprint" in outcome.err
    Path("a.json").write_text(text[: len(text) // 2], encoding="utf-8")
    outcome = files(*GATE, "ref.txt", "-i", "b.txt")
    assert (outcome.code, outcome.err.count("\n")) == (1, 1)
    assert "cannot be read as scores" in outcome.err


@pytest.mark.parametrize("command", ["significance", "compare"])
@pytest.mark.parametrize("name", ["others.csv", "others.jsonl"])
def test_external_scores_of_another_test_set(files: Run, command: str, name: str) -> None:
    external = [word.replace("others.csv", name) for word in EXTERNAL]
    arguments = (command, "ref.txt", "-i", "a.txt", "b.txt", "-m", "chrf", *external, "-q")
    rejected(files(*arguments), f"{name} was scored on another test set than the texts")
    assert files(*arguments, "--allow-mismatch").code == 0
    same = [word.replace("others.csv", "own.csv") for word in EXTERNAL]
    found = files(command, "ref.txt", "-i", "a.txt", "b.txt", "-m", "chrf", *same, "-q")
    assert (found.code, found.err) == (0, "")


def test_a_meta_evaluation_of_scores_of_another_test_set(files: Run) -> None:
    # These segments are counted from 0, and those that --save-scores wrote from 1.
    judged = [(system, segment, segment % 7) for system in "ab" for segment in range(40)]
    rows = ["system\tsegment\tscore", *("\t".join(map(str, row)) for row in judged)]
    write_lines(Path("human.tsv"), rows)
    human = ("--human", "human.tsv")
    texts = ("ref.txt", "-i", "a.txt", "b.txt", "-m", "chrf")
    rejected(files("meta", *texts, *human, *EXTERNAL, "-q"), "others.csv was scored on another")
    assert files("meta", *texts, *human, *EXTERNAL, "-q", "--allow-mismatch").code == 0
    without = ("meta", *human, "--scores", "own=own.csv:ter", "other=others.csv:ter", "-q")
    rejected(files(*without), "others.csv was scored on another test set than own.csv")


def test_rows_of_two_test_sets_in_one_file(files: Run) -> None:
    first, *rows = Path("own.csv").read_text().splitlines()
    others = [line for line in Path("others.csv").read_text().splitlines()[1:] if line[0] == "b"]
    lines = [first, *[row for row in rows if row[0] == "a"], *others]
    Path("both.csv").write_text("\n".join(lines) + "\n")
    external = [word.replace("others.csv", "both.csv") for word in EXTERNAL]
    outcome = files("significance", "ref.txt", "-i", "a.txt", "b.txt", *external, "-q")
    assert outcome.code == 1
    assert "both.csv:42: test_set is another one than in the rows before" in outcome.err


@pytest.mark.libraries
def test_saved_tables_of_another_test_set(files: Run) -> None:
    for number, name in (("", "a"), ("2", "b")):
        saved = f"{name}.parquet"
        files("score", f"ref{number}.txt", "-i", f"{name}.txt", "-m", "chrf", "--save-table", saved)
    for command in ("score", "significance"):
        arguments = (command, "--from-table", "a.parquet", "b.parquet", "-q")
        rejected(files(*arguments), "b.parquet was scored on another test set than a.parquet")
        assert files(*arguments, "--allow-mismatch").code == 0
    gate = ("gate", "--baseline", "a.parquet", "-i", "b.parquet")
    rejected(files(*gate), "the second has other references")
    assert files(*gate, "--allow-mismatch").code in (0, 3)


@pytest.mark.libraries
def test_a_source_counts_for_metrics_that_read_it(files: Run) -> None:
    for source, name in (("a2.txt", "one"), ("b2.txt", "two")):
        files(
            *("score", "ref.txt", "-i", f"{name}=a.txt", "--source", source, "-m", "sari", "chrf"),
            *("--save-table", f"{name}.parquet", "-f", "json", "-o", f"{name}.json"),
        )
    both = ("score", "--from-table", "one.parquet", "two.parquet", "-q")
    rejected(files(*both), "it has another source")
    assert files(*both, "-m", "chrf").code == 0
    gate = ("gate", "ref.txt", "-i", "b.txt", "--source", "b2.txt", "--baseline", "one.json")
    rejected(files(*gate, "--max-drop", "50", "-m", "sari", "-q"), "it has another source")
    assert files(*gate, "--max-drop", "50", "-m", "chrf", "-q").code == 0


@pytest.mark.libraries
def test_parts_of_a_test_set_have_the_fingerprint_of_the_whole(files: Run) -> None:
    write_lines(Path("refs.txt"), [*REFERENCE * 10, *[line.upper() for line in REFERENCE] * 10])
    write_lines(Path("as.txt"), [*SYSTEM_A * 10, *[line.upper() for line in SYSTEM_A] * 10])
    for number in ("", "2"):
        saved = ("--save-table", f"part{number}.parquet")
        files("score", f"ref{number}.txt", "-i", f"a=a{number}.txt", "-m", "chrf", *saved)
    whole = files("score", "refs.txt", "-i", "a=as.txt", "-m", "chrf", "-f", "json", "-q")
    joined = ("--from-table", "part.parquet", "part2.parquet", "--append")
    assert files("score", *joined, "-f", "json", "-q").out == whole.out


def test_shards_have_the_fingerprint_of_the_whole(files: Run) -> None:
    Path("shards").mkdir()
    for number in ("", "2"):
        for side in ("ref", "a"):
            Path(f"{side}{number}.txt").rename(f"shards/{number or 1}.{side}.txt")
    for side in ("ref", "a"):
        parts = [Path(f"shards/{number}.{side}.txt").read_text() for number in "12"]
        Path(f"{side}.txt").write_text("".join(parts))
    arguments = ("-m", "chrf", "-f", "json", "-q")
    whole = json.loads(files("score", "ref.txt", "-i", "a=a.txt", *arguments).out)
    shards = ("score", "shards/*.ref.txt", "-i", "a=shards/*.a.txt", *arguments, "--results", "r")
    for _ in range(2):  # counted, and read again
        (found,) = json.loads(files(*shards).out)
        assert found["test_set"] == whole[0]["test_set"]
    stored = [Path(f"r/00000{number}.json").read_text() for number in range(2)]
    assert all('"test_set": "segments:40|references:' in text for text in stored)
