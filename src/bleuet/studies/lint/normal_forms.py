"""Normal forms: the same letter as one character here and as two there, which match nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import is_normalized, normalize

from bleuet.studies.lint.finding import Finding, counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.studies.lint.material import Material, Side


def find_normal_forms(material: Material) -> Iterator[Finding]:
    """Find text that is not in Unicode's normal form C, where other text is."""
    decomposed = [(side, _decomposed(side)) for side in material.sides]
    if not any(rows for _, rows in decomposed) or not any(map(_has_composed, material.sides)):
        return
    for side, rows in decomposed:
        if rows:
            yield Finding(
                "normal-forms",
                side.name,
                side.role,
                tuple(row + 1 for row in rows),
                f"{counted(len(rows), 'line is', 'lines are')} not in Unicode's normal form C, "
                "but other text is: equal letters do not match",
                "both sides in form C",
                material.effects_of_both_mended(side, _composed),
            )


def _decomposed(side: Side) -> list[int]:
    return sorted({row for row, text in side if not is_normalized("NFC", text)})


def _has_composed(side: Side) -> bool:
    """Whether a side has letters that form C writes as one and form D as two."""
    return any(
        not text.isascii() and is_normalized("NFC", text) and not is_normalized("NFD", text)
        for text in side.texts
    )


def _composed(text: str) -> str:
    return normalize("NFC", text)
