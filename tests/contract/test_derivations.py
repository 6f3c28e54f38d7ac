"""Steps that derive a score; `test_marks` checks that they lead to it."""

from __future__ import annotations

import pytest

from bleuet.metrics.base.derivation import Derivation, drawn_steps, evaluated
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.catalogue import NAMES
from tests.contract.settings import counting, with_made_edits, with_made_sources

# The metrics in percent whose score is a product or a mean of the parts that a chart shows.
WITH_BARS = {
    *("bleu", "bleuberi", "crystal-bleu", "chrf", "chrf++", "ribes", "hlepor", "meteor", "sari"),
}


@pytest.mark.parametrize("name", NAMES)
def test_every_metric_has_steps_of_its_own(name: str) -> None:
    metric = counting(name)
    assert type(metric).derive_segment is not Metric.derive_segment
    (references,) = with_made_sources(metric, [["a cat sat on the mat", "cats sat"]])
    (hypothesis,) = with_made_edits(metric, ["the cat sat down on the mat"])
    if metric.learns:
        # With one segment alone, no word would tell anything.
        others = with_made_sources(metric, ["it rains", "a dog ran down the road"])
        metric = metric.with_learned(metric.learn([references, *others]))
    found = metric.marked(hypothesis, references)
    symbols = [step.symbol for step in found.steps if step.symbol]
    assert symbols
    assert len(set(symbols)) == len(symbols), "two numbers have one symbol"
    # The last step is the score, here of two references.
    score = found.steps[-1]
    assert score.value == pytest.approx(found.score.score, abs=1e-4)
    # A bar shows it beside those of its parts, which are shares, and is full at the highest score.
    assert score.whole == (100 if name in WITH_BARS else 0)
    assert all(step.value <= step.whole * (1 + 1e-9) for step in found.steps if step.whole)


def test_a_formula_is_shown_with_its_numbers() -> None:
    steps = Derivation()
    steps.count("a", "one", 2, whole=8)
    steps.compute("b", "two", "exp(-a) + ln(x)^2 - min(1, a)", x=1e-7, whole=1)
    (one, two) = steps
    assert one.computation == "a"
    assert two.computation == (
        "b = exp(-a) + ln(x)^2 - min(1, a) = exp(-2) + ln((1e-07))^2 - min(1, 2)"
    )
    drawn = list(drawn_steps(steps))
    assert [(row["label"], row["sum"]) for row in drawn] == [("one", False), ("two", True)]
    assert drawn[0]["text"] == "2/8 = 25.0 %"
    with pytest.raises(ValueError, match="a formula cannot contain"):
        evaluated("a.b", {})
