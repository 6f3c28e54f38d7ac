"""Tokenization by mistake: punctuation set apart, and pieces of words left in pieces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from bleuet.studies.lint.finding import Effect, Finding, counted
from bleuet.studies.lint.material import REFERENCES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.studies.lint.material import Material, Side

# A space before a full stop or comma is spelling in no language; before ? ! : ; it is in French.
_APART = re.compile(r"(?<=\w) [.,](?=\s|$)")
# What a tokenizer sets apart, roughly: enough to see what it does to the score.
_CLOSING = re.compile(r" (?=[.,;:!?)\]%](?:\s|$))|(?<=[(\[]) | (?='(?:s|t|re|ve|ll|d|m)\b)")
# Of the lines with a full stop or comma behind a word this share has it apart in tokenized text.
TOKENIZED = 0.5
LEAST_LINES = 10
_STOP = re.compile(r"[.,](?=\s|$)")


def find_tokenized(material: Material) -> Iterator[Finding]:
    """Find files whose punctuation stands apart."""
    tokenized = [(side, _tokenized_rows(side)) for side in material.scored]
    for side, rows in tokenized:
        if not rows:
            continue
        others = [(other.role, found) for other, found in tokenized if _are_held(side, other)]
        alike = all(found for _, found in others)
        yield Finding(
            "tokenization",
            side.name,
            side.role,
            tuple(row + 1 for row in rows),
            f"{counted(len(rows), 'line has', 'lines have')} spaces before full stops and commas, "
            + _held_against(others[0][0], alike),
            "both sides roughly detokenized" if alike else "roughly detokenized",
            _effects(material, side, alike),
        )


def _are_held(side: Side, other: Side) -> bool:
    """Whether two files are held against each other."""
    return (side.role == REFERENCES) != (other.role == REFERENCES)


def _held_against(role: str, alike: bool) -> str:
    if alike:
        return f"as the {role} have; scores are comparable only on detokenized text"
    return f"as tokenizers leave them; the {role} are written otherwise"


def _effects(material: Material, side: Side, both: bool) -> tuple[Effect, ...]:
    if both:
        return material.effects_of_both_mended(side, detokenized)
    return material.effects_mended(side, range(len(material.entries)), detokenized)


def _tokenized_rows(side: Side) -> list[int]:
    rows = [row for row, text in side if _APART.search(text)]
    stops = sum(bool(_STOP.search(text)) for text in side.texts) if len(rows) >= LEAST_LINES else 0
    return rows if len(rows) >= LEAST_LINES and len(rows) >= TOKENIZED * stops else []


def detokenized(text: str) -> str:
    """Return a text with punctuation joined to its words, roughly.

    >>> detokenized("It 's late ( again ) , you know .")
    "It's late (again), you know."
    """
    return _CLOSING.sub("", text)


# Subword pieces: BPE's "@@ " behind a piece, SentencePiece's bar before a word, Moses's hyphens,
# WordPiece's "##" before a piece.
_PIECES = re.compile(r"(?<=\w)@@(?: |$)|\u2581|(?<= )@[-/,.]@(?= )|(?<=\w) ##(?=\w)")


def _has_pieces(text: str) -> bool:
    # Searching for the marks one by one is sooner than the pattern, and mostly all it takes.
    return ("@" in text or "#" in text or "\u2581" in text) and bool(_PIECES.search(text))


def find_subwords(material: Material) -> Iterator[Finding]:
    """Find pieces of words that were never joined again."""
    for side in material.scored:
        rows = [
            row
            for row, text in side
            if _has_pieces(text) and not any(map(_has_pieces, material.others(side, row)))
        ]
        if rows:
            mark = _PIECES.search(side.texts[side.rows.index(rows[0])])
            yield Finding(
                "subwords",
                side.name,
                side.role,
                tuple(row + 1 for row in rows),
                f"{counted(len(rows), 'line holds', 'lines hold')} subwords that were not joined, "
                f"marked with {mark[0].strip() if mark else ''!r}",
                "joined",
                material.effects_mended(side, rows, joined),
            )


def joined(text: str) -> str:
    r"""Return a text with its subwords joined.

    >>> joined("the trans@@ lation"), joined("\u2581the \u2581trans lation"), joined("a @-@ b")
    ('the translation', 'the translation', 'a-b')
    """
    if "\u2581" in text:
        return text.replace(" ", "").replace("\u2581", " ").strip()
    text = re.sub(r" @([-/,.])@ ", r"\1", text)
    return re.sub(r"(?<=\w)@@(?: |$)|(?<=\w) ##(?=\w)", "", text)
