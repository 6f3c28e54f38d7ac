"""Subtitles: the timed segments of SubRip (.srt) and WebVTT (.vtt) files."""

from __future__ import annotations

import re

from bleuet.errors import InputError
from bleuet.frozen import Frozen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_TIME = r"(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})"
_TIMING = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s.*)?", re.ASCII)
# Markup, such as <i>, <v Anna> and <00:01.000>, and SubRip's places, such as {\an8}.
_TAGS = re.compile(r"<[^<>]*>|\{\\[^{}]*\}")


class Cue(Frozen):
    """A timed segment.

    Args:
        start: when it begins, in milliseconds.
        end: when it ends.
        text: its text in one line, without markup.
    """

    __slots__ = ("end", "start", "text")
    _fields = ("start", "end", "text")
    start: int
    end: int
    text: str

    def __init__(self, start: int, end: int, text: str) -> None:
        self._set(start=start, end=end, text=text)


def read_cues(lines: Iterable[str], name: str) -> list[Cue]:
    """Return the timed segments of a file, in its order.

    In a .vtt file an empty line ends the text of a segment; in a .srt file the number of the next
    segment does.

    Args:
        lines: the lines of the file.
        name: the name of the file.

    Raises:
        InputError: there is no timed segment, or one ends before it begins.

    >>> read_cues(["1", "00:00:01,000 --> 00:00:02,500", "<i>A cat</i>", "sat."], "a.srt")
    [Cue(start=1000, end=2500, text='A cat sat.')]
    """
    webvtt = ".vtt" in name.lower()
    found = [Cue(*times, _text(text, webvtt=webvtt)) for times, text in _blocks(lines, name)]
    if not found:
        raise InputError(
            f"{name} has no timed segment; expected lines such as 00:00:01,000 --> 00:00:02,500: "
            "check the file, or name it .txt if it has one segment per line"
        )
    return found


def _blocks(lines: Iterable[str], name: str) -> Iterator[tuple[tuple[int, int], list[str]]]:
    """Yield the times of each segment, and the lines up to the next times."""
    times: tuple[int, int] | None = None
    text: list[str] = []
    for number, line in enumerate(lines, 1):
        match = _TIMING.fullmatch(line)
        if match is None:
            text.append(line)
            continue
        if times is not None:
            # The number or the name of the next segment.
            yield times, text[:-1] if text and text[-1].strip() else text
        times, text = (_milliseconds(match.groups()[:4]), _milliseconds(match.groups()[4:])), []
        if times[1] < times[0]:
            raise InputError(
                f"{name}:{number}: the segment ends before it begins; expected the begin first: "
                "correct the times"
            )
    if times is not None:
        yield times, text


def _milliseconds(parts: tuple[str | None, ...]) -> int:
    hours, minutes, seconds, rest = parts
    whole = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(seconds or 0)
    return 1000 * whole + int((rest or "").ljust(3, "0"))


def _text(lines: list[str], *, webvtt: bool) -> str:
    if webvtt and "" in lines:
        lines = lines[: lines.index("")]
    text = _TAGS.sub("", " ".join(lines))
    if webvtt:
        from html import unescape

        text = unescape(text)
    return " ".join(text.split())
