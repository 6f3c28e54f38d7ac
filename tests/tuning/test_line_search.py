"""The line search equals brute force: every interval of every line is scored anew."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bleuet.tuning.line_search import _search, _search_by_kernel, envelopes, search
from tests.backends import counted_by, counted_by_python, kernel
from tests.tuning.generated import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.tuning.scored_lists import ScoredLists

pytestmark = pytest.mark.slow


def crossings(lists: ScoredLists, point: np.ndarray, direction: np.ndarray) -> list[float]:
    """Every step at which two hypotheses of a segment have the same score."""
    at, slopes = lists.model_scores(point), lists.model_scores(direction)
    found = set()
    for segment, size in enumerate(lists.sizes):
        for i in range(size):
            for j in range(i):
                rise = slopes[segment, i] - slopes[segment, j]
                if rise:
                    found.add(float((at[segment, j] - at[segment, i]) / rise))
    return sorted(found)


def brute_force(lists: ScoredLists, point: np.ndarray, direction: np.ndarray) -> list[float]:
    """The corpus score in the middle of each interval between two crossings, and beyond them."""
    steps = crossings(lists, point, direction)
    ends = [steps[0] - 2.0, *steps, steps[-1] + 2.0]
    # Two crossings that differ only by rounding are one.
    wide = [(a, b) for a, b in pairwise(ends) if b - a > 1e-9 * (1e-3 + abs(b))]
    return [lists.value(point + (a + b) / 2 * direction) for a, b in wide]


@pytest.fixture(params=["kernel", "python"])
def program(request: pytest.FixtureRequest) -> Iterator[None]:
    """The kernel or numpy searches."""
    with counted_by(kernel()) if request.param == "kernel" else counted_by_python():
        yield


@pytest.mark.parametrize("metric", ["bleu", "bleu:smooth=none", "ter", "chrf", "eed"])
@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.usefixtures("program")
def test_the_best_step_is_that_of_brute_force(metric: str, whole: bool) -> None:
    random = np.random.default_rng(7)
    for seed in range(3):
        lists = counted(seed, metric, whole=whole, hypotheses=9)
        point = random.normal(size=4)
        if whole:
            point = np.rint(2 * point)
        directions = np.concatenate([np.eye(4)[:3], random.normal(size=(3, 4))])
        found = search(lists, point, directions)
        for direction, step, value in zip(directions, *found, strict=True):
            best = max(brute_force(lists, point, direction))
            assert value == pytest.approx(best, abs=1e-9)
            # The step itself is inside the best interval.
            assert lists.value(point + step * direction) == pytest.approx(best, abs=1e-9)


METRICS = ("bleu", "bleu:reference_length=average", "ter", "chrf", "nist", "cider", "meteor")


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("window", [0, 2])
def test_the_kernel_gives_the_digits_of_numpy(metric: str, window: int) -> None:
    kernel()
    random = np.random.default_rng(8)
    for seed in range(6):
        # Whole features have many lines that meet in one point, parallel and equal lines.
        lists = counted(seed, metric, whole=seed % 2 == 0, segments=20, hypotheses=25)
        several = [random.normal(size=4), np.zeros(4), np.rint(random.normal(size=4))]
        for scale in (1.0, 1e-30, 1e90):
            for point in several:
                directions = np.concatenate(
                    [np.eye(4), -np.eye(4), random.normal(size=(4, 4)) * scale, np.zeros((1, 4))]
                )
                intercepts = lists.model_scores(point)
                found = _search_by_kernel(lists, intercepts, directions, window)
                expected = _search(lists, intercepts, directions, window)
                assert found.steps.tolist() == expected.steps.tolist()
                assert found.values.tolist() == expected.values.tolist()


def test_lists_of_one_shape_and_another() -> None:
    """One hypothesis, one segment, and more lines than the definition follows at a time."""
    kernel()
    for settings in ({"segments": 1}, {"hypotheses": 2}, {"segments": 400, "hypotheses": 110}):
        lists = counted(1, "bleu:reference_length=average", **settings)
        directions = np.random.default_rng(3).normal(size=(5, 4))
        intercepts = lists.model_scores(np.ones(4))
        expected = _search(lists, intercepts, directions, 0)
        for threads in (1, 3):
            found = _search_by_kernel(lists.replace(threads=threads), intercepts, directions, 0)
            assert found.steps.tolist() == expected.steps.tolist()
            assert found.values.tolist() == expected.values.tolist()


def test_model_scores_are_those_of_numpy() -> None:
    kernel()
    for seed in range(3):
        lists = counted(seed)
        for weights in np.random.default_rng(seed).normal(size=(5, 4)):
            for zeroed in (weights, weights * [1, 0, 1, 1], 0 * weights):
                found = lists.model_scores(zeroed)
                with counted_by_python():
                    assert (found == lists.model_scores(zeroed)).all()


def test_the_kernel_checks_its_buffers() -> None:
    made = kernel().LineSearch
    numbers, counts = np.zeros((2, 3, 4)), np.zeros((3, 4, 5), dtype=np.int64)
    for sizes in ((0, 4, 2, 5), (3, 0, 2, 5), (3, 4, 3, 5), (3, 4, 2, 6)):
        segments, width, features, integers = sizes
        with pytest.raises(ValueError, match=r"no hypothesis|size of its table"):
            made(segments, width, numbers, features, counts, integers, b"", 0)
    search_of = made(3, 4, numbers, 2, counts, 5, b"", 0)
    with pytest.raises(ValueError, match="size of its table"):
        search_of.follow(np.zeros((3, 4)), np.zeros((1, 3)), 1, np.zeros((1, 3), dtype=np.int64))
    with pytest.raises(ValueError, match="size of its table"):
        kernel().weighted_sums(np.zeros(7), np.zeros(2), np.zeros(4))


def test_many_directions_are_searched_as_one_is() -> None:
    lists = counted(3)
    directions = np.random.default_rng(1).normal(size=(9, 4))
    point = np.array([1.0, -0.5, 0.25, 1.0])
    together = search(lists, point, directions)
    for at, direction in enumerate(directions):
        alone = search(lists, point, direction[None])
        assert (alone.steps[0], alone.values[0]) == (together.steps[at], together.values[at])


def test_an_envelope_is_the_highest_line_everywhere() -> None:
    random = np.random.default_rng(5)
    for _ in range(30):
        intercepts, slopes = random.integers(-4, 5, size=(2, 3, 7)).astype(float)
        bends = envelopes(intercepts, slopes)
        for row in range(3):
            own = bends.rows == row
            line, steps = int(bends.first[row]), bends.steps[own].tolist()
            assert steps == sorted(set(steps))
            middles = [(a + b) / 2 for a, b in pairwise(steps)]
            probes = [steps[0] - 1, *middles, steps[-1] + 1] if steps else [0.0]
            for probe, following in zip(probes, [*bends.after[own].tolist(), None], strict=True):
                exact = Fraction(probe)
                heights = [
                    Fraction(a) + Fraction(b) * exact
                    for a, b in zip(intercepts[row], slopes[row], strict=True)
                ]
                assert heights[line] == max(heights)
                line = following


def test_lines_that_never_change_the_choice() -> None:
    lists = counted(2)
    found = search(lists, np.ones(4), np.array([[0.0, 0.0, 0.0, 1.0]]))
    assert found.steps.tolist() == [0.0]
    assert found.values[0] == lists.value(np.ones(4))


def test_a_window_chooses_by_the_mean_of_neighbours() -> None:
    lists, direction = counted(4), np.array([1.0, 0.3, -0.2, 0.0])
    point = np.array([0.0, 1.0, 0.0, 0.0])
    values: list[tuple[float, np.ndarray]] = []
    steps = [-np.inf, *crossings(lists, point, direction), np.inf]
    for a, b in pairwise(steps):
        middle = max(min((a + b) / 2, steps[-2] + 1), steps[1] - 1)
        value, chosen = (
            lists.value(point + middle * direction),
            lists.choose(point + middle * direction),
        )
        if not values or (values[-1][1] != chosen).any():
            values.append((value, chosen))
    scores = [value for value, _ in values]
    means = [np.mean(scores[max(0, n - 2) : n + 3]) for n in range(len(scores))]
    (found,) = search(lists, point, direction[None], window=2).values
    assert found == pytest.approx(max(means))
    assert found < max(scores)
