"""Cuts of a hypothesis: both backends against all cuts that there are, and against each other."""

from __future__ import annotations

from array import array
from functools import cache
from itertools import accumulate, chain, combinations_with_replacement, pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.statistics.definitions import plain_python
from tests.backends import HAS_KERNEL, kernel
from tests.effort import examples

if TYPE_CHECKING:
    from collections.abc import Sequence

words = st.lists(st.integers(0, 3), max_size=6)
segments = st.lists(st.lists(words, min_size=1, max_size=3), min_size=1, max_size=4)
looks = st.integers(-1, 1)
SPACE = 3


def arguments(
    hypothesis: Sequence[int],
    references: Sequence[Sequence[Sequence[int]]],
    edges: Any,
    spelled: Sequence[Sequence[int]],
) -> tuple[Any, ...]:
    """The arguments of the function; each word is spelled with characters, spaces between them."""
    parts = [[SPACE, *one] if place else [*one] for place, one in enumerate(spelled)]
    ends = list(accumulate(map(len, parts)))
    begins = [end - len(one) for end, one in zip(ends, spelled, strict=True)]
    return (
        array("i", hypothesis),
        numbered(references),
        tuple(array("i", edge) for edge in edges),
        (array("i", chain(*parts)), array("q", begins), array("q", ends), numbered(references)),
    )


def numbered(references: Sequence[Sequence[Sequence[int]]]) -> tuple[Any, Any, Any]:
    texts = list(chain.from_iterable(references))
    return (
        array("i", chain.from_iterable(texts)),
        array("q", accumulate(map(len, texts))),
        array("q", accumulate(map(len, references))),
    )


def sizes_of(hypothesis: Sequence[int], references: Sequence[Sequence[Any]]) -> list[int]:
    """The sizes of the edges."""
    return [len(hypothesis)] * 3 + [sum(map(len, references))] * 4


@st.composite
def drawn_sets(draw: st.DrawFn) -> tuple[Any, ...]:
    hypothesis, references = draw(words), draw(segments)
    sizes = sizes_of(hypothesis, references)
    edges = [draw(st.lists(looks, min_size=size, max_size=size)) for size in sizes]
    spelled = [draw(st.lists(st.integers(0, SPACE), max_size=2)) for _ in hypothesis]
    return hypothesis, references, edges, spelled


SMALL: Any = ([0, 1], [[[0]], [[1]]], [[0, 0]] * 7, [[0], [1]])


def distance(a: Sequence[int], b: Sequence[int]) -> int:
    """Levenshtein's distance by its definition."""

    @cache
    def of_ends(i: int, j: int) -> int:
        if i == len(a) or j == len(b):
            return len(a) - i + len(b) - j
        changed = of_ends(i + 1, j + 1) + (a[i] != b[j])
        return min(changed, of_ends(i + 1, j) + 1, of_ends(i, j + 1) + 1)

    return of_ends(0, 0)


