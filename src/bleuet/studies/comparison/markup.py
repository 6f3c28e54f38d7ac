"""A comparison in Markdown, LaTeX and HTML: every table of `sections`, and the signatures."""

from __future__ import annotations

from html import escape

from bleuet.errors import OptionError
from bleuet.messages import nearest
from bleuet.output.escaping import (
    in_latex,
    in_markdown,
    latex_table,
    markdown_table,
    number_in_latex,
    printable,
)
from bleuet.studies.comparison.sections import SECTIONS, Ends, Number, Scored, sections_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.studies.comparison.comparison import Comparison
    from bleuet.studies.comparison.sections import Cell, Section

# What stands where there is no number, as in an empty bucket.
NOTHING = "-"
SHOWN = ("scores", "differences", "clusters", "blocks", "buckets", "sentences", "ngrams")


def text_of(cell: Cell, width: int) -> str:
    """Return a cell as text on one line.

    >>> text_of(12.345, 2), text_of(7, 2), text_of(None, 2), text_of(Number(3.14159, 1), 2)
    ('12.35', '7', '-', '3.142')
    >>> text_of(Scored(3.0, (2.0, 4.5), "b"), 1)
    '3.0 ± 1.2 b'
    """
    if cell is None:
        return NOTHING
    if isinstance(cell, Scored):
        return f"{score_of(cell, width)} {cell.marks}".rstrip()
    if isinstance(cell, float):
        digits = cell.digits(width) if isinstance(cell, Number) else width
        return f"{cell:.{digits}f}"
    return printable(str(cell))


def score_of(cell: Scored, width: int) -> str:
    """Return a score and its interval as text, without marks."""
    digits = width + cell.more
    interval = "" if cell.half_width is None else f" ± {cell.half_width:.{digits}f}"
    return f"{cell.score:.{digits}f}{interval}"


def is_number(cell: Cell) -> bool:
    """Return whether a cell is shown as a number."""
    return not isinstance(cell, str)


def signature_lines(comparison: Comparison, *, short: bool = False) -> list[tuple[str, str]]:
    """Return each metric's name and signature, with that of sentence scores where it differs.

    With intervals the signatures tell of the draws.
    """
    evaluation, found = comparison.evaluation, comparison.significance
    lines = []
    for number, name in enumerate(comparison.metrics):
        n_references = evaluation.tables[0][number].n_references
        metric, of_sentences = evaluation.metrics[number], evaluation.sentence_metrics[number]
        signature = metric.signature(n_references)
        if found is not None:
            signature = found.signatures[name]
        lines.append((name, signature.short() if short else str(signature)))
        if of_sentences != metric:
            signature = of_sentences.signature(n_references)
            lines.append((f"sentence {name}", signature.short() if short else str(signature)))
    return lines


def chosen_sections(comparison: Comparison, parts: Sequence[str]) -> tuple[Section, ...]:
    """Return the tables of some parts, or of one.

    Raises:
        OptionError: there is no such part.
    """
    parts = [parts] if isinstance(parts, str) else parts
    for part in parts:
        if part not in SECTIONS:
            raise OptionError(
                f"a comparison has no part {part!r}{nearest(part, SECTIONS)}; its parts are "
                f"{', '.join(SECTIONS)}"
            )
    return sections_of(comparison, parts)


# --- Markdown -------------------------------------------------------------------------------------


def to_markdown(
    comparison: Comparison, parts: Sequence[str] = SHOWN, width: int = 2, *, short: bool = False
) -> str:
    """Return pipe tables under headings, and the signatures as a list."""
    blocks = [section_in_markdown(section, width) for section in chosen_sections(comparison, parts)]
    signatures = [
        f"- {heading}: `{signature}`\n"
        for heading, signature in signature_lines(comparison, short=short)
    ]
    return "".join([*blocks, *signatures])


def section_in_markdown(section: Section, width: int) -> str:
    """Return a pipe table under a heading, and its note."""
    heading = [in_markdown(column) for column in section.columns]
    rows = [[_in_markdown(cell, width) for cell in row] for row in section.rows]
    table = markdown_table([heading, *rows], _texts(section)) if rows else "None.\n"
    note = f"\n{in_markdown(section.note)}\n" if section.note else ""
    return f"## {in_markdown(section.title)}\n\n{table}{note}\n"


