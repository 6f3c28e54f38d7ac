"""Empty lines: untranslated segments and missing references."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.messages import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material


def find_empty(material: Material) -> Iterator[Finding]:
    """Find empty lines in all files."""
    for side in material.sides:
        rows = side.faulty(lambda text: not text or text.isspace())
        if rows:
            yield side.finding(
                "empty",
                rows,
                f"{plural(len(rows), 'line is', 'lines are')} empty",
                "without these lines",
                material.effects_without(side, rows),
            )
