"""Saved tables as the input of a run, in place of texts."""

from __future__ import annotations

import os
import re

from bleuet.cli.text_input import reading
from bleuet.errors import InputError, OptionError
from bleuet.evaluation.names import known_systems, named_system
from bleuet.evaluation.saved import open_saved
from bleuet.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from bleuet.cli.options import Arguments
    from bleuet.evaluation.names import NamedSystem
    from bleuet.evaluation.stream import Stream

_RANGES = re.compile(r"[0-9]+(-[0-9]*)?(,[0-9]+(-[0-9]*)?)*")
_RANGE = re.compile(r"([0-9]{1,15})(?:(-)([0-9]{0,15}))?")


def read_tables(
    args: Arguments,
    words: Sequence[str] | None,
    parse: Callable[..., NamedSystem] = named_system,
    *,
    sentences: bool = False,
) -> tuple[list[NamedSystem], Stream]:
    """Return the systems of --from-table, and the stream of their rows.

    Args:
        args: the arguments, with `from_table`, `append`, `input`, `segments` and `allow_mismatch`.
        words: metrics as -m names them; None for all metrics of the files.
        parse: reads a word of -i, as `named_system` does.
        sentences: whether segments are scored one by one.

    Returns:
        The systems that -i names, or all, with the names that they have in the tables; and a
        stream of the runs of all of them.

    Raises:
        OptionError: options do not go together, or a metric, system or segment does not exist.
        InputError: a file cannot be read.
        TableError: a file has no such table, or the files do not belong together.
    """
    if args.append and len(args.from_table) == 1:
        raise OptionError("--append joins several saved tables, but there is only one: name all")
    saved = open_saved(
        args.from_table,
        words,
        append=args.append,
        sentences=sentences,
        allow_mismatch=args.allow_mismatch,
    )
    systems: list[NamedSystem] = [("", (name,)) for name in saved.names]
    if args.input is not None:
        known = known_systems(saved.names)
        named = [parse(word, known.__contains__) for word in args.input]
        systems = [(name, tuple(known.get(run, run) for run in runs)) for name, runs in named]
        saved.choose([run for _, runs in systems for run in runs])
    if args.segments is None:
        return systems, saved.stream()
    return systems, saved.stream(read_segments(args.segments, saved.segments, **reading(args)))


# --- Segments -------------------------------------------------------------------------------------


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
