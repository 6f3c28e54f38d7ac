"""Draws of sacreBLEU's rows: the same segments as sacreBLEU draws, added without rounding.

sacreBLEU adds and divides draws in single precision, so that its last digits are noise: means and
intervals agree to the printed digits.
"""

from __future__ import annotations

import os

from bleuet.compat.sacrebleu.metrics.score import Score
from bleuet.errors import InputError, OptionError
from bleuet.statistics.resampling import Resampler
from bleuet.statistics.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.compat.sacrebleu.metrics.base import Metric

SEED = "12345"


def resample(stats: Any, metric: Metric, n_samples: int = 1000) -> tuple[str, list[Score]]:
    """Draw segments with repetition, as many as there are, and score each draw.

    Args:
        stats: rows of statistics, one per segment.
        metric: whose rows they are.
        n_samples: the number of draws.

    Returns:
        The seed as it stands in the signature, and the draws' scores. The seed is 12345, or that
        of the environment variable SACREBLEU_SEED, where "none" draws anew each time.

    Raises:
        OptionError: SACREBLEU_SEED is no whole number.
    """
    seed, number = chosen_seed()
    (sums,) = Resampler(number).draw([table_of(stats)], n_samples)
    return seed, [Score("", value) for value in metric._scores_of_sums(sums)]


def chosen_seed() -> tuple[str, int | None]:
    """Return the seed as it is printed and as numpy takes it.

    Raises:
        OptionError: SACREBLEU_SEED is no whole number.
    """
    seed = os.environ.get("SACREBLEU_SEED", SEED).lower()
    if seed == "none":
        return seed, None
    if not seed.isdecimal():
        raise OptionError(f"SACREBLEU_SEED must be a whole number or 'none', not {seed!r}")
    return seed, int(seed)


def table_of(stats: Any) -> Table:
    """Return rows of statistics as a table: a metric's own, or one of the numbers in lists.

    Raises:
        InputError: there are no rows, or they are not equally long.
    """
    table = getattr(stats, "table", None)
    if isinstance(table, Table):
        return table
    rows = [[float(number) for number in row] for row in stats]
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise InputError("rows of statistics are lists of numbers, equally long, at least one")
    return Table.from_rows((), [f"statistic {c}" for c in range(len(rows[0]))], rows, None)
