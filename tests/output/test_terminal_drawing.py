"""What a terminal shows: as narrow as can be, numbers whole, the best in bold."""

from __future__ import annotations

import re
from io import StringIO
from typing import TYPE_CHECKING

import pytest

from bleuet.output.document import Column, Document, DocumentTable, Estimate
from bleuet.output.rendering import render, write
from bleuet.output.settings import Settings
from tests.output.documents import DOCUMENT, SCORES, TEXTS, streamed

if TYPE_CHECKING:
    from bleuet.output.document import Cell


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def draw(document: Document, width: int, monkeypatch: pytest.MonkeyPatch) -> str:
    for name in ("NO_COLOR", "FORCE_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm-256color")
    out = Terminal()
    write(document, out, "text", Settings())
    return out.getvalue()


def plain(shown: str) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown)


DRAWN = """\
A title

Scores
  system                   BLEU    TER  segments
  a.txt          30.12 ± 1.00 b  50.00        12
  long-name.txt   9.50 ± 0.75        -         -
  One note.

Tests
  pair   difference             95%       p  people agree
  a - b       -1.23  -2.00 to +0.50  0.0001           76%
  a - c        0.00               -  1.0000             -

A last note.

BLEU|nrefs:1|case:mixed
"""


def test_a_document(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = plain(draw(DOCUMENT, 80, monkeypatch))
    assert [line.rstrip() for line in shown.split("\n")] == DRAWN.split("\n")


@pytest.mark.parametrize("width", [10, 20, 30, 40, 60, 80, 200])
def test_numbers_are_whole_at_every_width(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = plain(draw(DOCUMENT, width, monkeypatch))
    assert "…" not in shown
    numbers = r"\b\d+\.\d\d+ ± \d\.\d\d|-2\.00 to \+0\.50|\b0\.0001\b|-1\.23|\b50\.00"
    assert len(re.findall(numbers, shown)) == 6


def test_the_best_of_each_column_is_bold_and_green(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: list[list[Cell]] = [
        ["a", Estimate(1.0, 0.5, 1.5, "b"), 9.0, 3],
        ["b", 2.0, 8.0, 3],
        ["c", None, 8.0, 3],
    ]
    table = DocumentTable("t", "", SCORES.columns, rows, rank_best=True)
    shown = draw(Document(tables=[table]), 80, monkeypatch)
    best = [line.count("\x1b[1;32m") for line in shown.splitlines()[1:4]]
    assert best == [0, 2, 1]
    alone = DocumentTable("t", "", SCORES.columns, rows[:1], rank_best=True)
    assert "\x1b[1;32m" not in draw(Document(tables=[alone]), 80, monkeypatch)
    other = DocumentTable("t", "", SCORES.columns, rows)
    assert "\x1b[1;32m" not in draw(Document(tables=[other]), 80, monkeypatch)


def test_of_very_many_rows_the_largest_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [Column("label"), Column("segments", kind="count")]
    rows: list[list[Cell]] = [
        [f"d{number}", 10 if number == 40 else number % 2] for number in range(41)
    ]
    table = DocumentTable("t", "T", columns, rows, largest_by="segments")
    lines = plain(draw(Document(tables=[table]), 80, monkeypatch)).splitlines()
    assert len(lines) == 2 + 30 + 1
    assert lines[-2].split() == ["d40", "10"]
    # They keep their order, of which the first are left out where many are equal.
    kept = [int(line.split()[0][1:]) for line in lines[2:-1]]
    assert kept == sorted(kept)
    assert set(range(1, 41, 2)) <= {*kept}
    rows[0], rows[40] = ["d0", 10], ["d40", 0]
    first = plain(draw(Document(tables=[table]), 80, monkeypatch)).splitlines()
    assert first[2].split() == ["d0", "10"]
    assert lines[-1] == "  and 11 more, none larger; the other formats have all"
    whole = DocumentTable("t", "T", columns, rows)
    assert len(draw(Document(tables=[whole]), 80, monkeypatch).splitlines()) == 2 + 41
    assert render(Document(tables=[table]), "text").count("\n") == 2 + 41


def test_headings_of_systems_fold_and_words_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"online-{letter}.de.txt" for letter in "ABCDEFGH"]
    columns = [Column("length"), *(Column(name, kind="score") for name in names)]
    columns.append(Column("p", "significant", "p-value"))
    table = DocumentTable("t", "", columns, [["<10", *[20.0] * 8, 0.5]])
    shown = plain(draw(Document(tables=[table]), 90, monkeypatch))
    assert "significant" in shown
    assert max(map(len, shown.splitlines())) <= 90


def test_long_names_fold_and_stay_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    name = "a-very-long-name-" * 8
    table = DocumentTable("t", "", [Column("system"), Column("x", kind="score")], [[name, 1.0]])
    shown = plain(draw(Document(tables=[table]), 40, monkeypatch))
    assert "".join(line.split(" ")[0] for line in shown.splitlines()[1:]) == name
    assert max(map(len, shown.splitlines())) <= 40


def test_long_texts_are_paragraphs(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = plain(draw(Document(tables=[TEXTS]), 30, monkeypatch))
    assert shown == "segment 3\n  reference  The cat sat.\n  a.txt      A cat sits.\n"


def test_long_texts_break_at_words(monkeypatch: pytest.MonkeyPatch) -> None:
    row: list[Cell] = [1, "one two three four five six seven", "x" * 50]
    table = DocumentTable("t", "T", TEXTS.columns, [row])
    lines = plain(draw(Document(tables=[table]), 40, monkeypatch)).splitlines()
    assert lines[:4] == [
        "T",
        "  segment 1",
        "    reference  one two three four five",
        "               six seven",
    ]
    assert "".join(line[15:] for line in lines[4:]) == "x" * 50


def test_a_streamed_table_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    assert draw(streamed(), 80, monkeypatch) == render(streamed(), "text")


def test_texts_are_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    table = DocumentTable("t", "[bold]T", [Column("[red]x")], [["[bold]x :smile:\x1b[31m"]], "[i]n")
    shown = plain(draw(Document("[b]", [table], ["[u]"]), 80, monkeypatch))
    for text in ("[b]", "[bold]T", "[red]x", r"[bold]x :smile:\x1b[31m", "[i]n", "[u]"):
        assert text in shown


def test_a_heading_folds_only_where_it_does_not_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The words of a heading stay whole while there is room for all of them."""
    columns = [Column("label"), *(Column(name, kind="score") for name in ("Harbours", "Evening"))]
    table = DocumentTable("t", "", columns, [["night", 1.0, 22.5]])
    for width in range(30, 0, -1):
        shown = plain(draw(Document(tables=[table]), width, monkeypatch)).splitlines()
        if shown[0].split() != ["label", "Harbours", "Evening"]:
            break
    # Two columns are between each two of them.
    assert width == len("label  Harbours  Evening") - 1
