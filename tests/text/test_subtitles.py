"""Subtitles: SubRip and WebVTT files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import InputError
from bleuet.text.source import Source
from bleuet.text.subtitles import Cue, read_cues

if TYPE_CHECKING:
    from pathlib import Path

SRT = """1
00:00:01,000 --> 00:00:02,900 X1:40 X2:600
<i>The cat</i>
{\\an8}sat down.

2
00:00:03,100 --> 01:00:04,5

It rains &amp; snows.
12
"""
VTT = """WEBVTT - a title

NOTE
no text

00:01.000 --> 00:02.900 align:left
<v Anna>The <00:01.500><c.loud>cat</c>
sat down.

second
00:03.100 --> 1:00:04.500
It rains &amp; snows.

STYLE
::cue { color: red }
"""


def test_subrip() -> None:
    assert read_cues(SRT.split("\n"), "a.srt") == [
        Cue(1000, 2900, "The cat sat down."),
        Cue(3100, 3604500, "It rains &amp; snows. 12"),
    ]


def test_webvtt() -> None:
    assert read_cues(VTT.split("\n"), "a.vtt.gz") == [
        Cue(1000, 2900, "The cat sat down."),
        Cue(3100, 3604500, "It rains & snows."),
    ]


def test_a_source_reads_the_texts(tmp_path: Path) -> None:
    file = tmp_path / "a.srt"
    file.write_bytes(b"\xef\xbb\xbf" + SRT.replace("\n", "\r\n").encode())
    assert Source(file).read() == ["The cat sat down.", "It rains &amp; snows. 12"]
    assert [cue.start for cue in Source(file).cues()] == [1000, 3100]


def test_wrong_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a\.srt has no timed segment"):
        read_cues(["The cat sat down."], "a.srt")
    with pytest.raises(InputError, match=r"a\.srt:2: the segment ends before it begins"):
        read_cues(["1", "00:00:02,000 --> 00:00:01,000", "a"], "a.srt")
    for source in (Source(tmp_path / "a.txt"), Source(tmp_path / "a.srt", "text")):
        with pytest.raises(InputError, match="does not have times"):
            source.cues()


@given(st.lists(st.tuples(st.integers(0, 10**7), st.integers(0, 10**5), st.text("ab1 \n<&"))))
def test_what_is_written_is_read(drawn: list[tuple[int, int, str]]) -> None:
    def clock(time: int) -> str:
        return (
            f"{time // 3600000:02}:{time // 60000 % 60:02}:{time // 1000 % 60:02},{time % 1000:03}"
        )

    cues = [Cue(a, a + b, " ".join(f"x{text}x".replace("<", "").split())) for a, b, text in drawn]
    lines = [
        line
        for i, (cue, (_, _, text)) in enumerate(zip(cues, drawn, strict=True))
        for line in (
            str(i),
            f"{clock(cue.start)} --> {clock(cue.end)}",
            *f"x{text}x".replace("<", "").split("\n"),
            "",
        )
    ]
    if cues:
        assert read_cues(lines, "a.srt") == cues
