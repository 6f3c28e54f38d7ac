"""The command `bleuet`: runs one command, writes its answer, and prints errors in one line.

A command's module has a `COMMAND`, which declares its arguments, and `answer(args)`, which returns
an `Answer`; this module writes the answer's document. A module without a `COMMAND` has
`main(words)`, which returns the exit code.
"""

from __future__ import annotations

import gc
import os
import sys
import warnings
from importlib import import_module

from bleuet.cli.options import (
    FORMAT,
    FROM_TABLE,
    METRICS,
    OUTPUT_FILE,
    REFERENCES,
    SYSTEMS,
    Arguments,
    default_values,
)
from bleuet.cli.warning_lines import show_warnings
from bleuet.errors import BleuetError, MismatchError, OptionError
from bleuet.output.destination import (
    STDOUT,
    Destination,
    ReaderLeftError,
    StandardOutput,
    check_destination,
    flush_standard_output,
    own_process,
    target_of,
)
from bleuet.output.rendering import format_of
from bleuet.output.settings import Settings
from bleuet.text.files import STDIN
from bleuet.text.source import Source
from bleuet.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Any

    from bleuet.cli.options import Command, Flag

# title: {name: (module, summary)}
COMMAND_GROUPS = {
    "score": {
        "score": ("bleuet.cli.score", "score systems against references"),
        "matrix": ("bleuet.cli.matrix", "score every hypothesis against every reference"),
        "diversity": ("bleuet.cli.diversity", "measure how much texts repeat each other"),
        "sacrebleu": (
            "bleuet.compat.sacrebleu.sacrebleu",
            "accept sacreBLEU's flags and print sacreBLEU's output",
        ),
    },
    "compare and test": {
        "compare": ("bleuet.cli.compare", "show in which segments and n-grams systems differ"),
        "significance": ("bleuet.cli.significance", "test which differences are significant"),
        "gate": ("bleuet.cli.gate", "fail if a new system is worse than its baseline"),
        "history": ("bleuet.cli.history", "show the scores of a gate over time"),
    },
    "look closer": {
        "explain": (
            "bleuet.cli.explain",
            "show which words of a segment match, or why two settings differ",
        ),
        "serve": ("bleuet.cli.serve", "open a page that explains scores, and its HTTP API"),
        "meta": ("bleuet.cli.meta", "measure how well metrics agree with human scores"),
    },
    "choose and tune": {
        "mbr": ("bleuet.cli.mbr", "choose from candidates by minimum Bayes risk"),
        "tune": ("bleuet.cli.tune", "tune the weights of a model on n-best lists"),
    },
    "prepare the files": {
        "lint": ("bleuet.cli.lint", "find problems in files that make the scores wrong"),
        "align": ("bleuet.cli.align", "cut a hypothesis into the segments of the references"),
    },
    "reference": {
        "tutorial": ("bleuet.cli.tutorial", "write example files, and run the first commands"),
        "metrics": ("bleuet.cli.metrics", "list the metrics, or the options of one metric"),
        "tokenizers": ("bleuet.cli.tokenizers", "list the tokenizers of BLEU"),
        "meteor-data": ("bleuet.cli.meteor_data", "store METEOR's files, or list what is stored"),
        "completion": ("bleuet.cli.completion", "print a completion script for a shell"),
        "doctor": ("bleuet.cli.doctor", "print what is installed here, and whether it works"),
    },
}
COMMANDS = {name: entry for group in COMMAND_GROUPS.values() for name, entry in group.items()}

HELP = ("-h", "--help")
HELP_COMMAND = "help"
VERSION = ("-V", "--version")
OBJECTS_BETWEEN_COLLECTIONS = 10_000
TEXT, PARQUET = "text", ".parquet"
# The options that write Parquet files, where a command has them.
WRITE_PARQUET = ("--save-scores", "--save-table")
SUCCESS, USAGE_ERROR, INTERRUPTED = 0, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: what follows the program's name; default that of this process.

    Returns:
        The exit code: 0, 1 for input that cannot be scored, 2 for wrong usage, 3 for a gate that
        failed, 130 for Ctrl-C.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return _finish(_run(words))
    except BaseException as error:
        from bleuet.output.failure import exit_code

        return exit_code(error, _message)


def run() -> None:
    """Entry point of the installed command.

    After `bleuet score` and after Ctrl-C it ends the process without finalizing the interpreter,
    which would take 2 of 26 ms, nearly as long as scoring a test set. After `bleuet score` all
    output is flushed. After Ctrl-C the rest of the output is dropped, since the reader may have
    closed the pipe.
    """
    # With Python's default of 700 objects, collecting garbage while modules are imported takes
    # 1 ms and finds none.
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    code = own_process(main)
    if code >= INTERRUPTED or (code == SUCCESS and sys.argv[1:2] == ["score"]):
        os._exit(code)
    sys.exit(code)


