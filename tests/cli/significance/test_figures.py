"""The figures of `bleuet significance` are those of the study, of compare and of sacreBLEU."""

from __future__ import annotations

import json

import pytest

from bleuet import BLEU, CHRF
from bleuet.significance import TestSettings, expected_agreement, paired_test
from bleuet.significance.settings import MULTEVAL_RANDOMIZATION, TESTS_OF_ONE_RUN
from tests.cli.significance.corpora import (
    FILES,
    METRICS,
    SEGMENTS,
    Run,
    found,
    systems,
)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("test", [*TESTS_OF_ONE_RUN, MULTEVAL_RANDOMIZATION])
@pytest.mark.parametrize("pairs", [[], ["--all-pairs"], ["--baseline", "b.txt"]])
def test_the_results_are_those_of_the_study(significance: Run, test: str, pairs: list[str]) -> None:
    more = ("--test", test, "--draws", "200", "--seed", "3", "--correction", "bonferroni")
    values = found(significance(*FILES, *METRICS, *pairs, *more, "-f", "json"))
    expected = paired_test(
        systems("a", "b", "c"),
        TestSettings(
            test=test,
            all_pairs=pairs == ["--all-pairs"],
            baseline="b" if "--baseline" in pairs else None,
            draws=200,
            seed=3,
            correction="bonferroni",
        ),
    )
    for one in values["comparisons"]:
        assert one["significant"] == (one["better"] is not None and one["corrected_p_value"] < 0.05)
        metric = {"BLEU": BLEU(), "chrF2": CHRF()}.get(one["metric"])
        share = metric and one["significant"] and expected_agreement(metric, one["difference"])
        assert one["human_agreement"] == (share or None)
    assert values["baseline"] == {0: "a", 1: None, 2: "b"}[len(pairs)]
    assert values == json.loads(expected.to_json())
    assert (values["segments"], values["seed"], values["test"]) == (SEGMENTS, 3, test)
    drawn = (values["draws"], values["trials"])
    assert drawn == ((200, None) if "bootstrap" in test else (1000, 200))


def test_the_defaults_are_those_of_the_study(significance: Run) -> None:
    values = found(significance(*FILES, "-f", "json"))
    plain = paired_test(systems("a", "b", "c")).to_dict()
    kept = [one for one in plain["comparisons"] if one["metric"] != "TER"]
    for one, expected in zip(values["comparisons"], kept, strict=True):
        assert {key: one[key] for key in expected} == expected
    assert (values["correction"], values["alpha"]) == ("holm", 0.05)
    assert values["scores"][0]["confidence"] == 0.95


@pytest.mark.parametrize("test", TESTS_OF_ONE_RUN)
def test_compare_finds_the_same(significance: Run, run: Run, test: str) -> None:
    more = ("--test", test, "--draws", "300", "--alpha", "0.1", *METRICS, "-f", "json")
    compared = found(run("compare", *FILES, *more, "-q"))["significance"]
    values = found(significance(*FILES, *more, "--all-pairs"))
    assert {key: values[key] for key in compared} == compared


@pytest.mark.usefixtures("significance")  # it writes the files
@pytest.mark.parametrize("words", [("compare",), ("gate", "--baseline", "b.txt")])
def test_commands_without_runs_have_no_test_of_runs(run: Run, words: tuple[str, ...]) -> None:
    command, *more = words
    outcome = run(command, "ref.txt", "-i", "a.txt", *more, "--test", "multeval-randomization")
    assert outcome.code == 2
    assert "--test must be one of bootstrap, randomization, sacrebleu-bootstrap" in outcome.err
    assert "multeval" not in run(command, "--help").out


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


def test_confidence_levels(significance: Run) -> None:
    arguments = (*FILES, "-m", "ter", "--confidence", "0.8")
    values = found(significance(*arguments, "-f", "json"))
    expected = paired_test(systems("a", "b", "c"), TestSettings(confidence=0.8))
    for one in values["scores"]:
        interval = expected.score(one["system"], "TER").interval
        assert interval is not None
        assert (one["low"], one["high"], one["confidence"]) == (interval.low, interval.high, 0.8)
    out = significance(*arguments).out
    assert "± is half the 80% confidence interval of 1,000 bootstrap draws." in out
    assert "80% interval" in out.split("TER")[1]
    out = significance(*FILES, "-m", "ter", "--confidence", "0.999").out
    assert "± is half the 99.9% confidence interval of 1,000 bootstrap draws." in out
    assert "99.9% interval" in out.split("TER")[1]


def test_the_environment_may_set_the_seed(
    significance: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    assert significance(*FILES).out == significance(*FILES, "--seed", "7").out
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    assert "10,000 trials, no seed" in significance(*FILES).out


def test_threads_change_nothing(significance: Run) -> None:
    assert significance(*FILES, "-t", "2") == significance(*FILES)
