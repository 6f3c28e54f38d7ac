"""Sentences ranked by difference, and how their scores are distributed."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.comparison import compare
from bleuet.comparison.histogram import histogram
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.chrf.metric import CHRF
from bleuet.metrics.ter.metric import TER
from tests.corpora.several_systems import Drawn, drawn_systems
from tests.effort import examples


@cache
def metrics() -> tuple[Metric[Any], ...]:
    return BLEU(), CHRF(), TER()


@cache
def for_sentences() -> tuple[Metric[Any], ...]:
    return BLEU(effective_order=True), CHRF(), TER()


@examples(40)
@given(drawn_systems(least_systems=2), st.integers(0, 6))
def test_sentences_are_ranked_by_difference(test_set: Drawn, limit: int) -> None:
    found = compare(
        test_set.systems, test_set.references, metrics(), by=[], examples=limit, all_pairs=True
    )
    for pair in found.pairs:
        for ranking, metric in zip(pair.sentences, for_sentences(), strict=True):
            texts = test_set.systems[pair.left], test_set.systems[pair.right]
            scores = [
                tuple(metric.sentence_score(own[row], references).score for own in texts)
                for row, references in enumerate(test_set.references)
            ]
            sign = 1 if metric.higher_is_better else -1
            ahead = [sign * (left - right) for left, right in scores]
            assert ranking.wins == sum(lead > 0 for lead in ahead)
            assert ranking.losses == sum(lead < 0 for lead in ahead)
            assert ranking.wins + ranking.losses + ranking.ties == len(ahead)
            for shown, side in ((ranking.gained, 1), (ranking.lost, -1)):
                leads = [side * ahead[one.row] for one in shown]
                assert leads == sorted(leads, reverse=True)
                assert all(lead > 0 for lead in leads)
                distinct = {
                    (texts[0][row], texts[1][row], tuple(test_set.texts_of(row)))
                    for row, lead in enumerate(ahead)
                    if side * lead > 0
                }
                assert len(shown) == min(limit, len(distinct))
                best = sorted((side * lead for lead in ahead), reverse=True)
                assert leads[:1] == best[:1] or not shown
                for one in shown:
                    assert one.scores == scores[one.row]
                    assert one.hypotheses == (texts[0][one.row], texts[1][one.row])
                    assert list(one.references) == test_set.texts_of(one.row)


def test_a_segment_is_shown_once() -> None:
    found = compare({"a": ["x y"] * 3 + ["x"], "b": ["z"] * 4}, ["x y"] * 4, ["chrf"], by=[])
    ranking = found.pairs[0].sentences[0]
    assert [one.row for one in ranking.gained] == [0, 3]
    assert (ranking.wins, ranking.losses, ranking.ties, ranking.lost) == (4, 0, 0, ())


def test_texts_that_are_repeated_often_do_not_hide_others() -> None:
    others = [" ".join("abcdefgh"[:n]) for n in range(1, 7)]
    worse = ["z"] * 50 + others
    found = compare(
        {"a": ["a b c d e f g h"] * 56, "b": worse}, ["a b c d e f g h"] * 56, ["chrf"], by=[]
    )
    assert [one.row for one in found.pairs[0].sentences[0].gained] == [0, 50, 51, 52, 53]


def test_fewer_edits_are_better() -> None:
    found = compare({"a": ["x y"], "b": ["x z"]}, ["x y"], ["ter"], by=[])
    (ranking,) = found.pairs[0].sentences
    assert (ranking.wins, ranking.gained[0].difference) == (1, -50.0)


@given(st.lists(st.lists(st.floats(0, 350), min_size=1, max_size=20), min_size=1, max_size=3))
def test_histograms_count_every_sentence_once(scores: list[list[float]]) -> None:
    found = histogram("TER", scores)
    assert all(high - low == 5 for low, high in pairwise(found.edges))
    for own, counts in zip(scores, found.counts, strict=True):
        assert len(counts) == len(found.edges) - 1
        for low, high, count in zip(found.edges, found.edges[1:], counts, strict=False):
            last = high == found.edges[-1]
            assert count == sum(low <= score and (last or score < high) for score in own)
    assert found.edges[-1] <= 200
    assert found.edges[-1] >= min(200, max(map(max, scores)) - 1e-9)


@pytest.mark.parametrize(
    ("largest", "first", "last"),
    [
        (1e6, "[0, 50000)", ">=950000"),
        (2e7, "[0, 1e+06)", ">=1.9e+07"),
        (1e7, "[0, 500000)", ">=9.5e+06"),
        (2e-4, "[0.00000, 1e-05)", ">=0.00019"),
    ],
)
def test_labels_of_very_large_and_very_small_scores_have_an_exponent(
    largest: float, first: str, last: str
) -> None:
    scores = {"M": {"a": [0, largest]}}
    found = compare({"a": ["x", "x"]}, ["x", "x"], [], scores=scores, by=[])
    (table,) = found.tables("histogram")
    labels = [row[0] for row in table.rows]
    assert (labels[0], labels[-1]) == (first, last)


def test_a_histogram_of_a_comparison_has_the_sentence_scores() -> None:
    systems = {"a": ["a b c", "a b", "x"], "b": ["a b c", "a c", "a"]}
    found = compare(systems, ["a b c", "a b c", "a"], metrics(), by=[])
    for metric, one in zip(for_sentences(), found.histograms, strict=True):
        assert one.metric == metric.name
        for texts, counts in zip(systems.values(), one.counts, strict=True):
            expected = [0] * len(counts)
            for score in metric.sentence_scores(texts, ["a b c", "a b c", "a"]).values:
                expected[min(int(score // 5), len(counts) - 1)] += 1
            assert list(counts) == expected
