"""ROUGE by the name and with the arguments of torchmetrics."""

from __future__ import annotations

import pickle
from itertools import pairwise
from typing import Any

import pytest

from bleuet import BleuetError, InputError, OptionError
from tests.adapters.test_torchmetrics import original, own, parameters
from tests.adapters.texts import HYPOTHESES, REFERENCES, SEVERAL

pytestmark = [pytest.mark.torch, pytest.mark.libraries]


def shout(text: str) -> str:
    return text.upper().replace(".", " ")


def in_pairs(text: str) -> list[str]:
    """Return words of two words, which have spaces in them."""
    words = text.split(" ")
    return [" ".join(words[place : place + 2]) for place in range(0, len(words), 2)]


@pytest.fixture
def without_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """NLTK's sentence tokenizer without the data that it learned from English news."""
    import nltk
    from torchmetrics.functional.text import rouge

    split = nltk.tokenize.punkt.PunktSentenceTokenizer().tokenize
    monkeypatch.setattr(nltk, "sent_tokenize", split)
    monkeypatch.setattr(rouge, "_ensure_nltk_punkt_is_downloaded", lambda: None)


ROUGE_OPTIONS: list[dict[str, Any]] = [
    {},
    {"use_stemmer": True},
    {"accumulate": "avg"},
    {"accumulate": "avg", "use_stemmer": True, "rouge_keys": ("rougeLsum", "rouge9")},
    {"normalizer": shout},
    {"tokenizer": in_pairs},
    {"normalizer": shout, "tokenizer": in_pairs, "use_stemmer": True, "accumulate": "avg"},
    {"rouge_keys": "rouge3"},
]


@pytest.mark.usefixtures("without_data")
@pytest.mark.parametrize("options", ROUGE_OPTIONS)
def test_rouge_of_torchmetrics(options: dict[str, Any]) -> None:
    """With several references, and with sentences of NLTK, which are not lines.

    > The sentences of rougeLsum are those of NLTK, as in torchmetrics, and not lines, as in
    > rouge-score; they need its data `punkt_tab`.
    """
    texts = [f"{one} {other}" for one, other in pairwise(HYPOTHESES)]
    several = [
        [f"{one} {other}" for one, other in zip(*pair, strict=False)] for pair in pairwise(SEVERAL)
    ]
    found = {}
    for make in (original, own):
        metric = make("ROUGEScore", **options)
        for rows in (slice(0, 25), slice(25, None)):
            metric.update(texts[rows], several[rows])
        alone = metric("It rains. We stay.", ["We stay. It rained.", "It rains."])
        found[make.__name__] = [
            {key: float(value) for key, value in computed.items()}
            for computed in (alone, pickle.loads(pickle.dumps(metric)).compute())
        ]
    for ours, theirs in zip(*(found[name] for name in ("own", "original")), strict=True):
        assert list(ours) == list(theirs)
        # Theirs are in single precision.
        assert ours == pytest.approx(theirs, abs=1e-6)


def test_rouge_in_a_collection() -> None:
    import torch
    from torchmetrics import MetricCollection

    one, other = own("ROUGEScore", rouge_keys="rougeL"), own("ROUGEScore", rouge_keys="rougeL",
                                                            use_stemmer=True)  # fmt: skip
    both = MetricCollection({"words": one, "stems": other}, prefix=None)
    # The first sums are equal, and the later ones are not.
    for text, reference in (("cats", "cats"), ("walking home", "walked home")):
        both.update([text], [reference])
    assert float(other.compute()["rougeL_fmeasure"]) == 1.0
    assert float(one.compute()["rougeL_fmeasure"]) == 0.75
    again = pickle.loads(pickle.dumps(one.half()))
    assert again.sums.dtype == torch.float64
    assert again.compute() == one.compute()
    empty = own("ROUGEScore", rouge_keys="rouge1")
    empty.update([], [])
    assert all(value.isnan() for value in empty.compute().values())


def test_rouge_rejects_what_it_does_not_take() -> None:
    for options in ({"rouge_keys": "rouge10"}, {"rouge_keys": ()}, {"accumulate": "mean"}):
        with pytest.raises(OptionError, match="must be "):
            own("ROUGEScore", **options)
    for accumulate in ("avg", "best"):
        metric = own("ROUGEScore", accumulate=accumulate, rouge_keys="rouge1")
        with pytest.raises(InputError):
            metric.update(["a", "b"], [["a"], []])
        with pytest.raises(InputError):
            metric.update(["a", "b"], [["a"]])


@pytest.mark.usefixtures("without_data")
def test_arguments_of_rouge() -> None:
    assert parameters(own("ROUGEScore")) == parameters(original("ROUGEScore"))


def test_states_of_another_metric_are_an_error() -> None:
    from bleuet.adapters.torchmetrics import ROUGEScore

    saved = ROUGEScore(use_stemmer=True, rouge_keys="rouge1")
    saved.persistent(True)
    saved.update("it rains", "it rained")
    other = ROUGEScore(rouge_keys="rouge1")
    other.load_state_dict(saved.state_dict(), strict=False)
    with pytest.raises(InputError, match="the states come from another metric"):
        other.compute()
    same = ROUGEScore(use_stemmer=True, rouge_keys="rouge1")
    same.load_state_dict(saved.state_dict(), strict=False)
    assert same.compute() == saved.compute()


def test_wrong_types_are_errors_of_bleuet() -> None:
    from bleuet.adapters.torchmetrics import ROUGEScore

    wrong: list[dict[str, Any]] = [{"rouge_keys": 1}, {"rouge_keys": None}, {"normalizer": "x"}]
    for options in wrong:
        with pytest.raises(BleuetError):
            ROUGEScore(**options)
    rouge = ROUGEScore(rouge_keys="rouge1")
    for target in (None, 3):
        with pytest.raises(BleuetError, match="target must be"):
            rouge.update("a", target)
    assert rouge("a b", (text for text in ["a b"]))["rouge1_fmeasure"] == 1


@pytest.mark.parametrize("accumulate", ["best", "avg"])
def test_a_reference_alone_is_a_list_of_one(accumulate: str) -> None:
    """And a reference that is not there is none; an average is that of the single references."""
    keys = ("rouge1", "rougeL")

    def measured(references: Any) -> dict[str, float]:
        metric = own("ROUGEScore", accumulate=accumulate, rouge_keys=keys)
        for rows in (slice(0, 25), slice(25, None)):
            metric.update(HYPOTHESES[rows], references[rows])
        return {key: float(value) for key, value in metric.compute().items()}

    alone = measured(REFERENCES)
    assert measured([[one] for one in REFERENCES]) == alone
    assert measured([[None, one] for one in REFERENCES]) == alone
    others = measured([one for _, one in SEVERAL])
    both = measured(SEVERAL)
    for key, value in both.items():
        if accumulate == "avg":
            assert value == pytest.approx((alone[key] + others[key]) / 2)
        elif key.endswith("fmeasure"):
            assert value >= max(alone[key], others[key])
