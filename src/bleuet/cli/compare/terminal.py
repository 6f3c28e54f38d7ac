"""A comparison as text, drawn with rich: tables as narrow as they can be, sentences in full."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from bleuet.cli.names import printable
from bleuet.cli.output import width_of
from bleuet.studies.comparison.markup import is_number, signature_lines, text_of
from bleuet.studies.comparison.sections import Ends, Scored, sections_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import IO, Literal

    from bleuet.cli.compare.arguments import CompareGiven
    from bleuet.studies.comparison import Comparison
    from bleuet.studies.comparison.sections import Cell, Section

_GAP = 2
_INDENT = 2
# How wide labels and names may be, so that room is left for what stands beside them.
_LABEL = 16
_NAME = 20
_SHORTEST = 10
# A heading that is no longer stays on one line.
_HEADING = 6
_ROWS = 30
# Tables whose headings are no names of systems, which may have to be folded.
_OWN_WORDS = ("significance", "differences")


def print_comparison(out: IO[str], comparison: Comparison, given: CompareGiven) -> None:
    """Print the parts asked for, and the signatures."""
    print_sections(
        out,
        sections_of(comparison, given.show),
        signature_lines(comparison, short=given.short),
        width_of(given),
    )


def print_sections(
    out: IO[str],
    sections: Iterable[Section],
    signatures: Iterable[tuple[str, str]],
    width: int,
    *,
    first: str = "",
    notes: Iterable[str] = (),
) -> None:
    """Print tables, and below them notes and signatures.

    Args:
        out: where to.
        sections: the tables.
        signatures: names of metrics and their signatures.
        width: digits after the decimal point.
        first: a sentence above them.
        notes: sentences below them.
    """
    console = Console(file=out, highlight=False, emoji=False)
    if first:
        _print_note(console, first, indent=0, style="")
        console.print()
    for section in sections:
        _say(console, section.title, "bold")
        if not section.rows:
            _say(console, "  none")
        elif section.texts:
            _print_texts(console, section, width)
        else:
            _print_table(console, section, width)
        if section.note:
            _print_note(console, section.note)
        console.print()
    for note in notes:
        _print_note(console, note, indent=0)
    if notes:
        console.print()
    for heading, signature in signatures:
        _say(console, f"{heading}|{signature}", "dim")


def _say(console: Console, line: str, style: str = "") -> None:
    console.print(Text(printable(line), style=style), soft_wrap=True)


def _print_note(console: Console, note: str, *, indent: int = _INDENT, style: str = "dim") -> None:
    for line in Text(printable(note)).wrap(console, max(console.width - indent, _LABEL)):
        line.rstrip()
        _say(console, " " * indent + line.plain, style)


def _print_table(console: Console, section: Section, width: int) -> None:
    rows = _largest(section)
    head = [printable(column) for column in section.columns]
    body = [[text_of(cell, width) for cell in row] for row in rows]
    numeric = [is_number(cell) or isinstance(cell, Ends) for cell in rows[0]]
    least = [_least(name, section.key in _OWN_WORDS) for name in head]
    widths = _widths(console.width - _INDENT, head, least, body, numeric)
    table = Table(box=None, header_style="italic", pad_edge=False, padding=(0, _GAP, 0, 0))
    for heading, cell, own in zip(head, rows[0], widths, strict=True):
        # Marks of several lengths follow a score, and would push it out of line.
        right = is_number(cell) and not isinstance(cell, Scored)
        justify: Literal["left", "right"] = "right" if right else "left"
        table.add_column(Text(heading), justify=justify, overflow="fold", width=own)
    for row in body:
        table.add_row(*map(Text, row))
    before = console.width
    # A number is never cut: a table that does not fit is wider than the terminal.
    console.width = max(before, _INDENT + sum(widths) + _GAP * len(widths))
    console.print(Padding(table, (0, 0, 0, _INDENT), expand=False))
    console.width = before
    if len(rows) < len(section.rows):
        rest = len(section.rows) - len(rows)
        _say(console, f"  and {rest} more, none larger; the other formats have all", "dim")


def _least(heading: str, whole: bool) -> int:
    """Return how wide a column must be for its heading, whose words may have to stay whole."""
    return max(map(cell_len, heading.split()), default=0) if whole else 0


def _widths(
    room: int,
    head: Sequence[str],
    least: Sequence[int],
    body: Sequence[Sequence[str]],
    numeric: Sequence[bool],
) -> list[int]:
    """Return how wide each column is: names of systems are folded before numbers and labels are."""
    longest = [max(map(cell_len, cells)) for cells in zip(*body, strict=True)]
    widths = [
        max(word, own if number else max(min(own, _LABEL), min(cell_len(name), _HEADING)))
        for own, number, name, word in zip(longest, numeric, head, least, strict=True)
    ]
    wanted = [max(cell_len(name), own) for name, own in zip(head, longest, strict=True)]
    spare = room - sum(widths) - _GAP * (len(widths) - 1)
    if spare < 0 and not all(numeric):
        narrowed = max(range(len(widths)), key=lambda column: (not numeric[column], widths[column]))
        widths[narrowed] = max(widths[narrowed] + spare, min(widths[narrowed], _SHORTEST))
    order = sorted(range(len(widths)), key=lambda column: wanted[column] - widths[column])
    for place, column in enumerate(order):
        share = max(spare, 0) // (len(order) - place)
        more = min(wanted[column] - widths[column], share)
        widths[column] += more
        spare -= more
    return widths


def _largest(section: Section) -> Sequence[tuple[Cell, ...]]:
    """Return the rows of a table, of very many buckets those with most segments."""
    rows = section.rows
    if len(rows) <= _ROWS or section.columns[1] != "segments":
        return rows
    order = sorted(range(len(rows)), key=lambda number: -int(text_of(rows[number][1], 0)))
    return [rows[number] for number in sorted(order[:_ROWS])]


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
        name_or_room = begin if number == 0 else " " * len(begin)
        console.print(Text.assemble((name_or_room, "dim"), line))
