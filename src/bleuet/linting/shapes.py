"""Lines that hold more than text, references in another layout, and words for missing texts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.messages import plural
from bleuet.metrics.base.text_checks import WrongLayout
from bleuet.metrics.base.text_problems import missing_words
from bleuet.text.shapes import shape_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material


def find_shapes(material: Material) -> Iterator[Finding]:
    """Find files whose first lines hold more than text, and references in another layout."""
    shapes = [None if side.as_lines else shape_of(side.texts) for side in material.sides]
    for place, (side, shape) in enumerate(zip(material.sides, shapes, strict=True)):
        others = [*shapes[:place], *shapes[place + 1 :]]
        # Of encodings other checks show the lines.
        if shape is not None and not shape.is_encoding and shape.matters(others):
            yield side.finding("shape", (), shape.sentence("it"))
    for sentence in material.checked_by(WrongLayout):
        yield material.references[0].finding("shape", (), sentence)


def find_missing(material: Material) -> Iterator[Finding]:
    """Find words such as nan, which programs write for a missing text."""
    for side in material.sides:
        rows = side.faulty(missing_words(side.texts).__contains__)
        if rows:
            yield side.finding(
                "missing",
                rows,
                f"{plural(len(rows), 'line is', 'lines are')} nan, NA, None or the like",
                "without these lines",
                material.effects_without(side, rows),
            )
