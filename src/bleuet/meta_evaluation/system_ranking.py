"""Systems ranked by human scores, in clusters that differ significantly, as in WMT.

A cluster ends where each system in it and above is significantly better than each system below. A
rank range goes from 1 + the number of significantly better systems to the number of systems - that
of significantly worse ones.
"""

from __future__ import annotations

from itertools import combinations
from math import isnan

from bleuet.errors import InputError, OptionError
from bleuet.extras import deferred
from bleuet.frozen import Value, checked
from bleuet.meta_evaluation.human_scores import KINDS, HumanScores
from bleuet.meta_evaluation.inputs import document_numbers
from bleuet.meta_evaluation.mixed_effects import MixedModel, crossed, known_effects
from bleuet.meta_evaluation.rounding import without_rounding
from bleuet.meta_evaluation.settings import (
    AGREEMENT,
    MIXED_EFFECTS,
    RANK_SUM,
    SIGNED_RANK,
    AgreementSettings,
)
from bleuet.output.plain_values import Plain
from bleuet.significance.correction import correct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, TypeAlias

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Integers
    from bleuet.meta_evaluation.score_matrix import ScoreMatrix

    stats: Any
    # By the numbers of two systems, the higher one first.
    Differences: TypeAlias = Mapping[tuple[int, int], "SystemDifference"]
else:
    np = deferred("numpy")
    stats = deferred("scipy.stats")

SIGNIFICANT = 0.05


class SystemRank(Value, Plain):
    """A system, and its place among others.

    Args:
        system: its name.
        score: its human score: the mean over its segments.
        cluster: the number of its cluster, 1 for the best.
        best_rank, worst_rank: the range of its rank.
        difference: the best system's score minus its own; None for the best system. By a rank test
            on the segments that both have, by mixed effects the estimate of the model.
        low, high: the confidence interval of the difference by mixed effects; None by a rank test.
        p_value: of the comparison with the best system; None for the best system.
    """

    system: str
    score: float
    cluster: int
    best_rank: int
    worst_rank: int
    difference: float | None = None
    low: float | None = None
    high: float | None = None
    p_value: float | None = None


class SystemRanking(Value, Plain):
    """Systems ranked by human scores, best first.

    Args:
        test: the test of two systems: "signed-rank", "rank-sum" or "mixed-effects".
        systems: the systems.
        deviations: the standard deviation of each random effect and of the residual, by
            mixed effects; else empty.
    """

    test: str
    systems: tuple[SystemRank, ...]
    deviations: Mapping[str, float] = {}


class SystemDifference(Value):
    """The comparison of a system with a lower one.

    Args:
        p_value: the p-value; NaN if there is none.
        difference: the difference of their scores.
        low, high: its confidence interval; None without one.
    """

    p_value: float
    difference: float
    low: float | None = None
    high: float | None = None


@checked
def rank_systems(human: HumanScores, settings: AgreementSettings = AGREEMENT) -> SystemRanking:
    """Rank systems by human scores of segments, in clusters that differ significantly.

    Args:
        human: the human scores; with `raters`, "mixed-effects" uses the scores by rater.
        settings: the test is `rank_systems`, "signed-rank" if it is None. `correction` corrects
            the p-values of all pairs, and `documents` are random effects of "mixed-effects", whose
            intervals have the level `confidence`.

    Raises:
        OptionError: the human scores are not of segments.
        InputError: two systems have no segment in common, or there are fewer than two systems.

    >>> from bleuet.meta_evaluation.score_matrix import ScoreMatrix
    >>> low, high = [1, 2, 1, 3, 2, 1, 2], [4, 4, 5, 5, 4, 3, 5]
    >>> found = rank_systems(HumanScores(scores=ScoreMatrix(("low", "high"), [low, high])))
    >>> [(one.system, one.cluster, one.best_rank, one.worst_rank) for one in found.systems]
    [('high', 1, 1, 1), ('low', 2, 2, 2)]
    """
    if human.scores is None:
        raise OptionError(
            f"systems are ranked by human scores of segments, not {KINDS[human.kind]}: leave "
            "rank_systems out"
        )
    scores = human.scores
    if len(scores.systems) < 2:
        raise InputError("a ranking needs two systems or more, but there is one: add another")
    _check_scored(scores)
    test = settings.rank_systems or SIGNED_RANK
    deviations: Mapping[str, float] = {}
    if test == MIXED_EFFECTS:
        order, compared, deviations = _by_mixed_effects(human, scores, settings)
    else:
        order, compared = _by_ranks(scores, test)
    return SystemRanking(test, _ranked(scores, order, _corrected(compared, settings)), deviations)


def _check_scored(scores: ScoreMatrix) -> None:
    without = np.flatnonzero(np.isnan(scores.system_means()))
    if len(without):
        raise InputError(
            f"{scores.systems[without[0]]} has no human score: leave it out of the ranking"
        )


