"""Hypotheses as arrays of their features, and what a log-linear model chooses from them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from bleuet.errors import InputError
from bleuet.extras import optional
from bleuet.statistics.backend import backend, is_native

if TYPE_CHECKING:
    from typing import Self

    import numpy as np

    from bleuet.studies.meta_evaluation.arrays import Floats, Integers
    from bleuet.studies.tuning.nbest_lists import NBestLists
else:
    np = optional("numpy")

# The most numbers that one array of features may have: 2 GB.
_MOST_NUMBERS = 1 << 28


@dataclass(frozen=True)
class FeatureLists:
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
        if width * len(sizes) * len(lists.names) > _MOST_NUMBERS:
            raise InputError(
                f"{len(sizes)} segments with up to {width} hypotheses of {len(lists.names)} "
                f"features are more than {_MOST_NUMBERS:,} numbers: use shorter lists"
            )
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
        means = (self.features * real).sum(axis=2) / self.sizes
        squares = ((self.features - means[:, :, None]) ** 2 * real).sum(axis=(1, 2))
        found: Floats = np.sqrt(squares / self.sizes.sum())
        return found

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
