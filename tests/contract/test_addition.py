"""The one rule: rows add, and a score is a function of their sum."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.statistics.definitions.counter import RowCounter
from bleuet.statistics.table import Table, Totals
from tests.backends import counted_by, kernel
from tests.contract.settings import Setting, counted, every_metric, settings_of, with_texts
from tests.effort import examples

if TYPE_CHECKING:
    from bleuet.metrics.base.metric import Metric


def taught(setting: Setting, hypotheses: list[Any], references: list[Any]) -> Metric:
    """Return the metric after it has learned from the whole corpus."""
    metric = setting.metric()
    return metric.prepare(metric.corpus(hypotheses, references))


@every_metric
@examples(8)
@given(data=st.data())
def test_a_corpus_score_is_the_score_of_the_sum(name: str, data: st.DataObject) -> None:
    for setting, hypotheses, references in with_texts(settings_of(name), data):
        metric = setting.metric()
        table = metric.table(metric.corpus(hypotheses, references))
        assert len(table) == len(hypotheses)
        assert (table.integer_columns, table.real_columns) == (
            metric.integer_columns,
            metric.real_columns,
        )
        score = metric.score(table.totals())
        assert score == metric.corpus_score(hypotheses, references)
        assert score.to_dict() == metric.corpus_score(hypotheses, references).to_dict()
        assert table == metric.count(hypotheses, references)


@every_metric
@examples(8)
@given(data=st.data())
def test_totals_are_the_sums_of_the_columns(name: str, data: st.DataObject) -> None:
    for setting, hypotheses, references in with_texts(counted(name), data):
        table = setting.metric().count(hypotheses, references)
        totals = table.totals()
        assert totals.columns == table.columns
        assert totals.rows == len(table)
        for column in table.integer_columns:
            assert totals[column] == sum(table.column(column))
        for column in table.real_columns:
            total = 0.0
            for value in table.column(column):  # from Python 3.12 on, sum() would round less
                total += value
            assert totals[column] == total


@every_metric
@examples(8)
@given(data=st.data())
def test_sentences_alone_and_together_score_the_same(name: str, data: st.DataObject) -> None:
    for setting, hypotheses, references in with_texts(settings_of(name), data):
        metric = taught(setting, hypotheses, references)
        together = metric.sentence_scores(hypotheses, references)
        alone = [metric.sentence_score(h, r) for h, r in zip(hypotheses, references, strict=True)]
        assert len(together) == len(hypotheses)
        # Bit for bit: == would let -0.0 pass for 0.0.
        assert bytes(together.values) == struct.pack(
            f"{len(alone)}d", *[one.score for one in alone]
        )
        for i, theirs in enumerate(alone):
            mine = together.score(i)
            assert {**mine.to_dict(), "signature": ""} == {**theirs.to_dict(), "signature": ""}


@every_metric
@examples(8)
@given(data=st.data(), cut=st.integers(0, 5))
def test_parts_add_up_to_the_whole(name: str, data: st.DataObject, cut: int) -> None:
    for setting, hypotheses, references in with_texts(counted(name), data):
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


@every_metric
@examples(8)
@given(data=st.data())
def test_selected_rows_are_those_of_the_selected_segments(name: str, data: st.DataObject) -> None:
    for setting, hypotheses, references in with_texts(counted(name), data):
        rows = data.draw(st.lists(st.integers(0, len(hypotheses) - 1), min_size=1, max_size=8))
        metric = taught(setting, hypotheses, references)
        table = metric.count(hypotheses, references)
        selected = table.select(rows)
        again = metric.count([hypotheses[row] for row in rows], [references[row] for row in rows])
        assert selected.blocks() == again.blocks()
        assert [row.values for row in selected] == [table.row(row).values for row in rows]
        assert selected == Table.concatenate([table.select([row]) for row in rows])


@every_metric
@examples(8)
@given(data=st.data())
def test_prepared_references_are_the_references(name: str, data: st.DataObject) -> None:
    for setting, hypotheses, references in with_texts(counted(name), data):
        metric = setting.metric()
        prepared = metric.prepare_references(references)
        assert len(prepared) == len(references)
        table = metric.count(hypotheses, references)
        assert metric.count(hypotheses, prepared) == table
        # An equal metric may use them, and twice.
        other = setting.metric()
        backwards = hypotheses[::-1]
        assert other.count(backwards, prepared) == metric.count(backwards, references)


# The Python backend has one thread.
@every_metric
@examples(3)
@given(data=st.data())
@pytest.mark.slow
def test_threads_change_nothing(name: str, data: st.DataObject) -> None:
    for setting, hypotheses, references in with_texts(counted(name), data):
        with counted_by(kernel()):
            metric = setting.metric()
            # Threads take 64 rows at a time: here are some for each of five. A counter in
            # Python has one thread.
            in_python = isinstance(metric._counter, RowCounter)
            times = 1 if in_python else -(-330 // len(hypotheses))
            hypotheses, references = hypotheses * times, references * times
            table = metric.count(hypotheses, references)
            for threads in (0, 5):
                assert metric.count(hypotheses, references, threads=threads) == table
            prepared = metric.prepare_references(references, threads=2)
            assert metric.count(hypotheses, prepared, threads=2) == table


@every_metric
@examples(8)
@given(data=st.data())
def test_input_and_totals_stay_as_they_were(name: str, data: st.DataObject) -> None:
    for setting, hypotheses, references in with_texts(counted(name), data):
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
