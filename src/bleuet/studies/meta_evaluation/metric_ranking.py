"""The agreement of several metrics by one statistic, and their ranks by significance."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import isnan

from bleuet.studies.meta_evaluation.agreement import Agreement, agreement
from bleuet.studies.meta_evaluation.metric_comparison import (
    WILLIAMS,
    WILLIAMS_STATISTIC,
    compare_metrics,
)
from bleuet.studies.meta_evaluation.score_matrix import ScoreMatrix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.studies.meta_evaluation.human_scores import HumanScores
    from bleuet.studies.meta_evaluation.metric_scores import MetricScores
    from bleuet.studies.meta_evaluation.statistics import Statistic

SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class AgreementSettings:
    """How agreement is computed and tested.

    Args:
        grouping: the grouping of the statistics that have it; None takes their defaults.
        draws: the number of bootstrap draws for confidence intervals; 0 computes none.
        confidence: the level of the intervals, between 0 and 1.
        resample: what each draw draws: "segments", "systems" or "both". Where the scores are of
            whole systems, such as corpus scores, systems are drawn.
        seed: the random seed of draws and permutations.
        test: "perm-both" or "williams" ranks metrics by significance; None does not.
        trials: the number of permutations of a test.
    """

    grouping: str | None = None
    draws: int = 0
    confidence: float = 0.95
    resample: str = "segments"
    seed: int = 12345
    test: str | None = None
    trials: int = 1000


@dataclass(frozen=True, slots=True)
class MetricResult:
    """The agreement of one metric by one statistic, and its rank.

    Args:
        agreement: the value and its interval; None where the metric lacks the scores for it.
        rank: 1 for the metrics that none is significantly better than, and so on; None without a
            test.
        p_value: for the hypothesis that the best metric is better; None without a test and for the
            best metric.
    """

    agreement: Agreement | None
    rank: int | None = None
    p_value: float | None = None

    @property
    def value(self) -> float:
        """The statistic; NaN where there is none."""
        return float("nan") if self.agreement is None else self.agreement.value


class MetricRanking:
    """All metrics by one statistic.

    Args:
        entry: the statistic.
        human: the human scores.
        metrics: the metrics.
        settings: how agreement is computed and tested.

    Raises:
        OptionError: the statistic cannot use these human scores.
    """

    def __init__(
        self,
        entry: Statistic,
        human: HumanScores,
        metrics: Sequence[MetricScores],
        settings: AgreementSettings,
    ) -> None:
        self.entry = entry
        self.settings = settings
        self.human = human.for_statistic(entry)
        # Where one metric has scores of whole systems, all are compared by such scores.
        whole = not entry.needs_segments and any(one.systems is not None for one in metrics)
        self.scores = [one.system_scores() if whole else one.segments for one in metrics]
        self.grouping = settings.grouping if settings.grouping in entry.groupings else None

    def results(self) -> list[MetricResult]:
        """Return the result of each metric, in the order of the metrics."""
        results = [
            MetricResult(None if scores is None else self._agreement(scores))
            for scores in self.scores
        ]
        test = self.settings.test
        if test is None or (test == WILLIAMS and self.entry.name != WILLIAMS_STATISTIC):
            return results
        return self._ranked(results)

    def _agreement(self, scores: ScoreMatrix) -> Agreement:
        settings = self.settings
        one = isinstance(self.human, ScoreMatrix) and self.human.segments == 1
        whole = not self.entry.needs_segments and (one or scores.segments == 1)
        return agreement(
            self.entry.name,
            self.human,
            scores,
            grouping=self.grouping,
            draws=settings.draws,
            confidence=settings.confidence,
            resample="systems" if whole else settings.resample,
            seed=settings.seed,
        )

    def _ranked(self, results: list[MetricResult]) -> list[MetricResult]:
        """Rank metrics in clusters, from the best down, as WMT's metrics task does.

        A metric begins a new cluster where a metric of the current cluster is significantly better
        (Freitag et al. 2022, "Results of the WMT22 Metrics Shared Task").
        """
        defined = (i for i, result in enumerate(results) if not isnan(result.value))
        order = sorted(defined, key=lambda i: -results[i].value)
        p_value = cache(self._p_value)
        ranked = list(results)
        cluster: list[int] = []
        rank = 0
        for i in order:
            if not cluster or any(p_value(better, i) <= SIGNIFICANT for better in cluster):
                cluster, rank = [], rank + 1
            cluster.append(i)
            against_best = p_value(order[0], i) if i != order[0] else None
            ranked[i] = replace(results[i], rank=rank, p_value=against_best)
        return ranked

    def _p_value(self, better: int, worse: int) -> float:
        """Return the p-value for the hypothesis that one metric is better than another."""
        return compare_metrics(
            self.entry.name,
            self.human,
            self.scores[worse],  # type: ignore[arg-type]  # metrics without scores are not ranked
            self.scores[better],  # type: ignore[arg-type]
            grouping=self.grouping,
            test=self.settings.test or "perm-both",
            trials=self.settings.trials,
            seed=self.settings.seed,
        ).p_value