def _ranked(
    scores: ScoreMatrix, order: Sequence[int], compared: Differences
) -> tuple[SystemRank, ...]:
    """Return the ranked systems.

    Args:
        scores: the human scores.
        order: the numbers of the systems, best first.
        compared: the comparison of each pair in this order.
    """
    better = {pair for pair, one in compared.items() if one.p_value < SIGNIFICANT}
    means = scores.system_means()
    ranked: list[SystemRank] = []
    cluster = 1
    for place, i in enumerate(order):
        above, below = order[:place], order[place:]
        if above and all((one, other) in better for one in above for other in below):
            cluster += 1
        ranked.append(
            SystemRank(
                scores.systems[i],
                float(means[i]),
                cluster,
                1 + sum((one, i) in better for one in above),
                len(order) - sum((i, other) in better for other in below),
            )
        )
        if above:
            against = compared[order[0], i]
            p = None if isnan(against.p_value) else against.p_value
            ranked[-1] = ranked[-1].replace(
                difference=against.difference, low=against.low, high=against.high, p_value=p
            )
    return tuple(ranked)


def _corrected(compared: Differences, settings: AgreementSettings) -> Differences:
    """Return the comparisons with p-values that are corrected for all pairs, if wanted."""
    if settings.correction is None:
        return compared
    defined = [pair for pair, one in compared.items() if not isnan(one.p_value)]
    corrected = correct([compared[one].p_value for one in defined], settings.correction)
    changed = {
        pair: compared[pair].replace(p_value=p) for pair, p in zip(defined, corrected, strict=True)
    }
    return {**compared, **changed}


# --- Rank tests -----------------------------------------------------------------------------------


def _by_ranks(
    scores: ScoreMatrix, test: str
) -> tuple[list[int], dict[tuple[int, int], SystemDifference]]:
    """Return the systems in order of their means, and the comparisons by a rank test."""
    values, means = without_rounding(scores.values), scores.system_means()
    order = sorted(range(len(values)), key=lambda i: -means[i])
    compared = {}
    for one, other in combinations(order, 2):
        common = ~np.isnan(values[one] + values[other])
        if not common.any():
            raise InputError(
                f"{scores.systems[one]} and {scores.systems[other]} have no scored segment in "
                "common: leave one out, or use the test mixed-effects"
            )
        better, worse = values[one][common], values[other][common]
        p = rank_sum(better, worse) if test == RANK_SUM else signed_rank(better, worse)
        compared[one, other] = SystemDifference(p, float((better - worse).mean()))
    return order, compared


def rank_sum(better: Floats, worse: Floats) -> float:
    """Return the one-sided p-value of Wilcoxon's rank-sum test (Mann and Whitney's U).

    WMT tests the z-scores of direct assessment so, on the segments that both systems have.

    Args:
        better: the scores of the system with the higher mean.
        worse: the scores of the other one.

    >>> rank_sum(np.array([3.0, 4.0, 5.0]), np.array([0.0, 1.0, 2.0]))
    0.05
    """
    return float(stats.mannwhitneyu(better, worse, alternative="greater").pvalue)


def signed_rank(better: Floats, worse: Floats) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test of pairs.

    WMT tests ESA and MQM so since 2024.

    Args:
        better: the scores of the system with the higher mean.
        worse: those of the other one, on the same segments.

    >>> signed_rank(np.array([3.0, 4.0, 6.0]), np.array([2.0, 2.0, 3.0]))
    0.25
    """
    differences = without_rounding(better - worse)
    if not differences.any():
        return 1.0
    return float(stats.wilcoxon(differences).pvalue)


# --- Mixed effects --------------------------------------------------------------------------------


def _by_mixed_effects(
    human: HumanScores, scores: ScoreMatrix, settings: AgreementSettings
) -> tuple[list[int], dict[tuple[int, int], SystemDifference], Mapping[str, float]]:
    """Return the systems in order of their estimates, the comparisons, and the deviations."""
    values, system, segment, rater = _observations(human, scores)
    effects: dict[str, Integers] = {}
    if rater is not None:
        effects["rater"] = rater
    effects["segment"] = segment
    documents = document_numbers(settings, scores.segments)
    if documents is not None:
        effects["document"] = documents[segment]
    effects |= {f"system and {name}": crossed(system, of) for name, of in effects.items()}
    known = known_effects(effects)
    if not known:
        raise InputError(
            "mixed effects need several scores of a segment or of a rater: use another test"
        )
    model = MixedModel(values, system, known).fit()
    order = sorted(range(len(scores.systems)), key=lambda i: -model.estimates[i])
    pairs = list(combinations(order, 2))
    unit = np.eye(len(order))
    contrasts = np.array([unit[one] - unit[other] for one, other in pairs])
    freedom = model.freedom_of(contrasts)
    compared = {}
    for pair, contrast, degrees in zip(pairs, contrasts, freedom, strict=True):
        error, difference = model.error_of(contrast), float(contrast @ model.estimates)
        p = float(2 * stats.t.sf(abs(difference) / error, degrees))
        half = float(stats.t.ppf((1 + settings.confidence) / 2, degrees)) * error
        compared[pair] = SystemDifference(p, difference, difference - half, difference + half)
    return order, compared, model.deviations


def _observations(
    human: HumanScores, scores: ScoreMatrix
) -> tuple[Floats, Integers, Integers, Integers | None]:
    """Return each score, its system and its segment, and its rater if raters are known."""
    raters = human.raters
    if raters is not None:
        return raters.scores, raters.system, raters.segment, raters.rater
    present: Any = ~np.isnan(scores.values)
    system, segment = np.nonzero(present)
    return scores.values[present], system, segment, None
