"""Private copies of the checkout, in which faults are planted and tests run."""

from __future__ import annotations

import contextlib
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
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

from tests.effort import NO_SHRINKING
from tests.planted.faults import ROOT, Fault, selection_for

PURE = "import sysconfig; print(sysconfig.get_path('purelib'))"
WHERE = "import bleuet; print(bleuet.__file__)"
# What a suite of tests consists of.
SUITE = ("tests", "website", "conftest.py", "pyproject.toml")
# Exit statuses of pytest: a test failed, or a test file cannot be imported; what it was given is
# not there; there are no tests.
FOUND, MISUSED, NO_TESTS = (1, 2), 4, 5
# What finds a fault with which the tests do not end.
TIMEOUT = "timeout"


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
        # Plugins that are installed for other groups take seconds to load.
        self._environment = os.environ | {NO_SHRINKING: "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        self._python = sys.executable
        environment = folder.with_name(f"{folder.name}-environment")
        self._python = make_environment(environment, folder / "src", self._tool)
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

    def try_fault(self, fault: Fault, steps: Sequence[Sequence[str]]) -> Outcome:
        """Plant the fault, run tests step by step until one fails, and take the fault out again."""
        file = self._folder / fault.file
        original = file.read_bytes()
        start = time.monotonic()
        try:
            _write(file, fault.planted_in(original.decode()).encode())
            if self._builds:
                self._build()
            found, by = self.run_tests(steps)
        except subprocess.CalledProcessError as error:
            found, by = False, f"does not build: {error.output[-500:]}"
        finally:
            _write(file, original)
        return Outcome(found, by, time.monotonic() - start)

    def run_tests(self, steps: Sequence[Sequence[str]]) -> tuple[bool, str]:
        """Return whether a test fails, and its name. A step is what pytest is given."""
        deadline = time.monotonic() + self._options.limit
        for tests in steps:
            if not tests:
                continue
            limit = max(1.0, deadline - time.monotonic())
            try:
                status, output = self._pytest(tests, limit)
            except subprocess.TimeoutExpired:
                return True, TIMEOUT
            failure = _first_failure(output)
            if status in FOUND and failure:
                return True, failure
            # A test that is named by itself is not known where its file cannot be imported.
            if status == MISUSED and "ERROR collecting" in output:
                return True, "a file of tests cannot be imported"
            # Without a summary pytest itself did not run.
            if status not in (0, NO_TESTS):
                last = output.strip().rpartition("\n")[2]
                return False, f"pytest stopped: {last}"
        return False, ""

    def _pytest(self, tests: Sequence[str], limit: float) -> tuple[int, str]:
        command = [self._python, "-m", "pytest", "-q", "-x", "-rfE", "-p", "no:cacheprovider"]
        # A suite without a conftest.py in the root has no groups: all its tests run.
        if (self._folder / "conftest.py").exists():
            command.append(f"--run={self._options.run}")
        with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as listed:
            # A file, since there may be more tests than a command line can hold.
            listed.write("\n".join(tests))
            listed.flush()
            return self._processes.run(
                [*command, f"@{listed.name}"], self._folder, limit, self._environment
            )

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


def make_environment(folder: Path, package: Path, run: Callable[..., str]) -> str:
    """Return a Python that has this one's libraries, and the package from another folder.

    So have the processes that it starts. What makes an editable install importable is not among
    the libraries, because Python reads `.pth` files of an environment's own folder only.

    Args:
        folder: where the environment is made.
        package: the folder that Python finds the package in.
        run: runs a command and returns what it prints.
    """
    run(sys.executable, "-m", "venv", "--without-pip", str(folder))
    python = str(folder / "bin" / "python")
    own = run(python, "-c", PURE).strip()
    lines = [str(package), sysconfig.get_path("purelib"), ""]
    (Path(own) / "planted.pth").write_text("\n".join(lines), encoding="utf-8")
    return python


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


def steps_for(file: str, checkout: Path) -> list[list[str]]:
    """Return what pytest is given for a file: the tests that find most, then the others.

    A checkout of which the tests are taken may lack some of them.
    """
    selection = selection_for(file)
    first, then = ([path for path in paths if (checkout / path).exists()] for paths in selection)
    ignored = [f"--ignore={path}" for path in first]
    rest = [path for path in then if path not in first]
    return [first, [*ignored, *rest] if rest else []]


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


def try_all(
    faults: Sequence[Fault],
    steps_of: Callable[[Fault], Sequence[Sequence[str]]],
    jobs: int,
    copies: dict[int, Copy],
    make_copy: Callable[[int], Copy],
    processes: Processes,
) -> Iterator[tuple[Fault, Outcome]]:
    """Yield each fault with its outcome, in the order in which they end.

    `steps_of` returns the tests for a fault. Each of the jobs makes its copy when it begins, unless
    `copies` has it.
    """
    free: queue.SimpleQueue[int] = queue.SimpleQueue()

    def attempt(fault: Fault) -> Outcome:
        number = free.get()
        try:
            if number not in copies:
                copies[number] = make_copy(number)
            return copies[number].try_fault(fault, steps_of(fault))
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
