"""Plant each fault in a copy of the checkout, run the tests for its file, and list what they find.

python -m tests.planted --group writing options --jobs 2
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import queue
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from tests.effort import NO_SHRINKING
from tests.planted.faults import GROUPS, ROOT, Fault, Selection, all_faults, selection_for

PURE = "import sysconfig; print(sysconfig.get_path('purelib'))"
WHERE = "import bleuet; print(bleuet.__file__)"
# What a suite of tests consists of.
SUITE = ("tests", "website", "conftest.py", "pyproject.toml")
# Exit statuses of pytest: a test failed, or a test file cannot be imported; there are no tests.
FOUND, NO_TESTS = (1, 2), 5


class Options(NamedTuple):
    """How tests run."""

    run: str
    limit: float
    tests: Path | None
    parallel_builds: int


class Outcome(NamedTuple):
    """Whether a fault was found, by which test, and in how many seconds."""

    found: bool
    by: str
    seconds: float


class Processes:
    """Runs programs, and ends all of them when the command is interrupted."""

    def __init__(self) -> None:
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._ended = False

    def run(
        self, command: Sequence[str], folder: Path, limit: float | None, environment: dict[str, str]
    ) -> tuple[int, str]:
        """Return the exit status and the output; raise TimeoutExpired after `limit` seconds."""
        # Not a pipe, which what the tests leave behind could keep open.
        with tempfile.TemporaryFile() as output:
            with self._lock:
                if self._ended:
                    raise InterruptedError
                # A session of its own, so that what the tests start ends with them.
                process = subprocess.Popen(
                    command,
                    cwd=folder,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
                self._running.add(process)
            try:
                status = process.wait(limit)
            finally:
                self._end(process)
                process.wait()
                with self._lock:
                    self._running.discard(process)
            output.seek(0)
            return status, output.read().decode(errors="replace")

    def end_all(self) -> None:
        """End what runs, and start nothing more."""
        with self._lock:
            self._ended = True
            for process in self._running:
                self._end(process)

    @staticmethod
    def _end(process: subprocess.Popen[bytes]) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


class Copy:
    """A private copy of the checkout, for one fault after the other."""

    def __init__(
        self, folder: Path, options: Options, processes: Processes, *, builds: bool
    ) -> None:
        self._folder, self._options, self._processes = folder, options, processes
        self._builds = builds
        _copy_checkout(ROOT, folder)
        if options.tests is not None:
            _replace_suite(options.tests, folder)
        self._environment = os.environ | {NO_SHRINKING: "1"}
        self._python = sys.executable
        self._python = self._make_environment(folder.with_name(f"{folder.name}-environment"))
        if builds:
            self._configure()
            self._build()
        else:
            for module in _kernel_modules(ROOT):
                shutil.copy2(module, folder / module.relative_to(ROOT))
        if builds and not _kernel_modules(folder):
            raise RuntimeError("no kernel was built: a C++ compiler is needed")
        imported = Path(self._tool(self._python, "-c", WHERE).strip())
        if not imported.is_relative_to(folder):
            raise RuntimeError(f"tests would import {imported} instead of the copy")

    def try_fault(self, fault: Fault) -> Outcome:
        """Plant the fault, run the tests for its file, and take the fault out again."""
        file = self._folder / fault.file
        original = file.read_bytes()
        start = time.monotonic()
        try:
            _write(file, fault.planted_in(original.decode()).encode())
            if self._builds:
                self._build()
            found, by = self.run_tests(selection_for(fault.file))
        except subprocess.CalledProcessError as error:
            found, by = False, f"does not build: {error.output[-500:]}"
        finally:
            _write(file, original)
        return Outcome(found, by, time.monotonic() - start)

    def run_tests(self, selection: Selection) -> tuple[bool, str]:
        """Return whether a test fails, and its name."""
        first = self._existing(selection.first)
        then = self._existing(selection.then)
        deadline = time.monotonic() + self._options.limit
        for paths, ignored in ((first, []), (then, first)):
            if not paths:
                continue
            limit = max(1.0, deadline - time.monotonic())
            try:
                status, output = self._pytest(paths, ignored, limit)
            except subprocess.TimeoutExpired:
                return True, "timeout"
            failure = _first_failure(output)
            if status in FOUND and failure:
                return True, failure
            # Without a summary pytest itself did not run.
            if status not in (0, NO_TESTS):
                last = output.strip().rpartition("\n")[2]
                return False, f"pytest stopped: {last}"
        return False, ""

    def _existing(self, paths: Sequence[str]) -> list[str]:
        return [path for path in paths if (self._folder / path).exists()]

    def _pytest(
        self, paths: Sequence[str], ignored: Sequence[str], limit: float
    ) -> tuple[int, str]:
        command = [self._python, "-m", "pytest", "-q", "-x", "-rfE", "-p", "no:cacheprovider"]
        # A suite without a conftest.py in the root has no groups: all its tests run.
        if (self._folder / "conftest.py").exists():
            command.append(f"--run={self._options.run}")
        command += [f"--ignore={path}" for path in ignored]
        paths = [path for path in paths if path not in ignored]
        return self._processes.run([*command, *paths], self._folder, limit, self._environment)

    def _make_environment(self, folder: Path) -> str:
        """Return a Python that has this one's libraries, and the package from the copy.

        So have the processes that tests start. What makes an editable install importable is not
        among the libraries, because Python reads `.pth` files of an environment's own folder only.
        """
        self._tool(sys.executable, "-m", "venv", "--without-pip", str(folder))
        python = str(folder / "bin" / "python")
        own = self._tool(python, "-c", PURE).strip()
        lines = [str(self._folder / "src"), sysconfig.get_path("purelib"), ""]
        (Path(own) / "planted.pth").write_text("\n".join(lines), encoding="utf-8")
        return python

    def _configure(self) -> None:
        nanobind = self._tool(sys.executable, "-m", "nanobind", "--cmake_dir").strip()
        cmake = _program("cmake")
        self._tool(
            *(cmake, "-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={_program('ninja')}", "-S", "."),
            *("-B", "build/kernel", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O1"),
            *(f"-DPython_EXECUTABLE={sys.executable}", f"-Dnanobind_DIR={nanobind}"),
        )

    def _build(self) -> None:
        cmake, jobs = _program("cmake"), str(self._options.parallel_builds)
        self._tool(cmake, "--build", "build/kernel", "--parallel", jobs)
        self._tool(cmake, "--install", "build/kernel", "--prefix", "src")

    def _tool(self, *command: str) -> str:
        status, output = self._processes.run(command, self._folder, None, self._environment)
        if status != 0:
            raise subprocess.CalledProcessError(status, command, output)
        return output


def _kernel_modules(checkout: Path) -> list[Path]:
    found = (checkout / "src/bleuet/statistics").glob("_kernel*")
    return [path for path in found if path.suffix != ".pyi"]


def _program(name: str) -> str:
    beside = Path(sys.executable).with_name(name)
    return str(beside) if beside.exists() else name


def _copy_checkout(checkout: Path, folder: Path, *below: str) -> None:
    """Copy the files that git tracks, and those that it does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard", "--", *below],
        cwd=checkout,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    ).stdout
    for name in filter(None, listed.split("\0")):
        if (checkout / name).is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(checkout / name, target)


