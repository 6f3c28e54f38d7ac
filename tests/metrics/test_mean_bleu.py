"""Means of sentence BLEU: equation 13 of Chen and Cherry (2014), and the plain mean."""

from __future__ import annotations

from typing import Any

import pytest

from bleuet import (
    BLEU,
    Corpus,
    MeanBLEU,
    MeanBLEUScore,
    OptionError,
    SignatureError,
    Table,
    TableError,
    __version__,
    metric_from_signature,
)
from bleuet.metrics.bleu.smoothing import SMOOTHINGS

# BLEU of each sentence, with orders up to 2 and its smoothing off, as its matches and n-grams say.
HYPOTHESES = ["a b c d", "a b", "x y z"]
REFERENCES = ["a b c e f", ["b a b", "a b"], "p q"]
OPTIONS: dict[str, Any] = {"max_ngram_order": 2, "smooth": "none", "tokenize": "none"}


def sentence_bleus() -> list[float]:
    first = 100 * (3 / 4 * 2 / 3) ** 0.5 * 2.718281828459045 ** (1 - 5 / 4)
    return [first, 100.0, 0.0]


def test_equation_13_by_hand() -> None:
    score = MeanBLEU(**OPTIONS).corpus_score(HYPOTHESES, REFERENCES)
    first, second, third = sentence_bleus()
    assert score.weight == 5 + 2 + 2
    assert score.weighted_score == pytest.approx(5 * first + 2 * second + 2 * third, rel=1e-12)
    assert score.score == pytest.approx((5 * first + 2 * second + 2 * third) / 9, rel=1e-12)
    assert isinstance(score, MeanBLEUScore)


def test_the_plain_mean_by_hand() -> None:
    score = MeanBLEU(weighting="plain", **OPTIONS).corpus_score(HYPOTHESES, REFERENCES)
    assert score.weight == 3
    assert score.score == pytest.approx(sum(sentence_bleus()) / 3, rel=1e-12)


def test_corpus_bleu_is_neither() -> None:
    corpus = Corpus(HYPOTHESES, REFERENCES)
    bleu = BLEU(effective_order=True, **OPTIONS).corpus_score(corpus).score
    # Counts are added: 5 of 9 unigrams, 3 of 6 bigrams, lengths 9 and 9.
    assert bleu == pytest.approx(100 * (5 / 9 * 3 / 6) ** 0.5, rel=1e-12)
    for weighting in ("reference-length", "plain"):
        mean = MeanBLEU(weighting=weighting, **OPTIONS).corpus_score(corpus).score
        assert abs(mean - bleu) > 0.1


@pytest.mark.parametrize("weighting", ["reference-length", "plain"])
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"smooth": "floor", "effective_order": False},
        {"reference_length": "average", "lowercase": True},
        {"weights": (0.1, 0.2, 0.3, 0.4)},
    ],
)
def test_a_sentences_mean_is_its_bleu(weighting: Any, options: dict[str, Any]) -> None:
    mean = MeanBLEU(weighting=weighting, **options)
    hypotheses = [*HYPOTHESES, "The cat sat on a mat .", "", "a b c d e f g"]
    references = [*REFERENCES, ["the cat sat on the mat .", "The cat sat"], "a", "a b c e f g"]
    bleus = mean.bleu.sentence_scores(hypotheses, references)
    found = mean.sentence_scores(hypotheses, references)
    assert list(found.values) == pytest.approx(list(bleus.values), rel=1e-15)
    for hypothesis, group, one in zip(hypotheses, references, bleus, strict=True):
        assert mean.sentence_score(hypothesis, group).score == pytest.approx(one, rel=1e-15)


@pytest.mark.parametrize("smooth", SMOOTHINGS)
def test_every_smoothing_is_averaged(smooth: Any) -> None:
    """NLTK's of the last sentence too, which have no number of a corpus."""
    mean = MeanBLEU(smooth=smooth, weighting="plain")
    scores = mean.bleu.sentence_scores(HYPOTHESES, REFERENCES).values
    found = mean.corpus_score(HYPOTHESES, REFERENCES).score
    assert found == pytest.approx(sum(scores) / len(scores), rel=1e-12)


