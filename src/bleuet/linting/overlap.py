"""Overlap with training text: test sentences that a system may have seen in training."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import category

from bleuet.messages import plural

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bleuet.linting.finding import Finding
    from bleuet.linting.material import Material, Side

# Shorter lines occur anywhere; so many bytes are a sentence of a few words, or ten ideographs.
LEAST_BYTES = 30
# The n-gram length of the GPT-3 paper's search for overlap (Brown et al. 2020, appendix C).
ORDER = 13


class _Spaces(dict[int, int | str]):
    """Maps punctuation, signs and white space to spaces; each character is looked up once."""

    def __missing__(self, code: int) -> int | str:
        self[code] = " " if category(chr(code))[0] in "PSZC" else code
        return self[code]


_SPACES = _Spaces()


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, without punctuation.

    Combining marks are part of a word; splitting at them would cut words of Indic scripts.

    >>> words_of("\u201cIt rains,\u201d he said - again!")
    ['it', 'rains', 'he', 'said', 'again']
    """
    return text.lower().translate(_SPACES).split()


def find_overlap(material: Material) -> Iterator[Finding]:
    """Find lines of the references and the source that occur in the training text.

    The test set is held in memory, and the training text is read batch by batch.
    """
    if material.training is None:
        return
    sides = [*material.references, *([material.source] if material.source else [])]
    wanted = [_Search(side) for side in sides]
    grams = set().union(*(one.grams for one in wanted)) if wanted else set()
    line = 0
    with material.training.stream(several=True) as batches:
        for batch in batches:
            for segment in batch:
                line += 1
                for text in [segment] if isinstance(segment, str) else segment or ():
                    if text:
                        _search(text, line, wanted, grams)
    for one in wanted:
        yield from one.findings(material)


def _search(text: str, line: int, wanted: Iterable[_Search], grams: set[int]) -> None:
    words = words_of(text)
    key = " ".join(words)
    hits = grams.intersection(grams_of(words)) if len(words) >= ORDER else None
    for one in wanted:
        one.add(text, key, line, hits)


def grams_of(words: list[str]) -> Iterator[int]:
    """Return the hashes of all n-grams of 13 words."""
    return map(hash, zip(*(words[k:] for k in range(ORDER)), strict=False))


class _Search:
    """The lines of one file, and the line of the training text where each first occurs."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.rows: dict[str, list[int]] = {}
        self.grams: dict[int, list[int]] = {}
        for row, text in side:
            words = words_of(text)
            if words and len(text.encode("utf-8", "replace")) >= LEAST_BYTES:
                self.rows.setdefault(" ".join(words), []).append(row)
            for gram in grams_of(words):
                self.grams.setdefault(gram, []).append(row)
        self.whole: dict[int, int] = {}
        self.partly: dict[int, int] = {}

    def add(self, text: str, key: str, line: int, hits: set[int] | None) -> None:
        """Record the lines that a line of the training text contains.

        Args:
            text: the line.
            key: its words.
            line: its number, from 1.
            hits: its n-grams that also occur in the test set.
        """
        for row in self.rows.get(key, ()):
            self.whole.setdefault(row, line)
        for gram in hits or ():
            for row in self.grams.get(gram, ()):
                self.partly.setdefault(row, line)

    def findings(self, material: Material) -> Iterator[Finding]:
        """Yield the findings."""
        partly = {row: at for row, at in self.partly.items() if row not in self.whole}
        for seen, how in (
            (self.whole, "in the training text, except for case and punctuation"),
            (partly, f"partly in the training text ({ORDER} words in a row)"),
        ):
            if seen:
                rows = sorted(seen)
                training = f"line {seen[rows[0]]} of {material.training}"
                systems = [system.name for system in material.systems]
                yield self.side.finding(
                    "overlap",
                    rows,
                    f"{plural(len(rows), 'line is', 'lines are')} {how}, the first of them "
                    f"in {training}",
                    "without these lines",
                    material.scoring.without(rows, systems),
                )