def best_of_all(
    hypothesis: list[int], references: list[list[list[int]]], edges: Any, spelled: list[list[int]]
) -> Any:
    """The fewest edits, and the cuts by the rule, chosen among all cuts."""
    known: dict[tuple[int, ...], int] = {}

    def cost(segment: int, begin: int, end: int) -> int:
        key = segment, begin, end
        if key not in known:
            own = hypothesis[begin:end]
            known[key] = min(distance(own, text) for text in references[segment])
        return known[key]

    n = len(hypothesis)
    costs = {
        (*ends, n): sum(cost(i, a, b) for i, (a, b) in enumerate(pairwise([0, *ends, n])))
        for ends in combinations_with_replacement(range(n + 1), len(references) - 1)
    }
    fewest = min(costs.values())
    best = [cuts for cuts, edits in costs.items() if edits == fewest]

    begins, ends, own, first, last, first_words, last_words = edges

    def fits(segment: int, place: int) -> int:
        before, behind = (
            range(sum(map(len, references[:i])), sum(map(len, references[: i + 1])))
            for i in (segment - 1, segment)
        )
        fits = 0
        if place > 0:
            fits += 2 * (ends[place - 1] in {last[r] for r in before} - {-1})
            fits += own[place - 1] in {last_words[r] for r in before} - {-1}
        if place < n:
            fits += 2 * (begins[place] in {first[r] for r in behind} - {-1})
            fits += own[place] in {first_words[r] for r in behind} - {-1}
        return fits

    def text(begin: int, end: int) -> list[int]:
        return [c for one in spelled[begin:end] for c in [SPACE, *one]][1:]

    def choose(rows: range) -> None:
        nonlocal best
        if len(rows) < 2:
            return
        middle = rows.start + len(rows) // 2
        places = {cuts[middle - 1] for cuts in best}
        chosen = max(places, key=lambda place: (fits(middle, place), place))
        best = [cuts for cuts in best if cuts[middle - 1] == chosen]
        choose(range(rows.start, middle))
        choose(range(middle, rows.stop))

    choose(range(len(references)))
    (cuts,) = map(list, best)
    for row in range(1, len(references)):
        low, high = cuts[row - 2] if row > 1 else 0, cuts[row]
        edits = {
            place: cost(row - 1, low, place) + cost(row, place, high)
            for place in range(low, high + 1)
        }
        cuts[row - 1] = max(
            (place for place in edits if edits[place] == min(edits.values())),
            key=lambda place: (
                fits(row, place),
                -min(distance(text(low, place), one) for one in references[row - 1])
                - min(distance(text(place, high), one) for one in references[row]),
                place,
            ),
        )
    return fewest, cuts


@examples(60)
@given(drawn_sets())
def test_no_other_cuts_are_better(drawn: Any) -> None:
    edits, ends = plain_python.cut_segments(*arguments(*drawn))
    assert (edits, memoryview(ends).cast("q").tolist()) == best_of_all(*drawn)


@pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built")
@examples(100)
@given(drawn_sets())
def test_the_kernel_cuts_as_the_definition(drawn: Any) -> None:
    given_arguments = arguments(*drawn)
    assert kernel().cut_segments(*given_arguments) == plain_python.cut_segments(*given_arguments)


@pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built")
@examples(12)
@given(st.randoms(use_true_random=False), st.integers(1, 3))
def test_the_kernel_cuts_long_texts_as_the_definition(random: Any, most: int) -> None:
    """Rows of several blocks of 64 words."""
    references = [
        [random.choices(range(9), k=random.randrange(30)) for _ in range(random.randint(1, most))]
        for _ in range(random.randint(1, 9))
    ]
    hypothesis = [
        random.randrange(11) if random.random() < 0.2 else word
        for texts in references
        for word in random.choice(texts)
        if random.random() < 0.9
    ]
    edges = [random.choices(range(-1, 2), k=size) for size in sizes_of(hypothesis, references)]
    spelled = [random.choices(range(9), k=random.randrange(6)) for _ in hypothesis]
    given_arguments = arguments(hypothesis, references, edges, spelled)
    assert kernel().cut_segments(*given_arguments) == plain_python.cut_segments(*given_arguments)


@pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built")
def test_wrong_numbers_are_refused_by_the_kernel() -> None:
    cut = kernel().cut_segments
    hypothesis, references, edges, letters = arguments(*SMALL)
    own, begins, ends, others = letters
    with pytest.raises(IndexError):
        cut(array("i", [0, -1]), references, edges, letters)
    with pytest.raises(IndexError):
        cut(hypothesis, (array("i", [-1, 0]), *references[1:]), edges, letters)
    with pytest.raises(ValueError, match="size"):
        cut(hypothesis, references, (edges[0][:1], *edges[1:]), letters)
    for wrong in (array("q", [0, 0]), array("q", [2, 3]), array("q", [-1, 2])):
        with pytest.raises(IndexError, match="order"):
            cut(hypothesis, references, edges, (own, wrong, ends, others))
    with pytest.raises(IndexError, match="behind the text"):
        cut(hypothesis, references, edges, (own[:2], begins, ends, others))
    with pytest.raises(ValueError, match="number of segments"):
        cut(hypothesis, references, edges, (own, begins, ends, numbered([[[0]]])))


def test_the_share_of_the_work_is_reported() -> None:
    found: list[float] = []
    for program in [plain_python, *([kernel()] if HAS_KERNEL else [])]:
        program.cut_segments(*arguments(*SMALL), found.append)
    assert set(found) == {1.0}
