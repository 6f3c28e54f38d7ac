"""The names of torchmetrics: its numbers where they are right, elsewhere those of the sources."""

from __future__ import annotations

import pickle
from inspect import signature
from typing import Any

import pytest

from bleuet import make_metric
from tests.adapters.texts import HYPOTHESES, REFERENCES, SEVERAL

pytestmark = pytest.mark.torch

# Of those that are sums over all segments, and with them the means of segments.
EQUAL: list[tuple[str, dict[str, Any], bool]] = [
    ("BLEUScore", {}, True),
    ("BLEUScore", {"smooth": True, "n_gram": 2}, True),
    ("SacreBLEUScore", {"lowercase": True}, False),
    ("SacreBLEUScore", {"tokenize": "char", "smooth": True}, True),
    ("CHRFScore", {}, True),
    ("CHRFScore", {"n_word_order": 0, "whitespace": True}, True),
    ("ExtendedEditDistance", {}, True),
    ("ExtendedEditDistance", {"alpha": 1.5, "rho": 0.2}, True),
    ("WordErrorRate", {}, False),
    ("CharErrorRate", {}, False),
]


def original(name: str, **options: Any) -> Any:
    import torchmetrics.text

    return getattr(torchmetrics.text, name)(**options)


def own(name: str, **options: Any) -> Any:
    import bleuet.adapters.torchmetrics as names

    return getattr(names, name)(**options)


def parameters(metric: Any) -> list[tuple[str, Any]]:
    found = signature(type(metric).__init__).parameters.values()
    return [(one.name, one.default) for one in found if one.kind is not one.VAR_KEYWORD]


def updated(metric: Any, references: Any) -> float:
    for rows in (slice(0, 25), slice(25, None)):
        metric.update(HYPOTHESES[rows], references[rows])
    return float(pickle.loads(pickle.dumps(metric)).compute())


@pytest.mark.parametrize(("name", "options", "several"), EQUAL)
def test_numbers_of_torchmetrics(name: str, options: dict[str, Any], several: bool) -> None:
    single: Any = REFERENCES if "Error" in name else [[one] for one in REFERENCES]
    references: Any = SEVERAL if several else single
    expected = updated(original(name, **options), references)
    # Theirs are in single precision.
    assert updated(own(name, **options), references) == pytest.approx(expected, abs=1e-6)


def test_several_references_as_sacrebleu_counts_them() -> None:
    """Of references that are equally near in length, torchmetrics takes another one."""
    expected = make_metric("bleu", smooth="none").corpus_score(HYPOTHESES, SEVERAL).score / 100
    assert updated(own("SacreBLEUScore"), SEVERAL) == pytest.approx(expected)
    assert updated(original("SacreBLEUScore"), SEVERAL) != pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    ("name", "metric"),
    [
        ("MatchErrorRate", "mer"),
        ("WordInfoLost", "wil"),
        ("WordInfoPreserved", "wip"),
        ("TranslationEditRate", "ter"),
    ],
)
def test_numbers_of_the_sources(name: str, metric: str) -> None:
    """torchmetrics takes the longer text for all words, and the mean length of references."""
    references: Any = SEVERAL if metric == "ter" else REFERENCES
    expected = make_metric(metric).corpus_score(HYPOTHESES, references).score / 100
    assert updated(own(name), references) == pytest.approx(expected)


NAMES = (*dict.fromkeys(name for name, _, _ in EQUAL), "MatchErrorRate", "WordInfoLost")
NAMES = (*NAMES, "WordInfoPreserved", "TranslationEditRate")


@pytest.mark.parametrize("name", NAMES)
def test_arguments_of_torchmetrics(name: str) -> None:
    """Every argument, in its place and with its default."""
    assert parameters(own(name)) == parameters(original(name))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("CHRFScore", {}),
        ("CHRFScore", {"beta": 1.5}),
        ("ExtendedEditDistance", {}),
        ("TranslationEditRate", {}),
    ],
)
def test_scores_of_segments(name: str, options: dict[str, Any]) -> None:
    references = [[one] for one in REFERENCES]
    found = {}
    for make in (original, own):
        metric = make(name, return_sentence_level_score=True, **options)
        for rows in (slice(0, 25), slice(25, None)):
            metric.update(HYPOTHESES[rows], references[rows])
        whole, each = pickle.loads(pickle.dumps(metric)).compute()
        found[make.__name__] = float(whole), each.flatten().tolist()
    assert len(found["own"][1]) == len(HYPOTHESES)
    if name != "TranslationEditRate":  # whose texts torchmetrics exchanges
        assert found["own"][0] == pytest.approx(found["original"][0], abs=1e-6)
        assert found["own"][1] == pytest.approx(found["original"][1], abs=1e-6)
    else:
        scores = make_metric("ter").sentence_scores(HYPOTHESES, REFERENCES).tolist()
        assert found["own"][1] == pytest.approx([one / 100 for one in scores])
    empty = own(name, return_sentence_level_score=True)
    empty.update([], [])
    assert empty.compute()[1].shape == (0,)
    # The batch alone, and then all batches.
    metric = own(name, return_sentence_level_score=True)
    assert metric(HYPOTHESES[:2], references[:2])[1].shape == (2,)
    assert metric(HYPOTHESES[2:5], references[2:5])[1].shape == (3,)
    assert metric.compute()[1].shape == (5,)
    metric.reset()
    assert metric.compute()[1].shape == (0,)
