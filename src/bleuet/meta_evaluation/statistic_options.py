"""How a statistic is computed, apart from the scores."""

from __future__ import annotations

from bleuet.extras import deferred
from bleuet.frozen import Value
from bleuet.statistics.seed import SEED

TYPE_CHECKING = False
if TYPE_CHECKING:
    import numpy as np

    from bleuet.meta_evaluation.arrays import Integers
else:
    np = deferred("numpy")

# The number of random exchanges for each p-value of soft pairwise accuracy: the paper takes 1,000,
# which leaves the third digit to chance. Where it is computed a thousand times over, 1,024 do.
EXCHANGES, FEW_EXCHANGES = 20480, 1024
# Epsilon is calibrated on nine tenths of the segments, and used on the other tenth.
FOLDS = 10


class StatisticOptions(Value):
    """How a statistic is computed, apart from the scores.

    Args:
        grouping: which scores of segments are compared with each other: "none", "item" or
            "system"; None for the statistic's default.
        margin: the smallest difference between human scores that makes a judgment.
        undefined_as_zero: a group with an undefined value counts as 0, and is not left out.
        held_out_epsilon: the epsilon of acc*eq is calibrated on other segments than it is used on.
        all_segments: the scores of systems cover all segments, also those without human scores.
        seed: the random seed.
        documents: the document of each segment as a number from 0; None for none.
        exchanges: the number of random exchanges of soft pairwise accuracy.
    """

    grouping: str | None = None
    margin: float = 0.0
    undefined_as_zero: bool = False
    held_out_epsilon: bool = False
    all_segments: bool = False
    seed: int = SEED
    documents: Integers | None = None
    exchanges: int = EXCHANGES

    def units(self, segments: int) -> Integers:
        """Return what is drawn or exchanged together: the number of each segment's document.

        Without documents each segment is on its own, and so are scores of whole systems.
        """
        if self.documents is None or segments == 1:
            return np.arange(segments, dtype=np.int64)
        return self.documents

    def folds(self, segments: int) -> Integers:
        """Return the part of each segment, for a calibration on the other parts."""
        units = self.units(segments)
        count = int(units.max()) + 1 if segments else 0
        order: Integers = np.random.default_rng(self.seed).permutation(count) % FOLDS
        return order[units]
