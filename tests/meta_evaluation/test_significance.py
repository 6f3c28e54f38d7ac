"""PERM-BOTH is the part of all mixtures that differ as much; Williams' test is a published one."""

from __future__ import annotations

import warnings
from itertools import combinations, product
from math import isnan
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from bleuet.errors import BleuetWarning, InputError, InputTypeError, OptionError
from bleuet.meta_evaluation import (
    STATISTICS,
    AgreementSettings,
    PairwiseJudgments,
    ScoreMatrix,
    agreement,
    compare_metrics,
    williams,
)
from tests.meta_evaluation.scores import matrix

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.slow

RNG = np.random.default_rng(17)
HUMAN = matrix(np.array([[4.0, 2, 5], [1, 2, 3], [0, 4, 1]]))
BAD = matrix(np.array([[0.1, 0.7, 0.3], [0.2, 0.3, 0.3], [0.8, 0.4, 0.6]]))
GOOD = matrix(np.array([[61.0, 30, 80], [35, 20, 44], [20, 70, 30]]))


def standard(values: Any) -> Any:
    return (values - values.mean()) / values.std()


def enumerated(
    statistic: str, human: ScoreMatrix, first: ScoreMatrix, second: ScoreMatrix
) -> float:
    one, other = standard(first.values), standard(second.values)

    def value(scores: Any) -> float:
        return agreement(statistic, human, matrix(scores), AgreementSettings(seed=1)).value

    real = value(other) - value(one)
    reached = []
    for swap in product((False, True), repeat=one.size):
        mask = np.array(swap).reshape(one.shape)
        mixed = value(np.where(mask, one, other)) - value(np.where(mask, other, one))
        reached.append(isnan(mixed) or mixed >= real - 1e-9)
    return sum(reached) / len(reached)


@pytest.mark.parametrize(
    "statistic",
    [
        *("tau-b", "pearson", "acc-eq"),
        *(pytest.param(name, marks=pytest.mark.long) for name in ("system-pearson", "spa")),
    ],
)
def test_perm_both_tries_every_mixture_of_few_scores(statistic: str) -> None:
    p_value = enumerated(statistic, HUMAN, BAD, GOOD)
    exact = compare_metrics(statistic, HUMAN, BAD, GOOD, AgreementSettings(trials=512, seed=1))
    assert exact.p_value == pytest.approx(p_value, abs=1e-12)
    assert exact.trials == 512
    assert exact.second == pytest.approx(
        agreement(statistic, HUMAN, GOOD, AgreementSettings(seed=1)).value
    )
    assert exact.difference == exact.second - exact.first
    drawn = compare_metrics(statistic, HUMAN, BAD, GOOD, AgreementSettings(trials=400, seed=1))
    deviation = (p_value * (1 - p_value) / 400) ** 0.5
    assert drawn.p_value == pytest.approx(p_value, abs=4 * deviation + 1 / 400)
    assert drawn.p_value != exact.p_value


@pytest.mark.parametrize("grouping", ["none", "item"])
def test_judged_segments_are_exchanged_whole(grouping: str) -> None:
    human = PairwiseJudgments.from_scores(matrix(RNG.integers(0, 4, size=(3, 7)).astype(float)))
    first, second = (matrix(RNG.integers(0, 4, size=(3, 7)).astype(float)) for _ in range(2))

    def value(scores: Any) -> float:
        return agreement("tau", human, matrix(scores), AgreementSettings(grouping=grouping)).value

    real = value(second.values) - value(first.values)
    reached = []
    for swap in product((False, True), repeat=7):
        mask = np.array(swap)
        mixed = value(np.where(mask, first.values, second.values)) - value(
            np.where(mask, second.values, first.values)
        )
        reached.append(mixed >= real - 1e-9)
    found = compare_metrics(
        "tau", human, first, second, AgreementSettings(grouping=grouping, trials=128)
    )
    assert found.p_value == pytest.approx(sum(reached) / len(reached), abs=1e-12)


