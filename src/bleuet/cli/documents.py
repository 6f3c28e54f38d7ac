"""The documents of the segments, which intervals and tests draw and exchange whole."""

from __future__ import annotations

from bleuet.cli.text_input import sources
from bleuet.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bleuet.cli.options import Arguments


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
