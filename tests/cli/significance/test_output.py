"""What every format shows, and the names of systems."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from bleuet.significance import TestSettings, paired_test
from tests.cli.conftest import run_apart
from tests.cli.significance.corpora import (
    FILES,
    METRICS,
    Run,
    found,
    systems,
    texts,
)
from tests.corpora import write_lines

pytestmark = pytest.mark.slow


def test_the_text_format(significance: Run) -> None:
    outcome = significance(*FILES, *METRICS, "--seed", "9", "--draws", "500", "--alpha", "0.2")
    out = " ".join(outcome.out.split())
    assert (
        "Paired approximate randomization, ties count, 500 trials, seed 9; 40 segments; 2 "
        "comparisons with a, p-values corrected by Holm; a difference is significant where p < 0.2."
    ) in out
    expected = paired_test(systems("a", "b", "c"), TestSettings(seed=9, draws=500))
    for one in expected.comparisons:
        estimate = expected.score(one.system, one.metric)
        assert estimate.interval is not None
        cells = f"{one.system} {estimate.score:.2f} ± {estimate.interval.half_width:.2f} "
        cells += f"{one.difference:+.2f} {one.low:+.2f} to {one.high:+.2f} "
        # No draw was as large as the difference of b, so its p-value is a bound.
        cells += f"{'≤ ' if one.p == 2 / 501 else ''}{one.p:.4f} "
        verdict = "n.s." if one.p >= 0.2 else "better" if one.better == one.system else "worse"
        assert cells + verdict in out
    for signature in expected.signatures.values():
        assert str(signature) in out
    assert "Kocmi et al. 2024" in out


def test_letters_of_all_pairs(significance: Run) -> None:
    values = found(significance(*FILES, "-m", "bleu", "--all-pairs", "-f", "json"))
    assert values["letters"] == {"a": "a", "b": "b", "c": "c"}
    worse = "".join(values["letters"][n] for n in values["significantly_worse"]["b"]["BLEU"])
    assert worse
    out = significance(*FILES, "-m", "bleu", "--all-pairs").out
    (row,) = [line.split() for line in out.splitlines() if line.split()[:2] == ["b", "b"]]
    assert row[-1] == worse
    assert out.count(" - a ") + out.count(" - b ") == 3


def test_csv_has_a_line_for_each_system(significance: Run) -> None:
    rows = list(csv.DictReader(io.StringIO(significance(*FILES, *METRICS, "-f", "csv").out)))
    assert [(row["metric"], row["system"]) for row in rows] == [
        (metric, name) for metric in ("BLEU", "chrF2", "TER") for name in "abc"
    ]
    expected = paired_test(systems("a", "b", "c"))
    for row in rows:
        estimate = expected.score(row["system"], row["metric"])
        assert estimate.interval is not None
        assert float(row["score"]) == estimate.score
        ends = (float(row["low"]), float(row["high"]))
        assert ends == (estimate.interval.low, estimate.interval.high)
        if row["system"] == "a":
            assert row["baseline"] == row["p_value"] == ""
            continue
        one = expected.comparison("a", row["system"], row["metric"])
        assert row["baseline"] == "a"
        numbers = [float(row[key]) for key in ("difference", "p_value", "corrected_p_value")]
        assert numbers == [one.difference, one.p_value, one.p]
        assert row["significantly_better"] == (one.better if one.is_significant() else "")
    pairs = csv.DictReader(
        io.StringIO(significance(*FILES, "-m", "ter", "--all-pairs", "-f", "csv").out)
    )
    assert [(row["baseline"], row["system"]) for row in pairs] == [
        ("", "a"), ("a", "b"), ("a", "c"), ("b", "c"),
    ]  # fmt: skip


def test_a_width(significance: Run) -> None:
    values = found(significance(*FILES, "-f", "json", "-w", "1"))
    assert all(one["score"] == round(one["score"], 1) for one in values["scores"])
    assert any(one["p_value"] != round(one["p_value"], 2) for one in values["comparisons"])
    assert "#:1|bs:1000" in significance(*FILES, "--short").out


def test_markup_is_escaped(significance: Run) -> None:
    files = ("ref.txt", "-i", "my_50%|x=a.txt", "b.txt", "-m", "ter")
    assert "| my_50%\\|x |" in significance(*files, "-f", "markdown").out
    assert "my\\_50\\%\\textbar{}x & " in significance(*files, "-f", "latex").out


def test_a_row_is_one_line(significance: Run) -> None:
    names = [f"{name}-system-with-{'a-very-' * 20}long-name.txt" for name in "ab"]
    for name, short in zip(names, "ab", strict=True):
        write_lines(Path(name), texts()[short])
    one, other = (name.removesuffix(".txt") for name in names)
    for more, row in ([], other), (["--all-pairs"], f"{other} - {one}"):
        lines = significance("ref.txt", "-i", *names, "-m", "bleu", *more).out.splitlines()
        (found,) = (line for line in lines if line.startswith(f"{row} ") and "%" in line)
        assert found.split()[-2] in ("better", "worse", "n.s.")


def test_latex_sets_a_minus_and_no_hyphen(significance: Run, run: Run) -> None:
    files = ("ref.txt", "-i", "b.txt", "a.txt", "-m", "bleu", "--test", "randomization")
    out = run("compare", *files, "--show", "differences", "-f", "latex", "-q").out
    (line,) = (line for line in out.splitlines() if line.startswith("a - b & "))
    values = found(significance(*files, "-f", "json"))
    (one,) = values["comparisons"]
    low, high, difference = (f"$-${-one[key]:.2f}" for key in ("low", "high", "difference"))
    assert line.split(" & ")[1:3] == [difference, f"{low} to {high}"]


def test_a_file_is_written_whole(significance: Run) -> None:
    expected = significance(*FILES).out
    assert significance(*FILES, "-o", "out.txt") == (0, "", "")
    assert Path("out.txt").read_text() == expected


def test_systems_are_named(significance: Run) -> None:
    values = found(significance("ref.txt", "-i", "old=a.txt", "b.txt", "-m", "ter", "-f", "json"))
    assert [one["system"] for one in values["scores"]] == ["old", "b.txt"]
    assert values["baseline"] == "old"


def test_a_file_of_exactly_this_name_comes_first(significance: Run) -> None:
    write_lines(Path("x=a.txt"), texts()["a"])
    write_lines(Path("b,c.txt"), texts()["b"])
    values = found(significance("ref.txt", "-i", "x=a.txt", "n=b,c.txt", "-m", "ter", "-f", "json"))
    assert [one["system"] for one in values["scores"]] == ["x=a.txt", "n"]
    assert values["runs"] == 1


def test_a_baseline_is_named_by_name_or_file(significance: Run) -> None:
    files = ("ref.txt", "-i", "a.txt", "new=b.txt")
    by_name = significance(*files, "--baseline", "new")
    assert by_name.code == 0
    assert significance(*files, "--baseline", "b.txt") == by_name
    assert "1 comparison with new;" in " ".join(by_name.out.split())


def test_standard_input(significance: Run) -> None:
    stdin = Path("a.txt").read_bytes()
    outcome = run_apart("significance", "ref.txt", "-i", "-", "b.txt", "-q", stdin=stdin)
    assert outcome.code == 0
    assert "<stdin>" in outcome.out
