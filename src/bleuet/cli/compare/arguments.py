"""What was asked of `bleuet compare`, and the parser that reads it."""

from __future__ import annotations

from itertools import chain

from bleuet.cli.arguments import (
    Parser,
    Suggestions,
    add_computing,
    add_files,
    add_metric_options,
    add_metrics,
    add_output,
    one_of,
    whole_number,
)
from bleuet.cli.given import Given
from bleuet.cli.given_scores import ScoresGiven, add_scores, check_scores, files_of_scores
from bleuet.cli.paired_tests import add_seed, add_test_settings, check_test_settings
from bleuet.cli.refusals import refuse_second_stdin
from bleuet.errors import OptionError
from bleuet.studies.comparison.division import DIVISIONS
from bleuet.studies.comparison.markup import SHOWN
from bleuet.studies.comparison.sections import SECTIONS
from bleuet.studies.comparison.tested import TESTS
from bleuet.studies.significance.blocks import BLOCKS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.cli.arguments import Add

FORMATS = ("text", "json", "csv", "latex", "markdown")
METRICS = ["bleu", "chrf"]
BY = ["length"]
EXAMPLES = 5

DESCRIPTION = """\
Compare systems on one test set: where one is better, and in what.

Prints scores, scores by bucket, the sentences with the largest differences, and
n-grams that one system gets and another misses. Files are those that
bleuet score reads; line i of every file belongs to segment i."""

HINTS = """\
examples:
  bleuet compare ref.txt -i mine.txt theirs.txt
  bleuet compare ref.txt -i a.txt b.txt --by length=10,20,40 frequency
      --frequencies train.gz
  bleuet compare ref.txt -i a.txt b.txt --labels domains.txt --show buckets
  bleuet compare ref.txt -i a.txt b.txt -m chrf ter --format json -o out.json
  bleuet compare ref.txt -i a.txt b.txt --html report.html
  bleuet compare ref.txt -i a.txt b.txt --scores COMET=a.comet,b.comet

exit codes: 0 done, 1 input that cannot be compared, 2 wrong usage, 130 Ctrl-C"""


class CompareGiven(Given, ScoresGiven):
    """The arguments of `bleuet compare` by name, with their defaults."""

    command = "compare"
    command_line = ""
    by: Any = None
    labels: Any = None
    frequencies: str | None = None
    word_lists: Any = None
    reference_labels: str | None = None
    system_labels: Any = None
    all_pairs = False
    test: str | None = None
    alpha: Any = None
    seed: int | None = None
    blocks: int | None = None
    examples: int | None = None
    show: Any = None
    draws: int | None = None
    correction: str | None = None
    html: str | None = None
    title: str | None = None
    pictures: str | None = None


def compare_parser() -> Parser:
    """Return the parser of `bleuet compare`."""
    prog = "bleuet compare"
    parser = Parser(
        prog=prog,
        usage=f"{prog} REF [REF ...] -i HYP [HYP ...] [option ...]",
        description=DESCRIPTION,
        epilog=HINTS,
        stray="write the references first and the systems right behind -i, "
        f"as in {prog} REF -i HYP HYP",
    )
    add_files(parser, "a file of hypotheses for each system")
    add_metrics(parser, " ".join(METRICS), ", and names of --scores, in the order to show them")
    add_scores(parser)
    _add_analyses(parser)
    _add_test(parser)
    add = add_output(parser, FORMATS, "text")
    add(
        "--show", nargs="+", action="extend", metavar="PART", default=None,
        choices=Suggestions(("all", *SECTIONS)), type=one_of(("all", *SECTIONS)),
        help=f"all, or some of {', '.join(SECTIONS)} (default: {' '.join(SHOWN)}, and words where "
        "an option about words is given); json has all",
    )  # fmt: skip
    add(
        "-n", "--examples", type=whole_number, metavar="N", default=None,
        help=f"sentences and n-grams to show on each side (default: {EXAMPLES})",
    )  # fmt: skip
    add(
        "-w", "--width", type=whole_number, metavar="N", default=None,
        help="digits after the decimal point (default: 2; json: all)",
    )  # fmt: skip
    _add_report(add)
    add_computing(parser)
    add_metric_options(parser)
    return parser


def _add_analyses(parser: Parser) -> None:
    add = parser.add_argument_group("comparison").add_argument
    add(
        "--by", nargs="+", action="extend", metavar="NAME[=N,N,...]", default=None,
        choices=Suggestions(DIVISIONS),
        help=f"divide segments by {', '.join(DIVISIONS)}; with cutoffs, as in length=10,20,40 "
        f"(default: {' '.join(BY)})",
    )  # fmt: skip
    add(
        "--labels", nargs="+", action="extend", metavar="FILE", default=None,
        help="divide segments by labels too: files with one per segment, such as its domain",
    )  # fmt: skip
    add(
        "--frequencies", metavar="FILE", default=None,
        help="a training text to count words in, for frequency (default: the references)",
    )  # fmt: skip
    add(
        "--word-lists", nargs="+", action="extend", metavar="FILE", default=None,
        help="show how well the words of a list are translated: files with one word per line",
    )  # fmt: skip
    add(
        "--reference-labels", metavar="FILE", default=None,
        help="labels of the first reference's tokens, such as parts of speech, with spaces "
        "between them",
    )  # fmt: skip
    add(
        "--system-labels", nargs="+", action="extend", metavar="FILE", default=None,
        help="the same for the tokens of each system, in the order of -i",
    )  # fmt: skip
    add(
        "--all-pairs", action="store_true",
        help="hold every two systems against each other, not only the first against the others",
    )  # fmt: skip


