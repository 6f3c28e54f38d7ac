"""`bleuet doctor`: what is there, what is missing, and faults that are planted."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib import metadata
from typing import TYPE_CHECKING, Any

import pytest

from bleuet.cli import doctor
from bleuet.cli.doctor import Diagnosis, counted
from bleuet.cli.main import main
from bleuet.extras import EXTRAS
from bleuet.output.rendering import FORMATS
from bleuet.statistics.backend import backend, is_native
from bleuet.version import __version__
from tests.cli.conftest import environment
from tests.cli.test_every_format import READERS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def diagnosis(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    main(["doctor", "-f", "json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_what_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    found = diagnosis(capsys)
    assert found["parts"]["bleuet"].startswith(f"{__version__}, in ")
    assert sys.executable in found["parts"]["Python"]
    kind = "native kernel, built with " if is_native() else "Python, "
    assert found["parts"]["backend"].startswith(kind)
    assert set(found["extras"]) == {extra for _, extra in EXTRAS.values() if extra}


@pytest.mark.parametrize("format_", FORMATS)
def test_every_format(format_: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor", "-f", format_])
    out = capsys.readouterr().out
    READERS[format_](out)
    assert __version__ in out


@pytest.mark.slow
def test_numbers_of_the_kernel_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    if not is_native():
        pytest.skip("the kernel is not built")
    assert diagnosis(capsys)["parts"]["numbers"] == "the kernel counts like the definitions"
    assert main(["doctor"]) == 0


def test_a_kernel_that_counts_wrongly(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not is_native():
        pytest.skip("the kernel is not built")
    wrong = counted()
    wrong["ter"][1][0] += 1
    monkeypatch.setattr(doctor, "_counted_by_definitions", lambda: wrong)
    assert main(["doctor"]) == 1
    assert "The kernel's counts of ter are wrong." in capsys.readouterr().out


def test_no_other_process(monkeypatch: pytest.MonkeyPatch) -> None:
    if not is_native():
        pytest.skip("the kernel is not built")

    def fail(*_: object, **__: object) -> None:
        raise subprocess.CalledProcessError(1, "python")

    monkeypatch.setattr(subprocess, "run", fail)
    found = Diagnosis()
    assert found.parts["numbers"] == "not compared"
    assert "could not be compared" in found.advice[-1]
    assert found.exit_code == 0


@pytest.mark.slow
def test_files_of_the_working_folder_are_not_run(tmp_path: Path, monkeypatch: Any) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('run')")
    monkeypatch.chdir(tmp_path)
    assert Diagnosis().parts["numbers"] != "not compared"


@pytest.mark.slow
@pytest.mark.parametrize("names", [[], ["_kernel.cpython-27-x86_64-linux-gnu.so"]])
def test_without_a_kernel(names: list[str], tmp_path: Any) -> None:
    """In a copy of the package that has no kernel, or one of another Python."""
    import shutil

    package = tmp_path / "bleuet"
    source = doctor._package()
    shutil.copytree(source, package, ignore=shutil.ignore_patterns("_kernel*.so", "__pycache__"))
    for name in names:
        (package / "statistics" / name).touch()
    done = subprocess.run(
        [sys.executable, "-S", "-c", "from bleuet.cli.main import run; run()", "doctor"],
        cwd=tmp_path,
        env=environment(PYTHONPATH=str(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Python, since there is no kernel for this Python" in done.stdout, done.stderr
    assert done.returncode == (1 if names else 0)
    assert ("cannot load it" if names else "a hundred times slower") in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("installed", "state"),
    [
        (lambda _: True, "installed"),
        (lambda name: name != "numpy", "in part"),
        (lambda _: False, "-"),
    ],
)
def test_extras(
    installed: Callable[[str], bool], state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(name: str) -> str:
        if not installed(name):
            raise metadata.PackageNotFoundError(name)
        return "1.0"

    wanted = [
        "numpy>=2.2; extra == 'studies'",
        'scipy>=1 ; python_version > "3" and extra == "studies"',
    ]
    monkeypatch.setattr(doctor, "requires", lambda _: [*wanted, "bleuet[studies]; extra == 'test'"])
    monkeypatch.setattr(doctor, "version", version)
    found = {name: (how, libraries) for name, how, libraries in Diagnosis().extras}
    libraries = {"installed": "numpy 1.0, scipy 1.0", "in part": "scipy 1.0, no numpy", "-": ""}
    assert found["studies"] == (state, libraries[state])


def test_the_backend_that_a_variable_selects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BLEUET_BACKEND", "python")
    found = Diagnosis()
    assert found.parts["backend"] == "Python, as BLEUET_BACKEND says"
    assert "BLEUET_BACKEND=python" in found.parts["variables"].split(", ")
    assert backend()
