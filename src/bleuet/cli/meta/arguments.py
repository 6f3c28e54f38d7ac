"""The parser of `bleuet meta`."""

from __future__ import annotations

from bleuet.cli.arguments import (
    Parser,
    Suggestions,
    add_destination,
    add_format,
    add_threads,
    number,
    one_of,
    whole_number,
    zero_or_one,
)
from bleuet.cli.given import METRICS
from bleuet.cli.meta.checks import check_numbers, check_owners, check_what_is_judged
from bleuet.report.theme import THEMES
from bleuet.studies.meta_evaluation import GROUPINGS, RESAMPLED, STATISTICS, TESTS
from bleuet.studies.meta_evaluation.leaderboard import LEVELS
from bleuet.studies.meta_evaluation.reading import ROLES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FORMATS = ("text", "json", "csv", "latex", "markdown")
# What --draws is where only --confidence was given, and the other way round.
DRAWS, CONFIDENCE = 1000, 0.95
TRIALS = 1000

DESCRIPTION = """\
Say how well metrics agree with people.

People's scores or judgments are a table (.tsv, .csv, .jsonl, .parquet, compressed
or not) with the columns segment, system, score; or segment, better, worse; or
segment, system1 ..., rank1 ... Segments are line numbers from 0. Metrics are
computed from texts, or read from tables of segment, system, score.

A metric may bring options: bleu:smooth=floor,max_ngram_order=2"""

EXAMPLES = """\
examples:
  bleuet meta ref.txt -i north.txt south.txt -m bleu chrf ter --human mqm.tsv:mqm
  bleuet meta ref.txt -i *.out.txt -m bleu bleu:smooth=floor --human pairs.tsv
  bleuet meta --scores comet=comet.tsv bleurt=b.jsonl --human people.tsv
  bleuet meta refA --mt-metrics-eval wmt22 -l en-de --test

statistics:
{statistics}

exit codes: 0 done, 1 input that cannot be used, 2 wrong usage, 130 Ctrl-C"""


class MetaGiven:
    """The arguments of `bleuet meta` by name, with their defaults."""

    references: Sequence[str]
    input: list[str] | None
    metrics: list[str] | None
    language_pair: str | None
    human: str | None
    scores: list[str] | None
    columns: list[str] | None
    first_segment: int
    average: bool
    lower_is_better: list[str]
    leave_out: list[str]
    mt_metrics_eval: str | None
    human_name: str | None
    stored: list[str] | None
    level: list[str] | None
    statistic: list[str] | None
    grouping: str | None
    draws: int | None
    confidence: float | None
    resample: str | None
    seed: int
    test: str | None
    trials: int | None
    format: str
    width: int | None
    output: str | None
    picture: str | None
    scatter: str | None
    theme: str | None
    quiet: bool
    threads: int


def read_arguments(arguments: Sequence[str]) -> MetaGiven:
    """Read and check the arguments.

    Raises:
        OptionError: an option does not exist, has a value it cannot take, or does not go with
            the others.
    """
    given = meta_parser().fill(MetaGiven(), arguments)
    check_what_is_judged(given)
    check_numbers(given)
    check_owners(given)
    given.format = given.format or FORMATS[0]
    if (given.draws is None) != (given.confidence is None):
        given.draws = DRAWS if given.draws is None else given.draws
        given.confidence = given.confidence or CONFIDENCE
    return given


def meta_parser() -> Parser:
    """Return the parser of `bleuet meta`."""
    parser = Parser(
        prog="bleuet meta",
        usage="bleuet meta [REF ...] [-i SYS ...] [-m METRIC ...] --human FILE [option ...]",
        description=DESCRIPTION,
        epilog=EXAMPLES.format(statistics=_statistics()),
        stray="write the references first and the systems right behind -i, as in "
        "bleuet meta REF -i SYS SYS --human FILE",
    )
    _add_input(parser)
    _add_people(parser)
    _add_statistics(parser)
    _add_output(parser)
    return parser


def _statistics() -> str:
    return "\n".join(f"  {name:<16} {entry.summary}" for name, entry in STATISTICS.items())


def _add_input(parser: Parser) -> None:
    add = parser.add_argument_group("metrics").add_argument
    add("references", nargs="*", metavar="REF", help="a file with one reference per segment")
    add(
        "-i", "--input", nargs="+", action="extend", metavar="SYS", default=None,
        help="a file of hypotheses for each system, as FILE or NAME=FILE",
    )  # fmt: skip
    add(
        "-m", "--metrics", nargs="+", action="extend", metavar="METRIC", default=None,
        choices=Suggestions(METRICS),
        help=f"{', '.join(METRICS)}, with options behind a colon, or a signature (default: bleu)",
    )  # fmt: skip
    add(
        "-l", "--language-pair", metavar="SRC-TRG", default=None,
        help="such as en-ja: chooses the tokenizer, and the folder of mt-metrics-eval",
    )  # fmt: skip
    add(
        "--scores", nargs="+", action="extend", metavar="NAME=FILE", default=None,
        help="a table of scores for each metric that was computed elsewhere",
    )  # fmt: skip
    add(
        "--lower-is-better", nargs="+", action="extend", metavar="NAME", default=[],
        help="metrics of --scores that are error rates, or human",
    )  # fmt: skip
    add_threads(add)


