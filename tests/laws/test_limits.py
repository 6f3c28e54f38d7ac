"""Stricter settings never find more, and two settings together do what each of them says."""

from __future__ import annotations

from functools import cache
from itertools import pairwise, product
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.gate import Limits, gate_systems
from bleuet.significance import Evaluation, TestSettings, paired_test
from tests.laws.generated import METRICS, generated
from tests.laws.studies import evaluation_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleuet.significance import PairedResults

STUDY = generated()
EVALUATION = evaluation_of(STUDY)
CORRECTIONS = (None, "holm", "bonferroni", "benjamini-hochberg")
ALPHAS = (0.001, 0.01, 0.05, 0.2, 0.5)


def corrected(p_values: list[float], correction: str | None) -> list[float]:
    """The definitions of Dunn, Holm, and Benjamini and Hochberg, by closed formulas."""
    n = len(p_values)

    def of(p: float) -> float:
        smaller = [q for q in p_values if q <= p]
        rank_of = {q: sum(one <= q for one in p_values) for q in p_values}
        first = {q: sum(one < q for one in p_values) for q in p_values}
        if correction == "bonferroni":
            return min(1.0, n * p)
        if correction == "holm":
            return min(1.0, max(q * (n - first[q]) for q in smaller))
        if correction == "benjamini-hochberg":
            return min(1.0, min(q * n / rank_of[q] for q in p_values if q >= p))
        return p

    return list(map(of, p_values))


def of_systems(*names: str) -> Evaluation:
    """Some of the systems by the metrics, without the external scores."""
    tables = {name: EVALUATION.tables[name] for name in names}
    return EVALUATION.replace(tables=tables).select(range(4))


@cache
def results_of(old: str, new: str, level: float) -> PairedResults:
    """The test of a pair that is the gate's, whose p-values are not corrected."""
    settings = TestSettings(
        test="bootstrap", draws=120, correction=None, alpha=level, confidence=1 - level
    )
    return paired_test(of_systems(old, new), settings)


def declared(evaluation: Evaluation, **settings: Any) -> set[tuple[str, str, str]]:
    """What is significantly better than what, by which metric."""
    made = TestSettings(**{"test": "bootstrap", "draws": 200, "all_pairs": True, **settings})
    results = paired_test(evaluation, made)
    return {
        (system, other, metric)
        for system in results.systems
        for metric in results.metrics
        for other in results.significantly_worse(system, metric)
    }


@pytest.mark.parametrize(
    ("test", "correction"),
    [("bootstrap", "holm"), ("randomization", None), ("sacrebleu-bootstrap", "benjamini-hochberg")],
)
def test_a_stricter_level_never_declares_more(test: str, correction: str | None) -> None:
    found = [declared(EVALUATION, test=test, correction=correction, alpha=one) for one in ALPHAS]
    for stricter, wider in pairwise(found):
        assert stricter <= wider
    assert found[0] < found[-1]


@pytest.mark.parametrize("correct_over", ["pairs", "all"])
@pytest.mark.parametrize("correction", CORRECTIONS)
def test_p_values_are_corrected_over_the_tests_that_are_named(
    correction: str | None, correct_over: str
) -> None:
    """By closed formulas; more comparisons never make Bonferroni's or Holm's p-value smaller."""
    settings = TestSettings(
        test="bootstrap", draws=60, all_pairs=True, correction=correction, correct_over=correct_over
    )
    smallest: dict[tuple[str, str, str], float] = {}
    for names in (("first", "worse"), ("first", "close", "worse"), tuple(STUDY.systems)):
        results = paired_test(of_systems(*names), settings)
        every = results.comparisons
        families = [[one for one in every if one.metric == name] for name in results.metrics]
        for family in families if correct_over == "pairs" else [list(every)]:
            expected = corrected([one.p_value for one in family], correction)
            assert [one.p for one in family] == pytest.approx(expected)
        for one in every:
            key = (one.baseline, one.system, one.metric)
            assert one.is_significant(0.05) == (one.better is not None and one.p < 0.05)
            if correction in ("holm", "bonferroni"):
                assert one.p >= smallest.get(key, 0.0)
                smallest[key] = one.p


