"""Subtitles: the timed segments of SubRip (.srt) and WebVTT (.vtt) files.

Each line of a file is a time line, a number or a name, a comment, or text of one segment. A line of
which the format leaves open what it is, as after a damaged time line, is an error.
"""

from __future__ import annotations

import re
from itertools import pairwise

from bleuet.errors import InputError
from bleuet.frozen import Value
from bleuet.messages import shown
from bleuet.text.files import compression_suffix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import NoReturn, TypeAlias

    # A line, and its number from 1.
    Line: TypeAlias = tuple[int, str]

_ARROW = "-->"
_EXAMPLE = "00:00:01,000 --> 00:00:02,500"
_TIME = r"(?:(\d{1,4}):)?([0-5]?\d):([0-5]?\d)[.,](\d{1,3})"
# Behind the times is where the text stands, such as X1:40 and align:left. Other words are text.
_PLACE = (
    r"(?:[XY][12]:-?\d+|vertical:(?:rl|lr)|align:(?:start|center|middle|end|left|right)"
    r"|(?:line|position|size):-?[\d.]+%?(?:,[a-z-]+)?|region:\S+)"
)
_TIMING = re.compile(rf"\s*{_TIME}\s*-->\s*{_TIME}(?:\s+{_PLACE})*\s*", re.ASCII)
# Times without their arrow. A text can name one time, such as 1:23.456 of a lap.
_DAMAGED_TIMES = re.compile(
    r"\W*(?:\d+:)?\d+:\d+[.,]\d{3}\W{0,4}\w?\W{0,4}(?:\d+:)?\d+:\d+[.,]\d{3}(?!\d).*"
    r"|\W*\d+:\d+:\d+[.,]\d{3}\W*",
    re.ASCII,
)
_NUMBER = re.compile(r"\s*(\d{1,18})\s*", re.ASCII)
_MARK_OF_SPEAKER = re.compile(r"\s*(?:>{2,}|[-\u2010-\u2015](?=[^\S\n]|[^\W\d_]|[\"'(\[]))\s*")
# A name has at least two letters and at most five words.
_NAME_OF_SPEAKER = re.compile(r"([^\W\d_][\w.'\u2019&#-]+(?: [\w.'\u2019&#-]+){0,4}):(?:\s+|$)")
_NUMBER_OF_SPEAKER = re.compile(r"speaker[ _]?\d{1,3}", re.IGNORECASE)
_COMMENT = re.compile(r"(?:NOTE(?:[ \t].*)?|(?:STYLE|REGION)\s*)")
_HEADER = re.compile(r"WEBVTT(?:[ \t].*)?")
# Markup, such as <i>, <v Anna> and <00:01.000>, and SubRip's places, such as {\an8}.
_TAGS = re.compile(r"</?[A-Za-z.][^<>]*>|<\d+:[\d:.]+>|\{\\[^{}]*\}")


class Cue(Value):
    """A timed segment.

    Args:
        start: when it begins, in milliseconds.
        end: when it ends.
        text: its text in one line, without markup.
        lines: the lines of the text that are not empty; default the text.
    """

    _fields = ("start", "end", "text")
    start: int
    end: int
    text: str
    lines: tuple[str, ...] = ()

    def _complete(self) -> None:
        self._set(lines=tuple(self.lines) or (self.text,) * bool(self.text))


def read_cues(lines: Iterable[str], name: str) -> list[Cue]:
    """Return the timed segments of a file, in its order.

    In a .vtt file an empty line ends the text of a segment; in a .srt file the number or the times
    of the next segment do.

    Args:
        lines: the lines of the file.
        name: the name of the file.

    Raises:
        InputError: there is no timed segment, or a line is in none; the message has its number.

    >>> read_cues(["1", "00:00:01,000 --> 00:00:02,500", "<i>A cat</i>", "sat."], "a.srt")
    [Cue(start=1000, end=2500, text='A cat sat.')]
    """
    plain = name[: len(name) - len(compression_suffix(name))]
    kind: type[_Subtitles] = _WebVtt if plain.lower().endswith(".vtt") else _SubRip
    return list(kind(name).cues(lines))


