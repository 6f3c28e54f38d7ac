"""Systems ranked by human scores: clusters and rank ranges by definition, and WMT's two tests."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import scipy.stats as stats  # type: ignore[import-untyped]

from bleuet import InputError, OptionError
from bleuet.meta_evaluation import (
    SYSTEM_TESTS,
    AgreementSettings,
    HumanScores,
    RaterScores,
    ScoreMatrix,
    SystemRanking,
    leaderboard,
    rank_systems,
)
from bleuet.meta_evaluation.leaderboard import Leaderboard
from bleuet.meta_evaluation.system_ranking import SIGNIFICANT
from bleuet.significance.correction import holm

NAN = float("nan")
SYSTEMS = tuple("abcde")


def random_scores(seed: int, holes: float = 0.2) -> ScoreMatrix:
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(size=(5, 30)) + 0.4 * np.arange(5)[:, None])
    return ScoreMatrix(SYSTEMS, np.where(rng.random(values.shape) < holes, NAN, values))


def scores_of(names: str, rows: list[Any]) -> ScoreMatrix:
    return ScoreMatrix(tuple(names), np.array(rows))


def ranked(scores: ScoreMatrix, test: str, **settings: Any) -> SystemRanking:
    return rank_systems(
        HumanScores(scores=scores), AgreementSettings(rank_systems=test, **settings)
    )


def p_value(scores: ScoreMatrix, one: int, other: int, test: str) -> float:
    """Return the p-value that the first system, which has the higher mean, is better."""
    both = [pair for pair in zip(*scores.values[[one, other]], strict=True) if NAN not in pair]
    pairs = [(x, y) for x, y in both if x == x and y == y]
    better, worse = zip(*pairs, strict=True)
    if test == "rank-sum":
        # make_rankings.py of WMT 2022, with matched segments.
        return float(stats.mannwhitneyu(better, worse, alternative="greater").pvalue)
    # tools.py of WMT 2024, without domains.
    return float(stats.wilcoxon(np.subtract(better, worse), alternative="two-sided").pvalue)


@pytest.mark.parametrize("test", ["rank-sum", "signed-rank"])
@pytest.mark.parametrize("seed", range(15))
def test_clusters_and_ranks_by_definition(seed: int, test: str) -> None:
    scores = random_scores(seed)
    means = [float(np.nanmean(row)) for row in scores.values]
    order = sorted(range(5), key=lambda i: -means[i])
    p = {pair: p_value(scores, *pair, test) for pair in combinations(order, 2)}
    wins = {pair for pair, value in p.items() if value < SIGNIFICANT}
    found = ranked(scores, test).systems
    assert [one.system for one in found] == [SYSTEMS[i] for i in order]
    # A boundary after a place where every pair across it differs.
    ends = [
        place
        for place in range(1, 5)
        if all((i, j) in wins for i in order[:place] for j in order[place:])
    ]
    for place, (i, one) in enumerate(zip(order, found, strict=True)):
        assert one.score == pytest.approx(means[i])
        assert one.cluster == 1 + sum(end <= place for end in ends)
        assert one.best_rank == 1 + sum((j, i) in wins for j in range(5))
        assert one.worst_rank == 5 - sum((i, j) in wins for j in range(5))
        if place:
            assert one.p_value == pytest.approx(p[order[0], i])
            difference = np.nanmean(scores.values[order[0]] - scores.values[i])
            assert one.difference == pytest.approx(difference)
    assert (found[0].p_value, found[0].difference) == (None, None)


def test_a_win_inside_a_cluster_makes_no_boundary() -> None:
    # North beats south and east, west beats east only: of 4 systems, two have wins to the number of
    # the lower ones, but west does not beat south.
    from bleuet.meta_evaluation.system_ranking import SystemDifference, _ranked

    scores = scores_of("nwse", [[4.0], [3.0], [2.0], [1.0]])
    p = dict.fromkeys(combinations(range(4), 2), 0.01)
    p[1, 2] = 0.5
    compared = {pair: SystemDifference(value, 1.0) for pair, value in p.items()}
    found = _ranked(scores, range(4), compared)
    assert [one.cluster for one in found] == [1, 2, 2, 3]
    assert [(one.best_rank, one.worst_rank) for one in found] == [(1, 1), (2, 3), (2, 3), (4, 4)]


def test_corrected_p_values() -> None:
    scores = random_scores(1, holes=0)
    plain = ranked(scores, "signed-rank")
    order = [SYSTEMS.index(one.system) for one in plain.systems]
    pairs = list(combinations(order, 2))
    corrected = dict(
        zip(pairs, holm([p_value(scores, *pair, "signed-rank") for pair in pairs]), strict=True)
    )
    found = ranked(scores, "signed-rank", correction="holm").systems
    for one, i in list(zip(found, order, strict=True))[1:]:
        assert one.p_value == pytest.approx(corrected[order[0], i])


def test_equal_systems_share_a_cluster() -> None:
    values = np.arange(30.0)
    scores = scores_of("ab", [values, values])
    for test in ("rank-sum", "signed-rank"):
        found = ranked(scores, test).systems
        assert [one.cluster for one in found] == [1, 1]
        assert found[1].p_value is not None
        assert found[1].p_value >= 0.5


def test_differences_that_are_equal_up_to_rounding_tie() -> None:
    tenths = np.array([3, 5, 6, 7, 9, 12, 13, 15]) / 10
    steps = np.array([1, -1, 1, 1, 1, -1, 1, 1]) / 10
    exact = ranked(scores_of("ab", [10 * (tenths + steps), 10 * tenths]), "signed-rank")
    found = ranked(scores_of("ab", [tenths + steps, tenths]), "signed-rank")
    assert found.systems[1].p_value == exact.systems[1].p_value


def without_metrics() -> Leaderboard:
    return leaderboard(
        HumanScores(scores=random_scores(2)), [], (), AgreementSettings(rank_systems="rank-sum")
    )


def test_a_leaderboard_without_metrics() -> None:
    found = without_metrics().to_dict()
    assert found["agreement"] == []
    assert len(found["systems"]["systems"]) == 5


@pytest.mark.libraries
def test_a_data_frame_without_metrics() -> None:
    board = without_metrics()
    assert list(board.to_dataframe()["system"]) == [
        one["system"] for one in board.to_dict()["systems"]["systems"]
    ]


def rows_of_raters(seed: int) -> list[tuple[int, str, str, float]]:
    draw = random.Random(seed)
    severe = {rater: draw.gauss(0, 1) for rater in "uvwx"}
    quality = dict(zip(SYSTEMS[:3], (0.0, 0.5, 2.0), strict=True))
    return [
        (segment, system, rater, quality[system] + severe[rater] + draw.gauss(0, 1))
        for segment in range(12)
        for system in quality
        for rater in draw.sample("uvwx", 2)
    ]


def test_mixed_effects_of_raters() -> None:
    raters = RaterScores.from_rows(rows_of_raters(1))
    found = rank_systems(
        HumanScores(scores=raters.means(), raters=raters),
        AgreementSettings(rank_systems="mixed-effects", confidence=0.9),
    )
    assert [one.system for one in found.systems] == ["c", "b", "a"]
    assert list(found.deviations) == [
        "rater",
        "segment",
        "system and rater",
        "system and segment",
        "residual",
    ]
    for one in found.systems[1:]:
        assert one.low is not None
        assert one.high is not None
        assert one.difference == pytest.approx((one.low + one.high) / 2)


MISUSES: dict[str, tuple[HumanScores, str, type[Exception], str]] = {
    "whole systems": (
        HumanScores(systems=scores_of("ab", [[1.0], [2.0]])),
        "rank-sum",
        OptionError,
        "systems are ranked by human scores of segments, not one score per system",
    ),
    "one system": (
        HumanScores(scores=scores_of("a", [[1.0, 2.0]])),
        "rank-sum",
        InputError,
        "a ranking needs two systems or more",
    ),
    "a system without scores": (
        HumanScores(scores=scores_of("ab", [[1.0, 2.0], [NAN, NAN]])),
        "rank-sum",
        InputError,
        "b has no human score",
    ),
    "no common segment": (
        HumanScores(scores=scores_of("ab", [[1.0, NAN], [NAN, 2.0]])),
        "signed-rank",
        InputError,
        "b and a have no scored segment in common",
    ),
    "nothing random": (
        HumanScores(scores=scores_of("ab", [[1.0, NAN, 2.0], [NAN, 2.0, NAN]])),
        "mixed-effects",
        InputError,
        "mixed effects need several scores of a segment or of a rater",
    ),
}


@pytest.mark.parametrize("misuse", MISUSES)
def test_scores_that_cannot_be_ranked(misuse: str) -> None:
    human, test, error, sentence = MISUSES[misuse]
    with pytest.raises(error, match=sentence):
        rank_systems(human, AgreementSettings(rank_systems=test))


def test_every_test_has_every_format() -> None:
    for test in SYSTEM_TESTS:
        board = leaderboard(
            HumanScores(scores=random_scores(3, 0)), [], (), AgreementSettings(rank_systems=test)
        )
        for form in ("text", "markdown", "latex", "csv", "json", "jsonl", "html"):
            assert "a" in board.render(form)
