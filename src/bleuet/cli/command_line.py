"""Reading a command's arguments: without a parser where they are plain, and validated."""

from __future__ import annotations

from bleuet.cli.options import METRICS, OUTPUT_FILE, REFERENCES, SEED, STDIN, SYSTEMS, Arguments
from bleuet.errors import OptionError
from bleuet.output.destination import check_destination
from bleuet.statistics.seed import default_seed
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
    lists = {
        name: flag.dest
        for flag in (SYSTEMS, METRICS)
        if flag in command.flags
        for name in flag.names
    }
    if REFERENCES not in command.flags:
        return None
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
    flags = args.command.flags
    for flag in flags:
        flag.check(getattr(args, flag.dest))
    read = [path for flag in flags if flag.reads for path in flag.files(getattr(args, flag.dest))]
    if read.count(STDIN) > 1:
        raise OptionError("standard input can be read only once: pass the others as files")
    if getattr(args, SEED.dest, 0) is None:
        setattr(args, SEED.dest, default_seed())
    _check_outputs(args, [Source.parse(path).path for path in read])


def _check_outputs(args: Arguments, read: Sequence[str]) -> None:
    written: dict[str, Flag] = {}
    for flag in args.command.flags:
        if not flag.writes:
            continue
        value = getattr(args, flag.dest)
        if value is not None and value in written:
            other = written[value].name
            raise OptionError(f"{other} and {flag.name} both write {value}: use two files")
        if value is not None or flag.dest == OUTPUT_FILE.dest:
            check_destination(value, read, flag.name)
        if value is not None:
            written[value] = flag
