"""Errors of case, punctuation and numbers: planted ones, and all of them counted otherwise."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from bleuet.comparison import compare
from tests.comparison.test_words import best, cut
from tests.corpora.several_systems import Drawn, drawn_systems
from tests.effort import examples

DIGITS = set("0123456789")
MARKS = set(",.!")


def of_kind(kind: str, word: str) -> bool:
    """Whether a word of these test sets is a number, or a mark."""
    return bool(DIGITS & set(word)) if kind == "numbers" else set(word) <= MARKS


def expected(kind: str, hypothesis: list[str], reference: list[str]) -> tuple[int, int]:
    """How many tokens are missing and added."""
    missing = list((Counter(reference) - Counter(hypothesis)).elements())
    added = list((Counter(hypothesis) - Counter(reference)).elements())
    if kind == "case":
        lower = Counter(word.lower() for word in missing) & Counter(word.lower() for word in added)
        return lower.total(), lower.total()
    return sum(of_kind(kind, word) for word in missing), sum(of_kind(kind, word) for word in added)


def without(kind: str, words: list[str]) -> list[str]:
    if kind == "case":
        return [word.lower() for word in words]
    return [word for word in words if not of_kind(kind, word)]


@examples(40)
@given(drawn_systems())
def test_errors_are_counted(test_set: Drawn) -> None:
    found = compare(test_set.systems, test_set.references, ["chrf"], by=[])
    for (_, texts), kinds in zip(test_set.systems.items(), found.surface, strict=True):
        assert [errors.kind for errors in kinds] == ["case", "punctuation", "numbers"]
        for errors in kinds:
            pairs = []
            only = []
            for row, text in enumerate(texts):
                hypothesis = cut(text)
                references = [cut(one) for one in test_set.texts_of(row)]
                pairs.append(expected(errors.kind, hypothesis, best(hypothesis, references)))
                rest = without(errors.kind, hypothesis)
                if hypothesis not in references and any(
                    without(errors.kind, reference) == rest for reference in references
                ):
                    only.append(row)
            assert errors.missing == sum(missing for missing, _ in pairs)
            assert errors.added == sum(added for _, added in pairs)
            assert errors.rows == tuple(row for row, pair in enumerate(pairs) if any(pair))
            assert errors.only == tuple(only)


@pytest.mark.parametrize(
    ("hypothesis", "case", "punctuation", "numbers"),
    [
        ("He paid 12 Euros, twice.", (0, 0), (0, 0), (0, 0)),
        ("he Paid 12 euros, twice.", (3, 3), (0, 0), (0, 0)),
        ("He paid 12 Euros twice!", (0, 0), (2, 1), (0, 0)),
        ("He paid 21 Euros, twice.", (0, 0), (0, 0), (1, 1)),
        ("He paid Euros, twice.", (0, 0), (0, 0), (1, 0)),
        ("«HE» paid twice.", (1, 1), (1, 2), (1, 0)),
        ("", (0, 0), (2, 0), (1, 0)),
    ],
)
def test_planted_errors(
    hypothesis: str,
    case: tuple[int, int],
    punctuation: tuple[int, int],
    numbers: tuple[int, int],
) -> None:
    reference = "He paid 12 Euros, twice."
    (kinds,) = compare({"s": [hypothesis]}, [reference], ["chrf"], by=[], tokenize="intl").surface
    assert [(errors.missing, errors.added) for errors in kinds] == [case, punctuation, numbers]


def test_a_text_may_differ_in_one_thing_only() -> None:
    hypotheses = ["the cat .", "The cat !", "The 5 cats .", "the cat !", "The cat ."]
    references = ["The cat .", "The cat .", "The 6 cats .", "The cat .", ["A dog .", "The cat ."]]
    (kinds,) = compare({"s": hypotheses}, references, ["chrf"], by=[]).surface
    assert [errors.only for errors in kinds] == [(0,), (1,), (2,)]
    assert [errors.rows for errors in kinds] == [(0, 3), (1, 3), (2,)]
