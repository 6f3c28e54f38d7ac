"""Frameworks that cannot be installed beside the others, each in an environment of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.evaluation_data import REPOSITORY
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.packaging

PACKAGES = {
    "lighteval": ["lighteval==0.13.0", "torch==2.13.0"],
    # Its torchmetrics imports pkg_resources.
    "mbrs": ["mbrs==0.1.8", "torch==2.13.0", "setuptools<81"],
}


@pytest.mark.parametrize("name", PACKAGES)
def test_the_released_package(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "environment"
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=PATIENCE)
    try:
        done = checked(name, folder)
    finally:
        # It has 2 GB.
        shutil.rmtree(folder)
    assert done.stdout.strip().endswith(f"{name}: all checks passed"), done.stderr


def checked(name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Install a framework into an environment, and run its checks there."""
    python = folder / "bin" / "python"
    # Compiling all modules, of which the checks import few, would take longer than the checks.
    install = [str(python), "-m", "pip", "install", "--quiet", "--no-compile", *PACKAGES[name]]
    subprocess.run(install, check=True, timeout=900)
    paths = os.pathsep.join(map(str, (REPOSITORY / "src", REPOSITORY)))
    return subprocess.run(
        [str(python), "-W", "ignore", "-m", "tests.adapters.alone", name],
        env={**os.environ, "PYTHONPATH": paths, "HOME": str(folder), "HF_HUB_OFFLINE": "1"},
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
