"""The command `bleuet`: runs one command, writes its answer, and prints errors in one line.

A command's module has a `COMMAND`, which declares its arguments, and `answer(args)`, which returns
an `Answer`; this module writes the answer's document. A module without a `COMMAND` has
`main(words)`, which returns the exit code.
"""

from __future__ import annotations

import os
import sys
import warnings
from importlib import import_module

from bleuet.cli.command_line import read_arguments
from bleuet.cli.warning_lines import show_warnings
from bleuet.errors import BleuetError, InputError, OptionError
from bleuet.output.destination import Destination
from bleuet.output.rendering import Settings, write
from bleuet.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import IO

# name: (module, summary)
COMMANDS = {
    "score": ("bleuet.cli.score", "score systems against references"),
    "compare": (
        "bleuet.cli.compare.command",
        "compare systems: where one is better, and in what",
    ),
    "significance": (
        "bleuet.cli.significance.command",
        "say which differences are more than chance",
    ),
    "meta": ("bleuet.cli.meta", "measure how well metrics agree with human scores"),
    "gate": ("bleuet.cli.gate", "fail if a new system is worse than its baseline"),
    "metrics": ("bleuet.cli.metrics", "list the metrics, or the options of one metric"),
    "tokenizers": ("bleuet.cli.tokenizers", "list the tokenizers of BLEU"),
    "explain": ("bleuet.cli.explain", "show why two settings of a metric differ"),
    "sacrebleu": (
        "bleuet.compat.sacrebleu.sacrebleu",
        "take sacreBLEU's flags and print what it does",
    ),
    "lint": ("bleuet.cli.lint", "look for problems of files that make their scores wrong"),
    "completion": ("bleuet.cli.completion", "print a completion script for a shell"),
}

SUCCESS, INPUT_ERROR, USAGE_ERROR, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: what follows the program's name; default that of this process.

    Returns:
        The exit code: 0, 1 for input that cannot be scored, 2 for wrong usage, 3 for a gate that
        failed, 130 for Ctrl-C.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _run(given)
    except OptionError as error:
        return _print_error(f"error: {_as_flag(error)}", USAGE_ERROR)
    except BleuetError as error:
        return _print_error(f"error: {error}", INPUT_ERROR)
    except KeyboardInterrupt:
        return _print_error("interrupted", INTERRUPTED)
    except MemoryError:
        return _print_error("error: there is not enough memory: use fewer --threads", INPUT_ERROR)


def run() -> None:
    """Be the installed command: run, and end the process.

    Taking the interpreter apart takes 2 of 26 ms, nearly what scoring a test set does. After
    `bleuet score` there is nothing in it to close: what was written is flushed.
    """
    code = main()
    if code == SUCCESS and sys.argv[1:2] == ["score"]:
        # Standard error is written line by line, standard output was flushed by `main`.
        os._exit(code)
    sys.exit(code)


def _run(given: list[str]) -> int:
    _escape_what_cannot_be_written()
    try:
        try:
            code = _run_command(given)
        except SystemExit as done:  # argparse has printed the help
            code = int(done.code or SUCCESS)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader of our output has left, as `head` does; Python would complain at exit.
        sys.stdout = None
        return SUCCESS
    except OSError as error:
        sys.stdout = None
        raise InputError(
            f"standard output cannot be written ({error.strerror or error}): make room, or name "
            "a file elsewhere"
        ) from error


def _escape_what_cannot_be_written() -> None:
    """Write a file's name on an ASCII terminal as escapes, as Python writes errors."""
    encoding = getattr(sys.stdout, "encoding", None) or ""
    if encoding and encoding.lower().replace("-", "") != "utf8":
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _run_command(given: list[str]) -> int:
    if not given or given[0] in ("-h", "--help", "help"):
        print(usage(), end="", file=sys.stdout if given else sys.stderr)
        return SUCCESS if given else USAGE_ERROR
    if given[0] in ("-V", "--version"):
        print(f"bleuet {__version__}")
        return SUCCESS
    name, *rest = given
    if name not in COMMANDS:
        raise OptionError(_unknown(name))
    module = import_module(COMMANDS[name][0])
    if hasattr(module, "COMMAND"):
        return _answer(module, rest)
    ours = COMMANDS[name][0].startswith(f"{__package__}.")
    code: int = module.main(name, rest) if ours else module.main(rest)
    return code


def _answer(module: ModuleType, words: Sequence[str]) -> int:
    """Run a command that answers with a document, and write the document."""
    args = read_arguments(module.COMMAND, words)
    with warnings.catch_warnings():
        show_warnings(args.quiet)
        answer = module.answer(args)
        with Destination(args.output) as out:
            settings = Settings(args.width, short=args.short)
            write(answer.document(), out, args.format, settings)
            _flush(out)
    code: int = answer.exit_code
    return code


def _flush(out: IO[str]) -> None:
    """Write everything out; a reader that closes the pipe early does not change the exit code."""
    try:
        out.flush()
    except BrokenPipeError:
        sys.stdout = None


def _unknown(name: str) -> str:
    if name.startswith("-"):
        return f"the command comes first, then its options: bleuet score {name} ..."
    from difflib import get_close_matches

    near = get_close_matches(name, COMMANDS, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    return f"there is no command {name}{hint}; the commands are {', '.join(COMMANDS)}"


def usage() -> str:
    """Return the help of the whole command."""
    lines = "".join(f"  {name:<13} {summary}\n" for name, (_, summary) in COMMANDS.items())
    return (
        "usage: bleuet COMMAND ...\n\n"
        "Judge machine translation and any generated text against references.\n\n"
        f"commands:\n{lines}\n"
        "bleuet COMMAND --help explains a command. BLEU, chrF and TER of two systems:\n\n"
        "  bleuet score reference.txt -i system-a.txt system-b.txt -m bleu chrf ter\n"
    )


def _as_flag(error: OptionError) -> str:
    """Return an error with the option of a study spelled as its flag."""
    if error.option and not error.metric:
        return error.naming(f"--{error.option.replace('_', '-')}")
    return str(error)


def _print_error(problem: str, code: int) -> int:
    if sys.stderr is None:
        return code
    from bleuet.output.escaping import printable

    try:
        print("bleuet:", printable(" ".join(problem.split())), file=sys.stderr)
    except OSError:
        sys.stderr = None
    return code


if __name__ == "__main__":
    sys.exit(main())
