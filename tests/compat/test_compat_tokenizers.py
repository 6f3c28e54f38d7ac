"""Tokenizers and n-grams are sacreBLEU's."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.compat import sacrebleu as ours
from tests.compat.agreement import (
    TER_OPTIONS,
    TOKENIZERS,
    agree,
    both,
    segments,
    theirs,
)
from tests.effort import examples


def tokenizer(package: Any, module: str, name: str) -> Any:
    found = importlib.import_module(f"{package.__name__}.tokenizers.{module}")
    return getattr(found, name)


@pytest.mark.peers
@pytest.mark.parametrize(("module", "name"), TOKENIZERS.items())
@examples(60)
@given(line=segments)
def test_tokenizers_agree(module: str, name: str, line: str) -> None:
    mine, other = (tokenizer(package, module, name)() for package in (ours, theirs()))
    line = line.rstrip()
    assert mine(line) == other(line)
    assert mine.signature() == other.signature()


@pytest.mark.peers
@examples(100)
@given(TER_OPTIONS, segments)
def test_tercom_tokenizers_agree(options: dict[str, bool], line: str) -> None:
    mine, other = (
        tokenizer(package, "tokenizer_ter", "TercomTokenizer") for package in (ours, theirs())
    )
    assert mine(**options)(line) == other(**options)(line)
    assert (mine.ASIAN_PUNCT, mine.FULL_WIDTH_PUNCT) == (other.ASIAN_PUNCT, other.FULL_WIDTH_PUNCT)


@pytest.mark.peers
@given(segments, st.integers(1, 3), st.booleans())
def test_ngrams_agree(line: str, n: int, whitespace: bool) -> None:
    mine, other = ours.metrics.helpers, theirs().metrics.helpers
    words = line.split()
    assert mine.extract_word_ngrams(words, n) == other.extract_word_ngrams(words, n)
    assert mine.extract_all_word_ngrams(line, 1, n) == other.extract_all_word_ngrams(line, 1, n)
    for name in "extract_char_ngrams", "extract_all_char_ngrams":
        assert getattr(mine, name)(line, n, whitespace) == getattr(other, name)(line, n, whitespace)


@pytest.mark.peers
def test_metrics_have_their_tokenizers() -> None:
    for options in {}, {"tokenize": "char"}, {"tokenize": "ja-mecab"}:
        mine, other = both("BLEU", options)
        assert mine.tokenizer("It's 3.5%.") == other.tokenizer("It's 3.5%.")
        assert mine.tokenizer_signature == other.tokenizer_signature
    mine, other = both("TER", {"normalized": True})
    assert mine.tokenizer("It's 3.5%.") == other.tokenizer("It's 3.5%.")
    assert mine.tokenizer_signature == other.tokenizer_signature


class Halves:
    """A tokenizer of one's own."""

    def __call__(self, line: str) -> str:
        return f"{line[: len(line) // 2]} {line[len(line) // 2 :]}"

    def signature(self) -> str:
        return "halves"


@pytest.mark.peers
def test_a_tokenizer_of_ones_own_takes_the_place() -> None:
    mine, other = both("BLEU", {"lowercase": True, "max_ngram_order": 2})
    for metric in mine, other:
        metric.tokenizer = Halves()
        metric.tokenizer_signature_ = "halves"
    hypotheses, streams = ["Abcd ", "abXY"], [["ABce", "abxy"], ["abde", None]]
    agree(mine.corpus_score(hypotheses, streams), other.corpus_score(hypotheses, streams))
    agree(mine.sentence_score("Abcd", ["abCE"]), other.sentence_score("Abcd", ["abCE"]))
    assert "tok:halves" in str(mine.get_signature())


def test_references_in_the_cache_are_read_by_the_tokenizer_of_now() -> None:
    hypotheses = ["Abcd ", "abXY"]
    streams: list[list[str | None]] = [["ABce", "abxy"], ["abde", None]]
    changed, fresh = ours.BLEU(references=streams), ours.BLEU()
    for options in {}, {"lowercase": True}:
        for metric in changed, fresh:
            metric.tokenizer = Halves()
            for option, value in options.items():
                setattr(metric, option, value)
        expected = fresh.corpus_score(hypotheses, streams)
        agree(changed.corpus_score(hypotheses, None), expected)
