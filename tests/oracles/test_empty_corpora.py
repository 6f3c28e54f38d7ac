"""What other packages and our adapters to them return for an empty corpus."""

from __future__ import annotations

import math
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU, Table, compare, make_metric, score, self_bleu
from bleuet.errors import InputError, TableError
from bleuet.metrics.catalogue import CATALOGUE
from bleuet.rewards import Reward, openrlhf_reward, trl_reward

if TYPE_CHECKING:
    from collections.abc import Callable

CALLS: list[Callable[[], Any]] = [
    lambda: BLEU().corpus_score([], []),
    lambda: BLEU().sentence_scores([], []),
    lambda: BLEU().count([], []),
    lambda: BLEU().matrix([], []),
    lambda: score([], [], "bleu"),
    lambda: compare({"a": []}, [], ["bleu"]),
    lambda: self_bleu([]),
]


@pytest.mark.parametrize("call", CALLS)
def test_bleuet(call: Callable[[], Any]) -> None:
    """No call has a score for it.

    > **An empty corpus** is an error here that says what is missing.
    """
    with pytest.raises(InputError, match=r"no segments? to score|pass|expected at least one"):
        call()


def number_or_error(call: Callable[[], Any]) -> Any:
    try:
        return float(call())
    except (ZeroDivisionError, IndexError) as error:
        return type(error)


@pytest.mark.peers
def test_packages_for_texts() -> None:
    """Their conventions.

    > Most of jiwer's rates of it are 0 (`wip` is 1), NLTK's `corpus_gleu` and `corpus_ribes` are 0,
      its other functions stop with a `ZeroDivisionError`, and sacreBLEU stops with an
      `IndexError`.
    """
    jiwer = import_module("jiwer")
    rates = {name: getattr(jiwer, name)([], []) for name in ("wer", "mer", "wil", "wip", "cer")}
    assert rates == {"wer": 0, "mer": 0, "wil": 0, "wip": 1, "cer": 0}
    found = {}
    for name in ("bleu", "chrf", "nist", "gleu", "ribes"):
        module = import_module(f"nltk.translate.{name}_score")
        found[name] = number_or_error(partial(getattr(module, f"corpus_{name}"), [], []))
    assert found == {
        **dict.fromkeys(("bleu", "chrf", "nist"), ZeroDivisionError),
        **dict.fromkeys(("gleu", "ribes"), 0),
    }


@pytest.mark.peers
@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
def test_the_interface_of_sacrebleu(name: str) -> None:
    """It has an exception, and ours says what is missing."""
    theirs, ours = (import_module(f"{one}sacrebleu") for one in ("", "bleuet.compat."))
    several: list[list[list[str]]] = [[[]], []]
    for streams in several:
        with pytest.raises(IndexError):
            getattr(theirs, name)().corpus_score([], streams)
        with pytest.raises(InputError, match=r"no segment to score|references is empty"):
            getattr(ours, name)().corpus_score([], streams)
    function = {"BLEU": "corpus_bleu", "CHRF": "corpus_chrf", "TER": "corpus_ter"}[name]
    with pytest.raises(InputError, match="no segment to score"):
        getattr(ours, function)([], [[]])


@pytest.mark.torch
def test_torchmetrics() -> None:
    """Its own metrics, and ours for it.

    > torchmetrics returns 0 for it (BLEU, chrF, TER and EED) or NaN (the error rates of words and
      characters).

    > `bleuet.torch.CorpusMetric` returns NaN before its first update.
    """
    text = import_module("torchmetrics.text")
    assert import_module("torchmetrics.functional.text").bleu_score([], []) == 0
    by_edits = ("TranslationEditRate", "ExtendedEditDistance")
    for name in ("BLEUScore", "SacreBLEUScore", "CHRFScore", *by_edits):
        assert getattr(text, name)().compute() == 0, name
    words = ("WordErrorRate", "MatchErrorRate", "WordInfoLost", "WordInfoPreserved")
    for name in (*words, "CharErrorRate"):
        assert math.isnan(getattr(text, name)().compute()), name
    corpus_metric = import_module("bleuet.torch").CorpusMetric
    for name in CATALOGUE:
        # Some learn from all references.
        if name not in ("nist", "cider", "crystal-bleu"):
            metric = corpus_metric(name)
            metric.update([], [])
            assert math.isnan(metric.compute()), name
            with pytest.raises(TableError, match="of no segment is undefined"):
                metric.score()
    adapted = import_module("bleuet.adapters.torchmetrics")
    for name in ("BLEUScore", "SacreBLEUScore", "CHRFScore", *by_edits, *words, "CharErrorRate"):
        assert math.isnan(getattr(adapted, name)().compute()), name


@pytest.mark.parametrize("name", CATALOGUE)
def test_sums_of_no_segment(name: str) -> None:
    """A sum of nothing has no score: it would be a perfect error rate."""
    metric = make_metric(name)
    nothing = Table.from_rows(metric.integer_columns, metric.real_columns, [])
    assert list(metric.segment_scores(nothing)) == []
    with pytest.raises(TableError, match=f"{metric.name} of no segment is undefined"):
        metric.score(nothing.totals())


@pytest.mark.torch
def test_tensors() -> None:
    """A batch without segments.

    > A batch without segments has no rows, and no corpus score: `corpus_bleu` raises an error.
    """
    torch, ours = import_module("torch"), import_module("bleuet.torch")
    empty = torch.zeros(0, 4, dtype=torch.int64)
    assert ours.bleu_statistics(empty, empty).shape == (0, 10)
    assert ours.sentence_bleu(empty, empty).shape == (0,)
    assert ours.matrix(empty, empty).shape == (0, 0)
    with pytest.raises(TableError, match="BLEU of no segment is undefined"):
        ours.corpus_bleu(empty, empty)


def test_rewards() -> None:
    """No text has no reward, so that a process without texts does not end training."""
    reward = Reward("bleu")
    assert reward([], []) == []
    assert reward.details([], []) == {"reward": [], "BLEU": []}
    assert trl_reward("bleu", reference="answer")(prompts=[], completions=[], answer=[]) == []
    assert openrlhf_reward("bleu")([], [], []) == {
        "rewards": [],
        "scores": [],
        "extra_logs": {"BLEU": []},
    }
