"""A wrong option or argument is refused with what came and what was expected."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bleuet import (
    BLEU,
    CHRF,
    ROUGE,
    TER,
    WER,
    Corpus,
    InputError,
    InputTypeError,
    Metric,
    OptionError,
    TableError,
    find_metric,
)

WRONG: list[tuple[type[Metric], dict[str, Any], list[str]]] = [
    (BLEU, {"tokenize": "13b"}, ["'13b'", "did you mean 13a?", "intl", "spm:FILE"]),
    (BLEU, {"tokenize": 13}, ["tokenize must be one of 13a, none", "spm:FILE", "not 13"]),
    (BLEU, {"tokenize": ["13a"]}, ["tokenize must be one of 13a, none", "not ['13a']"]),
    (BLEU, {"smooth": "expp"}, ["smooth", "'expp'", "did you mean exp?", "none, floor, add-k"]),
    (BLEU, {"smooth": None}, ["smooth", "None"]),
    (BLEU, {"smooth_value": 1}, ["smooth_value", "floor, add-k, chen-cherry-1", "'exp'"]),
    (BLEU, {"smooth": "floor", "smooth_value": -0.1}, ["smooth_value", "from 0 to", "-0.1"]),
    (BLEU, {"smooth": "add-k", "smooth_value": "1"}, ["smooth_value", "finite number", "'1'"]),
    (BLEU, {"smooth": "floor", "smooth_value": float("nan")}, ["finite number", "nan"]),
    (BLEU, {"max_ngram_order": 0}, ["max_ngram_order", "whole number from 1", "0"]),
    (BLEU, {"max_ngram_order": 4.0}, ["max_ngram_order", "whole number", "4.0"]),
    (BLEU, {"max_ngram_order": True}, ["max_ngram_order", "True"]),
    (BLEU, {"max_ngram_order": 10**6}, ["max_ngram_order", "1000000"]),
    (BLEU, {"weights": (0.5, 0.5)}, ["4 for max_ngram_order=4", "2 came"]),
    (BLEU, {"weights": (0.5, 0.5, 0.5, 0.5)}, ["add up to 1", "add up to 2"]),
    (BLEU, {"weights": (-0.5, 1.5, 0, 0)}, ["weight", "from 0 to 1", "-0.5"]),
    (BLEU, {"weights": {0.25, 0.75}, "max_ngram_order": 2}, ["weights", "a list of numbers"]),
    (BLEU, {"weights": ("1", 0, 0, 0)}, ["weight", "'1'"]),
    (BLEU, {"weights": 1}, ["weights", "1"]),
    (BLEU, {"reference_length": "close"}, ["'close'", "did you mean closest?", "shortest"]),
    (BLEU, {"tokenize": "ids", "lowercase": True}, ["lowercase", "token ids have no case"]),
    (BLEU, {"lowercase": "yes"}, ["lowercase", "True or False", "'yes'"]),
    (CHRF, {"char_order": 0}, ["char_order and word_order are both 0"]),
    (CHRF, {"char_order": -1}, ["char_order", "from 0", "-1"]),
    (CHRF, {"word_order": -1}, ["word_order", "from 0", "-1"]),
    (CHRF, {"word_order": "2"}, ["word_order", "'2'"]),
    (CHRF, {"beta": -1}, ["beta", "from 0 to 1000", "-1"]),
    (CHRF, {"beta": 1e300}, ["beta", "from 0 to 1000", "1e+300"]),
    (CHRF, {"beta": 5e-324}, ["beta", "0 or at least 1e-100", "5e-324"]),
    (CHRF, {"beta": float("inf")}, ["beta", "finite", "inf"]),
    (CHRF, {"whitespace": 1}, ["whitespace", "True or False", "1"]),
    (TER, {"tokenize": "13a"}, ["tokenize", "tercom, ids", "'13a'"]),
    (TER, {"tokenize": "ids", "normalized": True}, ["token ids", "normalized"]),
    (TER, {"no_punct": "no"}, ["no_punct", "True or False", "'no'"]),
]


@pytest.mark.parametrize(("kind", "options", "parts"), WRONG, ids=lambda v: str(v)[:40])
def test_options(kind: type[Metric], options: dict[str, Any], parts: list[str]) -> None:
    with pytest.raises(OptionError) as caught:
        kind(**options)
    message = str(caught.value)
    assert "\n" not in message
    assert [part for part in parts if part not in message] == [], message


@pytest.mark.parametrize("name", ["bleuu", "BLUE", "rogue", "", 5, None])
def test_names(name: Any) -> None:
    with pytest.raises(OptionError, match="`bleuet metrics` lists the metrics") as caught:
        find_metric(name)
    assert str(name) in str(caught.value)


CALLS: list[tuple[Any, list[Any], str]] = [
    (ROUGE, ["l"], "ROUGE takes its options by name: ROUGE(variant='L')"),
    (CHRF, [6], "CHRF takes its options by name, as in CHRF(lowercase=False), not 6"),
    (BLEU, [["a"], ["a"]], "no texts: to score texts, use BLEU().corpus_score("),
    (BLEU, ["a", "a"], "no texts: to score texts, use BLEU().corpus_score("),
    (lambda *given: TER().score(*given), [["a"], ["a"]], "to score texts, use TER().corpus_score("),
    (
        lambda *given: BLEU().score(*given),
        [["a"], ["a"]],
        "to score texts, use BLEU().corpus_score(",
    ),
]


@pytest.mark.parametrize(("function", "arguments", "message"), CALLS)
def test_calls_of_other_libraries(function: Any, arguments: list[Any], message: str) -> None:
    with pytest.raises(InputTypeError) as caught:
        function(*arguments)
    assert message in str(caught.value)


def test_attributes_of_other_libraries() -> None:
    with pytest.raises(AttributeError, match=r"'compute' \(did you mean corpus_score\?"):
        _ = BLEU().compute  # type: ignore[attr-defined]
    assert not hasattr(BLEU(), "compute")
    assert not hasattr(BLEU, "get_signature")


INPUTS: list[tuple[Any, Any, type[InputError], list[str]]] = [
    ("a b", "a b", InputTypeError, ["hypotheses is a bare string", "wrap it in a list"]),
    (["a"], "a", InputTypeError, ["references is a bare string"]),
    (["a", "b"], [["a", "b"]], InputError, ["Corpus.from_sacrebleu"]),
    (["a", "b"], ["a"], InputError, ["2 hypotheses but 1 reference"]),
    ([], [], InputError, ["no segments"]),
    ([["a", "b"]], ["a"], InputTypeError, ["hypotheses[0] is a list", "' '.join"]),
    (["a"], [[None]], InputError, ["references[0] has no reference"]),
    (["a", b"b"], ["a", "b"], InputTypeError, ["hypotheses[1]", "decode"]),
]


@pytest.mark.parametrize(("hypotheses", "references", "error", "parts"), INPUTS)
@pytest.mark.parametrize("kind", [BLEU, CHRF, TER])
def test_input(
    kind: type[Metric],
    hypotheses: Any,
    references: Any,
    error: type[InputError],
    parts: list[str],
) -> None:
    metric = kind()
    with pytest.raises(error) as caught:
        metric.corpus_score(hypotheses, references)
    assert [part for part in parts if part not in str(caught.value)] == [], str(caught.value)


@pytest.mark.parametrize("kind", [BLEU, CHRF, TER])
@pytest.mark.parametrize(
    ("hypothesis", "references"),
    [(["a"], "a"), (None, "a"), ("a", None), ("a", []), ("a", [None]), ("a", [["a"]]), (b"a", "a")],
)
def test_sentences(kind: type[Metric], hypothesis: Any, references: Any) -> None:
    metric = kind()
    with pytest.raises(InputError):
        metric.sentence_score(hypothesis, references)


def test_prepared_references_serve_their_metric_only() -> None:
    prepared = BLEU().prepare_references(["a"])
    with pytest.raises(OptionError, match=re.escape(repr(BLEU(lowercase=True)))):
        BLEU(lowercase=True).corpus_score(["a"], prepared)
    with pytest.raises(InputError, match="2 hypotheses but 1 reference"):
        BLEU().corpus_score(["a", "b"], prepared)


def test_text_and_token_ids_are_told_apart() -> None:
    ids = Corpus.from_token_ids([[1, 2]], [[1, 2]])
    text = Corpus(["a"], ["a"])
    for metric in (BLEU(), CHRF(), TER()):
        with pytest.raises(InputTypeError, match="counts text, but the corpus holds token ids"):
            metric.table(ids)
    for metric in (BLEU(tokenize="ids"), TER(tokenize="ids")):
        with pytest.raises(InputTypeError, match="counts token ids, but the corpus holds text"):
            metric.table(text)
        with pytest.raises(InputTypeError):
            metric.sentence_score("a", "a")


def test_segments_that_are_not_there() -> None:
    scores = BLEU().sentence_scores(["a", "b"], ["a", "b"])
    with pytest.raises(IndexError, match="segment 2 of 2"):
        _ = scores[2]
    with pytest.raises(InputTypeError, match="not str"):
        _ = scores["0"]  # type: ignore[call-overload]
    with pytest.raises(TableError, match="no row 2"):
        scores.score(2)


@pytest.mark.parametrize("kind", [BLEU, TER])
def test_token_ids_too_large_for_64_bits(kind: type[BLEU | TER]) -> None:
    metric = kind(tokenize="ids")
    with pytest.raises(InputError):
        metric.corpus_score([[2**70]], [[1]])


@pytest.mark.slow
@pytest.mark.usefixtures("needs_kernel")
def test_a_segment_that_is_too_long_is_an_error_of_the_library() -> None:
    text = "a" * (2**28 + 1)
    for metric in (TER(), WER()):
        with pytest.raises(InputError, match=r"more than 2\^28 characters; split it"):
            metric.sentence_score(text, ["a"])
        with pytest.raises(InputError, match=r"more than 2\^28 characters; split it"):
            metric.corpus_score(["a", "a"], ["a", text])
