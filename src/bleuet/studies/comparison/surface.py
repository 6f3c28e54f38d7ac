"""Errors of case, punctuation and numbers, which readers notice and averages hide."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from unicodedata import category

from bleuet.output.document import Column, Table
from bleuet.studies.comparison.matching import match
from bleuet.studies.comparison.tokens import lower

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeAlias

    from bleuet.output.document import Cell
    from bleuet.studies.comparison.matching import Match
    from bleuet.studies.comparison.tokens import Tokens, Words

    # Counts the words of one kind that are missing, and those that are added.
    Finder: TypeAlias = Callable[[Match], tuple[int, int]]


# A test set has few different words.
TYPES_KEPT = 1 << 16


@dataclass(frozen=True, slots=True)
class SurfaceErrors:
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

    def to_dict(self) -> dict[str, Any]:
        """Return plain values; segments count from 1 here."""
        return {
            "kind": self.kind,
            "missing": self.missing,
            "added": self.added,
            "segments": [row + 1 for row in self.rows],
            "only": [row + 1 for row in self.only],
        }


def surface_table(systems: Sequence[str], found: Iterable[Iterable[SurfaceErrors]]) -> Table:
    """Return a table of the errors of all systems.

    Args:
        systems: the names of the systems.
        found: the errors of each system.
    """
    counts = {
        "missing": "missing",
        "added": "added",
        "segments": "segments",
        "only": "nothing else",
    }
    columns = [
        Column("system"),
        Column("error"),
        *(Column(key, title, "count") for key, title in counts.items()),
    ]
    rows: list[list[Cell]] = [
        [name, one.kind, one.missing, one.added, len(one.rows), len(one.only)]
        for name, own in zip(systems, found, strict=True)
        for one in own
    ]
    return Table("surface", "Case, punctuation and numbers", columns, rows)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of error: how to count its tokens, and how to remove them from a text."""

    name: str
    count: Finder
    without: Callable[[Words], Words]


@lru_cache(TYPES_KEPT)
def is_punctuation(token: str) -> bool:
    """Return whether a token consists of punctuation and symbols, Unicode's categories P and S.

    >>> is_punctuation("..."), is_punctuation("€"), is_punctuation("don't")
    (True, True, False)
    """
    return bool(token) and all(category(mark)[0] in "PS" for mark in token)


@lru_cache(TYPES_KEPT)
def is_number(token: str) -> bool:
    """Return whether a token has a decimal digit of any script.

    >>> is_number("3,5"), is_number("٣"), is_number("three")
    (True, True, False)
    """
    return any(mark.isdecimal() for mark in token)


def _tokens_of(holds: Callable[[str], bool]) -> Finder:
    return lambda one: (sum(map(holds, one.missing)), sum(map(holds, one.added)))


def _in_other_case(one: Match) -> tuple[int, int]:
    missing, added = lower(one.missing), lower(one.added)
    if set(missing).isdisjoint(added):
        return 0, 0
    found = len(added) - len(match(added, missing).added)
    return found, found


def _without(holds: Callable[[str], bool]) -> Callable[[Words], Words]:
    return lambda words: tuple([word for word in words if not holds(word)])


KINDS = (
    Kind("case", _in_other_case, lower),
    Kind("punctuation", _tokens_of(is_punctuation), _without(is_punctuation)),
    Kind("numbers", _tokens_of(is_number), _without(is_number)),
)


def surface_errors(
    tokens: Tokens, system: int, matches: Sequence[tuple[Match, ...]]
) -> tuple[SurfaceErrors, ...]:
    """Return the errors of case, punctuation and numbers of a system, in this order.

    Args:
        tokens: the words of the test set as they are written.
        system: the index of the system.
        matches: the matches of the segments of the system.
    """
    return tuple(_errors(kind, tokens, system, matches) for kind in KINDS)


def _errors(
    kind: Kind, tokens: Tokens, system: int, matches: Sequence[tuple[Match, ...]]
) -> SurfaceErrors:
    missing = added = 0
    rows, only = [], []
    for row, of_segment in enumerate(matches):
        lacks, has = kind.count(of_segment[0])
        missing += lacks
        added += has
        if lacks or has:
            rows.append(row)
        if _differs_only(kind, tokens.hypotheses[system][row], tokens.references[row], of_segment):
            only.append(row)
    return SurfaceErrors(kind.name, missing, added, tuple(rows), tuple(only))


def _differs_only(
    kind: Kind, hypothesis: Words, references: Sequence[Words], matches: Sequence[Match]
) -> bool:
    if hypothesis in references:
        return False
    return any(
        # The order matters only where all remaining words are of the kind.
        kind.count(one) == (len(one.missing), len(one.added))
        and kind.without(references[one.reference]) == kind.without(hypothesis)
        for one in matches
    )
