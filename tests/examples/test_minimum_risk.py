"""The example on minimum risk: BLEU rises, and every run has the same numbers."""

from __future__ import annotations

from typing import Any

import pytest

from tests.examples.test_examples import EXAMPLES
from tests.rewards.test_released import loaded

pytestmark = pytest.mark.torch


@pytest.fixture(scope="module")
def example() -> Any:
    return loaded(EXAMPLES / "minimum_risk.py")


def bleu(points: Any, training: str) -> list[float]:
    return [point.bleu for point in points if point.training == training]


def test_bleu_rises_more_with_minimum_risk(example: Any) -> None:
    settings = example.Settings(
        first_updates=120,
        first_rate=1e-2,
        entropy_updates=25,
        risk_updates=25,
        points=1,
        held_out=150,
    )
    points = example.train(1, settings)
    start, by_entropy = bleu(points, "cross-entropy")
    _, by_risk = bleu(points, "minimum risk")
    assert by_risk > start + 3
    assert by_risk > by_entropy + 3


def test_a_run_can_be_repeated(example: Any) -> None:
    settings = example.Settings(
        held_out=50, first_updates=10, entropy_updates=2, risk_updates=2, points=1
    )
    once, again = (bleu(example.train(2, settings), "minimum risk") for _ in range(2))
    assert once == again
