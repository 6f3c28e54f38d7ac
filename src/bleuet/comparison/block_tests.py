"""The test of the BLEU paper for all systems: scores of blocks, and Student's paired t of pairs."""

from __future__ import annotations

from bleuet.comparison.by_system import BySystem
from bleuet.errors import OptionError
from bleuet.frozen import Value
from bleuet.output.document import Column, DocumentTable
from bleuet.output.plain_values import Plain
from bleuet.significance.blocks import block_scores, paired_t

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.evaluation.evaluation import Evaluation
    from bleuet.significance.blocks import BlockComparison, BlockScores


class BlockTest(Value, Plain):
    """Two systems compared over the blocks of a test set.

    Attributes:
        left: the name of the first system.
        right: the name of the second system.
        found: Student's paired t, positive where the first system scores higher.
    """

    left: str
    right: str
    found: BlockComparison
    plain_fields = (
        *("left", "right", "difference=found.difference", "t=found.t"),
        *("degrees_of_freedom=found.degrees_of_freedom", "p_value=found.p_value"),
    )


class Blocks(Value, BySystem):
    """All systems by one metric over blocks (Papineni et al. 2002, section 3 and table 2).

    Attributes:
        metric: the printed name of the metric.
        scores: the scores of the blocks of each system, with their mean and variance.
        tests: Student's paired t of each pair that is compared.
    """

    metric: str
    scores: tuple[BlockScores, ...]
    tests: tuple[BlockTest, ...]
    plain_fields = ("metric", "systems=scores", "tests")

    def tables(self, evaluation: Evaluation) -> Iterator[DocumentTable]:
        """Yield a table of the systems, and one of the tests, if there are any.

        Args:
            evaluation: the systems.
        """
        extra_digits = evaluation.extra_digits[evaluation.headings.index(self.metric)]
        sizes = self.scores[0].segments
        size = " or ".join(map(str, sorted(set(sizes))))
        yield DocumentTable(
            "blocks",
            f"{self.metric} of {len(sizes)} blocks of {size} segment{'s' * (max(sizes) > 1)}",
            [
                Column("system"),
                Column("mean", kind="score", extra_digits=extra_digits),
                Column("variance", kind="score", extra_digits=2 * extra_digits),
                Column("deviation", kind="score", extra_digits=extra_digits),
            ],
            [
                [name, own.mean, own.variance, own.standard_deviation]
                for name, own in zip(evaluation.systems, self.scores, strict=True)
            ],
        )
        if self.tests:
            yield self._table_of_tests(extra_digits)

    def _table_of_tests(self, extra_digits: int) -> DocumentTable:
        freedom = self.tests[0].found.degrees_of_freedom
        how = f"Student's paired t, {freedom} degree{'s' * (freedom > 1)} of freedom"
        return DocumentTable.of(
            "blocks",
            f"{self.metric} block by block ({how})",
            [
                Column("system", value="left"),
                Column("other", "compared with", value="right"),
                Column(
                    "difference",
                    kind="difference",
                    extra_digits=extra_digits,
                    value="found.difference",
                ),
                Column("t", kind="score", value="found.t"),
                Column("p_value", "p", "p-value", value="found.p_value"),
            ],
            self.tests,
        )


def score_blocks(
    evaluation: Evaluation, metric: int, blocks: int, pairs: Sequence[tuple[str, str]]
) -> Blocks:
    """Score all systems block by block, and compare pairs of them.

    Args:
        evaluation: the systems, counted.
        metric: the index of the metric.
        blocks: the number of blocks.
        pairs: the names of the systems to compare.

    Raises:
        OptionError: there are fewer segments than blocks, or fewer than two blocks.
        MissingExtraError: scipy is not installed.
    """
    scores = {
        name: block_scores(evaluation.metrics[metric], own[metric], blocks=blocks)
        for name, own in evaluation.compared.tables.items()
    }
    _check_scored(evaluation.compared, metric, blocks)
    tests = (BlockTest(left, right, paired_t(scores[right], scores[left])) for left, right in pairs)
    return Blocks(evaluation.headings[metric], tuple(scores.values()), tuple(tests))


def _check_scored(evaluation: Evaluation, metric: int, blocks: int) -> None:
    """Reject blocks in which a system has no score, which would count as 0."""
    segments, scored = evaluation.segments, evaluation.scored_segments[metric]
    for system, own in zip(evaluation.systems, map(set, scored), strict=False):
        for number in range(blocks):
            span = range(segments * number // blocks, segments * (number + 1) // blocks)
            if span and own.isdisjoint(span):
                raise OptionError(
                    f"{system} has no {evaluation.headings[metric]} score to compare in block "
                    f"{number + 1} of {blocks}, segments {span.start + 1} to {span.stop}: use "
                    "fewer blocks"
                )
