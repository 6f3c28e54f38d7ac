"""What is counted once for several metrics is what each of them would count by itself."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings

from bleuet import BLEU, CHRF, TER, OptionError
from bleuet.engines.shared_counting import count_once, group_by_counting
from tests.contract.corpora import References, corpora
from tests.contract.settings import TEXT_SETTINGS

METRICS = [setting.metric() for setting in TEXT_SETTINGS]


@given(corpora)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_tables_are_those_of_each_metric_alone(segments: tuple[list[str], References]) -> None:
    hypotheses, references = segments
    others = list(reversed(hypotheses))
    tables = count_once(METRICS, [hypotheses, others], references)
    for texts, of_system in zip((hypotheses, others), tables, strict=True):
        for metric, table in zip(METRICS, of_system, strict=True):
            assert table == metric.count(texts, references), metric


def test_smoothings_are_counted_once_and_what_moves_counts_is_not() -> None:
    metrics = [
        BLEU(),
        BLEU(smooth="floor", effective_order=True),
        TER(),
        BLEU(max_ngram_order=6),
        BLEU(lowercase=True),
        BLEU(reference_length="shortest"),
        # The reference that counts is the one with the best F, so beta moves counts.
        CHRF(),
        CHRF(beta=3),
        BLEU(max_ngram_order=2, weights=(0.5, 0.5)),
    ]
    groups = group_by_counting(metrics)
    assert [places for _, places in groups] == [[0, 1, 3, 8], [2], [4], [5], [6], [7]]
    assert groups[0][0] is metrics[3]


def test_every_metric_is_in_one_group() -> None:
    places = [place for _, group in group_by_counting(METRICS) for place in group]
    assert sorted(places) == list(range(len(METRICS)))


def test_scoring_options_are_options() -> None:
    for metric in METRICS:
        assert metric.rescoring_options(None) <= set(metric._fields)


def test_threads_are_handed_on() -> None:
    with pytest.raises(OptionError, match="threads"):
        count_once([TER()], [["a"]], ["a"], threads=-1)
