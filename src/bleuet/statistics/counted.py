"""A batch of rows that were counted, or read back from a file, for every system and metric."""

from __future__ import annotations

from bleuet.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.statistics.table import Table
    from bleuet.text.segments import Segments


class Counted(Frozen):
    """What one batch gave: tables[s][m] holds the rows of system s by metric m.

    Args:
        hypotheses: one list per system; none where the rows were counted earlier.
        tables: one list per system with one table per metric.
        segments: the number of each row's segment in the corpus, from 1.
    """

    __slots__ = ("hypotheses", "segments", "tables")
    _fields = ("hypotheses", "tables", "segments")
    hypotheses: Sequence[Segments]
    tables: list[list[Table]]
    segments: Sequence[int]

    def __init__(
        self,
        hypotheses: Sequence[Segments],
        tables: list[list[Table]],
        segments: Sequence[int],
    ) -> None:
        self._set(hypotheses=hypotheses, tables=tables, segments=segments)
