"""Runs sacreBLEU's own tests, from its source distribution, on `bleuet.compat.sacrebleu`.

    python -m tests.compat.sacrebleu_suite

The distribution comes from the package index once and is kept in `build/peers`. Its tests run in a
process of their own in which `sacrebleu` and its modules are bleuet's.
"""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

REPOSITORY = Path(__file__).resolve().parents[2]
NAME = "sacrebleu-2.6.0"
ARCHIVE = REPOSITORY / "build" / "peers" / f"{NAME}.tar.gz"
SHA256 = "91499b6cd46138d95154fff1e863c2f9be57e82f0c719d8dd718d0006cf6c566"

ALL_TESTS = 144
# What does not run, how many tests that is, and why.
LEFT_OUT = {
    "test/test_api.py::test_api_get_source": (3, "downloads a test set"),
    "test/test_api.py::test_api_get_reference": (3, "downloads a test set"),
    "test/test_dataset.py::test_maybe_download": (1, "downloads ten test sets"),
    "test/test_dataset.py::test_process_to_text": (1, "downloads ten test sets"),
    "test/test_dataset.py::test_get_files_and_fieldnames": (1, "downloads every test set"),
    "test/test_dataset.py::test_source_and_references": (1, "downloads every test set"),
    "test/test_dataset.py::test_wmt22_references": (1, "downloads a test set"),
}


class NotAvailable(Exception):
    """The distribution is not here, and the package index cannot be reached."""


class Outcome(NamedTuple):
    """What became of the tests, and what was printed on the way."""

    passed: int
    others: dict[str, str]  # test: failed, skipped or error
    output: str


def archive() -> Path:
    """The source distribution, downloaded where it is not here yet, and verified."""
    if not ARCHIVE.exists():
        ARCHIVE.parent.mkdir(parents=True, exist_ok=True)
        command = (
            "-m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: "
            f"{NAME.replace('-', '==')} --dest"
        )
        done = subprocess.run(
            [sys.executable, *command.split(), str(ARCHIVE.parent)], capture_output=True, text=True
        )
        if not ARCHIVE.exists():
            raise NotAvailable(f"pip cannot download {NAME}: {done.stderr.strip()[-300:]}")
    digest = sha256(ARCHIVE.read_bytes()).hexdigest()
    if digest != SHA256:
        raise ValueError(f"{ARCHIVE} has the SHA-256 {digest}, not {SHA256}: delete it")
    return ARCHIVE


def unpack_tests(folder: Path) -> None:
    """Unpack the tests alone, so that sacreBLEU's own code is not beside them."""
    with tarfile.open(archive()) as tar:
        # By hand, as the safe filter of tarfile came with 3.11.4: plain files, plain names.
        for member in tar.getmembers():
            place, _, name = member.name.rpartition("/")
            if member.isfile() and place == f"{NAME}/test":
                target = folder / NAME / "test" / Path(name).name
                target.parent.mkdir(parents=True, exist_ok=True)
                content = tar.extractfile(member)
                assert content is not None
                target.write_bytes(content.read())


def run() -> Outcome:
    """Run the tests in a process of their own."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        unpack_tests(folder)
        paths = [str(REPOSITORY), *filter(None, sys.path)]
        report = folder / "report.json"
        done = subprocess.run(
            [sys.executable, "-m", __spec__.name if __spec__ else "", "--inside", str(report)],
            cwd=folder / NAME,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            capture_output=True,
            text=True,
        )
        output = done.stdout + done.stderr
        outcomes = json.loads(report.read_text()) if report.exists() else {"nothing ran": output}
    counts = Counter(outcomes.values())
    others = {test: what for test, what in outcomes.items() if what != "passed"}
    return Outcome(counts["passed"], others, output)


def put_in_place() -> None:
    """Give bleuet's modules sacreBLEU's names, and no name to sacreBLEU's own code.

    The test sets stay sacreBLEU's, as they do for everybody who uses bleuet's module.
    """
    ours = importlib.import_module("bleuet.compat.sacrebleu")
    importlib.import_module(f"{ours.__name__}.dataset").DATASETS  # noqa: B018
    named = {"sacrebleu": ours}
    for found in pkgutil.walk_packages(ours.__path__, f"{ours.__name__}."):
        if not found.name.endswith("__main__"):
            short = found.name.replace(ours.__name__, "sacrebleu")
            named[short] = importlib.import_module(found.name)
    modules: dict[str, Any] = sys.modules
    for name in [name for name in modules if name.startswith("sacrebleu.")]:
        if not name.startswith("sacrebleu.dataset."):
            modules[name] = None
    modules.update(named)


class _Outcomes:
    """A plugin of pytest's that keeps what became of each test."""

    def __init__(self) -> None:
        self.of: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" or report.outcome != "passed":
            failed_outside = report.outcome == "failed" and report.when != "call"
            self.of[report.nodeid] = "error" if failed_outside else report.outcome

    def pytest_collectreport(self, report: Any) -> None:
        if report.outcome == "failed":
            self.of[report.nodeid] = "error"


def run_inside(report: Path) -> int:
    """Run the tests in this process, from the unpacked distribution's folder."""
    import pytest

    put_in_place()
    tested = importlib.import_module("sacrebleu.metrics").BLEU.__module__
    if not tested.startswith("bleuet."):
        raise RuntimeError(f"the tests would run on {tested}")
    outcomes = _Outcomes()
    left_out = [f"--deselect={test}" if "::" in test else f"--ignore={test}" for test in LEFT_OUT]
    code = pytest.main(
        ["-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir=.", *left_out, "test"],
        plugins=[outcomes],
    )
    report.write_text(json.dumps(outcomes.of))
    return int(code)


def main() -> int:
    """Run the tests and print what became of them."""
    outcome = run()
    expected = ALL_TESTS - sum(count for count, _ in LEFT_OUT.values())
    print(f"{outcome.passed} passed, {len(outcome.others)} did not; {expected} were to pass")
    for test, what in outcome.others.items():
        print(f"  {what}: {test}")
    print(f"left out of {ALL_TESTS}:")
    for test, (count, why) in LEFT_OUT.items():
        print(f"  {count:3} {test}: {why}")
    good = outcome.passed == expected and not outcome.others
    if not good:
        print(outcome.output)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(run_inside(Path(sys.argv[2])) if "--inside" in sys.argv else main())
