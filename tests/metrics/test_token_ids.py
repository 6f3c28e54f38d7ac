"""Corpora of integers, such as a model's own vocabulary, without a detour through text."""

from __future__ import annotations

import array
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet import BLEU, TER, Corpus, InputError, Metric

if TYPE_CHECKING:
    from collections.abc import Callable

HYPOTHESES: list[Any] = [[5, 6, 7, 8, 9], [1, 1, 2], []]
REFERENCES: list[Any] = [[5, 6, 7, 8], [[1, 2], None, [1, 1, 3]], [4]]
SAID = ["5 6 7 8 9", "1 1 2", ""]
HEARD: list[Any] = ["5 6 7 8", ["1 2", "1 1 3"], "4"]
# A metric of token ids, and the same of text.
METRICS: dict[str, Callable[[], tuple[Metric, Metric]]] = {
    "BLEU": lambda: (BLEU(tokenize="ids"), BLEU(tokenize="none")),
    "BLEU-2": lambda: (
        BLEU(tokenize="ids", max_ngram_order=2, reference_length="average"),
        BLEU(tokenize="none", max_ngram_order=2, reference_length="average"),
    ),
    "TER": lambda: (TER(tokenize="ids"), TER()),
}
each = pytest.mark.parametrize("name", METRICS)


@each
def test_the_numbers_are_those_of_the_same_words(name: str) -> None:
    ids, text = METRICS[name]()
    table = ids.count(HYPOTHESES, REFERENCES)
    assert table == text.count(SAID, HEARD)
    assert table == ids.table(Corpus.from_token_ids(HYPOTHESES, REFERENCES))


@each
def test_sentences(name: str) -> None:
    ids, text = METRICS[name]()
    for hypothesis, references, said, heard in zip(
        HYPOTHESES, REFERENCES, SAID, HEARD, strict=True
    ):
        mine = ids.sentence_score(hypothesis, references)
        assert mine.score == text.sentence_score(said, heard).score


@each
def test_prepared_references(name: str) -> None:
    ids, text = METRICS[name]()
    prepared = ids.prepare_references(REFERENCES)
    score = ids.corpus_score(HYPOTHESES, prepared)
    assert score.values == text.corpus_score(SAID, HEARD).values


@each
@pytest.mark.parametrize("code", "bBhHiIlLqQ")
def test_buffers_of_every_integer(name: str, code: str) -> None:
    ids, text = METRICS[name]()
    hypotheses: list[Any] = [array.array(code, tokens) for tokens in HYPOTHESES]
    references = [array.array(code, [5, 6, 7, 8]), [array.array(code, [1, 2])], [[4]]]
    expected = ids.count(HYPOTHESES, [[5, 6, 7, 8], [[1, 2]], [[4]]])
    assert ids.count(hypotheses, references) == expected
    assert text.count(["5 6 7 8 9", "1 1 2", ""], ["5 6 7 8", "1 2", "4"]) == expected


@each
def test_arrays(name: str) -> None:
    ids, text = METRICS[name]()
    for dtype in (np.int32, np.int64, np.uint16):
        hypotheses: Any = [np.array(tokens, dtype=dtype) for tokens in HYPOTHESES]
        references: Any = [np.array(tokens, dtype=dtype) for tokens in ([5, 6, 7, 8], [1, 2], [4])]
        assert ids.count(hypotheses, references) == text.count(
            ["5 6 7 8 9", "1 1 2", ""], ["5 6 7 8", "1 2", "4"]
        )


@pytest.mark.parametrize("kind", [BLEU, TER])
def test_the_ends_of_64_bits_are_tokens_like_others(kind: type[BLEU | TER]) -> None:
    metric = kind(tokenize="ids")
    tokens: Any = [-(2**63), 2**63 - 1, 0, -1, 1]
    same = metric.sentence_score(tokens, [tokens])
    assert same.score == pytest.approx(100 if metric.higher_is_better else 0)
    others: Any = [t ^ 1 for t in tokens]
    changed = metric.sentence_score(tokens, [others])
    assert changed.score < 50 if metric.higher_is_better else changed.score > 50


def test_tokens_that_would_collide_as_text_do_not() -> None:
    metric = BLEU(tokenize="ids", max_ngram_order=1)
    ours, theirs = [12, 3], [1, 23]
    assert metric.corpus_score([ours], [[theirs]]).score == 0


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1])
def test_ids_have_64_bits(number: int) -> None:
    for hypotheses, references in (([[1, number]], [[1]]), ([[1]], [[1, number]])):
        with pytest.raises(InputError, match=f"{number}"):
            BLEU(tokenize="ids").corpus_score(hypotheses, references)
