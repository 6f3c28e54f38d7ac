"""CharCut, slow and readable, from the definition."""

from __future__ import annotations

from math import exp

from bleuet.frozen import cached_property
from bleuet.metrics.charcut.rate import COLUMNS, share
from bleuet.statistics.definitions.counter import AligningCounter
from bleuet.statistics.definitions.length_limit import MOST_CHARCUT_CELLS, check_cells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, TypeAlias

    from bleuet.statistics.definitions.counter import Aligned, Number

    # Equal characters: the first place in the hypothesis and in the reference, and how many.
    Block: TypeAlias = tuple[int, int, int]


class CharCutCounter(AligningCounter):
    """Characters that are deleted, inserted and shifted."""

    integers = len(COLUMNS)
    reals = 0

    def read(self, text: str, *, reference: bool) -> str:
        """Return the text without white space at its ends."""
        return text.strip()

    def count(self, hypothesis: Any, references: list[Any]) -> Sequence[Number]:
        """Return the row of the nearest reference."""
        return min(self._rows(hypothesis, references), key=lambda row: share(*row[3:]))

    def aligned(self, hypothesis: Any, references: list[Any]) -> tuple[int, Sequence[Aligned]]:
        """Return the number of the nearest reference, and the blocks of characters of both.

        The kind is 0 for blocks that keep their order, and 1 for shifted ones.
        """
        rates = [share(*row[3:]) for row in self._rows(hypothesis, references)]
        number = rates.index(min(rates))
        kinds = enumerate(blocks(hypothesis, references[number], self.options["match_size"]))
        return number, sorted((i, n, j, n, kind) for kind, found in kinds for i, j, n in found)

    def _rows(self, hypothesis: str, references: list[str]) -> list[tuple[int, ...]]:
        return [charcut_row(hypothesis, one, **self.options) for one in references]


def charcut_row(
    hypothesis: str, reference: str, *, match_size: int, normalize: str
) -> tuple[int, ...]:
    """Return the numbers of `COLUMNS`.

    Args:
        hypothesis: a text without white space at its ends.
        reference: likewise.
        match_size: the fewest characters of a match.
        normalize: the option of `CharCut`.

    >>> charcut_row("a cat sat", "a hat sat", match_size=3, normalize="both")
    (3, 3, 0, 6, 18)
    """
    matched, shifted = blocks(hypothesis, reference, match_size)
    shifts = sum(n for _, _, n in shifted)
    kept = sum(n for _, _, n in matched) + shifts
    deletions, insertions = len(hypothesis) - kept, len(reference) - kept
    cost, length = deletions + insertions + shifts, len(hypothesis) + len(reference)
    if normalize == "hypothesis":
        # An empty hypothesis, which the program leaves out, is as wrong as a text can be.
        length = 2 * len(hypothesis) or len(reference)
        cost = min(cost, length)
    return deletions, insertions, shifts, cost, length


def blocks(hypothesis: str, reference: str, match_size: int) -> tuple[list[Block], list[Block]]:
    """Return the blocks of characters that both texts have: those in order, and those shifted.

    Args:
        hypothesis: a text without white space at its ends.
        reference: likewise.
        match_size: the fewest characters of a match.

    Source: Lardilleux and Lepage (2017), section 2; what it leaves open is as in charcut 1.1.1.

    >>> blocks("the cat sat", "sat the cat", 3)
    ([(0, 4, 7)], [(8, 0, 3)])
    """
    if hypothesis == reference:
        return [(0, 0, len(hypothesis))] if hypothesis else [], []
    check_cells("CharCut of characters", len(hypothesis), len(reference), MOST_CHARCUT_CELLS)
    found = CommonStrings(hypothesis, reference, match_size).blocks()
    matched = in_order(found)
    # A far shift of few characters is no shift: the characters are deleted and inserted.
    crossing = [block for block in found if block not in set(matched)]
    return matched, [one for one in crossing if abs(distance(one, matched)) <= exp(one[2])]


