"""How often a gate fails, in simulations: the tables of the guide to the gate.

A test set is drawn from texts that are generated: references of words with the frequencies of a
language, and outputs that lack words and have wrong ones. A pool has several outputs of the same
quality for each segment, and some that are worse. A change draws another output for a share of the
segments, so that systems before and after are equal in quality, or a little worse where some
segments get a worse output. Slow, so skipped unless BLEUET_SIMULATIONS is set, to 500 or more.
"""

from __future__ import annotations

import os
import random
from typing import Any

import numpy as np
import pytest

from bleuet import Table
from bleuet.gate import RULES, Limits, gate_systems
from bleuet.metrics.catalogue import make_metric
from bleuet.significance import Evaluation, TestSettings

SIMULATIONS = int(os.environ.get("BLEUET_SIMULATIONS", "0"))
METRICS = [make_metric(name) for name in ("bleu", "chrf", "ter")]
POOL = 3000  # segments
OUTPUTS = 6  # of the same quality; as many are worse
MAX_DROP = 0.3
SMALL, LARGE = 0.03, 0.25  # the share of the segments that a change touches
CHANGES = 20
DRIFT = 0.08  # BLEU a change

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _simulations() -> None:
    if not SIMULATIONS:
        pytest.skip("BLEUET_SIMULATIONS is not set")


def references() -> list[str]:
    rng = random.Random(1)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 9))) for _ in range(5000)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    return [
        " ".join(rng.choices(words, weights, k=max(4, int(rng.lognormvariate(2.9, 0.4)))))
        for _ in range(POOL)
    ]


def output(lines: list[str], seed: int, errors: float) -> list[str]:
    """Return hypotheses with a share of wrong words, which differs from segment to segment."""
    rng, other = random.Random(seed), random.Random(2)
    hypotheses = []
    for line in lines:
        rate = errors * other.uniform(0.4, 1.6)
        own: list[str] = []
        for word in line.split():
            chance = rng.random()
            if chance > rate:
                own.append(word)
            elif chance > 0.4 * rate:
                own.append(word[::-1])
            elif chance > 0.2 * rate:
                own[-1:] = [word, *own[-1:]]
        hypotheses.append(" ".join(own) or "e")
    return hypotheses


class Pool:
    """The outputs of all segments, counted."""

    def __init__(self) -> None:
        lines = references()
        levels = [0.22] * OUTPUTS + [0.30] * OUTPUTS
        texts = {str(seed): output(lines, seed, errors) for seed, errors in enumerate(levels)}
        evaluation = Evaluation.count(METRICS, texts, lines)
        self.tables = [
            Table.concatenate([tables[place] for tables in evaluation.tables.values()])
            for place in range(len(METRICS))
        ]
        self.worse_by = self._worse_by()

    def _worse_by(self) -> float:
        """Return how much BLEU a system loses by a worse output of each segment.

        It is measured where a few segments have one, because the loss is not quite proportional.
        """
        rng, few, drops = np.random.default_rng(3), 0.05, []
        for _ in range(200):
            rows, old = start(rng, POOL)
            new = change(rng, old, 0, few)
            scores = self.evaluation(rows, {"old": old, "new": new}, 1).scores
            drops.append(scores["old"][0].score - scores["new"][0].score)
        return float(np.mean(drops)) / few

    def evaluation(self, rows: Any, systems: dict[str, Any], metrics: int) -> Evaluation:
        """Return the evaluation of systems, each the number of the output of each segment."""
        tables = {
            name: [table.select((rows + POOL * own).tolist()) for table in self.tables[:metrics]]
            for name, own in systems.items()
        }
        return Evaluation(METRICS[:metrics], tables)


@pytest.fixture(scope="module")
def pool() -> Pool:
    return Pool()


def start(rng: Any, segments: int) -> tuple[Any, Any]:
    """Return the segments of a test set, and the first system."""
    return rng.choice(POOL, segments, replace=False), rng.integers(0, OUTPUTS, segments)


def change(rng: Any, system: Any, share: float, worse: float = 0.0) -> Any:
    """Return a system after a change of a share of the segments, and with more worse outputs."""
    segments = len(system)
    drawn = rng.integers(0, OUTPUTS, segments) + OUTPUTS * (system >= OUTPUTS)
    made = np.where(rng.random(segments) < share, drawn, system)
    still_good = made < OUTPUTS
    falls = still_good & (rng.random(segments) < worse / max(still_good.mean(), 1e-9))
    return made + OUTPUTS * falls


BEFORE = "either, not corrected"
# Rule and correction: before 0.2 the gate had the first, and now it has the second.
CASES = {
    BEFORE: ("either", None),
    "default": (None, "holm"),
    "significance": ("significance", "holm"),
    "significance, not corrected": ("significance", None),
}


@pytest.mark.parametrize("share", [SMALL, LARGE])
@pytest.mark.parametrize("segments", [50, 200, 500])
def test_false_alarms(pool: Pool, segments: int, share: float) -> None:
    """How often a change of equal quality fails, by one metric and by three."""
    rng = np.random.default_rng(segments)
    failed = {(rule, metrics): 0 for rule in CASES for metrics in (1, 3)}
    for seed in range(SIMULATIONS):
        rows, old = start(rng, segments)
        new = change(rng, old, share)
        for metrics in (1, 3):
            tested = pool.evaluation(rows, {"old": old, "new": new}, metrics)
            for rule, (fail_on, correction) in CASES.items():
                settings = TestSettings(seed=seed, draws=1000, correction=correction)
                result = gate_systems(tested, Limits(MAX_DROP, fail_on=fail_on), settings)
                failed[rule, metrics] += not result.passed
    rates = {key: count / SIMULATIONS for key, count in failed.items()}
    for (rule, metrics), rate in rates.items():
        print(f"{segments} segments, {share:.0%} change, {metrics} metrics, {rule}: {rate:.1%}")
    error = 3 * (0.025 * 0.975 / SIMULATIONS) ** 0.5
    for metrics in (1, 3):
        # Half of all significant differences are drops.
        assert rates["significance", metrics] <= 0.03 + error
        assert rates["default", metrics] <= rates["significance", metrics]
    if share == LARGE:
        assert rates[BEFORE, 1] > 0.1 + error  # as the guide says


