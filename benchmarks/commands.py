"""The command lines, each run in its own process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.timing import Runner

if TYPE_CHECKING:
    from benchmarks.corpora import Pairs


def write(pairs: Pairs, folder: Path) -> tuple[Path, Path]:
    """Write hypotheses and references, one line each; return the two paths.

    Samples of different sizes have different files: all are written before any is timed.
    """
    name = f"{pairs.name}-{len(pairs.hypotheses)}"
    paths = folder / f"{name}.hyp", folder / f"{name}.ref"
    for path, lines in zip(paths, (pairs.hypotheses, pairs.references), strict=True):
        path.write_bytes("".join([f"{line}\n" for line in lines]).encode())
    return paths


def command(name: str) -> list[str]:
    """Return the command that starts a tool: its console script, else its module."""
    script = Path(sys.executable).with_name(name)
    return [str(script)] if script.exists() else [sys.executable, "-m", name]


def output_of(arguments: list[str], caches: Path) -> str:
    """Run a command and return what it prints.

    Byte code is stored in `caches`, so that a source tree starts as fast as an installed package,
    which has its byte code; the first run writes it.

    Raises:
        subprocess.CalledProcessError: the command failed.
    """
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(caches)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(arguments, check=True, capture_output=True, text=True, env=environment)
    return done.stdout


def scored(name: str, arguments: list[str], caches: Path) -> Runner:
    """A complete run of a command; its scores are checked separately, with all digits."""
    line = [*command(name), *arguments]

    def run() -> list[float]:
        output_of(line, caches)
        return []

    return Runner(name, run)


def digits(name: str, arguments: list[str], caches: Path) -> list[float]:
    """Return the score that a tool prints."""
    return [float(output_of([*command(name), *arguments], caches))]
