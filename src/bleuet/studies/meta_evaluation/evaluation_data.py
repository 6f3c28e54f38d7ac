"""The data of a meta-evaluation: human scores and metrics of the same systems and segments."""

from __future__ import annotations

from dataclasses import dataclass, replace

from bleuet.errors import OptionError
from bleuet.messages import nearest
from bleuet.studies.meta_evaluation.human_scores import HumanScores
from bleuet.studies.meta_evaluation.leaderboard import default_statistics, leaderboard
from bleuet.studies.meta_evaluation.metric_scores import MetricScores, keep_common_segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from bleuet.studies.meta_evaluation.leaderboard import Leaderboard
    from bleuet.studies.meta_evaluation.metric_ranking import AgreementSettings


@dataclass(frozen=True, slots=True)
class EvaluationData:
    """Human scores and metrics of the same systems and segments.

    Args:
        human: the human scores.
        metrics: the metrics.
        notes: sentences about the scores that are used.
        left_out: sentences about the scores that are not used.

    Raises:
        OptionError: two metrics have the same name.
    """

    human: HumanScores
    metrics: tuple[MetricScores, ...]
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()

    def __post_init__(self) -> None:
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
        settings: AgreementSettings | None = None,
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
        names = list(statistics) or default_statistics(self.human, self.metrics, levels)
        human, metrics, removed = keep_common_segments(self.human, self.metrics)
        left_out = self.left_out
        if removed:
            what = "judgments" if self.human.kind == "judgments" else "scores"
            left_out += (f"left out: {removed:,} human {what} where a metric has no score",)
        board = leaderboard(human, metrics, names, settings)
        return replace(board, notes=self.notes, left_out=left_out)


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
