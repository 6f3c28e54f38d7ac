"""`bleuet gate`: exit code 3 for what is worse, by the rules asked for, from any baseline."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU, CHRF, TER, InputTypeError, OptionError
from bleuet.cli.gate.command import gate_parser
from bleuet.studies.gate import RULES, TESTS, Limits, gate_scores, gate_tables
from bleuet.studies.significance import (
    Systems,
    paired_approximate_randomization,
    paired_bootstrap,
)
from tests.cli.conftest import (
    REFERENCE,
    SYSTEM_A,
    SYSTEM_B,
    Outcome,
    command,
    environment,
    run_apart,
    write_lines,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleuet.metrics.metric import Metric

# Worse, but by little and in one segment only, so that chance makes as much.
NEARLY_A = [*SYSTEM_A[:3], "tea pleased"]
SCORES: dict[str, Metric] = {"bleu": BLEU(), "chrf": CHRF(), "ter": TER()}
TEXTS = ("--ref", "ref.txt", "-i", "b.txt")


@pytest.fixture
def gate(run: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """The command, where the systems are long enough for a test to tell them apart."""
    for name, lines in (
        ("ref.txt", REFERENCE),
        ("a.txt", SYSTEM_A),
        ("b.txt", SYSTEM_B),
        ("c.txt", NEARLY_A),
    ):
        write_lines(Path(name), lines * 10)
    write_lines(Path("c.txt"), SYSTEM_A * 9 + NEARLY_A)

    def run_gate(*arguments: str) -> Outcome:
        return run("gate", *arguments)

    return run_gate


def verdicts(outcome: Outcome) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(outcome.out)
    return found


# --- When it fails --------------------------------------------------------------------------------


def test_a_size_that_fails_nothing_is_not_called_a_limit(gate: Callable[..., Outcome]) -> None:
    arguments = ("--baseline", "a.txt", "--ref", "ref.txt", "-i", "b.txt", "--max-drop", "0.3")
    for rule, says in (
        ("either", "drops up to 0.3 are allowed"),
        ("both", "drops up to 0.3 are allowed"),
        ("drop", "drops up to 0.3 are allowed"),
        ("significance", "drops larger than 0.3 are told, and pass"),
    ):
        assert says in gate(*arguments, "--fail-on", rule).out


def test_a_better_system_passes_and_a_worse_one_fails(gate: Callable[..., Outcome]) -> None:
    metrics = ("-m", "bleu", "chrf", "ter", "--max-drop", "0.3")
    worse = gate("--baseline", "a.txt", "--ref", "ref.txt", "-i", "b.txt", *metrics)
    assert (worse.code, worse.err) == (3, "")
    assert "failed by BLEU, chrF2, TER: b.txt instead of a.txt" in worse.out
    better = gate("--baseline", "b.txt", "--ref", "ref.txt", "-i", "a.txt", *metrics)
    assert (better.code, better.err) == (0, "")
    assert "passed: a.txt instead of b.txt" in better.out
    same = gate("--baseline", "a.txt", "--ref", "ref.txt", "-i", "a.txt", *metrics)
    assert same.code == 0
    assert "a.txt (new) instead of a.txt (baseline)" in same.out


@pytest.mark.parametrize("metric", SCORES)
def test_the_drop_is_how_much_worse(gate: Callable[..., Outcome], metric: str) -> None:
    arguments = ("--baseline", "a.txt", *TEXTS, "-m", metric, "-f", "json")
    (check,) = verdicts(gate(*arguments))["checks"]
    scores = [
        SCORES[metric].corpus_score(texts * 10, REFERENCE * 10).score
        for texts in (SYSTEM_A, SYSTEM_B)
    ]
    assert (check["baseline"], check["new"]) == tuple(scores)
    assert check["drop"] == abs(scores[0] - scores[1])
    (check,) = verdicts(
        gate("--baseline", "b.txt", "--ref", "ref.txt", "-i", "a.txt", "-m", metric, "-f", "json")
    )["checks"]
    assert check["drop"] == -abs(scores[0] - scores[1])
    assert not check["fails"]


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("seed", [None, 0, 7])
def test_the_p_values_are_those_of_the_paired_tests(
    gate: Callable[..., Outcome], test: str, seed: int | None
) -> None:
    more = [] if seed is None else ["--seed", str(seed)]
    arguments = ["--baseline", "a.txt", "--ref", "ref.txt", "-i", "c.txt", "-m", "bleu", "chrf"]
    found = verdicts(gate(*arguments, "-f", "json", "--test", test, "--draws", "300", *more))
    texts = {"a": SYSTEM_A * 10, "c": SYSTEM_A * 9 + NEARLY_A}
    systems = Systems.count([BLEU(), CHRF()], texts, REFERENCE * 10)
    number = 12345 if seed is None else seed
    if test == "bootstrap":
        expected = paired_bootstrap(systems, draws=300, seed=number)
    else:
        expected = paired_approximate_randomization(systems, trials=300, seed=number, ties="count")
    assert [check["p_value"] for check in found["checks"]] == [
        comparison.p_value for comparison in expected.comparisons
    ]
    assert (found["draws"], found["seed"]) == (300, number)


def test_the_environment_may_set_the_seed(
    gate: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["--baseline", "a.txt", "--ref", "ref.txt", "-i", "c.txt"]
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    assert "seed 7, alpha" in gate(*arguments).out
    assert gate(*arguments).out == gate(*arguments, "--seed", "7").out
    assert "seed 0, alpha" in gate(*arguments, "--seed", "0").out
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    assert "no seed, alpha" in gate(*arguments).out
    monkeypatch.setenv("SACREBLEU_SEED", "often")
    refused = gate(*arguments)
    assert refused.code == 2
    assert "SACREBLEU_SEED must be a whole number or 'none', not 'often'" in refused.err


def test_the_rules(gate: Callable[..., Outcome]) -> None:
    """Every rule on every pair of what can be: a drop too large or not, significant or not."""
    system = {(True, True): "b.txt", (False, True): "b.txt", (True, False): "c.txt"}
    for large, sure in itertools.product((True, False), repeat=2):
        name = system.get((large, sure), "c.txt")
        limit = "0.001" if large else "90"
        alpha = ["--alpha", "0.0001"] if name == "b.txt" and not sure else []
        arguments = ("--baseline", "a.txt", "--ref", "ref.txt", "-i", name, "--max-drop", limit)
        for rule, expected in {
            "either": large or sure,
            "both": large and sure,
            "drop": large,
            "significance": sure,
        }.items():
            outcome = gate(*arguments, *alpha, "--fail-on", rule, "-f", "json")
            (check,) = verdicts(outcome)["checks"]
            assert check["too_large"] == large
            assert check["significant"] == (sure and rule != "drop")
            assert outcome.code == (3 if expected else 0), (large, sure, rule)
            assert verdicts(outcome)["passed"] == (outcome.code == 0)


def test_no_difference_is_never_significant(gate: Callable[..., Outcome]) -> None:
    for test in TESTS:
        arguments = ("--baseline", "a.txt", "--ref", "ref.txt", "-i", "a.txt", "--test", test)
        outcome = gate(*arguments, "--draws", "50", "-f", "json")
        (check,) = verdicts(outcome)["checks"]
        assert (check["drop"], check["p_value"], outcome.code) == (0, 1.0, 0)


@pytest.mark.parametrize("test", TESTS)
def test_one_changed_segment_is_not_significant(gate: Callable[..., Outcome], test: str) -> None:
    arguments = ("--baseline", "a.txt", "--ref", "ref.txt", "-i", "c.txt", "-m", *SCORES)
    found = verdicts(gate(*arguments, "--test", test, "-f", "json"))
    drops = [check["drop"] for check in found["checks"]]
    assert found["passed"]
    assert max(drops) > 0
    if test == "randomization":
        assert found["test"] == "paired approximate randomization (ties count)"
        assert [check["p_value"] for check in found["checks"]] == [1.0] * len(SCORES)


def test_few_segments_are_tested_by_randomization(gate: Callable[..., Outcome]) -> None:
    """A bootstrap of a handful calls drops significant that chance makes."""
    arguments = ("--baseline", "a.txt", "--ref", "ref.txt", "-i", "b.txt", "-f", "json")
    for times, test in ((24, "randomization"), (25, "bootstrap")):
        for name, lines in (("ref.txt", REFERENCE), ("a.txt", SYSTEM_A), ("b.txt", SYSTEM_B)):
            write_lines(Path(name), lines * times)
        found = verdicts(gate(*arguments))
        asked = verdicts(gate(*arguments, "--test", test))
        assert (found["segments"], found["test"]) == (4 * times, TESTS[test][0])
        assert found["checks"] == asked["checks"]
        assert bool(found["note"]) == (test == "randomization")
        assert asked["note"] == ""


def test_what_few_segments_make_of_the_test_is_said(gate: Callable[..., Outcome]) -> None:
    arguments = ("--baseline", "a.txt", *TEXTS, "--max-drop", "90")
    chosen = "40 segments are too few for a bootstrap, so that the test is a randomization."
    asked = "40 segments are too few for a bootstrap, which finds differences too often"
    assert chosen in gate(*arguments).out
    assert chosen in gate(*arguments, "-f", "markdown").out
    assert asked in gate(*arguments, "--test", "bootstrap").out
    assert gate(*arguments, "--test", "bootstrap").err == ""
    assert "too few" not in gate(*arguments, "--test", "randomization").out
    assert "too few" not in gate(*arguments, "--fail-on", "drop").out


@pytest.mark.parametrize(("segments", "alpha"), [(5, 0.05), (6, 0.05), (5, 0.1), (1, 0.9)])
def test_where_no_drop_can_be_significant_it_is_said(segments: int, alpha: float) -> None:
    """However large it is, as the systems change places in few ways, whatever chance picks."""
    tables = {"old": ["a b"] * segments, "new": ["c"] * segments}
    systems = Systems.count([TER()], tables, ["a b"] * segments)
    for test in (None, "randomization"):
        result = gate_tables(systems, Limits(alpha=alpha), test=test, draws=100_000)
        assert result.passed == ("No drop can be significant" in result.note)
        assert result.passed == (2 ** (1 - segments) >= alpha)


def test_limits_are_limits() -> None:
    systems = Systems.count([TER()], {"old": ["a b"], "new": ["a"]}, ["a b"])
    for limits in (0.3, {"max_drop": 0.3}, None):
        with pytest.raises(InputTypeError, match=r"as Limits\(max_drop=0.3\), not as"):
            gate_tables(systems, limits)  # type: ignore[arg-type]
        with pytest.raises(InputTypeError, match="limits are given as"):
            gate_scores("old", "new", [1.0], [], limits)  # type: ignore[arg-type]


def test_a_drop_of_just_the_allowed_size_passes() -> None:
    before, after = TER().corpus_score(["a"], ["a"]), TER().corpus_score(["a b"], ["a"])
    for limit, passed in ((100.0, True), (99.999, False), (0.0, False)):
        found = gate_scores("old", "new", [before], [after], Limits(limit, fail_on="drop"))
        assert (found.checks[0].drop, found.passed) == (100.0, passed)


def test_one_metric_that_fails_fails_the_gate(gate: Callable[..., Outcome]) -> None:
    more = ("-m", "bleu", "ter", "--fail-on", "drop", "--max-drop", "45")
    drops = {
        check["metric"]: check["drop"]
        for check in verdicts(gate("--baseline", "a.txt", *TEXTS, *more, "-f", "json"))["checks"]
    }
    assert len({drop > 45 for drop in drops.values()}) == 2, drops
    assert gate("--baseline", "a.txt", *TEXTS, *more).code == 3


def test_limits_that_make_no_sense() -> None:
    wrong: list[dict[str, Any]] = [
        {"max_drop": -1},
        {"max_drop": float("nan")},
        {"max_drop": float("inf")},
        {"max_drop": "0.3"},
        {"alpha": "0.05"},
        {"alpha": 0},
        {"alpha": 1},
        {"alpha": float("nan")},
        {"fail_on": "any"},
        {"fail_on": "both"},
        {"fail_on": "drop"},
    ]
    for settings in wrong:
        with pytest.raises(OptionError):
            Limits(**settings)
    systems = Systems.count([TER()], {"a": ["x"], "b": ["y"], "c": ["z"]}, ["x"])
    with pytest.raises(OptionError, match="a baseline and a new system, not 3"):
        gate_tables(systems, Limits())
    with pytest.raises(OptionError, match="test must be one of bootstrap, randomization"):
        gate_tables(
            Systems.count([TER()], {"a": ["x"], "b": ["y"]}, ["x"]), Limits(), test="t-test"
        )


# --- What the baseline can be ---------------------------------------------------------------------


@pytest.fixture
def stored(gate: Callable[..., Outcome], run: Callable[..., Outcome]) -> Callable[..., Outcome]:
    """The gate, with a.txt saved as a table and as scores by three metrics."""
    pytest.importorskip("pyarrow")
    texts = ("score", "ref.txt", "-i", "a.txt", "-m", "bleu", "chrf", "ter")
    assert run(*texts, "--save-table", "a.parquet", "-f", "json", "-o", "a.json").code == 0
    assert run(*texts, "-f", "jsonl", "-o", "a.jsonl").code == 0
    texts = ("score", "ref.txt", "-i", "b.txt", "-m", "bleu", "chrf", "ter")
    assert run(*texts, "--save-table", "b.parquet").code == 0
    both = ("score", "ref.txt", "-i", "a.txt", "b.txt", "-m", "bleu")
    assert run(*both, "--save-table", "ab.parquet", "-f", "json", "-o", "ab.json").code == 0
    return gate


METRICS = ("-m", "bleu", "chrf", "ter")


def test_a_saved_table_stands_for_its_texts(stored: Callable[..., Outcome]) -> None:
    limit = ("--max-drop", "0.3")
    expected = stored("--baseline", "a.txt", *TEXTS, *METRICS, *limit)
    assert expected.code == 3
    assert stored("--baseline", "a.parquet", *TEXTS, *limit) == expected
    assert stored("--baseline", "a.parquet", *TEXTS, *METRICS, *limit) == expected
    assert stored("--baseline", "a.parquet", "-i", "b.parquet", *limit) == expected
    mixed = ("--baseline", "a.txt", "--ref", "ref.txt", "-i", "b.parquet")
    assert stored(*mixed, *limit) == expected
    smoothed = ("-m", "bleu", "--smooth", "floor")
    expected = stored("--baseline", "a.txt", *TEXTS, *smoothed)
    assert stored("--baseline", "a.parquet", *TEXTS, *smoothed) == expected


@pytest.mark.parametrize("scores", ["a.json", "a.jsonl"])
def test_stored_scores_tell_the_drop(stored: Callable[..., Outcome], scores: str) -> None:
    limit = ("--max-drop", "0.3", "--fail-on", "drop")
    expected = stored("--baseline", "a.txt", *TEXTS, *METRICS, *limit)
    assert stored("--baseline", scores, *TEXTS, *limit) == expected
    assert stored("--baseline", scores, *TEXTS, *METRICS, *limit) == expected
    assert stored("--baseline", scores, "-i", "b.parquet", *limit) == expected
    either = stored("--baseline", scores, *TEXTS, "--max-drop", "0.3")
    assert (either.code, "no test was made" in either.out) == (3, True)


def test_one_of_several_systems(stored: Callable[..., Outcome]) -> None:
    limit = ("--max-drop", "0.3", "-m", "bleu")
    expected = stored("--baseline", "a.txt", *TEXTS, *limit)
    chosen = ("--baseline-system", "a.txt")
    assert stored("--baseline", "ab.parquet", *chosen, *TEXTS, *limit) == expected
    both = ("--baseline", "ab.parquet", *chosen, "-i", "ab.parquet", "--input-system", "b.txt")
    assert stored(*both, *limit) == expected
    from_scores = stored("--baseline", "ab.json", *chosen, *TEXTS, "--max-drop", "0.3")
    assert from_scores.code == 3


WRONG: dict[str, tuple[list[str], int, str]] = {
    "nothing": ([], 2, "no baseline was given"),
    "no new system": (["--baseline", "a.txt"], 2, "no new system was given"),
    "two new systems": (["--baseline", "a.txt", "-i", "b.txt", "c.txt"], 2, "run it for each"),
    "no reference": (["--baseline", "a.txt", "-i", "b.txt"], 2, "expected --ref with a file"),
    "texts without flags": (["a.txt", "b.txt"], 2, "files stand behind options"),
    "an empty name": (["--baseline", "", *TEXTS], 2, "variable of the shell empty?"),
    "standard input twice": (["--baseline", "-", "--ref", "ref.txt", "-i", "-"], 2, "only once"),
    "no file": (["--baseline", "aa.txt", *TEXTS], 1, "the nearest name"),
    "no metric": (["--baseline", "a.txt", *TEXTS, "-m", "blue"], 2, "did you mean bleu?"),
    "a stray option": (["--baseline", "a.txt", *TEXTS, "--chrf-beta", "1"], 2, "add chrf to -m"),
    "no limit": (["--baseline", "a.txt", *TEXTS, "--fail-on", "both"], 2, "give --max-drop"),
    "a rise": (["--baseline", "a.txt", *TEXTS, "--max-drop", "-1"], 2, "--max-drop must be"),
    "no number": (["--baseline", "a.txt", *TEXTS, "--max-drop", "x"], 2, "must be a number"),
    "certainty": (["--baseline", "a.txt", *TEXTS, "--alpha", "5"], 2, "--alpha must lie between"),
    "no draws": (["--baseline", "a.txt", *TEXTS, "--draws", "0"], 2, "--draws must be"),
    "draws that find nothing": (
        ["--baseline", "a.txt", *TEXTS, "--draws", "19"],
        2,
        "no drop can be significant at 0.05 with 19 draws: give --draws 20 or more",
    ),
    "an alpha that nothing is below": (
        ["--baseline", "a.txt", *TEXTS, "--alpha", "0.0000301", "--max-drop", "1"],
        2,
        "at 3.01e-05 with 10000 draws: give --draws 33222 or more",
    ),
    "no rule": (["--baseline", "a.txt", *TEXTS, "--fail-on", "all"], 2, "--fail-on must be one"),
    "no test": (["--baseline", "a.txt", *TEXTS, "--test", "boot"], 2, "did you mean bootstrap?"),
    "a needless name": (["--baseline", "a.txt", *TEXTS, "--input-system", "x"], 2, "leave it out"),
    "scores without limit": (["--baseline", "a.json", *TEXTS], 2, "give --max-drop"),
    "a test of scores": (
        ["--baseline", "a.json", *TEXTS, "--fail-on", "significance"],
        2,
        "scores alone tell how large a drop is",
    ),
    "new scores": (["--baseline", "a.txt", "--ref", "ref.txt", "-i", "a.json"], 2, "give texts"),
    "options of scores": (
        ["--baseline", "a.json", *TEXTS, "--max-drop", "1", "--lowercase"],
        2,
        "so --lowercase has no place: name metrics with -m",
    ),
    "other scores": (
        ["--baseline", "a.json", *TEXTS, "--max-drop", "1", "-m", "bleu", "--lowercase"],
        1,
        "score both in the same way",
    ),
    "other references for scores": (
        ["--baseline", "a.json", "--ref", "ref.txt", "a.txt", "-i", "b.txt", "--max-drop", "1"],
        1,
        "nrefs:2",
    ),
    "a metric the scores lack": (
        ["--baseline", "a.json", *TEXTS, "--max-drop", "1", "-m", "chrf++"],
        1,
        "a.json has no such score",
    ),
    "a language": (["--baseline", "a.json", *TEXTS, "-l", "en-ja"], 2, "those of a file"),
    "a language of tables": (["--baseline", "a.parquet", *TEXTS, "-l", "en-ja"], 2, "of a file"),
    "another tokenizer": (
        ["--baseline", "a.parquet", *TEXTS, "-m", "bleu", "--tokenize", "intl"],
        1,
        "--tokenize changes what is counted",
    ),
    "other references": (
        ["--baseline", "a.parquet", "--ref", "b.txt", "-i", "c.txt"],
        1,
        "were counted against different references",
    ),
    "more references": (
        ["--baseline", "a.parquet", "--ref", "ref.txt", "b.txt", "-i", "c.txt"],
        1,
        "were counted against different references",
    ),
    "another length": (
        ["--baseline", "a.parquet", "--ref", "ref2.txt", "-i", "ref2.txt"],
        1,
        "a.txt has 40 segments, and ref2.txt has 4",
    ),
    "needless references": (
        ["--baseline", "a.parquet", "-i", "b.parquet", "--ref", "ref.txt"],
        2,
        "leave --ref out",
    ),
    "several systems": (["--baseline", "ab.parquet", *TEXTS], 2, "one with --baseline-system"),
    "no such system": (
        ["--baseline", "ab.json", "--baseline-system", "c", *TEXTS, "--max-drop", "1"],
        2,
        "its systems are a.txt, b.txt",
    ),
    "a summary on standard output": (
        ["--baseline", "a.txt", *TEXTS, "--summary", "-"],
        2,
        "for standard output, -f markdown",
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


@pytest.mark.parametrize("name", WRONG)
def test_what_is_refused(stored: Callable[..., Outcome], name: str) -> None:
    arguments, code, says = WRONG[name]
    outcome = stored(*arguments)
    assert (outcome.code, outcome.out) == (code, "")
    assert says in outcome.err
    assert outcome.err.count("\n") == 1


SCORE = {"system": "a", "name": "TER", "score": 1.0, "signature": str(TER().signature())}
NO_SCORES: dict[str, tuple[object, str]] = {
    "no list": (SCORE, "it is no list"),
    "nothing": ([], "it is empty"),
    "no object": ([1], "no object"),
    "no system": ([{**SCORE, "system": 1}], "has no system"),
    "no signature": ([{"system": "a", "name": "TER", "score": 1}], "has no signature"),
    "no score": ([{**SCORE, "score": "1"}], "the score of TER is no number"),
    "no number": ([{**SCORE, "score": float("nan")}], "the score of TER is no number"),
    "a truth": ([{**SCORE, "score": True}], "the score of TER is no number"),
    "segments": ([{**SCORE, "segment": 1}], "of single segments"),
    "no metric": ([{**SCORE, "signature": "nrefs:1"}], "s.json: no metric signs with"),
    "rubbish": ([{**SCORE, "signature": ""}], "s.json: "),
}


@pytest.mark.parametrize("name", NO_SCORES)
def test_scores_that_are_none(gate: Callable[..., Outcome], name: str) -> None:
    scores, says = NO_SCORES[name]
    Path("s.json").write_text(json.dumps(scores))
    outcome = gate("--baseline", "s.json", *TEXTS, "--max-drop", "1")
    assert (outcome.code, outcome.out) == (1, "")
    assert says in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "\xff"])
def test_scores_that_are_no_json(gate: Callable[..., Outcome], text: str) -> None:
    Path("s.json").write_bytes(text.encode("latin-1"))
    outcome = gate("--baseline", "s.json", *TEXTS, "--max-drop", "1")
    assert (outcome.code, outcome.err.count("\n")) == (1, 1)


# --- What it writes -------------------------------------------------------------------------------


def test_the_summary_is_appended_to(gate: Callable[..., Outcome]) -> None:
    Path("summary.md").write_text("# Before\n\n")
    arguments = ("--baseline", "a.txt", *TEXTS, "--max-drop", "0.3", "-m", "bleu", "ter")
    markdown = gate(*arguments, "-f", "markdown")
    again = gate(*arguments, "--summary", "summary.md")
    assert again.code == 3
    assert Path("summary.md").read_text() == f"# Before\n\n{markdown.out}\n"
    assert markdown.out.startswith("### Translation quality: failed by BLEU, TER\n")
    rows = [line.split(" | ") for line in markdown.out.splitlines() if line.startswith("| ")]
    assert [len(row) for row in rows] == [6, 6, 6, 6]


def test_names_cannot_write_markdown(gate: Callable[..., Outcome]) -> None:
    os.rename("b.txt", "b|<img src=x>.txt")
    outcome = gate(
        "--baseline", "a.txt", "--ref", "ref.txt", "-i", "b|<img src=x>.txt", "-f", "markdown"
    )
    assert "b\\|\\<img src=x\\>.txt instead of a.txt" in outcome.out


def test_the_output_is_all_or_nothing(gate: Callable[..., Outcome]) -> None:
    arguments = ("--baseline", "a.txt", *TEXTS, "-f", "json")
    expected = gate(*arguments)
    assert gate(*arguments, "-o", "verdict.json") == Outcome(3, "", "")
    assert Path("verdict.json").read_text() == expected.out
    assert gate("--baseline", "a.txt", "--ref", "ref2.txt", "-i", "b.txt", "-o", "new").code == 1
    assert not Path("new").exists()


def test_a_reader_who_leaves_does_not_open_the_gate(gate: Callable[..., Outcome]) -> None:
    arguments = command("gate", "--baseline", "a.txt", *TEXTS)
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        arguments, stdout=writing, stderr=subprocess.PIPE, env=environment(), check=False
    )
    os.close(writing)
    assert (process.returncode, process.stderr) == (3, b"")


def test_it_runs_as_a_command_and_explains_itself(gate: Callable[..., Outcome]) -> None:
    assert run_apart("gate", "--baseline", "a.txt", *TEXTS).code == 3
    text = gate("--help").out
    assert all(rule in text for rule in RULES)
    flags = [flag for action in gate_parser()._actions for flag in action.option_strings]
    assert all(flag in text for flag in flags if not flag.startswith("--no-"))
