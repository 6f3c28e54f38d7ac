"""`bleuet completion`: a script that teaches a shell the command's words."""

from __future__ import annotations

import sys

from bleuet.cli.arguments import Parser, Suggestions, one_of, score_parser
from bleuet.cli.compare.arguments import compare_parser
from bleuet.cli.explain import explain_parser
from bleuet.cli.lint import lint_parser
from bleuet.cli.significance.arguments import significance_parser
from bleuet.errors import MissingExtraError
from bleuet.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

SHELLS = ("bash", "zsh", "tcsh")
FILES = (
    *("references", "input", "output", "source", "training", "human", "picture", "scatter"),
    *("labels", "frequencies", "word_lists", "reference_labels", "system_labels"),
    *("save_table", "from_table", "segments", "baseline", "ref", "summary"),
)


def main(command: str, arguments: Sequence[str]) -> int:
    """Print the script and return the exit code."""
    shell: str = vars(completion_parser().read(arguments))["shell"]
    sys.stdout.write(optional("shtab").complete(whole_parser(), shell))
    return 0


def completion_parser() -> Parser:
    """Return the parser of `bleuet completion`."""
    parser = Parser(
        prog="bleuet completion",
        description="Print a completion script, for example:\n\n"
        "  bleuet completion bash \\\n"
        "    > ~/.local/share/bash-completion/completions/bleuet",
    )
    add = parser.add_argument
    add("shell", type=one_of(SHELLS), choices=SHELLS, help="the shell to write for")
    return parser


def whole_parser() -> Parser:
    """Return a parser of all commands, which only completion needs."""
    from bleuet.cli.gate.command import gate_parser
    from bleuet.cli.main import COMMANDS

    file = optional("shtab").FILE
    parser = Parser(prog="bleuet")
    parser.add_argument("-V", "--version", action="store_true", help="print the version")
    commands = parser.add_subparsers(dest="command")
    parents = {
        "score": score_parser(),
        "compare": compare_parser(),
        "significance": significance_parser(),
        "gate": gate_parser(),
        "explain": explain_parser(),
        "lint": lint_parser(),
        "completion": completion_parser(),
        **_studies(),
    }
    for name, (_, summary) in COMMANDS.items():
        known = [parents[name]] if name in parents else []
        commands.add_parser(name, help=summary, parents=known, add_help=not known)
    for action in [action for known in parents.values() for action in known._actions]:
        if action.dest in FILES:
            action.complete = file  # type: ignore[attr-defined]
        elif isinstance(action.choices, Suggestions):
            action.choices = list(action.choices)
    return parser


def _studies() -> dict[str, Parser]:
    """The parsers whose choices come from studies, where their libraries are installed."""
    try:
        from bleuet.cli.meta.arguments import meta_parser
    except MissingExtraError:
        return {}
    return {"meta": meta_parser()}
