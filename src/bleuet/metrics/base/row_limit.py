"""What must hold of every row that a metric counts, whatever the segment."""

from __future__ import annotations

from bleuet.frozen import Value


class RowLimit(Value):
    """The most that a column can be: `max(factor * of - less, least)`.

    Every column is at least 0 besides.

    Attributes:
        column: the name of the column.
        of: the name of the column that limits it; "" for 0.
        less: what is subtracted.
        least: what the limit is at least.
        factor: what `of` is multiplied by.
        exact: whether the column is always the limit itself.
    """

    column: str
    of: str
    less: int = 0
    least: int = 0
    factor: float = 1
    exact: bool = False

    def __str__(self) -> str:
        """Return the limit in words.

        >>> print(RowLimit("matches_1", "totals_1"))
        matches_1 is at most totals_1
        >>> print(RowLimit("totals_3", "sys_len", less=2, exact=True))
        totals_3 is sys_len - 2, at least 0
        """
        limit = self.of
        if self.factor != 1:
            limit = f"{self.factor:g} * {limit}"
        if self.less:
            limit += f" - {self.less}"
        if not self.of:
            limit = str(self.least)
        elif self.less or self.least:
            limit += f", at least {self.least}"
        return f"{self.column} is {'' if self.exact else 'at most '}{limit}"