@pytest.mark.parametrize("statistic", ["tau", "pearson", "tau-b", "system-accuracy"])
def test_a_far_better_metric_is_found_and_a_worse_is_not(statistic: str) -> None:
    human = RNG.normal(size=(5, 80)) + np.arange(5)[:, None]
    good, bad = matrix(human + 0.5 * RNG.normal(size=human.shape)), matrix(-human)
    forth = compare_metrics(statistic, matrix(human), bad, good, AgreementSettings(trials=200))
    back = compare_metrics(statistic, matrix(human), good, bad, AgreementSettings(trials=200))
    assert forth.p_value < 0.02
    assert back.p_value > 0.98
    assert (
        compare_metrics(statistic, matrix(human), good, good, AgreementSettings(trials=50)).p_value
        == 1.0
    )


@pytest.mark.parametrize("statistic", ["tau", "tau-b"])
def test_equally_good_metrics_rarely_differ_significantly(statistic: str) -> None:
    p_values = []
    for _ in range(60):
        human = RNG.normal(size=(4, 25))
        metrics = [matrix(human + 2 * RNG.normal(size=human.shape)) for _ in range(2)]
        found = compare_metrics(
            statistic, matrix(human), metrics[0], metrics[1], AgreementSettings(trials=60)
        )
        p_values.append(found.p_value)
    # p is uniform: of 60 about 12 lie below 0.2, and the mean is about 0.5.
    assert 2 <= sum(p <= 0.2 for p in p_values) <= 24
    assert np.mean(p_values) == pytest.approx(0.5, abs=0.15)


def test_williams_is_the_published_example() -> None:
    """The documentation of the R package bruceR: t(97) = -4.56 for .20 and .45 of 100, rcov .80."""
    t, p_value = williams(0.45, 0.20, 0.80, 100)
    assert round(t, 2) == -4.56
    assert round(2 * (1 - p_value), 5) == 1e-05
    assert williams(0.20, 0.45, 0.80, 100) == pytest.approx((-t, 1 - p_value))


def test_williams_of_equally_good_metrics_is_uniform() -> None:
    p_values = []
    for _ in range(400):
        human = RNG.normal(size=30)
        one, other = human + RNG.normal(size=(2, 30))
        scores = [matrix(values[:, None]) for values in (human, one, other)]
        found = compare_metrics(
            "system-pearson", scores[0], scores[1], scores[2], AgreementSettings(test="williams")
        )
        p_values.append(found.p_value)
    # 400 draws of a uniform p: mean 0.5 with a standard deviation of 0.014, 40 below 0.1 with 6.
    assert np.mean(p_values) == pytest.approx(0.5, abs=0.06)
    assert sum(p < 0.1 for p in p_values) == pytest.approx(40, abs=24)


def test_williams_of_one_metric_on_two_scales_is_no_difference() -> None:
    human = matrix(np.array([[1.0], [2], [4], [3], [5]]))
    metric = matrix(np.array([[2.0], [2], [3], [5], [4]]))
    scaled = matrix(metric.values * 10)
    found = compare_metrics(
        "system-pearson", human, metric, scaled, AgreementSettings(test="williams")
    )
    assert (found.p_value, found.trials) == (0.5, None)
    assert found.difference == pytest.approx(0, abs=1e-12)


def five(values: Any) -> ScoreMatrix:
    return ScoreMatrix(("a", "b", "c"), values)


