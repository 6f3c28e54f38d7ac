"""`bleuet significance`: the figures of the studies, from texts, saved tables and runs."""

from __future__ import annotations

import csv
import io
import json
import random
import statistics
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet import BLEU, CHRF, TER, Table
from bleuet.cli.arguments import score_parser
from bleuet.cli.significance.arguments import significance_parser
from bleuet.studies.significance import (
    SegmentMean,
    Systems,
    expected_agreement,
    paired_test,
)
from bleuet.studies.significance.paired_results import TESTS
from tests.cli.conftest import Outcome, run_apart, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Run: TypeAlias = Callable[..., Outcome]

WORDS = ["river", "bridge", "old", "the", "a", "crosses", "under", "slow", "boat", "in", "rain"]
SEGMENTS = 40
NAMES = ("a", "b", "c", "d")
FILES = ("ref.txt", "-i", "a.txt", "b.txt", "c.txt")
METRICS = ("-m", "bleu", "chrf", "ter")


def lines_of(name: str, share: float, segments: int = SEGMENTS) -> list[str]:
    """The references with a share of their words exchanged."""
    rng = random.Random(name)
    return [
        " ".join(word if rng.random() > share else rng.choice(WORDS) for word in line.split())
        for line in references(segments)
    ]


def references(segments: int = SEGMENTS) -> list[str]:
    rng = random.Random(7)
    return [" ".join(rng.choices(WORDS, k=rng.randint(4, 12))) for _ in range(segments)]


def texts(segments: int = SEGMENTS) -> dict[str, list[str]]:
    shares = (0.3, 0.1, 0.28, 0.15)
    return {
        name: lines_of(name, share, segments) for name, share in zip(NAMES, shares, strict=True)
    }


@pytest.fixture
def significance(run: Run, monkeypatch: pytest.MonkeyPatch) -> Run:
    """The command, quiet, with a reference and four systems of some quality."""
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    write_lines(Path("ref.txt"), references())
    for name, lines in texts().items():
        write_lines(Path(f"{name}.txt"), lines)
    return lambda *arguments: run("significance", *arguments, "-q")


def found(outcome: Outcome) -> dict[str, Any]:
    assert (outcome.code, outcome.err) == (0, "")
    values: dict[str, Any] = json.loads(outcome.out)
    return values


def systems(*names: str) -> Systems:
    """What the studies are given for the files of these names."""
    return Systems.count(
        [BLEU(), CHRF(), TER()], {name: texts()[name] for name in names}, references()
    )


# --- The figures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("pairs", [[], ["--all-pairs"], ["--baseline", "b.txt"]])
def test_the_figures_are_those_of_the_studies(
    significance: Run, test: str, pairs: list[str]
) -> None:
    more = ("--test", test, "--draws", "200", "--seed", "3", "--correction", "bonferroni")
    values = found(significance(*FILES, *METRICS, *pairs, *more, "-f", "json"))
    expected = paired_test(
        systems("a", "b", "c"),
        test=test,
        all_pairs=pairs == ["--all-pairs"],
        baseline="b" if "--baseline" in pairs else None,
        draws=200,
        seed=3,
        correction="bonferroni",
    )
    for one in values["comparisons"]:
        assert one["significant"] == (one["better"] is not None and one["corrected_p_value"] < 0.05)
        metric = {"BLEU": BLEU(), "chrF2": CHRF()}.get(one["metric"])
        share = metric and max(0.5, expected_agreement(metric, one["difference"]))
        assert one["human_agreement"] == share
    assert values["baseline"] == {0: "a", 1: None, 2: "b"}[len(pairs)]
    assert values == json.loads(expected.to_json())
    assert (values["segments"], values["seed"], values["test"]) == (SEGMENTS, 3, test)
    drawn = (values["draws"], values["trials"])
    assert drawn == ((200, None) if "bootstrap" in test else (1000, 200))


def test_the_defaults_are_those_of_the_studies(significance: Run) -> None:
    values = found(significance(*FILES, "-f", "json"))
    plain = paired_test(systems("a", "b", "c")).to_dict()
    kept = [one for one in plain["comparisons"] if one["metric"] != "TER"]
    for one, expected in zip(values["comparisons"], kept, strict=True):
        assert {key: one[key] for key in expected} == expected
    assert (values["correction"], values["alpha"]) == ("holm", 0.05)
    assert values["scores"][0]["confidence"] == 0.95


