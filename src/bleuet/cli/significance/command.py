"""`bleuet significance`: which differences between systems are more than chance."""

from __future__ import annotations

import warnings
from dataclasses import replace

from bleuet.cli.given import check_values
from bleuet.cli.paired_tests import correction_of
from bleuet.cli.significance.arguments import (
    SignificanceGiven,
    check_significance,
    significance_parser,
)
from bleuet.cli.significance.input import read_evidence
from bleuet.cli.significance.output import write_tested
from bleuet.cli.significance.tested import Tested
from bleuet.cli.warning_lines import show_warnings
from bleuet.errors import InputError
from bleuet.studies.significance import (
    SegmentMean,
    Significance,
    Systems,
    compare_runs,
    paired_test,
)
from bleuet.studies.significance.gaps import gaps_in_words, scored_segments
from bleuet.studies.significance.paired import COUNT, STRICT
from bleuet.studies.significance.testing import (
    RANDOMIZATION,
    STRICT_RANDOMIZATION,
    TEST,
    usual_trials,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.cli.significance.input import Evidence
    from bleuet.studies.significance import PairedResults


def main(command: str, arguments: Sequence[str]) -> int:
    """Run `bleuet significance` and return its exit code."""
    given = significance_parser().fill(SignificanceGiven(), arguments)
    check_significance(given)
    check_values(given)
    with warnings.catch_warnings():
        show_warnings(given.quiet)
        evidence = read_evidence(given)
        test = _test_runs if evidence.has_runs else _test
        write_tested(given, test(given, evidence))
    return 0


def _test(given: SignificanceGiven, evidence: Evidence) -> Tested:
    tables = {name: runs[0] for name, runs in evidence.runs.items()}
    test = given.test or TEST
    systems = Systems(evidence.metrics, tables)
    results = paired_test(
        systems,
        test=test,
        baseline=evidence.baseline,
        all_pairs=evidence.baseline is None,
        draws=given.draws,
        seed=given.seed,
        level=given.confidence_level,
        correction=correction_of(given),
        threads=given.threads,
    )
    return replace(
        _tested(given, evidence, results, test),
        scored=scored_segments(systems),
        gaps=gaps_in_words(systems),
    )


def _test_runs(given: SignificanceGiven, evidence: Evidence) -> Tested:
    _check_gaps(evidence)
    test = given.test or RANDOMIZATION
    ties = STRICT if test == STRICT_RANDOMIZATION else COUNT
    compared = compare_runs(
        evidence.metrics,
        evidence.runs,
        baseline=evidence.baseline,
        all_pairs=evidence.baseline is None,
        trials=usual_trials(_pairs(evidence), ties) if given.draws is None else given.draws,
        seed=given.seed,
        ties=ties,
        threads=given.threads,
    )
    correction = correction_of(given)
    results = compared.test if correction is None else compared.test.corrected(correction)
    return replace(_tested(given, evidence, results, test), runs=compared.runs)


def _tested(
    given: SignificanceGiven, evidence: Evidence, results: PairedResults, test: str
) -> Tested:
    return Tested(
        Significance.of(results, evidence.metrics, given.alpha),
        test,
        given.seed,
        evidence.baseline,
        evidence.segments,
        evidence.more,
    )


def _check_gaps(evidence: Evidence) -> None:
    """Refuse runs of which some segments have no score: they could not change places."""
    for m, metric in enumerate(evidence.metrics):
        if isinstance(metric, SegmentMean):
            for name, runs in evidence.runs.items():
                if any(run[m].totals()["segments"] < run[m].rows for run in runs):
                    raise InputError(
                        f"a run of {name} has segments without a {metric.label} score, and runs "
                        "change places segment by segment: give a score for each"
                    )


def _pairs(evidence: Evidence) -> int:
    systems = len(evidence.runs)
    return systems - 1 if evidence.baseline is not None else systems * (systems - 1) // 2
