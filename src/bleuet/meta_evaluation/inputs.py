"""Validation and alignment of human scores and metric scores, before anything is computed."""

from __future__ import annotations

from bleuet.errors import InputError, InputTypeError, OptionError
from bleuet.extras import deferred
from bleuet.meta_evaluation.pair_counts import JudgedPairs
from bleuet.meta_evaluation.pairwise_judgments import PairwiseJudgments
from bleuet.meta_evaluation.rounding import without_rounding
from bleuet.meta_evaluation.score_matrix import ScoreMatrix
from bleuet.meta_evaluation.statistic_options import StatisticOptions
from bleuet.meta_evaluation.statistics import check_grouping

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Integers
    from bleuet.meta_evaluation.settings import AgreementSettings
    from bleuet.meta_evaluation.statistics import Statistic
else:
    np = deferred("numpy")


def statistic_options(
    entry: Statistic, segments: int, settings: AgreementSettings
) -> StatisticOptions:
    """Return the options of a statistic after their validation.

    Args:
        entry: the statistic.
        segments: the number of segments.
        settings: the settings of agreement.

    Raises:
        OptionError: the settings do not fit the statistic.
        InputError: there is not one document for each segment.
    """
    grouping = check_grouping(entry, settings.grouping)
    if settings.held_out_epsilon and entry.name == "acc-eq" and grouping != "item":
        raise OptionError(
            "an epsilon calibrated on other segments needs the grouping item, not "
            f"{grouping!r}: leave the grouping out"
        )
    return StatisticOptions(settings, grouping, document_numbers(settings, segments))


def document_numbers(settings: AgreementSettings, segments: int) -> Integers | None:
    """Return the number of the document of each segment, None without documents.

    Args:
        settings: the settings with the documents.
        segments: the number of segments.

    Raises:
        InputError: there is not one document for each segment.
    """
    documents = settings.documents
    if documents is None:
        return None
    if segments > 1 and len(documents) != segments:
        raise InputError(
            f"there are {len(documents)} documents for {segments} segments: name the document of "
            "each segment"
        )
    number: dict[Hashable, int] = {}
    return np.array([number.setdefault(one, len(number)) for one in documents], dtype=np.int64)


def judged_pairs(
    human: ScoreMatrix | PairwiseJudgments, metric: ScoreMatrix, margin: float = 0.0
) -> JudgedPairs:
    """Return judgments with the metric's scores; human scores become judgments of all pairs.

    Args:
        human: human scores or judgments.
        metric: the metric's scores.
        margin: the smallest difference between human scores that makes a judgment.
    """
    if isinstance(human, ScoreMatrix):
        _check_human_segments(human, metric)
        human = PairwiseJudgments.from_scores(human, margin)
    _check_enough(len(human.systems), "systems")
    return JudgedPairs(human, metric)


def aligned(
    entry: Statistic, human: ScoreMatrix | PairwiseJudgments, metric: ScoreMatrix
) -> tuple[Floats, Floats]:
    """Return the values of human and metric scores with systems and segments in the same order.

    Scores that are equal up to rounding are equal.

    Args:
        entry: the statistic that needs them.
        human: the human scores; judgments are rejected.
        metric: the metric's scores.

    Raises:
        InputError: systems or segments differ, or there are too few.
    """
    if isinstance(human, PairwiseJudgments):
        raise InputTypeError(
            f"{entry.name} needs human scores of segments and systems, not pairwise judgments: "
            "use tau, tau-wmt12, tau-wmt13 or tau-wmt14"
        )
    _check_same_systems(human, metric)
    _check_enough(len(human.systems), "systems")
    if entry.needs_segments:
        _check_human_segments(human, metric)
        _check_enough(human.segments, "segments")
    one, other = human.values, metric.select(human.systems).values
    return without_rounding(one), without_rounding(other)


def _check_same_systems(human: ScoreMatrix, metric: ScoreMatrix) -> None:
    only_human = [name for name in human.systems if name not in metric.systems]
    only_metric = [name for name in metric.systems if name not in human.systems]
    if not only_human and not only_metric:
        return
    parts = []
    if only_human:
        parts.append(f"only the human scores have {', '.join(only_human)}")
    if only_metric:
        parts.append(f"only the metric scores have {', '.join(only_metric)}")
    raise InputError(
        f"human and metric scores must be of the same systems, but {' and '.join(parts)}: "
        "select the systems of both"
    )


def _check_human_segments(human: ScoreMatrix, metric: ScoreMatrix) -> None:
    if human.segments != metric.segments:
        raise InputError(
            f"there are human scores of {human.segments} segments and metric scores of "
            f"{metric.segments}: give the same segments in the same order"
        )


def check_same_segments(first: ScoreMatrix, second: ScoreMatrix) -> None:
    """Check that two metrics have scores of the same number of segments."""
    if first.segments != second.segments:
        raise InputError(
            f"the first metric has scores of {first.segments} segments and the second of "
            f"{second.segments}: give both the same segments"
        )


def _check_enough(number: int, what: str) -> None:
    if number < 2:
        verb = "is" if number == 1 else "are"
        raise InputError(f"agreement needs two {what} or more, but there {verb} {number}")
