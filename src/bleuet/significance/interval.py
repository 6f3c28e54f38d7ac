"""Bootstrap intervals: how much a score varies between test sets like this one."""

from __future__ import annotations

from math import fsum, sqrt

from bleuet.frozen import Value, checked
from bleuet.metrics.base.signature import Signature
from bleuet.output.plain_values import Plain
from bleuet.significance.few_segments import DOCUMENT, SEGMENT, effective_rows, warn_of_few
from bleuet.statistics.backend import check_threads
from bleuet.statistics.resampling import Resampler
from bleuet.study_settings import IntervalSettings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.metrics.base.metric import Metric
    from bleuet.statistics.table import Table

DRAWS = 1000
INTERVALS = IntervalSettings()


class Interval(Value, Plain):
    """A score with its bootstrap interval.

    Attributes:
        score: the score of the test set.
        mean: the mean score of the draws.
        low: the lower end of the interval.
        high: the upper end.
        confidence: the confidence level, the share of draws inside the interval, such as 0.95.
        signature: how to compute it again, with draws and random seed.
        extra_digits: the digits that the score needs beyond those of a score in percent.
    """

    score: float
    mean: float
    low: float
    high: float
    confidence: float
    signature: Signature
    extra_digits: int = 0
    plain_fields = ("score", "mean", "low", "high", "half_width", "confidence", "signature")

    @property
    def half_width(self) -> float:
        """Half the width of the interval, printed after ±."""
        return 0.5 * (self.high - self.low)

    def __str__(self) -> str:
        digits = 2 + self.extra_digits
        return (
            f"{self.signature.name} = {self.score:.{digits}f} (μ = {self.mean:.{digits}f} ± "
            f"{self.half_width:.{digits}f})"
        )

    def __repr__(self) -> str:
        return f"<{self}>"


@checked
def bootstrap_interval(
    metric: Metric[Any],
    table: Table,
    settings: IntervalSettings = INTERVALS,
    *,
    threads: int = 1,
    documents: Sequence[Any] | None = None,
) -> Interval:
    """Return the bootstrap interval of a score (Koehn 2004).

    Args:
        metric: the metric.
        table: the statistics of one system, one row per segment.
        settings: the draws, their seed and the confidence level.
        threads: threads of the kernel, 0 for one per core; the numbers are the same.
        documents: the document of each segment, any value such as its name; a draw then has as many
            documents as the test set. None if segments do not depend on each other.

    Raises:
        OptionError: an option has an invalid value.
        TableError: the table has no rows, or not the columns of the metric; or there is not one
            document for each segment.

    >>> from bleuet import BLEU
    >>> table = BLEU().count(["The cat sat down.", "It rains."], ["The cat sat up.", "It rains."])
    >>> print(bootstrap_interval(BLEU(), table))
    BLEU = 51.96 (μ = 34.50 ± 25.98)
    """
    (interval,) = bootstrap_intervals(
        [(metric, table)], settings, threads=threads, documents=documents
    )
    return interval


def bootstrap_intervals(
    counted: Sequence[tuple[Metric[Any], Table]],
    settings: IntervalSettings = INTERVALS,
    *,
    threads: int = 1,
    documents: Sequence[Any] | None = None,
) -> list[Interval]:
    """Return the bootstrap interval of each metric and table; all share the same draws.

    Args:
        counted: metrics and tables, all of the same segments.
        settings: as in `bootstrap_interval`.
        threads: as in `bootstrap_interval`.
        documents: as in `bootstrap_interval`.

    Raises:
        OptionError: an option has an invalid value.
        TableError: a table has no rows, or not the columns of its metric; or there is not one
            document for each segment.
    """
    draws = DRAWS if settings.draws is None else settings.draws
    tables = [table for _, table in counted]
    if documents is not None:
        tables = [table.add_groups(documents) for table in tables]
    drawn = Resampler(settings.seed).draw(tables, draws, threads=check_threads(threads))
    intervals = []
    for (metric, table), units, sums in zip(counted, tables, drawn, strict=True):
        score = metric.score(table.totals())
        docs = None if documents is None else units.rows
        signature = with_draws(score.signature, bs=draws, seed=settings.seed, docs=docs)
        scores = metric.segment_scores(sums).values
        found = interval_of(
            score.score, scores, settings.confidence, signature, metric.extra_digits
        )
        intervals.append(found)
    unit = SEGMENT if documents is None else DOCUMENT
    warn_of_few(tables[0].rows, unit, effective_rows(tables))
    return intervals


