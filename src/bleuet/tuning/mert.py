"""MERT: climb along lines to the weights with the best corpus score, from many starting points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.extras import deferred
from bleuet.metrics.base.option import option
from bleuet.tuning.line_search import search
from bleuet.tuning.method import Method, unit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Literal

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats
    from bleuet.tuning.scored_lists import ScoredLists
else:
    np = deferred("numpy")

# A smaller gain in percent is rounding.
_LEAST_GAIN = 1e-9
DIRECTIONS = ("both", "coordinates", "random")


class MERT(Method):
    """Minimum error rate training (Och 2003): maximise the corpus score itself.

    From the start and from other points, the best step along all directions is taken until no
    direction has a better point. Every second of these points is random, the others are random
    changes of the best point so far.
    """

    restarts: int = option(default=40, help="further starting points", least=0, most=10_000)
    directions: Literal["both", "coordinates", "random"] = option(
        default="both",
        help="lines through a point: one for each weight, as many random ones, or both",
        choices=DIRECTIONS,
    )
    patience: int = option(
        default=5,
        help="rounds of new random directions without a gain that end a climb",
        least=1,
        most=1000,
    )
    window: int = option(
        default=0,
        help="choose a step by the mean over so many intervals on each side, which regularises",
        least=0,
        most=1000,
    )

    def search(self, lists: ScoredLists, start: Floats, random: Any) -> Iterator[Floats]:
        """Yield the best weights after each climb."""
        best, value = self._climb(lists, start, random)
        yield best
        for number in range(self.restarts):
            (point,) = _drawn(lists, random, 1)
            if number % 2:
                # As long as the best point is, so that about half of it is left.
                point = _rescaled(lists, best) + _rescaled(lists, point)
            found, reached = self._climb(lists, point, random)
            if reached > value:
                best, value = found, reached
            yield best

    def _climb(self, lists: ScoredLists, point: Floats, random: Any) -> tuple[Floats, float]:
        value = lists.value(point)
        # Directions that are no random ones are the same again.
        left = patience = 1 if self.directions == "coordinates" else self.patience
        while left:
            directions = self._directions(lists, random)
            steps = search(lists, point, directions, self.window)
            at = int(steps.values.argmax())
            there = _rescaled(lists, point + steps.steps[at] * directions[at])
            # Of what is chosen there, since rounding can choose others than those on the line.
            reached = lists.value(there)
            if reached > value + _LEAST_GAIN:
                point, value, left = there, reached, patience
            else:
                left -= 1
        return point, value

    def _directions(self, lists: ScoredLists, random: Any) -> Floats:
        axes: Floats = np.diag(1 / lists.spreads)[lists.varies]
        if self.directions == "coordinates":
            return axes
        drawn = _drawn(lists, random, len(axes))
        return drawn if self.directions == "random" else np.concatenate([axes, drawn])


def _drawn(lists: ScoredLists, random: Any, count: int) -> Floats:
    """Return random weights of the size that suits each feature, 0 for a constant one."""
    drawn: Floats = random.normal(size=(count, len(lists.spreads))) * lists.varies / lists.spreads
    return drawn


def _rescaled(lists: ScoredLists, weights: Floats) -> Floats:
    """Return weights of the usual size, which choose the same."""
    return unit(weights * lists.spreads) / lists.spreads
