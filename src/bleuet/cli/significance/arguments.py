"""What was asked of `bleuet significance`, and the parser that reads it."""

from __future__ import annotations

from bleuet.cli.arguments import (
    Parser,
    add_computing,
    add_files,
    add_metric_options,
    add_metrics,
    add_output,
    add_saved_tables,
    number,
    one_of,
    whole_number,
)
from bleuet.cli.compare.arguments import METRICS
from bleuet.cli.given import Given
from bleuet.cli.given_scores import ScoresGiven, add_scores, check_scores
from bleuet.cli.paired_tests import add_seed, add_test_settings, check_test_settings
from bleuet.errors import OptionError
from bleuet.output.rendering import FORMATS
from bleuet.studies.significance.interval import CONFIDENCE as LEVEL
from bleuet.studies.significance.paired_results import BOOTSTRAP, TESTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DESCRIPTION = """\
Say which differences between systems are more than chance.

The first system, or the one that --baseline names, is compared with every other
by each metric: the scores with their intervals, the difference with its own, a
p-value corrected for the number of systems, and how often people would agree
with a difference of this size, where that is known.

Files are those that bleuet score reads. Several runs of one system, which
was trained several times, are joined by commas behind its name."""

EXAMPLES = """\
examples:
  bleuet significance ref.txt -i old.txt new.txt
  bleuet significance ref.txt -i a.txt b.txt c.txt -m bleu chrf ter --all-pairs
  bleuet significance ref.txt -i old=a1.txt,a2.txt,a3.txt new=b1.txt,b2.txt,b3.txt
  bleuet significance --from-table old.parquet new.parquet -m bleu --smooth floor
  bleuet significance ref.txt -i a.txt b.txt --test sacrebleu-bootstrap
  bleuet significance ref.txt -i a.txt b.txt --scores COMET=a.comet,b.comet

exit codes: 0 done, 1 input that cannot be tested, 2 wrong usage, 130 Ctrl-C"""


class SignificanceGiven(Given, ScoresGiven):
    """The arguments of `bleuet significance` by name, with their defaults."""

    command = "significance"
    test: str | None = None
    baseline: str | None = None
    all_pairs = False
    correction: str | None = None
    alpha: Any = None
    confidence_level: Any = None
    draws: int | None = None
    seed: int | None = None


def significance_parser() -> Parser:
    """Return the parser of `bleuet significance`."""
    prog = "bleuet significance"
    parser = Parser(
        prog=prog,
        usage=f"{prog} REF [REF ...] -i HYP HYP [HYP ...] [option ...]\n"
        f"       {prog} --from-table FILE [FILE ...] [option ...]",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        stray="write the references first and the systems right behind -i, "
        f"as in {prog} REF -i HYP HYP",
    )
    add_files(
        parser,
        "a file of hypotheses for each system; NAME=HYP names it, NAME=HYP,HYP,... are its runs",
    )
    add_metrics(parser, default=f"{' '.join(METRICS)}, or those of the saved tables")
    add_scores(parser)
    _add_test(parser)
    add = add_output(parser, tuple(FORMATS), "text")
    add(
        "-w", "--width", type=whole_number, metavar="N", default=None,
        help="digits after the decimal point (default: 2; json: all)",
    )  # fmt: skip
    add_saved_tables(parser, "test")
    add_computing(parser)
    add_metric_options(parser)
    return parser


def _add_test(parser: Parser) -> None:
    add = parser.add_argument_group("test").add_argument
    tests = "; ".join(f"{name}: {test}" for name, test in TESTS.items())
    add(
        "--test", type=one_of(tuple(TESTS)), choices=tuple(TESTS), metavar="NAME", default=None,
        help=f"{tests} (default: {BOOTSTRAP}; for several runs randomization)",
    )  # fmt: skip
    add(
        "--baseline", metavar="NAME", default=None,
        help="the system that all others are compared with (default: the first)",
    )  # fmt: skip
    add("--all-pairs", action="store_true", help="compare every two systems")
    add_test_settings(add)
    add(
        "--confidence-level", type=number, metavar="N", default=None,
        help=f"the share of draws that an interval holds (default: {LEVEL})",
    )  # fmt: skip
    add_seed(add)


def check_significance(given: SignificanceGiven) -> None:
    """Refuse what does not fit together, and fill in what was left out.

    Raises:
        OptionError: two options exclude each other, or a number is out of range.
    """
    if given.all_pairs and given.baseline is not None:
        raise OptionError(
            "--all-pairs compares every two systems, so that there is no --baseline: leave one of "
            "them out"
        )
    if given.references and not given.input and given.from_table is None:
        raise OptionError(
            "no system was given, for files before -i are references: name systems behind it, as "
            f"in bleuet significance {given.references[0]} -i HYP HYP"
        )
    check_scores(given)
    level = LEVEL if given.confidence_level is None else given.confidence_level
    if not 0 < level < 1:
        raise OptionError(
            f"--confidence-level must be a share between 0 and 1, such as 0.95, not {level:g}"
        )
    given.confidence_level = level
    check_test_settings(given)
    if given.from_table is None:
        given.metrics = given.metrics or METRICS
