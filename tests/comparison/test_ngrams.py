"""N-grams that systems get, against n-grams counted by looking for them everywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleuet.comparison import compare
from bleuet.comparison.ngrams import match_ngrams, ngram_differences
from bleuet.comparison.texts import evaluate_texts
from bleuet.comparison.tokens import tokenize_all
from bleuet.errors import OptionError
from bleuet.text.tokenizers.mteval13a import tokenize
from tests.corpora.several_systems import Drawn, drawn_systems
from tests.effort import examples

Ngram = tuple[str, ...]


def ngrams(text: str) -> list[Ngram]:
    words = tokenize(text.rstrip()).split()
    return [
        tuple(words[start:end])
        for start in range(len(words))
        for end in range(start + 1, min(start + 4, len(words)) + 1)
    ]


def matches(test_set: Drawn, system: str) -> dict[Ngram, int]:
    found: dict[Ngram, int] = {}
    for row, text in enumerate(test_set.systems[system]):
        own = ngrams(text)
        references = [ngrams(one) for one in test_set.texts_of(row)]
        for ngram in set(own):
            most = max(reference.count(ngram) for reference in references)
            if most:
                found[ngram] = found.get(ngram, 0) + min(own.count(ngram), most)
    return found


@examples(40)
@given(drawn_systems())
@pytest.mark.slow
def test_matches(test_set: Drawn) -> None:
    words = evaluate_texts(test_set.systems, test_set.references).words
    found = dict(match_ngrams(words).counts())
    for number, system in enumerate(test_set.systems):
        own = {ngram: counts[number] for ngram, counts in found.items() if counts[number]}
        assert own == matches(test_set, system)


@examples(40)
@given(drawn_systems(least_systems=2), st.integers(0, 8))
def test_what_sets_two_systems_apart(test_set: Drawn, limit: int) -> None:
    found = compare(test_set.systems, test_set.references, by=[], examples=limit, all_pairs=True)
    names = list(test_set.systems)
    expected_pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    assert [(pair.left, pair.right) for pair in found.pairs] == expected_pairs
    for pair in found.pairs:
        left, right = matches(test_set, pair.left), matches(test_set, pair.right)
        counts = {n: (left.get(n, 0), right.get(n, 0)) for n in {*left, *right}}
        ratios = {n: (a + 1) / (a + b + 2) for n, (a, b) in counts.items()}
        gained = [n for n, (a, b) in counts.items() if a > b]
        gained.sort(key=lambda n: (-ratios[n], counts[n][1] - counts[n][0], -len(n), n))
        lost = [n for n, (a, b) in counts.items() if a < b]
        lost.sort(key=lambda n: (ratios[n], counts[n][0] - counts[n][1], -len(n), n))
        for own, expected in ((pair.gained, gained), (pair.lost, lost)):
            assert [one.ngram for one in own] == expected[:limit]
            for one in own:
                assert (one.left, one.right) == counts[one.ngram]
                assert one.ratio == ratios[one.ngram]


def test_smoothing_favours_what_is_frequent() -> None:
    left, right = " ".join(["rare"] * 2 + ["frequent"] * 30), " ".join(["frequent"] * 9)
    groups = match_ngrams(tokenize_all("none", [[left], [right]], [[left]]), longest=1)
    for smoothing, first in ((0.01, "rare"), (100.0, "frequent")):
        gained, lost = ngram_differences(groups, 0, 1, 1, smoothing)
        assert (gained[0].ngram, lost) == ((first,), ())
        reverse = ngram_differences(groups, 1, 0, 1, smoothing)
        assert reverse[1][0].ngram == (first,)
        assert reverse[1][0].ratio == pytest.approx(1 - gained[0].ratio)
    with pytest.raises(OptionError, match="above 0"):
        ngram_differences(groups, 0, 1, 1, 0)
