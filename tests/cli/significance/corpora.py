"""Files of the tests of `bleuet significance`, and what the study computes for them."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any, TypeAlias

from bleuet import BLEU, CHRF, TER
from bleuet.significance import Evaluation
from tests.cli.conftest import Outcome

Run: TypeAlias = Callable[..., Outcome]


WORDS = ["river", "bridge", "old", "the", "a", "crosses", "under", "slow", "boat", "in", "rain"]
SEGMENTS = 40
NAMES = ("a", "b", "c", "d")
FILES = ("ref.txt", "-i", "a.txt", "b.txt", "c.txt")
METRICS = ("-m", "bleu", "chrf", "ter")


def lines_of(name: str, share: float, segments: int = SEGMENTS) -> list[str]:
    """Return the references with a share of their words replaced."""
    rng = random.Random(name)
    return [
        " ".join(word if rng.random() > share else rng.choice(WORDS) for word in line.split())
        for line in references(segments)
    ]


def references(segments: int = SEGMENTS) -> list[str]:
    rng = random.Random(7)
    return [" ".join(rng.choices(WORDS, k=rng.randint(4, 12))) for _ in range(segments)]


def texts(segments: int = SEGMENTS) -> dict[str, list[str]]:
    shares = (0.3, 0.1, 0.28, 0.15)
    return {
        name: lines_of(name, share, segments) for name, share in zip(NAMES, shares, strict=True)
    }


TABLES = ("--from-table", "ab.parquet", "c.parquet")
RUNS = {"old": ("a", "c"), "new": ("b", "d")}
RUN_WORDS = ("-i", "old=a.txt,c.txt", "new=b.txt,d.txt")


def found(outcome: Outcome) -> dict[str, Any]:
    assert (outcome.code, outcome.err) == (0, "")
    values: dict[str, Any] = json.loads(outcome.out)
    return values


def systems(*names: str) -> Evaluation:
    """Return the systems of these files, counted by the study."""
    return Evaluation.count(
        [BLEU(), CHRF(), TER()], {name: texts()[name] for name in names}, references()
    )
