"""The arguments of `understudy score`; every metric's options come from the catalogue."""

from __future__ import annotations

import argparse
import os

from understudy.errors import OptionError
from understudy.metrics.catalogue import CATALOGUE, PRESETS, find_metric
from understudy.metrics.option import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

    from understudy.metrics.metric import Metric
    from understudy.metrics.option import Option

FORMATS = ("text", "json", "jsonl", "csv", "latex", "markdown")
METRICS = (*CATALOGUE, *PRESETS)
MAX_WIDTH = 17

DESCRIPTION = """\
Score one or more systems against references.

Files hold one segment per line, in UTF-8, and line i of every file belongs to
segment i. Compressed files (.gz, .zst, .bz2, .xz) are read as they are, - is
standard input. A table's column is named behind a colon: data.tsv:2,
data.tsv:reference, data.jsonl:hyp, data.parquet:ref."""

EXAMPLES = """\
examples:
  understudy score ref.txt -i system.txt
  understudy score ref1.txt ref2.txt -i a.txt b.txt -m bleu chrf++ ter
  understudy score ref.ja.txt -i out.ja.txt -l en-ja
  understudy score data.tsv:ref -i data.tsv:hyp --sentence-level -f jsonl
  zcat out.gz | understudy score ref.txt -i -

exit codes: 0 done, 1 input that cannot be scored, 2 wrong usage, 130 Ctrl-C"""

# ISO 639-2 and 639-3 codes, as in FLORES, of the languages that have a tokenizer of their own.
_TWO_LETTERS = {"zho": "zh", "chi": "zh", "cmn": "zh", "jpn": "ja", "kor": "ko"}


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

    def read(self, arguments: Sequence[str]) -> argparse.Namespace:
        """Return the arguments by name.

        Raises:
            OptionError: there is an option that does not exist, a word that belongs nowhere, or
                a value that does not fit.
        """
        try:
            given, rest = self.parse_known_args(arguments)
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


def score_parser(prog: str = "understudy score") -> Parser:
    """Return the parser of `understudy score`."""
    parser = Parser(
        prog=prog,
        usage=f"{prog} REF [REF ...] -i HYP [HYP ...] [option ...]",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        stray="write the references first and the systems right behind -i, "
        f"as in {prog} REF -i HYP HYP",
    )
    add = parser.add_argument_group("input").add_argument
    # Not "+", whose error would say nothing of the commonest cause: -i took the references.
    add("references", nargs="*", metavar="REF", help="a file with one reference per segment")
    add(
        "-i", "--input", nargs="+", action="extend", metavar="HYP", default=None,
        help="a file of hypotheses for each system (default: standard input)",
    )  # fmt: skip
    add = parser.add_argument_group("metrics").add_argument
    add(
        "-m", "--metrics", nargs="+", action="extend", metavar="METRIC", default=None,
        choices=Suggestions(METRICS), help=f"one or more of {', '.join(METRICS)} (default: bleu)",
    )  # fmt: skip
    add(
        "-l", "--language-pair", metavar="SRC-TRG", default=None,
        help="such as en-ja: chooses the tokenizer that fits the target language",
    )  # fmt: skip
    add("-s", "--sentence-level", action="store_true", help="score every segment by itself")
    add = parser.add_argument_group("output").add_argument
    add(
        "-f", "--format", type=one_of(FORMATS), choices=FORMATS, default=None,
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)} (default: text, which is a table on a terminal)",
    )  # fmt: skip
    add(
        "-w", "--width", type=whole_number, metavar="N", default=None,
        help="digits after the decimal point (default: 2; json and jsonl: all)",
    )  # fmt: skip
    add("-b", "--score-only", action="store_true", help="print nothing but the numbers")
    add("--cumulative", action="store_true", help="show BLEU-1 to BLEU-n besides BLEU")
    add("--short", action="store_true", help="print signatures with short keys")
    add("-o", "--output", metavar="FILE", default=None, help="write to FILE, all or nothing")
    add("-q", "--quiet", action="store_true", help="no progress bar, no warnings")
    add = parser.add_argument_group("computing").add_argument
    add(
        "-t", "--threads", type=whole_number, metavar="N", default=1,
        help="threads, 0 for one per core (default: 1); the numbers are the same",
    )  # fmt: skip
    for name, entry in CATALOGUE.items():
        group = parser.add_argument_group(f"options of {name} ({entry.summary})")
        for option in options_of(entry.load()):
            _add_option(group, flag_of(entry.flag, option), entry.flag + option.name, option)
    return parser


def options_of(metric: type[Metric]) -> list[Option]:
    """Return the options of a metric that the command line has."""
    return [option for option in metric.options if option.on_command_line]


def flag_of(prefix: str, option: Option) -> str:
    """Return an option as the command line spells it, such as --chrf-word-order."""
    return f"--{prefix}{option.name.replace('_', '-')}"


def _add_option(group: Any, flag: str, dest: str, option: Option) -> None:
    # Defaults stay with the metric: only what the user gave is handed on.
    settings: dict[str, Any] = {"dest": dest, "default": None, "help": option.help}
    if isinstance(option.default, bool):
        group.add_argument(flag, action="store_true", **settings)
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


def one_of(names: Sequence[str]) -> Callable[[str], str]:
    """Return a reader of one of some names, which tells the nearest to a misspelt one."""

    def read(text: str) -> str:
        if text in names:
            return text
        raise argparse.ArgumentTypeError(
            f"must be one of {', '.join(names)}, not {text!r}{nearest(text, names)}"
        )

    return read


