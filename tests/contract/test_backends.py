"""The native kernel and its legible python_backend give the same numbers, to the last bit."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.backends import counted_by, counted_by_python, kernel
from tests.contract.settings import SETTINGS, Setting
from tests.corpora.any_text import long_corpora_for
from tests.effort import examples

pytestmark = [
    pytest.mark.usefixtures("needs_kernel"),
    pytest.mark.parametrize("setting", SETTINGS, ids=str),
]


@examples(40)
@given(data=st.data())
def test_kernel_equals_python_backend(setting: Setting, data: st.DataObject) -> None:
    hypotheses, references = data.draw(long_corpora_for(setting))
    with counted_by(kernel()):
        metric = setting.metric()
        table = metric.count(hypotheses, references)
        prepared = metric.count(hypotheses, metric.prepare_references(references))
        corpus = metric.score(table.totals())
        segments = metric.segment_scores(table).values.tobytes()
        alone = [metric.sentence_score(h, r) for h, r in zip(hypotheses, references, strict=True)]
        selected = table.select(range(0, len(table), 2))
    with counted_by_python():
        metric = setting.metric()
        assert table == metric.count(hypotheses, references)
        assert prepared == table
        assert corpus.to_dict() == metric.score(table.totals()).to_dict()
        assert segments == metric.segment_scores(table).values.tobytes()
        for mine, hypothesis, group in zip(alone, hypotheses, references, strict=True):
            assert mine.to_dict() == metric.sentence_score(hypothesis, group).to_dict()
        assert selected == table.select(range(0, len(table), 2))
