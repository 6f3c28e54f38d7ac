"""`bleuet significance`: which differences between systems are more than chance."""

from __future__ import annotations

import warnings

from bleuet.cli.destination import Destination
from bleuet.cli.given import check_values
from bleuet.cli.paired_tests import correction_of
from bleuet.cli.significance.arguments import (
    SignificanceGiven,
    check_significance,
    significance_parser,
)
from bleuet.cli.significance.input import read_evidence
from bleuet.cli.warning_lines import show_warnings
from bleuet.output.rendering import Settings, write
from bleuet.studies.significance import paired_test

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.studies.significance import PairedResults


def main(command: str, arguments: Sequence[str]) -> int:
    """Run `bleuet significance` and return its exit code."""
    given = significance_parser().fill(SignificanceGiven(), arguments)
    check_significance(given)
    check_values(given)
    with warnings.catch_warnings():
        show_warnings(given.quiet)
        results = _test(given)
        with Destination(given.output) as out:
            settings = Settings(given.width, short=given.short)
            write(results.document(), out, given.format, settings)
    return 0


def _test(given: SignificanceGiven) -> PairedResults:
    systems, baseline = read_evidence(given)
    return paired_test(
        systems,
        test=given.test,
        baseline=baseline,
        all_pairs=baseline is None,
        draws=given.draws,
        seed=given.seed,
        confidence=given.confidence_level,
        correction=correction_of(given),
        alpha=given.alpha,
        threads=given.threads,
    )
