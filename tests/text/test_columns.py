"""Columns of numpy, pandas, polars and Arrow are texts wherever lists are."""

from __future__ import annotations

from collections import UserList, deque
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet import BLEU, CHRF, Corpus, InputError, InputTypeError, compare, explain, lint
from bleuet.significance import Evaluation

if TYPE_CHECKING:
    from collections.abc import Callable

TEXTS = ["A cat sat.", "It rains.", "We went home."]
OTHERS = ["The cat sat.", "It rains.", "We are at home."]
COLUMNS: dict[str, Callable[[list[Any]], Any]] = {
    "tuple": tuple,
    "generator": iter,
    "deque": deque,
    "UserList": UserList,
    "dict values": lambda texts: dict(enumerate(texts)).values(),
    "numpy": np.array,
    "numpy objects": lambda texts: np.array(texts, dtype=object),
}
# Those of libraries, as expressions in which `pd`, `pl` and `pa` are the libraries.
OF_LIBRARIES = {
    "pandas": "pd.Series(texts)",
    "pandas, other index": "pd.Series(texts, index=[7, 3, 5][: len(texts)])",
    "pandas strings": "pd.Series(texts, dtype='string')",
    "pandas categories": "pd.Series(texts, dtype='category')",
    "pandas array": "pd.array(texts, dtype='string')",
    "pandas index": "pd.Index(texts)",
    "polars": "pl.Series(texts)",
    "polars column": "pl.DataFrame({'text': texts})['text']",
    "polars categories": "pl.Series(texts, dtype=pl.Categorical)",
    "arrow": "pa.array(texts)",
    "arrow chunks": "pa.chunked_array([texts[:1], texts[1:]])",
    "arrow column": "pa.table({'text': texts})['text']",
    "arrow dictionary": "pa.array(texts).dictionary_encode()",
}
MISSING: dict[str, Callable[[], Any]] = {
    "numpy": lambda: np.array(["a", np.nan], dtype=object),
    "list": lambda: ["a", None],
    "NaN": lambda: ["a", float("nan")],
}
MISSING_IN_LIBRARIES = {
    "pandas": "pd.Series(['a', None])",
    "pandas strings": "pd.Series(['a', None], dtype='string')",
    "pandas NA": "['a', pd.NA]",
    "pandas NaT": "['a', pd.NaT]",
    "polars": "pl.Series(['a', None])",
    "arrow": "pa.array(['a', None])",
    "arrow chunks": "pa.chunked_array([['a'], [None]])",
}
LISTS = ["pl.Series(texts)", "pa.array(texts)", "pd.Series(texts)", "pa.chunked_array([texts])"]
FRAMES = [
    "pd.DataFrame({'text': texts})",
    "pl.DataFrame({'text': texts})",
    "pa.table({'text': texts})",
    "pa.record_batch({'text': texts})",
]


def made(expression: str) -> Callable[[list[Any]], Any]:
    """Return the function of texts that an expression says."""
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    libraries = {"pd": pd, "pl": pl, "pa": pa}
    return lambda texts: eval(expression, {**libraries, "texts": texts})


def of_library(name: str) -> Any:
    return pytest.param(name, marks=pytest.mark.libraries)


@pytest.fixture(params=[*COLUMNS, *map(of_library, OF_LIBRARIES)])
def column(request: pytest.FixtureRequest) -> Callable[[list[Any]], Any]:
    """What makes a column of texts."""
    name = request.param
    return COLUMNS[name] if name in COLUMNS else made(OF_LIBRARIES[name])


def test_hypotheses_and_references(column: Callable[[list[Any]], Any]) -> None:
    expected = BLEU().corpus_score(TEXTS, OTHERS)
    assert BLEU().corpus_score(column(TEXTS), column(OTHERS)) == expected
    assert Corpus(column(TEXTS), column(OTHERS)) == Corpus(TEXTS, OTHERS)
    streams = Corpus.from_sacrebleu(column(TEXTS), [column(OTHERS)])
    assert streams == Corpus(TEXTS, OTHERS)
    metric = BLEU()
    assert metric.corpus_score(column(TEXTS), metric.prepare_references(column(OTHERS))) == expected
    assert Corpus(TEXTS, OTHERS).with_hypotheses(column(OTHERS)).hypotheses == OTHERS


