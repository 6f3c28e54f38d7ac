"""torchmetrics where it has another number; the guide names the reasons."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import pytest

from bleuet import BLEU, CHRF, EED, EditDistance

pytestmark = pytest.mark.torch


def functional() -> Any:
    return import_module("torchmetrics.functional.text")


def bleu(hypothesis: str, references: list[str], **options: Any) -> float:
    return 100 * float(functional().bleu_score([hypothesis], [references], **options))


def test_bleu_score() -> None:
    """Each half of the sentence.

    > splits at white space, and scores from 0 to 1; if two references are equally close in length,
      it uses the first; `smooth=True` adds 1 at orders above 1, but the score is 0 if an order has
      no match
    """
    near, single = ("a b c d e g", "a b c d e f"), 1e-6
    plain = BLEU(tokenize="none", smooth="none").sentence_score(*near).score
    smoothed = BLEU(tokenize="none", smooth="add-k").sentence_score(*near).score
    assert bleu(near[0], [near[1]]) == pytest.approx(plain, rel=single)
    assert bleu(near[0], [near[1]], smooth=True) == pytest.approx(smoothed, rel=single)
    assert 0 < plain < smoothed < 100
    # Punctuation stays at its word.
    assert bleu("a b c d.", ["a b c d ."]) == 0
    # 3 and 5 words are equally close to 4.
    longer, shorter = "a b c d e", "a b c"
    assert bleu("a b c d", [shorter, longer]) == pytest.approx(100, rel=single)
    assert bleu("a b c d", [longer, shorter]) == pytest.approx(100 * 2.718281828**-0.25, rel=single)
    # No 4-gram matches.
    assert bleu("a b c x", ["a b c d"], smooth=True) == 0
    assert BLEU(tokenize="none", smooth="add-k").sentence_score("a b c x", "a b c d").score > 60


def test_chrf_score_is_chrf_plus_plus() -> None:
    """Its defaults.

    > is chrF++ by default, averages F over all orders, and scores from 0 to 1: compare with
      `CHRF(word_order=2, eps_smoothing=True)`.
    """
    for hypothesis, reference in (("ab", "abcd"), ("the cat sat", "a cat sat down"), ("a", "a")):
        expected = ours(hypothesis, reference)
        assert theirs(hypothesis, reference) == pytest.approx(expected, rel=1e-6)
    assert round(theirs("ab", "abcd"), 2) == 11.75


def test_titles_of_eed() -> None:
    """A space is lost.

    > The rule for titles has an error, which is part of the number: `Mr Smith` becomes `Mr.mith`.
    """
    eed = functional().extended_edit_distance
    for text in ("Mr Smith sat.", "Dr Who"):
        metric = EED(preparation="en")
        lost = text[:2] + "." + text[4:]
        for other in (lost, "Mr. Smith sat."):
            score = metric.sentence_score(text, other).score
            assert score == pytest.approx(100 * float(eed([text], [[other]])), rel=1e-5)
        # What it makes of the text is the text without the space and the letter behind it.
        assert metric.sentence_score(text, lost).score == metric.sentence_score(lost, lost).score


def test_a_perfect_hypothesis_of_eed() -> None:
    """The place before its first character costs.

    > torchmetrics counts all places, so compare only scores with the same key `start`.
    """
    eed = functional().extended_edit_distance
    text = "the cat sat"
    score = 100 * float(eed([text], [[text]]))
    assert score == pytest.approx(EED().sentence_score(text, text).score, rel=1e-5)
    assert score > 2
    assert EED(count_start=False).sentence_score(text, text).score == 0


def test_edit_distance_of_a_corpus() -> None:
    """Its sum, and its default.

    > Of a corpus, `edit_distance` of torchmetrics 1.9.0 with `reduction="sum"`; its default is the
      mean, so divide by the number of segments.
    """
    edit_distance = functional().edit_distance
    texts = ["sitting", "a cat", ""], ["kitten", "the cat", " a"]
    score = EditDistance().corpus_score(*texts).score
    assert score == float(edit_distance(*texts, reduction="sum")) == 8
    assert score / 3 == pytest.approx(float(edit_distance(*texts)))


def theirs(hypothesis: str, reference: str) -> float:
    return 100 * float(functional().chrf_score([hypothesis], [[reference]]))


def ours(hypothesis: str, reference: str) -> float:
    metric = CHRF(word_order=2, eps_smoothing=True)
    return float(metric.sentence_score(hypothesis, reference).score)


@pytest.mark.parametrize("space", ["\t", "\x85", "\xa0", "\u1680", "\u2028", "\u3000"])
def test_white_space_is_a_character_there(space: str) -> None:
    """`test_differences.py` has sacreBLEU and NLTK.

    > It removes only U+0020, so every other white space, such as a no-break space, is a character
    """
    text = f"a cat{space}sat"
    assert ours(text, text.replace(space, " ")) == 100
    assert theirs(text, text.replace(space, " ")) < 80
    assert ours("a cat", "a cats") == pytest.approx(theirs("a cat", "a cats"), rel=1e-6)


def test_nothing_matches() -> None:
    """A score of 0.

    > Where nothing matches it is 0, and `eps_smoothing` gives 10⁻¹⁴
    """
    assert theirs("xyz", "abc") == 0
    assert 0 < ours("xyz", "abc") < 1e-13