RULES: dict[str, Callable[[bool | None, bool, bool], bool]] = {
    "both": lambda large, sure, _: sure and (large or large is None),
    "either": lambda large, sure, _: sure or bool(large),
    "possible": lambda _large, _sure, reaches: reaches,
    "drop": lambda large, _sure, _reaches: bool(large),
    "significance": lambda _large, sure, _reaches: sure,
}
# Baseline, release and new system, or without a release.
# The p-values of the last are near the levels.
TRIOS = (("first", "close", "worse"), ("worse", "close", "first"), ("first", "close"))


# Each rule with two corrections, and each correction with two rules or more.
CASES = [
    (rule, CORRECTIONS[(place + more) % 4]) for place, rule in enumerate(RULES) for more in (0, 1)
]


@pytest.mark.parametrize(("rule", "correction"), CASES)
def test_a_gate_judges_by_its_definition(rule: str, correction: str | None) -> None:
    """Every rule with corrections, shared levels, releases, and limits of single metrics."""
    drops = {"bleu": 15.0, "ter": 40.0} if rule != "possible" else {"bleu": 45.0, "ter": 50.0}
    for names, (alpha, changes), max_drop in product(TRIOS, ((0.2, 1), (0.9, 3)), (None, 12.0)):
        if rule in ("drop", "possible") and max_drop is None:
            continue
        limits = Limits(
            max_drop, alpha, rule, drops, min={"bleu": 25, "chrf": 60}, max={"ter": 45},
            changes=changes,
        )  # fmt: skip
        settings = TestSettings(test="bootstrap", draws=120, correction=correction)
        evaluation = of_systems(*names)
        found = gate_systems(evaluation, limits, settings)
        *baselines, new = names
        pairs = [(old, place) for old in baselines for place in range(len(METRICS))]
        level = alpha / changes
        tests = {old: results_of(old, new, level).comparisons for old in baselines}
        p_values = corrected([tests[old][place].p_value for old, place in pairs], correction)
        assert len(found.checks) == len(pairs)
        for check, (old, place), p in zip(found.checks, pairs, p_values, strict=True):
            lower = METRICS[place] == "ter"
            scores = [evaluation.scores[name][place].score for name in (old, new)]
            drop = scores[1] - scores[0] if lower else scores[0] - scores[1]
            allowed = drops.get(METRICS[place], max_drop)
            large = None if allowed is None else drop > allowed
            sure = rule != "drop" and drop > 0 and p < level
            ends = tests[old][place].interval
            assert ends is not None
            high = ends[1] if lower else -ends[0]
            reaches = rule != "drop" and allowed is not None and high > allowed
            beyond = (
                (METRICS[place] == "bleu" and scores[1] < 25)
                or (METRICS[place] == "chrf" and scores[1] < 60)
                or (lower and scores[1] > 45)
            )
            assert check.baseline_system == old
            assert check.drop == pytest.approx(drop)
            assert check.too_large == bool(large)
            assert (check.significant, check.may_be_too_large) == (sure, reaches)
            if rule != "drop":
                assert check.p_value == tests[old][place].p_value
                if correction and len(pairs) > 1:
                    assert check.corrected_p_value == pytest.approx(p)
            assert check.fails == (RULES[rule](large, sure, reaches) or beyond)
        assert found.passed == (not any(check.fails for check in found.checks))


@pytest.mark.parametrize("rule", RULES)
def test_a_wider_limit_never_fails_more(rule: str) -> None:
    evaluation = of_systems("first", "close", "worse")
    settings = TestSettings(test="bootstrap", draws=400)

    def failing(drop: float, level: float, changes: int, least: float) -> set[tuple[str, str]]:
        limits = Limits(drop, level, rule, min={"bleu": least}, changes=changes)
        checks = gate_systems(evaluation, limits, settings).checks
        return {(one.metric, str(one.baseline_system)) for one in checks if one.fails}

    strict = (2.0, 0.3, 1, 22.0)
    most = failing(*strict)
    for place, wider in ((0, 30.0), (3, 1.0)):
        changed = list(strict)
        changed[place] = wider
        assert failing(*changed) <= most  # type: ignore[arg-type]
    # A smaller level, or one that is shared, makes intervals wider and fewer drops significant.
    for place, smaller in ((1, 0.1), (2, 3)):
        changed = list(strict)
        changed[place] = smaller
        found = failing(*changed)  # type: ignore[arg-type]
        assert found >= most if rule == "possible" else found <= most
    assert most
