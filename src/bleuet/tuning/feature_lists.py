"""Hypotheses as arrays of their features, and what a log-linear model chooses from them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from bleuet.errors import InputError
from bleuet.extras import deferred
from bleuet.frozen import Value
from bleuet.statistics.backend import backend, is_native
from bleuet.tuning.nbest_lists import check_size

if TYPE_CHECKING:
    from typing import Self

    import numpy as np

    from bleuet.meta_evaluation.arrays import Floats, Integers
    from bleuet.tuning.nbest_lists import NBestLists
else:
    np = deferred("numpy")

# Beyond these, the square or the inverse of a spread overflows.
_LEAST_SPREAD, _MOST_SPREAD = 1e-100, 1e100


class FeatureLists(Value):
    """N-best lists of one length.

    Short lists are filled up with their first hypothesis, which never wins against itself because
    of equal hypotheses the first is chosen.

    Args:
        lists: the hypotheses.
        features: the value of each feature (first axis), segment and hypothesis.
        places: the number of each segment's hypotheses among all.
        sizes: the number of hypotheses of each segment.
    """

    lists: NBestLists
    features: Floats
    places: Integers
    sizes: Integers

    @classmethod
    def of(cls, lists: NBestLists) -> Self:
        """Return lists as arrays.

        Raises:
            InputError: the lists are too long.
        """
        sizes = np.array([len(texts) for texts in lists.texts])
        width, starts = int(sizes.max()), np.cumsum(sizes) - sizes
        check_size(len(sizes), width, len(lists.names), "the lists")
        offsets = np.arange(width)
        places = starts[:, None] + np.where(offsets < sizes[:, None], offsets, 0)
        values = np.array([row for rows in lists.values for row in rows], dtype=np.float64)
        return cls(lists, np.ascontiguousarray(values.T[:, places]), places, sizes)

    def model_scores(self, weights: Floats) -> Floats:
        """Return the model's score of each segment and hypothesis.

        Features are added in order, so that equal hypotheses have the same score to the last bit.
        """
        total: Floats = np.zeros(self.places.shape)
        if is_native():
            backend().weighted_sums(self.features, np.ascontiguousarray(weights, float), total)
            return total
        for weight, values in zip(weights.tolist(), self.features, strict=True):
            if weight:
                total += weight * values
        return total

    def choose(self, weights: Floats) -> Integers:
        """Return for each segment the hypothesis with the highest score, the first of equals."""
        chosen: Integers = self.model_scores(weights).argmax(axis=1)
        return chosen

    @cached_property
    def spreads(self) -> Floats:
        """The standard deviation of each feature within lists; 1 for one that is constant there."""
        return np.where(self.varies, self._deviations, 1.0)

    @cached_property
    def varies(self) -> Any:
        """Whether a feature differs within some list; what the weight of others is never shows."""
        # What is left of a constant by rounding is no difference.
        return self._deviations > 1e-9 * np.abs(self.features).max(axis=(1, 2))

    @cached_property
    def _deviations(self) -> Floats:
        real = self._real
        # Squares of tiny numbers would be 0. A power of 2 changes no digit.
        _, exponents = np.frexp(np.abs(self.features).max(axis=(1, 2)))
        features = np.ldexp(self.features, -exponents[:, None, None])
        means = (features * real).sum(axis=2) / self.sizes
        squares = ((features - means[:, :, None]) ** 2 * real).sum(axis=(1, 2))
        found: Floats = np.ldexp(np.sqrt(squares / self.sizes.sum()), exponents)
        return found

    def check_spreads(self) -> None:
        """Reject features that differ so little or so much that their weights would overflow.

        Raises:
            InputError: there is one; the message has its name.
        """
        for name, spread in zip(self.lists.names, self.spreads.tolist(), strict=True):
            if not _LEAST_SPREAD <= spread <= _MOST_SPREAD:
                raise InputError(
                    f"the feature {name} differs by about {spread:.2g} within lists; expected "
                    f"differences from {_LEAST_SPREAD:g} to {_MOST_SPREAD:g}: multiply it by a "
                    "constant, or leave it out"
                )

    @cached_property
    def scaled(self) -> Floats:
        """Features for gradients: (segments, hypotheses, features), each with mean 0 in its list.

        Their standard deviation within lists is 1, so that one step suits all weights.
        """
        means = (self.features * self._real).sum(axis=2) / self.sizes
        centred = (self.features - means[:, :, None]) / self.spreads[:, None, None]
        return np.ascontiguousarray(np.moveaxis(centred * self._real, 0, 2))

    @property
    def _real(self) -> Any:
        return np.arange(self.places.shape[1]) < self.sizes[:, None]

    @cached_property
    def blank(self) -> Any:
        """Where a list was filled up."""
        return ~self._real

    def texts(self, chosen: Integers) -> list[str]:
        """Return the chosen texts."""
        return [texts[at] for texts, at in zip(self.lists.texts, chosen.tolist(), strict=True)]
