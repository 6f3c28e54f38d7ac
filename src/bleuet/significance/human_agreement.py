"""How often humans agree with a metric about two systems, by the size of the difference.

The figures are those of Kocmi, Zouhar, Federmann and Post 2024, "Navigating the Metrics Maze:
Reconciling Score Magnitudes and Accuracies" (ACL 2024, arXiv 2401.06760), who compared metrics with
human judgments of thousands of pairs of systems and fitted a curve for each metric. They are the
parameters that the authors publish with their tool, mt-thresholds 1.0.4.
"""

from __future__ import annotations

from math import exp, log

from bleuet.errors import OptionError
from bleuet.frozen import checked
from bleuet.metrics.bleu.metric import BLEU
from bleuet.metrics.chrf.metric import CHRF

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.metrics.base.metric import Metric

# The curve is ceiling / (1 + exp(-steepness * difference)), in percent.
_CURVES: dict[Metric[Any], tuple[float, float]] = {
    BLEU(): (88.33333333333225, 0.9663926931178954),
    CHRF(): (92.999999999972, 1.1142732157139852),
}

# The difference from which on the curve rises by less than half a percent.
_ENDS = " and ".join(
    f"{log(2 * ceiling - 1) / steepness:.1f} {metric.name}"
    for metric, (ceiling, steepness) in _CURVES.items()
)

# What the column of a table means, in one sentence.
EXPLANATION = (
    "human agreement: how often humans agree with the metric about which of two systems is better, "
    "for a difference of this size; an estimate from other test sets (Kocmi et al. 2024), which "
    f"hardly rises for differences above {_ENDS}."
)


@checked
def is_covered(metric: Metric[Any]) -> bool:
    """Return whether the study has figures for a metric with exactly these options.

    >>> is_covered(BLEU()), is_covered(BLEU(lowercase=True))
    (True, False)
    """
    return metric in _CURVES


@checked
def expected_agreement(metric: Metric[Any], difference: float) -> float:
    """Estimate how often humans agree with a metric about which of two systems is better.

    The estimate comes from other test sets and language pairs than yours, and it is not a test: a
    large difference can be noise on a small test set. The estimate is at least one half, a coin
    toss: no study found that humans tend to disagree with small differences, as the fitted curves
    say.

    Args:
        metric: BLEU or chrF with default options, which the study covers.
        difference: the difference of two scores, in points; the sign does not matter.

    Returns:
        The share of pairs of systems, between 0.5 and 1.

    Raises:
        OptionError: the study has no figures for the metric.

    >>> round(expected_agreement(BLEU(), 1.0), 4), expected_agreement(BLEU(), 0.0)
    (0.6399, 0.5)
    """
    if metric not in _CURVES:
        raise OptionError(
            f"there are no figures for {metric!r}: the study covers BLEU and chrF with default "
            "options"
        )
    ceiling, steepness = _CURVES[metric]
    return max(0.5, ceiling / (1 + exp(-steepness * abs(difference))) / 100)


def human_agreement(metric: Metric[Any], difference: float) -> float | None:
    """Return the expected agreement, None for a metric without figures.

    >>> human_agreement(BLEU(), 0.0), human_agreement(BLEU(lowercase=True), 1.0)
    (0.5, None)
    """
    return expected_agreement(metric, difference) if is_covered(metric) else None
