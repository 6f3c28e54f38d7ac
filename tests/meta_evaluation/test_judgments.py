"""Scores and judgments from rows: their validation, and counts of what is left out."""

from __future__ import annotations

from math import inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet.errors import InputError, InputTypeError
from bleuet.meta_evaluation import PairwiseJudgments, ScoreMatrix
from tests.evaluation_data import EvaluationData

if TYPE_CHECKING:
    from collections.abc import Callable

DATA = EvaluationData.find()


def test_rows_become_a_matrix_in_order_of_occurrence() -> None:
    rows = [(1, "north", 0.5), (0, "south", 0.25), (3, "north", 1.0)]
    scores = ScoreMatrix.from_rows(rows)
    assert scores.systems == ("north", "south")
    assert np.array_equal(
        scores.values, [[nan, 0.5, nan, 1.0], [0.25, nan, nan, nan]], equal_nan=True
    )
    assert (scores.segments, scores.missing) == (4, 5)
    assert scores.system_means().tolist() == [0.75, 0.25]


def test_segments_are_named_or_numbered() -> None:
    rows = [("news-2", "north", 2.0), ("news-1", "north", 1.0)]
    assert ScoreMatrix.from_rows(rows).values.tolist() == [[2.0, 1.0]]
    assert ScoreMatrix.from_rows(rows, ["news-1", "news-2"]).values.tolist() == [[1.0, 2.0]]
    assert ScoreMatrix.from_rows([(0, "north", 1.0)], 3).segments == 3


def test_repeated_scores_are_averaged_on_request() -> None:
    rows = [(0, "north", 1.0), (0, "north", 4.0), (0, "south", 2.0)]
    with pytest.raises(InputError, match="0 of system north must have one score, but has 2"):
        ScoreMatrix.from_rows(rows)
    averaged = ScoreMatrix.from_rows(rows, average_repeated=True)
    assert averaged.values.tolist() == [[2.5], [2.0]]


def test_values_are_frozen_and_equal_by_content() -> None:
    mine = np.array([[1.0, nan], [2.0, 3.0]])
    scores = ScoreMatrix(("a", "b"), mine)
    same = ScoreMatrix(("a", "b"), mine)
    mine[0, 0] = 9
    assert scores == same
    assert hash(scores) == hash(same)
    assert scores != ScoreMatrix(("a", "b"), mine)
    with pytest.raises(ValueError, match="read-only"):
        scores.values[0, 0] = 1
    judged = PairwiseJudgments.from_better_worse([(0, "a", "b")])
    assert judged == PairwiseJudgments.from_better_worse([(0, "a", "b")])
    assert judged != PairwiseJudgments.from_better_worse([(1, "a", "b")])
    with pytest.raises(ValueError, match="read-only"):
        judged.preference[0] = 0


def test_rankings_become_all_their_pairs() -> None:
    rows = [(4, ["a", "b", "c", "d"], [2, 1, 2, -1]), (0, ["d", "a"], [1, 5])]
    judged = PairwiseJudgments.from_rankings(rows)
    named = [
        (int(s), judged.systems[a], judged.systems[b], int(preference))
        for s, a, b, preference in zip(
            judged.segment, judged.first, judged.second, judged.preference, strict=True
        )
    ]
    assert named == [(4, "a", "b", -1), (4, "a", "c", 0), (4, "b", "c", 1), (0, "d", "a", 1)]
    assert judged.left_out == 3
    assert len(judged.without_ties()) == 3
    assert judged.without_ties().left_out == 4


def test_scores_become_judgments_of_every_pair() -> None:
    scores = ScoreMatrix(("a", "b", "c"), np.array([[1.0, 5.0], [3.0, nan], [3.5, 2.0]]))
    judged = PairwiseJudgments.from_scores(scores, margin=0.5)
    assert judged.segment.tolist() == [0, 0, 0, 1]
    assert judged.preference.tolist() == [-1, -1, -1, 1]  # a difference of the margin counts
    assert judged.left_out == 2
    wider = PairwiseJudgments.from_scores(scores, margin=0.6)
    assert wider.preference.tolist() == [-1, -1, 0, 1]
    tenths = ScoreMatrix(("a", "b"), np.array([[0.3], [0.2]]))  # 0.3 - 0.2 is a little below 0.1
    assert PairwiseJudgments.from_scores(tenths, margin=0.1).preference.tolist() == [1]


@pytest.mark.data
@pytest.mark.parametrize("pair", ["cs-en", "de-en", "es-en", "fr-en"])
def test_rankings_of_a_shared_task_give_its_pairs(pair: str) -> None:
    lines = [line.split("\t") for line in DATA.lines(f"data/wmt12/{pair}/rankings.tsv.gz")][1:]
    judged = PairwiseJudgments.from_rankings(
        (int(row[0]), row[2:7], [int(rank) for rank in row[7:]]) for row in lines
    ).without_ties()
    pairs = [line.split("\t") for line in DATA.lines(f"data/wmt12/{pair}/pairs.tsv.gz")][1:]
    given = PairwiseJudgments.from_better_worse(
        [(int(segment), better, worse) for segment, better, worse in pairs],
        systems=judged.systems,
    )
    assert len(judged) + judged.left_out == 10 * len(lines)
    assert judged.segment.tolist() == given.segment.tolist()
    better = np.where(judged.preference > 0, judged.first, judged.second)
    assert better.tolist() == given.first.tolist()


