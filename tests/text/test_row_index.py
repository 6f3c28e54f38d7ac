"""Columns of pandas keep their rows: the same index in, the same index out."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

import bleuet
from bleuet import CHRF, Corpus, InputError, with_sources
from bleuet.compat import sacrebleu
from bleuet.evaluation.evaluation import Evaluation
from bleuet.meta_evaluation import ScoreMatrix
from bleuet.rewards import Reward

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.libraries

HYPOTHESES, REFERENCES = ["a b", None, "c d", "e"], ["a b", "x", "c e", "e f"]


def frame() -> Any:
    """Return a data frame of which a row has gone."""
    return import_module("pandas").DataFrame({"hyp": HYPOTHESES, "ref": REFERENCES}).dropna()


def test_scores_stay_at_their_rows() -> None:
    rows = frame()
    scores = bleuet.score(rows.hyp, rows.ref, ["chrf"])
    rows["chrf"] = scores.to_dataframe()["chrf"]
    expected = CHRF().sentence_scores(rows.hyp.tolist(), rows.ref.tolist()).tolist()
    assert rows.chrf.tolist() == expected
    # What has no index goes with every column.
    for columns in ((rows.hyp.tolist(), rows.ref), (rows.hyp, rows.ref.tolist())):
        found = bleuet.score(*columns, ["chrf"]).to_dataframe()
        assert found.index.tolist() == [0, 2, 3]
        assert found.segment.tolist() == [1, 2, 3]
    systems = bleuet.score({"a": rows.hyp, "b": rows.ref}, rows.ref, "chrf").to_dataframe()
    assert systems.index.tolist() == [0, 2, 3, 0, 2, 3]
    assert systems.loc[2, "system"].tolist() == ["a", "b"]
    plain = bleuet.score(rows.hyp.tolist(), rows.ref.tolist(), "chrf")
    assert plain.to_dataframe().index.tolist() == [0, 1, 2]
    assert scores.to_dataframe(library="polars").columns == ["segment", "chrf"]
    assert scores.to_dataframe("scores").index.tolist() == [0]


def test_an_index_of_several_levels() -> None:
    rows = frame().assign(lang=["de", "fr", "de"]).set_index("lang", append=True)
    found = bleuet.score({"a": rows.hyp, "b": rows.hyp}, rows.ref, "chrf").to_dataframe()
    assert found.index.names == [None, "lang"]
    assert found.index.tolist() == [(0, "de"), (2, "fr"), (3, "de")] * 2


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "score": lambda hyp, ref: bleuet.score(hyp, ref, "chrf"),
    "sources": lambda hyp, ref: bleuet.score(hyp, hyp, "sari", sources=ref),
    "systems": lambda hyp, ref: bleuet.score({"a": hyp, "b": ref}, hyp.tolist(), "chrf"),
    "corpus_score": lambda hyp, ref: CHRF().corpus_score(hyp, ref),
    "sentence_scores": lambda hyp, ref: CHRF().sentence_scores(hyp, ref),
    "Corpus": Corpus,
    "streams": lambda hyp, ref: Corpus.from_sacrebleu(hyp, [ref]),
    "sacreBLEU's": lambda hyp, ref: sacrebleu.corpus_bleu(hyp, [ref]),
    "with_sources": with_sources,
    "compare": lambda hyp, ref: bleuet.compare({"a": hyp, "b": ref}, hyp, ["chrf"]),
    "documents": lambda hyp, ref: bleuet.compare({"a": hyp}, hyp, ["chrf"], documents=ref),
    "Evaluation": lambda hyp, ref: Evaluation.count("chrf", {"a": hyp}, ref),
    "lint": lambda hyp, ref: bleuet.lint(hyp, ref),
    "lint with a source": lambda hyp, ref: bleuet.lint(hyp, hyp.tolist(), source=ref),
    "rewards": lambda hyp, ref: Reward("chrf")(hyp, ref),
    "rewards with prompts": lambda hyp, ref: Reward("chrf")(hyp, hyp.tolist(), ref),
}


@pytest.mark.parametrize("name", CALLS)
def test_other_rows_are_rejected(name: str) -> None:
    rows = frame()
    other = rows.ref.sort_values(ascending=False)
    with pytest.raises(InputError, match=r"have different indexes \(3, where the other has 0\)"):
        CALLS[name](rows.hyp, other)
    fixed = rows.hyp.reset_index(drop=True), other.reset_index(drop=True)
    CALLS[name](*fixed)
    CALLS[name](rows.hyp, other.loc[rows.hyp.index])


def test_scores_of_other_rows_are_rejected() -> None:
    series = import_module("pandas").Series
    mine, theirs = series([0.1, 0.2], index=[5, 6]), series([0.3, 0.4], index=[6, 5])
    with pytest.raises(InputError, match=r"scores\['A'\]\['b'\] and scores\['A'\]\['a'\] have"):
        Evaluation.from_scores({"A": {"a": mine, "b": theirs}}, ["a", "b"], 2)
    with pytest.raises(InputError, match=r"scores\[1\] and scores\[0\] have different indexes"):
        ScoreMatrix(("a", "b"), [mine, theirs])  # type: ignore[arg-type]
    tokens = series([[1], [2]], index=[1, 2])
    with pytest.raises(InputError, match="references and hypotheses have different indexes"):
        Corpus.from_token_ids(tokens, series([[1], [2]], index=[2, 1]))
