"""`bleuet completion`: a script for a shell that completes the command's words."""

from __future__ import annotations

from importlib import import_module

from bleuet.cli.options import OUTPUT_FILE, Command, Flag
from bleuet.cli.parser import Parser, Suggestions
from bleuet.errors import MissingExtraError
from bleuet.extras import optional
from bleuet.output.answer import Answer
from bleuet.output.document import Document

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import ArgumentParser
    from collections.abc import Mapping
    from typing import IO

    from bleuet.cli.options import Arguments
    from bleuet.output.settings import Settings

SHELLS = ("bash", "zsh", "fish", "tcsh")
SHELL = Flag("shell", choices=SHELLS, help="the shell")
COMMAND = Command(
    "completion",
    "Print a script that completes bleuet commands in a shell, for example:\n\n"
    "  bleuet completion bash \\\n"
    "    > ~/.local/share/bash-completion/completions/bleuet",
    ["SHELL"],
    {"shell": (SHELL,), "output": (OUTPUT_FILE,)},
    common=False,
)


def answer(args: Arguments) -> CompletionScript:
    """Return the script."""
    parser = whole_parser(args.commands)
    return CompletionScript(optional("shtab").complete(parser, args.shell))


class CompletionScript(Answer):
    """A script for a shell."""

    __slots__ = ("script",)

    def __init__(self, script: str) -> None:
        self.script = script

    def document(self) -> Document:
        """Return the script as data."""
        return Document(data={"script": self.script})

    def write(self, out: IO[str], format: str, settings: Settings) -> None:  # noqa: A002
        """Write the script as it is."""
        out.write(self.script)


def whole_parser(modules: Mapping[str, tuple[str, str]]) -> ArgumentParser:
    """Return a parser of all commands.

    Args:
        modules: the module and summary of each command, by its name.
    """
    from argparse import ArgumentParser

    parser = ArgumentParser(prog="bleuet")
    parser.add_argument("-V", "--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(dest="command")
    for name, (module, summary) in modules.items():
        command = _command(module)
        parents = [] if command is None else [_parser(command)]
        commands.add_parser(name, help=summary, add_help=not parents, parents=parents)
    explained = commands.add_parser("help", help="explain a command", add_help=False)
    explained.add_argument("name", choices=tuple(modules), help="the command")
    return parser


def _command(module: str) -> Command | None:
    """Return the declaration of a command, None where its libraries are not installed."""
    try:
        command: Command | None = getattr(import_module(module), "COMMAND", None)
        return command
    except MissingExtraError:
        return None


def _parser(command: Command) -> Parser:
    """Return a command's parser, whose options know which of their values are files."""
    parser = Parser(command, every_flag=True)
    files = {flag.dest for flag in command.flags if flag.reads or flag.writes}
    for action in parser._actions:
        if action.dest in files:
            action.complete = optional("shtab").FILE  # type: ignore[attr-defined]
        elif isinstance(action.choices, Suggestions):
            action.choices = list(action.choices)
    return parser
