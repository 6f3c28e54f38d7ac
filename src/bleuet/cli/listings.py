"""`bleuet metrics` and `bleuet tokenizers`: what there is to choose from."""

from __future__ import annotations

import sys

from bleuet.cli.arguments import Parser
from bleuet.cli.given import flag_of, options_of
from bleuet.metrics.catalogue import CATALOGUE, PRESETS
from bleuet.text.tokenizers import BY_LANGUAGE, SPM_PREFIX, TOKENIZERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(command: str, arguments: Sequence[str]) -> int:
    """Print the listing and return the exit code."""
    summary = f"List the {command} that bleuet knows."
    parser = Parser(prog=f"bleuet {command}", description=summary)
    parser.read(arguments)
    sys.stdout.write(metrics() if command == "metrics" else tokenizers())
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


def tokenizers() -> str:
    """Return the tokenizers, with the target languages that choose them."""
    languages = {name: language for language, name in BY_LANGUAGE.items()}
    lines = []
    for name, tokenizer in TOKENIZERS.items():
        chosen = f" (chosen by -l xx-{languages[name]})" if name in languages else ""
        lines.append(f"{name:<12} {tokenizer.summary}{chosen}")
    lines.append(f"{SPM_PREFIX + 'FILE':<12} pieces of the SentencePiece model in FILE")
    return "\n".join(lines) + "\n"
