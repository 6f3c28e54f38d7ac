"""Human scores: scores of segments, pairwise judgments, or scores of whole systems."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.extras import deferred
from bleuet.frozen import Value, checked
from bleuet.meta_evaluation.pairwise_judgments import PairwiseJudgments
from bleuet.meta_evaluation.rater_scores import RaterScores
from bleuet.meta_evaluation.score_matrix import ScoreMatrix
from bleuet.meta_evaluation.statistics import STATISTICS, Statistic

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np
else:
    np = deferred("numpy")

KINDS = {
    "scores": "scores of segments",
    "judgments": "pairwise judgments",
    "systems": "one score per system",
}


@checked
class HumanScores(Value):
    """What human raters gave, in one or more of three forms.

    Args:
        scores: scores of segments and systems, higher is better.
        judgments: pairwise judgments of segments.
        systems: one score per system, in one column; None takes the means of `scores`, or the
            share of judgments that each system won.
        raters: the scores by rater that `scores` are the means of; None if they are not known.
    """

    scores: ScoreMatrix | None = None
    judgments: PairwiseJudgments | None = None
    systems: ScoreMatrix | None = None
    raters: RaterScores | None = None

    @property
    def kind(self) -> str:
        """The form of the scores: a key of `KINDS`."""
        if self.scores is not None:
            return "scores"
        return "systems" if self.judgments is None else "judgments"

    @property
    def rated_segments(self) -> list[int]:
        """The numbers of the segments with a human score or judgment."""
        if self.scores is not None:
            rated = np.flatnonzero(~np.isnan(self.scores.values).all(axis=0))
        else:
            rated = np.unique([] if self.judgments is None else self.judgments.segment)
        return list(map(int, rated))

    @checked
    def for_statistic(self, entry: Statistic) -> ScoreMatrix | PairwiseJudgments:
        """Return the scores or judgments that a statistic compares a metric with.

        Raises:
            OptionError: the statistic cannot use these scores.
        """
        found: ScoreMatrix | PairwiseJudgments | None = self.scores
        if entry.takes == "judgments" and self.judgments is not None:
            found = self.judgments
        elif entry.level == "system" and not entry.needs_segments:
            found = self.systems or self.scores or self.system_scores()
        if found is None:
            possible = [one.name for one in STATISTICS.values() if _can_use(self.kind, one)]
            raise OptionError(
                f"{entry.name} needs human scores of segments, not {KINDS[self.kind]}: use "
                f"{', '.join(possible)}"
            )
        return found

    def system_scores(self) -> ScoreMatrix | None:
        """Return one score per system, computed from segments or judgments where needed."""
        if self.systems is not None:
            return self.systems
        if self.scores is not None:
            return mean_scores(self.scores)
        return None if self.judgments is None else share_won(self.judgments)


def _can_use(kind: str, entry: Statistic) -> bool:
    if entry.takes == "judgments":
        return kind == "judgments"
    return entry.level == "system" and not entry.needs_segments


def mean_scores(scores: ScoreMatrix) -> ScoreMatrix:
    """Return one score per system: the mean over its segments."""
    return ScoreMatrix(scores.systems, scores.system_means()[:, None])


def share_won(judgments: PairwiseJudgments) -> ScoreMatrix:
    """Return the share of judgments that each system won, without ties: wins / (wins + losses).

    WMT used it to rank systems (Callison-Burch et al. 2012).

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
