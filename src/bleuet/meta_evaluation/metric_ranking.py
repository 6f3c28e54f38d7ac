"""The agreement of several metrics by one statistic, and their ranks by significance."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import isnan

from bleuet.frozen import Value
from bleuet.meta_evaluation.agreement import Agreement, agreement
from bleuet.meta_evaluation.metric_comparison import STATISTIC_OF_TEST, compared_metrics
from bleuet.meta_evaluation.score_matrix import ScoreMatrix
from bleuet.output.plain_values import Plain
from bleuet.significance.correction import correct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bleuet.meta_evaluation.human_scores import HumanScores
    from bleuet.meta_evaluation.metric_scores import MetricScores
    from bleuet.meta_evaluation.settings import AgreementSettings
    from bleuet.meta_evaluation.statistics import Statistic

SIGNIFICANT = 0.05


class MetricResult(Value, Plain):
    """The agreement of one metric by one statistic, and its rank.

    Args:
        agreement: the value and its interval; None where the metric lacks the scores for it.
        rank: 1 for the metrics that none is significantly better than, and so on; None without a
            test.
        p_value: for the hypothesis that the best metric is better; None without a test and for the
            best metric.
        coverage: the segments that the metric's scores of systems cover: "rated" or "all"; None at
            the segment level.
    """

    agreement: Agreement | None
    rank: int | None = None
    p_value: float | None = None
    coverage: str | None = None
    plain_fields = (
        *(f"{name}=agreement.{name}" for name in ("grouping", "value", "low", "high", "used")),
        *(f"{name}=agreement.{name}" for name in ("left_out", "missing")),
        *("coverage", "epsilon=agreement.epsilon", "noise=agreement.noise", "rank", "p_value"),
    )

    @property
    def value(self) -> float:
        """The statistic; NaN if there is none."""
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
        grouping = settings.grouping if settings.grouping in entry.groupings else None
        self.settings = settings.replace(grouping=grouping)
        self.human = human.for_statistic(entry)
        # Where one metric has scores of whole systems, all are compared by such scores.
        whole = not entry.needs_segments and any(one.systems is not None for one in metrics)
        self.scores = [one.system_scores() if whole else one.segments for one in metrics]
        self.coverage = [one.covers for one in metrics]

    def results(self) -> list[MetricResult]:
        """Return the result of each metric, in the order of the metrics."""
        results = [
            MetricResult(
                None if scores is None else self._agreement(scores),
                coverage=None if self.entry.needs_segments else coverage,
            )
            for scores, coverage in zip(self.scores, self.coverage, strict=True)
        ]
        test = self.settings.test
        if test is None or self.entry.name != STATISTIC_OF_TEST.get(test, self.entry.name):
            return results
        return self._ranked(results)

    def _agreement(self, scores: ScoreMatrix) -> Agreement:
        return agreement(self.entry.name, self.human, scores, self.settings)

    def _ranked(self, results: list[MetricResult]) -> list[MetricResult]:
        """Rank metrics in clusters, from the best down, as WMT's metrics task does.

        A metric begins a new cluster where a metric of the current cluster is significantly better
        (Freitag et al. 2022, "Results of the WMT22 Metrics Shared Task").
        """
        defined = (i for i, result in enumerate(results) if not isnan(result.value))
        order = sorted(defined, key=lambda i: -results[i].value)
        p_value = self._p_values(order)
        ranked = list(results)
        cluster: list[int] = []
        rank = 0
        for i in order:
            if not cluster or any(p_value(better, i) < SIGNIFICANT for better in cluster):
                cluster, rank = [], rank + 1
            cluster.append(i)
            against_best = p_value(order[0], i) if i != order[0] else None
            ranked[i] = results[i].replace(rank=rank, p_value=against_best)
        return ranked

    def _p_values(self, order: Sequence[int]) -> Callable[[int, int], float]:
        """Return the p-value of two metrics as a function, corrected for all pairs if wanted.

        Args:
            order: the metrics, best first.
        """
        if self.settings.correction is None:
            return cache(self._p_value)
        pairs = list(combinations(order, 2))
        raw = {pair: self._p_value(*pair) for pair in pairs}
        defined = [pair for pair in pairs if not isnan(raw[pair])]
        p_values = correct([raw[pair] for pair in defined], self.settings.correction)
        corrected = dict(zip(defined, p_values, strict=True))
        return lambda better, worse: corrected.get((better, worse), float("nan"))

    def _p_value(self, better: int, worse: int) -> float:
        """Return the p-value for the hypothesis that one metric is better than another."""
        return compared_metrics(
            self.entry.name,
            self.human,
            self.scores[worse],  # type: ignore[arg-type]  # metrics without scores are not ranked
            self.scores[better],  # type: ignore[arg-type]
            self.settings,
        ).p_value