def _run(words: list[str]) -> int:
    """Run one command: read its arguments, get its answer, write the answer's document."""
    _escape_what_cannot_be_written()
    name, *rest = words or [""]
    if name == HELP_COMMAND and rest and rest[0] not in HELP:
        # `bleuet help score` is `bleuet score --help`.
        name, rest = rest[0], [HELP[-1]]
    if name in ("", HELP_COMMAND, *HELP, *VERSION):
        return _print_about(name)
    if name not in COMMANDS:
        raise OptionError(_unknown(name))
    module = import_module(COMMANDS[name][0])
    if not hasattr(module, "COMMAND"):
        return int(module.main(rest))
    try:
        args = read_arguments(module.COMMAND, rest)
    except SystemExit as done:  # argparse has printed the help
        return int(done.code or SUCCESS)
    with warnings.catch_warnings():
        show_warnings(args.quiet)
        if not _names_models(args):
            return _answer(module, args)
        from bleuet.cli.neural_models import models_of

        with models_of(args):
            return _answer(module, args)


def _names_models(args: Arguments) -> bool:
    """Return whether -m names a neural metric."""
    from bleuet.metrics.catalogue import is_neural

    return any(map(is_neural, getattr(args, METRICS.dest, None) or ()))


def _answer(module: ModuleType, args: Arguments) -> int:
    """Write the answer of a command, and return the exit code."""
    answer = module.answer(args)
    try:
        with Destination(None if target_of(args.output) == STDOUT else args.output) as out:
            answer.write(out, args.format, Settings(args.width, short=args.short))
    except ReaderLeftError:
        # A gate that failed has failed, whoever reads it.
        pass
    return int(answer.exit_code)


def _finish(code: int) -> int:
    """Return an exit code once standard output has all that was printed."""
    try:  # noqa: SIM105 - contextlib is slow to import
        flush_standard_output()
    except ReaderLeftError:
        pass
    return code


def _escape_what_cannot_be_written() -> None:
    """Write a file's name on an ASCII terminal as escapes, as Python writes errors.

    Where no terminal reads it, `Destination` writes UTF-8.
    """
    encoding = getattr(sys.stdout, "encoding", None) or ""
    if encoding and encoding.lower().replace("-", "") != "utf8":
        sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _print_about(word: str) -> int:
    """Print the help, the version, or without a word what to do first."""
    if not word:
        print(FIRST_STEPS, end="", flush=True, file=sys.stderr)
        return USAGE_ERROR
    with StandardOutput():
        print(f"bleuet {__version__}\n" if word in VERSION else usage(), end="", flush=True)
    return SUCCESS


# --- Arguments ------------------------------------------------------------------------------------


def read_arguments(command: Command, words: Sequence[str]) -> Arguments:
    """Return the arguments of a command, validated flag by flag; --help raises SystemExit.

    Args:
        command: the command, which declares the flags.
        words: what the user typed after the command's name.

    Raises:
        OptionError: an option is unknown, or a value is not of its kind or out of range.
        InputError: an output cannot be written.
    """
    values = _read_plain(command, words)
    if values is None:
        # argparse takes longer to import than scoring a test set takes.
        from bleuet.cli.parser import parse

        values = parse(command, words)
    if values.get(METRICS.dest):
        from bleuet.metrics.catalogue import each_metric

        values[METRICS.dest] = each_metric(values[METRICS.dest])
    values[FORMAT.dest] = values[FORMAT.dest] or _format_of(command, values[OUTPUT_FILE.dest])
    args = Arguments(command, words, values, COMMANDS)
    _check(args)
    return args


def _read_plain(command: Command, words: Sequence[str]) -> dict[str, Any] | None:
    """Read `REF ... [-i HYP ...] [-m METRIC ...]` without a parser; None for anything else."""
    found = default_values(command)
    if REFERENCES.dest not in found:
        return None
    lists = {
        name: flag.dest for flag in (SYSTEMS, METRICS) if flag.dest in found for name in flag.names
    }
    values: list[str] = []
    found[REFERENCES.dest] = values
    alone = False  # whether the last word was -i or -m, which needs a value
    for word in words:
        if word in lists:
            if alone:
                return None
            values = found[lists[word]] or []
            found[lists[word]] = values
            alone = True
        elif word.startswith("-") and word != STDIN:
            return None
        else:
            values.append(word)
            alone = False
    return None if alone else found


