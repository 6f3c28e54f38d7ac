"""Lookalikes: letters of another script inside a word, which look the same but never match."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bleuet.linting.letters import scripts_of
from bleuet.messages import plural

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material

# Letters that look the same. Others (the mu of μs, the alpha of TNFα) are intended.
_PAIRS = {
    "Cyrillic": ("АВСЕНІЈКМОРЅТХУасеіјорѕху", "ABCEHIJKMOPSTXYaceijopsxy"),
    "Greek": ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo"),
}
_TO_LATIN = {script: str.maketrans(there, here) for script, (there, here) in _PAIRS.items()}
_FROM_LATIN = {script: str.maketrans(here, there) for script, (there, here) in _PAIRS.items()}
# Old keyboards and scanners write a beta for the German ß.
_SHARP_S = re.compile(r"(?<=[a-zäöü]{2})β")
_WORD = re.compile(r"[^\W\d_]+")
_OTHERS = re.compile("[\u0370-\u03ff\u0400-\u04ff]")


def find_lookalikes(material: Material) -> Iterator[Finding]:
    """Find words with letters of another script that look the same."""
    for side in material.sides:
        found = {row: words for row, text in side if (words := misspelt(text))}
        rows = [
            row
            for row, words in found.items()
            if not any(words & misspelt(text) for text in material.others(side, row))
        ]
        if rows:
            example = min(found[rows[0]])
            yield side.finding(
                "lookalikes",
                rows,
                f"{plural(len(rows), 'line has', 'lines have')} letters of another script that "
                f"look the same, such as in {example!r} ({ascii(example)[1:-1]})",
                "with the correct letters",
                material.effects_repaired(side, rows, respelt),
            )


def misspelt(text: str) -> set[str]:
    r"""Return the words of a text that contain letters of another script that look the same.

    >>> sorted(misspelt("a \u0441at, TNF\u03b1, \u03bcs, the cat")) == ["\u0441at"]
    True
    """
    if text.isascii() or not _OTHERS.search(text):
        return set()
    return {word for word in _WORD.findall(text) if _respelt(word) != word}


def respelt(text: str) -> str:
    r"""Return a text with such letters replaced by the correct ones.

    >>> respelt("a \u0441at in Stra\u03b2e") == "a cat in Stra\xdfe"
    True
    """
    if text.isascii() or not _OTHERS.search(text):
        return text
    return _WORD.sub(lambda found: _respelt(found[0]), text)


def _respelt(word: str) -> str:
    """Return a word in its main script if all other letters have a counterpart there."""
    if word.isascii():
        return word
    word = _SHARP_S.sub("ß", word)
    scripts = scripts_of(word)
    for script in ("Cyrillic", "Greek"):
        if scripts.keys() == {"Latin", script}:
            mostly_latin = scripts["Latin"] >= scripts[script]
            new = word.translate((_TO_LATIN if mostly_latin else _FROM_LATIN)[script])
            return new if len(scripts_of(new)) == 1 else word
    return word
