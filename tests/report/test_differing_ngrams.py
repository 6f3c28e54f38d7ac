"""The page searches an n-gram as the first text with it writes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import BLEU
from bleuet.comparison import compare
from bleuet.comparison.pair import pairs_of
from bleuet.comparison.tokens import splitter
from bleuet.report.page.differing_ngrams import differing_ngrams
from bleuet.report.page.word_spans import spans_of
from tests.effort import examples

if TYPE_CHECKING:
    from collections.abc import Iterable

PIECES = ["a", "cat", "Cat", "cats", "-", "\n", ".", "&quot;", " ", " ", " ", "日本", "İ"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=9).map("".join)


def first_written(ngram: tuple[str, ...], texts: Iterable[str], bleu: BLEU) -> str:
    """The part of the first text that is an n-gram, if the text has its words letter by letter."""
    for text in texts:
        words = splitter(bleu.tokenize)(text)
        compared = tuple(map(str.lower, words)) if bleu.lowercase else words
        read = text.lower() if bleu.lowercase else text
        for first in range(len(words) - len(ngram) + 1):
            end = first + len(ngram)
            if compared[first:end] == ngram and all(word in read for word in ngram):
                spans = spans_of(text, words)
                return text[spans[first][0] : spans[end - 1][1]]
    return " ".join(ngram)


@pytest.mark.slow
@examples(100)
@given(st.data(), st.sampled_from(["13a", "intl", "char"]), st.booleans())
def test_ngrams_are_written_as_the_first_text_has_them(
    data: st.DataObject, tokenizer: str, lowercase: bool
) -> None:
    rows = data.draw(st.integers(1, 6))
    columns = st.lists(TEXTS, min_size=rows, max_size=rows)
    hypotheses = [data.draw(columns) for _ in range(2)]
    bleu = BLEU(tokenize=tokenizer, lowercase=lowercase)
    found = compare(dict(zip("ab", hypotheses, strict=True)), data.draw(columns), [bleu])
    (pair,) = differing_ngrams(found, pairs_of(2)).values()
    for system, own in enumerate(pair):
        for one in own:
            ngram = tuple(one["words"].split(" "))
            assert one["written"] == first_written(ngram, hypotheses[system], bleu)


def test_an_ngram_is_in_one_text() -> None:
    systems = {"a": ["the big", "cat", "the bigcat. The big cat!"], "b": ["", "", "x"]}
    found = compare(systems, ["the big", "cat", "The big cat!"], [BLEU()])
    (pair,) = differing_ngrams(found, pairs_of(2)).values()
    written = {one["words"]: one["written"] for one in pair[0]}
    assert written["big cat !"] == "big cat!"
    assert written["The big cat !"] == "The big cat!"
