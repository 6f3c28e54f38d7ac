"""Krippendorff's alpha equals his published example, and an independent definition."""

from __future__ import annotations

import random
from fractions import Fraction
from math import isnan

import numpy as np
import pytest

from bleuet import InputError
from bleuet.meta_evaluation import AgreementSettings, RaterScores, rater_agreement
from bleuet.meta_evaluation.rater_agreement import has_common_items

# Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", part D: four observers, twelve
# units.
PUBLISHED = {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849}


def published_scores() -> RaterScores:
    table = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
        [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
    ]
    return RaterScores.from_rows(
        [
            (unit, "a", f"r{observer}", score)
            for observer, scores in enumerate(table)
            for unit, score in enumerate(scores)
        ]
    )


@pytest.mark.parametrize("scale", PUBLISHED)
def test_published_example(scale: str) -> None:
    found = rater_agreement(published_scores(), AgreementSettings(rater_scale=scale))
    assert round(found.alpha, 3) == PUBLISHED[scale]
    assert (found.items, found.scores, found.raters) == (11, 40, 4)


Rows = list[tuple[int, str, str, int]]


def defined(rows: Rows, scale: str) -> Fraction | None:
    """Return alpha by its definition with coincidences, in exact arithmetic."""
    items: dict[tuple[int, str], dict[str, int]] = {}
    for segment, system, rater, score in rows:
        items.setdefault((segment, system), {}).setdefault(rater, score)
    units = [list(one.values()) for one in items.values() if len(one) > 1]
    values = sorted({score for unit in units for score in unit})
    coincidences = {(c, k): Fraction(0) for c in values for k in values}
    for unit in units:
        for i, c in enumerate(unit):
            for j, k in enumerate(unit):
                if i != j:
                    coincidences[c, k] += Fraction(1, len(unit) - 1)
    number = {c: sum(coincidences[c, k] for k in values) for c in values}
    total = sum(number.values())

    def distance(c: int, k: int) -> Fraction:
        if scale == "nominal":
            return Fraction(c != k)
        if scale == "interval":
            return Fraction((c - k) ** 2)
        low, high = min(c, k), max(c, k)
        between = sum(n for value, n in number.items() if low <= value <= high)
        return (between - (number[c] + number[k]) / Fraction(2)) ** 2

    pairs = [(c, k, distance(c, k)) for c in values for k in values]
    expected = sum((number[c] * number[k] * d for c, k, d in pairs), Fraction(0))
    if not expected:
        return None
    observed = sum((coincidences[c, k] * d for c, k, d in pairs), Fraction(0))
    return 1 - (total - 1) * observed / expected


def random_rows(seed: int) -> Rows:
    draw = random.Random(seed)
    return [
        (draw.randrange(4), draw.choice("ab"), draw.choice("xyz"), draw.randrange(1, 5))
        for _ in range(draw.randrange(12, 40))
    ]


@pytest.mark.parametrize("scale", PUBLISHED)
@pytest.mark.parametrize("seed", range(20))
def test_definition(seed: int, scale: str) -> None:
    rows = random_rows(seed)
    found = rater_agreement(RaterScores.from_rows(rows), AgreementSettings(rater_scale=scale))
    expected = defined(rows, scale)
    assert expected is not None
    assert found.alpha == pytest.approx(float(expected), abs=1e-12)


@pytest.mark.parametrize("scale", PUBLISHED)
def test_a_segment_that_is_drawn_twice_counts_twice(scale: str) -> None:
    rows = random_rows(3)
    draws = 20
    settings = AgreementSettings(rater_scale=scale, draws=draws, seed=5, confidence=0.8)
    found = rater_agreement(RaterScores.from_rows(rows), settings)
    drawn = np.random.default_rng(5).integers(0, 4, size=(draws, 4))
    alphas = []
    for sample in drawn:
        repeated = [
            (place, system, rater, score)
            for place, segment in enumerate(sample)
            for at, system, rater, score in rows
            if at == segment
        ]
        alphas.append(float(defined(repeated, scale) or 0))
    low, high = np.quantile(alphas, [0.1, 0.9])
    assert found.low == pytest.approx(low)
    assert found.high == pytest.approx(high)


def test_whole_documents_are_drawn() -> None:
    rows = random_rows(4)
    single = AgreementSettings(draws=50)
    whole = single.replace(documents=["a", "a", "b", "b"])
    scores = RaterScores.from_rows(rows)
    one, other = rater_agreement(scores, single), rater_agreement(scores, whole)
    assert one.alpha == other.alpha
    assert (one.low, one.high) != (other.low, other.high)
    with pytest.raises(InputError, match="there are 3 documents for 4 segments"):
        rater_agreement(scores, single.replace(documents=["a", "a", "b"]))


def test_equal_scores_have_no_alpha() -> None:
    rows = [(0, "a", "r", 1.0), (0, "a", "s", 1.0), (1, "a", "r", 1.0), (1, "a", "s", 1.0)]
    for scale in PUBLISHED:
        found = rater_agreement(RaterScores.from_rows(rows), AgreementSettings(rater_scale=scale))
        assert isnan(found.alpha)


def test_no_common_items() -> None:
    scores = RaterScores.from_rows([(0, "a", "r", 1.0), (0, "b", "s", 1.0), (0, "a", "r", 2.0)])
    assert not has_common_items(scores)
    assert has_common_items(RaterScores.from_rows([(0, "a", "r", 1.0), (0, "a", "s", 1.0)]))
    with pytest.raises(InputError, match="no segment has them"):
        rater_agreement(scores)
