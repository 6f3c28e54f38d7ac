"""Installing from source: an sdist, a wheel made of it, and what both of them install.

The wheel is built where a compiler is all that is there: no CMake and no ninja. From the sdist
itself bleuet is installed where there is no compiler either, so that Python counts.
"""

from __future__ import annotations

import json
import os
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from release.trial import METRICS, SYSTEMS, score_command
from tests.packaging.conftest import run, with_programs

pytestmark = pytest.mark.packaging
ROOT = Path(__file__).resolve().parents[2]
SCORE = score_command()
# Whether the kernel counts, and how many warnings there are.
COUNTING = """
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import bleuet
    from bleuet.statistics.backend import is_native
    [bleuet.BLEU().corpus_score(["the cat"], ["the cat"]) for _ in range(2)]
print(is_native(), len(caught))
"""


def new_environment(folder: Path) -> Path:
    """The folder of the programs of a new virtual environment."""
    run([sys.executable, "-m", "venv", str(folder)], dict(os.environ))
    return folder / "bin"


def test_the_sdist_holds_what_a_build_needs_and_no_more(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    for wanted in ("LICENSE", "README.md", "kernel/bindings/module.cpp", "src/bleuet/py.typed"):
        assert wanted in names
    assert not [name for name in names if name.startswith((".venv", "build/", "dist/", ".git/"))]


def test_the_wheel_carries_the_kernel_the_types_and_the_page(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert [name for name in names if name.startswith("bleuet/statistics/_kernel.cpython")]
    assert {"bleuet/py.typed", "bleuet/statistics/_kernel.pyi"} <= names
    sources = ROOT / "src" / "bleuet" / "report" / "page"
    page = {f"bleuet/report/page/{file.name}" for file in sources.iterdir() if file.is_file()}
    assert page <= names


def test_the_wheel_and_the_source_score_the_examples_alike(
    tmp_path: Path, sdist: Path, wheel: Path
) -> None:
    environment = with_programs(tmp_path / "bin")
    of_wheel, of_source = (new_environment(tmp_path / name) for name in ("wheel", "source"))
    install = ["-m", "pip", "install", "--quiet"]
    run([str(of_wheel / "python"), *install, str(wheel)], environment)
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path)
    unpacked = tmp_path / sdist.name.removesuffix(".tar.gz")
    run([str(of_source / "python"), *install, "."], environment, unpacked)
    # Without a compiler Python counts, and says so once.
    for programs, said in ((of_wheel, "True 0\n"), (of_source, "False 1\n")):
        assert run([str(programs / "python"), "-I", "-c", COUNTING], environment, tmp_path) == said
    here = [sys.executable, "-m", "bleuet", *SCORE]
    expected = json.loads(run(here, dict(os.environ), ROOT))
    assert len(expected) == len(SYSTEMS) * len(METRICS)
    for programs in (of_wheel, of_source):
        found = run([str(programs / "bleuet"), *SCORE], environment, tmp_path)
        assert json.loads(found) == expected
