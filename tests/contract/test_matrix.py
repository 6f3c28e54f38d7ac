"""Every cell of a matrix is the sentence score of its hypothesis and its reference."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import BLEU, CHRF, BleuetError, InputError, Metric, OptionError
from bleuet.text.segments import Segments
from tests.backends import counted_by, counted_by_python, kernel
from tests.contract.settings import DEFAULTS, SETTINGS, Setting
from tests.corpora.any_text import corpora_for, long_corpora_for
from tests.effort import examples

every_setting = pytest.mark.parametrize("setting", SETTINGS, ids=str)


@pytest.mark.usefixtures("needs_kernel")
@every_setting
@examples(3)
@given(data=st.data())
def test_every_cell_is_a_sentence_score(setting: Setting, data: st.DataObject) -> None:
    # The kernel has other ways for long texts where a metric has a routine for pairs.
    drawn = long_corpora_for if setting.name in ("bleu", "chrf") else corpora_for
    hypotheses, references = data.draw(drawn(setting))
    hypotheses = [*hypotheses, hypotheses[0]]
    with counted_by(kernel()):
        metric = setting.metric()
        prepared = metric.prepare_references(references)
        matrix = metric.matrix(hypotheses, references)
        alone = [
            [prepared.metric.sentence_score(one, other).score for other in references]
            for one in hypotheses
        ]
        bits = array("d", [score for row in alone for score in row]).tobytes()
        assert matrix.shape == (len(hypotheses), len(references))
        assert matrix.tobytes() == bits
        assert metric.matrix(hypotheses, prepared, threads=2).tobytes() == bits


@pytest.mark.usefixtures("needs_kernel")
@pytest.mark.parametrize("setting", DEFAULTS, ids=str)
def test_both_backends_fill_the_same_matrix(setting: Setting) -> None:
    hypotheses = ["the cat sat on the mat", "a cat", "", "the the the cat is on a red mat ."]
    references = ["the cat is on the mat", ["a cat", None, "cats"], ""]
    with counted_by(kernel()):
        matrix = setting.metric().matrix(hypotheses, references)
    with counted_by_python():
        assert setting.metric().matrix(hypotheses, references) == matrix


@pytest.mark.parametrize("metric", [BLEU(), CHRF()], ids=str)
def test_many_texts_score_as_few_do(metric: Metric[Any]) -> None:
    texts = [f"a {i % 7} b {i % 11} c" for i in range(300)]
    few = texts[::43]
    matrix = metric.matrix(texts, texts)
    assert matrix.shape == (300, 300)
    assert np.array_equal(np.asarray(matrix)[::43], np.asarray(metric.matrix(few, texts)))
    assert np.array_equal(np.asarray(matrix)[:, ::43], np.asarray(metric.matrix(texts, few)))


@pytest.mark.parametrize("metric", [BLEU(), CHRF()], ids=str)
def test_other_libraries_read_it_in_place(metric: Metric[Any]) -> None:
    matrix = metric.matrix(["a b", "c"], ["a", "b", "a b d"])
    assert np.shares_memory(np.asarray(matrix), np.asarray(matrix))
    narrow = metric.matrix(["a b", "c"], ["a", "b", "a b d"], dtype="float32")
    assert np.asarray(narrow).dtype == np.float32
    assert np.array_equal(np.asarray(narrow), np.asarray(matrix).astype(np.float32))
    assert matrix.readonly


def test_it_takes_what_a_corpus_takes() -> None:
    expected = BLEU().matrix(["a b", "c"], ["a", "b"]).tolist()
    lines = Segments.of_lines([(b"a b\nc\n", 2)])
    assert BLEU().matrix(lines, Segments.of_lines([(b"a\nb\n", 2)])).tolist() == expected
    assert BLEU().matrix(("a b", "c"), (["a"], ["b", None])).tolist() == expected


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (([], ["a"]), {}, "no hypothesis"),
        ((["a"], []), {}, "empty|no segment"),
        ((["a"], ["a"]), {"dtype": "float16"}, "expected float64 or float32"),
        ((["a"], ["a"]), {"threads": -1}, "threads must be"),
        ((["a"], CHRF().prepare_references(["a"])), {}, "serve no other metric"),
        (("a", ["a"]), {}, "hypotheses"),
    ],
)
def test_wrong_arguments(arguments: Any, options: Any, message: str) -> None:
    with pytest.raises(BleuetError, match=message):
        BLEU().matrix(*arguments, **options)


def test_errors_have_their_types() -> None:
    with pytest.raises(InputError):
        BLEU().matrix([], ["a"])
    with pytest.raises(OptionError):
        BLEU().matrix(["a"], ["a"], dtype="double")