def in_percent(confidence: float) -> str:
    """Return a confidence level as text.

    >>> in_percent(0.95), in_percent(0.999), in_percent(0.29)
    ('95%', '99.9%', '29%')
    """
    return f"{100 * confidence:g}%"


def interval_of(
    score: float,
    draws: Sequence[float],
    confidence: float,
    signature: Signature,
    extra_digits: int = 0,
) -> Interval:
    """Return the interval that leaves out equally many draws at either end.

    Args:
        score: the score of the test set.
        draws: the scores of the draws.
        confidence: the share of draws inside the interval.
        signature: how to compute the interval again.
        extra_digits: the digits that the score needs beyond those of a score in percent.
    """
    ends = ends_of(draws, confidence)
    return Interval(score, mean_of(draws), *ends, confidence, signature, extra_digits)


def ends_of(draws: Sequence[float], confidence: float) -> tuple[float, float]:
    """Return the lowest and the highest of the draws inside the interval.

    >>> ends_of(range(1000), 0.95)
    (25, 974)
    """
    ordered = sorted(draws)
    # (1 - 0.95) / 2 * 1000 may be just below 25 in floating point.
    outside = int((1 - confidence) / 2 * len(ordered) + 1e-9)
    return ordered[outside], ordered[-1 - outside]


def mean_of(numbers: Sequence[float]) -> float:
    """Return the mean, rounded once."""
    return fsum(numbers) / len(numbers)


def standard_deviation(numbers: Sequence[float]) -> float:
    """Return the standard deviation of a sample, with Bessel's correction.

    >>> standard_deviation([1.0, 2.0, 3.0])
    1.0
    """
    mean = mean_of(numbers)
    return sqrt(fsum((number - mean) ** 2 for number in numbers) / (len(numbers) - 1))


def with_draws(
    signature: Signature,
    *,
    bs: int | None = None,
    ar: int | None = None,
    seed: int | None,
    p: str | None = None,
    ties: bool = False,
    docs: int | None = None,
    poisson: bool = False,
) -> Signature:
    """Return a signature with the draws, in sacreBLEU's keys and order.

    What sacreBLEU does not have, such as a two-sided bootstrap, follows its keys.

    Args:
        signature: the signature of the score.
        bs: the number of bootstrap draws, None for none.
        ar: the number of trials of a randomization, None for none.
        seed: the random seed, None for none.
        p: how the p-value is computed from draws, None as in sacreBLEU.
        ties: the randomization counts ties.
        docs: the number of documents, which are drawn and exchanged whole; None for segments.
        poisson: each segment has a Poisson weight in each draw.

    >>> print(with_draws(Signature("TER", [("nrefs", "1"), ("case", "lc")]), bs=1000, seed=0))
    nrefs:1|bs:1000|seed:0|case:lc
    """
    numbers = {"bs": bs, "ar": ar}
    added = [(key, str(number)) for key, number in numbers.items() if number is not None]
    added.append(("seed", "none" if seed is None else str(seed)))
    if p is not None:
        added.append(("p", p))
    if ties:
        added.append(("ties", "count"))
    if docs is not None:
        added.append(("docs", str(docs)))
    if poisson:
        added.append(("draw", "poisson"))
    split = 1 if signature.pairs[0][0] == "nrefs" else 0
    pairs = [*signature.pairs[:split], *added, *signature.pairs[split:]]
    return Signature(signature.name, pairs, signature.short_keys)
