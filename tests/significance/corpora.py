"""Systems of random words, and tests by their definitions, for the tests of significance."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np

from bleuet import BLEU, CHRF, TER, Metric, Table
from bleuet.significance import Evaluation, PairedResults

WORDS = "the a cat dog sat ran on under mat tree today . , never home we it".split()  # noqa: SIM905
NAMES = ("one", "two", "three")


def texts(segments: int, seed: int) -> tuple[dict[str, list[str]], list[list[str]]]:
    """Three systems, each noisier than the one before, and two references per segment."""
    rng = random.Random(seed)

    def noisy(line: str, share: float) -> str:
        return " ".join(w if rng.random() > share else rng.choice(WORDS) for w in line.split())

    lines = [" ".join(rng.choices(WORDS, k=rng.randint(2, 12))) for _ in range(segments)]
    systems = {
        name: [noisy(line, 0.15 + 0.1 * k) for line in lines] for k, name in enumerate(NAMES)
    }
    return systems, [[line, noisy(line, 0.2)] for line in lines]


@cache
def three_metrics() -> tuple[Metric[Any], ...]:
    return BLEU(), CHRF(), TER()


def counted(
    segments: int = 40, seed: int = 1, metrics: Any = ("bleu", "chrf", "ter")
) -> Evaluation:
    systems, references = texts(segments, seed)
    return Evaluation.count(metrics, systems, references)


def score_of(metric: Any, *tables: tuple[Table, Any]) -> float:
    """The score of rows picked one by one."""
    picked = Table.concatenate([table.select(rows) for table, rows in tables])
    return float(metric.score(picked.totals()).score)


def brute_bootstrap(systems: Evaluation, m: int, pair: tuple[str, str], drawn: Any) -> float:
    metric = systems.metrics[m]
    a, b = (systems.tables[name][m] for name in pair)
    everything = range(a.rows)
    real = abs(score_of(metric, (a, everything)) - score_of(metric, (b, everything)))
    scores = [[score_of(metric, (t, rows.tolist())) for t in (a, b)] for rows in drawn]
    differences = np.array([abs(x - y) for x, y in scores])
    above = int((differences - differences.mean() > real).sum())
    return (above + 1) / (len(drawn) + 1)


def brute_randomization(
    systems: Evaluation, m: int, pair: tuple[str, str], chosen: Any, *, ties: bool = False
) -> float:
    metric = systems.metrics[m]
    a, b = (systems.tables[name][m] for name in pair)
    everything = range(a.rows)
    real = abs(score_of(metric, (a, everything)) - score_of(metric, (b, everything)))
    above = 0
    for mask in chosen:
        mine, others = np.flatnonzero(mask).tolist(), np.flatnonzero(~mask).tolist()
        one = score_of(metric, (a, mine), (b, others))
        other = score_of(metric, (b, mine), (a, others))
        above += abs(one - other) > real - 1e-9 * ties
    return (above + 1) / (len(chosen) + 1)


def p_values(found: PairedResults) -> list[float]:
    return [one.p_value for one in found.comparisons]


def runs(number: int = 3) -> dict[str, list[tuple[Table, ...]]]:
    """Several runs of the systems of `texts`, each without some words of its own."""
    of: dict[str, list[tuple[Table, ...]]] = {name: [] for name in NAMES}
    _, references = texts(15, seed=0)
    for run in range(number):
        rng = random.Random(run)
        hypotheses, _ = texts(15, seed=0)
        for name, lines in hypotheses.items():
            changed = [" ".join(w for w in line.split() if rng.random() > 0.1) for line in lines]
            of[name].append(tuple(m.count(changed, references) for m in three_metrics()))
    return of
