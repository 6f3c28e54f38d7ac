"""Copies: untranslated lines, and the same file under two names."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING

from bleuet.linting.letters import amount
from bleuet.messages import plural

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material, Side

# Shorter texts are names, numbers or exclamations, which many languages share.
LEAST_WORDS = 4
LEAST_LETTERS = 15
# A reference that keeps this share of the source's words keeps names, and so may a system.
KEPT = 0.5
# Two files are the same if at least this share of their lines is equal.
SAME_FILE = 0.95
LEAST_LINES = 10
_WORD = re.compile(r"\w+")


def find_source_copies(material: Material) -> Iterator[Finding]:
    """Find hypotheses that equal their source, unless a reference keeps the source too."""
    if material.source is None:
        return
    sources = [plain(text) for text in material.source.texts]
    for side in material.systems:
        rows = [
            row
            for row, text in side
            if plain(text) == sources[row]
            and is_sentence(text)
            and not _is_kept(text, material.alternatives[row])
        ]
        if rows:
            yield side.finding(
                "source-copy",
                rows,
                f"{plural(len(rows), 'line equals its', 'lines equal their')} source: "
                "not translated",
                "without these lines",
                material.effects_without(side, rows),
            )


def _is_kept(source: str, references: Sequence[str]) -> bool:
    """Return whether a reference keeps the words of the source too: names, titles and numbers."""
    words = set(_WORD.findall(source.casefold()))
    return any(
        len(words.intersection(_WORD.findall(text.casefold()))) >= KEPT * len(words)
        for text in references
    )


def find_same_files(material: Material) -> Iterator[Finding]:
    """Find systems that equal the references, and other files that are the same."""
    for system in material.systems:
        for other in material.references:
            if _are_one(system, other):
                yield _same(system, other, "so it is scored against itself")
    for one, other in combinations(material.systems, 2):
        # Two checkpoints of one model may agree in nearly all lines.
        if _are_one(one, other, 1.0):
            yield _same(one, other, "so one of them may be the wrong file")
    for reference in material.references:
        if material.source is not None and _are_one(reference, material.source):
            yield _same(reference, material.source, "so one of them may be the wrong file")


def _same(one: Side, other: Side, meaning: str) -> Finding:
    pairs = zip(one.texts, other.texts, strict=True)
    differences = sum(a != b for a, b in pairs)
    but = f" except for {plural(differences, 'line')}" if differences else ""
    message = f"it is the same as {other.name}{but}, {meaning}"
    return one.finding("same-file", (), message)


def _are_one(one: Side, other: Side, share: float = SAME_FILE) -> bool:
    count = len(one.texts)
    if count < LEAST_LINES or len(other.texts) != count:
        return False
    same = sum(a == b for a, b in zip(one.texts, other.texts, strict=True))
    return same >= share * count


def plain(text: str) -> str:
    """Return a text in one letter case, with single spaces.

    >>> plain(" Guten  Tag")
    'guten tag'
    """
    return " ".join(text.casefold().split())


def is_sentence(text: str) -> bool:
    """Return whether a text is too long to be the same in two languages.

    >>> is_sentence("Barack Obama, 2012"), is_sentence("Der Rat tagt heute in Wien.")
    (False, True)
    """
    words = [word for word in text.split() if word.isalpha() or any(map(str.isalpha, word))]
    letters = amount(text)
    return letters >= LEAST_LETTERS and (len(words) >= LEAST_WORDS or letters > 5 * len(text))
