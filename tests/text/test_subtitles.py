"""Subtitles: SubRip and WebVTT files."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bleuet import InputError
from bleuet.text.source import Source
from bleuet.text.subtitles import (
    Cue,
    read_cues,
    without_repeats,
    without_speaker,
    without_speakers,
)

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

first
00:01.000 --> 00:02.900 align:left line:-1 position:10%,line-left
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

    # A number behind an empty line is that of a segment.
    assume(not any(re.search(r"\n\s*\n\s*1+\s*\n", text) for _, _, text in drawn))
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


class TestDoubt:
    """A line that may be lost, or counted although it is no text, is an error with its number."""

    @pytest.mark.parametrize(
        ("lines", "message"),
        [
            (
                "1|00:00:0x,000 --> 00:00:02,000|a",
                "a.srt:2: '00:00:0x,000 --> 00:00:02,000' are",
            ),
            ("1|00:00:01,000 -> 00:00:02,000|a", "a.srt has no timed segment"),
            ("1|TIME|a||2|00:00:03,000 -> 00:00:04,000|b", "a.srt:5: the segment 2 has no times"),
            ("1|TIME|a|2|00:00:03,000 00:00:04,000|b", "a.srt:4: the segment 2 has no times"),
            ("TIME|a|00:00:03,000 -> 00:00:04,000|b", "a.srt:3: '00:00:03,000 -> 00:00:04,000'"),
            ("TIME|a|00:00:03,000|b", "a.srt:3: '00:00:03,000' are no times"),
            (
                "1|00:00:01,000 --> 00:00:02,000 Hello|a",
                "a.srt:2: '00:00:01,000 --> 00:00:02",
            ),
            ("1|00:00:01,000 --> 00:00:61,000|a", "a.srt:2: '00:00:01,000 --> 00:00:61,000'"),
            ("1|TIME|a --> b", "a.srt:3: 'a --> b' are no times"),
            ("A title|1|TIME|a", "a.srt:1: 'A title' stands before the first times"),
            ("1||TIME|a", "a.srt:1: '1' stands before the first times"),
            ("1|TIME|a||TIME|b", "a.srt:5: no number before the times"),
            ("1|TIME|a||two|TIME|b", "a.srt:5: 'two' before the times"),
            ("1|TIME|a|7|TIME|b", "a.srt:4: 7 before the times of a segment; expected an empty"),
            ("TIME|a||2|TIME|b", "a.srt:4: 2 may be text"),
            ("TIME|a||b", "a.srt:4: 'b' is in no segment"),
            ("TIME|TIME|b", "a.srt:2: there is no text between"),
            ("WEBVTT||00:01 --> 00:02.000|a", "a.vtt:3: '00:01 --> 00:02.000' are no times"),
            ("WEBVTT||TIME|a||b||TIME|c", "a.vtt:6: 'b' is in no segment"),
            ("WEBVTT||TIME|a||00:03.000 -> 00:04.000|b", "a.vtt:6: '00:03.000 -> 00:04.000'"),
            ("WEBVTT||TIME|a|TIME|b", "a.vtt:5: the text of the segment before"),
            ("WEBVTT||TIME|a||b|TIME|c", "a.vtt:6: 'b' may be the name of a segment or text"),
            ("WEBVTT||one|TIME|a||TIME|c", "a.vtt:7: a segment without a name"),
            ("WEBVTT||1|TIME|a||b|TIME|c", "a.vtt:7: 'b' before the times"),
            ("WEBVTT||1|TIME|a||b|2|TIME|c", "a.vtt:8: '2' is the second line before the times"),
        ],
    )
    def test_messages(self, lines: str, message: str) -> None:
        text = lines.replace("TIME", "00:00:01.000 --> 00:00:02.000").split("|")
        name = "a.vtt" if text[0] == "WEBVTT" else "a.srt"
        with pytest.raises(InputError, match=f"^{re.escape(message)}"):
            read_cues(text, name)

    @pytest.mark.parametrize(
        ("lines", "texts"),
        [
            ("TIME|a|b|TIME|c|d", ["a b", "c d"]),  # neither numbers nor empty lines
            ("TIME|3||TIME|2", ["3", "2"]),
            ("1|TIME|3|2|TIME|1", ["3", "1"]),
            ("1|TIME|a||b||5|TIME||", ["a b", ""]),  # an empty line in a text
            ("TIME|1:23.456 against 1:24.001|at 12:30", ["1:23.456 against 1:24.001 at 12:30"]),
            ("TIME|a <b|TIME|c> 1 < 2 > 0", ["a <b", "c> 1 < 2 > 0"]),
            ("WEBVTT|Kind: captions||TIME| |a<00:00:01.500><c> b</c>||TIME|c", ["a b", "c"]),
            ("WEBVTT|TIME|NOTE a||NOTE|no|text||", ["NOTE a"]),
        ],
    )
    def test_what_is_no_doubt(self, lines: str, texts: list[str]) -> None:
        text = lines.replace("TIME", "00:00:01.000 --> 00:00:02.000").split("|")
        name = "a.vtt" if text[0] == "WEBVTT" else "a.srt"
        assert [cue.text for cue in read_cues(text, name)] == texts

    def test_the_suffix_decides_on_the_format(self) -> None:
        lines = ["1", "00:00:01,000 --> 00:00:02,000", "a", "", "b"]
        assert read_cues(lines, "runs.vtt/a.srt.gz") == [Cue(1000, 2000, "a b")]

    @pytest.mark.parametrize("seed", range(8))
    def test_damaged_files(self, seed: int) -> None:
        """Each line of text is in exactly one segment and nothing else is, or there is an error."""
        draw = random.Random(seed)
        found = {"read": 0, "rejected": 0}  # with the number of a line
        for _ in range(500):
            name, lines = _whole_file(draw)
            assert _words(lines) == _words([cue.text for cue in read_cues(lines, name)])
            damaged = _damaged(draw, lines)
            try:
                cues = read_cues(damaged, name)
            except InputError as error:
                found["rejected"] += bool(re.match(re.escape(name) + r":\d+: ", str(error)))
                continue
            found["read"] += 1
            texts = [cue.text for cue in cues]
            assert sorted(_words(texts)) == sorted(_words(damaged)), (lines, damaged)
            assert not re.sub(r"text\d+|-", "", "".join(texts)).strip(), (lines, damaged)
        assert sum(found.values()) == 500
        assert min(found.values()) > 50


class TestCaptions:
    """Labels of speakers, and lines that roll from one segment to the next."""

    @pytest.mark.parametrize(
        ("line", "text"),
        [
            (">> Yes.", "Yes."),
            (">>> JOHN SMITH: Yes.", "Yes."),
            ("- Hello.", "Hello."),
            ("-Hello - you.", "Hello - you."),
            ("\u2013 \u00c9MILE: Oui.", "Oui."),
            ("MAN #1: 7:30!", "7:30!"),
            ("Speaker 12: so", "so"),
            ("DR. O'NEIL:", ""),
            ("-5 degrees", "-5 degrees"),
            ("-- no", "-- no"),
            ("> quoted", "> quoted"),
            ("Note: this", "Note: this"),
            ("A: a choice", "A: a choice"),
            ("AT 10:30 WE LEAVE", "AT 10:30 WE LEAVE"),
            ("http://a.b", "http://a.b"),
            ("HE SAID THAT SHE WAS OUT: NO", "HE SAID THAT SHE WAS OUT: NO"),
            ("\u7ea6\u7ff0\u8bf4: \u597d", "\u7ea6\u7ff0\u8bf4: \u597d"),
        ],
    )
    def test_labels(self, line: str, text: str) -> None:
        assert without_speaker(line) == text

    @pytest.mark.parametrize("name", ["a.srt", "a.vtt"])
    def test_generated_files(self, name: str) -> None:
        draw = random.Random(7)
        for _ in range(100):
            count = draw.randint(1, 8)
            parts = [draw.randint(1, 2) for _ in range(count)]
            plain = [[f"word{row} {i}" for i in range(n)] for row, n in enumerate(parts)]
            labelled = [[_labelled(draw, line) for line in lines] for lines in plain]
            cues = read_cues(_file(name, labelled), name)
            assert [cue.lines for cue in without_speakers(cues)] == list(map(tuple, plain))
            # Each segment also has the last lines of the one before, at times nothing else.
            rolling = [lines[-1:] + own for lines, own in zip([[], *plain], plain, strict=False)]
            shown = [lines for own in rolling for lines in (own, *draw.choice([[], [own[-1:]]]))]
            cues = without_repeats(read_cues(_file(name, shown), name))
            found = [line for cue in cues for line in cue.lines]
            assert found == [line for lines in plain for line in lines]
            assert len(cues) == len(shown)

    def test_a_line_that_is_said_again_later_stays(self) -> None:
        cues = read_cues(_file("a.srt", [["No."], ["Why?"], ["No.", "No."], ["Yes."]]), "a.srt")
        assert without_repeats(cues) == cues


def _labelled(draw: random.Random, line: str) -> str:
    return draw.choice(["", "- ", ">> ", "JOHN: ", "- DR. LEE: ", "Speaker 2: "]) + line


def _file(name: str, segments: list[list[str]]) -> list[str]:
    lines = ["WEBVTT", ""] if name == "a.vtt" else []
    for row, own in enumerate(segments):
        voice = "<v Ann>" if name == "a.vtt" else ""
        lines += [f"00:00:{row:02}.000 --> 00:00:{row + 1:02}.000"]
        lines += [voice + line.replace(">", "&gt;") if voice else line for line in own] + [""]
    return lines


def _words(texts: list[str]) -> list[str]:
    return re.findall(r"text\d+", " ".join(texts))


def _whole_file(draw: random.Random) -> tuple[str, list[str]]:
    """Return a file of two to four segments; a single one can be read in several ways."""
    name = draw.choice(["a.srt", "a.vtt"])
    labels = draw.choice(["numbers", "names", ""] if name == "a.vtt" else ["numbers", ""])
    spaced = name == "a.vtt" or draw.random() < 0.6
    lines = ["WEBVTT - title", *draw.choice([[], ["Kind: captions"]]), ""] * (name == "a.vtt")
    lines += draw.choice([["NOTE remark", ""], []]) if name == "a.vtt" else []
    for row in range(draw.randint(2, 4)):
        lines += {"numbers": [str(row + 1)], "names": [f"name{row}"], "": []}[labels]
        places = {"a.vtt": " align:left line:0", "a.srt": " X1:4 X2:5"}[name]
        times = f"00:00:0{row},120 --> 00:00:0{row + 1},100{draw.choice(['', places])}"
        lines.append(times.replace(",", ".") if name == "a.vtt" else times)
        for _ in range(draw.randint(not spaced or draw.random() < 0.9, 3)):
            kind = draw.choice(["{}", "<i>{}</i>", "- {}", " {}"])
            lines.append(kind.format(f"text{len(lines)}"))
        lines += [""] * spaced
    return name, lines


def _damaged(draw: random.Random, lines: list[str]) -> list[str]:
    row = draw.randrange(len(lines))
    before, line, rest = lines[:row], lines[row], lines[row + 1 :]
    kind = draw.choice(["delete", "duplicate", "exchange", "join", "truncate", "times", "times"])
    if kind == "delete":
        return [*before, *rest] if "-->" not in line or len(rest) > 4 else lines
    if kind == "duplicate":
        return [*before, line, line, *rest]
    if kind == "exchange":
        return [*before, *rest[:1], line, *rest[1:]]
    if kind == "join" and rest:
        return [*before, draw.choice(["", " "]).join([line, rest[0]]), *rest[1:]]
    if kind == "truncate":
        end = max(row, 1 + next(i for i, one in enumerate(lines) if "-->" in one))
        return lines[:end]
    row = draw.choice([i for i, one in enumerate(lines) if "-->" in one])
    place = draw.randrange(len(lines[row]))
    head, tail = lines[row][:place], lines[row][place:]
    changed = [head + tail[1:], head + draw.choice("x ;0-") + tail, head + "o" + tail[1:]]
    arrow = draw.choice(["->", "", "==>", "\u2013>", "\u2192", "-- >"])
    changed.append(lines[row].replace("-->", arrow))
    return [*lines[:row], draw.choice(changed), *lines[row + 1 :]]
