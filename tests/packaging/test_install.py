"""Installing from source: without CMake and ninja, without a compiler, through an sdist."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import bleuet
    from bleuet.statistics.backend import is_native
    scores = [
        metric.corpus_score(["the cat sat on the mat"], ["the cat lay on a mat"]).score
        for metric in (bleuet.BLEU(), bleuet.CHRF(), bleuet.TER())
        for _ in range(2)
    ]
print(is_native(), len(caught), *map(repr, scores))
"""


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution, built as a release would be."""
    folder = tmp_path_factory.mktemp("sdist")
    run([sys.executable, "-m", "pip", "install", "--quiet", "build"], os.environ)
    run([sys.executable, "-m", "build", "--sdist", "--outdir", str(folder), str(ROOT)], os.environ)
    return next(folder.glob("*.tar.gz"))


def run(command: list[str], environment: object) -> str:
    done = subprocess.run(
        command,
        env=dict(environment),  # type: ignore[call-overload]
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return str(done.stdout)


def tools(folder: Path, *names: str) -> str:
    """A folder that is the whole PATH, holding only the named programs."""
    folder.mkdir()
    for name in names:
        found = shutil.which(name)
        if found is not None:
            (folder / name).symlink_to(found)
    return str(folder)


def installed(tmp_path: Path, source: Path, path: str) -> tuple[bool, int, list[str]]:
    """Install into a new environment with only `path` to find programs in, and use it there."""
    venv = tmp_path / "venv"
    run([sys.executable, "-m", "venv", str(venv)], os.environ)
    python = str(venv / "bin" / "python")
    hidden = ("PATH", "CC", "CXX", "PYTHONPATH", "CMAKE_GENERATOR", "CMAKE_PREFIX_PATH")
    environment = {k: v for k, v in os.environ.items() if k not in hidden} | {"PATH": path}
    run([python, "-m", "pip", "install", "--quiet", str(source)], environment)
    native, warned, *scores = run([python, "-I", "-c", SCRIPT], environment).split()
    return native == "True", int(warned), scores


def reference_scores() -> list[str]:
    """The scores of the installation under test, for comparison."""
    return run([sys.executable, "-c", SCRIPT], os.environ).split()[2:]


def test_a_compiler_is_all_that_is_needed(tmp_path: Path, sdist: Path) -> None:
    path = tools(tmp_path / "bin", "c++", "g++", "gcc", "cc", "ld", "as", "ar", "ranlib", "sh")
    assert shutil.which("cmake", path=path) is None
    assert shutil.which("ninja", path=path) is None
    native, warned, scores = installed(tmp_path, sdist, path)
    assert native
    assert warned == 0
    assert scores == reference_scores()


def test_without_a_compiler_python_counts_and_says_so_once(tmp_path: Path, sdist: Path) -> None:
    native, warned, scores = installed(tmp_path, sdist, tools(tmp_path / "bin", "sh"))
    assert not native
    assert warned == 1
    assert scores == reference_scores()


def test_the_sdist_holds_what_a_build_needs_and_no_more(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for wanted in ("LICENSE", "README.md", "kernel/bindings.cpp", "src/bleuet/py.typed"):
        assert wanted in names
    assert not [name for name in names if name.startswith((".venv", "build/", "dist/", ".git/"))]


def test_the_wheel_carries_types_and_the_stub(tmp_path: Path, sdist: Path) -> None:
    path = tools(tmp_path / "bin", "sh")
    environment = {k: v for k, v in os.environ.items() if k not in ("CC", "CXX")} | {"PATH": path}
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps"]
    run([*command, "--wheel-dir", str(tmp_path), str(sdist)], environment)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        names = set(wheel.namelist())
    assert {"bleuet/py.typed", "bleuet/statistics/_kernel.pyi"} <= names
    sources = ROOT / "src" / "bleuet" / "report" / "page"
    page = {f"bleuet/report/page/{file.name}" for file in sources.iterdir() if file.is_file()}
    assert page <= names
