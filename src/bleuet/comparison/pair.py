"""Two systems compared: the sentences and n-grams in which they differ most."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations

from bleuet.comparison.ngrams import ngram_differences
from bleuet.comparison.sentence_ranking import rank_sentences
from bleuet.frozen import Value
from bleuet.output.document import Column, DocumentTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.comparison.ngrams import NgramDifference
    from bleuet.comparison.sentence_ranking import SentenceRanking
    from bleuet.comparison.texts import ComparedTexts


class Pair(Value, eq=False):
    """Two systems compared; sentences and n-grams are computed when they are first used.

    Attributes:
        texts: the texts of the systems, and their scores.
        places: the indices of the two systems.
        examples: the largest number of sentences and n-grams for each system.
    """

    texts: ComparedTexts
    places: tuple[int, int]
    examples: int

    @property
    def left(self) -> str:
        """The name of the first system."""
        return self.texts.evaluation.systems[self.places[0]]

    @property
    def right(self) -> str:
        """The name of the second system."""
        return self.texts.evaluation.systems[self.places[1]]

    def __repr__(self) -> str:
        return f"<{self.left} and {self.right}>"

    @cached_property
    def sentences(self) -> tuple[SentenceRanking, ...]:
        """The sentences with the largest differences in score, one ranking per metric."""
        metrics = range(len(self.texts.evaluation.metrics))
        return tuple(
            rank_sentences(self.texts, self.places, metric, self.examples) for metric in metrics
        )

    @cached_property
    def _ngrams(self) -> tuple[tuple[NgramDifference, ...], tuple[NgramDifference, ...]]:
        return ngram_differences(self.texts.ngram_groups, *self.places, self.examples)

    @property
    def gained(self) -> tuple[NgramDifference, ...]:
        """The n-grams that the first system gets more often."""
        return self._ngrams[0]

    @property
    def lost(self) -> tuple[NgramDifference, ...]:
        """The n-grams that the second system gets more often."""
        return self._ngrams[1]

    def sentence_tables(self) -> Iterator[DocumentTable]:
        """Yield a table of sentences for each of both systems, ranked by the first metric."""
        if not self.examples:
            return
        ranking = self.sentences[0]
        total = ranking.wins + ranking.losses + ranking.ties
        columns = [
            Column("segment", kind="count"),
            *(
                self.texts.evaluation.score_column(
                    0, f"score_{side}", f"{ranking.metric} of {name}"
                )
                for side, name in (("left", self.left), ("right", self.right))
            ),
            *(Column(key, kind="long text") for key in ("reference", self.left, self.right)),
        ]
        for better, worse, found, wins in (
            (self.left, self.right, ranking.gained, ranking.wins),
            (self.right, self.left, ranking.lost, ranking.losses),
        ):
            rows = [
                (one.segment, *one.scores, " | ".join(one.references), *one.hypotheses)
                for one in found
            ]
            title = (
                f"Sentences where {better} is furthest ahead of {worse} by {ranking.metric} "
                f"(ahead in {wins} of {total})"
            )
            yield DocumentTable("sentences", title, columns, rows)

    def ngram_tables(self) -> Iterator[DocumentTable]:
        """Yield a table of n-grams for each of both systems."""
        if not self.examples:
            return
        columns = [
            Column("ngram", "n-gram", value="text"),
            Column(self.left, kind="count", value="left"),
            Column(self.right, kind="count", value="right"),
            Column("ratio", kind="score"),
        ]
        for better, worse, found in (
            (self.left, self.right, self.gained),
            (self.right, self.left, self.lost),
        ):
            title = f"N-grams that {better} gets more often than {worse}"
            yield DocumentTable.of("ngrams", title, columns, found)


def pairs_of(systems: int, *, all_pairs: bool = False) -> list[tuple[int, int]]:
    """Return the pairs of systems to compare, by their indices.

    Args:
        systems: the number of systems.
        all_pairs: every two systems, instead of the first with each other system.

    >>> pairs_of(3), len(pairs_of(3, all_pairs=True))
    ([(0, 1), (0, 2)], 3)
    """
    return [pair for pair in combinations(range(systems), 2) if all_pairs or not pair[0]]
