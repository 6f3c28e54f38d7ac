"""How a comparison is printed: one function per format, and the table of formats."""

from __future__ import annotations

from bleuet.cli.destination import Destination
from bleuet.cli.output import can_hold_all_of_unicode, width_of
from bleuet.studies.comparison.markup import to_latex, to_markdown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from bleuet.cli.compare.arguments import CompareGiven
    from bleuet.studies.comparison import Comparison


def write_comparison(given: CompareGiven, comparison: Comparison) -> None:
    """Write a comparison in the format asked for."""
    with Destination(given.output) as out:
        FORMATS[given.format](out, comparison, given)


def _write_text(out: IO[str], comparison: Comparison, given: CompareGiven) -> None:
    # Imported here because only text is drawn.
    from bleuet.cli.compare.terminal import print_comparison

    print_comparison(out, comparison, given)


def _write_json(out: IO[str], comparison: Comparison, given: CompareGiven) -> None:
    out.write(comparison.to_json(ensure_ascii=not can_hold_all_of_unicode(out)) + "\n")


def _write_csv(out: IO[str], comparison: Comparison, given: CompareGiven) -> None:
    out.write(comparison.to_csv(given.show, width=width_of(given)))


def _write_markdown(out: IO[str], comparison: Comparison, given: CompareGiven) -> None:
    out.write(to_markdown(comparison, given.show, width_of(given), short=given.short))


def _write_latex(out: IO[str], comparison: Comparison, given: CompareGiven) -> None:
    out.write(to_latex(comparison, given.show, width_of(given), short=given.short))


FORMATS: dict[str, Callable[[IO[str], Comparison, CompareGiven], None]] = {
    "text": _write_text,
    "json": _write_json,
    "csv": _write_csv,
    "latex": _write_latex,
    "markdown": _write_markdown,
}
