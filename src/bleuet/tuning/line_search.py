"""The best point on a line through weights, exactly: Och's line search.

Along a line, the score of a hypothesis is a linear function of the step, so that the chosen
hypothesis of a segment follows the upper envelope of its lines, and the statistics of the corpus
change only where an envelope bends.

The kernel does the same, to the last digit, in `kernel/tuning/line_search.cpp`.

Source: Och (2003), Minimum Error Rate Training in Statistical Machine Translation, ACL, section 4.
"""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING, Any, NamedTuple

from bleuet.extras import deferred
from bleuet.statistics.backend import is_native

if TYPE_CHECKING:
    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Integers
    from bleuet.tuning.scored_lists import ScoredLists
else:
    np = deferred("numpy")

# Lines whose slopes are in memory at a time.
_LINES = 1 << 21
_NUMBERS_IN_CACHE = 1 << 15
# Two steps whose relative difference is smaller are one.
_ROUNDING = 1e-9


class Steps(NamedTuple):
    """For each direction the best step and the score there.

    Args:
        steps: the step.
        values: the corpus score, negative where lower scores are better.
    """

    steps: Floats
    values: Floats


class Bends(NamedTuple):
    """Where envelopes bend, in order of rows.

    Args:
        first: of each row the line that is highest at minus infinity.
        rows: the row of each bend.
        steps: where it is.
        before: the line that is highest before it.
        after: the line that is highest after it.
    """

    first: Integers
    rows: Integers
    steps: Floats
    before: Integers
    after: Integers


