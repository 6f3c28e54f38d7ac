"""A batch of rows that were counted, or read from a file, for every system and metric."""

from __future__ import annotations

from bleuet.frozen import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.statistics.table import Table


class Counted(Value):
    """The rows of one batch: tables[s][m] has those of system s by metric m.

    Args:
        tables: one list per system with one table per metric.
        segments: the number of each row's segment in the corpus, from 1.
    """

    tables: list[list[Table]]
    segments: Sequence[int]