def without_repeats(cues: Sequence[Cue]) -> list[Cue]:
    """Return the segments of rolling captions without the lines that the one before ends with.

    Args:
        cues: the segments; one that only repeats lines has no text afterwards.

    >>> cues = [Cue(0, 9, "a b", ["a", "b"]), Cue(9, 19, "b c", ["b", "c"])]
    >>> [cue.text for cue in without_repeats(cues)]
    ['a b', 'c']
    """
    found = []
    before: tuple[str, ...] = ()
    for cue in cues:
        most = min(len(before), len(cue.lines))
        repeated = next(
            (n for n in range(most, 0, -1) if before[-n:] == cue.lines[:n]),
            0,
        )
        found.append(_with_lines(cue, cue.lines[repeated:]))
        before = cue.lines
    return found


def without_speakers(cues: Iterable[Cue]) -> list[Cue]:
    """Return the segments without the labels of speakers at the beginning of their lines.

    >>> without_speakers([Cue(0, 9, "- Hello. - JOHN: Hi.", ["- Hello.", "- JOHN: Hi."])])
    [Cue(start=0, end=9, text='Hello. Hi.')]
    """
    return [_with_lines(cue, map(without_speaker, cue.lines)) for cue in cues]


def without_speaker(line: str) -> str:
    """Return a line without the label of a speaker at its beginning.

    A label is `>>`, a dash, a name in capital letters and a colon, or `Speaker 1:`. A dash before
    a number, and a word before a colon in small letters, are text.

    >>> [without_speaker(line) for line in (">> Yes.", "-No.", "DR. LEE: 5!", "-5", "Note: on")]
    ['Yes.', 'No.', '5!', '-5', 'Note: on']
    """
    mark = _MARK_OF_SPEAKER.match(line)
    if mark:
        line = line[mark.end() :]
    name = _NAME_OF_SPEAKER.match(line)
    if name and (name[1].isupper() or _NUMBER_OF_SPEAKER.fullmatch(name[1])):
        line = line[name.end() :]
    return line


def _with_lines(cue: Cue, lines: Iterable[str]) -> Cue:
    kept = tuple(filter(None, lines))
    return Cue(cue.start, cue.end, " ".join(kept), kept)


