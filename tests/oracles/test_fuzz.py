"""sacreBLEU run live on texts that no one would write: statistics and scores are identical."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import pytest

from bleuet import BLEU, CHRF, TER
from tests.oracles import fuzz
from tests.oracles.sacrebleu_peer import Pair, first_difference, forget, rows_of, their_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

BLEUS = [
    Pair("bleu", {}),
    Pair("bleu", {"lowercase": True}),
    Pair("bleu", {"tokenize": "intl"}),
    Pair("bleu", {"tokenize": "intl", "lowercase": True}),
    Pair("bleu", {"tokenize": "zh"}),
    Pair("bleu", {"tokenize": "char", "lowercase": True}),
    Pair("bleu", {"tokenize": "none", "max_ngram_order": 2}),
    Pair("bleu", {"max_ngram_order": 7}),
]
CHRFS = [
    Pair("chrf", {}),
    Pair("chrf", {"lowercase": True}),
    Pair("chrf", {"whitespace": True}),
    Pair("chrf", {"char_order": 2, "beta": 3, "eps_smoothing": True}),
]
CHRF_PLUS_PLUSES = [
    Pair("chrf", {"word_order": 2}),
    Pair("chrf", {"word_order": 2, "lowercase": True, "eps_smoothing": True}),
    Pair("chrf", {"word_order": 3, "whitespace": True, "char_order": 4}),
    Pair("chrf", {"word_order": 1, "beta": 1}),
    Pair("chrf", {"char_order": 0, "word_order": 2}),
]
TERS = [
    Pair("ter", {}),
    Pair("ter", {"case_sensitive": True}),
    Pair("ter", {"normalized": True}),
    Pair("ter", {"no_punct": True}),
    Pair("ter", {"normalized": True, "asian_support": True}),
    Pair("ter", {"no_punct": True, "asian_support": True, "case_sensitive": True}),
    Pair("ter", {"normalized": True, "no_punct": True, "asian_support": True}),
]
FAMILIES = {"bleu": BLEUS, "chrf": CHRFS, "chrf++": CHRF_PLUS_PLUSES, "ter": TERS}
CASES = [
    (family, pair, math.ceil(fuzz.PAIRS / len(pairs)))
    for family, pairs in FAMILIES.items()
    for pair in pairs
]


@pytest.fixture(autouse=True)
def _bounded_memory() -> Iterator[None]:
    yield
    forget()


@pytest.mark.parametrize(
    ("family", "pair", "pairs"), CASES, ids=[f"{family}-{pair}" for family, pair, _ in CASES]
)
def test_statistics(family: str, pair: Pair, pairs: int) -> None:
    first = FAMILIES[family].index(pair) + 100 * list(FAMILIES).index(family)
    compared = 0
    for seed, size in fuzz.chunks(first, pairs):
        hypotheses, references = fuzz.segments(seed, size)
        assert first_difference(pair, hypotheses, references) == ""
        compared += len(hypotheses)
        forget()
    assert compared == pairs


SCORED = [
    *[
        Pair("bleu", {"smooth": smooth, "effective_order": effective, "max_ngram_order": order})
        for smooth in ("none", "floor", "add-k", "exp")
        for effective in (False, True)
        for order in (2, 4)
    ],
    Pair("bleu", {"smooth": "floor", "smooth_value": 0.7}),
    Pair("bleu", {"smooth": "floor", "smooth_value": 0.0}),
    Pair("bleu", {"smooth": "add-k", "smooth_value": 0.25, "effective_order": True}),
    *CHRFS,
    *CHRF_PLUS_PLUSES,
    Pair("chrf", {"beta": 0}),
    *TERS[:1],
]


@pytest.mark.parametrize("pair", SCORED, ids=str)
def test_scores_of_sentences_and_corpora(pair: Pair) -> None:
    hypotheses, references = fuzz.segments(7, min(2000, fuzz.PAIRS))
    metric, theirs = pair.ours(), pair.theirs()
    rows: list[list[Any]] = their_rows(theirs, hypotheses, references)
    table = metric.count(hypotheses, references)
    assert rows_of(table) == rows
    # Their smoothing changes the row it is given. Equal to the last bit, not only nearly.
    expected = [theirs._compute_score_from_stats(list(row)).score for row in rows]
    assert list(metric.segment_scores(table).values) == expected
    for start in range(0, len(rows), 100):
        some = range(start, min(start + 100, len(rows)))
        score = metric.score(table.select(some).totals()).score
        assert score == pytest.approx(
            theirs._aggregate_and_compute(rows[start : start + 100]).score, rel=1e-12, abs=0
        )


LONG = [
    (Pair("bleu", {}), 10_000, 50),
    (Pair("bleu", {}), 10_000, 9_000),
    (Pair("bleu", {"max_ngram_order": 12}), 300, 3),
    (Pair("chrf", {}), 10_000, 50),
    (Pair("chrf", {"word_order": 2}), 10_000, 9_000),
    # Around 64 and 128 tokens the kernel goes from one way of counting to another.
    *[
        (pair, tokens, 20)
        for pair in (BLEUS[0], CHRFS[0])
        for tokens in (63, 64, 65, 127, 128, 129)
    ],
    *[(TERS[0], tokens, 2 * tokens) for tokens in (24, 25, 63, 64, 65, 129)],
    (TERS[0], 60, 8),
]


@pytest.mark.parametrize(("pair", "tokens", "vocabulary"), LONG, ids=str)
def test_long_segments(pair: Pair, tokens: int, vocabulary: int) -> None:
    count = 2 if tokens >= 10_000 else 12 if pair.name == "ter" else 40
    hypotheses, references = fuzz.long_segments(tokens, tokens, vocabulary, count)
    assert first_difference(pair, hypotheses, references) == ""


def test_ter_where_the_beam_binds() -> None:
    """Words lie more than 25 places from where the diagonal has them, so the beam costs edits."""
    hypotheses, references = [], []
    for gap in (20, 24, 25, 26, 30, 40):
        for length in (30, 60, 70):
            words = [f"w{i}" for i in range(length)]
            more = [f"v{i}" for i in range(gap)]
            hypotheses += [" ".join(words), " ".join(more + words), " ".join(words[gap // 2 :])]
            references += [" ".join(more + words), " ".join(words), " ".join(words + more)]
    assert first_difference(TERS[0], hypotheses, references) == ""


@pytest.mark.usefixtures("needs_kernel")
def test_ter_of_ten_thousand_tokens_ends_and_stays_within_bounds() -> None:
    """Longer than sacreBLEU can do in an hour: what must hold of any edit rate."""
    (hypothesis,), (reference,) = fuzz.long_segments(1, 10_000, 9_000, 1)
    started = time.monotonic()
    score = TER().sentence_score(hypothesis, reference)
    assert time.monotonic() - started < 120
    assert score.ref_length == 10_000
    # No more edits than to replace every word, no fewer than words that one side lacks.
    assert 0 < score.num_edits <= 10_000
    assert TER().sentence_score(hypothesis, hypothesis).score == 0
    halved = " ".join(hypothesis.split()[::2])
    assert TER().sentence_score(halved, hypothesis).num_edits >= 5_000


@pytest.mark.usefixtures("needs_kernel")
@pytest.mark.parametrize("metric", [BLEU(), CHRF(), CHRF(word_order=2), TER()], ids=repr)
@pytest.mark.parametrize("text", ["a", "\0", "\ud800", "é", "😀", ".", " ", "\n", "1."], ids=repr)
def test_a_megabyte_of_one_character(metric: Any, text: str) -> None:
    whole = text * (1_000_000 // len(text))
    same = metric.sentence_score(whole, whole)
    assert math.isfinite(same.score)
    assert math.isfinite(metric.sentence_score(whole, "a b").score)
    assert math.isfinite(metric.sentence_score("a b", whole).score)
