"""A page for each command, made of the flags that it declares."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from importlib import import_module
from typing import TYPE_CHECKING

from bleuet.cli.main import COMMAND_GROUPS, COMMANDS, main

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bleuet.cli.options import Command, Flag

FOLDER = "reference/commands"
# The guide of a command, if it has one of its own.
GUIDES = {
    "align": "align.md",
    "compare": "comparison.md",
    "diversity": "diversity.md",
    "doctor": "",
    "explain": "explain.md",
    "gate": "gate.md",
    "history": "gate.md",
    "lint": "lint.md",
    "matrix": "mbr.md",
    "mbr": "mbr.md",
    "meta": "meta-evaluation.md",
    "metrics": "metrics.md",
    "sacrebleu": "sacrebleu.md",
    "serve": "page.md",
    "significance": "significance.md",
    "tokenizers": "metrics/tokenizers.md",
    "tutorial": "start.md",
    "tune": "tuning.md",
}


def pages() -> dict[str, str]:
    """Return the Markdown of each page by its path in the documentation."""
    own = {f"{FOLDER}/{name}.md": _page(name) for name in COMMANDS}
    return {f"{FOLDER}/index.md": _index(), **own}


def _index() -> str:
    lines = [
        "# Commands",
        "",
        "`bleuet COMMAND --help` prints what these pages show. Every command but "
        f"{_listed([f'`{name}`' for name in COMMANDS if not _writes_documents(name)])}",
        "writes text, Markdown, LaTeX, CSV, JSON, JSON Lines and HTML.",
        "",
    ]
    for title, group in COMMAND_GROUPS.items():
        lines += [f"## {title.capitalize()}", "", "| command | what it does |", "|---|---|"]
        lines += [f"| [{name}]({name}.md) | {summary} |" for name, (_, summary) in group.items()]
        lines.append("")
    return "\n".join(lines)


def _listed(names: list[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _writes_documents(name: str) -> bool:
    command = getattr(import_module(COMMANDS[name][0]), "COMMAND", None)
    return command is not None and bool(command.common)


def _page(name: str) -> str:
    module_name, summary = COMMANDS[name]
    module = import_module(module_name)
    lines = [f"# bleuet {name}", ""]
    guide = GUIDES.get(name, "command-line.md")
    if hasattr(module, "COMMAND"):
        lines += _described(module.COMMAND)
    else:
        lines += [f"{summary.capitalize()}.", "", "```text", _help(name), "```", ""]
    if guide:
        lines += [f"Examples with their output are in [the guide](../../{guide}).", ""]
    return "\n".join(lines)


def _described(command: Command) -> Iterator[str]:
    yield from (_markdown(command.summary), "")
    usage = "\n".join(f"bleuet {command.name} {line}" for line in command.usage)
    yield from ("```text", usage, "```", "")
    for title, flags in command.all_groups.items():
        if flags:
            yield from (
                f"## {title[0].upper()}{title[1:]}",
                "",
                "| option | what it does |",
                "|---|---|",
            )
            yield from (f"| {_spelled(flag)} | {_explained(flag)} |" for flag in flags)
            yield ""
    if command.examples:
        yield from ("## Examples and exit codes", "", "```text", command.examples, "```", "")


def _spelled(flag: Flag) -> str:
    value = f" {flag.metavar}" if flag.metavar and flag.names[0].startswith("-") else ""
    many = " ..." if flag.many in ("+", "*") and value else ""
    names = flag.names if flag.names[0].startswith("-") else (flag.metavar or flag.names[0],)
    return "<br>".join(f"`{name}{value}{many}`".replace("|", "\\|") for name in names)


def _explained(flag: Flag) -> str:
    default = "" if flag.default is None else str(flag.default)
    text = _markdown(flag.help.replace("{default}", default)).replace("|", "\\|")
    if flag.choices:
        text += f" One of {', '.join(f'`{one}`' for one in flag.choices)}."
    return text


def _markdown(text: str) -> str:
    """Return text of --help as Markdown, in which `<` and `*` have no meaning of their own."""
    return text.replace("<", "&lt;").replace("*", "\\*")


def _help(name: str) -> str:
    out = io.StringIO()
    with redirect_stdout(out):
        main([name, "--help"])
    return out.getvalue().rstrip()
