"""`bleuet doctor`: what is installed here, and whether it works; reports of errors need that."""

from __future__ import annotations

import os
import re
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from sysconfig import get_path, get_preferred_scheme

from bleuet.cli.options import Command
from bleuet.extras import EXTRAS
from bleuet.messages import in_short
from bleuet.output.answer import Answer
from bleuet.output.document import Column, Document, DocumentTable
from bleuet.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.cli.options import Arguments

COMMAND = Command(
    "doctor",
    """\
Print which version, backend, extras and cores bleuet has here, and what is wrong.

Add the output to a report of an error. It has no texts and no scores of yours, but
the folders of the installation and the variables BLEUET_*.""",
    ["[option ...]"],
    {},
    examples="""\
examples:
  bleuet doctor
  bleuet doctor -f markdown    for a report on GitHub
  bleuet doctor -f json        for a program

exit codes: 0 nothing is wrong with the kernel, 1 it does not work, 2 wrong usage""",
)
COLUMNS = (Column("part"), Column("found", kind="long text"))
EXTRA_COLUMNS = (Column("extra"), Column("state"), Column("libraries", kind="long text"))
COMPILERS = ("c++", "g++", "clang++", "cl")
# The library and the extra of a requirement, as an installed package's metadata have it.
REQUIREMENT = re.compile(r"([\w.-]+).*\bextra == ['\"]([\w-]+)")
NATIVE = "native kernel"
ALL, SOME, NONE = "installed", "in part", "-"
# Two segments that need several parts of the kernel: words, characters, shifts, other scripts.
HYPOTHESES = ["The cat sat on, 1.5 mats.", "Il fait très beau à Nîmes 猫"]
REFERENCES = ["On the mats, the cat sat.", "Il faisait beau à Nîmes 猫猫"]


def answer(args: Arguments) -> Diagnosis:
    """Return what is installed."""
    del args  # the command has no flags of its own
    return Diagnosis()


class Diagnosis(Answer):
    """What is installed, and what is wrong with it.

    >>> Diagnosis().parts["bleuet"].startswith(__version__)
    True
    """

    __slots__ = ("advice", "exit_code", "extras", "parts")
    parts: dict[str, str]
    extras: list[tuple[str, str, str]]
    advice: list[str]
    exit_code: int

    def __init__(self) -> None:
        self.advice = []
        self.exit_code = 0
        self.parts = {
            "bleuet": f"{__version__}, in {_package()}",
            "command": self._command(),
            "Python": _python(),
            "system": _system(),
            "cores": _cores(),
            "backend": self._backend(),
        }
        self.parts["numbers"] = self._numbers()
        self.parts["standard output"] = f"{sys.stdout.encoding}, {_terminal()}"
        self.parts["variables"] = _variables() or "-"
        self.extras = [*_extras()]

    def document(self) -> Document:
        """Return a table of the installation, one of the extras, and advice."""
        missing = [name for name, state, _ in self.extras if state != ALL]
        notes = [*self.advice]
        if missing:
            notes.append(f"pip install 'bleuet[{missing[0]}]' adds an extra. Not all are needed.")
        return Document(
            tables=[
                DocumentTable("parts", "", COLUMNS, list(self.parts.items())),
                DocumentTable("extras", "extras", EXTRA_COLUMNS, self.extras),
            ],
            notes=notes,
            data={
                "parts": self.parts,
                "extras": {
                    name: {"state": state, "libraries": libraries}
                    for name, state, libraries in self.extras
                },
                "advice": self.advice,
            },
        )

    def _command(self) -> str:
        """Return where the command is, and warn if a shell finds another one."""
        from shutil import which

        found = which("bleuet")
        if found is None:
            return "not on the PATH: python -m bleuet works"
        # A command of pip stands beside Python, or in the folder of the user's own commands.
        homes = (get_path("scripts"), get_path("scripts", get_preferred_scheme("user")))
        if Path(found).parent not in {Path(sys.executable).parent, *map(Path, homes)}:
            self.advice.append(
                f"The shell starts {found}, which belongs to another Python than {sys.executable}."
            )
        return found

    def _backend(self) -> str:
        """Return what counts, and warn if it is not the kernel."""
        if os.environ.get("BLEUET_BACKEND") == "python":
            return "Python, as BLEUET_BACKEND says"
        try:
            from bleuet.statistics import _kernel
        except ImportError as error:
            return self._no_kernel(error)
        compiler = getattr(_kernel, "COMPILER", "an unknown compiler").partition(" (")[0]
        return f"{NATIVE}, built with {compiler}"

    def _no_kernel(self, error: ImportError) -> str:
        built = sorted(one.name for one in (_package() / "statistics").glob("_kernel*.*"))
        built = [name for name in built if not name.endswith(".pyi")]
        if built:
            self.exit_code = 1
            self.advice.append(
                f"There is a kernel ({', '.join(built)}), but this Python cannot load it: {error}. "
                "Install bleuet again with this Python."
            )
        else:
            from shutil import which

            compiler = next(filter(None, map(which, COMPILERS)), None)
            has = f"{compiler} is one" if compiler else "there is none on the PATH"
            self.advice.append(
                "The Python backend gives the same numbers, about a hundred times slower. The "
                f"kernel needs a wheel for this Python, or a C++17 compiler ({has}): "
                "pip install --force-reinstall --no-deps --no-binary bleuet bleuet"
            )
        return "Python, since there is no kernel for this Python"

    def _numbers(self) -> str:
        """Return whether the kernel counts as the definitions do."""
        if not self.parts["backend"].startswith(NATIVE):
            return "those of the definitions"
        from subprocess import SubprocessError

        try:
            defined = _counted_by_definitions()
        except (OSError, SubprocessError, ValueError) as error:
            self.advice.append(
                "The kernel could not be compared with the definitions, since no other process "
                f"counted: {in_short(error)}"
            )
            return "not compared"
        wrong = [name for name, rows in counted().items() if rows != defined[name]]
        if not wrong:
            return "the kernel counts like the definitions"
        self.exit_code = 1
        self.advice.append(
            f"The kernel's counts of {', '.join(wrong)} are wrong. Please report this. Until then, "
            "BLEUET_BACKEND=python gives the right numbers."
        )
        return f"the kernel counts {', '.join(wrong)} wrongly"