class SearchedText:
    """A text, and where its words are: runs of letters, digits and "_".

    Args:
        text: the text.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.in_word = [one.isalnum() or one == "_" for one in text]
        self.free = [True] * len(text)

    def __len__(self) -> int:
        return len(self.text)

    @cached_property
    def edges(self) -> list[bool]:
        """Whether a word or another character begins or ends at each place."""
        inner = [not (a and b) for a, b in zip(self.in_word, self.in_word[1:], strict=False)]
        return [True, *inner, True] if self.text else [True]

    @cached_property
    def after_words(self) -> int:
        """The place after the last word; the end of a text without words."""
        places = [i for i, inside in enumerate(self.in_word, 1) if inside]
        return places[-1] if places else len(self)

    def words(self, start: int, end: int) -> int:
        """Return how many words, or parts of words, are between two places."""
        inside = self.in_word[start:end]
        return sum(
            one and not before for before, one in zip([False, *inside], inside, strict=False)
        )

    def counts(self, start: int, end: int) -> bool:
        """Return whether a string of several words ends at edges; shorter ones always count."""
        return (self.edges[start] and self.edges[end]) or self.words(start, end) <= 1

    def places(self, string: str) -> list[int]:
        """Return where a string occurs and counts."""
        found, start = [], self.text.find(string)
        while start >= 0:
            if self.counts(start, start + len(string)):
                found.append(start)
            start = self.text.find(string, start + 1)
        return found

    def is_free(self, start: int, size: int) -> bool:
        """Return whether no block has any of these characters."""
        return all(self.free[start : start + size])

    def take(self, start: int, size: int) -> None:
        """Give the characters to a block."""
        self.free[start : start + size] = [False] * size


class CommonStrings:
    """The strings that two texts have in common, longest first, each taken once.

    A string of one word, or of none, may begin and end anywhere; one of several words only at the
    edges of words. Equally long strings follow each other in an order that charcut 1.1.1 has:
    those first that one text has more often than the other, then those that are rarer, then those
    that come first in the hypothesis.

    Args:
        hypothesis: a text without white space at its ends.
        reference: likewise.
        match_size: the fewest characters of a string that stands anywhere.
    """

    def __init__(self, hypothesis: str, reference: str, match_size: int) -> None:
        self.ours = SearchedText(hypothesis)
        self.theirs = SearchedText(reference)
        self.match_size = match_size
        self.found: list[Block] = []
        # Runs of equal characters by the size of the longest string in them that may be taken.
        self.waiting: dict[int, list[Block]] = {}

    def blocks(self) -> list[Block]:
        """Return the strings that are taken, as blocks."""
        for run in self._runs():
            self._wait(run, run[2])
        while self.waiting:
            size = max(self.waiting)
            runs = self.waiting.pop(size)
            strings = {
                self.ours.text[start : start + size]
                for i, j, n in runs
                for start in self._starts((i, j, n), size)
                if self.ours.is_free(start, size) and self.theirs.is_free(start - i + j, size)
            }
            places = {one: self._places(one) for one in strings}
            for string in sorted(strings, key=lambda one: _order(*places[one])):
                self._take(*places[string], size)
            for run in runs:
                for piece in self._free_pieces(run):
                    self._wait(piece, size - (piece == run))
        self._take_ends()
        return self.found

    def _runs(self) -> Iterator[Block]:
        """Yield the runs of equal characters that are as long as possible."""
        theirs = self.theirs.text
        where: dict[str, list[int]] = {}
        for j, one in enumerate(theirs):
            where.setdefault(one, []).append(j)
        # How many characters up to a place of the reference are those up to one of the hypothesis.
        before: dict[int, int] = {}
        for i, one in enumerate(self.ours.text):
            after = {j: before.pop(j - 1, 0) + 1 for j in where.get(one, ())}
            yield from ((i - n, j + 1 - n, n) for j, n in before.items())
            before = after
        yield from ((len(self.ours) - n, j + 1 - n, n) for j, n in before.items())

    def _free_pieces(self, run: Block) -> Iterator[Block]:
        """Yield the parts of a run that no block has in either text."""
        i, j, n = run
        start = 0
        for k in range(n + 1):
            if k == n or not (self.ours.free[i + k] and self.theirs.free[j + k]):
                if k > start:
                    yield i + start, j + start, k - start
                start = k + 1

    def _wait(self, run: Block, most: int) -> None:
        """Let a run wait until the longest string of at most `most` characters in it is next."""
        for size in range(min(most, run[2]), self.match_size - 1, -1):
            if any(True for _ in self._starts(run, size)):
                self.waiting.setdefault(size, []).append(run)
                return

    def _starts(self, run: Block, size: int) -> Iterator[int]:
        """Yield where strings of a size begin in the hypothesis that are in a run and count."""
        i, j, n = run
        for k in range(n - size + 1):
            ours, theirs = (i + k, i + k + size), (j + k, j + k + size)
            if self.ours.counts(*ours) and self.theirs.counts(*theirs):
                yield i + k

    def _places(self, string: str) -> tuple[list[int], list[int]]:
        """Return where a string is in both texts.

        A string without words after the last word counts only if it is not before that in both.
        """
        ours, theirs = self.ours.places(string), self.theirs.places(string)
        if not any(one.isalnum() or one == "_" for one in string):
            early = [i for i in ours if i < self.ours.after_words]
            others = [j for j in theirs if j < self.theirs.after_words]
            if early and others:
                return early, others
        return ours, theirs

    def _take(self, ours: list[int], theirs: list[int], size: int) -> None:
        """Make blocks of a string, from left to right, as long as both texts have it."""
        while True:
            ours = [i for i in ours if self.ours.is_free(i, size)]
            theirs = [j for j in theirs if self.theirs.is_free(j, size)]
            if not (ours and theirs):
                return
            self._add(ours[0], theirs[0], size)

    def _take_ends(self) -> None:
        """Make blocks of shorter strings of whole words that both texts begin or end with."""
        ours, theirs = self.ours, self.theirs
        for size in range(min(self.match_size - 1, len(ours), len(theirs)), 0, -1):
            begins = ours.edges[size] and theirs.edges[size]
            begins = begins and ours.text[:size] == theirs.text[:size]
            if begins and ours.is_free(0, size) and theirs.is_free(0, size):
                self._add(0, 0, size)
            i, j = len(ours) - size, len(theirs) - size
            string = ours.text[i:]
            if (
                string == theirs.text[j:]
                and ours.edges[i]
                and theirs.edges[j]
                and ours.is_free(i, size)
                and theirs.is_free(j, size)
                # A string at both ends of both texts counts at the beginning.
                and not (begins and ours.text[:size] == string)
            ):
                self._add(i, j, size)

    def _add(self, i: int, j: int, size: int) -> None:
        self.ours.take(i, size)
        self.theirs.take(j, size)
        self.found.append((i, j, size))


def _order(ours: list[int], theirs: list[int]) -> tuple[bool, int, int]:
    return len(ours) == len(theirs), len(ours) + len(theirs), ours[0]


def in_order(found: Sequence[Block]) -> list[Block]:
    """Return the blocks that keep their order: no two of them cross.

    The blocks that follow each other in both texts and have the most characters keep their order;
    then, among the blocks before them and among those after them, again those with the most.

    Args:
        found: blocks that do not overlap.

    >>> in_order([(0, 3, 2), (2, 0, 2), (4, 2, 1)])
    [(2, 0, 2), (4, 2, 1)]
    """
    kept: list[Block] = []
    parts = [(sorted(found), sorted(found, key=lambda one: one[1]))]
    while parts:
        ours, theirs = parts.pop()
        place = {one: q for q, one in enumerate(theirs)}
        best = 0, 0, 0, 0
        for p, first in enumerate(ours):
            q = start = place.get(first, len(theirs))
            while q < len(theirs) and ours[p + q - start : p + q - start + 1] == [theirs[q]]:
                q += 1
            most = sum(n for _, _, n in theirs[start:q])
            if most > best[0]:
                best = most, p, start, q - start
        most, p, q, size = best
        if most:
            kept += ours[p : p + size]
            parts += [(ours[:p], theirs[:q]), (ours[p + size :], theirs[q + size :])]
    return sorted(kept)


def distance(block: Block, matched: Sequence[Block]) -> int:
    """Return how many characters of the hypothesis a block has to move to where it belongs.

    Args:
        block: a block that crosses others.
        matched: the blocks that keep their order, in order.

    >>> distance((8, 0, 3), [(0, 4, 7)])
    -8
    """
    i, j, n = block
    before = [one for one in matched if one[1] < j]
    after = [one for one in matched if one[1] > j]
    if before and before[-1][0] + before[-1][2] > i + n:
        return before[-1][0] + before[-1][2] - (i + n)
    return min(after[0][0] - i, 0) if after else 0
