"""Draw docs/pictures/architecture.svg: the floors of the package, and the values that cross them.

`python -m website.architecture_picture` writes it. The floors are those that the test of the
imports checks.
"""

from __future__ import annotations

from itertools import groupby, pairwise
from pathlib import Path
from statistics import fmean
from typing import NamedTuple
from xml.sax.saxutils import escape

from tests.test_architecture import FLOORS
from website.svg import document

PICTURE = Path(__file__).parent.parent / "docs" / "pictures" / "architecture.svg"
# Each value on the way from files to bytes, and the folder beside which it is drawn: the one with
# its class, and for an answer the command that returns it.
RISING = (("Corpus", "text"), ("Segments", "text"), ("Table", "statistics"), ("Score", "metrics"))
TURNING = ("Answer", "cli")
FALLING = (("Document", "output"),)
FIRST, LAST = "files", "bytes"
TITLE = "The folders of bleuet on their floors, and the values that cross them"

# A phone shows it at about four fifths of this width, so text of 14 pixels has 11 there.
WIDTH = 448
TEXT, LETTER = 14, 8.43
MARGIN, GAP, PADDING = 8, 6, 7
ROW, CHIP = 30, 24
NUMBERS, FOLDERS_END = 36, 282
VALUE_WIDTH = 72
RISE, FALL = 323, 399
STYLE = """
.page{fill:var(--paper)}.floor{fill:var(--token)}.folder{fill:var(--paper);stroke:var(--line)}
.value,.tip{fill:var(--one)}.way,.end{stroke:var(--one);fill:none}.way{stroke-width:2}
text{fill:var(--ink);font:14px system-ui,sans-serif}.number{font-weight:600}
.name{font:14px ui-monospace,Menlo,Consolas,monospace}.middle{text-anchor:middle}
.on{fill:var(--paper);font-size:13px;text-anchor:middle}
"""


class Box(NamedTuple):
    """A rectangle with a word in it."""

    word: str
    x: float
    y: float
    width: float


class Stop(NamedTuple):
    """A value, and the middle of its place."""

    word: str
    x: float
    y: float


def rows_of(folders: list[str]) -> list[list[Box]]:
    """Put folders side by side, in as many rows as they need; y is 0."""
    rows: list[list[Box]] = [[]]
    x: float = NUMBERS
    for folder in folders:
        width = round(len(folder) * LETTER + 2 * PADDING, 1)
        if rows[-1] and x + width > FOLDERS_END:
            rows.append([])
            x = NUMBERS
        rows[-1].append(Box(folder, round(x, 1), 0, width))
        x += width + GAP
    return rows


def floors() -> list[tuple[int, list[str]]]:
    """Return the floors from the highest to the lowest, each with its folders."""
    highest_first = sorted(FLOORS.items(), key=lambda item: -item[1])
    return [
        (floor, [folder for folder, _ in items])
        for floor, items in groupby(highest_first, key=lambda item: item[1])
    ]


def picture() -> str:
    """Return the drawing as SVG."""
    shapes: list[str] = []
    middles: dict[int, list[float]] = {}
    y: float = MARGIN
    for floor, folders in floors():
        rows = rows_of(folders)
        values = [word for word, folder in RISING if FLOORS[folder] == floor]
        height = max(len(rows), len(values), 1) * ROW + GAP
        shapes.append(_floor(floor, y, height))
        for number, row in enumerate(rows):
            top = y + (height - len(rows) * ROW) / 2 + number * ROW + (ROW - CHIP) / 2
            shapes += [_folder(box._replace(y=top)) for box in row]
        count = max(len(values), 1)
        middles[floor] = [y + height * (2 * place + 1) / (2 * count) for place in range(count)]
        y += height + GAP
    bottom = y + CHIP / 2
    shapes += _way(middles, bottom)
    height = round(bottom + CHIP / 2 + MARGIN)
    page = f'<rect class="page" width="{WIDTH}" height="{height}" rx="8"/>'
    return document(WIDTH, height, TITLE, STYLE, [page, *shapes])


def _way(middles: dict[int, list[float]], bottom: float) -> list[str]:
    """Return the values from the files at the bottom to the answer at the top, and down again."""
    rising = [Stop(FIRST, RISE, bottom)]
    for floor in sorted({FLOORS[folder] for _, folder in RISING}):
        words = [word for word, folder in RISING if FLOORS[folder] == floor]
        places = reversed(middles[floor])
        rising += [Stop(word, RISE, y) for word, y in zip(words, places, strict=True)]
    word, folder = TURNING
    top = middles[FLOORS[folder]][0]
    falling = [Stop(word, FALL, fmean(middles[FLOORS[folder]])) for word, folder in FALLING]
    falling.append(Stop(LAST, FALL, bottom))
    ways = [*rising, Stop(word, RISE, top)], [Stop(word, FALL, top), *falling]
    return [
        *(_arrow(start, end) for way in ways for start, end in pairwise(way)),
        *(_value(stop) for stop in (*rising[1:], *falling[:-1])),
        *(_end(stop) for stop in (rising[0], falling[-1])),
        _value(Stop(word, (RISE + FALL) / 2, top), FALL - RISE + VALUE_WIDTH),
    ]


def _floor(number: int, y: float, height: float) -> str:
    middle = y + height / 2 + TEXT / 3
    return (
        f'<rect class="floor" x="{MARGIN}" y="{y:g}" width="{WIDTH - 2 * MARGIN}" '
        f'height="{height:g}" rx="6"/>'
        f'<text class="number" x="{MARGIN + 9}" y="{middle:.1f}">{number}</text>'
    )


def _folder(box: Box) -> str:
    return (
        f'<rect class="folder" x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" '
        f'height="{CHIP}" rx="4"/>'
        f'<text class="name" x="{box.x + PADDING:g}" y="{box.y + 16.5:g}">{escape(box.word)}</text>'
    )


def _value(stop: Stop, width: float = VALUE_WIDTH) -> str:
    return _rounded("value", stop, width) + _word("on", stop)


def _end(stop: Stop) -> str:
    return _rounded("end", stop, VALUE_WIDTH) + _word("middle", stop)


def _rounded(name: str, stop: Stop, width: float) -> str:
    return (
        f'<rect class="{name}" x="{stop.x - width / 2:g}" y="{stop.y - CHIP / 2:g}" '
        f'width="{width:g}" height="{CHIP}" rx="{CHIP // 2}"/>'
    )


def _word(name: str, stop: Stop) -> str:
    return f'<text class="{name}" x="{stop.x:g}" y="{stop.y + 5:g}">{escape(stop.word)}</text>'


def _arrow(start: Stop, end: Stop) -> str:
    """Return an arrow from the edge of one value to that of another above or below it."""
    way = 1 if end.y > start.y else -1
    tip = end.y - way * CHIP / 2
    return (
        f'<path class="way" d="M{start.x:g} {start.y + way * CHIP / 2:g}V{tip - way * 4:g}"/>'
        f'<path class="tip" d="M{end.x:g} {tip:g}l-4 {-way * 6}h8z"/>'
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
