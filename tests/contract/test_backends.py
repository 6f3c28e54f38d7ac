"""The native kernel and its definitions in plain Python give the same numbers, to the last bit."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.metrics.catalogue import parse_metric
from tests.backends import counted_by, counted_by_python, kernel
from tests.contract.settings import (
    Setting,
    counted,
    every_metric,
    settings_of,
    some_of,
    with_texts,
)
from tests.corpora.any_text import long_corpora_for
from tests.effort import examples

pytestmark = pytest.mark.usefixtures("needs_kernel")


def _check_counts(setting: Setting, hypotheses: list[Any], references: list[Any]) -> None:
    with counted_by(kernel()):
        metric = setting.metric()
        table = metric.count(hypotheses, references)
        prepared = metric.count(hypotheses, metric.prepare_references(references))
        alone = [metric.sentence_score(h, r) for h, r in zip(hypotheses, references, strict=True)]
        selected = table.select(range(0, len(table), 2))
    with counted_by_python():
        metric = setting.metric()
        assert table == metric.count(hypotheses, references)
        assert prepared == table
        for mine, hypothesis, group in zip(alone, hypotheses, references, strict=True):
            assert mine.to_dict() == metric.sentence_score(hypothesis, group).to_dict()
        assert selected == table.select(range(0, len(table), 2))


@every_metric
@examples(60)
@given(data=st.data())
def test_the_same_rows(name: str, data: st.DataObject) -> None:
    some = some_of(counted(name), data, 3)
    for setting, *corpus in with_texts(some, data, long_corpora_for(name)):
        _check_counts(setting, *corpus)


@every_metric
@examples(15)
@given(data=st.data())
def test_the_same_scores_of_the_same_rows(name: str, data: st.DataObject) -> None:
    for setting, hypotheses, references in with_texts(settings_of(name), data):
        with counted_by(kernel()):
            metric = setting.metric()
            table = metric.count(hypotheses, references)
            corpus = metric.score(table.totals())
            segments = metric.segment_scores(table).values.tobytes()
        with counted_by_python():
            metric = setting.metric()
            assert corpus.to_dict() == metric.score(table.totals()).to_dict()
            assert segments == metric.segment_scores(table).values.tobytes()


def test_lines_are_sentences_of_one_kind_of_rouge_only() -> None:
    texts = ["the cat\nsat down\nthere"], ["sat down there\nthe cat"]
    rows = []
    for name in ("rouge-l", "rouge-lsum"):
        metric = parse_metric(name)
        rows.append(metric.count(*texts))
        with counted_by_python():
            assert parse_metric(name).count(*texts) == rows[-1]
    assert rows[0] != rows[1]
