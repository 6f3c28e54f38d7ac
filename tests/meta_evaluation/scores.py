"""Random score matrices and judgments with many ties and holes, for Hypothesis."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from bleuet.meta_evaluation import PairwiseJudgments, ScoreMatrix

if TYPE_CHECKING:
    from bleuet.meta_evaluation.arrays import Floats

WHOLE = st.integers(0, 4).map(lambda number: number / 4)
WITH_HOLES = st.one_of(WHOLE, WHOLE, WHOLE, st.just(nan))


@st.composite
def two_sides(draw: st.DrawFn, scores: st.SearchStrategy[float] = WHOLE) -> tuple[Floats, Floats]:
    """Human and metric scores of 2 to 6 systems on 2 to 7 segments."""
    systems, segments = draw(st.integers(2, 6)), draw(st.integers(2, 7))
    size = systems * segments
    sides = [draw(st.lists(scores, min_size=size, max_size=size)) for _ in range(2)]
    human, metric = (np.array(side).reshape(systems, segments) for side in sides)
    return human, metric


def matrix(values: Floats) -> ScoreMatrix:
    return ScoreMatrix(tuple(f"system-{i}" for i in range(len(values))), values)


@st.composite
def judged(draw: st.DrawFn) -> tuple[PairwiseJudgments, ScoreMatrix]:
    """Judgments with ties, repetitions and contradictions, beside a metric with ties and holes."""
    _, metric = draw(two_sides(WITH_HOLES))
    systems, segments = metric.shape
    one = st.tuples(
        st.integers(0, segments - 1),
        st.lists(st.integers(0, systems - 1), min_size=2, max_size=2, unique=True),
        st.integers(-1, 1),
    )
    rows = draw(st.lists(one, max_size=30))
    scores = matrix(metric)
    flat = [(segment, *pair, preference) for segment, pair, preference in rows]
    segment, first, second, preference = np.array(flat, dtype=np.int64).reshape(-1, 4).T
    return PairwiseJudgments(scores.systems, segment, first, second, preference), scores
