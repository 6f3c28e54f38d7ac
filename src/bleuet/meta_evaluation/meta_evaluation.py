"""A meta-evaluation: human scores and metrics of the same systems and segments."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.extras import deferred
from bleuet.frozen import Value
from bleuet.messages import nearest
from bleuet.meta_evaluation.human_scores import HumanScores
from bleuet.meta_evaluation.leaderboard import default_statistics, leaderboard
from bleuet.meta_evaluation.metric_scores import MetricScores, keep_common_segments
from bleuet.meta_evaluation.settings import AGREEMENT, AgreementSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    import numpy as np

    from bleuet.meta_evaluation.leaderboard import Leaderboard
else:
    np = deferred("numpy")

# The statistic of systems that stands in where raters scored only some systems of each segment.
SPA, SPA_WITHOUT = "spa", "system-accuracy"


class MetaEvaluation(Value):
    """Human scores and metrics of the same systems and segments.

    Args:
        human: the human scores.
        metrics: the metrics.
        notes: sentences about the scores that are used.
        left_out: sentences about the scores that are not used.
        segments: the number of segments.
        documents: the document of each segment, None if it is not known.

    Raises:
        OptionError: two metrics have the same name.
    """

    human: HumanScores
    metrics: tuple[MetricScores, ...]
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    segments: int = 0
    documents: Sequence[str] | None = None

    def _complete(self) -> None:
        names = [one.name for one in self.metrics]
        repeated = next((name for name in names if names.count(name) > 1), None)
        if repeated is not None:
            raise OptionError(
                f"two metrics are called {repeated}: choose another name for the external scores"
            )

    def leaderboard(
        self,
        statistics: Sequence[str] = (),
        levels: Sequence[str] = (),
        settings: AgreementSettings = AGREEMENT,
    ) -> Leaderboard:
        """Compare the metrics with the human scores, on the segments that all metrics have.

        Args:
            statistics: names of `STATISTICS`; without any, the default ones of the levels.
            levels: "segment", "system" or both; without any, those of the human scores.
            settings: how agreement is computed and tested.

        Raises:
            InputError: no segment has scores of all metrics.
            OptionError: a statistic does not exist, occurs twice or cannot be computed.
        """
        names = list(statistics)
        if not names and self.metrics:
            names = default_statistics(self.human, self.metrics, levels)
        human, metrics, removed = keep_common_segments(self.human, self.metrics)
        left_out = self.left_out
        if removed:
            what = "judgments" if self.human.kind == "judgments" else "scores"
            left_out += (f"left out: {removed:,} human {what} where a metric has no score",)
        notes = self.notes
        if not statistics and SPA in names and _complete_segments(human, metrics) < 2:
            names = [SPA_WITHOUT if name == SPA else name for name in names]
            notes += (
                f"{SPA} needs two segments or more with scores of all systems, which there are "
                f"not: {SPA_WITHOUT} compares the means of systems instead",
            )
        board = leaderboard(human, metrics, names, settings)
        return board.replace(notes=notes, left_out=left_out)


def _complete_segments(human: HumanScores, metrics: Sequence[MetricScores]) -> int:
    """Return on how many segments all systems have a human score and a score of each metric."""
    matrices = [one for one in (human.scores, *(one.segments for one in metrics)) if one]
    if not matrices:
        return 0
    return int(np.logical_and.reduce([~np.isnan(one.values).any(axis=0) for one in matrices]).sum())


def check_systems(names: Collection[str], known: Sequence[str]) -> None:
    """Check that the systems to leave out exist.

    Args:
        names: the names of these systems.
        known: the names of all systems.

    Raises:
        OptionError: a system does not exist; the message names the nearest one.
    """
    for name in names:
        if name not in known:
            raise OptionError(
                f"--leave-out: there is no system {name}{nearest(name, known)}; the systems are "
                f"{', '.join(known)}"
            )
