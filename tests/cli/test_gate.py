"""`bleuet gate`: exit code 3 for a worse system, from texts, saved tables and stored scores."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU, CHRF, TER, __version__
from bleuet.cli.gate import COMMAND
from bleuet.gate import RULES, Limits, gate_systems, read_history
from bleuet.output.rendering import FORMATS
from bleuet.significance import Evaluation, TestSettings
from bleuet.significance.settings import TESTS_OF_ONE_RUN
from tests.cli.conftest import Outcome, command, environment, run_apart
from tests.corpora import REFERENCE, SYSTEM_A, SYSTEM_B, write_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from bleuet.metrics.base.metric import Metric

    Run: TypeAlias = Callable[..., Outcome]

SCORES: dict[str, type[Metric[Any]]] = {"bleu": BLEU, "chrf": CHRF, "ter": TER}
TEXTS = ("ref.txt", "-i", "b.txt")


@pytest.fixture
def gate(run: Run) -> Run:
    """The command, quiet, with systems that are long enough for a test to find a difference."""
    for name, lines in (("ref.txt", REFERENCE), ("a.txt", SYSTEM_A), ("b.txt", SYSTEM_B)):
        write_lines(Path(name), lines * 10)
    return lambda *arguments: run("gate", *arguments, "-q")


def verdicts(outcome: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(outcome.out)
    return found


# --- When it fails --------------------------------------------------------------------------------


def test_a_better_system_passes_and_a_worse_one_fails(gate: Run) -> None:
    metrics = ("-m", *SCORES, "--max-drop", "0.3")
    worse = gate("ref.txt", "--baseline", "a.txt", "-i", "b.txt", *metrics)
    assert (worse.code, worse.err) == (3, "")
    assert worse.out.startswith("Translation quality: failed by BLEU, chrF2, TER\n")
    assert "b is compared with the baseline a." in worse.out
    better = gate("ref.txt", "--baseline", "b.txt", "-i", "a.txt", *metrics)
    assert (better.code, better.err) == (0, "")
    assert better.out.startswith("Translation quality: passed\n")
    same = gate("ref.txt", "--baseline", "a.txt", "-i", "a.txt", *metrics)
    assert same.code == 0
    assert "a.txt (new) is compared with the baseline a.txt (baseline)." in same.out


@pytest.mark.parametrize("metric", SCORES)
def test_the_drop_is_how_much_worse(gate: Run, metric: str) -> None:
    arguments = ("--baseline", "a.txt", *TEXTS, "-m", metric, "-f", "json")
    (check,) = verdicts(gate(*arguments))["checks"]
    scores = [
        SCORES[metric]().corpus_score(texts * 10, REFERENCE * 10).score
        for texts in (SYSTEM_A, SYSTEM_B)
    ]
    assert (check["baseline"], check["new"]) == tuple(scores)
    assert check["drop"] == abs(scores[0] - scores[1])
    arguments = ("ref.txt", "--baseline", "b.txt", "-i", "a.txt", "-m", metric, "-f", "json")
    (check,) = verdicts(gate(*arguments))["checks"]
    assert check["drop"] == -abs(scores[0] - scores[1])
    assert not check["fails"]


@pytest.mark.parametrize("test", TESTS_OF_ONE_RUN)
@pytest.mark.parametrize("seed", [None, 0, 7])
def test_the_verdict_is_that_of_the_study(gate: Run, test: str, seed: int | None) -> None:
    more = [] if seed is None else ["--seed", str(seed)]
    limits = ("--max-drop", "9", "--alpha", "0.1", "--fail-on", "both", "--draws", "300")
    outcome = gate(
        "--baseline", "a.txt", *TEXTS, "-m", "bleu", "chrf", *limits, "--test", test, *more,
        "-f", "json",
    )  # fmt: skip
    texts = {"a": SYSTEM_A * 10, "b": SYSTEM_B * 10}
    systems = Evaluation.count([BLEU(), CHRF()], texts, REFERENCE * 10)
    number = 12345 if seed is None else seed
    expected = gate_systems(
        systems, Limits(9, 0.1, "both"), TestSettings(test=test, draws=300, seed=number)
    )
    assert verdicts(outcome) == json.loads(expected.to_json())
    assert outcome.code == expected.exit_code


@pytest.mark.parametrize("test", TESTS_OF_ONE_RUN)
def test_significance_gives_the_same_p_values(gate: Run, run: Run, test: str) -> None:
    more = ("-m", *SCORES, "--test", test, "--draws", "300", "-f", "json")
    gated = verdicts(gate("--baseline", "a.txt", *TEXTS, *more))
    tested = verdicts(run("significance", "ref.txt", "-i", "a.txt", "b.txt", *more, "-q"))
    assert [one["p_value"] for one in gated["checks"]] == [
        one["p_value"] for one in tested["comparisons"]
    ]


@pytest.mark.parametrize("metrics", [["bleu", "sari"], ["sari", "bleu"], ["bleu"]])
def test_a_source_belongs_to_the_test_set_where_a_metric_reads_it(
    gate: Run, metrics: list[str]
) -> None:
    """Whichever of the metrics it is."""
    for name, line in (("one.txt", "The cat has sat."), ("other.txt", "A dog has sat.")):
        write_lines(Path(name), [line] * len(REFERENCE * 10))

    def run(source: str, *more: str) -> Outcome:
        words = ("ref.txt", "--source", source, "-m", *metrics, "-i", "a.txt", *more)
        return gate("--baseline", "base.json", *words, "--max-drop", "0")

    assert run("one.txt", "--init").code == 0
    assert run("one.txt").code == 0
    other = run("other.txt")
    if "sari" in metrics:
        assert other.code == 1
        assert "it has another source" in other.err
    else:
        assert other.code == 0


def test_the_environment_may_set_the_seed(gate: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["--baseline", "a.txt", *TEXTS]
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    assert "seed 7, alpha" in gate(*arguments).out
    assert gate(*arguments).out == gate(*arguments, "--seed", "7").out
    assert "seed 0, alpha" in gate(*arguments, "--seed", "0").out
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    assert "no seed, alpha" in gate(*arguments).out
    monkeypatch.setenv("SACREBLEU_SEED", "often")
    rejected = gate(*arguments)
    assert rejected.code == 2
    assert "SACREBLEU_SEED must be a whole number or 'none', not 'often'" in rejected.err


def test_files_are_checked_as_by_every_command(gate: Run, run: Run) -> None:
    arguments = ("--baseline", "a.txt", *TEXTS)
    assert run("gate", *arguments).err == ""
    write_lines(Path("b.txt"), [*SYSTEM_B * 9, *SYSTEM_B[:3], ""])
    assert "1 line of b.txt is empty" in run("gate", *arguments).err
    assert gate(*arguments).err == ""


# --- What the baseline can be ---------------------------------------------------------------------


METRICS = ("-m", "bleu", "chrf", "ter")
BOTH = ("score", "ref.txt", "-i", "a.txt", "b.txt", "-m", "bleu")


@pytest.fixture
def scored(gate: Run, run: Run) -> Run:
    """The gate, with the scores of a.txt by three metrics."""
    texts = ("score", "ref.txt", "-i", "a.txt", *METRICS)
    for format_ in ("json", "jsonl"):
        assert run(*texts, "-f", format_, "-o", f"a.{format_}").code == 0
    assert run(*BOTH, "-f", "json", "-o", "ab.json").code == 0
    return gate


@pytest.fixture
def stored(scored: Run, run: Run) -> Run:
    """The gate, with the scores and saved tables of both systems."""
    for name in ("a", "b"):
        texts = ("score", "ref.txt", "-i", f"{name}.txt", *METRICS)
        assert run(*texts, "--save-table", f"{name}.parquet").code == 0
    assert run(*BOTH, "--save-table", "ab.parquet").code == 0
    return scored


@pytest.mark.libraries
def test_a_saved_table_stands_for_its_texts(stored: Run) -> None:
    limit = ("--max-drop", "0.3")
    expected = stored("--baseline", "a.txt", *TEXTS, *METRICS, *limit)
    assert expected.code == 3
    assert stored("--baseline", "a.parquet", *TEXTS, *limit) == expected
    assert stored("--baseline", "a.parquet", *TEXTS, *METRICS, *limit) == expected
    assert stored("--baseline", "a.parquet", "-i", "b.parquet", *limit) == expected
    mixed = ("ref.txt", "--baseline", "a.txt", "-i", "b.parquet")
    assert stored(*mixed, *limit) == expected
    smoothed = ("-m", "bleu:smooth=floor")
    expected = stored("--baseline", "a.txt", *TEXTS, *smoothed)
    assert stored("--baseline", "a.parquet", *TEXTS, *smoothed) == expected


@pytest.mark.parametrize("scores", ["a.json", "a.jsonl"])
def test_stored_scores_tell_the_drop(scored: Run, scores: str) -> None:
    limit = ("--max-drop", "0.3", "--fail-on", "drop")
    expected = scored("--baseline", "a.txt", *TEXTS, *METRICS, *limit)
    assert scored("--baseline", scores, *TEXTS, *limit) == expected
    assert scored("--baseline", scores, *TEXTS, *METRICS, *limit) == expected
    either = scored("--baseline", scores, *TEXTS, "--max-drop", "0.3")
    assert (either.code, "; no test." in either.out) == (3, True)


def test_one_of_several_scored_systems(scored: Run) -> None:
    chosen = ("--baseline-system", "a")
    from_scores = scored("--baseline", "ab.json", *chosen, *TEXTS, "--max-drop", "0.3")
    assert from_scores.code == 3


@pytest.mark.libraries
def test_one_of_several_saved_systems(stored: Run) -> None:
    limit = ("--max-drop", "0.3", "-m", "bleu")
    expected = stored("--baseline", "a.txt", *TEXTS, *limit)
    chosen = ("--baseline-system", "a")
    assert stored("--baseline", "ab.parquet", *chosen, *TEXTS, *limit) == expected
    whole = ("--baseline-system", "a.txt")
    assert stored("--baseline", "ab.parquet", *whole, *TEXTS, *limit) == expected
    both = ("--baseline", "ab.parquet", *chosen, "-i", "ab.parquet", "--input-system", "b.txt")
    assert stored(*both, *limit) == expected
    with_scores = ("--max-drop", "0.3", "--fail-on", "drop")
    expected = stored("--baseline", "a.txt", *TEXTS, *METRICS, *with_scores)
    assert stored("--baseline", "a.json", "-i", "b.parquet", *with_scores) == expected


# --- Limits of single metrics, and first runs -----------------------------------------------------


def test_each_metric_may_have_its_own_drop(gate: Run) -> None:
    arguments = ("--baseline", "a.txt", *TEXTS, *METRICS, "--fail-on", "drop", "-f", "json")
    limits = ("--max-drop", "90", "chrF2=0.2", "ter=300")
    outcome = gate(*arguments, *limits)
    found = verdicts(outcome)
    assert (outcome.code, found["max_drop"], found["max_drops"]) == (
        3,
        90,
        {"chrF2": 0.2, "ter": 300},
    )
    assert [check["max_drop"] for check in found["checks"]] == [90, 0.2, 300]
    assert [check["fails"] for check in found["checks"]] == [False, True, False]
    assert gate(*arguments, "--max-drop", "90", "chrF2=80", "ter=300").code == 0
    shown = gate(*arguments[:-2], *limits).out
    assert "a drop of more than 90 BLEU or 0.2 chrF2 or 300 TER is too large; no test." in shown


@pytest.mark.parametrize("word", ["chrf", "chrF2", "CHRF", "chrf:word_order=0"])
def test_a_metric_has_its_words_of_m(gate: Run, word: str) -> None:
    """Of two metrics of one class, a word means the one that -m makes of it."""
    limits = ("-m", "chrf", "chrf++", "--min", f"{word}=0", "chrf++=100", "-f", "json")
    found = verdicts(gate("ref.txt", "-i", "b.txt", *limits))
    assert [(check["min"], check["fails"]) for check in found["checks"]] == [
        (0, False),
        (100, True),
    ]


def test_one_of_two_metrics_of_one_name_has_its_options(gate: Run) -> None:
    arguments = ("ref.txt", "-i", "b.txt", "-m", "bleu", "bleu:lowercase", "-f", "json")
    limits = ("--min", "bleu=1", "bleu:lowercase=2")
    assert [one["min"] for one in verdicts(gate(*arguments, *limits))["checks"]] == [1, 2]


def test_limits_of_scores_need_no_baseline(gate: Run) -> None:
    arguments = ("ref.txt", "-i", "b.txt", *METRICS)
    passes = gate(*arguments, "--min", "bleu=0", "--max", "ter=500")
    assert passes.code == 0
    assert passes.out.startswith("Translation quality: passed\nmetric    new  verdict\n")
    assert "b.txt is scored without a baseline.\nFails on BLEU below 0 or TER above 500.\n" in (
        passes.out
    )
    fails = gate(*arguments, "--min", "bleu=99.9", "--max", "ter=1", "-f", "json")
    found = verdicts(fails)
    assert fails.code == 3
    assert (found["baseline"], found["min"], found["max"]) == (None, {"bleu": 99.9}, {"ter": 1})
    assert [(one["metric"], one["beyond_limit"], one["fails"]) for one in found["checks"]] == [
        ("BLEU", True, True),
        ("chrF2", False, False),
        ("TER", True, True),
    ]
    lines = gate(*arguments, "--min", "bleu=99.9", "--max", "ter=1").out.splitlines()
    assert [line.split("  ")[-1] for line in lines[2:5]] == [
        "fails: the score is below 99.9",
        "no limit",
        "fails: the score is above 1",
    ]


def test_a_score_of_exactly_the_limit_passes(gate: Run) -> None:
    arguments = ("ref.txt", "-i", "b.txt", "-m", "ter")
    (check,) = verdicts(gate(*arguments, "--max", "ter=0", "-f", "json"))["checks"]
    assert gate(*arguments, "--max", f"ter={check['new']!r}").code == 0
    assert gate(*arguments, "--max", f"ter={check['new'] - 1e-9!r}").code == 3


def test_limits_of_scores_and_drops(gate: Run) -> None:
    """The score fails by itself, whatever the rule says of its drop."""
    arguments = ("--baseline", "a.txt", *TEXTS, "-m", "bleu", "--fail-on", "drop", "--max-drop")
    fails = gate(*arguments, "99", "--min", "bleu=99")
    assert fails.code == 3
    assert "  fails: the score is below 99\n" in fails.out
    both = gate(*arguments, "1", "--min", "bleu=99")
    assert "  fails: the score is below 99, and the drop is larger than 1\n" in both.out
    assert gate(*arguments, "99", "--min", "bleu=1").code == 0


def first_runs(gate: Run, name: str) -> None:
    arguments = ("--baseline", name, *METRICS, "--max-drop", "0.3", "--init")
    first = gate("ref.txt", "-i", "a.txt", *arguments)
    assert first.code == 0
    assert first.out.startswith("Translation quality: no baseline yet\n")
    assert f"There was no baseline yet: {name} was written from a.txt.\n" in first.out
    written = Path(name).read_bytes()
    worse = gate("ref.txt", "-i", "b.txt", *arguments)
    assert worse.code == 3
    assert "b is compared with the baseline a.\n" in worse.out
    assert gate("ref.txt", "-i", "b.txt", *arguments[:-1]) == worse
    same = gate("ref.txt", "-i", "a.txt", *arguments)
    assert (same.code, Path(name).read_bytes()) == (0, written)


@pytest.mark.parametrize("name", ["first.json", "first.jsonl"])
def test_a_first_run_writes_scores(gate: Run, run: Run, name: str) -> None:
    first_runs(gate, name)
    form = name.rpartition(".")[2]
    scored = run("score", "ref.txt", "-i", "a.txt", *METRICS, "-f", form, "-q")
    assert Path(name).read_text(encoding="utf-8") == scored.out


@pytest.mark.libraries
def test_a_first_run_saves_a_table(gate: Run) -> None:
    first_runs(gate, "first.parquet")


@pytest.mark.parametrize(
    "name", ["first.json", pytest.param("first.parquet", marks=pytest.mark.libraries)]
)
def test_a_baseline_of_other_references_is_rejected(gate: Run, name: str) -> None:
    arguments = ("--baseline", name, "-m", "bleu", "--max-drop", "0.3")
    assert gate("ref.txt", "-i", "a.txt", *arguments, "--init").code == 0
    lines = Path("ref.txt").read_text(encoding="utf-8").splitlines()
    write_lines(Path("others.txt"), [f"{line} too" for line in lines])
    outcome = gate("others.txt", "-i", "a.txt", *arguments)
    assert (outcome.code, outcome.out) == (1, "")
    assert "other references" in outcome.err or "different references" in outcome.err


def test_a_first_run_that_fails_writes_nothing(gate: Run) -> None:
    arguments = ("--baseline", "first.json", *TEXTS, "--max-drop", "1", "--init")
    outcome = gate(*arguments, "--min", "bleu=100")
    assert outcome.code == 3
    assert "There is no baseline yet, and first.json was not written.\n" in outcome.out
    assert not Path("first.json").exists()
    found = verdicts(gate(*arguments, "--min", "bleu=1", "-f", "json"))
    assert (found["passed"], found["first_run"], found["written"]) == (True, "first.json", True)


# --- Several changes ----------------------------------------------------------------------------


def test_a_release_is_compared_with_too(gate: Run) -> None:
    """The last system passes as its own baseline, but not since the release."""
    limits = ("-m", *SCORES, "--max-drop", "0.3", "--draws", "300", "--test", "bootstrap")
    outcome = gate("--baseline", "b.txt", "--release", "a.txt", "ref.txt", "-i", "b.txt", *limits)
    assert (outcome.code, outcome.err) == (3, "")
    failed = "failed by BLEU (since a.txt (release)), chrF2 (since a.txt (release)), TER"
    assert outcome.out.startswith(f"Translation quality: {failed}")
    named = ("--baseline", "last=b.txt", "--release", "v1=a.txt", *TEXTS, *limits, "-f", "json")
    outcome = gate(*named)
    texts = {"last": SYSTEM_B * 10, "v1": SYSTEM_A * 10, "b.txt": SYSTEM_B * 10}
    expected = gate_systems(
        Evaluation.count(list(SCORES), texts, REFERENCE * 10),
        Limits(0.3),
        TestSettings(test="bootstrap", draws=300),
    )
    assert verdicts(outcome) == json.loads(expected.to_json())


@pytest.mark.libraries
def test_a_release_is_a_saved_table(stored: Run) -> None:
    texts = ("ref.txt", "--baseline", "b.txt", "--release", "a.txt", "-i", "b.txt")
    expected = stored(*texts, *METRICS)
    assert expected.code == 3
    assert (
        stored("--baseline", "b.parquet", "--release", "a.parquet", "-i", "b.parquet") == expected
    )
    mixed = ("ref.txt", "--baseline", "b.txt", "--release", "a.parquet", "-i", "b.txt")
    assert stored(*mixed) == expected
    # The name selects in the file that has several systems.
    chosen = ("--baseline", "ab.parquet", "--baseline-system", "b", *TEXTS, "-m", "bleu")
    several = stored(*chosen, "--release", "a.parquet")
    assert several.out == stored(*chosen, "--release", "a.txt").out
    assert several.code == 3


def test_planned_changes_share_alpha(gate: Run) -> None:
    arguments = ("--baseline", "a.txt", *TEXTS, "--alpha", "0.2", "--changes", "4", "-f", "json")
    found = verdicts(gate(*arguments))
    texts = {"a": SYSTEM_A * 10, "b": SYSTEM_B * 10}
    systems = Evaluation.count(["bleu"], texts, REFERENCE * 10)
    assert found == json.loads(gate_systems(systems, Limits(alpha=0.2, changes=4)).to_json())


# --- Wrong usage ----------------------------------------------------------------------------------


WRONG: dict[str, tuple[list[str], int, str]] = {
    "nothing": ([], 2, "no baseline; expected --baseline"),
    "no new system": (["--baseline", "a.txt"], 2, "no new system; expected -i"),
    "two new systems": (["--baseline", "a.txt", "-i", "b.txt", "c.txt"], 2, "run it for each"),
    "no reference": (["--baseline", "a.txt", "-i", "b.txt"], 2, "no reference; expected a file"),
    "no baseline": (["ref.txt", "-i", "b.txt"], 2, "no baseline; expected --baseline"),
    "the old flag": (["--baseline", "a.txt", "--ref", "ref.txt", "-i", "b.txt"], 2, "--ref"),
    "an empty name": (["--baseline", "", *TEXTS], 2, "shell variable empty?"),
    "standard input twice": (["--baseline", "-", "ref.txt", "-i", "-"], 2, "only once"),
    "no file": (["--baseline", "aa.txt", *TEXTS], 1, "the nearest name"),
    "no metric": (["--baseline", "a.txt", *TEXTS, "-m", "blue"], 2, "did you mean bleu?"),
    "a stray option": (["--baseline", "a.txt", *TEXTS, "--chrf-beta", "1"], 2, "--chrf-beta"),
    "no limit": (["--baseline", "a.txt", *TEXTS, "--fail-on", "drop"], 2, "--max-drop must be set"),
    "a rise": (["--baseline", "a.txt", *TEXTS, "--max-drop", "-1"], 2, "--max-drop must be"),
    "a drop of no metric": (
        ["--baseline", "a.txt", *TEXTS, "--max-drop", "blue=0.3"],
        2,
        "--max-drop names the metric 'blue', which does not exist (did you mean bleu?)",
    ),
    "a drop of another metric": (
        ["--baseline", "a.txt", *TEXTS, "--max-drop", "chrf=0.3"],
        2,
        "--max-drop names chrf, which is not among the metrics (BLEU)",
    ),
    "a drop that is no number": (
        ["--baseline", "a.txt", *TEXTS, "--max-drop", "bleu=nan"],
        2,
        "--max-drop must be a number of points, 0 or more, not bleu=nan",
    ),
    "any drop that is no number": (
        ["--baseline", "a.txt", *TEXTS, "--max-drop", "nan"],
        2,
        "--max-drop must be a number of points, 0 or more, not nan",
    ),
    "a drop below none": (
        ["--baseline", "a.txt", *TEXTS, "--max-drop", "bleu=-1"],
        2,
        "--max-drop must be a number of points, 0 or more, not bleu=-1",
    ),
    "two drops of a metric": (
        ["--baseline", "a.txt", *TEXTS, "--max-drop", "bleu=1", "bleu=2"],
        2,
        "--max-drop has two numbers for bleu: keep one",
    ),
    "two names of a metric": (
        ["--baseline", "a.txt", *TEXTS, "--max-drop", "bleu=1", "BLEU=2"],
        2,
        "--max-drop has two numbers for BLEU, as bleu and as BLEU: keep one",
    ),
    "two drops of all metrics": (
        ["--baseline", "a.txt", *TEXTS, "--max-drop", "1", "2"],
        2,
        "--max-drop has two numbers for all metrics: keep one",
    ),
    "a name of two metrics": (
        [
            "--baseline",
            "a.txt",
            *TEXTS,
            "-m",
            "bleu:lowercase",
            "bleu:tokenize=intl",
            "--min",
            "bleu=1",
        ],
        2,
        "add the options of one, as in bleu:tokenize=intl=30",
    ),
    "a metric that may drop": (
        [
            "--baseline",
            "a.txt",
            *TEXTS,
            "-m",
            "bleu",
            "ter",
            "--fail-on",
            "drop",
            "--max-drop",
            "bleu=1",
        ],
        2,
        "--max-drop must be set for TER, too, to fail on a drop that is too large (drop): add "
        "TER=POINTS",
    ),
    "a drop without baseline": (["ref.txt", "-i", "b.txt", "--max-drop", "1"], 2, "needs --base"),
    "a rule without baseline": (["ref.txt", "-i", "b.txt", "--fail-on", "drop"], 2, "needs --base"),
    "a first run without baseline": (["ref.txt", "-i", "b.txt", "--init"], 2, "needs --baseline"),
    "a minimum of a metric that falls": (
        ["ref.txt", "-i", "b.txt", "-m", "ter", "--min", "ter=60"],
        2,
        "--min is not for TER, whose lower scores are better: use max, as in --max TER=60",
    ),
    "a maximum of a metric that rises": (
        ["ref.txt", "-i", "b.txt", "--max", "bleu=60"],
        2,
        "--max is not for BLEU, whose higher scores are better: use min, as in --min BLEU=60",
    ),
    "a minimum of all": (["ref.txt", "-i", "b.txt", "--min", "30"], 2, "--min must be METRIC=N"),
    "a minimum of nothing": (["ref.txt", "-i", "b.txt", "--min", "=30"], 2, "--min must be METRIC"),
    "an endless minimum": (["ref.txt", "-i", "b.txt", "--min", "bleu=inf"], 2, "--min must be a n"),
    "no minimum": (["ref.txt", "-i", "b.txt", "--min"], 2, "--min"),
    "no stored baseline": (
        ["--baseline", "none.json", *TEXTS, "--max-drop", "1"],
        1,
        "there is no file none.json, and no file in its folder has a similar name: check the path; "
        "in a first run, --init writes it",
    ),
    "a first run of texts": (
        ["--baseline", "none.txt", *TEXTS, "--max-drop", "1", "--init"],
        2,
        "--init writes a saved table (.parquet) or scores (.json, .jsonl), not none.txt",
    ),
    "a first run with limits that cannot fail later": (
        ["--baseline", "none.json", *TEXTS, "--init"],
        2,
        "--max-drop must be set where the baseline has scores only",
    ),
    "a first run nowhere": (
        ["--baseline", "no/none.json", *TEXTS, "--max-drop", "1", "--init"],
        1,
        "no/none.json cannot be written because there is no folder",
    ),
    "the name of a first run": (
        ["--baseline", "none.json", "--baseline-system", "a", *TEXTS, "--init"],
        2,
        "--init and --baseline-system exclude each other",
    ),
    "no number": (["--baseline", "a.txt", *TEXTS, "--max-drop", "x"], 2, "must be a number"),
    "certainty": (["--baseline", "a.txt", *TEXTS, "--alpha", "5"], 2, "--alpha must be between"),
    "no draws": (["--baseline", "a.txt", *TEXTS, "--draws", "0"], 2, "--draws must be"),
    "draws that find nothing": (
        ["--baseline", "a.txt", *TEXTS, "--draws", "19"],
        2,
        "no drop can be significant at 0.05 with 19 draws: use 20 or more",
    ),
    "an alpha that nothing is below": (
        ["--baseline", "a.txt", *TEXTS, "--alpha", "0.000001", "--max-drop", "1"],
        2,
        "at 1e-06 with 40000 draws: use 1000000 or more",
    ),
    "no rule": (["--baseline", "a.txt", *TEXTS, "--fail-on", "all"], 2, "--fail-on must be one"),
    "no test": (["--baseline", "a.txt", *TEXTS, "--test", "boot"], 2, "did you mean bootstrap?"),
    "a needless name": (["--baseline", "a.txt", *TEXTS, "--input-system", "x"], 2, "remove it"),
    "scores without limit": (["--baseline", "a.json", *TEXTS], 2, "--max-drop must be set"),
    "a test of scores": (
        ["--baseline", "a.json", *TEXTS, "--fail-on", "significance"],
        2,
        "--fail-on must be drop or either where the baseline has scores only",
    ),
    "new scores": (
        ["--baseline", "a.txt", "ref.txt", "-i", "a.json"],
        2,
        "-i needs hypotheses or a saved table",
    ),
    "other scores": (
        ["--baseline", "a.json", *TEXTS, "--max-drop", "1", "-m", "bleu:lowercase"],
        1,
        "compute both with the same options and references",
    ),
    "other references for scores": (
        ["--baseline", "a.json", "ref.txt", "a.txt", "-i", "b.txt", "--max-drop", "1"],
        1,
        "nrefs:2",
    ),
    "a metric the scores lack": (
        ["--baseline", "a.json", *TEXTS, "--max-drop", "1", "-m", "chrf++"],
        1,
        "a.json has no chrF2++, only BLEU, chrF2, TER",
    ),
    "a language": (["--baseline", "a.json", *TEXTS, "-l", "en-ja"], 2, "those of a file"),
    "a language of tables": (["--baseline", "a.parquet", *TEXTS, "-l", "en-ja"], 2, "of a file"),
    "another tokenizer": (
        ["--baseline", "a.parquet", *TEXTS, "-m", "bleu:tokenize=intl"],
        1,
        "tokenize changes what is counted, and a.parquet",
    ),
    "other references": (
        ["--baseline", "a.parquet", "b.txt", "-i", "b.txt"],
        1,
        "has other references",
    ),
    "more references": (
        ["--baseline", "a.parquet", "ref.txt", "b.txt", "-i", "b.txt"],
        1,
        "has other references",
    ),
    "another length": (
        ["--baseline", "a.parquet", "ref2.txt", "-i", "ref2.txt"],
        1,
        "ref2 has 4 segments and a 40",
    ),
    "a release without baseline": (
        ["ref.txt", "-i", "b.txt", "--release", "a.txt"],
        2,
        "--release needs --baseline",
    ),
    "a release of scores": (
        ["--baseline", "a.txt", "--release", "a.json", *TEXTS],
        2,
        "--release needs hypotheses or saved tables, also as the baseline",
    ),
    "a release beside scores": (
        ["--baseline", "a.json", "--release", "a.txt", *TEXTS, "--max-drop", "1"],
        2,
        "--release needs hypotheses or saved tables, also as the baseline",
    ),
    "a release in a first run": (
        ["--baseline", "x.parquet", "--release", "a.txt", *TEXTS, "--init"],
        2,
        "--init and --release exclude each other",
    ),
    "several releases": (
        ["--baseline", "a.txt", "--release", "ab.parquet", *TEXTS],
        2,
        "select one with --baseline-system",
    ),
    "no changes": (["--baseline", "a.txt", *TEXTS, "--changes", "0"], 2, "--changes must be"),
    "changes without baseline": (
        ["ref.txt", "-i", "b.txt", "--min", "bleu=1", "--changes", "2"],
        2,
        "--changes needs --baseline",
    ),
    "needless references": (
        ["ref.txt", "--baseline", "a.parquet", "-i", "b.parquet"],
        2,
        "both systems are counted already: remove the references",
    ),
    "needless references of one system": (
        ["ref.txt", "-i", "b.parquet", "--min", "bleu=1"],
        2,
        "the system is counted already: remove the references",
    ),
    "several systems": (
        ["--baseline", "ab.parquet", *TEXTS],
        2,
        "select one with --baseline-system",
    ),
    "no such system": (
        ["--baseline", "ab.json", "--baseline-system", "c", *TEXTS, "--max-drop", "1"],
        2,
        "its systems are a, b",
    ),
    "a summary on standard output": (
        ["--baseline", "a.txt", *TEXTS, "--summary", "-"],
        2,
        "for standard output, use -f markdown",
    ),
    "a summary without name": (
        ["--baseline", "a.txt", *TEXTS, "--summary", ""],
        2,
        "is a shell variable empty?",
    ),
    "a summary on the input": (
        ["--baseline", "a.txt", *TEXTS, "--summary", "b.txt"],
        2,
        "would overwrite",
    ),
    "a summary nowhere": (["--baseline", "a.txt", *TEXTS, "--summary", "no/x"], 1, "no folder"),
}


def needs_tables(name: str) -> bool:
    return any(word.endswith(".parquet") for word in WRONG[name][0])


@pytest.mark.parametrize("name", [name for name in WRONG if not needs_tables(name)])
def test_wrong_usage(scored: Run, name: str) -> None:
    check_one_line(scored, *WRONG[name])


@pytest.mark.libraries
@pytest.mark.parametrize("name", [name for name in WRONG if needs_tables(name)])
def test_wrong_usage_of_saved_tables(stored: Run, name: str) -> None:
    check_one_line(stored, *WRONG[name])


def check_one_line(gate: Run, arguments: list[str], code: int, message: str) -> None:
    outcome = gate(*arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


SIGNATURE = (
    "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no"
    f"|version:bleuet-{__version__}=sacrebleu-2.6.0"
)
SCORE = {"system": "a", "name": "TER", "score": 1.0, "signature": SIGNATURE}
NO_SCORES: dict[str, tuple[object, str]] = {
    "no list": (SCORE, "it is not a list"),
    "nothing": ([], "it is empty"),
    "not an object": ([1], "not an object"),
    "no fingerprint": ([{**SCORE, "test_set": "mine"}], "the test_set of TER is not"),
    "no system": ([{**SCORE, "system": 1}], "has no system"),
    "no signature": ([{"system": "a", "name": "TER", "score": 1}], "has no signature"),
    "no score": ([{**SCORE, "score": "1"}], "the score of TER is not a finite number"),
    "no number": ([{**SCORE, "score": float("nan")}], "the score of TER is not a finite number"),
    "a truth": ([{**SCORE, "score": True}], "the score of TER is not a finite number"),
    "beyond floats": (
        [{**SCORE, "score": 10**400}],
        "the score of TER is not a finite number",
    ),
    "negative": ([{**SCORE, "score": -1}], "the score of TER is not a number of 0 or more"),
    "twice": ([SCORE, {**SCORE, "score": 2}], "it has two scores of a by TER|"),
    "segments": ([{**SCORE, "segment": 1}], "of single segments"),
    "no metric": ([{**SCORE, "signature": "nrefs:1"}], "s.json: "),
    "rubbish": ([{**SCORE, "signature": ""}], "s.json: "),
}


@pytest.mark.parametrize("name", NO_SCORES)
def test_invalid_scores(gate: Run, name: str) -> None:
    scores, message = NO_SCORES[name]
    Path("s.json").write_text(json.dumps(scores))
    outcome = gate("--baseline", "s.json", *TEXTS, "--max-drop", "1")
    assert (outcome.code, outcome.out) == (1, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\xff"])
def test_scores_that_are_not_json(gate: Run, text: str) -> None:
    Path("s.json").write_bytes(text.encode("latin-1"))
    outcome = gate("--baseline", "s.json", *TEXTS, "--max-drop", "1")
    assert (outcome.code, outcome.err.count("\n")) == (1, 1)


# --- What it writes -------------------------------------------------------------------------------


def test_the_summary_is_appended(gate: Run) -> None:
    Path("summary.md").write_text("# Before\n\n")
    arguments = ("--baseline", "a.txt", *TEXTS, "--max-drop", "0.3", "-m", "bleu", "ter")
    markdown = gate(*arguments, "-f", "markdown", "-w", "1", "--short")
    again = gate(*arguments, "--summary", "summary.md", "-w", "1", "--short")
    assert again.code == 3
    assert Path("summary.md").read_text() == f"# Before\n\n{markdown.out}\n"
    assert markdown.out.startswith("## Translation quality: failed by BLEU, TER\n")


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format_has_the_verdict_and_the_exit_code(gate: Run, format_: str) -> None:
    outcome = gate("--baseline", "a.txt", *TEXTS, "-m", *SCORES, "-f", format_)
    assert (outcome.code, outcome.err) == (3, "")
    texts = {"a": SYSTEM_A * 10, "b": SYSTEM_B * 10}
    expected = gate_systems(Evaluation.count(list(SCORES), texts, REFERENCE * 10), Limits())
    assert outcome.out == expected.render(format_)


def test_the_output_is_all_or_nothing(gate: Run) -> None:
    arguments = ("--baseline", "a.txt", *TEXTS, "-f", "json")
    expected = gate(*arguments)
    assert gate(*arguments, "-o", "verdict.json") == Outcome(3, "", "")
    assert Path("verdict.json").read_text() == expected.out
    assert gate("ref2.txt", "--baseline", "a.txt", "-i", "b.txt", "-o", "new").code == 1
    assert not Path("new").exists()


@pytest.mark.slow
def test_a_closed_pipe_does_not_change_the_verdict(gate: Run) -> None:
    arguments = command("gate", "--baseline", "a.txt", *TEXTS)
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        arguments, stdout=writing, stderr=subprocess.PIPE, env=environment(), check=False
    )
    os.close(writing)
    assert (process.returncode, process.stderr) == (3, b"")


@pytest.mark.slow
def test_it_runs_as_a_command_and_explains_itself(gate: Run) -> None:
    assert run_apart("gate", "--baseline", "a.txt", *TEXTS).code == 3
    text = gate("--help").out
    assert all(rule in text for rule in RULES)
    assert all(n in text for flag in COMMAND.flags for n in flag.names if n != "references")


# --- Many changes ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "changes"),
    [
        ((), 1),
        (("--history", "h.jsonl"), 20),
        (("--history", "h.jsonl", "--changes", "3"), 3),
        (("--history", "h.jsonl", "--changes", "1"), 1),
    ],
)
def test_a_gate_with_a_history_plans_changes(gate: Run, words: list[str], changes: int) -> None:
    outcome = gate("--baseline", "a.txt", *TEXTS, *words, "-f", "json")
    assert verdicts(outcome)["changes"] == changes


@pytest.mark.libraries
def test_a_first_run_asks_for_the_number_of_changes(gate: Run) -> None:
    arguments = ("--baseline", "first.parquet", *TEXTS, "--init")
    asks = "For a gate of every change, add --history FILE or --changes N"
    assert asks in gate(*arguments).out
    assert asks not in gate(*arguments).out  # the second run has a baseline
    for words in (("--changes", "20"), ("--history", "h.jsonl")):
        Path("first.parquet").unlink()
        assert asks not in gate(*arguments, *words).out


@pytest.mark.libraries
def test_a_system_has_one_name_in_the_history(gate: Run) -> None:
    for name in ("a.txt", "b.txt", "a.txt"):
        Path("new.txt").write_bytes(Path(name).read_bytes())
        arguments = ("--baseline", "main.parquet", "-i", "new.txt", "--history", "h.jsonl")
        assert gate("ref.txt", *arguments, "--init").code in (0, 3)
    other = ("--baseline", "b.txt", "-i", "new.txt", "--history", "h.jsonl")
    gate("ref.txt", *other)
    assert [run.system for run in read_history("h.jsonl").runs] == ["new.txt"] * 4


def best(gate: Run, *words: str) -> Outcome:
    arguments = ("--max-drop", "1", "--baseline", "best", "--history", "h.jsonl")
    return gate(*arguments, *words)


def test_the_baseline_is_the_best_run_of_the_history(gate: Run) -> None:
    texts = ("ref.txt", "-m", "bleu", "ter")
    empty = best(gate, *texts, "-i", "a.txt", "--label", "v1")
    assert (empty.code, empty.out) == (1, "")
    assert "h.jsonl has no run that passed on this test set by these metrics; in a" in empty.err
    first = best(gate, *texts, "-i", "b.txt", "--label", "v1", "--init")
    assert first.code == 0
    assert "There was no baseline yet: h.jsonl was written from b.txt.\n" in first.out
    assert best(gate, *texts, "-i", "a.txt", "--label", "v2").code == 0
    # The metrics are those of the history.
    worse = best(gate, "ref.txt", "-i", "b.txt", "--label", "v3", "-f", "json")
    assert worse.code == 3
    found = verdicts(worse)
    assert [check["metric"] for check in found["checks"]] == ["BLEU", "TER"]
    assert found["baseline"] == "v2"
    assert found["test"] is None
    # A run that failed is no baseline, even if it is the newest.
    again = best(gate, *texts, "-i", "a.txt", "--label", "v4")
    assert "a.txt is compared with the baseline v2.\n" in again.out
    assert "v2 is the best of 2 runs that passed, by BLEU. The best of several" in again.out


def test_the_best_run_is_of_this_test_set_by_these_metrics(gate: Run) -> None:
    write_lines(Path("ref2.txt"), [line.upper() for line in REFERENCE] * 10)
    assert best(gate, "ref.txt", "-i", "a.txt", "--label", "v1", "--init").code == 0
    wrong = {
        ("ref2.txt",): "h.jsonl, run v1, was scored on another test set than b.txt: it has other",
        ("ref.txt", "-m", "ter"): "h.jsonl, run v1, has no TER, only BLEU",
        ("ref.txt", "-m", "bleu:tokenize=char"): "has BLEU with tok:13a, and the new score has",
    }
    for words, message in wrong.items():
        before = Path("h.jsonl").read_bytes()
        outcome = best(gate, *words, "-i", "b.txt")
        assert (outcome.code, outcome.out) == (1, "")
        assert message in outcome.err
        assert outcome.err.count("\n") == 1
        assert Path("h.jsonl").read_bytes() == before
    # Known differences leave a run out.
    outcome = best(gate, "ref2.txt", "-i", "b.txt", "--allow-mismatch")
    assert "h.jsonl has no run that passed on this test set" in outcome.err
    assert best(gate, "ref.txt", "-i", "a.txt").code == 0


def test_the_best_run_needs_a_history_and_a_limit(gate: Run) -> None:
    outcome = gate("--baseline", "best", *TEXTS, "--max-drop", "1")
    assert (outcome.code, "name it with --history" in outcome.err) == (2, True)
    best(gate, "ref.txt", "-i", "a.txt", "--init")
    outcome = gate("--baseline", "best", *TEXTS, "--history", "h.jsonl")
    assert "--max-drop must be set where the baseline has scores only" in outcome.err
    # A file of that name comes first.
    Path("best").write_bytes(Path("a.txt").read_bytes())
    assert "the baseline best" in gate("--baseline", "best", *TEXTS).out