def _add_test(parser: Parser) -> None:
    add = parser.add_argument_group("significance").add_argument
    tests = tuple(TESTS)
    add(
        "--test", type=one_of(tests), choices=tests, metavar="NAME", default=None,
        help=f"give scores intervals, and test all pairs of systems: {', '.join(TESTS)} "
        "(default with --html or --pictures: bootstrap)",
    )  # fmt: skip
    add_test_settings(add)
    add(
        "--blocks", type=whole_number, metavar="N", default=None,
        help="cut the test set into blocks and compare systems by Student's paired t over them, as "
        f"the BLEU paper does (with --show blocks: {BLOCKS})",
    )  # fmt: skip
    add_seed(add)


def _add_report(add: Add) -> None:
    add(
        "--html", metavar="FILE", default=None,
        help="write a page too: scores, charts and all sentences, in one file that opens offline",
    )  # fmt: skip
    add("--title", metavar="TEXT", default=None, help="what stands above the page")
    add(
        "--pictures", metavar="FOLDER", default=None,
        help="write every chart too, as an SVG and a PNG file",
    )  # fmt: skip


def check_comparison(given: CompareGiven) -> None:
    """Refuse what does not fit together, and fill in what was left out.

    Raises:
        OptionError: no system was given, a number is out of range, or labels are not for all.
    """
    systems: Sequence[str] = given.input or []
    if given.references and not systems:
        raise OptionError(
            "no system was given, for files before -i are references: name systems behind it, as "
            f"in bleuet compare {given.references[0]} -i HYP HYP"
        )
    if given.examples is None:
        given.examples = EXAMPLES
    if given.examples < 0:
        raise OptionError(f"--examples must be 0 or more, not {given.examples}")
    labels = given.system_labels or []
    if bool(given.reference_labels) != bool(labels):
        raise OptionError("--reference-labels and --system-labels go together: give both")
    if labels and len(labels) != len(systems):
        raise OptionError(
            f"--system-labels names {len(labels)} files for {len(systems)} systems; expected one "
            "for each, in the order of -i"
        )
    check_scores(given)
    refuse_second_stdin((*systems, *given.references, *other_files(given)))
    _check_report(given)
    _check_test(given, len(systems))
    given.metrics = given.metrics or METRICS
    _refuse_hidden(given)
    given.by = given.by or BY
    _choose_parts(given)


def _check_test(given: CompareGiven, systems: int) -> None:
    drawn = given.html is not None or given.pictures is not None
    given.test = given.test or ("bootstrap" if drawn else None)
    for name in ("alpha", "seed", "draws", "correction"):
        if getattr(given, name) is not None and given.test is None:
            raise OptionError(f"--{name} belongs to a test: name one with --test, or leave it out")
    if given.test and systems < 2 and not drawn:
        raise OptionError("--test needs two systems or more: name more behind -i")
    if given.test:
        check_test_settings(given)


def _check_report(given: CompareGiven) -> None:
    if given.title is not None and given.html is None:
        raise OptionError("--title stands above the page: add --html FILE, or leave it out")
    if given.html == "-":
        raise OptionError("--html writes a file, not standard output: give it a name")
    if given.html and given.html == given.output:
        raise OptionError(f"--html and -o both write {given.html}: give each its own name")


def other_files(given: CompareGiven) -> list[str]:
    """Return the files that are read besides systems and references."""
    several = (given.labels, given.word_lists, given.system_labels)
    single = (given.frequencies, given.reference_labels)
    listed = chain(*files_of_scores(given).values(), *(paths or () for paths in several))
    return [*listed, *filter(None, single)]


def _refuse_hidden(given: CompareGiven) -> None:
    """Refuse options of which nothing would be seen in the parts to show."""
    if given.show is None or "all" in given.show or given.format == "json" or given.html:
        return
    names = [name.partition("=")[0] for name in given.by or ()]
    # Charts of buckets show what --by and --labels divide by.
    buckets = [] if given.pictures is not None else ["buckets"]
    by_frequency = ["buckets"] if "frequency" in names else []
    for flag, value, parts in (
        ("--by", given.by, buckets),
        ("--labels", given.labels, buckets),
        ("--frequencies", given.frequencies, ["words", *by_frequency]),
        ("--word-lists", given.word_lists, ["words"]),
        ("--reference-labels", given.reference_labels, ["words"]),
        ("--blocks", given.blocks, ["blocks"]),
    ):
        if value is not None and parts and not set(parts) & set(given.show):
            raise OptionError(
                f"{flag} is for the part {' or '.join(parts)}, which --show leaves out: add it "
                f"there, or leave {flag} out"
            )


def _choose_parts(given: CompareGiven) -> None:
    if given.blocks is None and "blocks" in (given.show or ()):
        given.blocks = BLOCKS
    about_words = given.frequencies or given.word_lists or given.reference_labels
    shown = [*SHOWN, *["words"] * bool(about_words)] if given.show is None else given.show
    given.show = list(SECTIONS) if "all" in shown else shown
    if not given.examples:
        given.show = [part for part in given.show if part not in ("sentences", "ngrams")]
