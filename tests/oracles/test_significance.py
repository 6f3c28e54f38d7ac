"""Paired tests on WMT 2017 systems: sacreBLEU's p-values exactly, its intervals as printed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bleuet import BLEU, CHRF, TER
from bleuet.cli.main import main
from bleuet.significance import Evaluation, PairedResults, TestSettings
from bleuet.significance.paired import paired_approximate_randomization, paired_bootstrap
from tests.evaluation_data import EvaluationData

pytestmark = pytest.mark.data
FOLDER = "data/wmt17-ende"
# sacreBLEU adds and divides draws in single precision, which shows in the sixth digit.
SINGLE_PRECISION = 5e-5


@pytest.fixture(scope="module")
def oracle(evaluation_data: EvaluationData) -> Any:
    return evaluation_data.oracle("sacrebleu_significance.json")


@pytest.fixture(scope="module")
def systems(evaluation_data: EvaluationData, oracle: Any) -> Evaluation:
    texts = {name: evaluation_data.system(FOLDER, name) for name in oracle["bs"]["systems"]}
    return Evaluation.count([BLEU(), CHRF(), TER()], texts, evaluation_data.reference(FOLDER))


@pytest.fixture
def wmt17(
    evaluation_data: EvaluationData, oracle: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """A folder of the reference and the systems, without a seed in the environment."""
    monkeypatch.delenv("SACREBLEU_SEED", raising=False)
    texts = {name: evaluation_data.system(FOLDER, name) for name in oracle["bs"]["systems"]}
    for name, lines in {**texts, "reference": evaluation_data.reference(FOLDER)}.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return tmp_path


def p_values(results: PairedResults) -> dict[str, list[float | None]]:
    first, *others = results.systems
    return {
        metric: [None, *(results.comparison(first, name, metric).p_value for name in others)]
        for metric in results.metrics
    }


def expected_p_values(oracle: Any) -> dict[str, list[float | None]]:
    return {name: [one["p_value"] for one in row] for name, row in oracle["results"].items()}


def sacrebleus(signature: object) -> str:
    return str(signature).rpartition("|")[0]


def test_paired_bootstrap(systems: Evaluation, oracle: Any) -> None:
    found = paired_bootstrap(systems, TestSettings(test="sacrebleu-bootstrap"), threads=2)
    assert p_values(found) == expected_p_values(oracle["bs"])
    for metric, rows in oracle["bs"]["results"].items():
        for system, row in zip(found.systems, rows, strict=True):
            estimate = found.score(system, metric)
            assert estimate.score == pytest.approx(row["score"], abs=1e-9)
            assert estimate.interval is not None
            assert estimate.interval.mean == pytest.approx(row["mean"], abs=SINGLE_PRECISION)
            assert estimate.interval.half_width == pytest.approx(row["ci"], abs=SINGLE_PRECISION)
    for metric, signature in oracle["bs"]["signatures"].items():
        assert sacrebleus(found.signatures[metric]) == sacrebleus(signature)


def test_paired_approximate_randomization(systems: Evaluation, oracle: Any) -> None:
    found = paired_approximate_randomization(
        systems, TestSettings(test="sacrebleu-randomization"), threads=2
    )
    assert p_values(found) == expected_p_values(oracle["ar"])
    assert found.scores[0].interval is None
    for metric, signature in oracle["ar"]["signatures"].items():
        assert sacrebleus(found.signatures[metric]) == sacrebleus(signature)


def test_p_values_of_the_command_line(
    wmt17: Path,
    oracle: Any,
    capsys: pytest.CaptureFixture[str],
) -> None:
    files = [str(wmt17 / name) for name in oracle["bs"]["systems"]]
    arguments = (
        "significance",
        str(wmt17 / "reference"),
        "-i",
        *files,
        "-m",
        "bleu",
        "chrf",
        "ter",
    )
    for kind, test in (("bs", "sacrebleu-bootstrap"), ("ar", "sacrebleu-randomization")):
        assert main([*arguments, "--test", test, "-f", "json", "-t", "2"]) == 0
        values = json.loads(capsys.readouterr().out)
        expected = expected_p_values(oracle[kind])
        first, *others = oracle[kind]["systems"]
        assert {(one["baseline"], one["system"]) for one in values["comparisons"]} == {
            (first, name) for name in others
        }
        found = {(one["metric"], one["system"]): one["p_value"] for one in values["comparisons"]}
        for metric, row in expected.items():
            assert [found[metric, name] for name in others] == row[1:]


def test_intervals_of_the_command_line(
    wmt17: Path,
    oracle: Any,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """sacreBLEU draws the same for one system as for a pair of systems."""
    files = [str(wmt17 / name) for name in oracle["bs"]["systems"]]
    metrics = ("-m", "bleu", "chrf", "ter")
    arguments = ("score", str(wmt17 / "reference"), "-i", *files, *metrics, "-q", "--confidence")
    assert main([*arguments, "-f", "json", "-t", "2"]) == 0
    found = {(one["system"], one["name"]): one for one in json.loads(capsys.readouterr().out)}
    for s, name in enumerate(oracle["bs"]["systems"]):
        for metric, rows in oracle["bs"]["results"].items():
            one, row = found[name, metric], rows[s]
            assert one["score"] == pytest.approx(row["score"], abs=1e-9)
            assert one["mean"] == pytest.approx(row["mean"], abs=SINGLE_PRECISION)
            assert one["half_width"] == pytest.approx(row["ci"], abs=SINGLE_PRECISION)
            expected = oracle["bs"]["signatures"][metric]
            assert sacrebleus(one["signature"]) == sacrebleus(expected)
