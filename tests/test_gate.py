"""The gate: rules, limits, the paired test, and the document of the verdict."""

from __future__ import annotations

import csv
import io
import itertools
import json
import warnings
from typing import Any

import pytest

from bleuet import BLEU, TER, InputTypeError, OptionError
from bleuet.gate import RULES, Check, GateResult, Limits, gate_scores, gate_systems
from bleuet.output.rendering import FORMATS
from bleuet.significance import Evaluation, TestSettings, paired_test
from bleuet.significance.correction import holm
from bleuet.significance.paired import paired_approximate_randomization, paired_bootstrap
from bleuet.significance.settings import TESTS, WELCH
from tests.corpora import REFERENCE, SYSTEM_A, SYSTEM_B

pytestmark = pytest.mark.slow

METRICS = ["bleu", "chrf", "ter"]
OF_ONE_RUN = [name for name in TESTS if name != WELCH]
# Worse, but only slightly and in one segment of 40, so that chance makes as much.
NEARLY_A = [*SYSTEM_A[:3], "tea pleased"]


def systems(new: list[str] = SYSTEM_B, times: int = 10, metrics: Any = METRICS) -> Evaluation:
    """The baseline A and a new system, each several times over."""
    texts = {"a": SYSTEM_A * times, "b": new * times}
    return Evaluation.count(metrics, texts, REFERENCE * times)


def nearly_a(metrics: Any = METRICS) -> Evaluation:
    texts = {"a": SYSTEM_A * 10, "c": SYSTEM_A * 9 + NEARLY_A}
    return Evaluation.count(metrics, texts, REFERENCE * 10)


# --- The verdict ----------------------------------------------------------------------------------


def test_the_rules() -> None:
    """Every rule with every combination: a drop too large or not, significant or not."""
    for large, sure in itertools.product((True, False), repeat=2):
        tested = systems(metrics=[BLEU()]) if sure else nearly_a([BLEU()])
        for rule, fails in {
            "either": large or sure,
            "possible": large,
            "both": large and sure,
            "drop": large,
            "significance": sure,
        }.items():
            limits = Limits(0.001 if large else 90, fail_on=rule)
            result = gate_systems(tested, limits)
            (check,) = result.checks
            assert (check.drop or 0) > 0
            assert check.too_large == large
            assert check.significant == (sure and rule != "drop")
            assert (check.fails, result.passed, result.exit_code) == (fails, not fails, 3 * fails)


def test_by_default_a_drop_fails_that_is_too_large_and_significant() -> None:
    """A metric without an allowed drop fails by significance alone."""
    passes = gate_systems(systems(), Limits(max_drops={"bleu": 90, "chrf": 90, "ter": 300}))
    assert (passes.passed, passes.limits.fail_on) == (True, "both")
    assert [(one.significant, one.too_large) for one in passes.checks] == [(True, False)] * 3
    mixed = gate_systems(systems(), Limits(max_drops={"bleu": 90}))
    assert [check.fails for check in mixed.checks] == [False, True, True]
    assert not any(check.too_large for check in mixed.checks)
    sentence = "a drop of more than 90 BLEU, or any of chrF2 or TER, is too large; "
    assert f"Fails on a drop that is too large and significant; {sentence}" in mixed.to_text()
    none = gate_systems(systems(), Limits())
    assert none.checks == gate_systems(systems(), Limits(fail_on="significance")).checks
    assert "Fails on a significant drop; paired" in none.to_text()
    # Not significant, and as large as no limit allows.
    assert gate_systems(nearly_a(), Limits(0.0)).passed
    assert not gate_systems(nearly_a(), Limits(0.0, fail_on="either")).passed


