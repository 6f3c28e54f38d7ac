"""What a command does for neural metrics: it may fetch their models, and shows how far it is."""

from __future__ import annotations

from contextlib import contextmanager

from bleuet.cli.options import DOWNLOAD
from bleuet.cli.progress import encoding_bar
from bleuet.metrics.neural.encoder import progress
from bleuet.metrics.neural.folders import allow_downloads
from bleuet.output.failure import print_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.cli.options import Arguments


@contextmanager
def models_of(args: Arguments) -> Iterator[None]:
    """Let models be fetched where `--download` is set, and draw a bar while texts are encoded."""
    allow_downloads(print_line if getattr(args, DOWNLOAD.dest, False) else None)
    try:
        with encoding_bar(args) as report, progress(report):
            yield
    finally:
        allow_downloads(None)
