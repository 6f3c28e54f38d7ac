"""Every public function refuses an argument of a wrong type with an error of the library.

Each argument in turn gets each wrong value; a value that its annotation allows may succeed, and
any other must be refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bleuet.argument_types import fits
from bleuet.errors import LONGEST_MESSAGE, BleuetError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.contract.public_calls import Call

# The wrong values are also data frames, and some functions read Parquet files.
pytestmark = pytest.mark.libraries

# Each case makes the calls of one part of the list.
PARTS = 8
every_part = pytest.mark.parametrize("part", range(PARTS))


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a wrong name of a file name none here."""
    monkeypatch.chdir(tmp_path)


@every_part
def test_right_calls(part: int) -> None:
    from tests.contract.public_calls import CALLS

    assert len(CALLS) > 150
    for call in CALLS[part::PARTS]:
        call.run()


@every_part
def test_wrong_arguments(part: int) -> None:
    from tests.contract.public_calls import CALLS

    faults = [fault for call in CALLS[part::PARTS] for fault in _faults(call)]
    assert not faults, "\n".join(["", *faults])


def _files() -> dict[Path, bytes]:
    """Return the files of the right calls and those of this folder."""
    from tests.contract.public_calls import FOLDER

    found = [file for folder in (FOLDER, Path()) for file in folder.iterdir()]
    return {file: file.read_bytes() for file in found}


def _faults(call: Call) -> Iterator[str]:
    from tests.contract.public_calls import AT_MOST, FUNCTIONS, METRICS, WRONG, annotation_of

    for parameter, declared in call.parameters.items():
        if declared.kind is declared.VAR_KEYWORD or parameter in FUNCTIONS:
            continue
        annotation = annotation_of(call, parameter)
        for name, value in WRONG.items():
            case = f"{call} {parameter}={name}"
            before = _files()
            try:
                call.run(**{parameter: value})
            except BleuetError as error:
                if _files() != before:
                    yield f"{case}: files changed although it was refused"
                if "\n" in str(error) or len(str(error)) > LONGEST_MESSAGE:
                    yield f"{case}: {error}"
            except Exception as error:
                yield f"{case}: {type(error).__name__}: {error}"[:140]
            else:
                default = value is None and call.function in METRICS
                count = name == "huge" and parameter in AT_MOST
                if not (fits(value, annotation) or default or count):
                    yield f"{case}: accepted, though {annotation}"
