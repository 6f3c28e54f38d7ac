"""Every table that a metric counts keeps the limits that the metric declares for its rows."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import CHRF
from bleuet.statistics.table import Table
from bleuet.tablefile.row_checks import impossible_rows
from bleuet.text.segments import WithSource
from tests.contract.settings import Setting, counted, every_metric, is_bounded, with_texts
from tests.effort import examples

# Tables are checked with pyarrow.
pytestmark = pytest.mark.libraries

# TER's edits depend on the length of the hypothesis, which is not in its table. WER's columns are
# any four numbers.
WITHOUT_LIMITS = {"edit-distance", "ter", "wer"}


@every_metric
@examples(8)
@given(data=st.data())
def test_counted_rows_keep_the_limits_of_their_metric(name: str, data: st.DataObject) -> None:
    for setting, hypotheses, references in with_texts(counted(name), data):
        metric = setting.metric()
        assert impossible_rows(metric, metric.count(hypotheses, references)) == ""
        # With one reference each, as most tables are counted, there are more limits.
        first = [one if isinstance(one, str) else _first(one) for one in references]
        table = metric.count(hypotheses, first)
        assert table.n_references == 1
        assert impossible_rows(metric, table) == ""


def _first(references: list[object]) -> object:
    if references and isinstance(references[0], int):
        return references
    first = next(one for one in references if one is not None)
    if isinstance(references, WithSource):
        return references.with_texts(references.source, [first])
    return first


def _scores_above_100(setting: Setting) -> bool:
    return "nltk" in str(setting) or not is_bounded(setting)


@every_metric
def test_limits_name_columns_of_the_metric(name: str) -> None:
    for setting in counted(name):
        metric = setting.metric()
        for n_references in (1, 2, None):
            limits = metric.row_limits(n_references)
            assert bool(limits) or name in WITHOUT_LIMITS or _scores_above_100(setting), setting
            names = {name for limit in limits for name in (limit.column, limit.of) if name}
            assert names <= set(metric.columns), setting


@every_metric
def test_a_row_beyond_a_limit_is_found(name: str) -> None:
    for setting in counted(name):
        metric = setting.metric()
        for limit in metric.row_limits(1):
            row = dict.fromkeys(metric.columns, 0) | {limit.column: 1000}
            if limit.of:
                row[limit.of] = 3
            columns = metric.integer_columns, metric.real_columns
            table = Table.from_rows(*columns, [tuple(row.values())])
            assert impossible_rows(metric, table), setting


@pytest.mark.parametrize("word_order", [0, 2])
def test_a_reference_of_chrf_has_one_ngram_less_of_each_higher_order(word_order: int) -> None:
    metric = CHRF(word_order=word_order)
    counted_row = metric.count(["the cat sat on it"], ["the cat sat on the mat"]).row(0)
    row = {name: counted_row[name] for name in metric.columns}
    columns = metric.integer_columns, metric.real_columns
    for name in metric.columns:
        if name.startswith("ref_") and not name.endswith("_1"):
            more = row | {name: row[name] + 1}
            assert impossible_rows(metric, Table.from_rows(*columns, [tuple(more.values())])), name
