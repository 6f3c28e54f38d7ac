"""The one rule: rows add, and a score is a function of their sum."""

from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.metrics.metric import Metric
from bleuet.statistics.table import Table, Totals
from bleuet.text.corpus import Corpus
from tests.contract.settings import COUNTED, SETTINGS, Setting
from tests.corpora.any_text import corpora_for
from tests.effort import examples

every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=str)
every_way_to_count = pytest.mark.parametrize("setting", COUNTED, ids=str)


def corpus_of(metric: Metric, hypotheses: list[Any], references: list[Any]) -> Corpus:
    return metric.corpus(hypotheses, references)


def taught(setting: Setting, hypotheses: list[Any], references: list[Any]) -> Metric:
    """Return the metric after it has learned from the whole corpus."""
    metric = setting.metric()
    return metric.prepare(corpus_of(metric, hypotheses, references))


@every_setting
@examples(15)
@given(data=st.data())
def test_a_corpus_score_is_the_score_of_the_sum(setting: Setting, data: st.DataObject) -> None:
    hypotheses, references = data.draw(corpora_for(setting))
    metric = setting.metric()
    table = metric.table(corpus_of(metric, hypotheses, references))
    assert len(table) == len(hypotheses)
    assert (table.integer_columns, table.real_columns) == (
        metric.integer_columns,
        metric.real_columns,
    )
    score = metric.score(table.totals())
    assert score == metric.corpus_score(hypotheses, references)
    assert score.to_dict() == metric.corpus_score(hypotheses, references).to_dict()
    assert table == metric.count(hypotheses, references)


@every_way_to_count
@examples(15)
@given(data=st.data())
def test_totals_are_the_sums_of_the_columns(setting: Setting, data: st.DataObject) -> None:
    table = setting.metric().count(*data.draw(corpora_for(setting)))
    totals = table.totals()
    assert totals.columns == table.columns
    assert totals.rows == len(table)
    for name in table.integer_columns:
        assert totals[name] == sum(table.column(name))
    for name in table.real_columns:
        total = 0.0
        for value in table.column(name):  # from Python 3.12 on, sum() would round less
            total += value
        assert totals[name] == total


@every_setting
@examples(15)
@given(data=st.data())
def test_sentences_alone_and_together_score_the_same(setting: Setting, data: st.DataObject) -> None:
    hypotheses, references = data.draw(corpora_for(setting))
    metric = taught(setting, hypotheses, references)
    together = metric.sentence_scores(hypotheses, references)
    alone = [metric.sentence_score(h, r) for h, r in zip(hypotheses, references, strict=True)]
    assert len(together) == len(hypotheses)
    # Bit for bit: == would let -0.0 pass for 0.0.
    assert bytes(together.values) == struct.pack(f"{len(alone)}d", *[one.score for one in alone])
    for mine, theirs in zip(together, alone, strict=True):
        assert {**mine.to_dict(), "signature": ""} == {**theirs.to_dict(), "signature": ""}


@every_way_to_count
@examples(15)
@given(data=st.data(), cut=st.integers(0, 5))
def test_parts_add_up_to_the_whole(setting: Setting, data: st.DataObject, cut: int) -> None:
    hypotheses, references = data.draw(corpora_for(setting))
    metric = taught(setting, hypotheses, references)
    whole = metric.count(hypotheses, references)
    folded: Totals | None = None
    parts = []
    for some in (slice(None, cut), slice(cut, None)):
        if hypotheses[some]:
            part = metric.count(hypotheses[some], references[some])
            folded = part.totals(after=folded)
            parts.append(part)
    assert folded is not None
    assert folded.values == whole.totals().values
    assert folded.rows == len(hypotheses)
    assert Table.concatenate(parts) == whole
    assert sum(
        (row for row in whole), Totals(whole.columns, [0] * len(whole.columns), 0)
    ).values == pytest.approx(whole.totals().values, rel=1e-12)


@every_way_to_count
@examples(15)
@given(data=st.data())
def test_selected_rows_are_those_of_the_selected_segments(
    setting: Setting, data: st.DataObject
) -> None:
    hypotheses, references = data.draw(corpora_for(setting))
    rows = data.draw(st.lists(st.integers(0, len(hypotheses) - 1), min_size=1, max_size=8))
    metric = taught(setting, hypotheses, references)
    table = metric.count(hypotheses, references)
    selected = table.select(rows)
    again = metric.count([hypotheses[row] for row in rows], [references[row] for row in rows])
    assert selected.blocks() == again.blocks()
    assert [row.values for row in selected] == [table.row(row).values for row in rows]
    assert selected == Table.concatenate([table.select([row]) for row in rows])


@every_way_to_count
@examples(15)
@given(data=st.data())
def test_prepared_references_are_the_references(setting: Setting, data: st.DataObject) -> None:
    hypotheses, references = data.draw(corpora_for(setting))
    metric = setting.metric()
    prepared = metric.prepare_references(references)
    assert len(prepared) == len(references)
    table = metric.count(hypotheses, references)
    assert metric.count(hypotheses, prepared) == table
    # An equal metric may use them, and twice.
    other = setting.metric()
    backwards = hypotheses[::-1]
    assert other.count(backwards, prepared) == metric.count(backwards, references)


@every_way_to_count
@examples(6)
@given(data=st.data())
def test_threads_change_nothing(setting: Setting, data: st.DataObject) -> None:
    hypotheses, references = data.draw(corpora_for(setting))
    # Threads take 64 rows at a time, so there must be some hundred for all to have work.
    times = 600 // len(hypotheses)
    hypotheses, references = hypotheses * times, references * times
    metric = setting.metric()
    table = metric.count(hypotheses, references)
    for threads in (2, 0, 5):
        assert metric.count(hypotheses, references, threads=threads) == table
        prepared = metric.prepare_references(references, threads=threads)
        assert metric.count(hypotheses, prepared, threads=threads) == table


@every_way_to_count
@examples(15)
@given(data=st.data())
def test_input_and_totals_stay_as_they_were(setting: Setting, data: st.DataObject) -> None:
    hypotheses, references = data.draw(corpora_for(setting))
    before = repr((hypotheses, references))
    metric = setting.metric()
    table = metric.count(hypotheses, references)
    numbers = [bytes(block) for block in table.blocks()]
    totals = table.totals()
    values = totals.values
    first = metric.score(totals)
    metric.segment_scores(table)
    metric.prepare_references(references)
    assert metric.score(totals).to_dict() == first.to_dict()
    assert totals.values == values
    assert repr((hypotheses, references)) == before
    assert [bytes(block) for block in table.blocks()] == numbers
