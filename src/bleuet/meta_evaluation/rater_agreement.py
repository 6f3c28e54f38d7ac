"""The agreement of raters with each other: Krippendorff's alpha, with a bootstrap interval.

Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability": 1 - D_o / D_e, the disagreement of
raters on the same item, over that of all scores with each other. An item is a segment of a system.
"""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.frozen import Value, checked
from bleuet.meta_evaluation.confidence import Draws, percentile_interval
from bleuet.meta_evaluation.inputs import document_numbers
from bleuet.meta_evaluation.rater_scores import RaterScores
from bleuet.meta_evaluation.settings import AGREEMENT, NOMINAL, ORDINAL, AgreementSettings
from bleuet.meta_evaluation.statistic_options import StatisticOptions
from bleuet.output.plain_values import Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Integers
else:
    np = deferred("numpy")


class RaterAgreement(Value, Plain):
    """The agreement of raters with each other.

    Args:
        alpha: Krippendorff's alpha: 1 for raters who agree, 0 for scores by chance; NaN if all
            scores are equal.
        scale: the scale of the scores: "interval", "ordinal" or "nominal".
        items: the number of items, segments of systems, that two raters or more scored.
        scores: the number of their scores.
        raters: the number of raters who gave them.
        low, high: the ends of the confidence interval; None without draws.
    """

    alpha: float
    scale: str
    items: int
    scores: int
    raters: int
    low: float | None = None
    high: float | None = None


@checked
def rater_agreement(raters: RaterScores, settings: AgreementSettings = AGREEMENT) -> RaterAgreement:
    """Return Krippendorff's alpha of raters.

    Args:
        raters: the scores by rater. If a rater scored a segment of a system repeatedly, the first
            score counts.
        settings: the scale of the scores is `rater_scale`; with `draws`, segments or whole
            `documents` are drawn for an interval.

    Raises:
        InputError: no segment of a system has scores of two raters, or there is not one document
            for each segment.

    >>> rows = [(0, "a", "r1", 1), (0, "a", "r2", 1), (1, "a", "r1", 3), (1, "a", "r2", 2)]
    >>> found = rater_agreement(RaterScores.from_rows(rows))
    >>> round(found.alpha, 3), found.items
    (0.727, 2)
    """
    items = _Items(raters, settings.rater_scale)
    low = high = None
    if settings.draws:
        numbers = document_numbers(settings, raters.segments)
        options = StatisticOptions(settings.replace(resample="segments"), documents=numbers)
        drawn = Draws(len(raters.systems), raters.segments, options).times_segments()
        values = np.array([items.alpha(times) for times in drawn])
        low, high = percentile_interval(values, settings.confidence)
    return RaterAgreement(
        items.alpha(np.ones(raters.segments, dtype=np.int64)),
        settings.rater_scale,
        items.count,
        len(items.values),
        len(np.unique(items.rater)),
        low,
        high,
    )


def has_common_items(raters: RaterScores) -> bool:
    """Return whether two raters scored the same segment of a system."""
    rows = np.unique(np.stack([raters.system, raters.segment, raters.rater]), axis=1)
    return bool(len(np.unique(rows[:2], axis=1).T) < rows.shape[1])


class _Items:
    """The scores of the items with two raters or more.

    Args:
        raters: the scores by rater.
        scale: the scale of the scores.

    Raises:
        InputError: there are no such items.
    """

    def __init__(self, raters: RaterScores, scale: str) -> None:
        cells = raters.system * raters.segments + raters.segment
        # The first score of each rater.
        _, first = np.unique(cells * len(raters.raters) + raters.rater, return_index=True)
        _, item, size = np.unique(cells[first], return_inverse=True, return_counts=True)
        kept = first[size[item] > 1]
        if not len(kept):
            raise InputError(
                "agreement between raters needs two scores of a segment of a system by two "
                "raters, but no segment has them: leave the agreement out"
            )
        _, self.item, size = np.unique(cells[kept], return_inverse=True, return_counts=True)
        self.size: Floats = size.astype(np.float64)
        self.count = len(size)
        self.segment: Integers = raters.segment[kept]
        self.rater: Integers = raters.rater[kept]
        distinct, self.place = np.unique(raters.scores[kept], return_inverse=True)
        # Alpha does not change with the origin of the scale; small numbers keep more digits.
        self.values: Floats = raters.scores[kept] - distinct.mean()
        self.nominal, self.ordinal = scale == NOMINAL, scale == ORDINAL
        if self.nominal:
            cell = self.item * len(distinct) + self.place
            _, self._same, times = np.unique(cell, return_inverse=True, return_counts=True)
            others = self.size[self.item] - times[self._same]
            self._disagreeing: Floats = np.bincount(self.item, others).astype(np.float64)

    def alpha(self, times: Integers) -> float:
        """Return alpha where each segment counts a number of times; NaN if it is undefined."""
        weight: Floats = times[self.segment].astype(np.float64)
        number = weight.sum()
        of_values = np.bincount(self.place, weight)
        observed: Floats
        if self.nominal:
            observed = self._disagreeing
            expected = number**2 - (of_values**2).sum()
        else:
            values = self.values
            if self.ordinal:
                # Half of the scores that are equal, and all that are lower.
                values = (np.cumsum(of_values) - of_values / 2)[self.place]
            values = values - np.average(values, weights=weight) if number else values
            means = np.bincount(self.item, values) / self.size
            distances = (values - means[self.item]) ** 2
            observed = 2 * self.size * np.bincount(self.item, distances)
            expected = 2 * number * (weight * values**2).sum()
        if not expected > 0:
            return float("nan")
        of_item = np.zeros(self.count)
        of_item[self.item] = weight
        within = (of_item * observed / (self.size - 1)).sum() / number
        return float(1 - within * number * (number - 1) / expected)