def test_the_rule_where_nothing_can_be_tested_is_the_size() -> None:
    before, after = TER().corpus_score(["a"], ["a"]), TER().corpus_score(["a b"], ["a"])
    found = gate_scores("old", "new", [before], [after], Limits(1))
    assert found == gate_scores("old", "new", [before], [after], Limits(1, fail_on="drop"))
    assert (found.passed, found.limits.fail_on) == (False, "drop")


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "benjamini-hochberg", None])
def test_p_values_are_corrected_over_the_metrics(correction: str | None) -> None:
    """As the paired test corrects them over all metrics, and p itself stays as it is."""
    tested = systems([*SYSTEM_A[:2], *SYSTEM_B[2:]], times=2)
    settings = TestSettings(test="randomization", draws=300, correction=correction)
    result = gate_systems(tested, Limits(), settings)
    expected = paired_test(tested, settings.replace(correct_over="all")).comparisons
    assert [(one.p_value, one.corrected_p_value) for one in result.checks] == [
        (one.p_value, one.corrected_p_value) for one in expected
    ]
    assert [check.significant for check in result.checks] == [
        one.is_significant() and one.better == "a" for one in expected
    ]
    assert result.to_dict()["correction"] == correction


def test_the_smallest_of_several_p_values_is_no_evidence_alone() -> None:
    tested = systems(times=2)
    p_values = [check.p_value or 0 for check in gate_systems(tested, Limits()).checks]
    alpha = 1.5 * min(p_values)
    assert gate_systems(tested, Limits(alpha=alpha)).passed
    assert not gate_systems(tested, Limits(alpha=alpha), TestSettings(correction=None)).passed
    best = METRICS[p_values.index(min(p_values))]
    (alone,) = gate_systems(systems(times=2, metrics=[best]), Limits(alpha=alpha)).checks
    assert (alone.significant, alone.corrected_p_value) == (True, None)


def test_a_drop_of_exactly_the_allowed_size_passes() -> None:
    before, after = TER().corpus_score(["a"], ["a"]), TER().corpus_score(["a b"], ["a"])
    for limit, passed in ((100.0, True), (99.999, False), (0.0, False)):
        found = gate_scores("old", "new", [before], [after], Limits(limit, fail_on="drop"))
        assert (found.checks[0].drop, found.passed) == (100.0, passed)


@pytest.mark.parametrize("test", OF_ONE_RUN)
@pytest.mark.parametrize("seed", [12345, 7])
def test_the_p_values_are_those_of_the_paired_test(test: str, seed: int) -> None:
    for tested in nearly_a(), systems(), systems(SYSTEM_A):
        result = gate_systems(tested, Limits(), TestSettings(test=test, draws=300, seed=seed))
        expected = paired_test(tested, TestSettings(test=test, draws=300, seed=seed))
        assert [check.p_value for check in result.checks] == [
            one.p_value for one in expected.comparisons
        ]
        assert [check.significant for check in result.checks] == [
            one.is_significant() and one.better == "a" for one in expected.comparisons
        ]
        assert (result.test, result.draws, result.seed) == (test, 300, seed)


def test_a_test_of_several_runs_is_an_error() -> None:
    with pytest.raises(OptionError, match="welch needs several runs of each system"):
        gate_systems(systems(), Limits(), TestSettings(test=WELCH))


def test_the_bootstrap_is_two_sided() -> None:
    tested = nearly_a()
    result = gate_systems(tested, Limits(), TestSettings(test="bootstrap", draws=500))
    two_sided = paired_bootstrap(tested, TestSettings(test="bootstrap", draws=500))
    assert [check.p_value for check in result.checks] == [
        one.p_value for one in two_sided.comparisons
    ]
    sacrebleus = gate_systems(tested, Limits(), TestSettings(test="sacrebleu-bootstrap", draws=500))
    half = [check.p_value or 1 for check in sacrebleus.checks]
    halved = paired_bootstrap(
        tested, TestSettings(test="sacrebleu-bootstrap", draws=500)
    ).comparisons
    assert half == [one.p_value for one in halved]
    whole = [check.p_value or 1 for check in result.checks]
    assert all(one <= other for one, other in zip(half, whole, strict=True))
    assert sum(half) < sum(whole)


def test_the_randomization_counts_ties() -> None:
    result = gate_systems(nearly_a(), Limits(), TestSettings(test="randomization", draws=300))
    expected = paired_approximate_randomization(
        nearly_a(), TestSettings(test="randomization", draws=300)
    )
    assert [check.p_value for check in result.checks] == [
        one.p_value for one in expected.comparisons
    ]
    assert [check.p_value for check in result.checks] == [1.0] * 3


