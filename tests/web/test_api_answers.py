"""The API answers what `answers/` has of it; `python -m tests.cli.answers` writes that again."""

from __future__ import annotations

import pytest

from bleuet.web.operations import OPERATIONS
from tests import goldens
from tests.web.answers import FOLDER, REQUESTS, api_answers


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    return {golden.name: text for golden, text in api_answers().items()}


@pytest.mark.parametrize("name", sorted(golden.name for golden in FOLDER.iterdir()))
def test_the_api_answers_what_it_answered(found: dict[str, str], name: str) -> None:
    assert name in found
    goldens.check(FOLDER / name, found[name])


def test_every_operation_has_a_golden(found: dict[str, str]) -> None:
    assert {name for name, _ in REQUESTS.values()} | {"metrics"} >= OPERATIONS.keys()
    assert {golden.name for golden in FOLDER.iterdir()} == found.keys()
