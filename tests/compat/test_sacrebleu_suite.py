"""sacreBLEU's own tests pass on bleuet's module."""

from __future__ import annotations

import pytest

from tests.compat import sacrebleu_suite


@pytest.mark.peers
def test_sacrebleus_own_tests_pass() -> None:
    try:
        outcome = sacrebleu_suite.run()
    except sacrebleu_suite.NotAvailable as reason:
        pytest.skip(str(reason))
    assert (outcome.passed, outcome.others) == (133, {}), outcome.output


def test_every_test_runs_or_is_left_out_with_a_reason() -> None:
    left_out = sacrebleu_suite.LEFT_OUT.values()
    assert sum(count for count, _ in left_out) + 133 == sacrebleu_suite.ALL_TESTS
    assert all(reason for _, reason in left_out)