def _add_people(parser: Parser) -> None:
    add = parser.add_argument_group("people").add_argument
    add(
        "--human", metavar="FILE", default=None,
        help="people's scores or judgments; FILE:COLUMN names the column of the scores",
    )  # fmt: skip
    add(
        "--columns", nargs="+", action="extend", metavar="ROLE=NAME", default=None,
        help=f"what columns are called in the tables; roles: {', '.join(ROLES)}",
    )  # fmt: skip
    add(
        "--first-segment", type=zero_or_one, metavar="N", default=0,
        help="the number of the first segment in the tables, 0 or 1 (default: 0)",
    )  # fmt: skip
    add("--average", action="store_true", help="average repeated scores, as of several raters")
    add(
        "--leave-out", nargs="+", action="extend", metavar="SYSTEM", default=[],
        help="systems that do not count",
    )  # fmt: skip
    add(
        "--mt-metrics-eval", metavar="FOLDER", default=None,
        help="a test set in the layout of mt-metrics-eval; REF are then names of references",
    )  # fmt: skip
    add("--human-name", metavar="NAME", default=None, help="which of its human scores, such as mqm")
    add(
        "--stored", nargs="*", action="extend", metavar="NAME", default=None,
        help="which of its metric scores (default: all of these references)",
    )  # fmt: skip


def _add_statistics(parser: Parser) -> None:
    add = parser.add_argument_group("statistics").add_argument
    add(
        "--statistic", nargs="+", action="extend", metavar="NAME", default=None,
        choices=Suggestions(tuple(STATISTICS)),
        help="see below (default: what suits people's judgments); the first orders the metrics",
    )  # fmt: skip
    add(
        "--level", nargs="+", action="extend", type=one_of(LEVELS), metavar="LEVEL", default=None,
        choices=LEVELS, help="segment, system or both: chooses among the usual statistics",
    )  # fmt: skip
    add(
        "--grouping", type=one_of(GROUPINGS), choices=GROUPINGS, metavar="HOW", default=None,
        help=f"{', '.join(GROUPINGS)}: which scores of segments are compared with each other",
    )  # fmt: skip
    add(
        "--confidence", type=number, metavar="P", default=None,
        help=f"show bootstrap intervals of this confidence (with --draws: {CONFIDENCE})",
    )  # fmt: skip
    add(
        "--draws", type=whole_number, metavar="N", default=None,
        help=f"bootstrap draws of an interval (with --confidence: {DRAWS})",
    )  # fmt: skip
    add(
        "--resample", type=one_of(RESAMPLED), choices=RESAMPLED, metavar="WHAT",
        default=None, help=f"what is drawn: {', '.join(RESAMPLED)} (default: segments)",
    )  # fmt: skip
    add(
        "--test", nargs="?", type=one_of(TESTS), choices=TESTS, metavar="TEST", const=TESTS[0],
        default=None, help=f"rank metrics by significance: {' or '.join(TESTS)}",
    )  # fmt: skip
    add(
        "--trials", type=whole_number, metavar="N", default=None,
        help=f"permutations of a test (default: {TRIALS})",
    )  # fmt: skip
    add("--seed", type=whole_number, metavar="N", default=12345, help="of all that is random")


def _add_output(parser: Parser) -> None:
    add = parser.add_argument_group("output").add_argument
    add_format(add, FORMATS)
    add(
        "-w", "--width", type=whole_number, metavar="N", default=None,
        help="digits after the decimal point (default: 3; json and csv: all)",
    )  # fmt: skip
    add_destination(add)
    add(
        "--picture", metavar="FILE", default=None,
        help="draw the metrics: .svg, .png, .html or .json (Vega-Lite)",
    )  # fmt: skip
    add(
        "--scatter", metavar="FILE", default=None,
        help="draw the systems' scores by each metric and by people, with a regression line",
    )  # fmt: skip
    add(
        "--theme", type=one_of(THEMES), choices=THEMES, metavar="NAME", default=None,
        help=f"of pictures: {', '.join(THEMES)} (default: {THEMES[0]})",
    )  # fmt: skip
    add("-q", "--quiet", action="store_true", help="no warnings")
