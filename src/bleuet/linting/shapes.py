"""Lines that hold more than text, references in another layout, and words for missing texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.messages import plural
from bleuet.metrics.base.text_checks import WrongLayout, shape_sentence
from bleuet.metrics.base.text_problems import missing_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material


def find_shapes(material: Material) -> Iterator[Finding]:
    """Find files whose first lines hold more than text, and references in another layout."""
    for side in material.sides:
        sentence = "" if side.as_lines else shape_sentence("it", [list(side.texts)])
        if sentence:
            yield side.finding("shape", (), sentence)
    for sentence in material.checked_by(WrongLayout):
        yield material.references[0].finding("shape", (), sentence)


def find_missing(material: Material) -> Iterator[Finding]:
    """Find words such as nan, which programs write for a missing text."""
    for side in material.sides:
        words = missing_words(side.texts)
        rows = [row for row, text in side if text in words]
        if rows:
            yield side.finding(
                "missing",
                rows,
                f"{plural(len(rows), 'line is', 'lines are')} nan, NA, None or the like",
                "without these lines",
                material.effects_without(side, rows),
            )