@pytest.mark.parametrize("test", TESTS)
def test_compare_finds_the_same(significance: Run, run: Run, test: str) -> None:
    more = ("--test", test, "--draws", "300", "--alpha", "0.1", *METRICS, "-f", "json")
    compared = found(run("compare", *FILES, *more, "-q"))["significance"]
    values = found(significance(*FILES, *more, "--all-pairs"))
    assert {key: values[key] for key in compared} == compared


@pytest.mark.parametrize(
    ("flags", "test"),
    [
        (("--paired-bs", "--paired-bs-n", "300"), "sacrebleu-bootstrap"),
        (("--paired-ar", "--paired-ar-n", "300"), "sacrebleu-randomization"),
    ],
)
@pytest.mark.parametrize("seed", ["12345", "0"])
def test_sacrebleus_own_p_values(
    significance: Run,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    flags: tuple[str, ...],
    test: str,
    seed: str,
) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    theirs = json.loads(run("sacrebleu", *FILES, *METRICS, *flags, "-f", "json").out)
    printed = [one[metric]["p_value"] for one in theirs[1:] for metric in ("BLEU", "chrF2", "TER")]
    values = found(significance(*FILES, *METRICS, "--test", test, "--draws", "300", "-f", "json"))
    assert [one["p_value"] for one in values["comparisons"]] == printed


def test_a_level_of_intervals(significance: Run) -> None:
    arguments = (*FILES, "-m", "ter", "--confidence-level", "0.8")
    values = found(significance(*arguments, "-f", "json"))
    expected = paired_test(systems("a", "b", "c"), confidence=0.8)
    for one in values["scores"]:
        interval = expected.score(one["system"], "TER").interval
        assert interval is not None
        assert (one["low"], one["high"], one["confidence"]) == (interval.low, interval.high, 0.8)
    out = significance(*arguments).out
    assert "± is half the 80% confidence interval of 1,000 bootstrap draws." in out
    assert "80% interval" in out.split("TER")[1]
    out = significance(*FILES, "-m", "ter", "--confidence-level", "0.999").out
    assert "± is half the 99.9% confidence interval of 1,000 bootstrap draws." in out
    assert "99.9% interval" in out.split("TER")[1]


