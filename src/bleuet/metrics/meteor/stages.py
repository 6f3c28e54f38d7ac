"""The alignment of the first METEOR, in stages, slow and readable, from the definition.

Each stage has one matcher. It maps words that no stage before it has mapped. Of all alignments it
takes one with the most pairs, then the fewest crossings (Banerjee and Lavie 2005, section 2.2).
The paper leaves open what comes then: here the fewest chunks, and then earlier words of the
hypothesis for earlier words of the reference.
"""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from bleuet.metrics.meteor.alignment import EXACT, STEM, Match, Word, reaches
from bleuet.statistics.definitions.length_limit import MOST_STAGE_CELLS, check_cells

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

# Only words near the diagonal are compared where more pairs of words match than these divided by
# the words of the reference, or more than so many in groups that are not easy.
MOST_STEPS = 1_000_000_000
MOST_HARD = 20_000
# The search keeps fewer paths where it must try more pairs than this for each of a thousand paths.
EASY = 1000


class Group(NamedTuple):
    """Words that matches connect.

    Attributes:
        hypothesis: words of the hypothesis, in order.
        reference: words of the reference, in order.
        complete: whether each of the hypothesis matches each of the reference.
    """

    hypothesis: list[int]
    reference: list[int]
    complete: bool


class StagePath(NamedTuple):
    """An alignment of the words of the reference that the search has passed.

    Attributes:
        pairs: what this search has mapped, as words of the reference and the hypothesis.
        used: those words of the hypothesis, as bits.
        crossings: how many pairs cross, without those of words that were mapped before.
        chunks: the runs of pairs that are next to each other on both sides.
        last: what the word of the reference before is mapped to, or -1.
        rest: as many pairs as possible of the words that remain, in groups that are not complete.
    """

    pairs: tuple[tuple[int, int], ...]
    used: int
    crossings: int
    chunks: int
    last: int
    rest: Mapping[int, int]

    @property
    def rank(self) -> tuple[int, int]:
        """What is kept first."""
        return self.crossings, self.chunks


def align_in_stages(
    hypothesis: Sequence[Word], reference: Sequence[Word], matchers: Sequence[int], beam: int
) -> list[Match]:
    """Return the alignment, in the order of the reference.

    Args:
        hypothesis: its words.
        reference: its words.
        matchers: one for each stage.
        beam: how many partial alignments are kept.

    >>> the, car = Word("the", 0, False), Word("car", 1, False)
    >>> [match[:3:2] for match in align_in_stages([the, car], [car, the, car], [EXACT], 9)]
    [(0, 1), (1, 2)]
    """
    if hypothesis != reference:
        check_cells("METEOR in stages", len(hypothesis), len(reference), MOST_STAGE_CELLS)
    mapped: dict[int, int] = {}
    matcher_of: dict[int, int] = {}
    for matcher in matchers:
        candidates = _candidates(hypothesis, reference, matcher, mapped)
        mapped = _map_most(candidates, mapped, len(reference), beam)
        matcher_of = {j: matcher_of.get(j, matcher) for j in mapped}
    return [Match(mapped[j], 1, j, 1, matcher_of[j]) for j in sorted(mapped)]


def _candidates(
    hypothesis: Sequence[Word], reference: Sequence[Word], matcher: int, mapped: Mapping[int, int]
) -> dict[int, list[int]]:
    """Return by each free word of the reference the free words of the hypothesis that match."""
    used = set(mapped.values())
    length = len(reference)
    far = max(len(hypothesis), length)
    for reach in reaches(hypothesis, reference):
        far, within = far // 2, far * length <= MOST_STEPS // 10
        if not within:
            continue
        found: dict[int, list[int]] = {}
        for j, word in enumerate(reference):
            if j not in mapped:
                found[j] = [
                    i for i in reach[j] if i not in used and _match(matcher, hypothesis[i], word)
                ]
        found = {j: words for j, words in found.items() if words}
        hard = sum(
            len(found[j]) for group in _groups(found) if not group.complete for j in group.reference
        )
        if sum(map(len, found.values())) * length <= MOST_STEPS and hard <= MOST_HARD:
            break
    return found


def _match(matcher: int, ours: Word, theirs: Word) -> bool:
    if matcher == EXACT or ours.text == theirs.text:
        return ours.text == theirs.text
    if matcher == STEM:
        return ours.stem == theirs.stem
    return not set(ours.synonyms).isdisjoint(theirs.synonyms)


def _map_most(
    candidates: Mapping[int, list[int]], mapped: Mapping[int, int], length: int, beam: int
) -> dict[int, int]:
    """Return the pairs of the stages before and of this one.

    Where all words of a group match and both sides have as many, only pairs in order cross least.
    """
    fixed = dict(mapped)
    open_groups = []
    for group in _groups(candidates):
        if group.complete and len(group.hypothesis) == len(group.reference):
            fixed.update(zip(group.reference, group.hypothesis, strict=True))
        else:
            open_groups.append(group)
    if not open_groups:
        return fixed
    return {**fixed, **StageSearch(candidates, fixed, open_groups, length).best(beam)}


def _groups(candidates: Mapping[int, list[int]]) -> Iterator[Group]:
    """Yield the groups of words that matches connect."""
    matching: dict[int, list[int]] = {}
    for j, words in candidates.items():
        for i in words:
            matching.setdefault(i, []).append(j)
    seen: set[int] = set()
    for first in candidates:
        if first in seen:
            continue
        seen.add(first)
        reference, hypothesis = [first], set[int]()
        for j in reference:
            for i in candidates[j]:
                if i not in hypothesis:
                    hypothesis.add(i)
                    reference += [other for other in matching[i] if other not in seen]
                    seen.update(matching[i])
        pairs = sum(len(candidates[j]) for j in reference)
        yield Group(
            sorted(hypothesis), sorted(reference), pairs == len(hypothesis) * len(reference)
        )


