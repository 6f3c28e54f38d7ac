"""What is refused before anything is measured, and how the two sides are brought together."""

from __future__ import annotations

from numbers import Integral

from bleuet.errors import InputError, InputTypeError, OptionError
from bleuet.messages import nearest
from bleuet.studies.meta_evaluation.confidence import RESAMPLED
from bleuet.studies.meta_evaluation.judgments import PairwiseJudgments, ScoreMatrix
from bleuet.studies.meta_evaluation.pairs import JudgedPairs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.studies.meta_evaluation.rows import Floats
    from bleuet.studies.meta_evaluation.statistics import Statistic


def check_whole(what: str, number: int, least: int) -> None:
    """Refuse anything but a whole number that is great enough."""
    if isinstance(number, bool) or not isinstance(number, Integral) or int(number) < least:
        raise OptionError(f"{what} must be a whole number, {least} or more, not {number!r}")


def check_interval(draws: int, confidence: float, resample: str, seed: int) -> None:
    """Refuse what no interval can be made of."""
    check_whole("draws", draws, 0)
    check_whole("the seed", seed, 0)
    if not 0 < confidence < 1:
        raise OptionError(f"confidence must be between 0 and 1, such as 0.95, not {confidence}")
    if resample not in RESAMPLED:
        raise OptionError(
            f"what is resampled must be one of {', '.join(RESAMPLED)}, not {resample!r}"
            f"{nearest(str(resample), RESAMPLED)}"
        )


def refuse_undrawable(human: Floats, metric: Floats) -> None:
    """Refuse to draw segments of scores that have none, or not the same on both sides."""
    if human.shape[1] != metric.shape[1] or human.shape[1] < 2:
        raise InputError(
            f"segments cannot be drawn where people's scores have {human.shape[1]} and the "
            f"metric's {metric.shape[1]}; draw systems (resample='systems')"
        )


def _check_kind(value: object, kinds: tuple[type, ...], what: str) -> None:
    if not isinstance(value, kinds):
        names = " or ".join(kind.__name__ for kind in kinds)
        raise InputTypeError(f"{what} must be a {names}, not a {type(value).__name__}")


def judged_pairs(human: ScoreMatrix | PairwiseJudgments, metric: ScoreMatrix) -> JudgedPairs:
    """Return the judgments, made of scores where those are given, beside the metric's scores."""
    _check_kind(human, (ScoreMatrix, PairwiseJudgments), "people's judgments")
    _check_kind(metric, (ScoreMatrix,), "the metric's scores")
    if isinstance(human, ScoreMatrix):
        _refuse_other_segments(human, metric)
        human = PairwiseJudgments.from_scores(human)
    _refuse_few(len(human.systems), "systems")
    return JudgedPairs(human, metric)


def aligned(
    entry: Statistic, human: ScoreMatrix | PairwiseJudgments, metric: ScoreMatrix
) -> tuple[Floats, Floats]:
    """Return people's and the metric's scores, systems and segments in the same order."""
    _check_kind(human, (ScoreMatrix, PairwiseJudgments), "people's scores")
    _check_kind(metric, (ScoreMatrix,), "the metric's scores")
    if isinstance(human, PairwiseJudgments):
        raise InputTypeError(
            f"{entry.name} needs people's scores per segment and system; "
            "for pairwise judgments take tau, tau-wmt12, tau-wmt13 or tau-wmt14"
        )
    _refuse_other_systems(human, metric)
    _refuse_few(len(human.systems), "systems")
    if entry.needs_segments:
        _refuse_other_segments(human, metric)
        _refuse_few(human.segments, "segments")
    return human.values, metric.select(human.systems).values


def _refuse_other_systems(human: ScoreMatrix, metric: ScoreMatrix) -> None:
    only_people = [name for name in human.systems if name not in metric.systems]
    only_metric = [name for name in metric.systems if name not in human.systems]
    if not only_people and not only_metric:
        return
    parts = []
    if only_people:
        parts.append(f"only people scored {', '.join(only_people)}")
    if only_metric:
        parts.append(f"only the metric scored {', '.join(only_metric)}")
    raise InputError(
        f"people and metric must score the same systems, but {' and '.join(parts)}; "
        "choose those of both with select"
    )


def _refuse_other_segments(human: ScoreMatrix, metric: ScoreMatrix) -> None:
    if human.segments != metric.segments:
        raise InputError(
            f"people's scores have {human.segments} segments and the metric's {metric.segments}; "
            "they must be the same segments in the same order"
        )


def refuse_other_shape(first: ScoreMatrix, second: ScoreMatrix) -> None:
    """Refuse two metrics whose scores cannot change places."""
    if first.segments != second.segments:
        raise InputError(
            f"the first metric has scores for {first.segments} segments and the second for "
            f"{second.segments}; to be compared they need the same"
        )


def _refuse_few(number: int, what: str) -> None:
    if number < 2:
        verb = "is" if number == 1 else "are"
        raise InputError(
            f"agreement needs two {what} or more to compare, but there {verb} {number}"
        )