SOME = np.arange(12.0).reshape(3, 4)
REJECTED: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "other systems": (
        lambda: agreement("tau-b", five(SOME), ScoreMatrix(("a", "b", "x"), SOME)),
        InputError,
        "only the human scores have c and only the metric scores have x",
    ),
    "other segments": (
        lambda: agreement("acc-eq", five(SOME), five(SOME[:, :2])),
        InputError,
        "human scores of 4 segments and metric scores of 2",
    ),
    "corpus scores for segments": (
        lambda: agreement("spa", five(SOME[:, :1]), five(SOME[:, :1])),
        InputError,
        "two segments or more, but there is 1",
    ),
    "one system": (
        lambda: agreement("pearson", matrix(SOME[:1]), matrix(SOME[:1])),
        InputError,
        "two systems or more, but there is 1",
    ),
    "judgments for a correlation": (
        lambda: agreement("pearson", PairwiseJudgments.from_scores(five(SOME)), five(SOME)),
        InputTypeError,
        "not pairwise judgments: use tau",
    ),
    "a judged system without scores": (
        lambda: agreement("tau", PairwiseJudgments.from_scores(five(SOME)), matrix(SOME)),
        InputError,
        "no scores of a, b, c",
    ),
    "a judged segment without scores": (
        lambda: agreement("tau", PairwiseJudgments.from_scores(five(SOME)), five(SOME[:, :2])),
        InputError,
        "segment 3 has a judgment, but the metric only has scores of the segments 0 to 1",
    ),
    "an unknown statistic": (
        lambda: agreement("spearmen", five(SOME), five(SOME)),
        OptionError,
        r"no statistic spearmen \(did you mean spearman\?\)",
    ),
    "a grouping of systems": (
        lambda: agreement("spa", five(SOME), five(SOME), AgreementSettings(grouping="item")),
        OptionError,
        "has no grouping: leave out 'item'",
    ),
    "an unknown test": (
        lambda: compare_metrics(
            "tau", five(SOME), five(SOME), five(SOME), AgreementSettings(test="perm")
        ),
        OptionError,
        "test must be one of perm-both, perm-segments, williams, perm-pairs, not 'perm'",
    ),
    "Williams' test of tau": (
        lambda: compare_metrics(
            "tau", five(SOME), five(SOME), five(SOME), AgreementSettings(test="williams")
        ),
        OptionError,
        "not tau: use the test perm-both",
    ),
    "Williams' test of three systems": (
        lambda: compare_metrics(
            "system-pearson", five(SOME), five(SOME), five(SOME), AgreementSettings(test="williams")
        ),
        InputError,
        "four systems or more, but there are 3",
    ),
    "no trials": (
        lambda: compare_metrics(
            "tau", five(SOME), five(SOME), five(SOME), AgreementSettings(trials=0)
        ),
        OptionError,
        "trials must be a whole number of at least 1, not 0",
    ),
    "a list for scores": (
        lambda: agreement("tau", five(SOME), []),  # type: ignore[arg-type]
        InputTypeError,
        r"metric must be a ScoreMatrix, not \[\]",
    ),
    "a table for judgments": (
        lambda: agreement("spa", {}, five(SOME)),  # type: ignore[arg-type]
        InputTypeError,
        "human must be a ScoreMatrix or a PairwiseJudgments, not {}",
    ),
    "half a draw": (
        lambda: agreement("tau", five(SOME), five(SOME), AgreementSettings(draws=1.5)),  # type: ignore[arg-type]
        OptionError,
        "draws must be a whole number, not 1.5",
    ),
    "metrics of other segments": (
        lambda: compare_metrics("system-tau", five(SOME), five(SOME), five(SOME[:, :1])),
        InputError,
        "the first metric has scores of 4 segments and the second of 1",
    ),
}


@pytest.mark.parametrize("case", REJECTED)
def test_an_error_is_one_line(case: str) -> None:
    ask, error, message = REJECTED[case]
    with pytest.raises(error, match=message) as caught:
        ask()
    assert "\n" not in str(caught.value)


def test_a_statistic_that_is_undefined_has_no_p_value() -> None:
    constant = five(np.full((3, 4), 2.0))
    human = five(np.array([[1.0, 2, 3, 4], [2, 1, 4, 3], [0, 9, 1, 2]]))
    assert isnan(compare_metrics("pearson", human, constant, human).p_value)


def test_missing_scores_of_one_metric_are_missing_for_both() -> None:
    holes = GOOD.values.copy()
    holes[0, 0] = np.nan
    found = compare_metrics("pearson", HUMAN, BAD, matrix(holes), AgreementSettings(trials=64))
    without = BAD.values.copy()
    without[0, 0] = np.nan
    assert found.first == agreement("pearson", HUMAN, matrix(without)).value