@pytest.mark.parametrize("test", OF_ONE_RUN)
def test_equal_scores_pass(test: str) -> None:
    result = gate_systems(systems(SYSTEM_A), Limits(0.0), TestSettings(test=test, draws=60))
    assert result.passed
    assert [check.drop for check in result.checks] == [0, 0, 0]
    if not test.startswith("sacrebleu"):
        assert [check.p_value for check in result.checks] == [1.0] * 3


def test_a_corrected_p_value_of_too_few_draws_is_printed_as_the_largest_it_can_be() -> None:
    settings = TestSettings(test="bootstrap", draws=99)
    checks = gate_systems(systems(metrics=["bleu", "chrf"]), Limits(), settings)
    assert [check.corrected_p_value for check in checks.checks] == [0.02, 0.02]
    assert checks.to_text().count("≤ 0.0200") == 2


@pytest.mark.parametrize("test", ["bootstrap", "randomization", "sacrebleu-bootstrap"])
def test_one_changed_segment_is_not_significant(test: str) -> None:
    result = gate_systems(nearly_a(), Limits(), TestSettings(test=test))
    assert result.passed
    assert max(check.drop or 0 for check in result.checks) > 0


def test_one_metric_that_fails_fails_the_gate() -> None:
    limits = Limits(45, fail_on="drop")
    result = gate_systems(systems(metrics=[BLEU(), TER()]), limits)
    assert len({(check.drop or 0) > 45 for check in result.checks}) == 2
    assert result.exit_code == 3


# --- Several changes ----------------------------------------------------------------------------


def three(metrics: Any = METRICS) -> Evaluation:
    """The last system, an older one that is better, and the new one, which is nearly the last."""
    texts = {"last": SYSTEM_B * 10, "older": SYSTEM_A * 10, "new": SYSTEM_B * 10}
    return Evaluation.count(metrics, texts, REFERENCE * 10)


@pytest.mark.parametrize("rule", RULES)
def test_a_slow_drop_fails_since_the_release(rule: str) -> None:
    """The checks are those of two gates, with p-values corrected over both."""
    tested, limits = three(), Limits(0.3, fail_on=rule)
    result = gate_systems(tested, limits)
    apart: list[Check] = []
    for old in "last", "older":
        pair = {name: tested.tables[name] for name in (old, "new")}
        apart += gate_systems(tested.replace(tables=pair), limits).checks
    assert [(one.metric, one.baseline_system, one.drop, one.p_value) for one in result.checks] == [
        (one.metric, one.baseline_system, one.drop, one.p_value) for one in apart
    ]
    assert (result.baseline, result.release, result.new) == ("last", "older", "new")
    assert [check.fails for check in result.checks] == [False] * 3 + [True] * 3
    if rule != "drop":
        p_values = [check.p_value or 0 for check in apart]
        corrected = [check.corrected_p_value or 0 for check in result.checks]
        assert corrected == pytest.approx(holm(p_values))
        assert "p-values corrected by Holm over all metrics" in result.to_text()
    assert "failed by BLEU (since older), chrF2 (since older), TER (since older)" in str(result)
    assert "new is compared with the baseline last and the older older." in result.to_text()
    rows = list(csv.DictReader(io.StringIO(result.to_csv())))
    assert [row["baseline_system"] for row in rows] == ["last"] * 3 + ["older"] * 3


@pytest.mark.parametrize("changes", [1, 5, 20])
def test_planned_changes_share_alpha(changes: int) -> None:
    tested = systems(times=4, metrics=["bleu"])
    settings = TestSettings(test="randomization", draws=2000)
    p = gate_systems(tested, Limits(), settings).checks[0].p_value or 0
    for alpha, significant in ((1.1 * p * changes, True), (0.9 * p * changes, False)):
        (check,) = gate_systems(tested, Limits(alpha=alpha, changes=changes), settings).checks
        assert (check.significant, check.fails, check.p_value) == (significant, significant, p)


