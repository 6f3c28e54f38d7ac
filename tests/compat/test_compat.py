"""Every score, component and signature of sacreBLEU's interface is sacreBLEU's own."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.compat import sacrebleu as ours
from tests.compat.agreement import (
    CONFIGURATIONS,
    FUNCTIONS,
    HYPOTHESES,
    STREAMS,
    agree,
    agree_on_draws,
    both,
    corpora,
    sign_alike,
    theirs,
)
from tests.effort import examples

pytestmark = pytest.mark.peers


@examples(300)
@given(CONFIGURATIONS, corpora())
def test_corpus_scores_agree(
    configuration: tuple[str, dict[str, Any]], corpus: tuple[list[str], list[list[str | None]]]
) -> None:
    name, options = configuration
    mine, other = both(name, options)
    agree(mine.corpus_score(*corpus), other.corpus_score(*corpus))
    sign_alike(mine.get_signature(), other.get_signature())


@examples(200)
@given(CONFIGURATIONS, corpora())
def test_sentence_scores_agree(
    configuration: tuple[str, dict[str, Any]], corpus: tuple[list[str], list[list[str | None]]]
) -> None:
    name, options = configuration
    mine, other = both(name, options)
    hypotheses, streams = corpus
    rows = list(zip(*streams, strict=True))
    for hypothesis, references in zip(hypotheses, rows, strict=True):
        agree(
            mine.sentence_score(hypothesis, references),
            other.sentence_score(hypothesis, references),
        )
        sign_alike(mine.get_signature(), other.get_signature())
    for score, hypothesis, references in zip(
        mine._sentence_scores(hypotheses, streams), hypotheses, rows, strict=True
    ):
        agree(score, other.sentence_score(hypothesis, references))


@examples(60)
@given(CONFIGURATIONS, corpora())
def test_cached_references_agree(
    configuration: tuple[str, dict[str, Any]], corpus: tuple[list[str], list[list[str | None]]]
) -> None:
    name, options = configuration
    hypotheses, streams = corpus
    mine, other = both(name, options, references=streams)
    sign_alike(mine.get_signature(), other.get_signature())
    for system in hypotheses, list(reversed(hypotheses)):
        agree(mine.corpus_score(system, None), other.corpus_score(system, None))
    sign_alike(mine.get_signature(), other.get_signature())


@examples(40)
@given(CONFIGURATIONS, corpora(), st.sampled_from(["12345", "7", "0"]))
def test_confidence_intervals_agree(
    configuration: tuple[str, dict[str, Any]],
    corpus: tuple[list[str], list[list[str | None]]],
    seed: str,
) -> None:
    name, options = configuration
    mine, other = both(name, options)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SACREBLEU_SEED", seed)
        score = mine.corpus_score(*corpus, n_bootstrap=60)
        try:
            expected = other.corpus_score(*corpus, 60)
        except TypeError:
            # sacreBLEU cannot take the mean of draws of which some score a plain 0.0.
            assert score._mean >= 0
            return
    agree_on_draws(score, expected)
    sign_alike(mine.get_signature(), other.get_signature())


@examples(200)
@given(
    st.integers(1, 5).flatmap(
        lambda order: st.tuples(
            st.just(order),
            st.lists(
                st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=order, max_size=order
            ),
        )
    ),
    st.integers(0, 30),
    st.integers(0, 30),
    st.sampled_from(["exp", "floor", "add-k", "none"]),
    st.sampled_from([None, 0.0, 0.1, 1, 3]),
    st.booleans(),
)
def test_scores_of_counts_agree(
    counts: tuple[int, list[tuple[int, int]]],
    sys_len: int,
    ref_len: int,
    smooth: str,
    value: float | None,
    effective: bool,
) -> None:
    order, pairs = counts
    correct, total = [min(pair) for pair in pairs], [max(pair) for pair in pairs]
    arguments: Any = (sys_len, ref_len, smooth, value, effective, order)
    given_counts = list(correct), list(total)
    mine = ours.BLEU.compute_bleu(*given_counts, *arguments)
    assert given_counts == (correct, total)
    agree(mine, theirs().BLEU.compute_bleu(list(correct), list(total), *arguments))


@pytest.mark.parametrize(
    ("name", "options"),
    [(name, options) for name, listed in FUNCTIONS.items() for options in listed],
)
def test_functions_agree(name: str, options: dict[str, Any]) -> None:
    mine, other = getattr(ours, name), getattr(theirs(), name)
    if "corpus" in name:
        agree(mine(HYPOTHESES, STREAMS, **options), other(HYPOTHESES, STREAMS, **options))
        return
    for hypothesis, *references in zip(HYPOTHESES, *STREAMS, strict=True):
        agree(mine(hypothesis, references, **options), other(hypothesis, references, **options))


def test_a_language_picks_the_tokenizer() -> None:
    for language in "zh", "ja", "ko", "de":
        mine, other = both("BLEU", {"trg_lang": language})
        texts = (["これは中文，测试 한국어를 보았다."], [["これは、中文测试 한국어를 보았다."]])
        agree(mine.corpus_score(*texts), other.corpus_score(*texts))
        sign_alike(mine.get_signature(), other.get_signature())


def test_infinitesimals_are_scored_alike() -> None:
    for smooth_value in (0.001, 1e-9):
        mine, other = both("BLEU", {"smooth_method": "floor", "smooth_value": smooth_value})
        agree(mine.corpus_score(["a b"], [["a c"]]), other.corpus_score(["a b"], [["a c"]]))
        assert f"floor[{smooth_value!r}]" in mine.get_signature().format()