def test_every_statistic_of_the_catalogue_can_be_compared() -> None:
    for statistic in STATISTICS:
        found = compare_metrics(statistic, HUMAN, BAD, GOOD, AgreementSettings(trials=5))
        assert 0 < found.p_value <= 1


# --- Decisions on pairs, documents ----------------------------------------------------------------


def decided(human: Any, metric: Any, epsilon: float) -> list[tuple[int, bool]]:
    """The segment of each pair of systems, and whether human scores and metric agree on it."""
    found = []
    for segment in range(human.shape[1]):
        for i, j in combinations(range(len(human)), 2):
            apart = metric[i, segment] - metric[j, segment]
            called = 0 if abs(apart) <= epsilon else np.sign(apart)
            agreed = called == np.sign(human[i, segment] - human[j, segment])
            found.append((segment, bool(agreed)))
    return found


@pytest.mark.parametrize(
    ("test", "named", "documents"),
    [
        ("perm-pairs", None, None),
        ("perm-pairs", [0, 0, 1, 2], [0, 0, 1, 2]),
        ("perm-segments", None, [0, 1, 2, 3]),
        ("perm-segments", [0, 0, 1, 2], [0, 0, 1, 2]),
    ],
)
def test_perm_pairs_tries_every_exchange_of_decisions(
    test: str, named: list[int] | None, documents: list[int] | None
) -> None:
    rng = np.random.default_rng(2)
    human = rng.integers(0, 3, size=(3, 4)).astype(float)
    sides = [human + rng.normal(size=human.shape) for _ in range(2)]
    found = [agreement("acc-eq", matrix(human), matrix(side)) for side in sides]
    decisions = [
        decided(human, side, one.epsilon or 0.0) for side, one in zip(sides, found, strict=True)
    ]
    differences = [
        (segment, int(other) - int(one))
        for (segment, one), (_, other) in zip(*decisions, strict=True)
    ]
    units = [at if documents is None else documents[s] for at, (s, _) in enumerate(differences)]
    gains = [gain for _, gain in differences]
    names = sorted({unit for unit, gain in zip(units, gains, strict=True) if gain or documents})
    real = sum(gain for _, gain in differences)
    reached = []
    for signs in product((1, -1), repeat=len(names)):
        sign = dict(zip(names, signs, strict=True))
        total = sum(sign.get(u, 1) * gain for u, gain in zip(units, gains, strict=True))
        reached.append(total >= real)
    result = compare_metrics(
        "acc-eq",
        matrix(human),
        matrix(sides[0]),
        matrix(sides[1]),
        AgreementSettings(test=test, trials=4096, documents=named),
    )
    assert result.p_value == pytest.approx(sum(reached) / len(reached), abs=1e-12)
    assert (result.first, result.second) == tuple(one.value for one in found)
    assert result.difference == pytest.approx(real / 12, abs=1e-12)
    drawn = compare_metrics(
        "acc-eq",
        matrix(human),
        matrix(sides[0]),
        matrix(sides[1]),
        AgreementSettings(test=test, trials=4, documents=named),
    )
    assert 0.2 <= drawn.p_value <= 1.0


def test_perm_pairs_warns_where_pairs_have_systems_in_common() -> None:
    rng = np.random.default_rng(2)
    human = matrix(rng.integers(0, 3, size=(3, 4)).astype(float))
    one, other = (matrix(human.values + rng.normal(size=(3, 4))) for _ in range(2))
    chosen = AgreementSettings(test="perm-pairs")
    with pytest.warns(BleuetWarning, match="14% and more from 8 systems on: use perm-segments"):
        compare_metrics("acc-eq", human, one, other, chosen)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compare_metrics("acc-eq", human, one, other, chosen.replace(documents=range(4)))
        compare_metrics("acc-eq", human, one, other, chosen.replace(test="perm-segments"))
        human, one, other = (scores.select(human.systems[:2]) for scores in (human, one, other))
        compare_metrics("acc-eq", human, one, other, chosen)


