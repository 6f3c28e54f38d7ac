"""The scores of all segments: numbers at once, full scores when they are asked for."""

from __future__ import annotations

import numpy as np
import pytest

from bleuet import BLEU, CHRF, TER, BLEUScore, Metric

HYPOTHESES = ["a b c d", "a b", ""]
REFERENCES = ["a b c x", ["x", "a b"], "a"]


@pytest.mark.parametrize("kind", [BLEU, CHRF, TER])
def test_it_is_a_sequence_of_scores(kind: type[Metric]) -> None:
    metric = kind()
    scores = metric.sentence_scores(HYPOTHESES, REFERENCES)
    assert len(scores) == 3
    assert [score.score for score in scores] == list(scores.values)
    assert scores[-1] == scores[2]
    assert scores[1:] == [scores[1], scores[2]]
    assert scores[::-1][0].score == scores.values[2]
    assert repr(scores) == f"<3 segment scores of {metric!r}>"
    assert scores.metric is metric
    assert scores.table == metric.count(HYPOTHESES, REFERENCES)


def test_a_score_has_the_components_of_its_segment() -> None:
    score = BLEU().sentence_scores(HYPOTHESES, REFERENCES)[0]
    assert isinstance(score, BLEUScore)
    assert (score.sys_len, score.ref_len, score.counts) == (4, 4, (3, 2, 1, 0))


def test_the_numbers_are_an_array_that_cannot_be_changed() -> None:
    values = TER().sentence_scores(HYPOTHESES, REFERENCES).values
    assert values.readonly
    array = np.asarray(values)
    assert array.tolist() == [25.0, 0.0, 100.0]
    assert array.dtype == np.float64
    assert not array.flags.writeable
