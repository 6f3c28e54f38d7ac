"""The segments whose sentences a page holds: all, or of a large test set those that are read."""

from __future__ import annotations

from functools import cached_property
from itertools import chain
from math import inf

from bleuet.comparison.tokens import tokenize_all
from bleuet.frozen import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from bleuet.comparison.texts import ComparedTexts
    from bleuet.comparison.tokens import Tokens
    from bleuet.evaluation.evaluation import Column

MOST_SEGMENTS = 22_000
# Browsers draw so many points of a scatter chart in about half a second.
MOST_POINTS = 4_000
# Characters of texts and bytes of scores; compressed and as base64 they are at most 25 megabytes.
MOST_CONTENT = 30_000_000
# A score and what it contributes.
NUMBERS = 2 * 8


class Kept(Value, eq=False):
    """The segments of a comparison that a page holds.

    Attributes:
        texts: all segments.
        rows: those that are kept, from 0, in ascending order.
    """

    texts: ComparedTexts
    rows: Sequence[int]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def are_all(self) -> bool:
        """Whether no segment is left out."""
        return len(self.rows) == len(self.texts.references)

    @property
    def references(self) -> list[tuple[str, ...]]:
        """The references of each segment."""
        return [self.texts.references[row] for row in self.rows]

    @cached_property
    def hypotheses(self) -> list[list[str]]:
        """The hypotheses of each system."""
        return [[own[row] for row in self.rows] for own in self.texts.hypotheses]

    @cached_property
    def tokens(self) -> Tokens:
        """The words of all texts as they are written."""
        if self.are_all:
            return self.texts.tokens
        return tokenize_all(self.texts.tokenizer, self.hypotheses, self.references)

    @property
    def sources(self) -> list[str] | None:
        """The source of each segment, None where it is unknown."""
        sources = self.texts.sources
        return None if sources is None else [sources[row] for row in self.rows]

    def select(self, columns: Sequence[Sequence[Column]]) -> Iterator[list[float | None]]:
        """Yield these segments of each column of numbers, `columns[system][metric]`."""
        return ([column[row] for row in self.rows] for own in columns for column in own)


def kept_segments(texts: ComparedTexts) -> Kept:
    """Return the segments that a page holds.

    Of a large test set they are those with the largest differences between systems, in equal parts
    by the score of the segment and by its contribution to the score of the test set, by each
    metric; and as many that are evenly distributed over the others. With one system those with the
    worst scores are in place of differences.
    """
    evaluation = texts.evaluation
    segments, room = evaluation.segments, _room(texts)
    if segments <= room:
        return Kept(texts, range(segments))
    orders = [
        _interest(columns, metric.higher_is_better)
        for numbers in (evaluation.sentence_scores, evaluation.contributions)
        for metric, columns in zip(evaluation.metrics, zip(*numbers, strict=True), strict=True)
    ]
    kept: set[int] = set()
    for interest in orders:
        order = sorted(range(segments), key=interest.__getitem__, reverse=True)
        kept.update(order[: room // 2 // len(orders)])
    others = [row for row in range(segments) if row not in kept]
    kept.update(even_sample(others, room - len(kept)))
    return Kept(texts, sorted(kept))


def even_sample(rows: Sequence[Any], most: int) -> Sequence[Any]:
    """Return some of a sequence, evenly distributed over it; all if there are at most `most`.

    >>> list(even_sample(range(10), 4))
    [0, 2, 5, 7]
    """
    if len(rows) <= most:
        return rows
    return [rows[number * len(rows) // most] for number in range(most)]


def _room(texts: ComparedTexts) -> int:
    """Return how many segments fit, if all are as long as they are on average."""
    every = chain(chain.from_iterable(texts.references), *texts.hypotheses, texts.sources or ())
    segments = len(texts.references)
    scores = len(texts.hypotheses) * len(texts.evaluation.metrics) * segments
    content = sum(map(len, every)) + NUMBERS * scores
    return max(1, min(MOST_SEGMENTS, MOST_CONTENT * segments // content))


def _interest(columns: Sequence[Column], higher_is_better: bool) -> list[float]:
    """Return how much the systems differ in each segment, or how bad the only system is."""
    if len(columns) == 1:
        sign = -1 if higher_is_better else 1
        return [-inf if score is None else sign * score for score in columns[0]]
    return [_spread(same) for same in zip(*columns, strict=True)]


def _spread(scores: Column) -> float:
    present = [score for score in scores if score is not None]
    return max(present) - min(present) if present else 0.0
