"""Damaged encodings: UTF-8 read in another encoding, and lost characters."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bleuet.messages import plural
from bleuet.text.shapes import LOST, read_again

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material

# The characters of bytes above 127 in Windows-1252 and Latin-1.
_HIGH = "".join(
    {bytes([b]).decode("cp1252", "ignore") for b in range(0x80, 0x100)}
    | {chr(b) for b in range(0x80, 0x100)}
)
# Such characters may be valid UTF-8 by chance: a sharp s and a closing quote (\u00df\u201c) are a
# letter of N'Ko. Western letters and punctuation are not chance; of others it takes so many in a
# row.
_WESTERN = re.compile("[\u00a0-\u024f\u2010-\u203a\u20ac\u2122\u2212]+")
LEAST_LETTERS = 3
_RUN = re.compile(f"[{re.escape(_HIGH)}]{{2,}}")


def find_lost(material: Material) -> Iterator[Finding]:
    """Find replacement characters (U+FFFD)."""
    for side in material.sides:
        rows = material.faulty_alone(side, lambda text: LOST in text)
        if rows:
            yield side.finding(
                "lost-characters",
                rows,
                f"{plural(len(rows), 'line contains', 'lines contain')} U+FFFD, which replaces a "
                "lost character",
                "without these lines",
                material.effects_without(side, rows),
            )


def find_misread(material: Material) -> Iterator[Finding]:
    """Find UTF-8 that was read as Windows-1252 or Latin-1."""
    for side in material.sides:
        rows = material.faulty_alone(side, lambda text: repaired(text) != text)
        if rows:
            example = _example(next(iter(rows.values())))
            yield side.finding(
                "encoding",
                rows,
                f"{plural(len(rows), 'line contains', 'lines contain')} UTF-8 that was read as "
                f"Windows-1252 or Latin-1, such as {example}",
                "repaired",
                material.effects_repaired(side, rows, repaired),
            )


def _example(text: str) -> str:
    run = next(found[0] for found in _RUN.finditer(text) if _read_again(found[0]) != found[0])
    return f"{run!r} for {_read_again(run)!r}"


def repaired(text: str) -> str:
    """Return a text with such characters decoded as UTF-8.

    >>> repaired("a caf\u00c3\u00a9, it\u00e2\u20ac\u2122s \u00e9t\u00e9")
    'a caf\u00e9, it\u2019s \u00e9t\u00e9'
    """
    return text if text.isascii() else _RUN.sub(lambda found: _read_again(found[0]), text)


def _read_again(run: str) -> str:
    decoded = read_again(run)
    plausible = len(decoded) >= LEAST_LETTERS or _WESTERN.fullmatch(decoded)
    return decoded if decoded and plausible else run
