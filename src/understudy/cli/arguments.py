"""The arguments of `understudy score`; every metric's options come from the catalogue."""

from __future__ import annotations

import argparse
import os
import sys

from understudy.errors import OptionError
from understudy.metrics.catalogue import CATALOGUE, PRESETS, find_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from understudy.metrics.metric import Metric
    from understudy.metrics.option import Option

FORMATS = ("text", "json", "jsonl", "csv", "latex", "markdown")

DESCRIPTION = """\
Score one or more systems against references.

Files hold one segment per line, in UTF-8; .gz, .zst, .bz2 and .xz are read as they are, - is
standard input. A column of a table is written behind a colon: data.tsv:2, data.tsv:reference,
data.jsonl:hyp, data.parquet:ref. References and hypotheses must have as many segments."""

EXAMPLES = """\
examples:
  understudy score ref.txt -i system.txt
  understudy score ref1.txt ref2.txt -i a.txt b.txt -m bleu chrf++ ter --format markdown
  understudy score ref.ja.txt -i out.ja.txt -l en-ja
  understudy score data.tsv:ref -i data.tsv:hyp --sentence-level --format jsonl
  zcat out.gz | understudy score ref.txt -i -"""


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal, asked for only when help is printed.

    argparse makes a formatter for every argument that is added, and the default one imports a
    module for the terminal's width each time.
    """

    def __init__(self, prog: str) -> None:
        columns = os.environ.get("COLUMNS", "")
        width = int(columns) if columns.isdigit() else 100
        super().__init__(prog, max_help_position=32, width=max(60, min(width, 100)))


class Parser(argparse.ArgumentParser):
    """A parser whose errors are understudy's: one line, and exit code 2."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the whole usage."""
        raise OptionError(f"{message}; {self.prog} --help tells more")


def score_parser(prog: str = "understudy score") -> Parser:
    """Return the parser of `understudy score`."""
    parser = Parser(
        prog=prog,
        usage=f"{prog} REF [REF ...] -i HYP [HYP ...] [-m METRIC ...] [option ...]",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=Formatter,
        allow_abbrev=False,
    )
    add = parser.add_argument_group("input").add_argument
    add("references", nargs="+", metavar="REF", help="a file with one reference per segment")
    add(
        "-i", "--input", nargs="+", metavar="HYP", default=None,
        help="a file of hypotheses for each system (default: standard input)",
    )  # fmt: skip
    add = parser.add_argument_group("metrics").add_argument
    add(
        "-m", "--metrics", nargs="+", metavar="METRIC", default=["bleu"],
        help=f"one or more of {', '.join([*CATALOGUE, *PRESETS])} (default: bleu)",
    )  # fmt: skip
    add(
        "-l", "--language-pair", metavar="SRC-TRG", default=None,
        help="such as en-ja: chooses the tokenizer that fits the target language",
    )  # fmt: skip
    add("-s", "--sentence-level", action="store_true", help="score every segment by itself")
    add = parser.add_argument_group("output").add_argument
    add(
        "-f", "--format", choices=FORMATS, default="text", metavar="FORMAT",
        help=f"{', '.join(FORMATS)} (default: text, which is a table on a terminal)",
    )  # fmt: skip
    add(
        "-w", "--width", type=int, metavar="N", default=None,
        help="digits after the decimal point (default: 2; json and jsonl: all)",
    )  # fmt: skip
    add("-b", "--score-only", action="store_true", help="print nothing but the numbers")
    add("--cumulative", action="store_true", help="show BLEU-1 to BLEU-n besides BLEU")
    add("--short", action="store_true", help="print signatures with short keys")
    add("-o", "--output", metavar="FILE", default=None, help="write to FILE, all or nothing")
    add("-q", "--quiet", action="store_true", help="no progress bar, no warnings")
    add = parser.add_argument_group("computing").add_argument
    add(
        "-t", "--threads", type=int, metavar="N", default=1,
        help="threads, 0 for one per core (default: 1); the numbers are the same",
    )  # fmt: skip
    for name, entry in CATALOGUE.items():
        group = parser.add_argument_group(f"options of {name} ({entry.summary})")
        for option in options_of(entry.load()):
            _add_option(group, entry.flag, option)
    return parser


def options_of(metric: type[Metric]) -> list[Option]:
    """Return the options of a metric that the command line has."""
    return [option for option in metric.options if option.on_command_line]


def _add_option(group: Any, prefix: str, option: Option) -> None:
    flag = f"--{prefix}{option.name.replace('_', '-')}"
    # Defaults stay with the metric: only what the user gave is handed on.
    settings: dict[str, Any] = {"dest": prefix + option.name, "default": None, "help": option.help}
    if isinstance(option.default, bool):
        group.add_argument(flag, action="store_true", **settings)
        return
    shown = "" if option.default is None else f" (default: {option.default})"
    settings["help"] = option.help + shown
    if isinstance(option.default, str):
        names = ", ".join(option.choices)
        settings["help"] = f"{option.help}: {names}{shown}"
        group.add_argument(flag, metavar="NAME", **settings)
        return
    several = {"nargs": "+"} if option.many else {}
    group.add_argument(flag, type=number, metavar="N", **several, **settings)


def number(text: str) -> int | float:
    """Read a whole or a decimal number; whether it fits is the metric's to say."""
    try:
        return int(text)
    except ValueError:
        return float(text)


def make_metrics(given: argparse.Namespace) -> list[Metric]:
    """Return the metrics that the arguments ask for, in the order given.

    Raises:
        OptionError: a metric or option does not exist, comes twice, or belongs to a metric that
            was not asked for.
    """
    options = vars(given)
    language = _target_language(given.language_pair)
    used: set[str] = set()
    metrics: list[Metric] = []
    for asked in given.metrics:
        name, preset = PRESETS.get(asked.lower(), (asked, {}))
        kind = find_metric(name)
        prefix = CATALOGUE[name.lower()].flag
        chosen: dict[str, Any] = dict(preset)
        for option in options_of(kind):
            value = options[prefix + option.name]
            if value is not None:
                chosen[option.name] = value
                used.add(prefix + option.name)
        suited = kind.suited_to(language=language, sentences=given.sentence_level)
        metric = kind(**{**suited, **chosen})
        if metric in metrics:
            raise OptionError(f"the metric {asked} was asked for twice; name it once")
        metrics.append(metric)
    _refuse_unused(options, used, given.metrics)
    return metrics


def _target_language(pair: str | None) -> str:
    if pair is None:
        return ""
    source, dash, target = pair.partition("-")
    if not (source and dash and target):
        raise OptionError(f"a language pair is written like en-ja, not {pair!r}")
    return target


def _refuse_unused(options: dict[str, Any], used: set[str], asked: Sequence[str]) -> None:
    for name, entry in CATALOGUE.items():
        for option in options_of(entry.load()):
            dest = entry.flag + option.name
            if options[dest] is not None and dest not in used:
                flag = f"--{dest.replace('_', '-')}"
                raise OptionError(
                    f"{flag} is an option of {name}, which is not among the metrics "
                    f"({' '.join(asked)}): add it to -m, or leave the option out"
                )


def on_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()
