"""The parser of `understudy meta`."""

from __future__ import annotations

from understudy.cli.arguments import Parser, Suggestions, number, one_of, whole_number
from understudy.cli.given import METRICS
from understudy.errors import OptionError
from understudy.metrics.option import nearest
from understudy.report.theme import THEMES
from understudy.studies.meta_evaluation import GROUPINGS, RESAMPLED, STATISTICS, TESTS
from understudy.studies.meta_evaluation.leaderboard import LEVELS
from understudy.studies.meta_evaluation.reading import ROLES

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
  understudy meta ref.txt -i north.txt south.txt -m bleu chrf ter --human mqm.tsv:mqm
  understudy meta ref.txt -i *.out.txt -m bleu bleu:smooth=floor --human pairs.tsv
  understudy meta --scores comet=comet.tsv bleurt=b.jsonl --human people.tsv
  understudy meta refA --mt-metrics-eval wmt22 -l en-de --test

statistics:
{statistics}

exit codes: 0 done, 1 input that cannot be used, 2 wrong usage, 130 Ctrl-C"""


class MetaGiven:
    """The arguments of `understudy meta` by name, with their defaults."""

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
    _check_what_is_judged(given)
    _check_numbers(given)
    _check_what_they_belong_to(given)
    if (given.draws is None) != (given.confidence is None):
        given.draws = DRAWS if given.draws is None else given.draws
        given.confidence = given.confidence or CONFIDENCE
    return given


def meta_parser() -> Parser:
    """Return the parser of `understudy meta`."""
    parser = Parser(
        prog="understudy meta",
        usage="understudy meta [REF ...] [-i SYS ...] [-m METRIC ...] --human FILE [option ...]",
        description=DESCRIPTION,
        epilog=EXAMPLES.format(statistics=_statistics()),
        stray="write the references first and the systems right behind -i, as in "
        "understudy meta REF -i SYS SYS --human FILE",
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
    add(
        "-t", "--threads", type=whole_number, metavar="N", default=1,
        help="threads, 0 for one per core (default: 1)",
    )  # fmt: skip


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
        "--first-segment", type=_zero_or_one, metavar="N", default=0,
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
    add(
        "-f", "--format", type=one_of(FORMATS), choices=FORMATS, default="text", metavar="FORMAT",
        help=f"{', '.join(FORMATS)} (default: text)",
    )  # fmt: skip
    add(
        "-w", "--width", type=whole_number, metavar="N", default=None,
        help="digits after the decimal point (default: 3; json and csv: all)",
    )  # fmt: skip
    add("-o", "--output", metavar="FILE", default=None, help="write to FILE, all or nothing")
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


def _zero_or_one(text: str) -> int:
    return int(one_of(("0", "1"))(text))


# --- What fits together ---------------------------------------------------------------------------


def _check_what_is_judged(given: MetaGiven) -> None:
    systems = given.input or []
    if not all((*given.references, *systems)):
        raise OptionError(
            "an empty name stands where a file belongs: is a variable of the shell empty?"
        )
    if given.mt_metrics_eval is not None:
        _check_test_set(given)
        return
    for name, flag in (("human_name", "--human-name"), ("stored", "--stored")):
        if getattr(given, name) is not None:
            raise OptionError(f"{flag} belongs to --mt-metrics-eval: name the folder with that")
    if given.human is None:
        raise OptionError(
            "nothing says what people thought: name their scores or judgments with --human FILE"
        )
    if systems and not given.references:
        raise OptionError(
            f"no reference was given; write it before -i, as in understudy meta REF -i {systems[0]}"
        )
    if given.references and not systems:
        raise OptionError("no systems were given: name a file of hypotheses for each with -i")
    if given.metrics and not systems:
        raise OptionError(
            f"-m {given.metrics[0]} needs texts: name references, and systems with -i"
        )
    if not systems and not given.scores:
        raise OptionError(
            "there is no metric to judge: name references and systems to compute some, or tables "
            "of scores with --scores NAME=FILE"
        )


def _check_test_set(given: MetaGiven) -> None:
    for name, flag in (("human", "--human"), ("input", "-i"), ("scores", "--scores")):
        if getattr(given, name) is not None:
            raise OptionError(f"{flag} and --mt-metrics-eval exclude each other: give one of them")
    if given.language_pair is None:
        raise OptionError("--mt-metrics-eval needs the language pair: add -l, as in -l en-de")


def _check_numbers(given: MetaGiven) -> None:
    if given.statistic and given.level:
        raise OptionError("--statistic and --level exclude each other: every statistic has a level")
    if given.confidence is not None and not 0 < given.confidence < 1:
        raise OptionError(
            f"--confidence must be between 0 and 1, such as 0.95, not {given.confidence}"
        )
    if given.draws is not None and given.draws < 1:
        raise OptionError(f"--draws must be 1 or more, not {given.draws}; leave it out for none")
    if given.trials is not None and given.trials < 1:
        raise OptionError(f"--trials must be 1 or more, not {given.trials}")
    if given.seed < 0:
        raise OptionError(f"--seed must be 0 or more, not {given.seed}")
    if given.width is not None and not 0 <= given.width <= 17:
        raise OptionError(f"--width must be from 0 to 17, not {given.width}")
    if given.threads < 0:
        raise OptionError(f"--threads must be 0, for one per core, or more, not {given.threads}")


def _check_what_they_belong_to(given: MetaGiven) -> None:
    """Refuse an option that nothing would come of."""
    intervals = given.draws is not None or given.confidence is not None
    pictures = given.picture is not None or given.scatter is not None
    for flag, value, used, owner in (
        ("--resample", given.resample, intervals, "intervals: add --confidence 0.95"),
        ("--trials", given.trials, given.test is not None, "a test: add --test"),
        ("--theme", given.theme, pictures, "pictures: add --picture or --scatter"),
    ):
        if value is not None and not used:
            raise OptionError(f"{flag} belongs to {owner}, or leave it out")


def by_name(words: Sequence[str] | None, flag: str, example: str) -> dict[str, str]:
    """Return words of the form NAME=VALUE by name.

    Raises:
        OptionError: a word is not of that form, or a name comes twice.

    >>> by_name(["comet=scores.tsv"], "--scores", "NAME=FILE")
    {'comet': 'scores.tsv'}
    """
    found: dict[str, str] = {}
    for word in words or ():
        name, equals, value = word.partition("=")
        if not (name and equals and value):
            raise OptionError(f"{flag} takes {example}, not {word!r}")
        if name in found:
            raise OptionError(f"{flag} names {name} twice: give each a name of its own")
        found[name] = value
    return found


def roles_of(given: MetaGiven) -> dict[str, str]:
    """Return the columns that --columns names, by role.

    Raises:
        OptionError: there is no such role.
    """
    columns = by_name(given.columns, "--columns", "ROLE=NAME, as in segment=seg_id")
    for role in columns:
        if role not in ROLES:
            raise OptionError(
                f"--columns: there is no role {role}{nearest(role, ROLES)}; "
                f"the roles are {', '.join(ROLES)}"
            )
    return columns


def check_known(names: Sequence[str], known: Sequence[str], flag: str) -> None:
    """Refuse names of an option that stand for nothing.

    Raises:
        OptionError: a name is not known; the message names the nearest.
    """
    for name in names:
        if name not in known:
            raise OptionError(
                f"{flag}: there is no {name}{nearest(name, known)}; there are {', '.join(known)}"
            )