def check_values(given: argparse.Namespace) -> None:
    """Refuse what does not fit together, and fill in what was left out.

    Raises:
        OptionError: a number is out of range, two options exclude each other, no reference was
            given, or a name is empty.
    """
    _check_files(given)
    if given.width is not None and not 0 <= given.width <= MAX_WIDTH:
        raise OptionError(f"--width must be from 0 to {MAX_WIDTH}, not {given.width}")
    if given.threads < 0:
        raise OptionError(f"--threads must be 0, for one per core, or more, not {given.threads}")
    if given.score_only and given.format not in (None, "text"):
        raise OptionError(
            f"--score-only prints bare numbers: leave it out, or --format {given.format}"
        )
    given.format = given.format or "text"
    given.metrics = given.metrics or ["bleu"]


def _check_files(given: argparse.Namespace) -> None:
    systems = given.input or []
    if not given.references and len(systems) > 1:
        raise OptionError(
            f"no reference was given, for -i took all {len(systems)} files as systems: write the "
            f"reference before -i, or behind --, as in -i {systems[0]} -- {systems[-1]}"
        )
    if not given.references:
        raise OptionError(
            "no reference was given; expected a file with one per segment, as in "
            f"understudy score REF -i {systems[0] if systems else 'HYP'}"
        )
    if not all((*given.references, *systems)):
        raise OptionError(
            "an empty name stands where a file belongs: is a variable of the shell empty?"
        )
    option = next((name for name in given.references if name.startswith("-") and name != "-"), None)
    if option is not None and not os.path.exists(option):
        raise OptionError(
            f"{option} stands behind --, where all are files: write options before --"
        )
    if [*systems, *given.references].count("-") > 1:
        raise OptionError("standard input can be read only once: give all others as files")


# --- Metrics --------------------------------------------------------------------------------------


def make_metrics(given: argparse.Namespace) -> list[Metric]:
    """Return the metrics that the arguments ask for, in the order given.

    Raises:
        OptionError: a metric or option does not exist, comes twice, or belongs to a metric that
            was not asked for.
    """
    language = target_language(given.language_pair)
    used: set[str] = set()
    metrics: list[Metric] = []
    for asked in given.metrics:
        metric = _make_metric(given, asked, language, used)
        if metric in metrics:
            raise OptionError(f"the metric {asked} was asked for twice; name it once")
        metrics.append(metric)
    _refuse_unused(given, used)
    return metrics


def _make_metric(given: argparse.Namespace, asked: str, language: str, used: set[str]) -> Metric:
    if asked.lower() not in METRICS:
        if "," in asked:
            raise OptionError(
                f"there is no metric {asked!r}: put spaces between metrics, no commas"
            )
        known = ", ".join(METRICS)
        raise OptionError(
            f"there is no metric {asked!r}{nearest(asked, METRICS)}; they are {known}"
        )
    name, preset = PRESETS.get(asked.lower(), (asked.lower(), {}))
    kind = find_metric(name)
    prefix = CATALOGUE[name].flag
    chosen: dict[str, Any] = dict(preset)
    for option in options_of(kind):
        value = getattr(given, prefix + option.name)
        if value is not None and option.name not in preset:
            chosen[option.name] = value
            used.add(prefix + option.name)
    suited = kind.suited_to(language=language, sentences=given.sentence_level)
    try:
        return kind(**{**suited, **chosen})
    except OptionError as error:
        raise OptionError(_with_flags(str(error), prefix, kind)) from error


def _with_flags(message: str, prefix: str, kind: type[Metric]) -> str:
    """Spell a metric's options as the command line does.

    >>> from understudy.metrics.bleu import BLEU
    >>> _with_flags("BLEU: smooth_value belongs to floor; smooth='exp' takes none", "", BLEU)
    "--smooth-value belongs to floor; --smooth 'exp' takes none"
    """
    metric, colon, rest = message.partition(": ")
    for option in options_of(kind):
        flag = flag_of(prefix, option)
        message = message.replace(f" {option.name}=", f" {flag} ")
        if colon and rest.startswith(f"{option.name} "):
            message = message.replace(f"{metric}: {option.name}", flag, 1)
    return message


def target_language(pair: str | None) -> str:
    """Return the two-letter code of a pair's target language, "" where no pair was given.

    Raises:
        OptionError: it is no pair of two languages.

    >>> target_language("en-zh_TW"), target_language("eng_Latn-jpn_Jpan")
    ('zh', 'ja')
    """
    if pair is None:
        return ""
    codes = [side.partition("_")[0].lower() for side in pair.split("-")]
    if len(codes) != 2 or not all(_is_code(code) for code in codes):
        raise OptionError(
            "--language-pair must be two languages and one hyphen, like en-ja or en-zh_TW, not "
            f"{pair!r}"
        )
    return _TWO_LETTERS.get(codes[1], codes[1])


def _is_code(code: str) -> bool:
    return code.isascii() and code.isalpha() and 2 <= len(code) <= 3


def _refuse_unused(given: argparse.Namespace, used: set[str]) -> None:
    asked = " ".join(given.metrics)
    if given.cumulative and not any(name.lower() == "bleu" for name in given.metrics):
        raise OptionError(_not_asked_for("--cumulative", "bleu", asked))
    for name, entry in CATALOGUE.items():
        for option in options_of(entry.load()):
            dest = entry.flag + option.name
            if getattr(given, dest) is not None and dest not in used:
                raise OptionError(_not_asked_for(flag_of(entry.flag, option), name, asked))


def _not_asked_for(flag: str, name: str, asked: str) -> str:
    return (
        f"{flag} is an option of {name}, which is not among the metrics ({asked}): "
        f"add {name} to -m, or leave the option out"
    )
