"""The parser of `bleuet score`; every metric's options come from the catalogue."""

from __future__ import annotations

import argparse
import os

from bleuet.cli.given import FORMATS, METRICS, Given, flag_of, options_of
from bleuet.errors import OptionError
from bleuet.messages import nearest
from bleuet.metrics.catalogue import CATALOGUE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn, TypeAlias, TypeVar

    from bleuet.metrics.option import Option

    Add: TypeAlias = Callable[..., argparse.Action]
    GivenT = TypeVar("GivenT")

DESCRIPTION = """\
Score one or more systems against references.

Files hold one segment per line, in UTF-8, and line i of every file belongs to
segment i. Compressed files (.gz, .zst, .bz2, .xz) are read as they are, - is
standard input. A table's column is named behind a colon: data.tsv:2,
data.tsv:reference, data.jsonl:hyp, data.parquet:ref."""

EXAMPLES = """\
examples:
  bleuet score ref.txt -i system.txt
  bleuet score ref1.txt ref2.txt -i a.txt b.txt -m bleu chrf++ ter
  bleuet score ref.ja.txt -i out.ja.txt -l en-ja
  bleuet score data.tsv:ref -i data.tsv:hyp --sentence-level -f jsonl
  zcat out.gz | bleuet score ref.txt -i -
  bleuet score ref.txt -i a.txt b.txt --confidence
  bleuet score ref.txt -i a.txt b.txt --save-table ab.parquet
  bleuet score --from-table ab.parquet --segments 1-500

exit codes: 0 done, 1 input that cannot be scored, 2 wrong usage, 130 Ctrl-C"""


class Formatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal, up to 100 columns.

    argparse makes a formatter for every argument that is added, and the default one imports a
    module for the terminal's width.
    """

    def __init__(self, prog: str) -> None:
        width = min(max(_terminal_width(), 50), 100)
        super().__init__(prog, max_help_position=32 if width >= 80 else 20, width=width)


def _terminal_width() -> int:
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal():
        return int(columns)
    try:
        return os.get_terminal_size(1).columns or 100
    except OSError:
        return 100


class Suggestions(tuple[str, ...]):
    """Words that completion offers and that help shows, without refusing others."""

    __slots__ = ()

    def __contains__(self, word: object) -> bool:
        return True


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one sentence: what was expected, what came, how to mend it.

    Args:
        stray: what to say of a word that stands where none is read.
        **settings: those of `argparse.ArgumentParser`.
    """

    def __init__(self, *, stray: str = "leave it out", **settings: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=Formatter, **settings)
        self.exit_on_error = False
        self.stray = stray

    def read(self, arguments: Sequence[str]) -> Given:
        """Return the arguments by name; errors as of `fill`."""
        return self.fill(Given(), arguments)

    def fill(self, given: GivenT, arguments: Sequence[str]) -> GivenT:
        """Set the arguments by name in `given`, and return it.

        Raises:
            OptionError: there is an option that does not exist, a word that belongs nowhere, or
                a value that does not fit.
        """
        try:
            _, rest = self.parse_known_args(arguments, given)
        except argparse.ArgumentError as error:
            self._refuse_value(error)
        if rest:
            self._refuse_rest(rest)
        return given

    def _refuse_value(self, error: argparse.ArgumentError) -> NoReturn:
        name = (error.argument_name or "").rpartition("/")[2]
        action = self._option_string_actions.get(name)
        if action is not None and error.message.startswith("expected "):
            many = "at least one" if action.nargs == "+" else "one"
            raise OptionError(f"{name} stands alone; expected {many} {action.metavar} behind it")
        if action is not None and action.nargs == 0:
            raise OptionError(f"{name} takes no value; write {name} by itself")
        raise OptionError(f"{name} {error.message}")

    def _refuse_rest(self, rest: list[str]) -> NoReturn:
        option = next((word for word in rest if word.startswith("-") and word != "-"), None)
        if option is None:
            raise OptionError(f"{rest[0]} stands where no word is read: {self.stray}")
        name = option.partition("=")[0]
        known = [flag for flag in self._option_string_actions if flag.startswith("--")]
        hint = nearest(name, known) if name.startswith("--") else ""
        raise OptionError(f"there is no option {name}{hint}; {self.prog} --help lists them")

    def print_help(self, file: Any = None) -> None:
        """Print the help; argparse's own passes over a full disk in silence."""
        print(self.format_help(), end="", file=file)

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the whole usage."""
        raise OptionError(f"{message}; {self.prog} --help tells more")


def score_parser(prog: str = "bleuet score") -> Parser:
    """Return the parser of `bleuet score`."""
    parser = Parser(
        prog=prog,
        usage=f"{prog} REF [REF ...] -i HYP [HYP ...] [option ...]\n"
        f"       {prog} --from-table FILE [FILE ...] [option ...]",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        stray="write the references first and the systems right behind -i, "
        f"as in {prog} REF -i HYP HYP",
    )
    add_files(parser, "a file of hypotheses for each system (default: standard input)")
    add = add_metrics(parser, default="bleu")
    add("-s", "--sentence-level", action="store_true", help="score every segment by itself")
    add = add_output(parser, FORMATS, "text, which is a table on a terminal")
    add(
        "-w", "--width", type=whole_number, metavar="N", default=None,
        help="digits after the decimal point (default: 2; json and jsonl: all)",
    )  # fmt: skip
    add("-b", "--score-only", action="store_true", help="print nothing but the numbers")
    add("--cumulative", action="store_true", help="show BLEU-1 to BLEU-n besides BLEU")
    _add_intervals(parser)
    _add_saved_tables(parser)
    add_computing(parser)
    add_metric_options(parser)
    return parser


def add_files(parser: Parser, systems: str) -> Add:
    """Add references and systems to a parser; return how to add more to their group."""
    add = parser.add_argument_group("input").add_argument
    # Not "+", whose error would say nothing of the commonest cause: -i took the references.
    add("references", nargs="*", metavar="REF", help="a file with one reference per segment")
    add(
        "-i", "--input", nargs="+", action="extend", metavar="HYP", default=None,
        help=systems,
    )  # fmt: skip
    return add


def add_metrics(parser: Parser, default: str, more: str = "") -> Add:
    """Add the choice of metrics to a parser; return how to add more to its group.

    Args:
        parser: the parser.
        default: what is chosen where nothing is asked for.
        more: what can be named besides metrics.
    """
    add = parser.add_argument_group("metrics").add_argument
    add(
        "-m", "--metrics", nargs="+", action="extend", metavar="METRIC", default=None,
        choices=Suggestions(METRICS),
        help=f"one or more of {', '.join(METRICS)}{more} (default: {default})",
    )  # fmt: skip
    add_language_pair(add)
    return add


def add_language_pair(add: Add) -> None:
    """Add the pair of languages."""
    add(
        "-l", "--language-pair", metavar="SRC-TRG", default=None,
        help="such as en-ja: chooses the tokenizer that fits the target language",
    )  # fmt: skip


def add_output(parser: Parser, formats: Sequence[str], default: str) -> Add:
    """Add what concerns the output to a parser; return how to add more to its group."""
    add = parser.add_argument_group("output").add_argument
    add_format(add, formats, default)
    add("--short", action="store_true", help="print signatures with short keys")
    add_destination(add)
    add("-q", "--quiet", action="store_true", help="no progress bar, no warnings")
    return add


def add_format(add: Add, formats: Sequence[str], default: str = "text") -> None:
    """Add the choice of a format."""
    add(
        "-f", "--format", type=one_of(formats), choices=formats, default=None,
        metavar="FORMAT", help=f"{', '.join(formats)} (default: {default})",
    )  # fmt: skip


def add_destination(add: Add) -> None:
    """Add the file to write to."""
    add("-o", "--output", metavar="FILE", default=None, help="write to FILE, all or nothing")


def add_computing(parser: Parser) -> Add:
    """Add the number of threads to a parser; return how to add more to its group."""
    add = parser.add_argument_group("computing").add_argument
    add_threads(add)
    return add


def add_threads(add: Add) -> None:
    """Add the number of threads."""
    add(
        "-t", "--threads", type=whole_number, metavar="N", default=1,
        help="threads, 0 for one per core (default: 1); the numbers are the same",
    )  # fmt: skip


def _add_intervals(parser: Parser) -> None:
    add = parser.add_argument_group("intervals").add_argument
    add(
        "--confidence", action="store_true",
        help="draw test sets with repetition, and tell where 95%% of their scores lie",
    )  # fmt: skip
    add(
        "--draws", type=whole_number, metavar="N", dest="interval_draws", default=None,
        help="how many (default: 1000)",
    )  # fmt: skip
    add(
        "--seed", type=whole_number, metavar="N", dest="interval_seed", default=None,
        help="what they begin from (default: SACREBLEU_SEED, or 12345)",
    )  # fmt: skip


def _add_saved_tables(parser: Parser) -> None:
    add = add_saved_tables(parser, "score")
    add(
        "--save-table", metavar="FILE", default=None,
        help="keep what was counted, to score it again without the texts",
    )  # fmt: skip


def add_saved_tables(parser: Parser, verb: str) -> Add:
    """Add saved tables as input to a parser; return how to add more to their group."""
    add = parser.add_argument_group("saved tables (Parquet files)").add_argument
    add(
        "--from-table", nargs="+", action="extend", metavar="FILE", default=None,
        help=f"{verb} saved tables; -m, and -i with names of systems, choose among what is there",
    )  # fmt: skip
    add(
        "--append", action="store_true",
        help="the saved tables hold further segments of the same systems, not other systems",
    )  # fmt: skip
    add(
        "--segments", metavar="WHICH", default=None,
        help=f"{verb} only these segments of saved tables: 1-100,205 or a file with one on each "
        "line",
    )  # fmt: skip
    return add


def add_metric_options(parser: Parser) -> None:
    """Add every option of every metric of the catalogue to a parser."""
    for name, entry in CATALOGUE.items():
        group = parser.add_argument_group(f"options of {name} ({entry.summary})")
        for option in options_of(entry.load()):
            _add_option(group, flag_of(entry.flag, option), entry.flag + option.name, option)


def _add_option(group: Any, flag: str, dest: str, option: Option) -> None:
    # Defaults stay with the metric: only what the user gave is handed on.
    settings: dict[str, Any] = {"dest": dest, "default": None, "help": option.help}
    if isinstance(option.default, bool):
        action: Any = argparse.BooleanOptionalAction if option.depends else "store_true"
        group.add_argument(flag, action=action, **settings)
        return
    shown = "" if option.default is None else f" (default: {option.default})"
    settings["help"] = option.help + shown
    if isinstance(option.default, str):
        names = ", ".join(option.choices)
        settings["help"] = f"{option.help}: {names}{shown}"
        settings["choices"] = Suggestions(option.choices)
        group.add_argument(flag, metavar="NAME", **settings)
        return
    several = {"nargs": "+"} if option.many else {}
    group.add_argument(flag, type=number, metavar="N", **several, **settings)


# --- Values ---------------------------------------------------------------------------------------


def number(text: str) -> int | float:
    """Read a whole or a decimal number; whether it fits is the metric's to say."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    raise argparse.ArgumentTypeError(f"must be a number, not {text!r}")


def whole_number(text: str) -> int:
    """Read a whole number."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be a whole number, not {text!r}") from None


def zero_or_one(text: str) -> int:
    """Read the number that a first segment can have."""
    return int(one_of(("0", "1"))(text))


def one_of(names: Sequence[str]) -> Callable[[str], str]:
    """Return a reader of one of some names, which tells the nearest to a misspelt one."""

    def read(text: str) -> str:
        if text in names:
            return text
        raise argparse.ArgumentTypeError(
            f"must be one of {', '.join(names)}, not {text!r}{nearest(text, names)}"
        )

    return read
