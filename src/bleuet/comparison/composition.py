"""What the systems' scores are made of, and what moves the difference between two of them."""

from __future__ import annotations

from bleuet.comparison.by_system import BySystem
from bleuet.frozen import Value
from bleuet.metrics.base.composition import moved_by
from bleuet.output.document import Column, DocumentTable
from bleuet.output.plain_values import Plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bleuet.evaluation.evaluation import Evaluation
    from bleuet.metrics.base.composition import Composition, Moved
    from bleuet.output.document import Cell

# Parts between 0 and 1, such as a brevity penalty, need a digit more.
DIGITS_OF_PARTS = 1


class DifferenceParts(Value, Plain):
    """What the difference between two systems is made of.

    Attributes:
        left: the name of the first system.
        right: the name of the second system.
        difference: the score of the first minus that of the second.
        parts: what adds up to the difference.
    """

    left: str
    right: str
    difference: float
    parts: tuple[Moved, ...]


class ScoreParts(Value, BySystem):
    """What the scores by one metric are made of.

    Attributes:
        metric: the printed name of the metric.
        systems: the parts of each system's score.
        differences: the pairs of systems whose difference has parts.
    """

    metric: str
    systems: tuple[Composition, ...]
    differences: tuple[DifferenceParts, ...]

    def tables(self, evaluation: Evaluation) -> Iterator[DocumentTable]:
        """Yield the parts of all scores, and for each pair what moves the difference.

        Args:
            evaluation: the systems.
        """
        extra = evaluation.extra_digits[evaluation.headings.index(self.metric)]
        made = self.systems[0]
        names = [one.name for one in (*made.factors, *made.beside)]
        yield DocumentTable(
            "parts",
            f"Parts of {self.metric}",
            [
                Column("system"),
                *(
                    Column(name, kind="score", extra_digits=DIGITS_OF_PARTS + extra)
                    for name in names
                ),
                Column(self.metric, kind="score", extra_digits=extra),
            ],
            [
                [name, *(one.value for one in (*own.factors, *own.beside)), own.value]
                for name, own in zip(evaluation.systems, self.systems, strict=True)
            ],
            f"{self.metric} is the {made.rule} of its parts.",
        )
        for pair in self.differences:
            yield self._difference_table(pair, extra)

    def _difference_table(self, pair: DifferenceParts, extra: int) -> DocumentTable:
        digits = DIGITS_OF_PARTS + extra
        columns = [
            Column("name", "part"),
            Column("left", pair.left, kind="score", extra_digits=digits),
            Column("right", pair.right, kind="score", extra_digits=digits),
            Column("points", "moves the difference by", kind="difference", extra_digits=extra),
        ]
        rows: list[list[Cell]] = [[one.name, one.left, one.right, one.points] for one in pair.parts]
        rows.append(["all parts", None, None, pair.difference])
        title = f"What moves {self.metric} from {pair.right} to {pair.left}"
        return DocumentTable("parts", title, columns, rows)


def score_parts(evaluation: Evaluation, pairs: Iterable[tuple[int, int]]) -> tuple[ScoreParts, ...]:
    """Return what the scores are made of, for each metric whose score is made of parts.

    Args:
        evaluation: the systems, scored.
        pairs: the numbers of the systems whose differences are of interest.
    """
    chosen = list(pairs)
    found = []
    for place, metric in enumerate(evaluation.headings):
        scores = [own[place] for own in evaluation.scores.values()]
        made = [score.composition() for score in scores]
        whole = [
            one
            for one, score in zip(made, scores, strict=True)
            if one is not None and one.gives(score.score)
        ]
        names = {tuple(part.name for part in (*one.factors, *one.beside)) for one in whole}
        if len(whole) < len(scores) or len(names) != 1:
            continue
        differences = []
        for left, right in chosen:
            parts = moved_by(whole[left], whole[right])
            if parts is not None:
                names_of_pair = evaluation.systems[left], evaluation.systems[right]
                difference = scores[left].score - scores[right].score
                differences.append(DifferenceParts(*names_of_pair, difference, parts))
        found.append(ScoreParts(metric, tuple(whole), tuple(differences)))
    return tuple(found)
