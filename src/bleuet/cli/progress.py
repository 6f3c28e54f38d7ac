"""The progress bar, drawn with rich on standard error, and only when a run takes long."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any

    from bleuet.cli.options import Arguments
    from bleuet.statistics.counted import Counted
    from bleuet.text.parallel import Parallel

# Importing what draws it takes longer than most corpora take.
PATIENCE_SECONDS = 0.5


class ProgressBar:
    """Shows how far the reading has come; once stopped, it leaves no trace."""

    def __init__(self, batches: Parallel) -> None:
        self._batches = batches
        self._begin = monotonic()
        self._drawn: Any = None
        self._task: Any = None

    def __call__(self, counted: Counted) -> None:
        """Note that a batch was counted."""
        if self._drawn is None:
            if monotonic() - self._begin < PATIENCE_SECONDS:
                return
            self._draw()
        read, segments = self._batches.bytes_read, self._batches.segments_read
        self._drawn.update(self._task, completed=read, segments=segments)

    def _draw(self) -> None:
        from rich import progress

        total = self._batches.bytes_total
        # How long a pipe will go on cannot be known.
        clock = progress.TimeElapsedColumn() if total is None else progress.TimeRemainingColumn()
        self._drawn = _drawn(
            progress.DownloadColumn(),
            progress.TextColumn("{task.fields[segments]:,} segments,"),
            clock,
            progress.TextColumn("so far" if total is None else "left"),
        )
        self._task = self._drawn.add_task("", total=total, segments=0)

    def stop(self) -> None:
        """Wipe the bar away."""
        if self._drawn is not None:
            self._drawn.stop()


def _drawn(*columns: Any) -> Any:
    from rich import progress
    from rich.console import Console

    console = Console(stderr=True)
    drawn = progress.Progress(
        progress.BarColumn(),
        *columns,
        console=console,
        transient=True,
        refresh_per_second=5,
        # A terminal that cannot wipe a line would keep all of them.
        disable=console.is_dumb_terminal,
    )
    drawn.start()
    return drawn


def is_shown(args: Arguments) -> bool:
    """Return whether there is a terminal to draw on, and --quiet is not set."""
    return not args.quiet and sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def share_bar(args: Arguments) -> Iterator[Callable[[float], None] | None]:
    """Draw a bar of the share of the work that is done; give None without a terminal."""
    drawn: list[Any] = []
    begin = monotonic()

    def report(share: float) -> None:
        if not drawn:
            if monotonic() - begin < PATIENCE_SECONDS:
                return
            from rich import progress

            columns = (progress.TaskProgressColumn(), progress.TimeRemainingColumn())
            drawn.append(_drawn(*columns, progress.TextColumn("left")))
            drawn[0].add_task("", total=1.0)
        drawn[0].update(drawn[0].task_ids[0], completed=share)

    try:
        yield report if is_shown(args) else None
    finally:
        for bar in drawn:
            bar.stop()


@contextmanager
def encoding_bar(args: Arguments) -> Iterator[Callable[[int, int], None] | None]:
    """Draw a bar of the texts that a model has read, and of how many it reads a second."""
    drawn: list[Any] = []
    begin = monotonic()
    # The texts that were read before those of the bar, and how many of these there are.
    known = {"before": 0, "now": 0}

    def report(done: int, texts: int) -> None:
        if done < known["now"]:
            known["before"] += known["now"]
        known["now"] = done
        seconds = monotonic() - begin
        if not drawn:
            if seconds < PATIENCE_SECONDS:
                return
            from rich import progress

            columns = (progress.MofNCompleteColumn(), progress.TextColumn("texts encoded,"))
            drawn.append(_drawn(*columns, progress.TextColumn("{task.fields[rate]:.1f} a second")))
            drawn[0].add_task("", total=texts, rate=0.0)
        rate = (known["before"] + done) / seconds
        drawn[0].update(drawn[0].task_ids[0], completed=done, total=texts, rate=rate)

    try:
        yield report if is_shown(args) else None
    finally:
        for bar in drawn:
            bar.stop()


def with_bar(counted: Iterable[Counted], batches: Parallel) -> Iterator[Counted]:
    """Yield what was counted, and draw a bar of how far the reading has come."""
    bar = ProgressBar(batches)
    try:
        for one in counted:
            bar(one)
            yield one
    finally:
        bar.stop()
