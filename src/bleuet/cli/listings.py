"""`bleuet metrics`: the metrics and their options."""

from __future__ import annotations

import sys

from bleuet.cli.arguments import Parser
from bleuet.cli.given import flag_of, options_of
from bleuet.metrics.catalogue import CATALOGUE, PRESETS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(command: str, arguments: Sequence[str]) -> int:
    """Print the listing and return the exit code."""
    summary = f"List the {command} that bleuet knows."
    parser = Parser(prog=f"bleuet {command}", description=summary)
    parser.read(arguments)
    sys.stdout.write(metrics())
    return 0


def metrics() -> str:
    """Return the metrics, each with its options as the command line spells them."""
    lines = []
    for name, entry in CATALOGUE.items():
        lines.append(f"{name}  {entry.summary}")
        for option in options_of(entry.load()):
            flag = flag_of(entry.flag, option)
            lines.append(f"    {flag:<32} {option.help}")
    for name, (base, options) in PRESETS.items():
        kind = {option.name: option for option in options_of(CATALOGUE[base].load())}
        flags = [f"{flag_of(CATALOGUE[base].flag, kind[key])} {options[key]}" for key in options]
        lines.append(f"{name}  {base} with {' '.join(flags)}")
    return "\n".join(lines) + "\n"