def test_planned_changes_are_shown_and_get_draws_enough() -> None:
    tested = systems()
    result = gate_systems(tested, Limits(changes=100), TestSettings(test="bootstrap"))
    assert (result.draws, result.confidence) == (64_000, 1 - 0.0005)
    assert "alpha 0.05 for 100 changes, 0.0005 for each" in result.to_text()
    assert "(corrected p < 0.0005)" in result.to_text()
    assert (result.to_dict()["alpha"], result.to_dict()["changes"]) == (0.05, 100)
    with pytest.raises(OptionError, match=r"at 0.0005, .* with 5999 draws: use 6000 or more"):
        gate_systems(tested, Limits(changes=100), TestSettings(test="bootstrap", draws=5999))
    small = gate_systems(systems(times=2, metrics=["bleu"]), Limits(changes=20))
    assert "No drop can be significant at 0.0025 with so few." in small.note


def test_the_interval_decides_whether_a_drop_may_be_too_large() -> None:
    """It is the interval of the paired test, whose ends are turned where higher is better."""
    texts = {"a": SYSTEM_A * 30, "b": (SYSTEM_A * 7 + SYSTEM_B) * 3 + SYSTEM_A * 6}
    tested = Evaluation.count(METRICS, texts, REFERENCE * 30)
    settings = TestSettings(test="bootstrap", draws=500)
    found = gate_systems(tested, Limits(90, alpha=0.1, fail_on="possible"), settings)
    expected = paired_test(tested, settings.replace(confidence=0.9)).comparisons
    for check, one in zip(found.checks, expected, strict=True):
        assert check.low is not None
        assert check.high is not None
        turned = (one.low, one.high) if check.metric == "TER" else (-one.high, -one.low)  # type: ignore[operator]
        assert (check.low, check.high) == turned
        assert check.low < (check.drop or 0) < check.high
        for margin, passed in ((check.high, True), (check.high - 0.01, False)):
            alone = Evaluation.count([check.metric], texts, REFERENCE * 30)
            limits = Limits(margin, alpha=0.1, fail_on="possible")
            result = gate_systems(alone, limits, settings)
            assert (result.passed, result.checks[0].too_large) == (passed, False)
            assert result.checks[0].may_be_too_large == (not passed)
            assert ("possibly larger than" in result.to_text()) == (not passed)
    assert "90% interval" in found.to_text()


# --- Few segments ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("times", "test"), [(24, "randomization"), (25, "bootstrap")])
def test_few_segments_are_tested_by_randomization(times: int, test: str) -> None:
    """A bootstrap of few segments finds differences where there are none."""
    tested = systems(times=times)
    found = gate_systems(tested, Limits())
    selected = gate_systems(tested, Limits(), TestSettings(test=test))
    assert (found.segments, found.test) == (4 * times, test)
    assert found.checks == selected.checks
    assert bool(found.note) == (test == "randomization")
    assert selected.note == ""


def test_a_note_says_what_few_segments_mean_and_nothing_warns() -> None:
    chosen = "40 segments are too few for a bootstrap, so the test is a randomization."
    bootstrap = "40 segments are too few for a bootstrap, which finds differences too often"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert gate_systems(systems(), Limits()).note == chosen
        for test in "bootstrap", "sacrebleu-bootstrap":
            assert bootstrap in gate_systems(systems(), Limits(), TestSettings(test=test)).note
        assert gate_systems(systems(), Limits(), TestSettings(test="randomization")).note == ""
        assert gate_systems(systems(), Limits(90, fail_on="drop")).note == ""


@pytest.mark.parametrize(("segments", "alpha"), [(5, 0.05), (6, 0.05), (5, 0.1), (1, 0.9)])
def test_a_note_says_where_no_drop_can_be_significant(segments: int, alpha: float) -> None:
    """However large it is: the segments can be exchanged in few ways only."""
    tables = {"old": ["a b"] * segments, "new": ["c"] * segments}
    tested = Evaluation.count([TER()], tables, ["a b"] * segments)
    for test in (None, "randomization"):
        result = gate_systems(tested, Limits(alpha=alpha), TestSettings(test=test, draws=100_000))
        assert result.passed == ("No drop can be significant" in result.note)
        assert result.passed == (2 ** (1 - segments) >= alpha)


