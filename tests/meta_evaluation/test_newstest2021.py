"""BLEU, chrF and TER compared with the MQM annotation of newstest2021 English-German."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from bleuet import BLEU, CHRF, TER
from bleuet.meta_evaluation import (
    AgreementSettings,
    ScoreMatrix,
    agreement,
    compare_metrics,
    length_sentinels,
)
from bleuet.meta_evaluation.ties import accuracy_with_ties
from tests.evaluation_data import REPOSITORY, EvaluationData

if TYPE_CHECKING:
    from bleuet import Metric

DATA = EvaluationData.find()
FOLDER = "data/wmt21-ende"
pytestmark = pytest.mark.data

# As published with the annotation, with the sign turned.
MEANS = {
    "Facebook-AI": -1.052,
    "HuaweiTSC": -1.381,
    "NVIDIA-NeMo": -1.340,
    "Online-W": -1.460,
    "UEdin": -1.507,
    "VolcTrans-AT": -1.743,
    "VolcTrans-GLAT": -1.039,
    "eTranslation": -1.695,
}


@pytest.fixture(scope="module")
def human() -> ScoreMatrix:
    lines = [line.split("\t") for line in DATA.lines(f"{FOLDER}/mqm.tsv.gz")][1:]
    rows = [(int(segment), system, float(mqm)) for segment, _, system, mqm in lines]
    return ScoreMatrix.from_rows(rows).select(list(MEANS))


def scored(metric: Metric, sign: int = 1) -> ScoreMatrix:
    references = DATA.lines(f"{FOLDER}/refA.de.txt.gz")
    scores = [metric.sentence_scores(DATA.system(FOLDER, name), references) for name in MEANS]
    return ScoreMatrix(tuple(MEANS), sign * np.array([list(one.values) for one in scores]))


@pytest.fixture(scope="module")
def metrics() -> dict[str, ScoreMatrix]:
    return {
        "BLEU": scored(BLEU(effective_order=True)),
        "chrF": scored(CHRF()),
        "TER": scored(TER(), sign=-1),
    }


def test_the_systems_means_are_the_published_ones(human: ScoreMatrix) -> None:
    assert [round(float(mean), 3) for mean in human.system_means()] == list(MEANS.values())


def test_chrf_agrees_a_little_and_misaligned_less(
    human: ScoreMatrix, metrics: dict[str, ScoreMatrix]
) -> None:
    """According to the data's README: about 0.09 to 0.13, and about 0.04 for a misaligned file."""
    found = agreement("pearson", human, metrics["chrF"], AgreementSettings(draws=200))
    assert 0.09 < found.value < 0.13
    assert found.low is not None
    assert found.low > 0
    shifted = ScoreMatrix(human.systems, np.roll(metrics["chrF"].values, 1, axis=1))
    assert agreement("pearson", human, shifted).value < 0.05


@pytest.mark.parametrize("name", ["BLEU", "chrF", "TER"])
def test_every_metric_agrees_better_than_chance(
    name: str, human: ScoreMatrix, metrics: dict[str, ScoreMatrix]
) -> None:
    for statistic in ("tau", "tau-b", "spearman"):
        found = agreement(statistic, human, metrics[name], AgreementSettings(draws=100))
        assert found.low is not None
        assert 0 < found.low < found.value < 0.2
    assert agreement("spa", human, metrics[name]).value > 0.7


def test_calling_everything_a_tie_is_hard_to_beat(
    human: ScoreMatrix, metrics: dict[str, ScoreMatrix]
) -> None:
    """Of the 14,756 pairs 6,872 are human ties, and no threshold of chrF beats calling all ties."""
    values = human.values, metrics["chrF"].values
    found = agreement("acc-eq", human, metrics["chrF"])
    assert found.value == pytest.approx(6872 / 14756)
    for epsilon in np.quantile(np.abs(values[1][0] - values[1][1]), np.linspace(0, 1, 20)):
        by_item = accuracy_with_ties(values[0].T, values[1].T, float(epsilon))
        assert by_item.mean() <= found.value + 1e-12


def test_a_metric_is_better_than_noise(human: ScoreMatrix, metrics: dict[str, ScoreMatrix]) -> None:
    noise = np.random.default_rng(1).normal(size=human.values.shape)
    noisy = ScoreMatrix(human.systems, noise)
    assert (
        compare_metrics("tau", human, noisy, metrics["chrF"], AgreementSettings(trials=300)).p_value
        < 0.05
    )


def test_the_guides_table_of_sentinels(human: ScoreMatrix, metrics: dict[str, ScoreMatrix]) -> None:
    guide = (REPOSITORY / "docs" / "meta-evaluation.md").read_text(encoding="utf-8")
    references = DATA.lines(f"{FOLDER}/refA.de.txt.gz")
    outputs = [DATA.system(FOLDER, name) for name in MEANS]
    sentinels = length_sentinels(list(MEANS), outputs, references)
    names = {"BLEU": "BLEU", "chrF2": "chrF", "TER": "TER"}
    scores = {shown: metrics[name] for shown, name in names.items()}
    scores |= {f"`{one.name}`": one.segments for one in sentinels if one.segments is not None}
    item = AgreementSettings(grouping="item")
    listed = 0
    for name, matrix in scores.items():
        found = [
            agreement("pearson", human, matrix),
            agreement("pearson", human, matrix, item),
            agreement("acc-eq", human, matrix),
            agreement("tau", human, matrix),
        ]
        cells = [
            "" if np.isnan(one.value) else f" {one.value:.3f}".replace("-", "\u2212")
            for one in found
        ]
        listed += f"| {name} |{' |'.join(cells)} |" in guide
    # The guide leaves out the long reference.
    assert listed == len(scores) - 1
