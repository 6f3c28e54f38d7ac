"""The random seed and the table that sacreBLEU's resampling uses.

The drawn segments are those that sacreBLEU draws. sacreBLEU adds and divides draws in single
precision, so its last digits are noise: means and intervals agree to the printed digits.
"""

from __future__ import annotations

import os

from bleuet.errors import InputError
from bleuet.statistics.seed import SEED, VARIABLE, default_seed
from bleuet.statistics.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def chosen_seed() -> tuple[str, int | None]:
    """Return the random seed as it is printed and as a number.

    It is 12345, or the value of the environment variable SACREBLEU_SEED; "none" means new draws
    each time, and has no number.

    Raises:
        OptionError: SACREBLEU_SEED is not a whole number.
    """
    return os.environ.get(VARIABLE, str(SEED)).lower(), default_seed()


def table_of(stats: Any) -> Table:
    """Return rows of statistics as a table.

    Args:
        stats: the rows of one of bleuet's metrics, or lists of numbers.

    Raises:
        InputError: there are no rows, or their lengths differ.
    """
    table = getattr(stats, "table", None)
    if isinstance(table, Table):
        return table
    rows = [[float(number) for number in row] for row in stats]
    if not rows or any(len(row) != len(rows[0]) for row in rows):
        raise InputError(
            "rows of statistics must be one or more lists of numbers of the same length"
        )
    return Table.from_rows((), [f"statistic {c}" for c in range(len(rows[0]))], rows, None)
