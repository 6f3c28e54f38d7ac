"""Cuts of a hypothesis: both backends against all cuts that there are, and against each other."""

from __future__ import annotations

from array import array
from itertools import accumulate, chain, combinations_with_replacement, pairwise
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.statistics.python_backend import counters as python_backend
from tests.backends import HAS_KERNEL, kernel
from tests.effort import examples

if TYPE_CHECKING:
    from collections.abc import Sequence

words = st.lists(st.integers(0, 3), max_size=6)
segments = st.lists(st.lists(words, min_size=1, max_size=3), min_size=1, max_size=4)
looks = st.integers(-1, 1)


def arguments(
    hypothesis: Sequence[int], references: Sequence[Sequence[Sequence[int]]], edges: Any
) -> tuple[Any, ...]:
    texts = list(chain.from_iterable(references))
    return (
        array("i", hypothesis),
        (
            array("i", chain.from_iterable(texts)),
            array("q", accumulate(map(len, texts))),
            array("q", accumulate(map(len, references))),
        ),
        tuple(array("i", edge) for edge in edges),
    )


@st.composite
def drawn_sets(draw: st.DrawFn) -> tuple[Any, ...]:
    hypothesis, references = draw(words), draw(segments)
    sizes = [len(hypothesis)] * 2 + [sum(map(len, references))] * 2
    edges = [draw(st.lists(looks, min_size=size, max_size=size)) for size in sizes]
    return hypothesis, references, edges


def distance(a: Sequence[int], b: Sequence[int]) -> int:
    """Levenshtein's distance by its definition."""
    if not a or not b:
        return len(a) + len(b)
    return min(
        distance(a[1:], b[1:]) + (a[0] != b[0]), distance(a[1:], b) + 1, distance(a, b[1:]) + 1
    )


def best_of_all(hypothesis: list[int], references: list[list[list[int]]], edges: Any) -> Any:
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

    def fits(segment: int, place: int) -> tuple[int, int]:
        before, behind = (
            range(sum(map(len, references[:i])), sum(map(len, references[: i + 1])))
            for i in (segment - 1, segment)
        )
        fits = 0
        if place > 0:
            fits += 2 * (edges[1][place - 1] in {edges[3][r] for r in before} - {-1})
            fits += hypothesis[place - 1] in {
                w for text in references[segment - 1] for w in text[-1:]
            }
        if place < n:
            fits += 2 * (edges[0][place] in {edges[2][r] for r in behind} - {-1})
            fits += hypothesis[place] in {w for text in references[segment] for w in text[:1]}
        return fits, place

    def choose(rows: range) -> None:
        nonlocal best
        if len(rows) < 2:
            return
        middle = rows.start + len(rows) // 2
        chosen = max((cuts[middle - 1] for cuts in best), key=lambda place: fits(middle, place))
        best = [cuts for cuts in best if cuts[middle - 1] == chosen]
        choose(range(rows.start, middle))
        choose(range(middle, rows.stop))

    choose(range(len(references)))
    (cuts,) = best
    return fewest, list(cuts)


@examples(60)
@given(drawn_sets())
def test_no_other_cuts_are_better(drawn: Any) -> None:
    edits, ends = python_backend.cut_segments(*arguments(*drawn))
    assert (edits, memoryview(ends).cast("q").tolist()) == best_of_all(*drawn)


@pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built")
@examples(200)
@given(drawn_sets())
def test_the_kernel_cuts_as_the_definition(drawn: Any) -> None:
    given_arguments = arguments(*drawn)
    assert kernel().cut_segments(*given_arguments) == python_backend.cut_segments(*given_arguments)


@pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built")
@examples(30)
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
    sizes = [len(hypothesis)] * 2 + [sum(map(len, references))] * 2
    edges = [random.choices(range(-1, 2), k=size) for size in sizes]
    given_arguments = arguments(hypothesis, references, edges)
    assert kernel().cut_segments(*given_arguments) == python_backend.cut_segments(*given_arguments)


@pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built")
def test_wrong_numbers_are_refused_by_the_kernel() -> None:
    hypothesis, references, edges = arguments([0, 1], [[[0]], [[1]]], [[0, 0]] * 4)
    with pytest.raises(IndexError):
        kernel().cut_segments(array("i", [0, -1]), references, edges)
    with pytest.raises(IndexError):
        kernel().cut_segments(hypothesis, (array("i", [-1, 0]), *references[1:]), edges)
    with pytest.raises(ValueError, match="size"):
        kernel().cut_segments(hypothesis, references, (edges[0][:1], *edges[1:]))


def test_the_share_of_the_work_is_reported() -> None:
    found: list[float] = []
    for program in [python_backend, *([kernel()] if HAS_KERNEL else [])]:
        program.cut_segments(*arguments([0, 1], [[[0]], [[1]]], [[0, 0]] * 4), found.append)
    assert set(found) == {1.0}
