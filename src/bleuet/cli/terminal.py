"""The table of scores on a terminal, drawn with rich."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.table import Table
from rich.text import Text

from bleuet.cli.names import printable
from bleuet.cli.output import cells_of, columns_of, signatures_of, write_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.cli.given import Given
    from bleuet.cli.output import Rows
    from bleuet.metrics.score import Score

_GAP = 2
_LEAST_NAME = 12


def print_scores(rows: Rows, given: Given) -> None:
    """Print the table of systems and metrics, the best of several in bold, and the signatures."""
    console = Console(highlight=False, emoji=False)
    table, numbers_width = _table(rows, given)
    if numbers_width + _LEAST_NAME > console.width:
        # rich would cut numbers off; the terminal's own line breaks cut nothing.
        write_text(sys.stdout, rows, given)
        return
    console.print(table)
    if len(rows) == 1:
        _print_details(console, rows[0][1])
    console.print()
    for heading, signature in signatures_of(rows[0][1], given):
        console.print(Text(f"{heading}|{signature}", style="dim"), soft_wrap=True)


def _table(rows: Rows, given: Given) -> tuple[Table, int]:
    """The table, and the columns of the terminal that its numbers need."""
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, _GAP, 0, 0))
    table.add_column("system", overflow="fold")
    cells = [columns_of(scores, given) for _, scores in rows]
    texts = [cells_of(scores, given) for _, scores in rows]
    best = _best(rows, cells)
    numbers_width = 0
    for c, (heading, _) in enumerate(cells[0]):
        least = max(len(heading), *(len(row[c]) for row in texts))
        numbers_width += least + _GAP
        table.add_column(Text(heading), justify="right", no_wrap=True)
    for (name, _), columns, shown in zip(rows, cells, texts, strict=True):
        numbers = [
            Text(text, style="bold green" if value == best[c] else "")
            for c, ((_, value), text) in enumerate(zip(columns, shown, strict=True))
        ]
        table.add_row(Text(printable(name)), *numbers)
    return table, numbers_width


def _print_details(console: Console, scores: list[Score]) -> None:
    for score in scores:
        if score.details():
            console.print(Text(f"{score.name}: {score.details()}"), soft_wrap=True)


def _best(rows: Rows, cells: list[list[tuple[str, float]]]) -> list[float | None]:
    """The best number of each column, where there are several systems to choose from."""
    if len(rows) == 1:
        return [None] * len(cells[0])
    lower_is_better = {s.name for s in rows[0][1] if not s.metric.higher_is_better}
    best: list[float | None] = []
    for c, (heading, _) in enumerate(cells[0]):
        values = [columns[c][1] for columns in cells]
        lower = heading.partition(" ")[0] in lower_is_better
        best.append(min(values) if lower else max(values))
    return best
