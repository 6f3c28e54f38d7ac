"""N-grams that one system matches more often than another."""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.frozen import Value
from bleuet.output.plain_values import Plain
from bleuet.statistics.backend import backend

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bleuet.comparison.tokens import Texts, Tokens, Words

LONGEST = 4
SMOOTHING = 1.0


class NgramDifference(Value, Plain):
    """An n-gram with the clipped matches of two systems.

    Attributes:
        ngram: the words.
        left: the clipped matches of the first system.
        right: the clipped matches of the second system.
        ratio: the share of the first system after smoothing: above 0.5 where it has more matches.
    """

    ngram: Words
    left: int
    right: int
    ratio: float
    plain_fields = ("ngram=text", "left", "right", "ratio")

    @property
    def text(self) -> str:
        """The words with spaces between them."""
        return " ".join(self.ngram)


class NgramGroups(Value, eq=False):
    """The n-grams with at least one match, those of one length with the same matches in a group.

    There are few groups, so that comparing any two systems is fast.

    Attributes:
        references: the words of the references, where the n-grams are found.
        matches: the clipped matches of each group by each system, `matches[group][system]`.
        lengths: the length of the n-grams of each group.
        ends: where each group ends among the n-grams.
        starts: a place of each n-gram among the words of the references; 32-bit integers.
    """

    references: Texts
    matches: tuple[tuple[int, ...], ...]
    lengths: tuple[int, ...]
    ends: tuple[int, ...]
    starts: bytearray

    def counts(self) -> Iterator[tuple[Words, tuple[int, ...]]]:
        """Yield each n-gram and its clipped matches by each system."""
        starts = memoryview(self.starts).cast("i")
        for group, (matches, length) in enumerate(zip(self.matches, self.lengths, strict=True)):
            for start in starts[slice(*self._slice(group))]:
                yield self._words(start, length), matches

    def first(self, groups: Iterable[int], limit: int) -> list[Words]:
        """Return the first n-grams of some groups: the longest, then in the order of their words.

        Args:
            groups: the indices of the groups.
            limit: the largest number of n-grams.
        """
        by_length: dict[int, list[tuple[int, int]]] = {}
        for group in groups:
            by_length.setdefault(self.lengths[group], []).append(self._slice(group))
        found: list[Words] = []
        for length in sorted(by_length, reverse=True):
            starts = backend().first_ngrams(
                self.references.numbers,
                self.references.ranks,
                self.starts,
                by_length[length],
                length,
                limit - len(found),
            )
            found += [self._words(start, length) for start in starts]
            if len(found) == limit:
                break
        return found

    def _slice(self, group: int) -> tuple[int, int]:
        return self.ends[group - 1] if group else 0, self.ends[group]

    def _words(self, start: int, length: int) -> Words:
        numbers = memoryview(self.references.numbers).cast("i")
        return tuple([self.references.vocabulary[n] for n in numbers[start : start + length]])


def match_ngrams(tokens: Tokens, longest: int = LONGEST) -> NgramGroups:
    """Count the clipped matches of each n-gram by each system.

    In a segment an n-gram matches as often as the hypothesis has it, but at most as often as the
    reference that has it most (Papineni et al. 2002, section 2.1).

    Args:
        tokens: the words of the test set.
        longest: the length of the longest n-grams.
    """
    lengths, matches, ends, starts = backend().match_ngrams(
        [texts.buffers for texts in tokens.hypotheses],
        tokens.references.buffers,
        len(tokens.vocabulary),
        longest,
    )
    columns = iter(memoryview(matches).cast("q"))
    return NgramGroups(
        tokens.references.texts,
        tuple(zip(*[columns] * len(tokens.hypotheses), strict=True)),
        tuple(memoryview(lengths).cast("q")),
        tuple(memoryview(ends).cast("q")),
        starts,
    )


def smoothed_ratio(left: int, right: int, smoothing: float = SMOOTHING) -> float:
    """Return the share of the first count, both with `smoothing` added.

    Args:
        left: the first count.
        right: the second count.
        smoothing: is added to each.

    >>> smoothed_ratio(3, 0), smoothed_ratio(2, 2)
    (0.8, 0.5)
    """
    return (left + smoothing) / (left + right + 2 * smoothing)


def ngram_differences(
    groups: NgramGroups, left: int, right: int, limit: int, smoothing: float = SMOOTHING
) -> tuple[tuple[NgramDifference, ...], tuple[NgramDifference, ...]]:
    """Return the n-grams in which two systems differ most.

    They are ranked by (left + s) / (left + right + 2s), the smoothed ratio of compare-mt (Neubig
    et al. 2019). Of equal ratios the more frequent n-grams come first, then the longer ones.

    Args:
        groups: the matches of all systems, as `match_ngrams` returns them.
        left: the index of the first system.
        right: the index of the second system.
        limit: the largest number of n-grams for each system.
        smoothing: s; the larger it is, the more frequent are the n-grams that come first.

    Returns:
        The n-grams that the first system has more often, and those that the second has.

    Raises:
        OptionError: the smoothing is not above 0.

    >>> from bleuet.comparison.tokens import tokenize_all
    >>> words = tokenize_all("none", [["a a a"], ["b"]], [["a a a b"]])
    >>> gained, lost = ngram_differences(match_ngrams(words, 1), 0, 1, 5)
    >>> gained[0].ratio, lost[0].to_dict()
    (0.8, {'ngram': 'b', 'left': 0, 'right': 1, 'ratio': 0.3333333333333333})
    """
    if smoothing <= 0:
        raise OptionError(f"the smoothing of n-grams must be above 0, not {smoothing!r}")
    by_counts: dict[tuple[int, int], list[int]] = {}
    for group, counts in enumerate(groups.matches):
        by_counts.setdefault((counts[left], counts[right]), []).append(group)

    def rank(pair: tuple[int, int]) -> tuple[float, int]:
        one, other = pair
        return -abs(smoothed_ratio(one, other, smoothing) - 0.5), -abs(one - other)

    def first(pairs: Iterable[tuple[int, int]]) -> tuple[NgramDifference, ...]:
        found: list[NgramDifference] = []
        for pair in sorted(pairs, key=rank):
            if len(found) == limit:
                break
            ratio = smoothed_ratio(*pair, smoothing)
            ngrams = groups.first(by_counts[pair], limit - len(found))
            found += [NgramDifference(ngram, *pair, ratio) for ngram in ngrams]
        return tuple(found)

    return (
        first([pair for pair in by_counts if pair[0] > pair[1]]),
        first([pair for pair in by_counts if pair[0] < pair[1]]),
    )
