"""The documents of the segments, which intervals and tests draw and exchange whole."""

from __future__ import annotations

from bleuet.cli.text_input import sources
from bleuet.cli.warning_lines import warn
from bleuet.errors import InputError
from bleuet.text.files import STDIN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bleuet.cli.options import Arguments
    from bleuet.text.source import Source

# How columns with the document of each segment are called, without signs and in lower case.
DOCUMENT_COLUMNS = frozenset(("doc", "docid", "docname", "document", "documentid", "documents"))


def read_documents(
    args: Arguments, segments: int, rows: Iterable[int] | None = None
) -> Sequence[str] | None:
    """Return the document of each segment, None without --documents.

    Args:
        args: the arguments.
        segments: the number of segments of the test set.
        rows: the selected segments, from 0; None for all.

    Raises:
        InputError: the file cannot be read, or has not one line for each segment.
    """
    if args.documents is None:
        return None
    (source,) = sources(args, [args.documents])
    documents: list[str] = source.read()
    if len(documents) != segments:
        raise InputError(
            f"{source.name} has {len(documents)} documents for {segments} segments; expected the "
            "document of each segment, one per line"
        )
    return documents if rows is None else [documents[row] for row in rows]


def warn_of_documents(args: Arguments, files: Iterable[Source]) -> None:
    """Warn of a test or an interval of single segments whose documents a column of a file names.

    Args:
        args: the arguments; with --documents or --quiet there is no warning.
        files: where the texts are; other columns of these files are searched.
    """
    if args.documents is not None or args.quiet:
        return
    found = filter(None, map(_document_column, files))
    column = next(found, None)
    if column is not None:
        warn(
            f"{column} seems to name the document of each segment, and segments of a document are "
            "often alike, so that tests of single segments find too many differences, and "
            f"intervals are too narrow: add --documents {column}"
        )


def _document_column(source: Source) -> Source | None:
    """Return the column of a source's file that names documents of several segments."""
    if source.column is None or source.column.isdecimal() or source.path == STDIN:
        return None
    try:
        with source.records() as records:
            names = list(records.names)
        for name in names:
            if "".join(filter(str.isalpha, name)).lower() in DOCUMENT_COLUMNS:
                column = source.replace(column=name)
                documents = column.read()
                if 1 < len(set(documents)) < len(documents):
                    return column
    except InputError:
        # What cannot be read cannot be passed; the texts have messages of their own.
        return None
    return None
