"""Checks the files of a release: names, tags, contents and descriptions.

    python -m release.inspection dist [--complete]

With --complete no wheel may be missing that a release has.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "bleuet"
# What a build needs; tests and documents come with it.
IN_SDIST = (
    *("CMakeLists.txt", "LICENSE", "README.md", "pyproject.toml", "src/bleuet/py.typed"),
    *("kernel/bindings/module.cpp", "kernel/sbom.json.in", "tests/conftest.py", "docs/index.md"),
)
NOT_IN_SDIST = (".ci/", ".git/", ".venv", "build/", "dist/")
# The texts of the tutorial come from another folder than the package.
IN_WHEEL = ("bleuet/examples/reference-1.txt", "bleuet/examples/system-b.txt")
COMPILED_IN = frozenset({"nanobind", "robin-map"})
# What a release has: a wheel for each Python and platform.
PYTHONS = ("cp311", "cp312", "cp313", "cp314", "cp314t", "cp315", "cp315t")
PLATFORMS = (
    *(("manylinux", "x86_64"), ("manylinux", "aarch64"), ("musllinux", "x86_64")),
    *(("musllinux", "aarch64"), ("macosx", "x86_64"), ("macosx", "arm64")),
    *(("win", "amd64"), ("win", "arm64")),
)


class ReleaseError(Exception):
    """A file of the release that is not as it must be."""


def check_sdist(sdist: Path) -> None:
    """Check that the source distribution has the whole package, and nothing that was built."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    lost = [name for name in IN_SDIST if name not in names]
    lost += [name for name in _package_files() if f"src/{name}" not in names]
    rubbish = [name for name in names if name.startswith(NOT_IN_SDIST) or _is_built(name)]
    _expect(sdist, not lost, f"lacks {lost}")
    _expect(sdist, not rubbish, f"has {rubbish}")


def check_wheel(wheel: Path, compiled_in: frozenset[str] = COMPILED_IN) -> None:
    """Check what is in a wheel, and whether it runs where its name says."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        boms = [
            json.loads(archive.read(name)) for name in names if ".dist-info/sboms/bleuet" in name
        ]
    # On Windows delvewheel puts the C++ library into bleuet.libs.
    inside = ("bleuet/", "bleuet-", "bleuet.libs/")
    outside = [name for name in names if not name.startswith(inside)]
    lost = set(_package_files()) - set(names)
    _expect(wheel, not outside, f"has {outside}")
    _expect(wheel, not lost, f"lacks {sorted(lost)}")
    _expect(wheel, all(name in names for name in IN_WHEEL), f"lacks one of {IN_WHEEL}")
    licensed = any(name.endswith(".dist-info/licenses/LICENSE") for name in names)
    _expect(wheel, licensed, "has no LICENSE")
    # Not W002: two files may have the same text, such as the `__init__.py` of two metrics.
    _run(wheel, "check_wheel_contents", "--ignore", "W002", wheel)
    kernels = [name for name in names if _is_built(name) and name.startswith("bleuet/")]
    if is_pure(wheel):
        _expect(wheel, not kernels, f"has {kernels}")
        return
    _expect(wheel, len(kernels) == 1, f"has {len(kernels)} extension modules")
    listed = {part["name"] for bom in boms for part in bom["components"]}
    _expect(wheel, listed == compiled_in, f"lists {sorted(listed)} as compiled in")
    tags = wheel.stem.split("-")[-1].split(".")
    if "linux" in tags[0]:
        said = " ".join(_run(wheel, "auditwheel", "show", wheel).split())
        right = any(f'the following platform tag: "{tag}"' in said for tag in tags)
        _expect(wheel, right, f"does not have the tag of its name: {said}")


def is_pure(wheel: Path) -> bool:
    """Whether this is the wheel without the kernel, which is for every machine."""
    return wheel.name.endswith("-py3-none-any.whl")


def check_metadata(files: list[Path]) -> None:
    """Check the descriptions as the index does."""
    _run(files[0], "twine", "check", "--strict", *files)


def missing(names: list[str]) -> list[str]:
    """Return what a release has and these files lack."""
    lacking = [
        f"{python} {system} {machine}"
        for python in PYTHONS
        for system, machine in PLATFORMS
        if not any(
            f"-{python}-{system}" in name and name.endswith(f"_{machine}.whl") for name in names
        )
    ]
    lacking += [
        end for end in (".tar.gz", "-none-any.whl") if not any(n.endswith(end) for n in names)
    ]
    return lacking


def _package_files() -> list[str]:
    """Return the files of the package, as a wheel names them."""
    files = [file for file in PACKAGE.rglob("*") if file.is_file()]
    return [
        file.relative_to(PACKAGE.parent).as_posix()
        for file in files
        if "__pycache__" not in file.parts and not _is_built(file.name)
    ]


def _is_built(name: str) -> bool:
    return name.endswith((".so", ".pyd", ".dll", ".dylib", ".pyc", ".o", ".a"))


def _run(file: Path, module: str, *words: str | Path) -> str:
    command = [sys.executable, "-m", module, *map(str, words)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    _expect(file, done.returncode == 0, f"{module}: {done.stdout}{done.stderr}")
    return done.stdout


def _expect(file: Path, right: bool, fault: str) -> None:
    if not right:
        raise ReleaseError(f"{file.name} {fault}")


def main() -> None:
    """Check the files of a folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--complete", action="store_true")
    options = parser.parse_args()
    files = sorted(options.folder.iterdir())
    lacking = missing([file.name for file in files]) if options.complete else []
    if lacking:
        raise ReleaseError(f"{options.folder} lacks {lacking}")
    for file in files:
        (check_wheel if file.suffix == ".whl" else check_sdist)(file)
    check_metadata(files)
    print(f"{len(files)} files are as they must be.")


if __name__ == "__main__":
    main()
