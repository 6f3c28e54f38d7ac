"""Bootstrap intervals: how far a score would move on another test set like this one."""

from __future__ import annotations

from dataclasses import dataclass
from math import fsum

from bleuet.errors import OptionError
from bleuet.metrics.metric import check_threads
from bleuet.metrics.signature import Signature
from bleuet.statistics.resampling import DEFAULT_SEED, Resampler
from bleuet.studies.significance.few_segments import warn_of_few

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.metrics.metric import Metric
    from bleuet.statistics.table import Table

DRAWS = 1000
LEVEL = 0.95


@dataclass(frozen=True)
class Interval:
    """A score, and where it lies in most draws of segments.

    Attributes:
        score: the score of the test set.
        mean: the mean score of the draws.
        low: the lower end of the interval.
        high: its upper end.
        level: the share of draws that the interval holds, such as 0.95.
        signature: how to compute it again, with draws and seed.
    """

    score: float
    mean: float
    low: float
    high: float
    level: float
    signature: Signature

    @property
    def half_width(self) -> float:
        """Half the distance between the ends, what is printed behind ±."""
        return 0.5 * (self.high - self.low)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values."""
        return {
            "score": self.score,
            "mean": self.mean,
            "low": self.low,
            "high": self.high,
            "half_width": self.half_width,
            "level": self.level,
            "signature": str(self.signature),
        }

    def __str__(self) -> str:
        return (
            f"{self.signature.name} = {self.score:.2f} (μ = {self.mean:.2f} ± "
            f"{self.half_width:.2f})"
        )


def bootstrap_interval(
    metric: Metric[Any],
    table: Table,
    *,
    draws: int = DRAWS,
    seed: int | None = DEFAULT_SEED,
    level: float = LEVEL,
    threads: int = 1,
) -> Interval:
    """Draw segments with repetition, and tell where the scores of the draws lie (Koehn 2004).

    Args:
        metric: the metric.
        table: its rows for a system, one per segment.
        draws: how many test sets are drawn, each as large as this one.
        seed: what the draws begin from; None draws anew each time.
        level: the share of draws that the interval holds.
        threads: threads of the kernel, 0 for one per core; the numbers are the same.

    Raises:
        OptionError: an option has a value it cannot take.
        TableError: the table has no rows, or other columns than the metric's.

    >>> from bleuet import BLEU
    >>> table = BLEU().count(["The cat sat down.", "It rains."], ["The cat sat up.", "It rains."])
    >>> print(bootstrap_interval(BLEU(), table))
    BLEU = 51.96 (μ = 34.50 ± 25.98)
    """
    (interval,) = _intervals([(metric, table)], draws, seed, level, threads)
    warn_of_few(table.rows)
    return interval


def bootstrap_intervals(
    counted: Sequence[tuple[Metric[Any], Table]],
    *,
    draws: int = DRAWS,
    seed: int | None = DEFAULT_SEED,
    level: float = LEVEL,
    threads: int = 1,
) -> list[Interval]:
    """Return the interval of each of some metrics' tables of the same segments.

    All share the draws, which makes each what `bootstrap_interval` finds. Arguments and errors are
    as there.
    """
    intervals = _intervals(counted, draws, seed, level, threads)
    warn_of_few(counted[0][1].rows)
    return intervals


def _intervals(
    counted: Sequence[tuple[Metric[Any], Table]],
    draws: int,
    seed: int | None,
    level: float,
    threads: int,
) -> list[Interval]:
    check_draws(draws, least=2)
    tables = [table for _, table in counted]
    drawn = Resampler(seed).draw(tables, draws, threads=check_threads(threads))
    intervals = []
    for (metric, table), sums in zip(counted, drawn, strict=True):
        score = metric.score(table.totals())
        signature = with_draws(score.signature, bs=draws, seed=seed)
        scores = metric.segment_scores(sums).values
        intervals.append(interval_of(score.score, scores, level, signature))
    return intervals


def in_percent(level: float) -> str:
    """Return the level of an interval in words.

    >>> in_percent(0.95), in_percent(0.999), in_percent(0.29)
    ('95%', '99.9%', '29%')
    """
    return f"{100 * level:g}%"


def interval_of(
    score: float, draws: Sequence[float], level: float, signature: Signature
) -> Interval:
    """Return the interval that holds a share of the draws, as many being left out at either end."""
    return Interval(score, mean_of(draws), *ends_of(draws, level), level, signature)


def ends_of(draws: Sequence[float], level: float) -> tuple[float, float]:
    """Return the lowest and the highest of the draws that are not left out.

    Raises:
        OptionError: the level is no share.

    >>> ends_of(range(1000), 0.95)
    (25, 974)
    """
    if not 0 < level < 1:
        raise OptionError(f"the level is a share between 0 and 1, such as 0.95, not {level!r}")
    ordered = sorted(draws)
    # A little more, as (1 - 0.95) / 2 * 1000 may come out just below 25.
    outside = int((1 - level) / 2 * len(ordered) + 1e-9)
    return ordered[outside], ordered[-1 - outside]


def mean_of(numbers: Sequence[float]) -> float:
    """Return the mean, rounded once."""
    return fsum(numbers) / len(numbers)


def check_draws(draws: object, *, least: int = 1, what: str = "draws") -> None:
    """Refuse what is no number of draws.

    Raises:
        OptionError: it is no whole number, or too small.
    """
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < least:
        raise OptionError(f"{what} must be a whole number from {least} on, not {draws!r}")


def with_draws(
    signature: Signature,
    *,
    bs: int | None = None,
    ar: int | None = None,
    seed: int | None,
    two_sided: bool = False,
    ties: bool = False,
) -> Signature:
    """Return a signature that tells of draws, with sacreBLEU's keys in its order.

    What sacreBLEU does not have, a two-sided bootstrap or ties that count, follows them.

    >>> print(with_draws(Signature("TER", [("nrefs", "1"), ("case", "lc")]), bs=1000, seed=0))
    nrefs:1|bs:1000|seed:0|case:lc
    """
    told = {"bs": bs, "ar": ar}
    added = [(key, str(number)) for key, number in told.items() if number is not None]
    added.append(("seed", "none" if seed is None else str(seed)))
    if two_sided:
        added.append(("p", "two-sided"))
    if ties:
        added.append(("ties", "count"))
    split = 1 if signature.pairs[0][0] == "nrefs" else 0
    pairs = [*signature.pairs[:split], *added, *signature.pairs[split:]]
    return Signature(signature.name, pairs, signature.short_keys)
