"""The formats a document is written in: a table of renderers, each imported when it is used."""

from __future__ import annotations

from importlib import import_module

from bleuet.errors import OptionError
from bleuet.messages import nearest, shown
from bleuet.output.settings import Settings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO

    from bleuet.output.document import Document

# name: the module whose `write(document, out, settings)` writes it
FORMATS = {
    "text": "bleuet.output.plain_text",
    "markdown": "bleuet.output.markdown",
    "latex": "bleuet.output.latex",
    "csv": "bleuet.output.csv_records",
    "json": "bleuet.output.json_data",
    "jsonl": "bleuet.output.json_lines",
    "html": "bleuet.output.html_tables",
}
# Tables in these formats are copied into papers and README files.
FOR_PAPERS = ("markdown", "latex")


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
    module = FORMATS[format]
    if format == "text" and out.isatty():
        module = "bleuet.output.terminal"
    shown_here = (document.for_papers if format in FOR_PAPERS else None) or document
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
