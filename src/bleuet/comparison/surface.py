"""Errors of case, punctuation and numbers, which readers notice and averages hide."""

from __future__ import annotations

from unicodedata import category

from bleuet.frozen import Value
from bleuet.output.document import Column, DocumentTable
from bleuet.output.plain_values import Plain
from bleuet.statistics.backend import backend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bleuet.comparison.tokens import Tokens
    from bleuet.output.document import Cell


KINDS = ("case", "punctuation", "numbers")
# The bits that mark the words of a kind.
PUNCTUATION, NUMBER = 1, 2


class SurfaceErrors(Value, Plain):
    """The errors of one kind of a system.

    Each hypothesis is compared with the reference that shares the most words with it. Words that
    match exactly are left out. The errors among the remaining words are of the kinds

    - case: words that match in lower case;
    - punctuation: tokens that consist of punctuation and symbols;
    - numbers: tokens with a digit.

    Attributes:
        kind: "case", "punctuation" or "numbers".
        missing: the number of tokens that only the reference has.
        added: the number of tokens that only the hypothesis has. A word in the wrong case is both
            missing and added.
        rows: the segments with such an error, from 0.
        only: the segments without any other difference from one of their references: the two are
            equal without case, without punctuation, or without numbers, but not with it.
    """

    kind: str
    missing: int
    added: int
    rows: tuple[int, ...]
    only: tuple[int, ...]
    plain_fields = ("kind", "missing", "added", "segments", "only=only_segments")

    @property
    def segments(self) -> list[int]:
        """The numbers of the segments with such an error, from 1."""
        return [row + 1 for row in self.rows]

    @property
    def only_segments(self) -> list[int]:
        """The numbers of the segments without any other difference, from 1."""
        return [row + 1 for row in self.only]


def surface_table(
    systems: Sequence[str], found: Iterable[Iterable[SurfaceErrors]]
) -> DocumentTable:
    """Return a table of the errors of all systems.

    Args:
        systems: the names of the systems.
        found: the errors of each system.
    """
    columns = [
        Column("system"),
        Column("error"),
        *(Column(key, kind="count") for key in ("missing", "added", "segments")),
        Column("only", "nothing else", "count"),
    ]
    rows: list[list[Cell]] = [
        [name, one.kind, one.missing, one.added, len(one.rows), len(one.only)]
        for name, own in zip(systems, found, strict=True)
        for one in own
    ]
    return DocumentTable("surface", "Case, punctuation and numbers", columns, rows)


def is_punctuation(token: str) -> bool:
    """Return whether a token consists of punctuation and symbols, Unicode's categories P and S.

    >>> is_punctuation("..."), is_punctuation("€"), is_punctuation("don't")
    (True, True, False)
    """
    return bool(token) and all(category(mark)[0] in "PS" for mark in token)


def is_number(token: str) -> bool:
    """Return whether a token has a decimal digit of any script.

    >>> is_number("3,5"), is_number("٣"), is_number("three")
    (True, True, False)
    """
    return any(mark.isdecimal() for mark in token)


def surface_errors(tokens: Tokens) -> tuple[tuple[SurfaceErrors, ...], ...]:
    """Return the errors of case, punctuation and numbers, in this order, of each system.

    Args:
        tokens: the words of the test set as they are written.
    """
    _, lower = tokens.in_lower_case
    kinds = bytes([_kinds_of(word) for word in tokens.vocabulary])
    references = tokens.references.buffers
    return tuple(
        tuple(
            SurfaceErrors(kind, *found)
            for kind, found in zip(
                KINDS,
                backend().surface_errors(texts.buffers, references, lower, kinds),
                strict=True,
            )
        )
        for texts in tokens.hypotheses
    )


def _kinds_of(word: str) -> int:
    if word.isalpha():  # most words, which are neither
        return 0
    return PUNCTUATION * is_punctuation(word) | NUMBER * is_number(word)
