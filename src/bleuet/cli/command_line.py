"""Reading a command's arguments: without a parser where they are plain, and validated."""

from __future__ import annotations

import os

from bleuet.cli.options import METRICS, OUTPUT_FILE, REFERENCES, SEED, STDIN, SYSTEMS, Arguments
from bleuet.errors import OptionError
from bleuet.output.destination import check_destination
from bleuet.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.cli.options import Command, Flag


def read_arguments(command: Command, words: Sequence[str]) -> Arguments:
    """Return the arguments of a command, validated flag by flag; --help raises SystemExit.

    Args:
        command: the command, which declares the flags.
        words: what the user typed behind the command's name.

    Raises:
        OptionError: an option is unknown, or a value is not of its kind or out of range.
        InputError: an output cannot be written.
    """
    args = _read_plain(command, words)
    if args is None:
        # argparse takes longer to import than scoring a test set takes.
        from bleuet.cli.parser import parse

        args = parse(command, words)
    _check(args)
    return args


def _read_plain(command: Command, words: Sequence[str]) -> Arguments | None:
    """Read `REF ... [-i HYP ...] [-m METRIC ...]` without a parser; None for anything else."""
    known = {flag.dest for flag in command.flags}
    if REFERENCES.dest not in known:
        return None
    lists = {
        name: flag.dest for flag in (SYSTEMS, METRICS) if flag.dest in known for name in flag.names
    }
    args = Arguments(command, words)
    values: list[str] = []
    setattr(args, REFERENCES.dest, values)
    alone = False  # whether the last word was -i or -m, which needs a value
    for word in words:
        if word in lists:
            if alone:
                return None
            values = getattr(args, lists[word]) or []
            setattr(args, lists[word], values)
            alone = True
        elif word.startswith("-") and word != STDIN:
            return None
        else:
            values.append(word)
            alone = False
    return None if alone else args


def _check(args: Arguments) -> None:
    changed: set[str] = set()
    read: list[str] = []
    for flag in args.command.flags:
        value = getattr(args, flag.dest)
        if value != flag.default:
            changed.add(flag.dest)
            flag.check(value)
            if flag.reads:
                read += flag.files(value)
    args.set_flags = frozenset(changed)
    if read.count(STDIN) > 1:
        raise OptionError("standard input can be read only once: pass the others as files")
    if SEED.dest in vars(args) and SEED.dest not in changed:
        # It is read from the environment where a command uses it, and only there.
        delattr(args, SEED.dest)
    _check_outputs(args, read)


def _check_outputs(args: Arguments, read: Sequence[str]) -> None:
    inputs = [Source.parse(path).path for path in read]
    written: dict[str, Flag] = {}
    for flag in args.command.flags:
        if not flag.writes:
            continue
        value = getattr(args, flag.dest)
        if value is not None or flag.dest == OUTPUT_FILE.dest:
            check_destination(value, inputs, flag.name)
        if value is None:
            continue
        path = value if value == STDIN else os.path.realpath(value)
        if path in written:
            other = written[path].name
            raise OptionError(f"{other} and {flag.name} both write {value}: use two files")
        written[path] = flag
