"""The kernel without Python's global lock: built for such an interpreter, where there is one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.packaging import shared_by_threads

ROOT = Path(__file__).resolve().parents[2]
INTERPRETERS = ("python3.15t", "python3.14t", "python3.13t")

test_sentences = shared_by_threads.test_sentences_of_one_metric
test_corpora = shared_by_threads.test_corpora_of_one_metric_and_references
test_lists = shared_by_threads.test_a_list_that_changes_meanwhile
test_streams = shared_by_threads.test_one_random_stream


def free_threaded() -> str:
    """The path of an interpreter without a global lock."""
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        return sys.executable
    found = next(filter(None, map(shutil.which, INTERPRETERS)), None)
    if found is None:
        pytest.skip(f"no interpreter without a global lock: none of {', '.join(INTERPRETERS)}")
    return found


@pytest.mark.packaging
def test_the_kernel_leaves_the_global_lock_off(tmp_path: Path) -> None:
    python = free_threaded()
    nanobind = pytest.importorskip(
        "nanobind", reason="nanobind, which builds the kernel, is not here"
    )
    cmake = shutil.which("cmake")
    if cmake is None:
        pytest.skip("CMake, which builds the kernel, is not here")
    build, package = tmp_path / "build", tmp_path / "src" / "bleuet"
    configure = [
        *(cmake, "-S", str(ROOT), "-B", str(build), "-DCMAKE_BUILD_TYPE=Release"),
        *(f"-DPython_EXECUTABLE={python}", f"-Dnanobind_DIR={nanobind.cmake_dir()}"),
    ]
    subprocess.run(configure, check=True, capture_output=True, timeout=300)
    subprocess.run([cmake, "--build", str(build)], check=True, capture_output=True, timeout=900)
    shutil.copytree(ROOT / "src" / "bleuet", package, ignore=shutil.ignore_patterns("*.so"))
    (kernel,) = build.rglob("_kernel*.so")
    shutil.copy(kernel, package / "statistics")
    done = subprocess.run(
        [python, str(ROOT / "tests" / "packaging" / "shared_by_threads.py")],
        env={**os.environ, "PYTHONPATH": str(package.parent)},
        check=False,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["True", "False"]