def _format_of(command: Command, path: str | None) -> str:
    """Return the format that the ending of the output's name stands for; "text" without an output.

    Raises:
        OptionError: the name is that of a Parquet file.
    """
    if path is None:
        return TEXT
    if not path.lower().endswith(PARQUET):
        return format_of(path)
    saving = [flag.name for flag in command.flags if flag.name in WRITE_PARQUET]
    others = f"{' or '.join(saving)}, or " if saving else ""
    raise OptionError(
        f"{OUTPUT_FILE.name} writes no Parquet file: use {others}a name such as "
        f"{path[: -len(PARQUET)]}.csv"
    )


def _check(args: Arguments) -> None:
    read: list[str] = []
    # With saved tables, -i has names of systems.
    named = SYSTEMS.dest if vars(args).get(FROM_TABLE.dest) else ""
    for flag in args.command.flags:
        value = getattr(args, flag.dest)
        if args.was_set(flag):
            flag.check(value)
            if flag.reads and flag.dest != named:
                read += flag.files(value)
    if read.count(STDIN) > 1:
        raise OptionError("standard input can be read only once: pass the others as files")
    for rule in args.command.rules:
        rule.check(args)
    _check_outputs(args, read)


def _check_outputs(args: Arguments, read: Sequence[str]) -> None:
    inputs = [Source.parse(path).path for path in read]
    written: dict[str | int, Flag] = {}
    for flag in args.command.flags:
        if not flag.writes:
            continue
        value = getattr(args, flag.dest)
        # Where a flag writes only files, its command rejects "-".
        if value in (None, STDOUT) and flag.dest != OUTPUT_FILE.dest:
            continue
        check_destination(value, inputs, flag.name)
        target = target_of(value)
        if target in written:
            other = written[target].name
            if target == STDOUT:
                problem = "standard output: name a file with one of them"
            else:
                problem = f"{value}: use two files"
            raise OptionError(f"{other} and {flag.name} both write {problem}")
        written[target] = flag


# --- Help and errors ------------------------------------------------------------------------------


def _unknown(name: str) -> str:
    if name.startswith("-"):
        return _option_first(name)
    from bleuet.messages import nearest
    from bleuet.metrics.catalogue import known_name

    if known_name(name.partition(":")[0]):
        return f"{name} is a metric: bleuet score REF -i HYP -m {name}"
    hint = nearest(name, COMMANDS)
    return f"there is no command {name}{hint}; the commands are {', '.join(COMMANDS)}"


def _option_first(name: str) -> str:
    word = name.lstrip("-")
    if word in COMMANDS:
        return f"there is no option {name}: write the command without hyphens, as in bleuet {word}"
    flags = import_module(COMMANDS["score"][0]).COMMAND.flags
    known = any(name in flag.names for flag in flags)
    example = f"{name} ..." if known else "REF -i HYP"
    return f"the command comes first, then its options: bleuet score {example}"


ABOUT = """\
usage: bleuet COMMAND ...

Score machine translation, or any generated text, against references.
"""
FIRST_STEPS = f"""\
{ABOUT}
A file has one segment per line. Start with one of these:

  bleuet tutorial                             try the commands on example files
  bleuet lint ref.txt -i system.txt           find problems in the files
  bleuet score ref.txt -i system.txt          print the BLEU score
  bleuet score ref.txt -i a.txt b.txt -m bleu chrf ter
                                              score two systems by three metrics
  bleuet significance ref.txt -i a.txt b.txt  test whether they differ
  bleuet serve                                score a sentence in the browser

bleuet --help lists all commands, and bleuet doctor what is installed here.
"""


def usage() -> str:
    """Return the help of the whole command."""
    groups = "".join(
        f"\n{title}:\n" + "".join(f"  {name:<13} {summary}\n" for name, (_, summary) in own.items())
        for title, own in COMMAND_GROUPS.items()
    )
    return (
        f"{ABOUT}{groups}\nbleuet COMMAND --help explains a command; so does bleuet help COMMAND.\n"
    )


def _message(error: BleuetError) -> str:
    """Return an error's message, with an option as the command line spells it."""
    if error.option and not error.metric:
        return error.naming(f"--{error.option.replace('_', '-')}")
    if isinstance(error, MismatchError):
        return f"{error}, or add --allow-mismatch if you know why"
    from bleuet.metrics.catalogue import spelled

    return spelled(error)


if __name__ == "__main__":
    run()
