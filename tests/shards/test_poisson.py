"""The weights of bootstrap draws."""

from __future__ import annotations

from math import exp, factorial

import pytest

from bleuet import BLEU
from bleuet.shards.poisson import PoissonDraws, rows_of, table_of


def test_sums_are_those_of_the_weights() -> None:
    hypotheses = ["the cat sat", "a dog ran home today", "no"] * 300
    references = ["the cat sat down", "a dog ran home now", "yes"] * 300
    table = BLEU().count(hypotheses, references)
    rows = rows_of(table)
    assert rows[1].tolist() == [float(one) for one in table.row(1).values]
    import numpy as np

    weights = PoissonDraws(1, "a", 10).weights(len(rows))
    groups = np.arange(len(rows)) % 3
    # A row has the same weights, whatever groups there are.
    sums = PoissonDraws(1, "a", 10).sums([rows], groups, 3)
    ((whole,),) = PoissonDraws(1, "a", 10).sums([rows], np.zeros(len(rows), int), 1)
    for draw in range(10):
        for column in range(rows.shape[1]):
            own = [0.0] * 3
            pairs = zip(weights[:, draw], rows[:, column], strict=True)
            for place, (weight, value) in enumerate(pairs):
                own[place % 3] += int(weight) * value
            assert [sums[group][0][draw, column] for group in range(3)] == own
            assert whole[draw, column] == sum(own)
    assert table_of(whole, table).row(3).values == tuple(map(int, whole[3]))


def test_weights_depend_on_seed_shard_and_row_alone() -> None:
    whole = PoissonDraws(7, "part", 6).weights(1000)
    parts = PoissonDraws(7, "part", 6)
    pieces = [parts.weights(rows) for rows in (1, 299, 700)]
    assert whole.tolist() == [row for piece in pieces for row in piece.tolist()]
    for other in (PoissonDraws(8, "part", 6), PoissonDraws(7, "parts", 6)):
        assert other.weights(1000).tolist() != whole.tolist()


def test_weights_are_poisson() -> None:
    drawn = PoissonDraws(3, "a", 100).weights(10_000)
    assert drawn.mean() == pytest.approx(1, abs=0.005)
    for weight in range(5):
        share = float((drawn == weight).mean())
        assert share == pytest.approx(exp(-1) / factorial(weight), abs=0.002)