def ints(*numbers: int) -> Any:
    return np.array(numbers, dtype=np.int64)


MISTAKES: dict[str, tuple[Callable[[], object], str]] = {
    "one row too short": (
        lambda: ScoreMatrix(("a", "b"), np.zeros((1, 3))),
        r"each of the 2 systems .* shape is \(1, 3\)",
    ),
    "a list of numbers": (lambda: ScoreMatrix(("a",), np.zeros(3)), r"shape is \(3,\)"),
    "a name twice": (lambda: ScoreMatrix(("a", "a"), np.zeros((2, 1))), "two systems are called a"),
    "an infinite score": (
        lambda: ScoreMatrix(("a",), np.array([[inf]])),
        "must be finite, not infinite",
    ),
    "no rows": (
        lambda: ScoreMatrix.from_rows([]),
        r"there are no rows: give rows \(segment, system, score\)",
    ),
    "a short row": (
        lambda: ScoreMatrix.from_rows([(0, "a", 1.0), (1, "a")]),  # type: ignore[list-item]
        r"row 2 must hold segment, system, score, but is \(1, 'a'\)",
    ),
    "an unknown system": (
        lambda: ScoreMatrix.from_rows([(0, "a", 1.0)], systems=["b"]),
        "there is no system a: the systems are b",
    ),
    "an unknown segment": (
        lambda: ScoreMatrix.from_rows([("x", "a", 1.0)], ["y"]),
        "there is no segment 'x' among the 1 segments",
    ),
    "a segment too far": (
        lambda: ScoreMatrix.from_rows([(3, "a", 1.0)], 3),
        "0 to 2, but row 1 has 3",
    ),
    "an absent system": (
        lambda: ScoreMatrix(("a",), np.zeros((1, 1))).select(["a", "z"]),
        "no scores of z: the systems with scores are a",
    ),
    "lengths that differ": (
        lambda: PairwiseJudgments(("a", "b"), ints(0), ints(0), ints(1), ints(1, 1)),
        "preferences, not 1, 1, 1 and 2",
    ),
    "a preference of 2": (
        lambda: PairwiseJudgments(("a", "b"), ints(0), ints(0), ints(1), ints(2)),
        "preferences must be numbers -1 to 1, but row 1 has 2",
    ),
    "a system that is not there": (
        lambda: PairwiseJudgments(("a", "b"), ints(0), ints(0), ints(2), ints(1)),
        "second systems must be numbers 0 to 1",
    ),
    "a system against itself": (
        lambda: PairwiseJudgments.from_better_worse([(0, "a", "b"), (0, "b", "b")]),
        "judgment 2 must compare two systems, but compares b with itself",
    ),
    "too few ranks": (
        lambda: PairwiseJudgments.from_rankings([(0, ["a", "b"], [1])]),
        "ranking 1 must have one rank for each system, .* but has a, b with the ranks 1",
    ),
    "a rank of 0": (
        lambda: PairwiseJudgments.from_rankings([(0, ["a", "b"], [0, 1])]),
        "must have ranks from 1 for the best, and -1 for a system without a rank, but has a, b "
        "with the ranks 0",
    ),
    "blanks alone": (
        lambda: PairwiseJudgments.from_rankings([(0, ["a", "b"], [-1, 1])]),
        "rankings must rank two systems, but all 1 pairs lack a rank",
    ),
    "a ranking without ranks": (
        lambda: PairwiseJudgments.from_rankings([(0, ["a"])]),  # type: ignore[list-item]
        "must hold segment, systems, ranks",
    ),
    "a segment before the first": (
        lambda: PairwiseJudgments.from_better_worse([(-1, "a", "b")]),
        "segments must be numbers 0 or more, but row 1 has -1",
    ),
    "a word for a score": (
        lambda: ScoreMatrix.from_rows([(0, "a", "good")]),  # type: ignore[list-item]
        "scores must be numbers",
    ),
    "rows of different lengths": (
        lambda: ScoreMatrix(("a", "b"), [[1.0], [1.0, 2.0]]),  # type: ignore[arg-type]
        "equally many for each system",
    ),
    "a system ranked twice": (
        lambda: PairwiseJudgments.from_rankings([(0, ["a", "a"], [1, 2])]),
        "each system once",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_error_is_one_line(mistake: str) -> None:
    make, message = MISTAKES[mistake]
    with pytest.raises(InputError, match=message) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_fractions_are_not_segments() -> None:
    with pytest.raises(InputTypeError, match="whole numbers"):
        PairwiseJudgments(("a", "b"), np.array([0.5]), ints(0), ints(1), ints(1))
