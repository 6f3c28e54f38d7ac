"""The minimiser reaches the minima that scipy reaches, without its threads."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bleuet.tuning.lbfgs import minimise

if TYPE_CHECKING:
    from bleuet.meta_evaluation.arrays import Floats

PROGRAM = """
import sys
from bleuet import tune
lists = [[("a b c d", {"x": 1, "y": 2}), ("a b c", {"x": 2, "y": 1}), ("x", {"x": 0, "y": 0})]]
for method in ("mert:restarts=1", "pro:rounds=2", "mira:rounds=2", "expected-bleu:rounds=5"):
    tune(lists, ["a b c d"], method=method)
print("scipy" in sys.modules)
"""


def rosenbrock(weights: Floats) -> tuple[float, Floats]:
    """A narrow bent valley, whose minimum is 0 at ones."""
    low, high = weights[:-1], weights[1:]
    bend = high - low**2
    gradient = np.zeros_like(weights)
    gradient[:-1] = -400 * low * bend - 2 * (1 - low)
    gradient[1:] += 200 * bend
    return float((100 * bend**2 + (1 - low) ** 2).sum()), gradient


@pytest.mark.parametrize("size", [2, 5, 20])
def test_the_minimum_of_a_bent_valley(size: int) -> None:
    points = list(minimise(rosenbrock, np.full(size, -1.2), 1000))
    values = [rosenbrock(point)[0] for point in points]
    assert values == sorted(values, reverse=True)
    assert values[-1] < 1e-8
    assert points[-1] == pytest.approx(np.ones(size), abs=1e-3)


@pytest.mark.parametrize("seed", range(5))
def test_the_minimum_of_a_regression_is_that_of_scipy(seed: int) -> None:
    minimize = import_module("scipy.optimize").minimize

    random = np.random.default_rng(seed)
    rows = random.normal(size=(300, 12)) * random.uniform(0.1, 10, size=12) + 0.3

    def loss(weights: Floats) -> tuple[float, Floats]:
        margins = rows @ weights
        wrong = 0.5 - 0.5 * np.tanh(margins / 2)
        value = np.logaddexp(0, -margins).mean() + 0.001 * weights @ weights
        return float(value), -rows.T @ wrong / len(rows) + 0.002 * weights

    expected = minimize(loss, np.zeros(12), jac=True, method="L-BFGS-B", options={"gtol": 1e-9})
    *_, found = minimise(loss, np.zeros(12), 1000)
    assert loss(found)[0] == pytest.approx(expected.fun, rel=1e-5)


def test_at_a_minimum_there_is_no_step() -> None:
    assert list(minimise(rosenbrock, np.ones(3), 10)) == []


def test_no_more_rounds_than_allowed() -> None:
    assert len(list(minimise(rosenbrock, np.full(3, -1.2), 4))) == 4


@pytest.mark.slow
def test_tuning_needs_no_scipy() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
