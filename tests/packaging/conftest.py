"""The source distribution and the wheel that is built of it, once for all tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.evaluation_data import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

COMPILERS = ("c++", "g++", "gcc", "cc", "ld", "as", "ar", "ranlib")


def run(command: list[str], environment: dict[str, str], folder: Path | None = None) -> str:
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def with_programs(folder: Path, *names: str) -> dict[str, str]:
    """An environment whose PATH holds only the named programs and a shell."""
    folder.mkdir()
    for name in (*names, "sh"):
        found = shutil.which(name)
        if found is not None:
            (folder / name).symlink_to(found)
    hidden = ("PATH", "CC", "CXX", "PYTHONPATH", "CMAKE_GENERATOR", "CMAKE_PREFIX_PATH")
    return {k: v for k, v in os.environ.items() if k not in hidden} | {"PATH": str(folder)}


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, built as a release would be."""
    folder = tmp_path_factory.mktemp("sdist")
    command = [sys.executable, "-m", "build", "--sdist", "--outdir", str(folder), str(REPOSITORY)]
    run(command, dict(os.environ))
    (found,) = folder.glob("*.tar.gz")
    return found


@pytest.fixture(scope="session")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that is built of the sdist."""
    folder = tmp_path_factory.mktemp("wheel")
    environment = with_programs(folder / "bin", *COMPILERS)
    assert shutil.which("cmake", path=environment["PATH"]) is None
    assert shutil.which("ninja", path=environment["PATH"]) is None
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    run([*command, "--wheel-dir", str(folder), str(sdist)], environment)
    (found,) = folder.glob("*.whl")
    return found
