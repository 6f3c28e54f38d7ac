"""CharCut (Lardilleux and Lepage 2017)."""

from __future__ import annotations

from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.option import option
from bleuet.metrics.base.score import Score
from bleuet.metrics.charcut.rate import COLUMNS, share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, Literal

    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.marks import Mark
    from bleuet.metrics.base.row_limit import RowLimit
    from bleuet.statistics.table import Table


class CharCutScore(Score):
    """A CharCut score and the characters that it is computed from."""

    components = COLUMNS
    values: tuple[int, ...]

    @property
    def deletions(self) -> int:
        """Characters that only the hypothesis has."""
        return self.values[0]

    @property
    def insertions(self) -> int:
        """Characters that only the reference has."""
        return self.values[1]

    @property
    def shifts(self) -> int:
        """Characters that both have, in different places."""
        return self.values[2]

    @property
    def cost(self) -> int:
        """Deletions, insertions and shifts together."""
        return self.values[3]

    @property
    def length(self) -> int:
        """The characters that the cost is divided by."""
        return self.values[4]


class CharCut(Metric[CharCutScore]):
    """CharCut: characters deleted, inserted or shifted, of those of both texts; lower is better.

    The longest common strings are taken one after the other; what is left is deleted or inserted
    (Lardilleux and Lepage 2017). Of several references, the one with the lowest score counts.
    Defaults give the numbers of the authors' program, times 100.

    >>> print(CharCut().corpus_score(["The cat sat down."], ["The cat sat up."]))
    CharCut = 18.75
    >>> score = CharCut().sentence_score("on the mat sat the cat", "the cat sat on the mat")
    >>> score.deletions, score.insertions, score.shifts
    (0, 0, 12)
    """

    match_size: int = option(
        default=3,
        help="fewest characters that match, but for whole words at the beginning and end; for "
        "Chinese or Japanese the authors advise fewer",
        key="size",
        least=1,
        most=1000,
    )
    normalize: Literal["both", "hypothesis"] = option(
        default="both",
        help="both: divide by the characters of hypothesis and reference; hypothesis: by twice "
        "those of the hypothesis, at most 100 per segment",
        key="norm",
        choices=("both", "hypothesis"),
    )
    counter = CounterClass("bleuet.metrics.charcut.definition:CharCutCounter")
    score_type = CharCutScore
    integer_columns = COLUMNS
    higher_is_better = False
    definition = (
        "100 * characters that are deleted, inserted or shifted / characters of hypothesis and "
        "reference, where the longest common strings match, one after the other"
    )
    source = (
        "Lardilleux and Lepage (2017), CharCut: Human-Targeted Character-Based MT Evaluation with "
        "Loose Differences, IWSLT, section 2"
    )
    same_number = "charcut 1.1.1, times 100"

    def row_limits(self, n_references: int | None) -> list[RowLimit]:
        """Return that the cost is at least each of its parts, and at most the length."""
        from bleuet.metrics.base.row_limit import RowLimit

        # A cost of at most twice the hypothesis can be less than the insertions.
        parts = COLUMNS[: 3 if self.normalize == "both" else 1]
        return [*(RowLimit(part, "cost") for part in parts), RowLimit("cost", "length")]

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the cost per character in percent; 0 without characters."""
        return 100 * share(values[3], values[4])

    def _fill_scores(self, table: Table, scores: memoryview[float]) -> None:
        for i, row in enumerate(zip(table.column("cost"), table.column("length"), strict=True)):
            scores[i] = 100 * share(*row)

    def mark_segment(
        self, hypothesis: Any, references: list[Any]
    ) -> tuple[Sequence[object], Sequence[Sequence[object]], Sequence[Mark]]:
        """Return pieces of the texts, and which are equal, shifted, missing or extra.

        The reference that counts is in pieces, others are whole.
        """
        from bleuet.metrics.charcut.pieces import marked_pieces

        return marked_pieces(self, hypothesis, references)

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the characters of each kind, and what they are divided by."""
        deletions, insertions, shifts, _, length = row
        steps.count("n", "characters that the cost is divided by", length)
        steps.count("D", "deleted characters", deletions, whole=length)
        steps.count("I", "inserted characters", insertions, whole=length)
        steps.count("S", "shifted characters", shifts, whole=length)
        formula = "D + I + S" if self.normalize == "both" else "min(n, D + I + S)"
        steps.compute("cost", "cost", formula, whole=length)
        steps.score(self.name, "100 * cost / n" if length else "0")