@pytest.mark.parametrize(
    ("draws", "alpha", "enough"), [(19, 0.05, "20"), (None, 0.000001, "1000000"), (2, 0.3, "3")]
)
def test_too_few_draws(draws: int | None, alpha: float, enough: str) -> None:
    with pytest.raises(OptionError, match=rf"no drop can be significant.*: use {enough} or more"):
        gate_systems(systems(metrics=[TER()]), Limits(alpha=alpha), TestSettings(draws=draws))
    gate_systems(systems(metrics=[TER()]), Limits(alpha=alpha), TestSettings(draws=int(enough)))


@pytest.mark.parametrize(
    ("correction", "tests"),
    [("holm", 6), ("bonferroni", 6), (None, 1)],
)
def test_draws_are_enough_for_all_metrics_and_baselines(correction: str | None, tests: int) -> None:
    """The smallest p-value, 1 of the draws and one more, is multiplied by the number of tests."""
    least = 20 * tests
    settings = TestSettings(test="bootstrap", draws=least, correction=correction)
    gate_systems(three(), Limits(), settings)
    message = f"no drop can be significant at 0.05 with {least - 1} draws: use {least} or more"
    with pytest.raises(OptionError, match=message):
        gate_systems(three(), Limits(), settings.replace(draws=least - 1))


