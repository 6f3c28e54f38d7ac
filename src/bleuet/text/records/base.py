"""What the rows of all formats have in common: columns to choose, and batches of values."""

from __future__ import annotations

from bleuet.text.batches import OpenFile
from bleuet.text.records.values import check_values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


class Records(OpenFile):
    """The rows of a file, read in batches; one class per format."""

    __slots__ = ("_chosen", "names", "numbers")

    # What `numbers` counts: lines of a text, or rows.
    unit = ":"

    names: list[str]  # of the columns
    numbers: Sequence[int]  # the line, or the row, of each row of the last batch, from 1
    _chosen: list[Any]

    def choose(self, column: str | None) -> None:
        """Read this column too.

        Args:
            column: its name, or in files without names its number from 1; None for the only one.

        Raises:
            InputError: there is no such column, or several.
        """
        raise NotImplementedError

    def next_columns(self) -> list[list[Any]]:
        """Read the values of the next rows in each chosen column; no columns at the end."""
        raise NotImplementedError

    def place(self, index: int) -> str:
        """Return the place of a row of the last batch for messages."""
        return f"{self.name}{self.unit}{self.numbers[index]}"

    def check(self, values: list[Any], several: bool, column: str) -> None:
        """Reject what is not text among the values of the last batch.

        Args:
            values: those of one column.
            several: allow lists of texts and absent texts, as in references.
            column: what messages call the column.

        Raises:
            InputError: a value is not text; the message says where.
        """
        check_values(values, several, column, self.place)