def _replace_suite(checkout: Path, folder: Path) -> None:
    shutil.rmtree(folder / "tests")
    (folder / "conftest.py").unlink(missing_ok=True)
    _copy_checkout(checkout, folder, *(name for name in SUITE if (checkout / name).exists()))


def _write(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    # Python compares the times of a file and of its bytecode in whole seconds.
    for bytecode in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
        bytecode.unlink()


def _first_failure(output: str) -> str:
    found = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", output, re.MULTILINE)
    if found is None:
        return ""
    return found[1] if "::" in found[1] else f"{found[1]}, which cannot be imported"


def _try_all(
    faults: Sequence[Fault],
    jobs: int,
    copies: dict[int, Copy],
    make_copy: Callable[[int], Copy],
    processes: Processes,
) -> Iterator[tuple[Fault, Outcome]]:
    """Yield each fault with its outcome, in the order in which they end.

    Each of the jobs makes its copy when it begins, unless `copies` has it.
    """
    free: queue.SimpleQueue[int] = queue.SimpleQueue()

    def attempt(fault: Fault) -> Outcome:
        number = free.get()
        try:
            if number not in copies:
                copies[number] = make_copy(number)
            return copies[number].try_fault(fault)
        finally:
            free.put(number)

    for number in range(jobs):
        free.put(number)
    with ThreadPoolExecutor(jobs) as workers:
        try:
            tried = {workers.submit(attempt, fault): fault for fault in faults}
            for future in as_completed(tried):
                yield tried[future], future.result()
        except BaseException:
            processes.end_all()
            workers.shutdown(wait=False, cancel_futures=True)
            raise


def _check(faults: Sequence[Fault], copy: Copy) -> list[str]:
    """Return what fails without any fault, one line for each selection of tests."""
    failures = []
    for selection in dict.fromkeys(selection_for(fault.file) for fault in faults):
        start = time.monotonic()
        failed, by = copy.run_tests(selection)
        seconds = time.monotonic() - start
        print(
            f"unchanged  {' '.join(selection.first)}  {by or 'passes'}  {seconds:.1f} s", flush=True
        )
        if failed or by:
            failures.append(by)
    return failures


def _table(outcomes: Sequence[tuple[Fault, Outcome]]) -> str:
    planted = Counter(fault.group for fault, _ in outcomes)
    found = Counter(fault.group for fault, outcome in outcomes if outcome.found)
    lines = [f"{'group':<12}{'planted':>8}{'found':>8}  not found"]
    for group in planted:
        missed = [
            fault.name for fault, outcome in outcomes if fault.group == group and not outcome.found
        ]
        lines.append(
            f"{group:<12}{planted[group]:>8}{found[group]:>8}  {' '.join(missed)}".rstrip()
        )
    lines.append(f"{'all':<12}{planted.total():>8}{found.total():>8}")
    return "\n".join(lines)


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.planted", description=__doc__)
    parser.add_argument("--group", nargs="+", choices=GROUPS, default=GROUPS)
    parser.add_argument("--fault", nargs="+", metavar="NAME", help="only these faults")
    parser.add_argument("--jobs", type=int, default=1, help="copies that are tried at once")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the outcomes there too")
    parser.add_argument(
        "--tests", type=Path, metavar="CHECKOUT", help="take the tests of another checkout"
    )
    parser.add_argument("--run", choices=("test", "quick", "all"), default="test")
    parser.add_argument("--limit", type=float, default=300, help="seconds for one fault")
    parser.add_argument(
        "--check", action="store_true", help="first run the selected tests without a fault"
    )
    return parser.parse_args()


def _chosen(groups: Sequence[str], names: Sequence[str] | None) -> list[Fault]:
    faults = [fault for fault in all_faults() if fault.group in groups]
    if names is None:
        return faults
    unknown = set(names) - {fault.name for fault in faults}
    if unknown:
        raise SystemExit(f"There is no such fault: {', '.join(sorted(unknown))}.")
    return [fault for fault in faults if fault.name in names]


def main() -> int:
    """Run the command and return its exit status."""
    arguments = _read_arguments()
    faults = _chosen(arguments.group, arguments.fault)
    builds = max(1, (os.cpu_count() or 1) // arguments.jobs)
    options = Options(arguments.run, arguments.limit, arguments.tests, builds)
    processes = Processes()
    outcomes: list[tuple[Fault, Outcome]] = []
    # A request to end is treated as an interruption, which removes the copies.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="planted-") as name:
        root = Path(name).resolve()
        for in_kernel in (False, True):
            chosen = [fault for fault in faults if fault.in_kernel == in_kernel]
            if not chosen:
                continue
            kind = "kernel" if in_kernel else "python"

            def make_copy(number: int, kind: str = kind, builds: bool = in_kernel) -> Copy:
                return Copy(root / f"{kind}-{number}", options, processes, builds=builds)

            copies = {0: make_copy(0)} if arguments.check else {}
            if arguments.check and _check(chosen, copies[0]):
                print("These tests fail without any fault.", file=sys.stderr)
                return 1
            for fault, outcome in _try_all(chosen, arguments.jobs, copies, make_copy, processes):
                outcomes.append((fault, outcome))
                verdict = f"by {outcome.by}" if outcome.found else outcome.by
                print(
                    f"{'found' if outcome.found else 'NOT FOUND'}  {fault.group}  {fault.name}  "
                    f"{verdict}  {outcome.seconds:.1f} s",
                    flush=True,
                )
    print(_table(outcomes))
    if arguments.json is not None:
        records = [fault._asdict() | outcome._asdict() for fault, outcome in outcomes]
        for record, (fault, _) in zip(records, outcomes, strict=True):
            record["planted_by"] = fault.by
        arguments.json.write_text(json.dumps(records, indent=1), encoding="utf-8")
    return 0 if all(outcome.found for _, outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
