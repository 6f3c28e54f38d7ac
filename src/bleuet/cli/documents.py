"""The documents of the segments, which intervals and tests draw and exchange whole."""

from __future__ import annotations

import re

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
# How columns with the ids of segments are called, and ids that are a document and a number. A few
# names before the number may be those of domains.
ID_COLUMNS = frozenset(("id", "ids", "segid", "segmentid", "sentenceid", "sentid"))
NUMBERED = re.compile(r"(.*\w)[-_:./#]+\d+")
FEWEST_DOCUMENTS = 5


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
    found = next(filter(None, map(_unused_documents, files)), None)
    if found is not None:
        what, how = found
        warn(
            f"{what}, and segments of a document are often alike, so that tests of single segments "
            f"find too many differences, and intervals are too narrow: {how}"
        )


def _unused_documents(source: Source) -> tuple[str, str] | None:
    """Return what names documents in the file of a source, and how to pass it."""
    if source.column is None or source.column.isdecimal() or source.path == STDIN:
        return None
    try:
        with source.records() as records:
            names = list(records.names)
        for name in names:
            kind = "".join(filter(str.isalpha, name)).lower()
            column = source.replace(column=name)
            if kind in DOCUMENT_COLUMNS and _are_documents(column.read()):
                what = f"{column} seems to name the document of each segment"
                return what, f"add --documents {column}"
            if kind in ID_COLUMNS:
                ids: list[str] = column.read()
                documents = [match[1] for match in map(NUMBERED.fullmatch, ids) if match]
                if len(documents) == len(ids) and _are_documents(documents, FEWEST_DOCUMENTS):
                    return (
                        f"ids such as {ids[0]} in {column} seem to begin with the names of "
                        "documents",
                        f"write the name {documents[0]} and so on to a file, one line per segment, "
                        "and add --documents FILE",
                    )
    except InputError:
        # What cannot be read cannot be passed; the texts have messages of their own.
        return None
    return None


def _are_documents(names: Sequence[str], fewest: int = 2) -> bool:
    """Return whether names are those of at least so many documents, some of several segments."""
    return fewest <= len(set(names)) < len(names)
