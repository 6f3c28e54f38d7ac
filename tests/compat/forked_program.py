"""Runs sacreBLEU's program many times. It is imported once, and each run is a fork of that process.

    python -m tests.compat.forked_program MODULE COMMANDS ANSWERS

reads what to run as lines of JSON, and answers each with the exit code. COMMANDS and ANSWERS are
numbers of open files.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import traceback
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

REPOSITORY = Path(__file__).resolve().parents[2]


class Printed(NamedTuple):
    """What a program left."""

    code: int
    stdout: str
    stderr: str


class ForkedProgram:
    """A module whose function `main` runs with the arguments of a command line.

    Args:
        module: its name.
    """

    def __init__(self, module: str) -> None:
        commands, self._commands = os.pipe()
        self._answers, answers = os.pipe()
        self._process = subprocess.Popen(
            [sys.executable, "-m", __spec__.name, module, str(commands), str(answers)],
            pass_fds=(commands, answers),
            cwd=REPOSITORY,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        os.close(commands)
        os.close(answers)
        self._lines: IO[str] = os.fdopen(self._answers, encoding="utf-8")

    def run(
        self, arguments: list[str], folder: Path, stdin: bytes, environment: Mapping[str, str]
    ) -> Printed:
        """Run the program in a folder."""
        with TemporaryDirectory() as temporary:
            files = [str(Path(temporary) / name) for name in ("stdin", "stdout", "stderr")]
            Path(files[0]).write_bytes(stdin)
            command = [arguments, str(folder), files, dict(environment)]
            os.write(self._commands, json.dumps(command).encode() + b"\n")
            code = int(self._lines.readline())
            return Printed(code, *(Path(file).read_bytes().decode() for file in files[1:]))

    def close(self) -> None:
        """End the process."""
        os.close(self._commands)
        self._lines.close()
        self._process.wait(60)


def run_fork(module: Any, command: list[Any]) -> int:
    """Run the program in a fork of this process, and return its exit code."""
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    arguments, folder, files, environment = command
    for number, file in enumerate(files):
        os.dup2(os.open(file, os.O_RDWR | os.O_CREAT), number)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [str(Path(module.__file__).with_name("__main__.py")), *arguments]
    code: Any = 1
    try:
        code = module.main() or 0
    except SystemExit as end:
        code = end.code or 0
        if isinstance(code, str):
            sys.stderr.write(f"{code}\n")
            code = 1
    except BaseException:
        traceback.print_exc()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def main() -> None:
    """Run a fork for each line."""
    name, commands, answers = sys.argv[1:]
    module = import_module(name)
    with open(int(commands), encoding="utf-8") as lines, open(int(answers), "w") as out:
        for line in lines:
            code = run_fork(module, json.loads(line))
            out.write(f"{code}\n")
            out.flush()


if __name__ == "__main__":
    main()
