"""`bleuet tutorial`: writes two references and two systems, and runs the first commands on them."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path

from bleuet.cli.options import Command, Flag
from bleuet.errors import InputError
from bleuet.frozen import Value
from bleuet.output.answer import Answer
from bleuet.output.destination import StandardOutput, check_local
from bleuet.output.document import Column, Document, DocumentTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from bleuet.cli.options import Arguments
    from bleuet.output.document import Cell

FOLDER = Flag(
    "folder", metavar="FOLDER", many="?", default="bleuet-tutorial",
    help="the folder for the example files (default: {default})",
)  # fmt: skip
FILES_ONLY = Flag("--files-only", kind="switch", help="write the example files, and run nothing")
NO_PAUSE = Flag("--no-pause", kind="switch", help="run all commands without waiting for Enter")

COMMAND = Command(
    "tutorial",
    """\
Write example files, and run the first commands on them, one by one.

Two references and two systems of 60 sentences are written. Each step says what a
command is for, and shows the command and what it prints. On a terminal, Enter runs
the next command and Ctrl-C ends the tutorial.""",
    ["[FOLDER] [option ...]"],
    {"tutorial": (FOLDER, FILES_ONLY, NO_PAUSE)},
    common=False,
    examples="""\
examples:
  bleuet tutorial
  bleuet tutorial examples --files-only    the files of the guides""",
)
FILES = ("reference-1.txt", "reference-2.txt", "system-a.txt", "system-b.txt")
WIDTH = 90
REFERENCES = "reference-1.txt reference-2.txt"


class Lesson(Value):
    """Why a command is useful, and the command.

    Args:
        reason: two or three sentences.
        command: what a user types, without the program's name.
    """

    reason: str
    command: str


LESSONS = (
    Lesson(
        "The folder has 60 sentences in English. Two systems translated them (system-a.txt, "
        "system-b.txt), and two translators wrote a reference for each sentence. Line 3 of "
        "every file belongs to sentence 3. Here is how the first system compares with the "
        "references. BLEU is between 0 and 100: it is higher if more phrases are in a "
        "reference. The line begins with the signature. Put it into your paper, so that others "
        "can compute the same score.",
        f"score {REFERENCES} -i system-a.txt",
    ),
    Lesson(
        "-i takes several systems, and -m several metrics. BLEU and chrF are better if they are "
        "higher. TER counts edits, so lower is better.",
        f"score {REFERENCES} -i system-a.txt system-b.txt -m bleu chrf ter",
    ),
    Lesson(
        "A score is wrong if the files are wrong: lines that are missing, a wrong language, the "
        "source in place of a translation. lint looks for such problems. Run it first.",
        f"lint {REFERENCES} -i system-a.txt system-b.txt",
    ),
    Lesson(
        "Is the difference more than chance? A small p means that two equal systems would "
        "rarely differ so much. The interval says how large the change could be on other "
        "sentences.",
        f"significance {REFERENCES} -i system-a.txt system-b.txt -m bleu",
    ),
    Lesson(
        "Why does a sentence have its score? explain shows which words match a reference, and "
        "each step to the score. Here is sentence 11 of the second system.",
        f"explain {REFERENCES} -i system-b.txt --segment 11",
    ),
    Lesson(
        "Where do the systems differ? compare finds the sentences, the lengths and the words. "
        "With --html report.html it makes a page, which needs the extra report.",
        f"compare {REFERENCES} -i system-a.txt system-b.txt -m bleu -n 3",
    ),
    Lesson(
        "In continuous integration, gate fails if a new system is worse than its baseline: its "
        "exit code is 3.",
        f"gate {REFERENCES} --baseline system-a.txt -i system-b.txt --max-drop 1",
    ),
)
NEXT = """\
What to do next:

  bleuet score REF -i SYSTEM          your own files
  bleuet serve REF -i SYSTEM SYSTEM   the same in the browser (needs the extra web)
  bleuet metrics                      the other metrics
  bleuet COMMAND --help               all options of a command
"""


class ExampleFiles(Answer):
    """The example files that were written.

    Args:
        folder: the folder that has them.
    """

    __slots__ = ("folder",)

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def document(self) -> Document:
        """Return a table of the files."""
        columns = (Column("file"), Column("lines", kind="count"))
        rows: list[list[Cell]] = [
            [str(self.folder / name), (self.folder / name).read_bytes().count(b"\n")]
            for name in FILES
        ]
        return Document(tables=[DocumentTable("files", "", columns, rows)])


class Finished(Answer):
    """The end of the tutorial, which has printed everything itself."""

    def document(self) -> Document:
        """Return an empty document."""
        return Document()


def answer(args: Arguments) -> ExampleFiles | Finished:
    """Write the files, and run the steps.

    Raises:
        InputError: the folder cannot be written, or has other files of the same names.
    """
    check_local(args.folder)
    folder = Path(args.folder)
    write_examples(folder)
    if args.files_only:
        return ExampleFiles(folder)
    _walk(folder, pause=not args.no_pause and sys.stdin.isatty() and sys.stdout.isatty())
    return Finished()


def write_examples(folder: Path) -> None:
    """Write the example files; files that are there already stay as they are.

    Args:
        folder: the folder, which is made.

    Raises:
        InputError: the folder cannot be written, or has other files of the same names.
    """
    texts = {name: (_examples() / name).read_bytes() for name in FILES}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            place = folder / name
            if not place.exists():
                place.write_bytes(text)
            elif place.read_bytes() != text:
                raise InputError(
                    f"{place} is there already and has another text, so the tutorial does not "
                    "replace it: name another folder, as in bleuet tutorial FOLDER"
                )
    except OSError as error:
        raise InputError(
            f"the example files cannot be written to {folder} ({error.strerror}): name another "
            "folder, as in bleuet tutorial FOLDER"
        ) from error


def _examples() -> Path:
    """Return the folder of the examples: in the package, or beside the sources that have it."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "examples"
    return installed if installed.is_dir() else package.parents[1] / "examples"


def _walk(folder: Path, *, pause: bool) -> None:
    """Explain and show each command, and run it in the folder."""
    import subprocess
    from textwrap import fill

    _print(f"The example files are in {folder}{os.sep}. The commands below run in that folder.\n")
    for number, lesson in enumerate(LESSONS, 1):
        _print(f"--- {number} of {len(LESSONS)} ---\n{fill(lesson.reason, WIDTH)}\n")
        _print(f"$ bleuet {lesson.command}")
        if pause:
            input("  (Enter runs it, Ctrl-C ends) ")
        command = [sys.executable, "-P", "-m", "bleuet", *shlex.split(lesson.command)]
        subprocess.run(command, cwd=folder, check=False)
        _print()
    _print(NEXT, end="")


def _print(text: str = "", end: str = "\n") -> None:
    with StandardOutput():
        print(text, end=end, flush=True)