def test_perm_pairs_draws_what_it_would_enumerate() -> None:
    rng = np.random.default_rng(6)
    human = rng.integers(0, 3, size=(4, 40)).astype(float)
    sides = [matrix(human + noise * rng.normal(size=human.shape)) for noise in (2.0, 1.5)]
    for grouping in ("item", "none", "system"):
        found = compare_metrics(
            "acc-eq",
            matrix(human),
            sides[0],
            sides[1],
            AgreementSettings(test="perm-pairs", grouping=grouping, trials=5000),
        )
        back = compare_metrics(
            "acc-eq",
            matrix(human),
            sides[1],
            sides[0],
            AgreementSettings(test="perm-pairs", grouping=grouping),
        )
        assert found.first < found.second
        assert found.p_value < 0.2
        assert found.p_value + back.p_value == pytest.approx(1, abs=0.1)
    with pytest.raises(OptionError, match="needs the statistic acc-eq, not tau"):
        compare_metrics(
            "tau", matrix(human), sides[0], sides[1], AgreementSettings(test="perm-pairs")
        )
    with pytest.raises(OptionError, match="only with the grouping item, not 'system'"):
        compare_metrics(
            "acc-eq",
            matrix(human),
            sides[0],
            sides[1],
            AgreementSettings(test="perm-segments", grouping="system"),
        )
    with pytest.raises(OptionError, match="only with the grouping item, not 'none'"):
        compare_metrics(
            "acc-eq",
            matrix(human),
            sides[0],
            sides[1],
            AgreementSettings(test="perm-pairs", grouping="none", documents=range(40)),
        )


@pytest.mark.parametrize("statistic", ["pearson", "tau"])
def test_documents_are_exchanged_whole(statistic: str) -> None:
    """Two documents of three systems: 2 ** 6 exchanges of scores, 2 ** 2 of judged segments."""
    documents = ["a", "b", "a", "a"]
    rng = np.random.default_rng(3)
    human, first, second = (rng.normal(size=(3, 4)) for _ in range(3))
    one, other = (standard(side) if statistic == "pearson" else side for side in (first, second))

    def value(scores: Any) -> float:
        return agreement(statistic, matrix(human), matrix(scores)).value

    real = value(other) - value(one)
    reached = []
    rows = 3 if statistic == "pearson" else 1
    for swap in product((False, True), repeat=2 * rows):
        whole = np.array(swap).reshape(rows, 2)[:, [0, 1, 0, 0]]
        mixed = value(np.where(whole, one, other)) - value(np.where(whole, other, one))
        reached.append(mixed >= real - 1e-9)
    found = compare_metrics(
        statistic,
        matrix(human),
        matrix(first),
        matrix(second),
        AgreementSettings(documents=documents),
    )
    assert found.trials == len(reached)
    assert found.p_value == pytest.approx(sum(reached) / len(reached), abs=1e-12)


def test_documents_of_one_segment_are_segments() -> None:
    for test, statistic in (("perm-both", "pearson"), ("perm-both", "tau")):
        plain = compare_metrics(
            statistic, HUMAN, BAD, GOOD, AgreementSettings(test=test, trials=60)
        )
        alone = compare_metrics(
            statistic,
            HUMAN,
            BAD,
            GOOD,
            AgreementSettings(test=test, trials=60, documents=["x", "y", "z"]),
        )
        assert plain == alone
    with pytest.raises(InputError, match="there are 2 documents for 3 segments"):
        compare_metrics("tau", HUMAN, BAD, GOOD, AgreementSettings(documents=["x", "y"]))


def test_the_difference_is_the_one_that_is_tested() -> None:
    """Scores of a coarse grid: bringing them to one scale changes differences by rounding."""
    rng = np.random.default_rng(12)
    human = matrix(rng.integers(0, 4, size=(4, 30)).astype(float))
    sides = [matrix(rng.integers(0, 9, size=(4, 30)) / 10) for _ in range(2)]
    for statistic in STATISTICS:
        if statistic == "spa":
            continue
        found = compare_metrics(statistic, human, sides[0], sides[1], AgreementSettings(trials=3))
        values = [agreement(statistic, human, side).value for side in sides]
        assert found.difference == pytest.approx(values[1] - values[0], abs=1e-12)
