"""PRO: learn to rank sampled pairs of hypotheses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.extras import deferred
from bleuet.metrics.base.option import option
from bleuet.tuning.lbfgs import minimise
from bleuet.tuning.method import Method, unit, weighted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats
    from bleuet.tuning.scored_lists import ScoredLists
else:
    np = deferred("numpy")


# Far more than a regression needs.
_MOST_STEPS = 1000


class PRO(Method):
    """Pairwise ranking optimization (Hopkins and May 2011, Tuning as Ranking, EMNLP).

    Of sampled pairs of hypotheses of a segment, those with the greatest difference of their
    sentence scores train a logistic regression.
    """

    rounds: int = option(default=30, help="how often pairs are drawn", least=1, most=10_000)
    samples: int = option(
        default=5000, help="pairs drawn for each segment", least=1, most=1_000_000
    )
    kept: int = option(default=50, help="pairs kept of each segment", least=1, most=1_000_000)
    difference: float = option(
        default=0.05, help="the least difference of sentence scores, from 0 to 1", least=0, most=1
    )
    interpolation: float = option(
        default=0.1,
        help="how much the new weights count in a round; the old ones count the rest",
        least=0,
        most=1,
    )
    l2: float = option(
        default=0.001, help="the penalty on squared weights, for each pair", least=0, most=1000
    )

    def search(self, lists: ScoredLists, start: Floats, random: Any) -> Iterator[Floats]:
        """Yield the interpolated weights after each round."""
        weights = unit(start * lists.spreads)
        fitted = weights
        for _ in range(self.rounds):
            pairs = self.pairs(lists, random)
            if not len(pairs):
                return
            fitted = fit(pairs, fitted, self.l2)
            share = self.interpolation
            weights = unit(share * unit(fitted) + (1 - share) * weights)
            yield weights / lists.spreads

    def pairs(self, lists: ScoredLists, random: Any) -> Floats:
        """Return for each kept pair the features of the better hypothesis less those of the other.

        The paper adds each pair the other way round. Without a constant term that is the same
        loss twice.
        """
        found = []
        for gains, features, size in zip(
            lists.gains, lists.scaled, lists.sizes.tolist(), strict=True
        ):
            one, other = random.integers(size, size=(2, self.samples))
            differences = gains[one] - gains[other]
            apart = np.flatnonzero(np.abs(differences) > self.difference)
            order = np.argsort(-np.abs(differences[apart]), kind="stable")
            kept = apart[order[: self.kept]]
            signs = np.sign(differences[kept])
            found.append(signs[:, None] * (features[one[kept]] - features[other[kept]]))
        return np.concatenate(found)


def fit(differences: Floats, start: Floats, l2: float) -> Floats:
    """Return the weights of a logistic regression whose positive examples are all.

    Args:
        differences: the features of each example.
        start: where the search begins.
        l2: the penalty on squared weights.
    """

    def loss(weights: Floats) -> tuple[float, Floats]:
        margins = weighted(differences, weights)
        value = np.logaddexp(0, -margins).mean() + l2 * weights @ weights
        wrong = 0.5 - 0.5 * np.tanh(margins / 2)  # 1 / (1 + exp(margin)), for any margin
        slope = -weighted(differences.T, wrong) / len(differences) + 2 * l2 * weights
        return float(value), slope

    return [start, *minimise(loss, start, _MOST_STEPS)][-1]
