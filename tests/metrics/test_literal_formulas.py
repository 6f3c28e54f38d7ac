"""The formulas that Chen and Cherry (2014) print, written out again and compared with bleuet's.

`literal_bleu` follows section 2 of the paper, equation by equation, on texts and with exact
fractions. An order without n-grams, which equation 3 divides by, counts one. Where another equation
divides by 0 it defines no score, and the score is 0.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import exp, inf, log, prod
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet import BLEU, MeanBLEU, load_tables, metric_from_signature, save_tables
from bleuet.metrics.bleu.smoothing import SMOOTHINGS, Literal
from bleuet.metrics.catalogue import parse_metric
from bleuet.text.tokenizers import find_tokenizer
from tests.backends import counted_by_python
from tests.effort import examples

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tests.evaluation_data import EvaluationData

LITERAL: list[Any] = [f"chen-cherry-{n}-literal" for n in range(1, 8)]
# The paper's settings, at the end of section 3.1.
SETTINGS = {1: 0.1, 4: 5, 6: 5, 7: 5}

# m[n] and ngrams[n] are the matches and n-grams of order n; m[0] and l[0] are not used.
Counts = tuple[list[Any], list[int], int]


def counts_of(pairs: Sequence[tuple[str, str]], highest: int) -> Counts:
    """Counts up to order `highest`, summed over pairs of translation and reference."""
    m, ngrams = [Fraction(0)] * (highest + 1), [0] * (highest + 1)
    for translation, reference in pairs:
        for n in range(1, highest + 1):
            t, r = (
                Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
                for words in (translation.split(), reference.split())
            )
            m[n] += (t & r).total()
            ngrams[n] += t.total()
    return m, ngrams, sum(len(translation.split()) for translation, _ in pairs)


def quotient(modified: Any, ngrams: int) -> Any:
    """A precision, equation 3."""
    return modified / max(ngrams, 1)


def smoothing_1(counts: Counts, highest: int, epsilon: Fraction) -> list[Fraction]:
    m, ngrams = counts[:2]
    modified = [epsilon if m[n] == 0 else m[n] for n in range(highest + 1)]  # (5)
    return [quotient(modified[n], ngrams[n]) for n in range(1, highest + 1)]  # (3)


def smoothing_2(counts: Counts, highest: int, _: Fraction) -> list[Fraction]:
    m, ngrams = counts[:2]
    return [
        quotient(m[1], ngrams[1]),
        *[(m[n] + 1) / (ngrams[n] + 1) for n in range(2, highest + 1)],  # (6), (7)
    ]


def smoothing_3(counts: Counts, highest: int, _: Fraction) -> list[Fraction]:
    m, ngrams = counts[:2]
    modified = list(m)
    invcnt = Fraction(1)
    for n in range(1, highest + 1):
        if m[n] == 0:
            invcnt = invcnt * 2
            modified[n] = 1 / invcnt
    return [quotient(modified[n], ngrams[n]) for n in range(1, highest + 1)]


def matches_of_smoothing_4(counts: Counts, highest: int, k: Fraction) -> list[Fraction]:
    m, _, length = counts
    modified = list(m)
    invcnt: Any = Fraction(1)
    for n in range(1, highest + 1):
        if m[n] == 0:
            logarithm = Fraction(log(max(length, 1)))
            invcnt = invcnt * (k / logarithm) if logarithm else inf  # (8)
            modified[n] = Fraction(0) if invcnt == inf else 1 / Fraction(invcnt)
    return modified


def smoothing_4(counts: Counts, highest: int, k: Fraction) -> list[Fraction]:
    modified = matches_of_smoothing_4(counts, highest, k)
    return [quotient(modified[n], counts[1][n]) for n in range(1, highest + 1)]


def smoothing_5(counts: Counts, highest: int, _: Fraction) -> list[Fraction]:
    m, ngrams = counts[:2]
    modified = [m[1] + 1]
    for n in range(1, highest + 1):
        modified.append((modified[n - 1] + m[n] + m[n + 1]) / 3)  # (9)
    return [quotient(modified[n], ngrams[n]) for n in range(1, highest + 1)]


def smoothing_6(counts: Counts, highest: int, alpha: Fraction) -> list[Fraction]:
    m, ngrams = counts[:2]
    p = [Fraction(0)]
    for n in range(1, highest + 1):
        if n <= 2:
            p.append(quotient(m[n], ngrams[n]))
        else:
            prior = p[n - 1] * p[n - 1] / p[n - 2]  # (11)
            p.append((m[n] + alpha * prior) / (ngrams[n] + alpha))  # (10)
    return p[1:]


def smoothing_7(counts: Counts, highest: int, k: Fraction) -> list[Fraction]:
    _, ngrams, length = counts
    return smoothing_5((matches_of_smoothing_4(counts, highest, k), ngrams, length), highest, k)


PRINTED: list[Callable[[Counts, int, Fraction], list[Fraction]]] = [
    smoothing_1,
    smoothing_2,
    smoothing_3,
    smoothing_4,
    smoothing_5,
    smoothing_6,
    smoothing_7,
]


def literal_bleu(
    number: int,
    pairs: Sequence[tuple[str, str]],
    highest: int = 4,
    value: float | None = None,
) -> float:
    """BLEU in percent with a smoothing of the paper, from equations 1 to 4 and its own."""
    counts = counts_of(pairs, highest + 1)
    used = Fraction(SETTINGS.get(number, 0) if value is None else value)
    reference_length = sum(len(reference.split()) for _, reference in pairs)
    try:
        precisions = PRINTED[number - 1](counts, highest, used)
        penalty = min(1.0, exp(1 - Fraction(reference_length, counts[2])))  # (4)
    except ZeroDivisionError:
        return 0.0
    # (1), (2); the root of each factor, which is a float even where the product is none
    roots = [float(p) ** (1 / highest) for p in precisions]
    return 100 * penalty * float(prod(roots))


# With two words, more of the bigrams than of the words can match: "a b a" and "b a b".
words = st.one_of(
    st.lists(st.sampled_from("ab"), max_size=5).map(" ".join),
    st.lists(st.sampled_from("abcd"), max_size=9).map(" ".join),
)
pairs_of_texts = st.lists(st.tuples(words, words), min_size=1, max_size=3)
# With small K, and large epsilon, pseudo-counts exceed the number of n-grams.
values = st.none() | st.sampled_from([0.01, 0.1, 0.5, 40]) | st.floats(0.01, 50)


@pytest.mark.parametrize("number", range(1, 8))
@examples(100)
@given(pairs=pairs_of_texts, order=st.integers(1, 6), data=st.data())
def test_what_is_printed(
    number: int, pairs: list[tuple[str, str]], order: int, data: st.DataObject
) -> None:
    value = data.draw(values) if number in SETTINGS else None
    metric = BLEU(
        tokenize="none", smooth=LITERAL[number - 1], smooth_value=value, max_ngram_order=order
    )
    texts = [list(side) for side in zip(*pairs, strict=True)]
    corpus = literal_bleu(number, pairs, order, value)
    sentences = [literal_bleu(number, [pair], order, value) for pair in pairs]
    assert metric.corpus_score(*texts).score == pytest.approx(corpus, rel=1e-11)
    assert list(metric.sentence_scores(*texts).values) == pytest.approx(sentences, rel=1e-11)
    with counted_by_python():
        python = BLEU(**metric.option_values())
        assert list(python.sentence_scores(*texts).values) == pytest.approx(sentences, rel=1e-11)
    lengths = [len(reference.split()) for reference in texts[1]]
    if sum(lengths):
        mean = sum(n * score for n, score in zip(lengths, sentences, strict=True)) / sum(lengths)
        averaged = MeanBLEU(**metric.option_values()).corpus_score(*texts)
        assert averaged.score == pytest.approx(mean, rel=1e-11)


@pytest.mark.data
def test_real_outputs(evaluation_data: EvaluationData) -> None:
    tokenizer = find_tokenizer("13a")
    folder = "data/wmt12/cs-en"
    references = evaluation_data.lines(f"{folder}/ref.en.txt.gz")
    outputs = evaluation_data.system(folder, "onlineB")
    lengths = [len(tokenizer.tokenize(output).split()) for output in outputs]
    # Every tenth, and all that are too short for 4-grams.
    chosen = [i for i, length in enumerate(lengths) if i % 10 == 0 or length < 4]
    assert sum(lengths[i] < 4 for i in chosen) > 30
    for number, name in enumerate(LITERAL, start=1):
        scores = BLEU(smooth=name).sentence_scores(
            [outputs[i] for i in chosen], [references[i] for i in chosen]
        )
        for i, score in zip(chosen, scores.values, strict=True):
            pair = tokenizer.tokenize(outputs[i]), tokenizer.tokenize(references[i])
            assert score == pytest.approx(literal_bleu(number, [pair]), rel=1e-12)


# --- What differs from the smoothings without "literal" -------------------------------------------


def score(smooth: Any, hypothesis: str, reference: str, **options: Any) -> float:
    metric = BLEU(tokenize="none", smooth=smooth, **options)
    return metric.sentence_score(hypothesis, reference).score


def test_a_wrong_short_output() -> None:
    assert score("chen-cherry-3", "x", "a") == pytest.approx(50)
    # 1/2, 1/4, 1/8 and 1/16, each divided by 1
    assert score("chen-cherry-3-literal", "x", "a") == pytest.approx(100 * 2**-2.5)
    assert score("chen-cherry-3-literal", "a", "a") == pytest.approx(100 * 2**-1.5)
    four = 100 * (1 / 2 / 4 * 1 / 4 / 3 * 1 / 8 / 2 * 1 / 16 / 1) ** (1 / 4)
    for name in ("chen-cherry-3", "chen-cherry-3-literal"):
        assert score(name, "w x y z", "a b c d") == pytest.approx(four)


def test_2_and_6_define_orders_that_an_output_is_too_short_for() -> None:
    # (1/2 * (0+1)/(1+1) * (0+1)/(0+1) * 1)^(1/4)
    assert score("chen-cherry-2-literal", "a x", "a b") == pytest.approx(100 * (1 / 4) ** (1 / 4))
    p3 = (0 + 5 * (1 / 2) ** 2 / (2 / 3)) / (1 + 5)
    p4 = (0 + 5 * p3**2 / (1 / 2)) / (0 + 5)
    expected = 100 * (2 / 3 * 1 / 2 * p3 * p4) ** (1 / 4)
    assert score("chen-cherry-6-literal", "a b x", "a b c") == pytest.approx(expected)


def test_no_pseudo_count_is_cut_down() -> None:
    assert score("chen-cherry-1", "x", "a", max_ngram_order=1, smooth_value=3) == pytest.approx(100)
    assert score("chen-cherry-1-literal", "x", "a", max_ngram_order=1, smooth_value=3) == (
        pytest.approx(300)
    )
    for number in (4, 7):
        capped, literal = (
            score(f"chen-cherry-{number}{end}", "w x y z", "a b c d", smooth_value=0.1)
            for end in ("", "-literal")
        )
        assert capped < 150 < literal
    # "a b a" against "b a b": p_2 = 2/2 is more than p_1 = 2/3, and so is the prior.
    p3 = 5 * (1 / (2 / 3)) / (1 + 5)
    assert score("chen-cherry-6-literal", "a b a", "b a b", max_ngram_order=3) == pytest.approx(
        100 * (2 / 3 * 1 * p3) ** (1 / 3)
    )


def test_a_perfect_match_of_a_corpus_is_not_perfect() -> None:
    texts = ["a b c d e f", "a b c d e"]
    assert BLEU(smooth="chen-cherry-5").corpus_score(texts, texts).score == pytest.approx(100)
    literal = BLEU(smooth="chen-cherry-5-literal").corpus_score(texts, texts).score
    # (9): m'_0 = m_1 + 1, not + 2, so that m' of order 1 to 4 lacks 1/3, 1/9, 1/27, 1/81.
    p = [(11 - 1 / 3) / 11, (9 - 1 / 9) / 9, (7 - 1 / 27) / 7, (5 - 1 / 81) / 5]
    assert literal == pytest.approx(100 * prod(p) ** (1 / 4), rel=1e-12)


def test_an_output_without_a_word_scores_0() -> None:
    for name in LITERAL:
        assert score(name, "", "a") == score(name, "", "") == 0


@pytest.mark.libraries
def test_scores_above_100_can_be_saved(tmp_path: Path) -> None:
    metric = MeanBLEU(
        tokenize="none", smooth="chen-cherry-1-literal", smooth_value=3, max_ngram_order=1
    )
    save_tables(tmp_path / "t.parquet", [("x", metric, metric.count(["x"], ["a"]))])
    (saved,) = load_tables(tmp_path / "t.parquet")
    assert float(saved.score()) == pytest.approx(300)


# --- Names, signatures, options ------------------------------------------------------------------


def test_the_names() -> None:
    assert [name for name, one in SMOOTHINGS.items() if isinstance(one, Literal)] == LITERAL
    for name in LITERAL:
        alike = SMOOTHINGS[name.removesuffix("-literal")]
        literal = SMOOTHINGS[name]
        for field in ("default", "symbol", "positive", "averages", "smooths_unmatched"):
            assert getattr(literal, field) == getattr(alike, field)


@pytest.mark.parametrize("kind", [BLEU, MeanBLEU])
@pytest.mark.parametrize("name", LITERAL)
def test_there_is_no_effective_order(kind: type[BLEU | MeanBLEU], name: Any) -> None:
    for metric in (kind(smooth=name), kind(smooth=name, effective_order=True)):
        assert not metric.effective_order
        assert metric == kind(smooth=name)
        signature = str(metric.signature())
        assert "|eff:no|" in signature
        assert f"smooth:{name}" in signature
        assert metric_from_signature(signature) == metric
        again = metric.with_options(smooth=name.removesuffix("-literal"))
        assert again == kind(smooth=name.removesuffix("-literal"))
    word = f"{'bleu' if kind is BLEU else 'mean-bleu'}:smooth={name}"
    assert parse_metric(word, sentences=True) == kind(smooth=name)


@pytest.mark.parametrize("name", LITERAL)
def test_however_large_a_formula_gets_the_score_is_a_number(name: Any) -> None:
    takes_value = SMOOTHINGS[name].default is not None
    texts = ["w x y z " * 200, "a b a b a " * 100, ""], ["a b c d", "b a b a b", "c"]
    for value in (1e-100, 1e-50, 0.01, 1000) if takes_value else (None,):
        for order in (1, 4, 400):
            for kind in (BLEU, MeanBLEU):
                metric = kind(smooth=name, smooth_value=value, max_ngram_order=order)
                assert 0 <= metric.corpus_score(*texts).score < 1e103
                assert all(0 <= one < 1e103 for one in metric.sentence_scores(*texts).values)