def test_the_environment_may_set_the_seed(
    significance: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    assert significance(*FILES).out == significance(*FILES, "--seed", "7").out
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    assert "1,000 draws, no seed" in significance(*FILES).out


def test_threads_change_nothing(significance: Run) -> None:
    assert significance(*FILES, "-t", "2") == significance(*FILES)


# --- Saved tables ---------------------------------------------------------------------------------


@pytest.fixture
def saved(significance: Run, run: Run) -> Run:
    """The command, with tables of a and b in one file and of c in another."""
    pytest.importorskip("pyarrow.parquet")
    for files, name in ((("a.txt", "b.txt"), "ab.parquet"), (("c.txt",), "c.parquet")):
        done = run("score", "ref.txt", "-i", *files, *METRICS, "--save-table", name)
        assert done.code == 0
    return significance


TABLES = ("--from-table", "ab.parquet", "c.parquet")


@pytest.mark.parametrize("format_", ["text", "json", "csv", "latex", "markdown", "jsonl", "html"])
@pytest.mark.parametrize(
    "more",
    [
        [],
        ["--all-pairs", "--test", "randomization", "--draws", "200"],
        ["-m", "bleu", "--smooth", "floor", "--max-ngram-order", "2", "--baseline", "c.txt"],
    ],
)
def test_saved_tables_give_what_texts_give(saved: Run, more: list[str], format_: str) -> None:
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


def test_some_segments(saved: Run, run: Run) -> None:
    for name in ("ref", "a", "b", "c"):
        lines = Path(f"{name}.txt").read_text().splitlines()
        write_lines(Path(f"some-{name}.txt"), lines[4:24])
    named = [f"{name}=some-{name}.txt" for name in "abc"]
    expected = saved("some-ref.txt", "-i", *named, *METRICS, "-f", "json")
    assert saved(*TABLES, "--segments", "5-24", "-f", "json") == expected
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


def test_tables_of_other_references_are_refused(saved: Run, run: Run) -> None:
    write_lines(Path("ref.txt"), [*references()[:-1], "the boat"])
    run("score", "ref.txt", "-i", "c.txt", *METRICS, "--save-table", "c.parquet")
    outcome = saved(*TABLES)
    assert (outcome.code, outcome.out) == (1, "")
    assert "counted against different references" in outcome.err


def test_systems_of_tables_are_named_as_they_are_shown(saved: Run) -> None:
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


# --- Several runs ---------------------------------------------------------------------------------

RUNS = {"old": ("a", "c"), "new": ("b", "d")}
RUN_WORDS = ("-i", "old=a.txt,c.txt", "new=b.txt,d.txt")


def tables_of(name: str) -> list[Table]:
    return [metric.count(texts()[name], references()) for metric in (BLEU(), CHRF(), TER())]


@pytest.mark.parametrize("ties", ["count", "strict"])
def test_runs_are_compared_as_the_studies_do(significance: Run, ties: str) -> None:
    test = [] if ties == "count" else ["--test", "sacrebleu-randomization"]
    more = (*METRICS, *test, "--draws", "300", "--seed", "5")
    values = found(significance("ref.txt", *RUN_WORDS, *more, "-f", "json"))
    runs = {system: [tables_of(name) for name in names] for system, names in RUNS.items()}
    counted = Systems.of_runs([BLEU(), CHRF(), TER()], runs)
    name = "randomization" if ties == "count" else "sacrebleu-randomization"
    expected = paired_test(counted, test=name, draws=300, seed=5)
    assert values == json.loads(expected.to_json())
    assert values["scores"][0]["run_scores"]
    for one in values["comparisons"]:
        assert one["corrected_p_value"] == one["p_value"]


def test_runs_are_what_they_are_said_to_be(significance: Run) -> None:
    """Mean, deviation and p by their definitions, from scores of texts alone."""
    more = ("-m", "ter", "--draws", "60", "--seed", "5", "-f", "json")
    values = found(significance("ref.txt", *RUN_WORDS, *more))
    for run, names in zip(values["scores"], RUNS.values(), strict=True):
        scores = [TER().corpus_score(texts()[name], references()).score for name in names]
        assert run["run_scores"] == scores
        assert run["run_mean"] == pytest.approx(statistics.mean(scores))
        assert run["run_deviation"] == pytest.approx(statistics.stdev(scores))
    old, new = ([line for name in names for line in texts()[name]] for names in RUNS.values())

    def difference(mine: list[str], others: list[str]) -> float:
        twice = references() * 2
        one, other = (TER().corpus_score(lines, twice).score for lines in (mine, others))
        return abs(one - other)

    real, above = difference(old, new), 0
    for mask in np.random.default_rng(5).integers(2, size=(60, 2 * SEGMENTS), dtype=bool):
        pairs = [(a, b) if keep else (b, a) for a, b, keep in zip(old, new, mask, strict=True)]
        mine, others = (list(lines) for lines in zip(*pairs, strict=True))
        above += difference(mine, others) > real - 1e-9
    assert values["comparisons"][0]["p_value"] == (above + 1) / 61


def test_runs_print(significance: Run) -> None:
    out = significance("ref.txt", *RUN_WORDS, "-m", "ter").out
    scores = [TER().corpus_score(texts()[name], references()).score for name in RUNS["old"]]
    mean, deviation = statistics.mean(scores), statistics.stdev(scores)
    row = next(line.split() for line in out.splitlines() if line.split()[:1] == ["old"])
    assert row[1:3] == [f"{mean:.2f}", f"{deviation:.2f}"]
    assert "stratified over runs, 10,000 trials" in " ".join(out.split())
    rows = list(csv.DictReader(io.StringIO(significance("ref.txt", *RUN_WORDS, "-f", "csv").out)))
    assert {row["runs"] for row in rows} == {"2"}


# --- Scores from elsewhere ------------------------------------------------------------------------


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
def test_scores_from_elsewhere_join_in(significance: Run, lower: bool) -> None:
    words = [*write_judged(), *(["--lower-is-better", "COMET"] if lower else [])]
    values = found(significance(*FILES, "-m", "bleu", *words, "-f", "json"))
    counted = systems("a", "b", "c")
    bleu = Systems([BLEU()], {name: row[:1] for name, row in counted.tables.items()})
    comet = SegmentMean("COMET", higher_is_better=not lower)
    joined = bleu.with_scores(comet, {name: judged(name, False) for name in "abc"})
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
    alone = Systems([comet], {name: [comet.table_of(one)] for name, one in scored.items()})
    expected = json.loads(json.dumps(paired_test(alone, all_pairs=True).to_dict()))
    kept = [one for one in values["comparisons"] if one["metric"] == "COMET"]
    for one, other in zip(kept, expected["comparisons"], strict=True):
        assert {key: one[key] for key in other} == other
    more = ("-m", "ter", *words, "-f", "json", "-q")
    compared = found(run("compare", *FILES, *more, "--test", "bootstrap"))["significance"]
    assert {key: values[key] for key in compared} == compared


def test_it_is_said_of_which_segments_a_mean_is(significance: Run, run: Run) -> None:
    words = write_judged(gaps=True)
    write_lines(Path("b.comet"), [""] + [repr(one) for one in judged("b", False)[1:]])
    means = "COMET is the mean over the segments that have a score, which are not the same for all"
    expected = f"{means} systems: 30 (a), 39 (b), 30 (c) of 40."
    for command in ("significance", "compare"):
        out = run(command, *FILES, "-m", "comet", "ter", *words, "-q").out
        assert expected in " ".join(out.split())
    values = found(significance(*FILES, *words, "-f", "json"))
    scored = {"a": 30, "b": 39, "c": 30}
    assert values["missing_scores"] == {"COMET": {"segments": 40, "scored": scored}}
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


def test_scores_alone_are_tested(significance: Run) -> None:
    values = found(significance(*FILES, "-m", "COMET", *write_judged(), "-f", "json"))
    assert list(values["signatures"]) == ["COMET"]
    assert values["segments"] == SEGMENTS


def test_scores_beside_saved_tables(saved: Run) -> None:
    words = write_judged(gaps=True)
    for more in (["-m", "COMET", "ter"], ["-m", "comet"]):
        expected = saved(*FILES, *more, *words, "-f", "json")
        assert expected.code == 0
        assert saved(*TABLES, *more, *words, "-f", "json") == expected
    some = found(saved(*TABLES, "-m", "comet", *words, "--segments", "2,5-12", "-f", "json"))
    scores = [judged("a", True)[row] for row in (1, *range(4, 12))]
    mean = statistics.mean(one for one in scores if one is not None)
    assert some["scores"][0]["score"] == pytest.approx(mean)


def test_scores_of_runs(significance: Run) -> None:
    write_judged("acbd")
    words = ("--scores", "COMET=a.comet,c.comet,b.comet,d.comet")
    values = found(significance("ref.txt", *RUN_WORDS, "-m", "comet", *words, "-f", "json"))
    for run, names in zip(values["scores"], RUNS.values(), strict=True):
        means = [statistics.mean(judged(name, False)) for name in names]  # type: ignore[type-var]
        assert run["run_scores"] == pytest.approx(means)
    outcome = significance("ref.txt", *RUN_WORDS, "--scores", "COMET=a.comet,b.comet")
    assert "--scores names 2 files of COMET for 4 runs; expected one for each" in outcome.err
    write_judged("d", gaps=True)
    outcome = significance("ref.txt", *RUN_WORDS, *words)
    assert outcome.code == 1
    assert "a run of new has segments without a COMET score" in outcome.err


# --- What is printed ------------------------------------------------------------------------------


def test_text_says_what_was_tested_and_how(significance: Run) -> None:
    outcome = significance(*FILES, *METRICS, "--seed", "9", "--draws", "500", "--alpha", "0.2")
    out = " ".join(outcome.out.split())
    assert (
        "Two-sided paired bootstrap, 500 draws, seed 9; 40 segments; 2 comparisons with a, "
        "p-values corrected by Holm; a difference is significant where p < 0.2."
    ) in out
    expected = paired_test(systems("a", "b", "c"), seed=9, draws=500)
    for one in expected.comparisons:
        estimate = expected.score(one.system, one.metric)
        assert estimate.interval is not None
        cells = f"{one.system} {estimate.score:.2f} ± {estimate.interval.half_width:.2f} "
        cells += f"{one.difference:+.2f} {one.low:+.2f} to {one.high:+.2f} {one.p:.4f} "
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
    assert out.count(" - ") == 3


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


def test_latex_sets_a_minus_and_no_hyphen(significance: Run) -> None:
    out = significance("ref.txt", "-i", "b.txt", "a.txt", "-m", "bleu", "-f", "latex").out
    (line,) = (line for line in out.splitlines() if line.startswith("a & "))
    values = found(significance("ref.txt", "-i", "b.txt", "a.txt", "-m", "bleu", "-f", "json"))
    (one,) = values["comparisons"]
    low, high, difference = (f"$-${-one[key]:.2f}" for key in ("low", "high", "difference"))
    assert line.split(" & ")[2:4] == [difference, f"{low} to {high}"]


def test_a_file_is_written_whole(significance: Run) -> None:
    expected = significance(*FILES).out
    assert significance(*FILES, "-o", "out.txt") == (0, "", "")
    assert Path("out.txt").read_text() == expected


# --- Names ----------------------------------------------------------------------------------------


def test_systems_are_named(significance: Run) -> None:
    values = found(significance("ref.txt", "-i", "old=a.txt", "b.txt", "-m", "ter", "-f", "json"))
    assert [one["system"] for one in values["scores"]] == ["old", "b.txt"]
    assert values["baseline"] == "old"


def test_a_file_of_the_very_name_comes_first(significance: Run) -> None:
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


# --- Few segments ---------------------------------------------------------------------------------


def test_few_segments_are_warned_of(significance: Run, run: Run) -> None:
    loud = run("significance", *FILES)
    assert loud.err == (
        "bleuet: warning: 40 segments are too few for a bootstrap, which finds differences too "
        "often: use 100 or more, or a randomization test (--quiet hides this)\n"
    )
    assert loud.out == significance(*FILES).out
    randomized = run("significance", *FILES, "--test", "randomization")
    assert "whose intervals are too narrow" in randomized.err
    assert run("significance", "ref.txt", *RUN_WORDS).err == ""


@pytest.mark.parametrize(
    "arguments",
    [
        ("significance",),
        ("compare", "--test", "bootstrap"),
        ("compare", "--test", "randomization"),
        ("score", "--confidence"),
    ],
)
def test_every_command_that_draws_warns(run: Run, arguments: tuple[str, ...]) -> None:
    for segments, lines in ((99, 1), (100, 0)):
        write_lines(Path("ref.txt"), references(segments))
        for name in "ab":
            write_lines(Path(f"{name}.txt"), texts(segments)[name])
        command, *more = arguments
        outcome = run(command, "ref.txt", "-i", "a.txt", "b.txt", "-m", "ter", *more)
        assert outcome.code == 0
        assert outcome.err.count("\n") == lines
        assert outcome.err.count("too few for a bootstrap") == lines
        quiet = run(command, "ref.txt", "-i", "a.txt", "b.txt", "-m", "ter", *more, "-q")
        assert quiet == (0, outcome.out, "")


def test_what_is_wrong_with_files_is_told(significance: Run, run: Run) -> None:
    write_lines(Path("b.txt"), ["", *texts()["b"][1:]])
    assert "1 line of b.txt is empty" in run("significance", *FILES).err
    loud = run("significance", "ref.txt", "-i", "a.txt", "ref.txt")
    assert "ref.txt is both a system and a reference" in loud.err


# --- Misuse ---------------------------------------------------------------------------------------

WRONG: dict[str, tuple[tuple[str, ...], int, str]] = {
    "nothing": ((), 2, "no reference was given"),
    "no system": (("ref.txt",), 2, "no system was given, for files before -i are references"),
    "one system": (("ref.txt", "-i", "a.txt"), 2, "there is only a.txt: name more behind -i"),
    "references behind -i": (("-i", "a.txt", "ref.txt"), 2, "-i took all 2 files"),
    "no such baseline": (
        (*FILES, "--baseline", "d.txt"),
        2,
        "there is no system d.txt; there are a, b, c",
    ),
    "a baseline of all pairs": (
        (*FILES, "--baseline", "b.txt", "--all-pairs"),
        2,
        "there is no --baseline: leave one of them out",
    ),
    "no such test": ((*FILES, "--test", "boostrap"), 2, "(did you mean bootstrap?)"),
    "no such correction": ((*FILES, "--correction", "holms"), 2, "(did you mean holm?)"),
    "alpha": ((*FILES, "--alpha", "5"), 2, "--alpha must be between 0 and 1, not 5"),
    "a level in percent": (
        (*FILES, "--confidence-level", "95"),
        2,
        "must be a share between 0 and 1, such as 0.95, not 95",
    ),
    "one draw": ((*FILES, "--draws", "1"), 2, "--draws must be 2 or more, not 1"),
    "a negative seed": ((*FILES, "--seed", "-1"), 2, "--seed must be 0 or more, not -1"),
    "runs of one alone": (
        ("ref.txt", "-i", "x=a.txt,b.txt", "c.txt"),
        2,
        "the same number of runs, but x has 2, c.txt has 1",
    ),
    "runs without a name": (("ref.txt", "-i", "a.txt,b.txt", "c.txt"), 2, "NAME=a.txt,b.txt"),
    "a run without a file": (("ref.txt", "-i", "x=a.txt,", "c.txt"), 2, "between the commas"),
    "a run twice": (("ref.txt", "-i", "x=a.txt,a.txt", "y=b.txt,c.txt"), 2, "was given twice"),
    "a missing run": (("ref.txt", "-i", "x=a.txt,e.txt", "y=b.txt,c.txt"), 1, "no file e.txt"),
    "a bootstrap of runs": (
        ("ref.txt", *RUN_WORDS, "--test", "bootstrap"),
        2,
        "several runs change places in randomization",
    ),
    "no name": (("ref.txt", "-i", "=a.txt", "b.txt"), 2, "or NAME=HYP,HYP,... for several runs"),
    "a name twice": (("ref.txt", "-i", "x=a.txt", "x=b.txt"), 2, "two systems are called x"),
    "references of tables": (("ref.txt", *TABLES), 2, "leave the references out"),
    "segments of texts": ((*FILES, "--segments", "1-3"), 2, "is about saved tables"),
    "no such system": ((*TABLES, "-i", "a.txt", "e.txt"), 2, "there is no system e.txt"),
    "one system of tables": ((*TABLES, "-i", "a.txt"), 2, "there is only a.txt"),
    "another tokenizer": ((*TABLES, "--tokenize", "intl"), 1, "changes what is counted"),
    "no such format": ((*FILES, "-f", "jsno"), 2, "(did you mean json"),
    "the output is the input": ((*FILES, "-o", "ref.txt"), 2, "would overwrite a file"),
    "scores of some": ((*FILES, "--scores", "COMET=a.txt,b.txt"), 2, "for 3 systems; expected one"),
    "scores that are none": (
        (*FILES, "--scores", "COMET=a.txt,b.txt,c.txt"),
        1,
        "a.txt",
    ),
    "less of what is not there": ((*FILES, "--lower-is-better", "COMET"), 2, "with --scores"),
    "a shorter file": (("ref.txt", "-i", "a.txt", "short.txt"), 1, "differ in length"),
    "a preset's option": ((*FILES, "--ter-normalized"), 2, "which is not among the metrics"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_refused(saved: Run, name: str) -> None:
    arguments, code, says = WRONG[name]
    write_lines(Path("short.txt"), texts()["b"][:-1])
    outcome = saved(*arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert outcome.err.startswith("bleuet: error: ")
    assert outcome.err.count("\n") == 1
    assert says in outcome.err


def test_every_option_stands_in_the_guide() -> None:
    guide = Path(__file__).parents[2] / "docs" / "significance.md"
    if not guide.is_file():
        pytest.skip("the documentation is not here")
    text = guide.read_text(encoding="utf-8")
    of_score = {flag for action in score_parser()._actions for flag in action.option_strings}
    own = set(significance_parser()._option_string_actions) - of_score
    assert {"--test", "--baseline", "--all-pairs"} <= own
    assert [flag for flag in own if f"`{flag}" not in text] == []
