"""Normal forms: a letter that is one character in one file and two in another never matches."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import is_normalized, normalize

from bleuet.messages import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material, Side


def find_normal_forms(material: Material) -> Iterator[Finding]:
    """Find text that is not in Unicode's normal form C while other text is."""
    decomposed = [(side, _decomposed(side)) for side in material.sides]
    if not any(rows for _, rows in decomposed) or not any(map(_has_composed, material.sides)):
        return
    for side, rows in decomposed:
        if rows:
            yield side.finding(
                "normal-forms",
                rows,
                f"{plural(len(rows), 'line is', 'lines are')} not in Unicode's normal form C, "
                "but other text is: the same letters do not match",
                "both sides in form C",
                material.effects_of_both_repaired(side, _composed),
            )


def _decomposed(side: Side) -> list[int]:
    return sorted({row for row, text in side if not is_normalized("NFC", text)})


def _has_composed(side: Side) -> bool:
    """Return whether a file has letters that are one character in form C and two in form D."""
    return any(
        not text.isascii() and is_normalized("NFC", text) and not is_normalized("NFD", text)
        for text in side.texts
    )


def _composed(text: str) -> str:
    return normalize("NFC", text)
