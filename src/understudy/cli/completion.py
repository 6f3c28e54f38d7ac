"""`understudy completion`: a script that teaches a shell the command's words."""

from __future__ import annotations

import sys

from understudy.cli.arguments import Formatter, Parser, score_parser
from understudy.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SHELLS = ("bash", "zsh", "tcsh")


def main(command: str, arguments: Sequence[str]) -> int:
    """Print the script and return the exit code."""
    parser = Parser(
        prog="understudy completion",
        description="Print a completion script, for example:\n\n"
        "  understudy completion bash > ~/.local/share/bash-completion/completions/understudy",
        formatter_class=Formatter,
    )
    parser.add_argument("shell", choices=SHELLS, help="the shell to write for")
    shell = parser.parse_args(arguments).shell
    sys.stdout.write(optional("shtab").complete(whole_parser(), shell))
    return 0


def whole_parser() -> Parser:
    """Return a parser of all commands, which only completion needs."""
    from understudy.cli.main import COMMANDS

    parser = Parser(prog="understudy", formatter_class=Formatter)
    parser.add_argument("-V", "--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(dest="command")
    for name, (_, summary) in COMMANDS.items():
        if name == "score":
            commands.add_parser(name, help=summary, parents=[score_parser()], add_help=False)
        else:
            commands.add_parser(name, help=summary)
    return parser
