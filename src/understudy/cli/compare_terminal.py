"""A comparison as text, drawn with rich: tables as narrow as they can be, sentences in full."""

from __future__ import annotations

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from understudy.cli.compare_output import is_number, signature_lines, text_of
from understudy.cli.names import printable
from understudy.cli.output import width_of
from understudy.studies.comparison.sections import sections_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Literal

    from understudy.cli.compare_arguments import CompareGiven
    from understudy.studies.comparison import Comparison
    from understudy.studies.comparison.sections import Cell, Section

_GAP = 2
_INDENT = 2
# How wide labels and names may be, so that room is left for what stands beside them.
_LABEL = 16
_NAME = 20


def print_comparison(out: IO[str], comparison: Comparison, given: CompareGiven) -> None:
    """Print the parts asked for, and the signatures."""
    console = Console(file=out, highlight=False, emoji=False)
    width = width_of(given)
    for section in sections_of(comparison, given.show):
        _say(console, section.title, "bold")
        if not section.rows:
            _say(console, "  none")
        elif section.texts:
            _print_texts(console, section, width)
        else:
            _print_table(console, section, width)
        console.print()
    for heading, signature in signature_lines(comparison, given):
        _say(console, f"{heading}|{signature}", "dim")


def _say(console: Console, line: str, style: str = "") -> None:
    console.print(Text(printable(line), style=style), soft_wrap=True)


def _print_table(console: Console, section: Section, width: int) -> None:
    table = Table(box=None, header_style="italic", pad_edge=False, padding=(0, _GAP, 0, 0))
    longest = max(len(text_of(row[0], width)) for row in section.rows)
    for column, cell in zip(section.columns, section.rows[0], strict=True):
        justify: Literal["left", "right"] = "right" if is_number(cell) else "left"
        table.add_column(Text(printable(column)), justify=justify, overflow="fold")
    # Names of systems are folded before labels are.
    table.columns[0].min_width = min(longest, _LABEL)
    for row in section.rows:
        table.add_row(*(_cell(cell, width) for cell in row))
    least = console.measure(table).minimum
    # A number is never cut: a table that does not fit is wider than the terminal.
    shown = Padding(table, (0, 0, 0, _INDENT), expand=False)
    console.print(shown, width=max(console.width, least + _INDENT), crop=False)


def _cell(cell: Cell, width: int) -> Text:
    text = Text(text_of(cell, width))
    text.no_wrap = is_number(cell)
    return text


def _print_texts(console: Console, section: Section, width: int) -> None:
    """Print every row as a paragraph: numbers on the first line, then each text by its name."""
    names = [printable(name) for name in section.columns]
    numeric = [is_number(cell) for cell in section.rows[0]]
    longest = max(len(name) for name, number in zip(names, numeric, strict=True) if not number)
    for row in section.rows:
        cells = list(zip(names, row, numeric, strict=True))
        numbers = [f"{name} {text_of(cell, width)}" for name, cell, number in cells if number]
        _say(console, "  " + ", ".join(numbers), "italic")
        for name, cell, number in cells:
            if not number:
                _print_text(console, name, printable(str(cell)), min(longest, _NAME))


def _print_text(console: Console, name: str, text: str, longest: int) -> None:
    """Print a text beside its name, broken at words; a name that is too long has its own line."""
    margin = " " * (2 * _INDENT)
    begin = margin + name.ljust(longest + _GAP)
    if len(name) > longest:
        _say(console, margin + name, "dim")
        begin = margin + " " * (longest + _GAP)
    lines = Text(text).wrap(console, max(console.width - len(begin), _LABEL), overflow="fold")
    for number, line in enumerate(lines):
        line.rstrip()
        console.print(Text(begin if number == 0 else " " * len(begin), "dim") + line)
