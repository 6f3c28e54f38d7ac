"""TER by hand (Snover et al. 2006)."""

from __future__ import annotations

import pytest

from bleuet import TER


@pytest.mark.parametrize(
    ("hypothesis", "reference", "edits", "length"),
    [
        ("a b c d", "a b c d", 0, 4),
        ("a x c d", "a b c d", 1, 4),
        ("a c d", "a b c d", 1, 4),
        ("a b b c d", "a b c d", 1, 4),
        ("d a b c", "a b c d", 1, 4),
        ("c d a b x", "a b c d", 2, 4),
        ("", "a b", 2, 2),
        ("a b", "", 2, 0),
        ("", "", 0, 0),
    ],
)
def test_edits(hypothesis: str, reference: str, edits: int, length: int) -> None:
    score = TER().sentence_score(hypothesis, reference)
    assert (score.num_edits, score.ref_length) == (edits, length)
    # Edits against nothing count in full.
    assert score.score == (100 * (edits / length) if length else 100.0 * bool(edits))


def test_more_edits_than_words() -> None:
    assert TER().sentence_score("x y z", "a").score == 300.0


def test_the_example_of_the_paper() -> None:
    """Snover et al. 2006, section 2.1: one shift, two substitutions and one insertion."""
    reference = "SAUDI ARABIA denied THIS WEEK information published in the AMERICAN new york times"
    hypothesis = "THIS WEEK THE SAUDIS denied information published in the new york times"
    score = TER().sentence_score(hypothesis, reference)
    assert (score.num_edits, score.ref_length) == (4, 13)
    assert score.score == 100 * (4 / 13)


def test_several_references() -> None:
    score = TER().sentence_score("a b c", ["a b x y z", "a b", "v w x y z"])
    assert score.num_edits == 1
    assert score.ref_length == (5 + 2 + 5) / 3
    assert score.score == 100 * (1 / 4)


def test_a_corpus_adds_before_it_divides() -> None:
    score = TER().corpus_score(["a b", "c d e x"], ["a x", "c d e f g h"])
    assert score.score == 100 * ((1 + 3) / (2 + 6))


class TestText:
    def test_case(self) -> None:
        assert TER().sentence_score("A b", "a B").num_edits == 0
        assert TER(case_sensitive=True).sentence_score("A b", "a B").num_edits == 2

    def test_white_space_alone_separates(self) -> None:
        score = TER().sentence_score("a,b c.", "a , b c .")
        assert score.ref_length == 5
        assert score.num_edits == 5 - 0  # two words against five, none in common

    def test_normalized(self) -> None:
        metric = TER(normalized=True)
        assert metric.sentence_score("a,b &amp; c.", "a , b & c .").num_edits == 0
        assert metric.sentence_score("3.5 1-2", "3.5 1 - 2").num_edits == 0

    def test_no_punct(self) -> None:
        metric = TER(no_punct=True)
        assert metric.sentence_score('a, "b" (c)!', "a b c").num_edits == 0
        # Only these: . , ? : ; ! " ( )
        assert metric.sentence_score("a-b [c]", "a b c").num_edits > 0

    def test_asian_support_acts_with_another_option_only(self) -> None:
        alone = TER(asian_support=True).sentence_score("你好", "你们好")
        assert (alone.num_edits, alone.ref_length) == (1, 1)
        split = TER(asian_support=True, normalized=True).sentence_score("你好", "你们好")
        assert (split.num_edits, split.ref_length) == (1, 3)
        assert TER(asian_support=True, no_punct=True).sentence_score("你。", "你").num_edits == 0

    def test_references_are_tokenized_twice_unless_told_not_to(self) -> None:
        hypothesis = reference = "the dog's."
        # Once: the, dog's, full stop. A second time: the, dog, 's, full stop.
        twice = TER(normalized=True).sentence_score(hypothesis, reference)
        assert (twice.num_edits, twice.ref_length) == (2, 4)
        once = TER(normalized=True, tokenize_references_once=True)
        assert once.sentence_score(hypothesis, reference).num_edits == 0


def test_printed() -> None:
    score = TER().sentence_score("a x c", "a b c")
    assert str(score) == "TER = 33.33"
    assert score.format(0) == "TER = 33"
    assert score.format(signature=True) == f"TER|{score.signature} = 33.33"