class _Subtitles:
    """The segments of a file; one class per format."""

    def __init__(self, name: str) -> None:
        self._name = name
        # Whether the segments have numbers, which the first one decides.
        self._numbered = False

    def cues(self, lines: Iterable[str]) -> Iterator[Cue]:
        times: tuple[int, int] | None = None
        between: list[Line] = []
        for number, line in enumerate(lines, 1):
            if _ARROW not in line:
                between.append((number, line))
                continue
            begin, end = self._times(number, line)
            if times is None:
                self._begin(between, number)
            else:
                yield self._cue(times, self._text_before(between, number))
            times, between = (begin, end), []
        if times is None:
            raise InputError(
                f"{self._name} has no timed segment; expected lines such as {_EXAMPLE}: check the "
                "file, or name it .txt if it has one segment per line"
            )
        yield self._cue(times, self._last_text(between))

    def _times(self, number: int, line: str) -> tuple[int, int]:
        match = _TIMING.fullmatch(line)
        if match is None:
            self._fail(number, f"{shown(line)} are no times of a segment")
        begin, end = _milliseconds(match.groups()[:4]), _milliseconds(match.groups()[4:])
        if end < begin:
            raise InputError(
                f"{self._name}:{number}: the segment ends before it begins; expected the begin "
                "first: correct the times"
            )
        return begin, end

    def _begin(self, lines: list[Line], number: int) -> None:
        """Check the lines before the first times, which are in line `number`."""
        raise NotImplementedError

    def _text_before(self, lines: list[Line], number: int) -> list[Line]:
        """Return the text of a segment from the lines up to the next times, in line `number`."""
        raise NotImplementedError

    def _last_text(self, lines: list[Line]) -> list[Line]:
        """Return the text of the last segment from the lines behind its times."""
        raise NotImplementedError

    def _cue(self, times: tuple[int, int], lines: list[Line]) -> Cue:
        texts = []
        for number, line in lines:
            text = self._plain(_TAGS.sub("", line))
            if _DAMAGED_TIMES.fullmatch(text):
                self._fail(number, f"{shown(line)} are no times of a segment")
            texts.append(" ".join(text.split()))
        kept = tuple(filter(None, texts))
        return Cue(*times, " ".join(kept), kept)

    def _plain(self, text: str) -> str:
        return text

    def _check_number(self, lines: list[Line], number: int) -> int:
        """Return the number of a segment, the last line before its times in line `number`."""
        place, line = lines[-1] if lines and lines[-1][1].strip() else (number, "")
        match = _NUMBER.fullmatch(line)
        if match is None:
            found = shown(line) if line else "no number"
            self._fail(
                place,
                f"{found} before the times of a segment",
                "the number of the segment there, as the first segment has one",
                "add the number, or remove all numbers",
            )
        return int(match[1])

    def _check_empty(self, lines: list[Line]) -> None:
        """Check that there is no text in the lines behind the end of a segment."""
        for place, line in lines:
            if line.strip():
                self._fail(
                    place,
                    f"{shown(line)} is in no segment, since an empty line ends a segment",
                    f"a line such as {_EXAMPLE} before it",
                    "add the times, or remove the empty line",
                )

    def _fail(
        self, number: int, found: str, expected: str = "", advice: str = "correct that line"
    ) -> NoReturn:
        expected = expected or f"times such as {_EXAMPLE}"
        raise InputError(f"{self._name}:{number}: {found}; expected {expected}: {advice}")


