"""How sure the scores of a comparison are: an interval for each, and a test for every two."""

from __future__ import annotations

from dataclasses import replace

from bleuet.errors import InputError
from bleuet.statistics.resampling import DEFAULT_SEED
from bleuet.studies.significance.paired_results import TESTS
from bleuet.studies.significance.paired_scores import letters
from bleuet.studies.significance.result_parts import ALPHA
from bleuet.studies.significance.systems import Systems
from bleuet.studies.significance.testing import (
    CORRECTION,
    DRAWS_FOR_A_PAIR,
    check_test,
    paired_test,
    score_intervals,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.studies.comparison.evaluation import Evaluation
    from bleuet.studies.significance.paired_results import PairedResults

__all__ = [
    "CORRECTION",
    "DRAWS_FOR_A_PAIR",
    "TESTS",
    "letters",
    "run_test",
    "significance_of",
]


def run_test(
    evaluation: Evaluation,
    *,
    test: str = "bootstrap",
    draws: int | None = None,
    seed: int | None = DEFAULT_SEED,
    correction: str | None = CORRECTION,
    threads: int = 1,
) -> PairedResults:
    """Draw an interval for every score, and test every two systems.

    Scores that were given for some segments only are drawn from these.

    Args:
        evaluation: the systems, counted; their tables serve, and nothing is counted again.
        test: "bootstrap" (two-sided) or "randomization" (ties count), or sacreBLEU's own,
            "sacrebleu-bootstrap" or "sacrebleu-randomization".
        draws: how many test sets the bootstrap draws, or how often the systems change places in a
            randomization, whose intervals are of 1,000 draws; default 1,000, or 10,000 trials, and
            for many systems 100 for each pair: the smallest p-value is one in as many, and a
            correction multiplies it by the number of pairs.
        seed: what the draws begin from; None draws anew each time.
        correction: "holm", "bonferroni", "benjamini-hochberg" or None; for all pairs by one metric.
        threads: threads of the kernel, 0 for one per core; the numbers are the same.

    Raises:
        OptionError: an option has a value it cannot take.
    """
    check_test(test, correction)
    systems = Systems(evaluation.metrics, evaluation.tables_by_name())
    options: dict[str, Any] = {"draws": draws, "seed": seed, "threads": threads}
    if len(systems.names) == 1:
        return score_intervals(systems, **options)
    return paired_test(systems, test=test, all_pairs=True, correction=correction, **options)


def significance_of(
    evaluation: Evaluation, results: PairedResults, alpha: float = ALPHA
) -> PairedResults:
    """Return what a test found in terms of the systems it was made of.

    Args:
        evaluation: the systems.
        results: what was found, with the metrics in the same order, and perhaps more behind them.
        alpha: a difference is significant where its p-value is below this.

    Raises:
        OptionError: alpha is not between 0 and 1.
        InputError: a metric was not tested.
    """
    if len(results.metrics) < len(evaluation.names):
        raise InputError(
            f"the test was of {', '.join(results.metrics)}, but the comparison is by "
            f"{', '.join(evaluation.names)}; test all of them, in this order"
        )
    return replace(results.renamed(evaluation.names), alpha=alpha)
