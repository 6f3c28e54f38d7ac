"""Texts whose comparison would take minutes are errors at once, with a way out."""

from __future__ import annotations

import re

import pytest

from bleuet import EED, ROUGE, WER, CharCut
from bleuet.errors import InputError
from bleuet.metrics.catalogue import parse_metric
from tests.backends import counted_by_python
from tests.patience import little_work

CASES = [
    ("eed", "a" * 150_000, "b" * 150_000, "EED of characters"),
    ("charcut", "a" * 10_001, "b" * 10_001, "CharCut of characters"),
    ("cer", "a" * 250_000, "b" * 250_000, "edits of characters"),
    ("wer", "a " * 250_000, "b " * 250_000, "edits of words"),
    ("edit-distance", "a" * 250_000, "b" * 250_000, "edits of characters"),
    ("character", "a" * 250_000, "b" * 250_000, "edits of characters"),
    ("character", "a " * 10_001, "b " * 10_001, "shifts of words"),
    ("character", "a " * 400 + "b " * 400, "b " * 400 + "a " * 400, "shifts of words"),
    ("cder", "a " * 250_000, "b " * 250_000, "edits of words"),
    ("meteor:version=2005", "a " * 10_001, "b " * 10_001, "METEOR in stages"),
    ("rouge:variant=W", "a " * 75_000, "b " * 75_000, "ROUGE-W of words"),
    ("rouge", "a " * 460_000, "b " * 460_000, "ROUGE-L of words"),
]


def error_of(name: str, hypothesis: str, reference: str) -> str:
    metric = parse_metric(name)
    # The comparison takes hours.
    with little_work(), pytest.raises(InputError) as caught:
        metric.sentence_score(hypothesis, reference)
    return str(caught.value)


@pytest.mark.parametrize(("name", "hypothesis", "reference", "method"), CASES)
def test_long_texts_are_an_error(name: str, hypothesis: str, reference: str, method: str) -> None:
    message = error_of(name, hypothesis, reference)
    assert re.fullmatch(
        rf"a hypothesis of \d+ and a reference of \d+ are too long for {method}, whose time grows "
        r"with the product of the (lengths|reference's length, of .*), at most \d+: divide the "
        r"segment into sentences",
        message,
    )
    with counted_by_python():
        assert error_of(name, hypothesis, reference) == message


@pytest.mark.parametrize(
    ("name", "hypothesis", "reference", "pairs"),
    [
        (
            "rouge:variant=S,skip_distance=1000000",
            "a " * 8000,
            "b " * 7000,
            "56492500 pairs of words",
        ),
        ("rouge:variant=SU,skip_distance=999", "a b " * 30_000, "a", "59499500 pairs of words"),
        ("hlepor", "a " * 7000, "a b " * 7000, "49000000 pairs of equal words"),
    ],
)
def test_many_pairs_are_an_error(name: str, hypothesis: str, reference: str, pairs: str) -> None:
    message = error_of(name, hypothesis, reference)
    assert re.fullmatch(
        rf"a hypothesis and a reference have {pairs} for \S+, which takes at most \d+: divide the "
        "segment into sentences",
        message,
    )
    with counted_by_python():
        assert error_of(name, hypothesis, reference) == message


@pytest.mark.usefixtures("needs_kernel")
def test_what_takes_no_time_is_no_error() -> None:
    text = "the cat sat on the mat. " * 20_000
    assert WER(tokenize="char").sentence_score(text, text).score == 0
    assert WER(moves="free").sentence_score("a " * 300_000, "b " * 300_000).score == 100
    assert ROUGE(variant="1").sentence_score("a " * 500_000, "b " * 500_000).score == 0
    assert CharCut().sentence_score(text, text).score == 0
    assert EED().sentence_score("a b " * 9_000, "a b " * 9_000).score < 1


@pytest.mark.libraries
@pytest.mark.parametrize("tokenizer", ["ja-mecab", "ko-mecab"])
def test_a_run_that_mecab_reads_for_minutes(tokenizer: str) -> None:
    metric = parse_metric(f"bleu:tokenize={tokenizer}")
    with pytest.raises(InputError, match="of 20000 characters is too long for MeCab"):
        metric.sentence_score("a" * 20_000, "a b")
    text = "時間がかかります。" * 5_000
    assert metric.sentence_score(text, text).score == pytest.approx(100)
