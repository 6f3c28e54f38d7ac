"""Saved tables as the input of a run, in place of texts."""

from __future__ import annotations

import os
import re

from bleuet.cli.text_input import reading
from bleuet.errors import InputError, OptionError
from bleuet.tablefile.saved_systems import open_systems
from bleuet.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from bleuet.cli.options import Arguments
    from bleuet.tablefile.saved_systems import SavedSystems

_RANGES = re.compile(r"[0-9]+(-[0-9]*)?(,[0-9]+(-[0-9]*)?)*")
_RANGE = re.compile(r"([0-9]{1,15})(?:(-)([0-9]{0,15}))?")


def open_tables(
    args: Arguments, words: Sequence[str] | None, *, sentences: bool = False
) -> SavedSystems:
    """Open the saved tables of --from-table.

    Args:
        args: the arguments, with `from_table` and `append`.
        words: metrics as -m names them; None for all metrics of the files.
        sentences: whether segments are scored one by one.

    Raises:
        OptionError: options do not go together, or a metric does not exist.
        InputError: a file cannot be read.
        TableError: a file has no such table, or the files do not belong together.
    """
    if args.append and len(args.from_table) == 1:
        raise OptionError("--append joins several saved tables, but there is only one: name all")
    return open_systems(args.from_table, words, append=args.append, sentences=sentences)


# --- Segments -------------------------------------------------------------------------------------


def selected_segments(args: Arguments, saved: SavedSystems) -> list[range] | None:
    """Return the segments that --segments selects, None for all; errors as of `read_segments`."""
    return (
        None
        if args.segments is None
        else read_segments(args.segments, saved.segments, **reading(args))
    )


def rows_of(segments: Sequence[range] | None) -> list[int] | None:
    """Return the rows of segments, from 0; None for all.

    >>> rows_of([range(2, 3), range(7, 9)])
    [1, 6, 7]
    """
    return None if segments is None else [number - 1 for part in segments for number in part]


def read_segments(text: str, segments: int, **reading: Any) -> list[range]:
    """Return segments as ascending ranges that do not overlap.

    Args:
        text: numbers from 1 and ranges of them, such as 1-100,205,300- , or a file with a number
            or a range on every line.
        segments: the number of segments.
        **reading: `max_segment_bytes` and `bom`, as of `Source`.

    Raises:
        OptionError: a range is not valid, or goes beyond the last segment.
        InputError: the file cannot be read, or a line is neither a number nor a range.

    >>> read_segments("7-9,2,8-", 10)
    [range(2, 3), range(7, 11)]
    """
    if _RANGES.fullmatch(text):
        parts = [(f"--segments {text}", part) for part in text.split(",")]
        return _joined(_range(place, part, segments, OptionError) for place, part in parts)
    if not text:
        raise OptionError("--segments is empty; expected ranges such as 1-100,205 or a file")
    if not os.path.exists(text):
        raise OptionError(
            f"--segments {text}: expected ranges of segments such as 1-100,205,300- or a file"
        )
    found = _joined(_range(*line, segments, InputError) for line in _lines(Source(text, **reading)))
    if not found:
        raise InputError(f"{text} is empty; expected the number of a segment on every line")
    return found


def _lines(source: Source) -> Iterable[tuple[str, str]]:
    number = 0
    with source.stream() as batches:
        for batch in batches:
            for line in batch:
                number += 1
                yield f"{source}:{number}", line.strip()


def _range(
    place: str, text: str, segments: int, error: type[InputError] | type[OptionError]
) -> range:
    match = _RANGE.fullmatch(text)
    if match is None:
        raise error(
            f"{place}: {text[:40]!r} is no segment; expected a number from 1, or a range such as "
            "10-20 or 10-"
        )
    first = int(match[1])
    last = int(match[3]) if match[3] else segments if match[2] else first
    if not 1 <= first <= last <= segments:
        raise error(
            f"{place}: there is no segment {text}; the tables have the segments 1 to {segments}"
        )
    return range(first, last + 1)


def _joined(ranges: Iterable[range]) -> list[range]:
    """Return ascending ranges without overlaps."""
    found: list[range] = []
    for one in sorted(ranges, key=lambda one: one.start):
        if found and one.start <= found[-1].stop:
            found[-1] = range(found[-1].start, max(found[-1].stop, one.stop))
        else:
            found.append(one)
    return found
