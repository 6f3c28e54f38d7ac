"""Validation and alignment of human scores and metric scores, before anything is computed."""

from __future__ import annotations

from numbers import Integral

from bleuet.errors import InputError, InputTypeError, OptionError
from bleuet.messages import nearest
from bleuet.studies.meta_evaluation.confidence import RESAMPLED
from bleuet.studies.meta_evaluation.pair_counts import JudgedPairs
from bleuet.studies.meta_evaluation.pairwise_judgments import PairwiseJudgments
from bleuet.studies.meta_evaluation.score_matrix import ScoreMatrix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.studies.meta_evaluation.arrays import Floats
    from bleuet.studies.meta_evaluation.statistics import Statistic


def check_whole(what: str, number: int, least: int) -> None:
    """Check that a number is a whole number of at least `least`; `what` names it in the error."""
    if isinstance(number, bool) or not isinstance(number, Integral) or int(number) < least:
        raise OptionError(f"{what} must be a whole number, {least} or more, not {number!r}")


def check_interval(draws: int, confidence: float, resample: str, seed: int) -> None:
    """Check the options of a confidence interval; arguments as in `agreement`."""
    check_whole("draws", draws, 0)
    check_whole("the seed", seed, 0)
    if not 0 < confidence < 1:
        raise OptionError(f"confidence must be between 0 and 1, such as 0.95, not {confidence}")
    if resample not in RESAMPLED:
        raise OptionError(
            f"resample must be one of {', '.join(RESAMPLED)}, not {resample!r}"
            f"{nearest(str(resample), RESAMPLED)}"
        )


def check_segments_can_be_drawn(human: Floats, metric: Floats) -> None:
    """Check that both sides have the same segments, and more than one."""
    if human.shape[1] != metric.shape[1] or human.shape[1] < 2:
        raise InputError(
            "drawing segments needs two segments or more, the same on both sides, but there are "
            f"{human.shape[1]} with human scores and {metric.shape[1]} with metric scores: draw "
            "systems (resample='systems')"
        )


def _check_kind(value: object, kinds: tuple[type, ...], what: str) -> None:
    if not isinstance(value, kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        raise InputTypeError(f"{what} must be a {names}, not a {type(value).__name__}")


def judged_pairs(human: ScoreMatrix | PairwiseJudgments, metric: ScoreMatrix) -> JudgedPairs:
    """Return judgments with the metric's scores; human scores become judgments of all pairs."""
    _check_kind(human, (ScoreMatrix, PairwiseJudgments), "human judgments")
    _check_kind(metric, (ScoreMatrix,), "metric scores")
    if isinstance(human, ScoreMatrix):
        _check_human_segments(human, metric)
        human = PairwiseJudgments.from_scores(human)
    _check_enough(len(human.systems), "systems")
    return JudgedPairs(human, metric)


def aligned(
    entry: Statistic, human: ScoreMatrix | PairwiseJudgments, metric: ScoreMatrix
) -> tuple[Floats, Floats]:
    """Return the values of human and metric scores with systems and segments in the same order.

    Args:
        entry: the statistic that needs them.
        human: the human scores; judgments are rejected.
        metric: the metric's scores.

    Raises:
        InputError: systems or segments differ, or there are too few.
    """
    _check_kind(human, (ScoreMatrix, PairwiseJudgments), "human scores")
    _check_kind(metric, (ScoreMatrix,), "metric scores")
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
    return human.values, metric.select(human.systems).values


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