def test_studies(column: Callable[[list[Any]], Any]) -> None:
    systems = {"a": column(TEXTS), "b": column(OTHERS)}
    found = compare(systems, column(TEXTS), ["chrf"])
    expected = compare({"a": TEXTS, "b": OTHERS}, TEXTS, ["chrf"])
    assert found.to_json() == expected.to_json()
    systems = {"a": column(TEXTS), "b": column(OTHERS)}
    counted = Evaluation.count([CHRF()], systems, column(TEXTS))
    assert counted == Evaluation.count([CHRF()], {"a": TEXTS, "b": OTHERS}, TEXTS)
    assert lint(column(TEXTS), column(OTHERS)).to_json() == lint(TEXTS, OTHERS).to_json()
    steps = explain(BLEU(), BLEU(lowercase=True), Corpus(column(TEXTS), column(OTHERS)))
    assert steps == explain(BLEU(), BLEU(lowercase=True), Corpus(TEXTS, OTHERS))


def test_several_references(column: Callable[[list[Any]], Any]) -> None:
    references = [column([one, other]) for one, other in zip(TEXTS, OTHERS, strict=True)]
    expected = CHRF().corpus_score(TEXTS, [list(pair) for pair in zip(TEXTS, OTHERS, strict=True)])
    assert CHRF().corpus_score(TEXTS, references) == expected


@pytest.mark.libraries
@pytest.mark.parametrize("expression", LISTS)
def test_columns_of_lists(expression: str) -> None:
    nested = made(expression)
    references = [[one, other] for one, other in zip(TEXTS, OTHERS, strict=True)]
    assert CHRF().corpus_score(TEXTS, nested(references)) == CHRF().corpus_score(TEXTS, references)
    ids = [[1, 2], [3], [4, 5, 6]]
    assert Corpus.from_token_ids(nested(ids), nested(ids)) == Corpus.from_token_ids(ids, ids)


@pytest.mark.parametrize("name", MISSING)
def test_a_missing_text_is_named_with_its_row(name: str) -> None:
    check_missing(MISSING[name]())


@pytest.mark.libraries
@pytest.mark.parametrize("name", MISSING_IN_LIBRARIES)
def test_a_missing_text_of_a_library_is_named_with_its_row(name: str) -> None:
    check_missing(made(MISSING_IN_LIBRARIES[name])([]))


def check_missing(missing: Any) -> None:
    for score in (
        lambda: BLEU().corpus_score(missing, ["a", "b"]),
        lambda: BLEU().corpus_score(["a", "b"], missing),
        lambda: BLEU().corpus_score(["a", "b"], [[one, one] for one in list(missing)]),
        lambda: compare({"mine": missing}, ["a", "b"]),
    ):
        with pytest.raises(InputError, match=r"\[[01]\]") as caught:
            score()
        message = str(caught.value)
        assert "''" in message or "str()" in message


@pytest.mark.libraries
@pytest.mark.parametrize("expression", FRAMES)
def test_a_frame_is_no_column(expression: str) -> None:
    frame = made(expression)(TEXTS)
    for hypotheses, references in ((frame, TEXTS), (TEXTS, frame), (frame, frame)):
        with pytest.raises(InputTypeError, match=r"pass one column, as in frame\['text'\]"):
            BLEU().corpus_score(hypotheses, references)


@pytest.mark.parametrize("wrong", [b"text", bytearray(b"text")])
def test_bytes_are_to_be_decoded(wrong: Any) -> None:
    for hypotheses, references in (
        (wrong, ["a"]),
        ([wrong], ["a"]),
        (["a"], wrong),
        (["a"], [wrong]),
    ):
        with pytest.raises(InputTypeError, match="decode"):
            BLEU().corpus_score(hypotheses, references)
