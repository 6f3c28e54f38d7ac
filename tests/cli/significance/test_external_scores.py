"""External scores beside metrics, saved tables and runs."""

from __future__ import annotations

import csv
import io
import json
import random
import statistics
from pathlib import Path

import pytest

from bleuet import BLEU
from bleuet.significance import Evaluation, SegmentMean, TestSettings, paired_test
from tests.cli.significance.corpora import (
    FILES,
    NAMES,
    RUN_WORDS,
    RUNS,
    SEGMENTS,
    TABLES,
    Run,
    found,
    systems,
)
from tests.corpora import write_lines

pytestmark = pytest.mark.slow


def judged(name: str, gaps: bool) -> list[float | None]:
    """Scores of segments; the same segments have none, whoever the system is."""
    rng = random.Random(f"judge {name}")
    scores = [rng.random() + 0.2 * NAMES.index(name) for _ in range(SEGMENTS)]
    return [None if gaps and row % 4 == 1 else score for row, score in enumerate(scores)]


def write_judged(names: str = "abc", gaps: bool = False) -> list[str]:
    for name in names:
        lines = ["" if one is None else repr(one) for one in judged(name, gaps)]
        write_lines(Path(f"{name}.comet"), lines)
    return ["--scores", "COMET=" + ",".join(f"{name}.comet" for name in names)]


@pytest.mark.parametrize("lower", [False, True])
def test_external_scores_are_further_metrics(significance: Run, lower: bool) -> None:
    words = [*write_judged(), *(["--lower-is-better", "COMET"] if lower else [])]
    values = found(significance(*FILES, "-m", "bleu", *words, "-f", "json"))
    counted = systems("a", "b", "c")
    bleu = Evaluation([BLEU()], {name: row[:1] for name, row in counted.tables.items()})
    comet = SegmentMean("COMET", higher_is_better=not lower)
    joined = bleu.with_scores({comet: {name: judged(name, False) for name in "abc"}})
    expected = json.loads(json.dumps(paired_test(joined).to_dict()))
    for one, other in zip(values["comparisons"], expected["comparisons"], strict=True):
        assert {key: one[key] for key in other} == other
    (found_one,) = [
        one for one in values["comparisons"] if (one["metric"], one["system"]) == ("COMET", "c")
    ]
    assert found_one["better"] == ("a" if lower else "c")
    assert found_one["human_agreement"] is None
    out = significance(*FILES, "-m", "comet", "bleu", *words).out
    assert out.index("\nCOMET\n") < out.index("\nBLEU\n")
    assert f"{found_one['difference']:.4f}" in out


def test_segments_without_a_score_are_not_drawn(significance: Run, run: Run) -> None:
    words = write_judged(gaps=True)
    values = found(significance(*FILES, "-m", "ter", *words, "-f", "json", "--all-pairs"))
    scored = {name: [one for one in judged(name, True) if one is not None] for name in "abc"}
    comet = SegmentMean("COMET")
    alone = Evaluation([comet], {name: [comet.table_of(one)] for name, one in scored.items()})
    expected = json.loads(json.dumps(paired_test(alone, TestSettings(all_pairs=True)).to_dict()))
    kept = [one for one in values["comparisons"] if one["metric"] == "COMET"]
    for one, other in zip(kept, expected["comparisons"], strict=True):
        assert {key: one[key] for key in other} == other
    more = ("-m", "ter", *words, "-f", "json", "-q")
    compared = found(run("compare", *FILES, *more, "--test", "randomization"))["significance"]
    assert {key: values[key] for key in compared} == compared


def test_a_note_says_which_segments_have_scores(significance: Run, run: Run) -> None:
    words = write_judged(gaps=True)
    write_lines(Path("b.comet"), [""] + [repr(one) for one in judged("b", False)[1:]])
    expected = (
        "COMET is compared on the segments that all systems have a score for: 29 of 40 (a has 30, "
        "b has 39, c has 30)."
    )
    for command in ("significance", "compare"):
        out = run(command, *FILES, "-m", "comet", "ter", *words, "-q").out
        assert expected in " ".join(out.split())
    values = found(significance(*FILES, *words, "-f", "json"))
    scored = {"a": 30, "b": 39, "c": 30}
    assert values["missing_scores"] == {"COMET": {"segments": 40, "scored": scored, "common": 29}}
    assert not found(significance(*FILES, *write_judged(), "-f", "json"))["missing_scores"]


def test_too_few_scores_are_not_tested(significance: Run) -> None:
    write_judged()
    write_lines(Path("b.comet"), ["0.5"] * 3 + [""] * (SEGMENTS - 3))
    words = ("--scores", "COMET=a.comet,b.comet,c.comet")
    out = significance(*FILES, "-m", "ter", *words).out
    assert "Not tested: COMET." in out
    heading = out.split("\nCOMET\n")[1].splitlines()[0]
    assert heading.split() == ["system", "score"]
    rows = list(csv.DictReader(io.StringIO(significance(*FILES, *words, "-f", "csv").out)))
    assert {row["p_value"] for row in rows if row["metric"] == "COMET"} == {""}
    alone = significance(*FILES, "-m", "COMET", *words)
    assert alone.code == 0
    assert "Not tested: COMET." in alone.out


def test_external_scores_alone(significance: Run) -> None:
    values = found(significance(*FILES, "-m", "COMET", *write_judged(), "-f", "json"))
    assert list(values["signatures"]) == ["COMET"]
    assert values["segments"] == SEGMENTS


@pytest.mark.libraries
def test_external_scores_with_saved_tables(saved: Run) -> None:
    words = write_judged(gaps=True)
    for more in (["-m", "COMET", "ter"], ["-m", "comet"]):
        expected = saved(*FILES, *more, *words, "-f", "json")
        assert expected.code == 0
        assert saved(*TABLES, *more, *words, "-f", "json") == expected
    some = found(saved(*TABLES, "-m", "comet", *words, "--segments", "2,5-12", "-f", "json"))
    scores = [judged("a", True)[row] for row in (1, *range(4, 12))]
    mean = statistics.mean(one for one in scores if one is not None)
    assert some["scores"][0]["score"] == pytest.approx(mean)


def test_external_scores_of_runs(significance: Run) -> None:
    write_judged("acbd")
    words = ("--scores", "COMET=a.comet,c.comet,b.comet,d.comet")
    values = found(significance("ref.txt", *RUN_WORDS, "-m", "comet", *words, "-f", "json"))
    for run, names in zip(values["scores"], RUNS.values(), strict=True):
        means = [statistics.mean(judged(name, False)) for name in names]  # type: ignore[type-var]
        assert run["run_scores"] == pytest.approx(means)
    outcome = significance("ref.txt", *RUN_WORDS, "--scores", "COMET=a.comet,b.comet")
    assert "--scores names 2 files of COMET for 4 runs; expected one for each" in outcome.err
    write_judged("d", gaps=True)
    values = found(significance("ref.txt", *RUN_WORDS, "-m", "comet", *words, "-f", "json"))
    scored = sum(one is not None for one in judged("d", True))
    assert values["missing_scores"]["COMET"]["scored"] == {"old": 40, "new": scored}