class _SubRip(_Subtitles):
    """SubRip: a segment has its number, its times, its text and an empty line.

    Some files have no numbers, or no empty lines. With numbers, a text can have empty lines.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._last_number = 0
        # Whether an empty line stood before the number of a segment.
        self._spaced = False

    def _begin(self, lines: list[Line], number: int) -> None:
        filled = [(place, line) for place, line in lines if line.strip()]
        if filled and (filled != lines[-1:] or not _NUMBER.fullmatch(filled[0][1])):
            place, line = filled[0]
            self._fail(
                place,
                f"{shown(line)} stands before the first times",
                f"a number or times such as {_EXAMPLE}",
                "add the times of this line, or remove it",
            )
        self._numbered = bool(filled)
        if filled:
            self._last_number = self._check_number(lines, number)

    def _text_before(self, lines: list[Line], number: int) -> list[Line]:
        if not self._numbered:
            self._check_end(lines, number)
            return self._last_text(lines)
        found = self._check_number(lines, number)
        *text, (place, _) = lines
        spaced = bool(text) and not text[-1][1].strip()
        # Without an empty line before it, the number may be the last line of the text.
        if not spaced and found != self._last_number + 1:
            self._fail(
                place,
                f"{found} before the times of a segment",
                f"an empty line and the number of the segment, or the number "
                f"{self._last_number + 1}",
                "add what is missing",
            )
        self._spaced = self._spaced or spaced
        self._check_without_times(text)
        self._last_number = found
        return text

    def _last_text(self, lines: list[Line]) -> list[Line]:
        if self._numbered:
            self._check_without_times(lines)
            return lines
        text, rest = _to_empty_line(lines)
        self._check_empty(rest)
        return text

    def _check_without_times(self, lines: list[Line]) -> None:
        """Check that no line of a text is the number of a segment whose times are damaged."""
        for (_, before), (place, line) in pairwise(lines):
            number = _NUMBER.fullmatch(line)
            if not number or (
                before.strip() and (self._spaced or int(number[1]) != self._last_number + 1)
            ):
                continue
            self._fail(
                place,
                f"the segment {line.strip()} has no times",
                f"a line such as {_EXAMPLE} behind its number",
                "add it, or, if the number is text, write it in the line before",
            )

    def _check_end(self, lines: list[Line], number: int) -> None:
        """Check the end of a text where no segment has a number."""
        if not lines:
            self._fail(
                number,
                "there is no text between these times and those before",
                "text or an empty line",
                "add it, or remove the times that are too many",
            )
        place, last = lines[-1]
        if _NUMBER.fullmatch(last):
            self._fail(
                place,
                f"{last.strip()} may be text or the number of a segment",
                "no number, as the first segment has none",
                "number all segments, or add an empty line behind the text",
            )


class _WebVtt(_Subtitles):
    """WebVTT: empty lines divide a header, comments, and segments, each with or without a name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        # Whether the segments have names, of which numbers are some.
        self._named = False

    def _plain(self, text: str) -> str:
        from html import unescape

        return unescape(text)

    def _begin(self, lines: list[Line], number: int) -> None:
        if lines and _HEADER.fullmatch(lines[0][1]):
            header = next((i for i, (_, line) in enumerate(lines) if not line), 0)
            # Without an empty line behind it, the header has one line.
            lines = lines[header or 1 :]
        name = self._name_before(lines)
        self._named = bool(name)
        self._numbered = bool(_NUMBER.fullmatch(name))

    def _text_before(self, lines: list[Line], number: int) -> list[Line]:
        text, rest = _to_empty_line(lines)
        if not rest and (not text or text[-1][1].strip()):
            self._fail(
                number,
                "the text of the segment before these times does not end",
                "an empty line between two segments",
                "add it",
            )
        name = self._name_before(rest)
        if self._numbered:
            self._check_number(rest, number)
        elif name and not self._named:
            self._fail(
                rest[-1][0],
                f"{shown(name)} may be the name of a segment or text",
                "no name, as the first segment has none",
                "move the text behind the times, or give a name to all segments",
            )
        elif self._named and not name:
            self._fail(
                number,
                "a segment without a name",
                "a line with a name before its times, as the first segment has one",
                "add a name, or remove all names",
            )
        return text

    def _last_text(self, lines: list[Line]) -> list[Line]:
        text, rest = _to_empty_line(lines)
        self._skip_comments(rest)
        return text

    def _name_before(self, lines: list[Line]) -> str:
        """Return the name of a segment from the lines before its times, "" without one."""
        if not lines or not lines[-1][1]:
            self._skip_comments(lines)
            return ""
        place, name = lines[-1]
        if len(lines) > 1 and lines[-2][1]:
            self._fail(
                place,
                f"{shown(name)} is the second line before the times of a segment",
                "only the name of the segment there",
                "move the text behind the times, or add an empty line before them",
            )
        self._skip_comments(lines[:-1])
        return name

    def _skip_comments(self, lines: list[Line]) -> None:
        """Check that lines behind the text of a segment are comments."""
        others: list[Line] = []
        comment = False
        for place, line in lines:
            comment = bool(line) and (comment or bool(_COMMENT.fullmatch(line)))
            if not comment:
                others.append((place, line))
        self._check_empty(others)


def _to_empty_line(lines: list[Line]) -> tuple[list[Line], list[Line]]:
    """Return the lines before the first empty line, and those from it on.

    A line of spaces is text: automatic captions begin with one.
    """
    end = next((i for i, (_, line) in enumerate(lines) if not line), len(lines))
    return lines[:end], lines[end:]


def _milliseconds(parts: tuple[str | None, ...]) -> int:
    hours, minutes, seconds, rest = parts
    whole = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(seconds or 0)
    return 1000 * whole + int((rest or "").ljust(3, "0"))
