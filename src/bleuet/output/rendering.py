"""The formats a document is written in: a table of renderers, each imported when it is used."""

from __future__ import annotations

from importlib import import_module
from os.path import splitext

from bleuet.errors import OptionError
from bleuet.frozen import Value
from bleuet.messages import nearest, shown
from bleuet.output.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO

    from bleuet.output.document import Document


class Format(Value):
    """A format that documents are written in.

    Args:
        module: the module whose `write(document, out, settings)` writes it.
        ending: the ending of its files.
        media_type: what a server says that it sends.
        notes: whether it has a place for the notes of a document.
        for_papers: whether its tables are copied into papers and README files.
    """

    module: str
    ending: str
    media_type: str
    notes: bool = True
    for_papers: bool = False


FORMATS = {
    "text": Format("bleuet.output.plain_text", ".txt", "text/plain"),
    "markdown": Format("bleuet.output.markdown", ".md", "text/markdown", for_papers=True),
    "latex": Format("bleuet.output.latex", ".tex", "text/x-tex", for_papers=True),
    "csv": Format("bleuet.output.csv_records", ".csv", "text/csv", notes=False),
    "json": Format("bleuet.output.json_data", ".json", "application/json"),
    "jsonl": Format("bleuet.output.json_lines", ".jsonl", "text/x-jsonl", notes=False),
    "html": Format("bleuet.output.html_tables", ".html", "text/html"),
}


# The endings of other formats. An ending that names no format, such as .out, is allowed.
OTHER_ENDINGS = frozenset(
    (
        *(".arrow", ".bz2", ".doc", ".docx", ".eps", ".feather", ".gif", ".gz", ".htm", ".jpeg"),
        *(".jpg", ".ndjson", ".ods", ".odt", ".parquet", ".pdf", ".png", ".pptx", ".ps", ".rst"),
        *(".rtf", ".svg", ".tsv", ".xls", ".xlsx", ".xml", ".xz", ".yaml", ".yml", ".zip", ".zst"),
    )
)


def format_of(path: str) -> str:
    """Return the format that the ending of a file's name stands for; "text" for unknown endings.

    Raises:
        OptionError: the ending is that of a format in which no document is written.

    >>> format_of("scores.csv"), format_of("paper.TEX"), format_of("scores"), format_of("run.out")
    ('csv', 'latex', 'text', 'text')
    """
    check_ending(path, [one.ending for one in FORMATS.values()], "output")
    ending = splitext(path)[1].lower()
    return next((name for name, one in FORMATS.items() if one.ending == ending), "text")


def check_ending(path: str, allowed: Sequence[str], option: str) -> None:
    """Raise an error if a file's name has the ending of a format that is not written to it.

    Args:
        path: the name.
        allowed: the endings of what is written to it.
        option: the option that names the file, for the error.

    Raises:
        OptionError: it has; the message lists the endings.

    >>> check_ending("report.pdf", [".html"], "html")
    Traceback (most recent call last):
    bleuet.errors.OptionError: html writes no .pdf file: use a name that ends in .html
    """
    ending = splitext(path)[1].lower()
    others = OTHER_ENDINGS.union(one.ending for one in FORMATS.values()).difference(allowed)
    if ending in others:
        *most, last = allowed
        endings = f"{', '.join(most)} or {last}" if most else last
        raise OptionError(
            f"writes no {ending} file: use a name that ends in {endings}", option=option
        )


def write(
    document: Document,
    out: IO[str],
    format: str,  # noqa: A002 - the name of the option
    settings: Settings | None = None,
) -> None:
    """Write a document to an open text file.

    Args:
        document: the document.
        out: an open text file; "text" on a terminal is drawn for its width.
        format: one of `FORMATS`.
        settings: digits, signatures and indentation.

    Raises:
        OptionError: there is no such format.
    """
    if not isinstance(format, str) or format not in FORMATS:
        raise OptionError(
            f"format must be one of {', '.join(FORMATS)}, not {shown(format)}"
            f"{nearest(str(format), FORMATS)}"
        )
    form = FORMATS[format]
    module = form.module
    if format == "text" and out.isatty():
        module = "bleuet.output.terminal"
    shown_here = (document.for_papers if form.for_papers else None) or document
    import_module(module).write(shown_here, out, settings or Settings())


def render(
    document: Document,
    format: str,  # noqa: A002
    *,
    width: int | None = None,
    short: bool = False,
    indent: int | None = 1,
) -> str:
    """Return a document as text in a format; arguments as of `write` and `Settings`."""
    from io import StringIO

    out = StringIO()
    write(document, out, format, Settings(width, short=short, indent=indent))
    return out.getvalue()
