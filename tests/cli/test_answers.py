"""Commands print what `answers/` has of them; `python -m tests.cli.answers` writes that again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from bleuet.cli.main import COMMANDS
from bleuet.output.rendering import FORMATS
from tests import goldens
from tests.backends import HAS_KERNEL
from tests.cli.answers import (
    CASES,
    DATA_FRAMES,
    FOLDER,
    PLAIN_VALUES,
    VARIABLES,
    answer,
    data_frames,
    plain_values,
    printed,
    write_inputs,
)
from tests.cli.answers import goldens as goldens_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.answers import Case

# They print no document, or one that depends on the computer.
WITHOUT = {"completion", "doctor", "serve", "tutorial"}
API_FOLDER = FOLDER.parents[1] / "web" / "answers"
MOST_BYTES = 745_000


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("answers")
    write_inputs(folder)
    return folder


@pytest.fixture(autouse=True)
def _among_the_inputs(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(inputs)
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    if not HAS_KERNEL:
        monkeypatch.setenv("BLEUET_BACKEND", "python")


def _marks(case: Case, format_: str) -> list[pytest.MarkDecorator]:
    """Return the group of a case; the quick tests have two formats, which lay out all parts."""
    names = [case.group] * bool(case.group) + ["slow"] * (format_ not in ("", "json", "text"))
    return [getattr(pytest.mark, name) for name in names]


@pytest.mark.parametrize(
    ("name", "format_"),
    [
        pytest.param(name, format_, marks=_marks(case, format_))
        for name, case in CASES.items()
        for format_ in goldens_of(name)
    ],
)
def test_a_command_prints_what_it_printed(name: str, format_: str) -> None:
    goldens.check(goldens_of(name)[format_], answer(name, format_))


def test_python_programs_get_what_they_got() -> None:
    goldens.check(PLAIN_VALUES, plain_values())


@pytest.mark.libraries
def test_data_frames_have_the_columns_they_had() -> None:
    goldens.check(DATA_FRAMES, data_frames("pyarrow"))


def test_the_list_of_metrics_has_what_is_printed_about_each() -> None:
    listed = json.loads(printed("metrics -f json")[1])
    for name in ("bleu", "ter"):
        assert json.loads(printed(f"metrics {name} -f json")[1]) in listed
    assert len({tuple(one) for one in listed}) == 1


def test_every_command_and_format_has_a_golden() -> None:
    commands = {case.line.split()[0] for case in CASES.values()}
    assert commands | WITHOUT == COMMANDS.keys()
    in_every_format = {
        case.line.split()[0] for case in CASES.values() if case.formats.split() == [*FORMATS]
    }
    # The JSON of all metrics and options is long.
    assert commands - in_every_format == {"sacrebleu"}


def test_the_goldens_are_those_of_the_command_lines() -> None:
    wanted = {golden for name in CASES for golden in goldens_of(name).values()}
    assert set(FOLDER.iterdir()) == {*wanted, PLAIN_VALUES, DATA_FRAMES}
    kept = [*FOLDER.iterdir(), *API_FOLDER.iterdir()]
    assert sum(golden.stat().st_size for golden in kept) <= MOST_BYTES


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('"score":', '"value":'), '+  "value":'),
        (('"score": 31.76', '"score": 31.77'), '+  "score": 31.77'),
        (('  "name"', '  "more": 1,\n  "name"'), '+  "more": 1,'),
    ],
)
def test_a_change_is_a_short_difference(change: tuple[str, str], said: str) -> None:
    golden = FOLDER / "score-one.json"
    text = golden.read_text(encoding="utf-8")
    assert change[0] in text
    with pytest.raises(pytest.fail.Exception) as caught:
        goldens.check(golden, text.replace(*change))
    assert said in str(caught.value)
    assert len(str(caught.value).splitlines()) < 12


def test_only_the_last_bits_of_a_number_may_differ() -> None:
    text = '{"score": 31.767292283257465, "low": 1e-05, "order": 4}'
    near = text.replace("257465", "257461").replace("1e-05", "1.0000000000000001e-05")
    assert goldens.settled(near, text) == text
    for far in (text.replace("2283", "2284"), text.replace("4}", "5}"), text.replace("w", "v")):
        assert goldens.settled(far, text) == far
