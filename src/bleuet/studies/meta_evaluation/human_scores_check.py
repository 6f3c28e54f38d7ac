"""What is held against each other: scores of metrics and of people, of the same segments."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bleuet.errors import InputError, OptionError
from bleuet.extras import optional
from bleuet.studies.meta_evaluation.judgments import PairwiseJudgments, ScoreMatrix
from bleuet.studies.meta_evaluation.statistics import STATISTICS, Statistic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import numpy as np
else:
    np = optional("numpy")


@dataclass(frozen=True, slots=True)
class Contender:
    """A metric that is judged by people.

    Args:
        name: what it is called.
        segments: its score of every system and segment, higher is better; None where it has none.
        systems: its score of every system's whole output, one column, higher is better; None
            takes the mean over segments.
        lower_is_better: its own scores have the opposite sign, as those of an error rate.
        signature: how to compute its scores of segments again, where that is known.
        system_signature: how to compute its scores of whole systems again.
    """

    name: str
    segments: ScoreMatrix | None = None
    systems: ScoreMatrix | None = None
    lower_is_better: bool = False
    signature: str = ""
    system_signature: str = ""


@dataclass(frozen=True, slots=True)
class People:
    """What people said of the systems, in one of three forms or several.

    Args:
        scores: scores per system and segment, higher is better.
        judgments: pairwise judgments per segment.
        systems: one score per system, one column; None takes the mean of `scores`, or the part of
            its judgments that a system won.
    """

    scores: ScoreMatrix | None = None
    judgments: PairwiseJudgments | None = None
    systems: ScoreMatrix | None = None

    @property
    def kind(self) -> str:
        """What statistics are usual: "scores", "judgments" or "systems"."""
        if self.scores is not None:
            return "scores"
        return "systems" if self.judgments is None else "judgments"

    def for_statistic(self, entry: Statistic) -> ScoreMatrix | PairwiseJudgments:
        """Return what a statistic compares a metric with.

        Raises:
            OptionError: people gave nothing that it could use.
        """
        found: ScoreMatrix | PairwiseJudgments | None = self.scores
        if entry.takes == "judgments" and self.judgments is not None:
            found = self.judgments
        elif entry.level == "system" and not entry.needs_segments:
            found = self.systems or self.scores or self.of_systems()
        if found is None:
            gave = {
                "judgments": "pairwise judgments",
                "systems": "one score per system",
            }[self.kind]
            fitting = [one.name for one in STATISTICS.values() if _can_use(self.kind, one)]
            raise OptionError(
                f"{entry.name} needs people's scores of segments, but they gave {gave}, which "
                f"{', '.join(fitting)} can use"
            )
        return found

    def of_systems(self) -> ScoreMatrix | None:
        """Return one score per system, of whatever people gave."""
        if self.systems is not None:
            return self.systems
        if self.scores is not None:
            return whole_scores(self.scores)
        return None if self.judgments is None else share_won(self.judgments)


def _can_use(kind: str, entry: Statistic) -> bool:
    if entry.takes == "judgments":
        return kind == "judgments"
    return entry.level == "system" and not entry.needs_segments


def whole_scores(scores: ScoreMatrix) -> ScoreMatrix:
    """Return one score per system, the mean over its segments."""
    return ScoreMatrix(scores.systems, scores.system_means()[:, None])


def share_won(judgments: PairwiseJudgments) -> ScoreMatrix:
    """Return the part of its judgments that each system won, ties left out: wins/(wins + losses).

    One of the ways in which WMT ranked systems (Callison-Burch et al. 2012).

    >>> judged = PairwiseJudgments.from_better_worse([(0, "a", "b"), (1, "a", "b"), (1, "b", "a")])
    >>> share_won(judged).values.round(3).tolist()
    [[0.667], [0.333]]
    """
    strict = judgments.without_ties()
    first_won = strict.preference > 0
    winners = np.where(first_won, strict.first, strict.second)
    losers = np.where(first_won, strict.second, strict.first)
    size = len(judgments.systems)
    wins, losses = np.bincount(winners, minlength=size), np.bincount(losers, minlength=size)
    with np.errstate(invalid="ignore"):
        return ScoreMatrix(judgments.systems, (wins / (wins + losses))[:, None])


# --- The same systems and segments for all --------------------------------------------------------


def on_common_ground(
    people: People, contenders: Sequence[Contender]
) -> tuple[People, list[Contender], int]:
    """Leave out for all what one of the metrics has no score for, so that all are held alike.

    Args:
        people: what they said.
        contenders: metrics, all with the same systems in the same order as people's scores.

    Returns:
        People, metrics, and how many scores or judgments of people were left out.

    Raises:
        InputError: nothing is left.
    """
    matrices = [one.segments for one in contenders if one.segments is not None]
    if not matrices:
        return people, list(contenders), 0
    there = ~np.isnan([matrix.values for matrix in matrices]).any(axis=0)
    kept, left_out = _kept_people(people, there)
    narrowed = [
        one
        if one.segments is None
        else replace(
            one,
            segments=ScoreMatrix(
                one.segments.systems, np.where(there, one.segments.values, np.nan)
            ),
        )
        for one in contenders
    ]
    return kept, narrowed, left_out


def _kept_people(people: People, there: Any) -> tuple[People, int]:
    if people.scores is not None:
        values = people.scores.values
        kept = there & ~np.isnan(values)
        if not kept.any():
            raise InputError("no segment has both a score of people and of every metric")
        scores = ScoreMatrix(people.scores.systems, np.where(kept, values, np.nan))
        return replace(people, scores=scores), int((~np.isnan(values)).sum() - kept.sum())
    judged = people.judgments
    if judged is None:
        return people, 0
    kept = there[judged.first, judged.segment] & there[judged.second, judged.segment]
    if not kept.any():
        raise InputError("no judged pair has scores of every metric")
    return replace(people, judgments=judged.select(kept)), int((~kept).sum())
