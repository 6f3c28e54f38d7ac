"""Every cell of a matrix is the sentence score of its hypothesis and its reference."""

from __future__ import annotations

import pickle
import sys
from array import array
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import BLEU, CHRF, BleuetError, InputError, Metric, OptionError
from bleuet.metrics.base import matrix as blocks
from bleuet.text.segments import Segments
from tests.backends import counted_by, counted_by_python, kernel
from tests.contract.settings import (
    counting,
    every_metric,
    settings_of,
    with_made_edits,
    with_made_sources,
    with_texts,
)
from tests.corpora.any_text import corpora, long_corpora_for
from tests.effort import examples


@pytest.mark.usefixtures("needs_kernel")
@every_metric
@examples(4)
@given(data=st.data())
def test_every_cell_is_a_sentence_score(name: str, data: st.DataObject) -> None:
    # The kernel has other ways for long texts where a metric has a routine for pairs.
    texts = long_corpora_for(name) if name in ("bleu", "chrf") else corpora
    with counted_by(kernel()):
        for setting, hypotheses, references in with_texts(settings_of(name), data, texts):
            metric = setting.metric()
            some = [*hypotheses, hypotheses[0]]
            prepared = metric.prepare_references(references)
            matrix = metric.matrix(some, references)
            score = prepared.metric.sentence_score
            alone = [[score(one, other).score for other in references] for one in some]
            bits = array("d", [score for row in alone for score in row]).tobytes()
            assert matrix.shape == (len(some), len(references))
            assert matrix.values.tobytes() == bits
            assert metric.matrix(some, prepared, threads=2).values.tobytes() == bits


@pytest.mark.usefixtures("needs_kernel")
@every_metric
def test_both_backends_fill_the_same_matrix_in_any_blocks(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    hypotheses = ["the cat sat on the mat", "a cat", "", "the the the cat is on a red mat ."]
    references: list[Any] = ["the cat is on the mat", ["a cat", None, "cats"], ""]
    hypotheses = with_made_edits(counting(name), hypotheses)
    references = with_made_sources(counting(name), references)
    with counted_by(kernel()):
        matrix = counting(name).matrix(hypotheses, references)
        # One text at a time, two, and three and then one; without pairs there are no blocks.
        for rows in (1, 6, 9) if hasattr(counting(name)._counter, "pairs") else ():
            monkeypatch.setattr(blocks, "_ROWS_IN_BLOCK", rows)
            assert counting(name).matrix(hypotheses, references) == matrix
    with counted_by_python():
        assert counting(name).matrix(hypotheses, references) == matrix


@pytest.mark.parametrize("kind", [BLEU, CHRF])
def test_many_texts_score_as_few_do(kind: type[Metric[Any]]) -> None:
    metric = kind()
    texts = [f"a {i % 7} b {i % 11} c" for i in range(300)]
    few = texts[::43]
    matrix = metric.matrix(texts, texts)
    assert matrix.shape == (300, 300)
    assert np.array_equal(np.asarray(matrix)[::43], np.asarray(metric.matrix(few, texts)))
    assert np.array_equal(np.asarray(matrix)[:, ::43], np.asarray(metric.matrix(texts, few)))


@pytest.mark.parametrize("kind", [BLEU, CHRF])
def test_other_libraries_read_it_in_place(kind: type[Metric[Any]]) -> None:
    metric = kind()
    matrix = metric.matrix(["a b", "c"], ["a", "b", "a b d"])
    assert np.shares_memory(np.asarray(matrix), np.asarray(matrix))
    narrow = metric.matrix(["a b", "c"], ["a", "b", "a b d"], dtype="float32")
    assert np.asarray(narrow).dtype == np.float32
    assert np.array_equal(np.asarray(narrow), np.asarray(matrix).astype(np.float32))
    assert matrix.values.readonly
    assert not np.asarray(matrix).flags.writeable
    assert np.shares_memory(np.asarray(matrix), np.asarray(matrix.values))
    assert np.array_equal(np.array(matrix, dtype=object), np.asarray(matrix))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_it_has_rows_of_numbers(dtype: Any) -> None:
    matrix = CHRF().matrix(["a b", "c"], ["a", "b", "a b d"], dtype=dtype)
    rows = matrix.tolist()
    first = ", ".join([f"{score:.2f}" for score in rows[0]])
    assert (len(matrix), matrix.shape) == (2, (2, 3))
    assert repr(matrix) == f"<2 x 3 scores: {first}, ...>"
    assert [list(row) for row in matrix] == [list(row) for row in matrix[:]] == rows
    assert [list(row) for row in reversed(matrix)] == rows[::-1]
    for i in (0, 1, -1, -2):
        assert list(matrix[i]) == rows[i]
        for j in (0, 1, 2, -1, -3):
            assert matrix[i][j] == matrix[i, j] == rows[i][j]
    assert matrix.values[1, 2] == rows[1][2]
    assert max(max(row) for row in matrix) > min(matrix[1]) == 0
    for wrong in (2, -3, (0, 3), (2, 0)):
        with pytest.raises(IndexError):
            matrix[wrong]
    odd: Any
    for odd in ("a", 0.0, (0, 0, 0), None):
        with pytest.raises(InputError, match="number of a row"):
            matrix[odd]
    with pytest.raises(TypeError):
        matrix[0][0] = 1.0  # type: ignore[index]
    again = pickle.loads(pickle.dumps(matrix))
    assert again == matrix
    assert again.values.format == matrix.values.format


def test_matrices_are_equal_where_their_numbers_are() -> None:
    matrix = CHRF().matrix(["a b", "c"], ["a", "c"])
    assert matrix == CHRF().matrix(["a b", "c"], ["a", "c"])
    assert matrix != CHRF().matrix(["a b", "c"], ["a", "d"])
    assert matrix != CHRF().matrix(["a b"], ["a", "c", "d", "e"])
    assert matrix != matrix.tolist()
    with pytest.raises(TypeError):
        hash(matrix)


def test_it_offers_its_memory() -> None:
    matrix = BLEU().matrix(["a b", "c"], ["a", "c"])
    # What `memoryview(matrix)` calls from Python 3.12 on.
    assert matrix.__buffer__(0) == matrix.values
    if sys.version_info >= (3, 12):
        assert memoryview(matrix) == matrix.values


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
        (("a", ["a"]), {}, "hypotheses"),
    ],
)
def test_wrong_arguments(arguments: Any, options: Any, message: str) -> None:
    with pytest.raises(BleuetError, match=message):
        BLEU().matrix(*arguments, **options)


def test_references_prepared_by_another_metric() -> None:
    with pytest.raises(OptionError, match="cannot be used by another metric"):
        BLEU().matrix(["a"], CHRF().prepare_references(["a"]))


def test_errors_have_their_types() -> None:
    with pytest.raises(InputError):
        BLEU().matrix([], ["a"])
    with pytest.raises(OptionError):
        BLEU().matrix(["a"], ["a"], dtype="double")  # type: ignore[arg-type]