# How the gate is used over several changes: its limits, whether it also compares with the release,
# and its draws, which must be many for a small alpha.
HISTORIES: dict[str, tuple[Limits, bool, int]] = {
    "default": (Limits(MAX_DROP), False, 1000),
    "changes": (Limits(MAX_DROP, changes=CHANGES), False, 5000),
    "release": (Limits(MAX_DROP), True, 1000),
    "release and changes": (Limits(MAX_DROP, changes=CHANGES), True, 5000),
}


def first_failures(
    pool: Pool, rng: Any, segments: int, share: float, drift: float, metrics: int
) -> dict[str, int]:
    """Return in which change of a sequence each gate fails first; CHANGES for never.

    Each change becomes the baseline of the next, and the first system is the release.

    Args:
        pool: the outputs.
        rng: the source of chance.
        segments: the number of segments of the test set.
        share: the share of them that a change touches.
        drift: how much worse each change is, in BLEU.
        metrics: the number of metrics.
    """
    rows, release = start(rng, segments)
    found = dict.fromkeys((BEFORE, *HISTORIES), CHANGES)
    last = release
    for number in range(CHANGES):
        new = change(rng, last, share, drift / pool.worse_by)
        seed = int(rng.integers(2**31))
        both = pool.evaluation(rows, {"last": last, "release": release, "new": new}, metrics)
        alone = pool.evaluation(rows, {"last": last, "new": new}, metrics)
        plain = TestSettings(seed=seed, draws=1000, correction=None)
        screen = gate_systems(both, Limits(MAX_DROP, fail_on="significance"), plain)
        if any(check.fails_by(RULES["either"]) for check in screen.checks[:metrics]):
            found[BEFORE] = min(found[BEFORE], number)
        # A smaller alpha and a correction fail only where p itself is below alpha.
        for name, (limits, released, draws) in HISTORIES.items() if not screen.passed else ():
            settings = TestSettings(seed=seed, draws=draws)
            if not gate_systems(both if released else alone, limits, settings).passed:
                found[name] = min(found[name], number)
        last = new
    return found


def shares(failures: list[dict[str, int]], by: int) -> dict[str, float]:
    """Return the share of the sequences in which each gate fails in the first changes."""
    return {name: sum(one[name] < by for one in failures) / len(failures) for name in failures[0]}


def shown(rates: dict[str, float], number: int) -> str:
    """Return shares of so many sequences with their standard errors."""
    return ", ".join(
        f"{name} {rate:.1%} ± {(rate * (1 - rate) / number) ** 0.5:.1%}"
        for name, rate in rates.items()
    )


@pytest.mark.parametrize("metrics", [1, 3])
@pytest.mark.parametrize("share", [SMALL, LARGE])
def test_changes_without_a_difference(pool: Pool, share: float, metrics: int) -> None:
    rng = np.random.default_rng(metrics)
    failures = [first_failures(pool, rng, 500, share, 0, metrics) for _ in range(SIMULATIONS // 5)]
    rates = shares(failures, CHANGES)
    print(f"no drift, {share:.0%} change, {metrics} metrics: {shown(rates, len(failures))}")
    for name in "changes", "release and changes":
        assert rates[name] <= 0.03 + 3 * (0.03 * 0.97 / len(failures)) ** 0.5
    assert rates[BEFORE] > 0.3  # as the guide says


@pytest.mark.parametrize("segments", [500, 2000])
def test_drift(pool: Pool, segments: int) -> None:
    rng = np.random.default_rng(segments)
    failures = [
        first_failures(pool, rng, segments, SMALL, DRIFT, 1) for _ in range(SIMULATIONS // 5)
    ]
    for by in (5, 10, CHANGES):
        rates = shares(failures, by)
        print(f"drift, {segments} segments, by change {by}: {shown(rates, len(failures))}")
    rates = shares(failures, CHANGES)
    assert 2 * rates["changes"] < rates["release and changes"]  # as the guide says


@pytest.mark.parametrize("segments", [500, 2000])
@pytest.mark.parametrize("share", [SMALL, LARGE])
@pytest.mark.parametrize("margin", [0.3, 1.0])
def test_a_drop_that_may_be_too_large(
    pool: Pool, segments: int, share: float, margin: float
) -> None:
    """How often equal systems pass, and systems that are worse by exactly the allowed drop."""
    rng = np.random.default_rng(segments)
    passed = {0.0: 0, margin: 0}
    for seed in range(SIMULATIONS // 2):
        for worse in passed:
            rows, old = start(rng, segments)
            new = change(rng, old, share, worse / pool.worse_by)
            tested = pool.evaluation(rows, {"old": old, "new": new}, 1)
            limits = Limits(margin, fail_on="possible")
            passed[worse] += gate_systems(
                tested, limits, TestSettings(seed=seed, draws=1000)
            ).passed
    rates = {worse: count / (SIMULATIONS // 2) for worse, count in passed.items()}
    print(f"possible, {segments} segments, {share:.0%} change, margin {margin}: {rates}")
    # The bootstrap keeps half of alpha nearly.
    assert rates[margin] <= 0.035 + 3 * (0.025 * 0.975 / (SIMULATIONS // 2)) ** 0.5