class StageSearch:
    """The search of one stage for the pairs that are not sure, word after word of the reference.

    Args:
        candidates: by each free word of the reference the words of the hypothesis that match.
        fixed: pairs of earlier stages, and those that are sure.
        groups: the words to map.
        length: the number of words of the reference.
    """

    def __init__(
        self,
        candidates: Mapping[int, list[int]],
        fixed: Mapping[int, int],
        groups: Sequence[Group],
        length: int,
    ) -> None:
        self.candidates = candidates
        self.fixed = fixed
        self.length = length
        self.group_of = {j: group for group in groups for j in group.reference}
        self.pairs = sum(len(candidates[j]) for j in self.group_of)
        self.hard = sorted(j for j, group in self.group_of.items() if not group.complete)

    def best(self, beam: int) -> dict[int, int]:
        """Return the pairs of the best alignment that is found."""
        # Each pair that is tried is compared with all pairs before it.
        most = min(beam * EASY // self.pairs, MOST_STEPS // (self.pairs * self.length))
        width = min(beam, max(1, most))
        rest: dict[int, int] = {}
        while self._add_one(rest, self.hard, 0):
            pass
        paths = [StagePath((), 0, 0, 0, -1, rest)]
        for j in range(self.length):
            paths = _narrowed(self._extended(paths, j), width)
        return dict(min(paths, key=lambda path: path.rank).pairs)

    def _extended(self, paths: Sequence[StagePath], j: int) -> list[StagePath]:
        """Return all paths that are longer by one word of the reference.

        Of paths that go on alike only the best is returned, the first one of several.
        """
        kept: dict[tuple[int, int], StagePath] = {}
        for path in paths:
            for longer in self._longer(path, j):
                key = longer.used, longer.last
                if key not in kept or longer.rank < kept[key].rank:
                    kept.pop(key, None)
                    kept[key] = longer
        return list(kept.values())

    def _longer(self, path: StagePath, j: int) -> Iterator[StagePath]:
        group = self.group_of.get(j)
        if group is None:
            i = self.fixed.get(j, -1)
            starts = i >= 0 and not (path.last >= 0 and path.last + 1 == i)
            yield path._replace(last=i, chunks=path.chunks + starts)
        elif group.complete:
            yield from self._in_order(path, j, group)
        else:
            yield from self._any(path, j, group)

    def _in_order(self, path: StagePath, j: int, group: Group) -> Iterator[StagePath]:
        """Yield what can follow where all words match: pairs that cross can be uncrossed."""
        words = group.hypothesis
        used = [k for k, i in enumerate(words) if path.used >> i & 1]
        needed = min(len(words), len(group.reference)) - len(used)
        first = used[-1] + 1 if used else 0
        if needed:
            for i in words[first : len(words) - needed + 1]:
                yield self._take(path, j, i, path.rest)
        if sum(other > j for other in group.reference) >= needed:
            yield path._replace(last=-1)

    def _any(self, path: StagePath, j: int, group: Group) -> Iterator[StagePath]:
        """Yield what can follow without the loss of a pair."""
        for i in self.candidates[j]:
            if not path.used >> i & 1:
                rest = self._without(path, j, i, group)
                if rest is not None:
                    yield self._take(path, j, i, rest)
        rest = self._without(path, j, -1, group)
        if rest is not None:
            yield path._replace(last=-1, rest=rest)

    def _take(self, path: StagePath, j: int, i: int, rest: Mapping[int, int]) -> StagePath:
        crossings = (path.used >> i).bit_count()
        crossings += sum((i - a) * (j - b) < 0 for b, a in self.fixed.items())
        starts = not (path.last >= 0 and path.last + 1 == i)
        return StagePath(
            (*path.pairs, (j, i)),
            path.used | 1 << i,
            path.crossings + crossings,
            path.chunks + starts,
            i,
            rest,
        )

    def _without(self, path: StagePath, j: int, i: int, group: Group) -> Mapping[int, int] | None:
        """Return the most pairs of what remains after j and i, or None if that loses a pair."""
        rest = {b: a for b, a in path.rest.items() if b != j and a != i}
        needed = len(path.rest) - (i >= 0)
        if len(rest) < needed:
            later = [other for other in group.reference if other > j]
            self._add_one(rest, later, path.used | (1 << i if i >= 0 else 0))
        return rest if len(rest) == needed else None

    def _add_one(self, pairs: dict[int, int], words: Collection[int], used: int) -> bool:
        """Change pairs so that there is one more; return whether there can be."""
        owner = {i: j for j, i in pairs.items()}
        reached: dict[int, int] = {}
        queue = deque(j for j in words if j not in pairs)
        while queue:
            j = queue.popleft()
            for i in self.candidates[j]:
                if used >> i & 1 or i in reached:
                    continue
                reached[i] = j
                if i not in owner:
                    _exchange(pairs, reached, i)
                    return True
                queue.append(owner[i])
        return False


def _exchange(pairs: dict[int, int], reached: Mapping[int, int], i: int) -> None:
    """Give each word on the way that reached a free word the next one."""
    following: int | None = i
    while following is not None:
        j = reached[following]
        before = pairs.get(j)
        pairs[j] = following
        following = before


def _narrowed(paths: list[StagePath], width: int) -> list[StagePath]:
    """Return the best paths, in the same order."""
    if len(paths) <= width:
        return paths
    best = sorted(range(len(paths)), key=lambda number: paths[number].rank)[:width]
    return [paths[number] for number in sorted(best)]
