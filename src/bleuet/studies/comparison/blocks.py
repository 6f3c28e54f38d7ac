"""The BLEU paper's comparison: the test set in blocks, and Student's paired t of two systems."""

from __future__ import annotations

from dataclasses import dataclass

from bleuet.errors import OptionError
from bleuet.studies.significance.blocks import block_scores, paired_t
from bleuet.studies.significance.segment_mean import SegmentMean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.studies.comparison.evaluation import Evaluation
    from bleuet.studies.significance.blocks import BlockComparison, BlockScores


@dataclass(frozen=True, slots=True)
class BlockTest:
    """Two systems held against each other block by block.

    Attributes:
        left: the first system's name.
        right: the second's.
        found: Student's paired t, positive where the first system scores higher.
    """

    left: str
    right: str
    found: BlockComparison


@dataclass(frozen=True, slots=True)
class Blocks:
    """All systems by one metric, block by block (Papineni et al. 2002, section 3 and table 2).

    Attributes:
        metric: the metric's printed name.
        scores: each system's scores of the blocks, with their mean and variance.
        tests: what sets two systems apart, for each pair that is compared.
    """

    metric: str
    scores: tuple[BlockScores, ...]
    tests: tuple[BlockTest, ...]

    def to_dict(self, systems: Sequence[str]) -> dict[str, Any]:
        """Return plain values.

        Args:
            systems: the systems' names.
        """
        return {
            "metric": self.metric,
            "systems": {
                name: own.to_dict() for name, own in zip(systems, self.scores, strict=True)
            },
            "tests": [
                {
                    "left": test.left,
                    "right": test.right,
                    "difference": test.found.difference,
                    "t": test.found.to_dict()["t"],
                    "degrees_of_freedom": test.found.degrees_of_freedom,
                    "p_value": test.found.p_value,
                }
                for test in self.tests
            ],
        }


def cut_into_blocks(
    evaluation: Evaluation, metric: int, blocks: int, pairs: Sequence[tuple[str, str]]
) -> Blocks:
    """Score all systems block by block, and test pairs of them.

    Args:
        evaluation: the systems, counted.
        metric: the metric's number.
        blocks: how many blocks.
        pairs: the systems to hold against each other, by name.

    Raises:
        OptionError: there are fewer segments than blocks, or fewer than two blocks.
        MissingExtraError: scipy is not installed.
    """
    scores = {
        name: block_scores(evaluation.metrics[metric], own[metric], blocks=blocks)
        for name, own in zip(evaluation.systems, evaluation.tables, strict=True)
    }
    _check_judged(evaluation, metric, blocks)
    tests = (BlockTest(left, right, paired_t(scores[right], scores[left])) for left, right in pairs)
    return Blocks(evaluation.names[metric], tuple(scores.values()), tuple(tests))


def _check_judged(evaluation: Evaluation, metric: int, blocks: int) -> None:
    """Refuse blocks in which a system has no score, which would count as 0."""
    if not isinstance(evaluation.metrics[metric], SegmentMean):
        return
    segments = len(evaluation)
    for system, own in zip(evaluation.systems, evaluation.sentence_scores, strict=True):
        for number in range(blocks):
            span = range(segments * number // blocks, segments * (number + 1) // blocks)
            if span and all(own[metric][row] is None for row in span):
                raise OptionError(
                    f"{system} has no {evaluation.names[metric]} score in block {number + 1} of "
                    f"{blocks}, from segment {span.start + 1} to {span.stop}: take fewer blocks"
                )
