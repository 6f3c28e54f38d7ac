"""Sentinels are lengths of texts, and notes name the metrics that are not above them."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING

import numpy as np
import pytest
import scipy.stats as stats  # type: ignore[import-untyped]

from bleuet.meta_evaluation import (
    HumanScores,
    MetricScores,
    ScoreMatrix,
    leaderboard,
    length_sentinels,
)
from bleuet.meta_evaluation.leaderboard import default_statistics
from tests.meta_evaluation.definitions import calibrated

if TYPE_CHECKING:
    from bleuet.meta_evaluation import Leaderboard

SYSTEMS = ("north", "south", "east", "west")
SEGMENTS = 12
chance = random.Random(4)


def text() -> str:
    return "".join(chance.choices("aé 猫\U0001f408", k=chance.randint(0, 9)))


OUTPUTS = [[text() for _ in range(SEGMENTS)] for _ in SYSTEMS]
REFERENCES: list[str | list[str | None]] = [
    text() if i % 2 else [text(), None, text()] for i in range(SEGMENTS)
]
HUMAN = np.array([[float(chance.randint(0, 4)) for _ in range(SEGMENTS)] for _ in SYSTEMS])
LENGTHS = np.array([[float(len(hypothesis)) for hypothesis in outputs] for outputs in OUTPUTS])
KNOWN = [
    [one] if isinstance(one, str) else [known for known in one if known is not None]
    for one in REFERENCES
]
OF_REFERENCES = np.array([[sum(map(len, known)) / len(known) for known in KNOWN]] * len(SYSTEMS))


def compared(*statistics: str, metrics: tuple[MetricScores, ...] = ()) -> Leaderboard:
    sentinels = length_sentinels(SYSTEMS, OUTPUTS, REFERENCES)
    human = HumanScores(scores=ScoreMatrix(SYSTEMS, HUMAN))
    return leaderboard(human, [*metrics, *sentinels], statistics)


@pytest.mark.parametrize("what", ["hypothesis", "reference"])
@pytest.mark.parametrize(("word", "sign"), [("short", -1), ("long", 1)])
def test_agreement_is_that_of_lengths(what: str, word: str, sign: int) -> None:
    lengths = sign * (LENGTHS if what == "hypothesis" else OF_REFERENCES)
    names = ("pearson", "spearman", "acc-eq", "tau-b", "system-pearson")
    board = compared(*names)
    at = [one.name for one in board.metrics].index(f"sentinel-{word}-{what}")
    found = dict(zip(names, (one.value for one in board.results[at]), strict=True))
    one, other = HUMAN.ravel(), lengths.ravel()
    assert found["pearson"] == pytest.approx(stats.pearsonr(one, other).statistic, abs=1e-12)
    assert found["spearman"] == pytest.approx(stats.spearmanr(one, other).statistic, abs=1e-12)
    expected, _ = calibrated(HUMAN.T.tolist(), lengths.T.tolist())
    assert found["acc-eq"] == pytest.approx(expected, abs=1e-12)
    if what == "reference":
        # The same for all systems of a segment, and so for all systems.
        assert math.isnan(found["tau-b"])
        assert math.isnan(found["system-pearson"])
        return
    taus = [stats.kendalltau(h, m).statistic for h, m in zip(HUMAN.T, lengths.T, strict=True)]
    assert found["tau-b"] == pytest.approx(np.nanmean(taus), abs=1e-12)
    means = stats.pearsonr(HUMAN.mean(axis=1), lengths.mean(axis=1)).statistic
    assert found["system-pearson"] == pytest.approx(means, abs=1e-12)


def test_a_note_names_the_metrics_that_are_not_above_the_best_sentinel() -> None:
    best = max(
        ("sentinel-short-hypothesis", -LENGTHS),
        ("sentinel-long-hypothesis", LENGTHS),
        ("sentinel-short-reference", -OF_REFERENCES),
        ("sentinel-long-reference", OF_REFERENCES),
        key=lambda one: stats.pearsonr(HUMAN.ravel(), one[1].ravel()).statistic,
    )
    metrics = (
        MetricScores("good", ScoreMatrix(SYSTEMS, HUMAN + 0.01 * LENGTHS)),
        MetricScores("bad", ScoreMatrix(SYSTEMS, -HUMAN)),
        MetricScores("equal", ScoreMatrix(SYSTEMS, best[1])),
        MetricScores("whole", systems=ScoreMatrix(SYSTEMS, HUMAN[:, :1])),
    )
    notes = list(compared("pearson", "tau-b", metrics=metrics).document().notes)
    listed = f"pearson: equal, bad are not above {best[0]}, so lengths alone reach this agreement"
    assert listed in notes
    undefined = [note for note in notes if "undefined for" in note]
    assert undefined == [
        "tau-b: undefined for sentinel-short-reference, sentinel-long-reference, whose scores are "
        "equal wherever they are compared"
    ]


def test_metrics_above_the_sentinels_have_no_note() -> None:
    good = MetricScores("good", ScoreMatrix(SYSTEMS, HUMAN))
    notes = list(compared("pearson", metrics=(good,)).document().notes)
    assert sum("sentinels: lengths" in note for note in notes) == 1
    assert not any("not above" in note for note in notes)


def test_without_sentinels_notes_do_not_name_them() -> None:
    human = HumanScores(scores=ScoreMatrix(SYSTEMS, HUMAN))
    bad = MetricScores("bad", ScoreMatrix(SYSTEMS, -HUMAN))
    assert "sentinel" not in leaderboard(human, [bad]).to_text()


def test_sentinels_alone_do_not_make_statistics_of_segments_a_default() -> None:
    human = HumanScores(scores=ScoreMatrix(SYSTEMS, HUMAN))
    sentinels = length_sentinels(SYSTEMS, OUTPUTS, REFERENCES)
    whole = MetricScores("whole", systems=ScoreMatrix(SYSTEMS, HUMAN[:, :1]))
    assert default_statistics(human, [whole, *sentinels]) == ["system-pearson"]
    assert default_statistics(human, sentinels) == ["tau", "acc-eq", "spa", "system-pearson"]