def test_none_asks_for_the_default() -> None:
    nothing: dict[str, Any] = {"effective_order": None, "smooth_unmatched": None}
    assert MeanBLEU(**nothing) == MeanBLEU()
    assert MeanBLEU(effective_order=False).effective_order is False


def test_its_options_are_bleus_and_one_more() -> None:
    assert set(MeanBLEU._fields) == {*BLEU._fields, "weighting"}
    theirs = {option.name: option for option in BLEU.options}
    for option in MeanBLEU.options:
        if option.name == "smooth":
            assert (option.key, option.choices) == ("sentsmooth", theirs["smooth"].choices)
        elif option.name == "effective_order":
            assert (option.default, option.key) == (True, "eff")
        elif option.name != "weighting":
            assert option is theirs[option.name]
    mean = MeanBLEU(tokenize="char", lowercase=True)
    assert mean.bleu == BLEU(tokenize="char", lowercase=True, effective_order=True)
    assert (mean.tokenize, mean.lowercase, mean.smooth) == ("char", True, "exp")
    assert MeanBLEU(trg_lang="zh").tokenize == "zh"


def test_sentences_without_weight_have_a_mean_of_nothing() -> None:
    assert MeanBLEU().corpus_score(["a", ""], ["", ""]).score == 0.0
    assert MeanBLEU(weighting="plain").corpus_score(["a", ""], ["", "a"]).score == 0.0


def test_rows_can_be_taken_from_those_that_bleu_counted() -> None:
    counted = BLEU(max_ngram_order=2).count(HYPOTHESES, REFERENCES)
    for weighting in ("reference-length", "plain"):
        mean = MeanBLEU(weighting=weighting, smooth="floor", max_ngram_order=2)
        assert mean.table_from(counted) == mean.count(HYPOTHESES, REFERENCES)
    with pytest.raises(TableError, match="matches_4"):
        MeanBLEU().table_from(counted)


def test_rows_add() -> None:
    mean = MeanBLEU()
    whole = mean.count(HYPOTHESES, REFERENCES)
    parts = [mean.count([h], [r]) for h, r in zip(HYPOTHESES, REFERENCES, strict=True)]
    assert Table.concatenate(parts) == whole
    assert whole.columns == ("weighted_score", "weight")
    assert mean.score(whole.select([0, 0]).totals()).score == pytest.approx(
        mean.score(whole.row(0)).score
    )


OWN = f"bleuet-{__version__}"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (
            {},
            "MeanBLEU-length|nrefs:1|case:mixed|eff:yes|tok:13a|sentsmooth:exp|mean:length"
            f"|version:{OWN}",
        ),
        (
            {
                "weighting": "plain",
                "smooth": "floor",
                "effective_order": False,
                "max_ngram_order": 2,
            },
            "MeanBLEU-plain|nrefs:1|case:mixed|eff:no|tok:13a|sentsmooth:floor[0.10]|order:2"
            f"|mean:plain|version:{OWN}",
        ),
    ],
    ids=repr,
)
def test_signature(options: dict[str, Any], expected: str) -> None:
    metric = MeanBLEU(**options)
    assert metric.signature().full() == expected
    assert metric_from_signature(expected) == metric


@pytest.mark.parametrize("change", [("mean:length|", ""), ("sentsmooth", "smooth"), ("mean:", "")])
def test_no_mean_is_taken_for_bleu_nor_the_reverse(change: tuple[str, str]) -> None:
    with pytest.raises(SignatureError):
        metric_from_signature(str(MeanBLEU().signature()).replace(*change))
    assert type(metric_from_signature(str(BLEU().signature()))) is BLEU


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"weighting": "length"}, "weighting must be one of reference-length, plain"),
        ({"weighting": None}, "weighting must be one of"),
        ({"smooth": "flor"}, "did you mean floor"),
        ({"max_ngram_order": 0}, "max_ngram_order must be"),
    ],
)
def test_values_that_it_cannot_take(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        MeanBLEU(**options)
