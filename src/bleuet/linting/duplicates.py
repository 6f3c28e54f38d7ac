"""Duplicates: the same hypothesis for segments with different meanings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.linting.copies import is_sentence
from bleuet.messages import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material, Side

# So many different segments must share a hypothesis: two or three may be paraphrases, or a stock
# phrase of reviews or legal text.
LEAST_SEGMENTS = 5


def find_duplicates(material: Material) -> Iterator[Finding]:
    """Find hypotheses that a system repeats for many segments whose references all differ."""
    for side in material.systems:
        groups = [rows for rows in _by_text(side) if _are_different(material, rows)]
        if groups:
            rows = sorted(row for group in groups for row in group)
            text = side.texts[max(groups, key=len)[0]]
            yield side.finding(
                "duplicates",
                rows,
                f"{plural(len(groups), 'hypothesis is', 'hypotheses are')} repeated for "
                f"{len(rows)} different segments, such as {text[:40]!r}",
                "without these lines",
                material.effects_without(side, rows),
            )


def _by_text(side: Side) -> Iterator[list[int]]:
    groups: dict[str, list[int]] = {}
    for row, text in side:
        groups.setdefault(text, []).append(row)
    for text, rows in groups.items():
        if len(rows) >= LEAST_SEGMENTS and is_sentence(text):
            yield rows


def _are_different(material: Material, rows: list[int]) -> bool:
    """Return whether the segments have different references, and different sources."""
    keys: list[set[object]] = [{frozenset(material.alternatives[row]) for row in rows}]
    if material.source is not None:
        keys.append({material.source.texts[row] for row in rows})
    return all(len(different) >= LEAST_SEGMENTS for different in keys)
