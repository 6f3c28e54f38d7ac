"""Which segments to score: ranges on the command line, or a file of them."""

from __future__ import annotations

import os
import re

from bleuet.errors import InputError, OptionError
from bleuet.text.lines import stream_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_RANGES = re.compile(r"[0-9]+(-[0-9]*)?(,[0-9]+(-[0-9]*)?)*")
_RANGE = re.compile(r"([0-9]{1,15})(?:(-)([0-9]{0,15}))?")


def read_segments(given: str, segments: int) -> list[range]:
    """Return what was asked for as ascending ranges that do not overlap.

    Args:
        given: numbers from 1 and ranges of them, such as 1-100,205,300- , or a file with a number
            or a range on every line.
        segments: how many there are.

    Raises:
        OptionError: a range is none, or reaches beyond the last segment.
        InputError: the file cannot be read, or a line is no number and no range.

    >>> read_segments("7-9,2,8-", 10)
    [range(2, 3), range(7, 11)]
    """
    if _RANGES.fullmatch(given):
        parts = [(f"--segments {given}", part) for part in given.split(",")]
        return _joined(_range(place, part, segments, OptionError) for place, part in parts)
    if not given:
        raise OptionError("--segments names none; expected ranges such as 1-100,205 or a file")
    if not os.path.exists(given):
        raise OptionError(
            f"--segments {given} is no file, and no ranges of segments such as 1-100,205,300-"
        )
    found = _joined(_range(*line, segments, InputError) for line in _lines(given))
    if not found:
        raise InputError(f"{given} is empty; expected the number of a segment on every line")
    return found


def _lines(path: str) -> Iterable[tuple[str, str]]:
    number = 0
    with stream_lines(path) as batches:
        for batch in batches:
            for line in batch:
                number += 1
                yield f"{path}:{number}", line.strip()


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
    """Ascending ranges without overlaps."""
    found: list[range] = []
    for one in sorted(ranges, key=lambda one: one.start):
        if found and one.start <= found[-1].stop:
            found[-1] = range(found[-1].start, max(found[-1].stop, one.stop))
        else:
            found.append(one)
    return found