def _counted_by_definitions() -> dict[str, list[list[float]]]:
    """Return what `counted` returns in a process without the kernel.

    Raises:
        OSError: no process can be started here.
        SubprocessError: the process failed.
    """
    import json
    import subprocess

    code = "import json\nfrom bleuet.cli import doctor\nprint(json.dumps(doctor.counted()))"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env={**os.environ, "BLEUET_BACKEND": "python"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    found: dict[str, list[list[float]]] = json.loads(done.stdout)
    return found


def counted() -> dict[str, list[list[float]]]:
    """Return the rows of some metrics for two segments.

    >>> [len(rows) for rows in counted().values()]
    [2, 2, 2, 2]
    """
    from bleuet.metrics.catalogue import make_metric
    from bleuet.text.corpus import Corpus

    found = {}
    for name in ("bleu", "chrf++", "ter", "eed"):
        table = make_metric(name).table(Corpus(HYPOTHESES, REFERENCES))
        found[name] = [[*table.select([row]).totals().values] for row in range(table.rows)]
    return found


def _package() -> Path:
    return Path(__file__).resolve().parents[1]


def _python() -> str:
    import platform

    free = not getattr(sys, "_is_gil_enabled", lambda: True)()
    lock = ", without a global lock" if free else ""
    return f"{platform.python_implementation()} {platform.python_version()}{lock}, {sys.executable}"


def _system() -> str:
    import platform

    library = " ".join(platform.libc_ver())
    return ", ".join(filter(None, (platform.platform(terse=True), platform.machine(), library)))


def _cores() -> str:
    from bleuet.statistics.backend import usable_cores

    usable, there = usable_cores(), os.cpu_count() or 1
    return str(there) if usable == there else f"{usable} of {there} can be used"


def _terminal() -> str:
    if not sys.stdout.isatty():
        return "not a terminal"
    return f"a terminal of {os.get_terminal_size().columns} columns"


def _variables() -> str:
    names = sorted(name for name in os.environ if name.startswith("BLEUET_"))
    return ", ".join(f"{name}={os.environ[name]}" for name in names)


def _extras() -> Iterator[tuple[str, str, str]]:
    """Yield each extra, whether it is installed, and its libraries with their versions."""
    libraries: dict[str, dict[str, None]] = {extra: {} for _, extra in EXTRAS.values() if extra}
    for requirement in _requirements():
        named = REQUIREMENT.match(requirement)
        if named and named[1] != "bleuet" and named[2] in libraries:
            libraries[named[2]][named[1]] = None
    for extra, names in sorted(libraries.items()):
        versions = {name: _version(name) for name in names}
        found = [f"{name} {number}" for name, number in versions.items() if number]
        lacking = [f"no {name}" for name, number in versions.items() if not number]
        if not found:
            yield extra, NONE, ""
        else:
            yield extra, SOME if lacking else ALL, ", ".join(found + lacking)


def _requirements() -> list[str]:
    try:
        return requires("bleuet") or []
    except PackageNotFoundError:
        return []


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return ""
