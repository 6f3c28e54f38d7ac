"""The settings of a paired test, which commands that make one have in common."""

from __future__ import annotations

from bleuet.cli.arguments import number, one_of, whole_number
from bleuet.compat.sacrebleu.bootstrap import chosen_seed
from bleuet.errors import OptionError
from bleuet.studies.significance.correction import CORRECTIONS
from bleuet.studies.significance.interval import DRAWS
from bleuet.studies.significance.paired import TRIALS
from bleuet.studies.significance.result_parts import ALPHA
from bleuet.studies.significance.testing import CORRECTION, DRAWS_FOR_A_PAIR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from bleuet.cli.arguments import Add

NO_CORRECTION = "none"


def add_test_settings(add: Add) -> None:
    """Add correction, level and draws of a test."""
    corrections = (*CORRECTIONS, NO_CORRECTION)
    add(
        "--correction", choices=corrections, type=one_of(corrections), metavar="NAME",
        default=None,
        help=f"for testing several pairs: {', '.join(corrections)} (default: {CORRECTION})",
    )  # fmt: skip
    add(
        "--alpha", type=number, metavar="N", default=None,
        help=f"the level of the test, after the correction (default: {ALPHA})",
    )  # fmt: skip
    add(
        "--draws", type=whole_number, metavar="N", default=None,
        help=f"test sets drawn, or exchanges tried (default: {DRAWS}; randomization: {TRIALS}; "
        f"at least {DRAWS_FOR_A_PAIR} for each pair)",
    )  # fmt: skip


def add_seed(add: Add) -> None:
    """Add what the draws begin from."""
    add(
        "--seed", type=whole_number, metavar="N", default=None,
        help="what the draws of the test begin from (default: SACREBLEU_SEED, or 12345)",
    )  # fmt: skip


def check_test_settings(given: Any) -> None:
    """Refuse numbers out of range, and fill in what was left out.

    Raises:
        OptionError: a number is out of range.
    """
    given.alpha = ALPHA if given.alpha is None else given.alpha
    if not 0 < given.alpha < 1:
        raise OptionError(f"--alpha must be between 0 and 1, not {given.alpha:g}")
    if given.draws is not None and given.draws < 2:
        raise OptionError(f"--draws must be 2 or more, not {given.draws}")
    if given.seed is not None and given.seed < 0:
        raise OptionError(f"--seed must be 0 or more, not {given.seed}")
    if given.seed is None:
        given.seed = chosen_seed()[1]


def correction_of(given: Any) -> str | None:
    """Return the correction that was asked for, None for none."""
    return None if given.correction == NO_CORRECTION else given.correction or CORRECTION
