"""`bleuet score --confidence`: scores with bootstrap intervals beside them."""

from __future__ import annotations

from bleuet.compat.sacrebleu.bootstrap import chosen_seed
from bleuet.engines.streaming import keep_counted
from bleuet.errors import OptionError
from bleuet.metrics.score import Score
from bleuet.studies.significance.interval import DRAWS, bootstrap_intervals

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from bleuet.cli.given import Given
    from bleuet.metrics.metric import Metric
    from bleuet.metrics.signature import Signature
    from bleuet.statistics.counted import Counted
    from bleuet.studies.significance import Interval


class ScoreWithInterval(Score):
    """A score that is printed with its interval; the signature tells of the draws."""

    __slots__ = ("interval", "plain")
    _fields = ("plain", "interval")
    plain: Score
    interval: Interval

    def __init__(self, plain: Score, interval: Interval) -> None:
        super().__init__(plain.metric, plain.values, plain.n_references, plain.score)
        self._set(plain=plain, interval=interval)

    @property
    def signature(self) -> Signature:
        """How to compute score and interval again."""
        return self.interval.signature

    @property
    def cumulative(self) -> tuple[float, ...]:
        """BLEU-1 to BLEU-n, where the score has them."""
        return getattr(self.plain, "cumulative", ())

    def details(self) -> str:
        """Return what is printed after the number."""
        return self.plain.details()

    def format(self, width: int = 2, *, signature: bool = False) -> str:
        """Return the score as one line, with mean and half width of the draws as sacreBLEU has."""
        name = self.signature.full() if signature else self.name
        mean, half = (f"{n:.{width}f}" for n in (self.interval.mean, self.interval.half_width))
        return f"{name} = {self.score:.{width}f} (μ = {mean} ± {half}) {self.details()}".rstrip()

    def to_dict(self) -> dict[str, Any]:
        """Return what the score has, and the interval behind its number."""
        found, interval = self.plain.to_dict(), self.interval.to_dict()
        signature = interval.pop("signature")
        return {"name": found.pop("name"), **interval, **found, "signature": signature}


def check_confidence(given: Given) -> None:
    """Refuse what does not go with intervals, before anything is counted.

    Raises:
        OptionError: a number is out of range, or an option has no place.
    """
    for flag, value in (("--draws", given.interval_draws), ("--seed", given.interval_seed)):
        if value is not None and not given.confidence:
            raise OptionError(f"{flag} is about intervals: add --confidence, or leave it out")
    if given.sentence_level:
        raise OptionError(
            "--confidence draws from many segments, and --sentence-level scores each by itself: "
            "leave one of them out"
        )
    if given.interval_draws is not None and given.interval_draws < 2:
        raise OptionError(f"--draws must be 2 or more, not {given.interval_draws}")
    if given.interval_seed is not None and given.interval_seed < 0:
        raise OptionError(f"--seed must be 0 or more, not {given.interval_seed}")
    _seed(given)


def _seed(given: Given) -> int | None:
    """The seed asked for, or sacreBLEU's, which an environment variable can set."""
    return chosen_seed()[1] if given.interval_seed is None else given.interval_seed


def score_with_intervals(
    given: Given,
    metrics: Sequence[Metric],
    batches: Iterable[Counted],
    after_batch: Callable[[Counted], None] | None = None,
) -> list[list[Score]]:
    """Score systems whose rows have been counted, and draw an interval for every score.

    All systems and metrics share the draws, for which all rows are kept in memory.
    """
    counted = [
        (metric, table)
        for system in keep_counted(batches, after_batch)
        for metric, table in zip(metrics, system, strict=True)
    ]
    intervals = bootstrap_intervals(
        counted,
        draws=DRAWS if given.interval_draws is None else given.interval_draws,
        seed=_seed(given),
        threads=given.threads,
    )
    scores: list[Score] = [
        ScoreWithInterval(metric.score(table.totals()), interval)
        for (metric, table), interval in zip(counted, intervals, strict=True)
    ]
    return [scores[first : first + len(metrics)] for first in range(0, len(scores), len(metrics))]
