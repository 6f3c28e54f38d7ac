"""The numbers of an answer without anything else, for --score-only."""

from __future__ import annotations

from bleuet.output.answer import Answer
from bleuet.output.cells import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from bleuet.output.document import Document
    from bleuet.output.settings import Settings


class BareNumbers(Answer):
    """The numbers of another answer's table: one line for each row, tabs between the numbers."""

    __slots__ = ("whole",)

    def __init__(self, whole: Answer) -> None:
        self.whole = whole

    def document(self) -> Document:
        """Return the document with everything else."""
        return self.whole.document()

    def write(self, out: IO[str], format: str, settings: Settings) -> None:  # noqa: A002
        """Write the numbers as text."""
        (table,) = self.document().tables
        scores = [(i, one) for i, one in enumerate(table.columns) if one.kind == "score"]
        for row in table.rows:
            numbers = [text_of(row[i], column, settings.width) for i, column in scores]
            out.write("\t".join(numbers) + "\n")
