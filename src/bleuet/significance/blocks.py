"""The test of the BLEU paper: a score for each block of the test set, and Student's paired t.

Papineni et al. 2002, "BLEU: a Method for Automatic Evaluation of Machine Translation", section 3:
20 blocks of 25 sentences give a mean and a variance, and two systems are compared by a t statistic,
for which 1.7 and above is significant at 95% (one-sided, 19 degrees of freedom).
"""

from __future__ import annotations

from math import inf

from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.frozen import Value, checked
from bleuet.output.cells import p_value_clause
from bleuet.output.plain_values import Plain
from bleuet.significance.interval import mean_of, standard_deviation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.metrics.base.metric import Metric
    from bleuet.statistics.table import Table

BLOCKS = 20


class BlockScores(Value, Plain):
    """The scores of the blocks of a test set by one metric.

    Attributes:
        metric: the name of the metric.
        scores: one score per block, in the order of the test set.
        segments: the number of segments of each block.
        extra_digits: the digits that scores need beyond those of a score in percent.
    """

    metric: str
    scores: tuple[float, ...]
    segments: tuple[int, ...]
    extra_digits: int = 0
    plain_fields = ("metric", "scores", "segments", "mean", "variance", "standard_deviation")

    @property
    def mean(self) -> float:
        """The mean over blocks."""
        return mean_of(self.scores)

    @property
    def variance(self) -> float:
        """The variance over blocks, with Bessel's correction."""
        return self.standard_deviation**2

    @property
    def standard_deviation(self) -> float:
        """The standard deviation over blocks, with Bessel's correction."""
        return standard_deviation(self.scores)

    def __str__(self) -> str:
        digits, squared = 2 + self.extra_digits, 2 + 2 * self.extra_digits
        return (
            f"{self.metric} = {self.mean:.{digits}f} (variance {self.variance:.{squared}f}, s = "
            f"{self.standard_deviation:.{digits}f}, {len(self.scores)} blocks)"
        )

    def __repr__(self) -> str:
        return f"<{self}>"


class BlockComparison(Value, Plain):
    """Student's paired t of two systems over the blocks of a test set.

    Attributes:
        one: the blocks of the first system.
        other: the blocks of the second system.
        t: the mean difference in standard errors, positive where the second system scores higher.
        p_value: the two-sided p-value.
        degrees_of_freedom: the number of blocks minus one.
    """

    one: BlockScores
    other: BlockScores
    t: float
    p_value: float
    degrees_of_freedom: int

    @property
    def difference(self) -> float:
        """The mean of the second system over blocks minus the mean of the first."""
        return self.other.mean - self.one.mean

    def __str__(self) -> str:
        return f"t = {self.t:.2f} (df = {self.degrees_of_freedom}, {p_value_clause(self.p_value)})"

    def __repr__(self) -> str:
        return f"<{self}>"


@checked
def block_scores(metric: Metric[Any], table: Table, *, blocks: int = BLOCKS) -> BlockScores:
    """Score each block of consecutive segments; sizes differ by one segment at most.

    Args:
        metric: the metric.
        table: its statistics, one row per segment.
        blocks: the number of blocks.

    Raises:
        OptionError: there are fewer segments than blocks, or fewer than two blocks.

    >>> from bleuet import TER
    >>> table = TER().count(["a b", "a c", "a d", "a b"], ["a b"] * 4)
    >>> print(block_scores(TER(), table, blocks=2))
    TER = 25.00 (variance 0.00, s = 0.00, 2 blocks)
    """
    if table.rows < 2:
        raise OptionError(f"blocks need two segments or more, but there are {table.rows}")
    if isinstance(blocks, bool) or not isinstance(blocks, int) or not 2 <= blocks <= table.rows:
        raise OptionError(
            f"must be from 2 to {table.rows}, the number of segments, not {blocks!r}",
            option="blocks",
        )
    ends = [table.rows * (k + 1) // blocks for k in range(blocks)]
    spans = [range(start, end) for start, end in zip([0, *ends], ends, strict=False)]
    scores = tuple(metric.score(table.select(span).totals()).score for span in spans)
    return BlockScores(metric.name, scores, tuple(map(len, spans)), metric.extra_digits)


@checked
def compare_blocks(
    metric: Metric[Any], one: Table, other: Table, *, blocks: int = BLOCKS
) -> BlockComparison:
    """Compare two systems by Student's paired t over blocks of the same segments.

    Args:
        metric: the metric.
        one: the statistics of the first system.
        other: the statistics of the second system.
        blocks: the number of blocks; the paper uses 20.

    Raises:
        OptionError: the systems do not have the same segments, or too few for the blocks.
        MissingExtraError: scipy, which computes Student's distribution, is not installed.
    """
    if one.rows != other.rows:
        raise OptionError(
            f"both systems must have the same segments, but one has {one.rows} and the other "
            f"{other.rows}"
        )
    return paired_t(*(block_scores(metric, table, blocks=blocks) for table in (one, other)))


def paired_t(one: BlockScores, other: BlockScores) -> BlockComparison:
    """Compare two systems by Student's paired t over their scored blocks.

    Args:
        one: the blocks of the first system.
        other: the blocks of the second system, of the same segments.

    Raises:
        MissingExtraError: scipy, which computes Student's distribution, is not installed.
    """
    blocks = len(one.scores)
    differences = [b - a for a, b in zip(one.scores, other.scores, strict=True)]
    deviation = standard_deviation(differences)
    mean = mean_of(differences)
    if deviation == 0:
        # All blocks differ by the same amount, or not at all.
        t = 0.0 if mean == 0 else inf if mean > 0 else -inf
    else:
        t = mean / (deviation / blocks**0.5)
    p = 2 * float(optional("scipy.stats").t.sf(abs(t), blocks - 1))
    return BlockComparison(one, other, t, p, blocks - 1)
