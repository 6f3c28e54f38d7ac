"""Run the tests that name the kernel with one that was built with sanitizers.

python -m tests.sanitized FOLDER ...

The folder has the package with this kernel; the rest are arguments of pytest. What a sanitizer
finds ends the process that tests, and its report is printed at the end.

python -m tests.sanitized --scalar FOLDER FILE ...

runs the files with a kernel that was built for a machine without SSE2, and without sanitizers.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).parent
# In the tests that compare the kernel with the Python backend, or with one thread of its own.
NAMES_KERNEL = "kernel()"
# It limits the addresses of a process, of which a sanitizer needs terabytes.
LIMITS_ADDRESSES = "test_kernel_calls.py"
KERNEL = "from bleuet.statistics import _kernel; print(_kernel.__file__)"
SSE2 = "from bleuet.statistics import _kernel; print(_kernel.SSE2)"
# Python runs this when it starts: an editable installation would find the package before the path.
START = """\
import sys
found = sys.meta_path
found[:] = [one for one in found if not type(one).__name__.startswith("ScikitBuild")]
"""


def files_that_name_the_kernel() -> list[str]:
    return [
        str(file)
        for file in sorted(TESTS.rglob("test_*.py"))
        if file.name != LIMITS_ADDRESSES and NAMES_KERNEL in file.read_text(encoding="utf-8")
    ]


def runtimes(module: Path) -> list[str]:
    """Return the libraries that must be loaded before Python loads the module."""
    linked = subprocess.run(["ldd", module], capture_output=True, text=True, check=True).stdout
    # The standard library too, whose functions AddressSanitizer replaces when a process starts.
    found = [re.search(rf"=> (\S+/lib{name}\S*)", linked) for name in ("asan", "stdc\\+\\+")]
    if None in found:
        raise SystemExit(f"{module} was not built with AddressSanitizer of GCC")
    return [match[1] for match in found if match]


def environment(folder: Path, reports: Path) -> dict[str, str]:
    """Return the variables with which a process imports the kernel of a folder."""
    (module,) = (folder / "bleuet/statistics").glob("_kernel*.so")
    options = f"log_path={reports}"
    return os.environ | {
        "PYTHONPATH": str(folder),
        # A block for each string, so that reading beyond one is seen.
        "PYTHONMALLOC": "malloc",
        "LD_PRELOAD": ":".join(runtimes(module)),
        # Python frees little when it ends.
        "ASAN_OPTIONS": f"detect_leaks=0:{options}",
        "UBSAN_OPTIONS": f"print_stacktrace=1:{options}",
    }


def run_scalar(folder: Path, arguments: list[str]) -> int:
    """Run tests with the kernel of a folder, which has no SSE2."""
    (folder / "sitecustomize.py").write_text(START, encoding="utf-8")
    variables = os.environ | {"PYTHONPATH": str(folder)}
    for code, expected in ((KERNEL, str(folder)), (SSE2, "False")):
        python = [sys.executable, "-c", code]
        done = subprocess.run(python, env=variables, capture_output=True, text=True, check=True)
        if not done.stdout.startswith(expected):
            raise SystemExit(f"{done.stdout.strip()}: expected {expected}")
    return subprocess.run([sys.executable, "-m", "pytest", *arguments], env=variables).returncode


def main(arguments: list[str]) -> int:
    if arguments[0] == "--scalar":
        return run_scalar(Path(arguments[1]).resolve(), arguments[2:])
    folder = Path(arguments[0]).resolve()
    reports = folder.parent / "report"
    for old in reports.parent.glob("report.*"):
        old.unlink()
    (folder / "sitecustomize.py").write_text(START, encoding="utf-8")
    variables = environment(folder, reports)
    python = [sys.executable, "-c", KERNEL]
    done = subprocess.run(python, env=variables, capture_output=True, text=True, check=True)
    if not Path(done.stdout.strip()).is_relative_to(folder):
        raise SystemExit(
            f"tests would import {done.stdout.strip()}, and not the kernel of {folder}"
        )
    pytest = [sys.executable, "-m", "pytest", *arguments[1:], *files_that_name_the_kernel()]
    tests = subprocess.run(pytest, env=variables)
    found = sorted(reports.parent.glob("report.*"))
    for report in found:
        sys.stdout.write(report.read_text(errors="replace"))
    return tests.returncode or bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
