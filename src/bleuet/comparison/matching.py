"""Words of a hypothesis matched with words of a reference, each word at most as often as both."""

from __future__ import annotations

from collections import defaultdict

from bleuet.frozen import Value
from bleuet.statistics.backend import backend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.comparison.tokens import Tokens, Words


class WordCounts(Value, eq=False):
    """The counts of each word of a system and its references.

    Attributes:
        vocabulary: the words, by their numbers.
        matched: the clipped counts: per segment the smaller of both counts, summed.
        produced: the counts in the hypotheses.
        expected: the counts in the references; of several the one with the most matches counts.
    """

    vocabulary: Sequence[str]
    matched: memoryview[int]
    produced: memoryview[int]
    expected: memoryview[int]

    @property
    def three(self) -> tuple[memoryview[int], memoryview[int], memoryview[int]]:
        """The counts matched, produced and expected."""
        return self.matched, self.produced, self.expected


def count_words(tokens: Tokens, system: int) -> WordCounts:
    """Count all words of a system; of several references the one with the most matches counts.

    Args:
        tokens: the words of the test set.
        system: the index of the system.
    """
    counts = backend().count_words(
        tokens.hypotheses[system].buffers, tokens.references.buffers, len(tokens.vocabulary)
    )
    return WordCounts(tokens.vocabulary, *(memoryview(one).cast("q") for one in counts))


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
