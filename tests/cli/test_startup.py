"""Scoring files imports nothing that takes long, and the plain command not even argparse."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.backends import HAS_KERNEL
from tests.cli.conftest import environment

pytestmark = pytest.mark.slow
LISTED = """
import sys
before = set(sys.modules)
from bleuet.cli.main import main
code = main(sys.argv[1:])
print("modules", *sorted(set(sys.modules) - before))
sys.exit(code)
"""
SLOW = {
    *("contextlib", "csv", "dataclasses", "difflib", "inspect", "json", "numpy", "pathlib"),
    *("random", "rich", "shutil", "tempfile", "threading", "typing"),
}


def imported_by(*arguments: str) -> set[str]:
    done = subprocess.run(
        # Without site, whose .pth files import what they like.
        [sys.executable, "-S", "-c", LISTED, *arguments],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    modules = done.stdout.splitlines()[-1].split()
    assert modules[0] == "modules"
    return {name.partition(".")[0] for name in modules}


@pytest.mark.usefixtures("folder")
@pytest.mark.skipif(not HAS_KERNEL, reason="the native kernel was not built")
def test_scoring_imports_nothing_slow() -> None:
    metrics = ("-m", "bleu", "chrf", "ter")
    plain = ("score", "ref.txt", "ref2.txt", "-i", "a.txt", "b.txt", *metrics)
    # TER's Python tokenizer is not used, so `re` is nobody's.
    assert imported_by(*plain) & {*SLOW, "argparse", "re"} == set()
    assert imported_by(*plain, "--quiet") & SLOW == set()


@pytest.mark.usefixtures("folder")
def test_an_import_would_be_seen() -> None:
    assert "json" in imported_by("score", "ref.txt", "-i", "a.txt", "-f", "json")


@pytest.mark.usefixtures("folder")
def test_the_version_does_not_even_import_argparse() -> None:
    assert imported_by("--version") & {*SLOW, "argparse", "re"} == set()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["score", "ref.txt", "-i", "sys.txt", "-o", "out.txt"], 0),
        (["score", "ref.txt", "-i", "sys.txt"], 0),
        (["score", "ref.txt", "-i", "missing.txt"], 1),
        (["score"], 2),
        (["metrics"], 0),
    ],
)
def test_the_installed_command_ends_with_everything_written(
    tmp_path: Path, command: list[str], code: int
) -> None:
    for name in ("ref.txt", "sys.txt"):
        (tmp_path / name).write_text("A cat sat on the mat.\n" * 300 + "And so on .\n" * 200)
    script = "from bleuet.cli.main import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", script, *command],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == code
    out = tmp_path / "out.txt"
    written = out.read_text(encoding="utf-8") if "-o" in command else done.stdout
    assert ("100.00" in written) == (code == 0 and command[0] == "score")
    assert bool(done.stderr) == (command[0] == "score")  # a warning or an error
    assert not [file for file in tmp_path.iterdir() if file.name.endswith(".tmp")]
