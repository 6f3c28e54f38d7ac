"""How far a statistic would move on other segments or systems: the percentile bootstrap.

Efron and Tibshirani (1993), "An Introduction to the Bootstrap", chapter 13. Deutsch, Dror and Roth
(2021), "A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods", TACL,
draw segments (Boot-Inputs), systems (Boot-Systems) or both (Boot-Both).
"""

from __future__ import annotations

from bleuet.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np

    from bleuet.studies.meta_evaluation.pairs import JudgedPairs
    from bleuet.studies.meta_evaluation.rows import Floats, Integers
    from bleuet.studies.meta_evaluation.statistics import Statistic
else:
    np = optional("numpy")

RESAMPLED = ("segments", "systems", "both")


class Draws:
    """Bootstrap draws of segments, systems or both, with repetition.

    Args:
        draws: how many.
        systems: how many systems there are.
        segments: how many segments there are.
        resample: one of `RESAMPLED`.
        seed: of the draws; the same seed draws the same segments for every metric.
    """

    def __init__(self, draws: int, systems: int, segments: int, resample: str, seed: int) -> None:
        rng = np.random.default_rng(seed)
        of_segments = np.arange(segments, dtype=np.int64)[None].repeat(draws, axis=0)
        if resample != "systems":
            of_segments = rng.integers(0, segments, size=(draws, segments))
        self.segments: Integers = of_segments
        self.systems: Integers | None = None
        if resample != "segments":
            self.systems = rng.integers(0, systems, size=(draws, systems))

    def times_segments(self) -> Integers:
        """Return how often each segment was drawn, one row per draw."""
        return _times(self.segments, self.segments.shape[1])

    def times_systems(self) -> Integers | None:
        """Return how often each system was drawn, one row per draw; None where none were."""
        return None if self.systems is None else _times(self.systems, self.systems.shape[1])


def _times(drawn: Integers, size: int) -> Integers:
    cells = drawn + size * np.arange(len(drawn))[:, None]
    times: Integers = np.bincount(cells.ravel(), minlength=drawn.size).reshape(len(drawn), size)
    return times


def drawn_judgments(
    entry: Statistic, judged: JudgedPairs, grouping: str | None, draws: Draws
) -> Floats:
    """Return one value per draw: sums of the segments' counts, which are never counted again."""
    assert entry.coefficients is not None
    return judged.drawn(
        entry.coefficients, grouping or "none", draws.times_segments(), draws.times_systems()
    )


def drawn_scores(
    entry: Statistic, human: Floats, metric: Floats, grouping: str | None, draws: Draws, seed: int
) -> Floats:
    """Return one value per draw of rows and columns of scores."""
    if entry.draw_items and grouping == "item" and draws.systems is None:
        return entry.draw_items(human, metric, draws.times_segments())
    assert entry.measure is not None
    values = []
    for at, segments in enumerate(draws.segments):
        rows = np.arange(len(human)) if draws.systems is None else draws.systems[at]
        # Only systems are drawn where the two sides have not the same segments.
        same = metric.shape[1] == human.shape[1]
        columns = segments if same else np.arange(metric.shape[1])
        people, scores = human[np.ix_(rows, segments)], metric[np.ix_(rows, columns)]
        values.append(entry.measure(people, scores, grouping, seed).value)
    return np.array(values)


def percentile_interval(values: Floats, confidence: float) -> tuple[float, float]:
    """Return the ends between which the middle part of the draws lies.

    Draws in which the statistic is undefined, as where one system was drawn alone, say nothing and
    are passed over; without a defined draw both ends are NaN.

    Args:
        values: one per draw.
        confidence: the part that lies between the ends, such as 0.95.

    >>> percentile_interval(np.arange(101.0), 0.5)
    (25.0, 75.0)
    """
    defined = values[~np.isnan(values)]
    if not len(defined):
        return float("nan"), float("nan")
    low, high = np.quantile(defined, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)
