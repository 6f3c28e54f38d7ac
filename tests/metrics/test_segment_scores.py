"""The scores of all segments: a sequence of numbers, and full scores when they are asked for."""

from __future__ import annotations

import pickle
import statistics

import numpy as np
import pytest

from bleuet import BLEU, CHRF, TER, BLEUScore, Metric

HYPOTHESES = ["a b c d", "a b", ""]
REFERENCES = ["a b c x", ["x", "a b"], "a"]


@pytest.mark.parametrize("kind", [BLEU, CHRF, TER])
def test_it_is_a_sequence_of_numbers(kind: type[Metric]) -> None:
    metric = kind()
    scores = metric.sentence_scores(HYPOTHESES, REFERENCES)
    numbers = scores.values.tolist()
    assert len(scores) == 3
    assert list(scores) == scores.tolist() == [*scores[:2], scores[-1]] == numbers
    assert {type(one) for one in (*scores, scores[int(np.int64(0))], *scores[::-1])} == {float}
    assert list(reversed(scores)) == numbers[::-1]
    assert statistics.mean(scores) == statistics.mean(numbers)
    assert (max(scores) in scores, -1.0 in scores) == (True, False)
    assert scores.index(numbers[2]) == numbers.index(numbers[2])
    assert [scores.score(i).score for i in (0, 1, -1)] == numbers
    first = f"{numbers[0]:.2f}, {numbers[1]:.2f}, {numbers[2]:.2f}"
    assert repr(scores) == f"<3 segment scores by {metric.name}: {first}>"
    assert repr(metric.sentence_scores([""] * 1000, ["a"] * 1000)).startswith("<1,000 segment")
    assert scores.metric is metric
    assert scores.table == metric.count(HYPOTHESES, REFERENCES)


def test_a_score_has_the_components_of_its_segment() -> None:
    score = BLEU().sentence_scores(HYPOTHESES, REFERENCES).score(0)
    assert isinstance(score, BLEUScore)
    assert (score.sys_len, score.ref_len, score.counts) == (4, 4, (3, 2, 1, 0))


def test_the_numbers_are_an_array_that_cannot_be_changed() -> None:
    values = TER().sentence_scores(HYPOTHESES, REFERENCES).values
    assert values.readonly
    array = np.asarray(values)
    assert array.tolist() == [25.0, 0.0, 100.0]
    assert array.dtype == np.float64
    assert not array.flags.writeable


def test_scores_are_equal_where_metric_and_rows_are() -> None:
    scores = BLEU().sentence_scores(HYPOTHESES, REFERENCES)
    assert scores == BLEU().sentence_scores(HYPOTHESES, REFERENCES)
    assert scores == pickle.loads(pickle.dumps(scores))
    assert scores != BLEU(effective_order=True).sentence_scores(HYPOTHESES, REFERENCES)
    assert scores != scores.tolist()
    with pytest.raises(TypeError):
        hash(scores)