def envelopes(intercepts: Floats, slopes: Floats) -> Bends:
    """Follow the upper envelope of the lines of each row from minus to plus infinity.

    Args:
        intercepts: of each line of each row its value at step 0.
        slopes: of each line of each row its slope.

    >>> found = envelopes(np.array([[0.0, 0.0, -1.0]]), np.array([[-1.0, 1.0, 0.0]]))
    >>> found.steps.tolist(), found.before.tolist(), found.after.tolist()
    ([0.0], [0], [1])
    """
    # Few rows at a time, whose arrays stay in a core's cache: twice as fast.
    block = max(1, _NUMBERS_IN_CACHE // slopes.shape[1])
    parts: list[tuple[Any, ...]] = []
    firsts = []
    for start in range(0, len(slopes), block):
        rows = slice(start, start + block)
        firsts.append(_follow(start, intercepts[rows], slopes[rows], parts))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Bends(np.concatenate(firsts), *columns)


def _follow(start: int, intercepts: Floats, slopes: Floats, parts: list[Any]) -> Integers:
    """Add the bends of some rows to the parts, and return the first line of each row."""
    least = slopes.min(axis=1, keepdims=True)
    first: Integers = np.where(slopes == least, intercepts, -np.inf).argmax(axis=1)
    rows, current = np.arange(len(slopes)), first
    while len(rows):
        here = np.arange(len(rows))
        rise = slopes - slopes[here, current][:, None]
        meets = intercepts[here, current][:, None] - intercepts
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            np.divide(meets, rise, out=meets)
        np.copyto(meets, np.inf, where=~(rise > 0))
        steps = meets.min(axis=1)
        # Of the lines that meet in one point, the steepest is the highest after it.
        following = np.where(meets == steps[:, None], slopes, -np.inf).argmax(axis=1)
        going = np.isfinite(steps)
        rows, following = rows[going], following[going]
        parts.append((start + rows, steps[going], current[going], following))
        current, intercepts, slopes = following, intercepts[going], slopes[going]
    return first


def search(lists: ScoredLists, weights: Floats, directions: Floats, window: int = 0) -> Steps:
    """Return the best step from weights along each direction.

    Of equal intervals the widest is taken, and the step is its middle.

    Args:
        lists: the hypotheses.
        weights: the point.
        directions: one direction in each row.
        window: choose by the mean score of an interval and so many on each side of it (Cer,
            Jurafsky and Manning 2008, Regularization and Search for Minimum Error Rate Training,
            section 4).
    """
    segments, width = lists.places.shape
    at_a_time = max(1, _LINES // (segments * width))
    intercepts = lists.model_scores(weights)
    search_some = _search_by_kernel if is_native() else _search
    found = [
        search_some(lists, intercepts, directions[start : start + at_a_time], window)
        for start in range(0, len(directions), at_a_time)
    ]
    return Steps(*(np.concatenate(part) for part in zip(*found, strict=True)))


def _search(lists: ScoredLists, intercepts: Floats, directions: Floats, window: int) -> Steps:
    segments, width = intercepts.shape
    slopes = np.stack([lists.model_scores(direction) for direction in directions])
    repeated = np.broadcast_to(intercepts, slopes.shape)
    bends = envelopes(repeated.reshape(-1, width), slopes.reshape(-1, width))
    direction, segment = np.divmod(bends.rows, segments)
    order = np.lexsort((bends.steps, direction))
    # One interval more than bends lies along each direction: the first ends at the first bend.
    cuts = np.searchsorted(direction[order], np.arange(1, len(directions)))
    changes = Changes(segment[order], bends.before[order], bends.after[order], cuts)
    values = changes.values(lists, bends.first.reshape(-1, segments))
    own = np.split(values, cuts + np.arange(1, len(directions)))
    found = map(_best, np.split(bends.steps[order], cuts), own, repeat(window))
    steps, best = zip(*found, strict=True)
    return Steps(np.array(steps), np.array(best))


def _search_by_kernel(
    lists: ScoredLists, intercepts: Floats, directions: Floats, window: int
) -> Steps:
    count, segments = len(directions), np.arange(len(intercepts))
    first = np.empty((count, len(segments)), dtype=np.int64)
    found = lists.line_search.follow(
        intercepts, np.ascontiguousarray(directions), count, first, lists.threads
    )
    whole, reals = lists.statistics
    integers = np.empty((whole.shape[2], found.rows), dtype=np.int64)
    sums = np.empty((reals.shape[2], found.rows))
    found.sums(reals[segments, first].sum(axis=1), integers, sums)
    steps, values = np.empty(count), np.empty(count)
    found.best(lists.scores_of_columns(integers, sums), window, steps, values)
    return Steps(steps, values)


class Changes(NamedTuple):
    """The changes of the choice along several directions, one direction after the other.

    Args:
        segments: whose choice changes.
        before: the hypothesis before.
        after: the hypothesis after.
        cuts: where each direction but the first begins.
    """

    segments: Integers
    before: Integers
    after: Integers
    cuts: Integers

    def values(self, lists: ScoredLists, first: Integers) -> Floats:
        """Return the corpus score in each interval between changes.

        Args:
            lists: the hypotheses.
            first: for each direction the choice before all changes.
        """
        sums = []
        for block in lists.statistics:
            start = block[np.arange(first.shape[1]), first].sum(axis=1)
            moved = block[self.segments, self.after] - block[self.segments, self.before]
            parts = zip(start[:, None], np.split(moved, self.cuts), strict=True)
            sums.append(np.concatenate([np.concatenate(part).cumsum(axis=0) for part in parts]))
        return lists.scores_of_sums(sums)


def _best(bends: Floats, values: Floats, window: int) -> tuple[float, float]:
    """Return the middle of the best interval of one direction, and its score."""
    if not len(bends):
        return 0.0, float(values[0])
    beyond = max(1.0, float(bends[-1] - bends[0]))
    ends = np.concatenate([[bends[0] - beyond], bends, [bends[-1] + beyond]])
    # Where several choices change at one step, up to rounding, there is nothing between.
    size = np.maximum(np.abs(ends[1:]), np.median(np.abs(bends)))
    wide = np.flatnonzero(np.diff(ends) > _ROUNDING * size)
    if not len(wide):
        return 0.0, -np.inf
    smooth = _means(values[wide], window)
    best = smooth.max()
    widths = np.where(smooth == best, np.diff(ends)[wide], 0.0)
    chosen = wide[widths.argmax()]
    return float(ends[chosen] + ends[chosen + 1]) / 2, float(best)


def _means(values: Floats, window: int) -> Floats:
    """Return the mean of each value and of so many on each side, as far as there are any.

    >>> _means(np.array([3.0, 0.0, 0.0, 6.0]), 1).tolist()
    [1.5, 1.0, 2.0, 3.0]
    """
    if not window:
        return values
    places = np.arange(len(values))
    low, high = np.maximum(places - window, 0), np.minimum(places + window + 1, len(values))
    sums = np.concatenate([[0.0], values.cumsum()])
    means: Floats = (sums[high] - sums[low]) / (high - low)
    return means
