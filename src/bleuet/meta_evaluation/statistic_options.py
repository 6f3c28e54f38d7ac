"""How a statistic is computed, apart from the scores."""

from __future__ import annotations

from bleuet.extras import deferred
from bleuet.frozen import Value
from bleuet.meta_evaluation.settings import AGREEMENT, AgreementSettings

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
        settings: the settings of agreement.
        grouping: which scores of segments are compared with each other: "none", "item" or
            "system"; None for the statistic's default.
        documents: the document of each segment as a number from 0; None for none.
        exchanges: the number of random exchanges of soft pairwise accuracy.
    """

    settings: AgreementSettings = AGREEMENT
    grouping: str | None = None
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
        order: Integers = np.random.default_rng(self.settings.seed).permutation(count) % FOLDS
        return order[units]
