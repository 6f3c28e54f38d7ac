"""Escaped entities: text that was escaped for HTML, XML or Moses and not unescaped."""

from __future__ import annotations

import html
import re
from typing import TYPE_CHECKING

from bleuet.messages import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material

# The entities that escaping produces, and Moses's own for the bar and brackets; others are left to
# texts about HTML.
_ENTITY = re.compile(
    r"&(?:amp|quot|apos|lt|gt|nbsp|pipe|bar|bra|ket|[lr][sd]quo|hellip|[nm]dash|"
    r"#[0-9]{2,6}|#[xX][0-9a-fA-F]{2,6});"
)
# Text that went through two programs may be escaped twice.
MOST_TIMES = 3
_MOSES = {"&pipe;": "|", "&bar;": "|", "&bra;": "[", "&ket;": "]"}


def find_entities(material: Material) -> Iterator[Finding]:
    """Find escaped entities that the same line of other files does not contain."""
    for side in material.sides:
        found = {row: e for row, text in side if "&" in text and (e := _ENTITY.findall(text))}
        rows = [row for row in found if not _elsewhere(found[row], material.others(side, row))]
        if rows:
            yield side.finding(
                "entities",
                rows,
                f"{plural(len(rows), 'line contains', 'lines contain')} escaped entities, such as "
                f"{found[rows[0]][0]}",
                "unescaped",
                material.effects_repaired(side, rows, unescaped),
            )


def _elsewhere(entities: list[str], others: list[str]) -> bool:
    return all(any(entity in text for text in others) for entity in entities)


def unescaped(text: str) -> str:
    """Return a text with its entities replaced by characters, even those escaped twice.

    >>> unescaped("R&amp;D &pipe; it&amp;#39;s")
    "R&D | it's"
    """
    for _ in range(MOST_TIMES):
        text = _ENTITY.sub(lambda found: _MOSES.get(found[0]) or html.unescape(found[0]), text)
    return text
