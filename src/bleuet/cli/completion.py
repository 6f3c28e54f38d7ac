"""`bleuet completion`: a script for a shell that completes the command's words."""

from __future__ import annotations

import sys
from importlib import import_module

from bleuet.cli.command_line import read_arguments
from bleuet.cli.options import Command, Flag
from bleuet.cli.parser import Parser, Suggestions
from bleuet.errors import MissingExtraError
from bleuet.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Sequence

SHELLS = ("bash", "zsh", "tcsh")
SHELL = Flag("shell", choices=SHELLS, help="the shell")
COMPLETION = Command(
    "completion",
    "Print a completion script, for example:\n\n"
    "  bleuet completion bash \\\n"
    "    > ~/.local/share/bash-completion/completions/bleuet",
    ["SHELL"],
    {"shell": (SHELL,)},
    common=False,
)


def main(words: Sequence[str]) -> int:
    """Print the script and return the exit code."""
    args = read_arguments(COMPLETION, words)
    sys.stdout.write(optional("shtab").complete(whole_parser(), args.shell))
    return 0


def whole_parser() -> ArgumentParser:
    """Return a parser of all commands, which only completion needs."""
    from argparse import ArgumentParser

    from bleuet.cli.main import COMMANDS

    parser = ArgumentParser(prog="bleuet")
    parser.add_argument("-V", "--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(dest="command")
    for name, (module, summary) in COMMANDS.items():
        command = _command(name, module)
        parents = [] if command is None else [_parser(command)]
        commands.add_parser(name, help=summary, add_help=not parents, parents=parents)
    return parser


def _command(name: str, module: str) -> Command | None:
    """Return the declaration of a command, None where its libraries are not installed."""
    if name == COMPLETION.name:
        return COMPLETION
    try:
        command: Command | None = getattr(import_module(module), "COMMAND", None)
        return command
    except MissingExtraError:
        return None


def _parser(command: Command) -> Parser:
    """Return a command's parser, whose options know which of their values are files."""
    parser = Parser(command)
    files = {flag.dest for flag in command.flags if flag.reads or flag.writes}
    for action in parser._actions:
        if action.dest in files:
            action.complete = optional("shtab").FILE  # type: ignore[attr-defined]
        elif isinstance(action.choices, Suggestions):
            action.choices = list(action.choices)
    return parser
