"""Installs wheels in fresh environments, without an index, and tests them there.

    python -m release.trial dist/WHEEL ... [--python python3.14]
    python -m release.trial     tests what is installed for this interpreter

Needs nothing but Python, so that it also runs in another system, such as one that QEMU runs.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ROOT / "build" / "release" / "packages"
# What the package needs, and what its tests need.
NEEDED = ("narwhals", "rich", "pytest", "hypothesis")
REFERENCES = [ROOT / "examples" / f"{name}.txt" for name in ("reference-1", "reference-2")]
SYSTEMS = [ROOT / "examples" / f"{name}.txt" for name in ("system-a", "system-b")]
METRICS = ("bleu", "chrf", "ter")
# Tests that compare the kernel with the definitions, and raise errors in the kernel.
TESTS = (
    "tests/contract/test_counters.py",
    "tests/contract/test_lines.py",
    "tests/metrics/test_bleu_definition.py",
    "tests/metrics/test_ter_definition.py",
    "tests/packaging/test_kernel_errors.py",
    "tests/statistics/test_backend.py",
)
BESIDE_TESTS = (
    "CHANGELOG.md",
    "changes",
    "conftest.py",
    "pyproject.toml",
    "examples",
    "release",
    "tests",
)
NATIVE = "from bleuet.statistics.backend import is_native; print(is_native())"
IMPORT = """
import time
started = time.perf_counter()
import bleuet
bleuet.BLEU
print(1000 * (time.perf_counter() - started))
"""


class Trial(NamedTuple):
    """What was found out about a wheel that was installed."""

    tests: int
    import_ms: float


def try_wheel(wheel: Path, python: str, *, offline: bool = False) -> Trial:
    """Install a wheel in a fresh environment, and check its version, scores, backend and tests."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        _output([python, "-m", "venv", str(folder / "env")], folder)
        programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        mine = str(programs / "python")
        _install(mine, wheel, folder, offline=offline)
        version = wheel.name.split("-")[1]
        _expect(
            wheel,
            "version",
            _output([str(programs / "bleuet"), "--version"], folder).split()[-1],
            version,
        )
        native = "False" if "-none-any" in wheel.name else "True"
        _expect(
            wheel, "native kernel", _output([mine, "-W", "ignore", "-c", NATIVE], folder), native
        )
        scores = json.loads(_output([str(programs / "bleuet"), *score_command()], folder))
        _expect(wheel, "scores", [entry["score"] for entry in scores], _expected_scores(version))
        times = [float(_output([mine, "-c", IMPORT], folder)) for _ in range(7)]
        return Trial(_run_tests(mine, folder), statistics.median(times))


def _install(python: str, wheel: Path, folder: Path, *, offline: bool) -> None:
    """Install the wheel from files alone, after fetching the other packages from the index."""
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    download = [*pip, "download", "--quiet", "--only-binary", ":all:", "--dest", str(PACKAGES)]
    if not offline:
        _output([*download, *NEEDED], folder)
    files = ["--no-index", "--find-links", str(PACKAGES), "--find-links", str(wheel.parent)]
    _output([*pip, "install", "--quiet", *files, *NEEDED, str(wheel)], folder)


def score_command() -> list[str]:
    """Return the command that scores the example corpus."""
    return ["score", *map(str, REFERENCES), "-i", *map(str, SYSTEMS), "-m", *METRICS, "-f", "json"]


def _expected_scores(version: str) -> list[float]:
    file = ROOT / "release" / "scores" / f"{version}.json"
    numbers = json.loads(file.read_text(encoding="utf-8"))
    return [numbers[metric][system.stem] for system in SYSTEMS for metric in METRICS]


def _run_tests(python: str, folder: Path) -> int:
    """Run tests from a copy that has no source of the package, and return how many passed."""
    copy = folder / "copy"
    copy.mkdir()
    for name in BESIDE_TESTS:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, copy / name)
    return _run_tests_in(copy, python)


def _run_tests_in(folder: Path, python: str) -> int:
    _output([python, "-m", "release.numbers"], folder)
    # CodeBLEU needs a library that is not installed.
    command = [python, "-m", "pytest", "-q", "--run", "test", "-k", "not codebleu", *TESTS]
    said = _output(command, folder)
    (passed,) = re.findall(r"(\d+) passed", said)
    return int(passed)


def _output(command: list[str], folder: Path) -> str:
    hidden = ("PYTHONPATH", "BLEUET_BACKEND")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout.strip()


def _expect(wheel: Path, what: str, found: object, expected: object) -> None:
    if found != expected:
        raise SystemExit(f"{wheel.name}: {what}: expected {expected}, found {found}")


def main() -> None:
    """Try what the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("wheels", type=Path, nargs="*")
    parser.add_argument("--python", default=sys.executable)
    # For a Python without TLS: the other packages are in build/release/packages.
    parser.add_argument("--offline", action="store_true")
    options = parser.parse_args()
    if not options.wheels:
        if _output([options.python, "-c", NATIVE], ROOT) != "True":
            raise SystemExit("bleuet was installed without its kernel")
        print(f"{_run_tests_in(ROOT, options.python)} tests passed")
    for wheel in options.wheels:
        done = try_wheel(wheel.absolute(), options.python, offline=options.offline)
        print(f"{wheel.name}: {done.tests} tests passed, import in {done.import_ms:.0f} ms")


if __name__ == "__main__":
    main()
