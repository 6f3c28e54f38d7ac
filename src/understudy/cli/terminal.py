"""What only a terminal shows, drawn with rich: the table of scores and the progress bar."""

from __future__ import annotations

from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from understudy.cli.output import columns_of, signatures_of, width_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterator

    from understudy.cli.output import Rows
    from understudy.engines.streaming import Counted
    from understudy.metrics.score import Score
    from understudy.text.parallel import Parallel


def print_scores(rows: Rows, given: Namespace) -> None:
    """Print the table of systems and metrics, the best of several in bold, and the signatures."""
    width = width_of(given)
    console = Console(highlight=False)
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("system", overflow="fold")
    cells = [columns_of(scores, given) for _, scores in rows]
    for heading, _ in cells[0]:
        table.add_column(heading, justify="right", no_wrap=True)
    best = _best(rows, cells)
    for (name, _), columns in zip(rows, cells, strict=True):
        numbers = [
            Text(f"{value:.{width}f}", style="bold green" if value == best[c] else "")
            for c, (_, value) in enumerate(columns)
        ]
        table.add_row(escape(name), *numbers)
    console.print(table)
    if len(rows) == 1:
        _print_details(console, rows[0][1])
    console.print()
    for heading, signature in signatures_of(rows[0][1], given):
        console.print(Text(f"{heading}|{signature}", style="dim"), soft_wrap=True)


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


@contextmanager
def progress(batches: Parallel) -> Iterator[Callable[[Counted], None]]:
    """Show a bar on standard error while batches are read; it leaves no trace."""
    with Progress(
        SpinnerColumn(),
        BarColumn(),
        DownloadColumn(),
        TextColumn("{task.fields[segments]:,} segments"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        # A small corpus is done before a bar would be drawn.
        refresh_per_second=5,
    ) as bar:
        task = bar.add_task("scoring", total=batches.bytes_total, segments=0)

        def show(counted: Counted) -> None:
            bar.update(task, completed=batches.bytes_read, segments=batches.segments_read)

        yield show