# --- Misuse ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"max_drop": -1}, "max_drop must be a number of points, 0 or more, not -1"),
        ({"max_drop": float("nan")}, "max_drop must be a number"),
        ({"max_drop": float("inf")}, "max_drop must be a number"),
        ({"max_drop": "0.3"}, "max_drop must be a number"),
        ({"max_drop": True}, "max_drop must be a number"),
        ({"alpha": "0.05"}, "alpha must be a number"),
        ({"alpha": 0}, "alpha must be between 0 and 1"),
        ({"alpha": 1}, "alpha must be between 0 and 1"),
        ({"alpha": float("nan")}, "alpha must be a finite number"),
        ({"fail_on": "any"}, "fail_on must be one of both, either, possible, drop, significance"),
        ({"fail_on": "drop"}, "max_drop must be set"),
        ({"fail_on": "possible"}, "max_drop must be set to fail on a drop that may be too large"),
        ({"changes": 0}, "changes must be a whole number from 1 to 10000, not 0"),
        ({"changes": True}, "changes must be a whole number"),
        ({"changes": 1.5}, "changes must be a whole number"),
        ({"alpha": 1e-10, "changes": 1000}, "alpha must be between"),
    ],
)
def test_invalid_limits(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Limits(**settings)


def test_limits_are_limits() -> None:
    tested = systems(times=1, metrics=[TER()])
    for limits in (0.3, {"max_drop": 0.3}, None):
        with pytest.raises(InputTypeError, match=r"as in Limits\(max_drop=0.3\), not"):
            gate_systems(tested, limits)  # type: ignore[arg-type]
        with pytest.raises(InputTypeError, match="limits must be of the class Limits"):
            gate_scores("old", "new", [1.0], [], limits)  # type: ignore[arg-type]


def test_misuse() -> None:
    for number in 1, 4:
        some = Evaluation.count([TER()], {str(name): ["x"] for name in range(number)}, ["x"])
        message = f"a gate compares two systems, or three with an older one, but there are {number}"
        with pytest.raises(OptionError, match=message):
            gate_systems(some, Limits())
    with pytest.raises(OptionError, match="test must be one of bootstrap, randomization"):
        gate_systems(systems(), Limits(), TestSettings(test="t-test"))
    for limits, message in (
        (Limits(0.3, fail_on="both"), "fail_on must be drop or either"),
        (Limits(fail_on="significance"), "fail_on must be drop or either"),
        (Limits(0.3, fail_on="possible"), "fail_on must be drop or either"),
        (Limits(), "max_drop must be set"),
    ):
        with pytest.raises(OptionError, match=message):
            gate_scores("a", "b", [], [], limits)


# --- The document ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def failed() -> GateResult:
    return gate_systems(systems(), Limits(0.3))


def test_a_row_for_each_metric(failed: GateResult) -> None:
    (table,) = failed.document().tables
    assert table.title == "Translation quality: failed by BLEU, chrF2, TER"
    assert [tuple(row[:6]) for row in table.rows] == [
        (one.metric, one.baseline, one.new, one.drop, one.p_value, one.corrected_p_value)
        for one in failed.checks
    ]
    reason = "fails: the drop is larger than 0.3 and significant (corrected p < 0.05)"
    assert {row[6] for row in table.rows} == {reason}
    (passed,) = gate_systems(systems(SYSTEM_A), Limits()).document().tables
    assert passed.title == "Translation quality: passed"
    assert {row[6] for row in passed.rows} == {"passes"}


def test_why_a_large_drop_passes() -> None:
    corrected = "(corrected p = "
    for metrics, kind in ((METRICS, corrected), ([BLEU()], "(p = ")):
        result = gate_systems(nearly_a(metrics), Limits(0.01))
        verdict = str(result.document().tables[0].rows[0][-1])  # type: ignore[index]
        reason = "passes, although the drop is larger than 0.01, because it is not significant "
        assert verdict.startswith(reason + kind)


@pytest.mark.parametrize(
    ("rule", "effect", "verdict"),
    [
        ("either", "is too large;", "fails: the drop is significant (corrected p < 0.05)"),
        ("both", "is too large;", "passes, although the drop is significant"),
        ("possible", "is too large;", "passes, although the drop is significant"),
        ("drop", "is too large;", "passes"),
        ("significance", "is too large, which is only reported;", "fails: the drop is significant"),
    ],
)
def test_the_settings_in_one_sentence(rule: str, effect: str, verdict: str) -> None:
    document = gate_systems(systems(), Limits(90, fail_on=rule)).document()
    systems_compared, settings, *_ = document.notes
    assert systems_compared == "b is compared with the baseline a."
    assert settings.startswith(
        f"Fails on {RULES[rule].summary}; a drop of more than 90 is too large"
    )
    assert effect in settings
    assert str(document.tables[0].rows[0][-1]).startswith(verdict)  # type: ignore[index]
    test = (
        "paired approximate randomization, ties count, 10,000 trials, seed 12345, alpha 0.05; "
        "p-values corrected by Holm over all metrics."
    )
    assert settings.endswith("; no test." if rule == "drop" else test)


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format(failed: GateResult, format_: str) -> None:
    text = failed.render(format_)
    assert len(failed.checks) == 3
    for check in failed.checks:
        assert check.metric in text
        assert str(check.signature) in text


def test_plain_values(failed: GateResult) -> None:
    values = json.loads(failed.to_json())
    assert values == json.loads(json.dumps(failed.to_dict()))
    assert (values["passed"], values["test"], values["draws"]) == (False, "randomization", 10000)
    rows = list(csv.DictReader(io.StringIO(failed.to_csv())))
    assert [float(row["drop"]) for row in rows] == [check.drop for check in failed.checks]
    assert {row["baseline_system"] for row in rows} == {"a"}


def test_a_baseline_of_that_name_is_named_once() -> None:
    texts = {"baseline": SYSTEM_A, "b": SYSTEM_B}
    result = gate_systems(Evaluation.count(["ter"], texts, REFERENCE), Limits())
    assert "b is compared with the baseline." in result.to_text()


def test_names_cannot_write_markdown() -> None:
    name = "b|<img src=x>"
    texts = {"a": SYSTEM_A, name: SYSTEM_B}
    result = gate_systems(Evaluation.count(["ter"], texts, REFERENCE), Limits())
    assert "\\<img src=x> is compared with the baseline a." in result.to_markdown()
    assert "&lt;img src=x&gt; is compared with the baseline a." in result.to_html()
