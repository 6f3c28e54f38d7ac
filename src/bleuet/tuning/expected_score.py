"""The expected score under the model, which has a gradient."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.extras import deferred
from bleuet.metrics.base.option import option
from bleuet.tuning.lbfgs import minimise
from bleuet.tuning.method import Method, finite, unit, weighted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Literal

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats
    from bleuet.tuning.scored_lists import ScoredLists
else:
    np = deferred("numpy")

OPTIMIZERS = ("lbfgs", "sgd")
EXPECTATIONS = ("corpus", "sentences")
# The step of a central difference, relative to a sum.
_STEP = 1e-5


class ExpectedScore(Method):
    """Expected BLEU (Rosti, Zhang, Matsoukas and Schwartz 2011, WMT), or that of another metric.

    The probability of a hypothesis is exp(model score / temperature), normalised in its list.
    `corpus` scores the expected counts of the corpus. `sentences` adds up the expected scores of
    segments, weighted by the reference length (Chen and Cherry 2014, section 3.2).
    """

    expectation: Literal["corpus", "sentences"] = option(
        default="corpus", help="what is expected: counts or sentence scores", choices=EXPECTATIONS
    )
    optimizer: Literal["lbfgs", "sgd"] = option(
        default="lbfgs", help="the optimizer", choices=OPTIMIZERS
    )
    rounds: int = option(default=50, help="the most rounds", least=1, most=10_000)
    l2: float = option(default=0.0001, help="the penalty on squared weights", least=0, most=1000)
    temperature: float = option(
        default=1.0, help="above 1 it makes probabilities more equal", least=1e-6, most=1e6
    )
    entropy: float = option(
        default=0.0, help="the weight of the entropy in the objective", least=0, most=1000
    )
    step: float = option(default=1.0, help="the first step of sgd", least=1e-9, most=1e6)

    def search(self, lists: ScoredLists, start: Floats, random: Any) -> Iterator[Floats]:
        """Yield the weights after each iteration of L-BFGS, or each pass of SGD."""
        objective = Objective(lists, self)
        descend = _lbfgs if self.optimizer == OPTIMIZERS[0] else _sgd
        for weights in descend(objective, unit(start * lists.spreads), random):
            yield weights / lists.spreads


class Objective:
    """The objective of weights of scaled features, and its gradient.

    Args:
        lists: the hypotheses.
        method: the options.
    """

    def __init__(self, lists: ScoredLists, method: ExpectedScore) -> None:
        self.lists = lists
        self.method = method
        self.shares = _shares(lists)
        blocks = [block.astype(np.float64) for block in lists.statistics]
        self._statistics: Floats = np.concatenate(blocks, axis=2)

    def __call__(self, weights: Floats) -> tuple[float, Floats]:
        """Return the negative objective and its gradient, for a minimiser."""
        chances = self.chances(weights)
        value, gains = self.gains(chances)
        gradient = self.gradient(chances, gains, slice(None))
        l2 = self.method.l2
        return float(l2 * weights @ weights - value), 2 * l2 * weights - gradient

    def chances(self, weights: Floats, segments: Any = slice(None)) -> Floats:
        """Return the probability of each hypothesis of some segments."""
        scores = finite(weighted(self.lists.scaled[segments], weights) / self.method.temperature)
        scores[self.lists.blank[segments]] = -np.inf
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        chances: Floats = scores / scores.sum(axis=-1, keepdims=True)
        return chances

    def gains(self, chances: Floats) -> tuple[float, Floats]:
        """Return the objective, and how much a chance of each hypothesis adds to it."""
        if self.method.expectation == "sentences":
            gains = self.shares[:, None] * self.lists.gains
            value = float((chances * gains).sum())
        else:
            sums = np.einsum("sk,skc->c", chances, self._statistics)
            value, slopes = self._score_with_slopes(sums)
            gains = weighted(self._statistics, slopes)
        if self.method.entropy:
            logs = np.log(np.maximum(chances, 1e-300))
            weight = self.method.entropy / len(chances)
            value -= weight * float((chances * logs).sum())
            gains = gains - weight * logs
        return value, gains

    def gradient(self, chances: Floats, gains: Floats, segments: Any) -> Floats:
        """Return the gradient that some segments contribute.

        It is the covariance of gains and features in each list.
        """
        centred = gains - (chances * gains).sum(axis=-1, keepdims=True)
        pull = chances * centred / self.method.temperature
        features = self.lists.scaled[segments]
        return weighted(features.reshape(-1, features.shape[-1]).T, pull.ravel())

    def _score_with_slopes(self, sums: Floats) -> tuple[float, Floats]:
        """Return the score of sums, and its slope by each, by central differences."""
        sign = self.lists.sign / self.lists.scale
        formula = self.lists.metric.formula
        slopes = np.zeros(len(sums))
        for column, total in enumerate(sums.tolist()):
            step = _STEP * max(1.0, abs(total))
            # A count below 0 has no score.
            low, high = max(total - step, min(total, 0.0)), total + step
            ends = []
            for moved in (low, high):
                values = sums.tolist()
                values[column] = moved
                ends.append(formula(values))
            width = 2 * step if low == total - step else high - low
            slopes[column] = sign * (ends[1] - ends[0]) / width
        return sign * formula(sums.tolist()), slopes


def _shares(lists: ScoredLists) -> Floats:
    """Return the weight of each segment: its reference length, where the metric counts that."""
    if "ref_len" not in lists.table.columns:
        return np.full(len(lists.sizes), 1 / len(lists.sizes))
    lengths = np.asarray(lists.table.column("ref_len"), dtype=np.float64)[lists.places[:, 0]]
    shares: Floats = lengths / max(1.0, lengths.sum())
    return shares


def _lbfgs(objective: Objective, start: Floats, random: Any) -> Iterator[Floats]:
    return minimise(objective, start, objective.method.rounds)


def _sgd(objective: Objective, start: Floats, random: Any) -> Iterator[Floats]:
    """Descend segment by segment, with smaller steps each pass."""
    method, weights = objective.method, start
    count = len(objective.shares)
    for number in range(method.rounds):
        rate = method.step / (1 + number)
        # The slopes of a corpus score change slowly: they are those at the beginning of the pass.
        _, gains = objective.gains(objective.chances(weights))
        for segment in random.permutation(count).tolist():
            chances = objective.chances(weights, segment)
            gradient = objective.gradient(chances, gains[segment], segment)
            weights = weights + rate * (count * gradient - 2 * method.l2 * weights)
        yield weights