def _texts(section: Section) -> list[int]:
    """Return the columns that hold words instead of numbers."""
    return [i for i, cell in enumerate(section.rows[0]) if not is_number(cell)]


def _in_markdown(cell: Cell, width: int) -> str:
    if isinstance(cell, Scored):
        return score_of(cell, width) + (f" <sup>{cell.marks}</sup>" if cell.marks else "")
    return in_markdown(text_of(cell, width))


# --- LaTeX ----------------------------------------------------------------------------------------


def to_latex(
    comparison: Comparison, parts: Sequence[str] = SHOWN, width: int = 2, *, short: bool = False
) -> str:
    """Return a tabular with booktabs for each table; signatures stand in comments."""
    lines = [
        f"% {printable(heading)}: {signature}\n"
        for heading, signature in signature_lines(comparison, short=short)
    ]
    tables = [
        section_in_latex(section, width)
        for section in chosen_sections(comparison, parts)
        if section.rows
    ]
    return "".join([*lines, *tables])


def section_in_latex(section: Section, width: int) -> str:
    """Return a tabular with booktabs, its title and note in comments."""
    heading = [in_latex(column) for column in section.columns]
    rows = [[_in_latex(cell, width) for cell in row] for row in section.rows]
    # Whole texts need lines that break.
    column = "p{0.2\\textwidth}" if section.texts else "l"
    note = f"% {printable(section.note)}\n" if section.note else ""
    return (
        f"\n% needs \\usepackage{{booktabs}}\n% {printable(section.title)}\n{note}"
        f"{latex_table([heading, *rows], _texts(section), column)}"
    )


def _in_latex(cell: Cell, width: int) -> str:
    if isinstance(cell, Scored):
        marks = f"\\textsuperscript{{{cell.marks}}}" if cell.marks else ""
        return number_in_latex(score_of(cell, width)).replace("±", "$\\pm$") + marks
    text = in_latex(text_of(cell, width))
    return number_in_latex(text) if is_number(cell) or isinstance(cell, Ends) else text


# --- HTML -----------------------------------------------------------------------------------------


def to_html(comparison: Comparison, parts: Sequence[str] = SHOWN, width: int = 2) -> str:
    """Return plain HTML tables, without scripts or styles, and the signatures."""
    blocks = [table_in_html(section, width) for section in chosen_sections(comparison, parts)]
    signatures = [
        f"<li>{escape(heading)}: <code>{escape(signature)}</code></li>"
        for heading, signature in signature_lines(comparison)
    ]
    return "\n".join([*blocks, f"<ul>{''.join(signatures)}</ul>"])


def table_in_html(section: Section, width: int = 2) -> str:
    """Return a table as HTML, its title as the caption; whatever it holds is text."""
    if not section.rows:
        return f"<p>{_text(section.title)}: none</p>"
    numeric = [is_number(cell) for cell in section.rows[0]]
    classes = [' class="number"' if number else "" for number in numeric]
    header = "".join(
        f'<th scope="col"{kind}>{_text(column)}</th>'
        for column, kind in zip(section.columns, classes, strict=True)
    )
    body = "".join(f"<tr>{_row(row, classes, width)}</tr>" for row in section.rows)
    note = f'<p class="note">{_text(section.note)}</p>' if section.note else ""
    return (
        f"<table><caption>{_text(section.title)}</caption><thead><tr>{header}</tr></thead>"
        f"<tbody>{body}</tbody></table>{note}"
    )


def _row(row: Sequence[Cell], classes: Sequence[str], width: int) -> str:
    first, *rest = row
    cells = "".join(
        f"<td{kind}>{_in_html(cell, width)}</td>"
        for cell, kind in zip(rest, classes[1:], strict=True)
    )
    return f'<th scope="row">{_in_html(first, width)}</th>{cells}'


def _in_html(cell: Cell, width: int) -> str:
    if isinstance(cell, Scored):
        score, sign, half = score_of(cell, width).partition(" ± ")
        interval = f" <small>± {half}</small>" if sign else ""
        return f"{score}{interval}" + (f"<sup>{cell.marks}</sup>" if cell.marks else "")
    return _text(text_of(cell, width))


def _text(text: str) -> str:
    """Return text as HTML, whose direction touches nothing around it."""
    plain = escape(printable(text))
    return plain if plain.isascii() else f"<bdi>{plain}</bdi>"
