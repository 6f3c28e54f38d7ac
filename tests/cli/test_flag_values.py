"""Every number of every command: finite output, JSON that is JSON, or an error of one line."""

from __future__ import annotations

import json
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from bleuet.cli.main import COMMANDS
from tests.cli.conftest import Outcome
from tests.cli.test_every_format import NO_DOCUMENTS, RUNS, files  # noqa: F401 - a fixture

if TYPE_CHECKING:
    from collections.abc import Callable

    from bleuet.cli.options import Flag

pytestmark = pytest.mark.slow
VALUES = [
    "0", "-0.0", "-1", "1", "2", "0.5", "0.9999999999999999", "5e-324", "1e-17", "1e308", "nan",
    "inf", "-inf", "18446744073709551616", "9" * 30, "1" + "0" * 5000, "True", "x", "", "1_0",
]  # fmt: skip
NUMBERS = [
    pytest.param(name, flag, id=f"{name} {flag.name}")
    for name in COMMANDS
    if name not in NO_DOCUMENTS
    for flag in import_module(COMMANDS[name][0]).COMMAND.flags
    if flag.kind in ("whole", "number")
]


# What makes a command use its numbers.
DRAWN = {
    "score": ("--confidence", "--draws", "20"),
    "compare": ("--test", "bootstrap", "--draws", "20"),
    "significance": ("--draws", "20"),
    "meta": ("--confidence", "--draws", "20"),
    "gate": ("--draws", "20"),
}


def reject(constant: str) -> None:
    raise AssertionError(f"{constant} is not JSON")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("name", "flag"), NUMBERS)
def test_every_value(run: Callable[..., Outcome], name: str, flag: Flag) -> None:
    for value in VALUES:
        outcome = run(*RUNS[name], *DRAWN.get(name, ()), f"{flag.name}={value}", "-q", "-f", "json")
        if outcome.code in (0, 3):
            json.loads(outcome.out, parse_constant=reject)
        else:
            assert outcome.err.count("\n") == 1, value
            assert len(outcome.err) < 500
            assert flag.dest.split("_")[-1] in outcome.err
