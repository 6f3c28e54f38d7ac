"""Text that is still tokenized: spaces before punctuation, and subwords that were not joined."""

from __future__ import annotations

import re
from itertools import chain
from typing import TYPE_CHECKING

from bleuet.linting.material import REFERENCES
from bleuet.messages import plural
from bleuet.metrics.base.text_problems import unsuited
from bleuet.text.tokenizers.unspaced import language_without_spaces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.linting.finding import Effect, Finding
    from bleuet.linting.material import Material, Side

# So many references show their script.
SAMPLE_LINES = 200
# No language puts a space before a full stop or comma; French puts one before ? ! : ;.
_APART = re.compile(r"(?<=\w) [.,](?=\s|$)")
# The spaces that a tokenizer adds, roughly: enough to measure the effect on the score.
_CLOSING = re.compile(r" (?=[.,;:!?)\]%](?:\s|$))|(?<=[(\[]) | (?='(?:s|t|re|ve|ll|d|m)\b)")
# A file is tokenized if so many of its full stops and commas have a space before them.
TOKENIZED = 0.5
LEAST_LINES = 10
_STOP = re.compile(r"[.,](?=\s|$)")


def find_tokenized(material: Material) -> Iterator[Finding]:
    """Find files with spaces before their punctuation."""
    tokenized = [(side, _tokenized_rows(side)) for side in material.scored]
    for side, rows in tokenized:
        if not rows:
            continue
        others = [(other.role, found) for other, found in tokenized if _are_compared(side, other)]
        alike = all(found for _, found in others)
        yield side.finding(
            "tokenization",
            rows,
            f"{plural(len(rows), 'line has', 'lines have')} spaces before full stops and commas, "
            + _compared_with(others[0][0], alike),
            "both sides roughly detokenized" if alike else "roughly detokenized",
            _effects(material, side, alike),
        )


def find_unsplit(material: Material) -> Iterator[Finding]:
    """Find references without spaces between words that a metric does not split."""
    sample = "\n".join(chain.from_iterable(material.alternatives[:SAMPLE_LINES]))
    language = language_without_spaces(sample.encode("utf-8", "ignore"))
    if not language:
        return
    for sentence in unsuited(material.scoring.metrics, language):
        yield material.references[0].finding("tokenizer", (), sentence)


def _are_compared(side: Side, other: Side) -> bool:
    """Return whether two files are scored against each other."""
    return (side.role == REFERENCES) != (other.role == REFERENCES)


def _compared_with(role: str, alike: bool) -> str:
    if alike:
        return f"and so have the {role}; scores are comparable only on detokenized text"
    return f"as in tokenized text; the {role} have none"


def _effects(material: Material, side: Side, both: bool) -> tuple[Effect, ...]:
    if both:
        return material.effects_of_both_repaired(side, detokenized)
    return material.effects_repaired(side, range(len(material.entries)), detokenized)


def _tokenized_rows(side: Side) -> list[int]:
    rows = [row for row, text in side if _APART.search(text)]
    stops = sum(bool(_STOP.search(text)) for text in side.texts) if len(rows) >= LEAST_LINES else 0
    is_tokenized = len(rows) >= LEAST_LINES and len(rows) >= TOKENIZED * stops
    return sorted({*rows}) if is_tokenized else []


def detokenized(text: str) -> str:
    """Return a text with punctuation joined to its words, roughly.

    >>> detokenized("It 's late ( again ) , you know .")
    "It's late (again), you know."
    """
    return _CLOSING.sub("", text)


# Subwords: BPE's "@@ " after a subword, SentencePiece's bar before a word, Moses's hyphens,
# WordPiece's "##" before a subword.
_SUBWORDS = re.compile(r"(?<=\w)@@(?: |$)|\u2581|(?<= )@[-/,.]@(?= )|(?<=\w) ##(?=\w)")


def _has_subwords(text: str) -> bool:
    # Most texts have none of these characters, and searching for one is faster than the pattern.
    return ("@" in text or "#" in text or "\u2581" in text) and bool(_SUBWORDS.search(text))


def find_subwords(material: Material) -> Iterator[Finding]:
    """Find subwords that were not joined."""
    for side in material.scored:
        rows = material.faulty_alone(side, _has_subwords)
        if rows:
            mark = _SUBWORDS.search(next(iter(rows.values())))
            yield side.finding(
                "subwords",
                rows,
                f"{plural(len(rows), 'line contains', 'lines contain')} subwords that were not "
                f"joined, marked with {mark[0].strip() if mark else ''!r}",
                "joined",
                material.effects_repaired(side, rows, joined),
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
