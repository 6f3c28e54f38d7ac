"""Words of a hypothesis matched with words of a reference, each word at most as often as both."""

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
    """The words of a hypothesis and a reference that do not match each other.

    Attributes:
        reference: the index of the reference.
        missing: the words that only the reference has, each as often as it is missing.
        added: the words that only the hypothesis has.
    """

    reference: int
    missing: Words
    added: Words


@dataclass(frozen=True, slots=True)
class WordCounts:
    """The counts of each word of a system and its references.

    Attributes:
        matched: the clipped counts: per segment the smaller of both counts, summed.
        produced: the counts in the hypotheses.
        expected: the counts in the references.
    """

    matched: Counter[str]
    produced: Counter[str]
    expected: Counter[str]


def match(hypothesis: Words, reference: Words, number: int = 0) -> Match:
    """Match the words of two texts.

    Args:
        hypothesis: the words of the hypothesis.
        reference: the words of the reference.
        number: the index of the reference.

    >>> match(("a", "b", "a"), ("a", "c"))
    Match(reference=0, missing=('c',), added=('b', 'a'))
    """
    available = Counter(reference)
    added = []
    for word in hypothesis:
        if available.get(word):
            available[word] -= 1
        else:
            added.append(word)
    return Match(number, tuple(available.elements()), tuple(added))


def match_all(hypothesis: Words, references: Sequence[Words]) -> tuple[Match, ...]:
    """Match a hypothesis with each reference; the reference with the most matches comes first.

    >>> [one.reference for one in match_all(("a", "b"), [("c",), ("b", "d"), ("a",)])]
    [1, 2, 0]
    """
    if len(references) == 1:
        return (match(hypothesis, references[0]),)
    found = [match(hypothesis, reference, i) for i, reference in enumerate(references)]
    return tuple(sorted(found, key=lambda one: len(one.added)))


def match_segments(tokens: Tokens, system: int) -> tuple[tuple[Match, ...], ...]:
    """Match each hypothesis of a system with each of its references, the best match first."""
    pairs = zip(tokens.hypotheses[system], tokens.references, strict=True)
    return tuple(match_all(hypothesis, references) for hypothesis, references in pairs)


def count_words(tokens: Tokens, system: int, matches: Iterable[tuple[Match, ...]]) -> WordCounts:
    """Count all words of a system; of several references the one with the most matches counts.

    Args:
        tokens: the words of the test set.
        system: the index of the system.
        matches: the result of `match_segments`.
    """
    best = [of_segment[0] for of_segment in matches]
    references = zip(tokens.references, best, strict=True)
    produced = Counter(chain.from_iterable(tokens.hypotheses[system]))
    expected = Counter(chain.from_iterable(texts[one.reference] for texts, one in references))
    added = Counter(chain.from_iterable(one.added for one in best))
    return WordCounts(produced - added, produced, expected)


def aligned(hypothesis: Words, reference: Words) -> list[int | None]:
    """Return for each word of a hypothesis the position of the word it matches in a reference.

    Of several equal words the first matches the first, the second the second, as in compare-mt.

    >>> aligned(("a", "b", "a"), ("a", "c", "b"))
    [0, 2, None]
    """
    positions: dict[str, list[int]] = defaultdict(list)
    for position, word in enumerate(reference):
        positions[word].append(position)
    found: list[int | None] = []
    for word in hypothesis:
        free = positions.get(word)
        found.append(free.pop(0) if free else None)
    return found
