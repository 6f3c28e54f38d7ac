"""Words of a hypothesis matched with words of a reference: each at most as often as it is there."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import chain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bleuet.studies.comparison.tokens import Tokens, Words


@dataclass(frozen=True, slots=True)
class Match:
    """A hypothesis held against a reference: what is left when equal words are set aside.

    Attributes:
        reference: the number of the reference.
        missing: the words that the reference has more often than the hypothesis, each as often
            as it is missing.
        added: those that the hypothesis has more often.
    """

    reference: int
    missing: Words
    added: Words


@dataclass(frozen=True, slots=True)
class WordCounts:
    """How often each word was produced by a system, expected by the references, and both.

    Attributes:
        matched: the sum over segments of the clipped count, the lesser of both counts there.
        produced: how often the system has the word.
        expected: how often the references have it.
    """

    matched: Counter[str]
    produced: Counter[str]
    expected: Counter[str]


def match(hypothesis: Words, reference: Words, number: int = 0) -> Match:
    """Match the words of two texts, each as often as it is in both.

    >>> match(("a", "b", "a"), ("a", "c"))
    Match(reference=0, missing=('c',), added=('b', 'a'))
    """
    there = Counter(reference)
    added = []
    for word in hypothesis:
        if there.get(word):
            there[word] -= 1
        else:
            added.append(word)
    return Match(number, tuple(there.elements()), tuple(added))


def match_all(hypothesis: Words, references: Sequence[Words]) -> tuple[Match, ...]:
    """Match a hypothesis with each reference; the one that shares the most words comes first.

    >>> [one.reference for one in match_all(("a", "b"), [("c",), ("b", "d"), ("a",)])]
    [1, 2, 0]
    """
    if len(references) == 1:
        return (match(hypothesis, references[0]),)
    found = [match(hypothesis, reference, i) for i, reference in enumerate(references)]
    return tuple(sorted(found, key=lambda one: len(one.added)))


def match_segments(tokens: Tokens, system: int) -> tuple[tuple[Match, ...], ...]:
    """Match every hypothesis of a system with each of its references, the best first."""
    pairs = zip(tokens.hypotheses[system], tokens.references, strict=True)
    return tuple(match_all(hypothesis, references) for hypothesis, references in pairs)


def count_words(tokens: Tokens, system: int, matches: Iterable[tuple[Match, ...]]) -> WordCounts:
    """Count every word, each hypothesis against the reference that shares the most with it.

    Args:
        tokens: the words of the test set.
        system: the system's number.
        matches: what `match_segments` found.
    """
    best = [of_segment[0] for of_segment in matches]
    references = zip(tokens.references, best, strict=True)
    produced = Counter(chain.from_iterable(tokens.hypotheses[system]))
    expected = Counter(chain.from_iterable(texts[one.reference] for texts, one in references))
    added = Counter(chain.from_iterable(one.added for one in best))
    return WordCounts(produced - added, produced, expected)


def aligned(hypothesis: Words, reference: Words) -> list[int | None]:
    """Return for each word of a hypothesis the place of the word it matches in a reference.

    The first of several equal words matches the first, the second the second, as in compare-mt.

    >>> aligned(("a", "b", "a"), ("a", "c", "b"))
    [0, 2, None]
    """
    places: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(reference):
        places[word].append(place)
    found: list[int | None] = []
    for word in hypothesis:
        waiting = places.get(word)
        found.append(waiting.pop(0) if waiting else None)
    return found
