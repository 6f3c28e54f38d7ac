"""`bleuet gate`: fails where a new system is worse than the one it would replace."""

from __future__ import annotations

import sys
import warnings

from bleuet.cli.arguments import (
    Parser,
    add_computing,
    add_destination,
    add_format,
    add_metric_options,
    add_metrics,
    number,
    one_of,
    whole_number,
)
from bleuet.cli.destination import STDOUT, Destination, check_destination
from bleuet.cli.gate.output import FORMATS, append_summary
from bleuet.cli.gate.sides import read_sides
from bleuet.compat.sacrebleu.bootstrap import chosen_seed
from bleuet.errors import OptionError
from bleuet.studies.gate import RULES, TESTS, Limits, gate_scores, gate_tables
from bleuet.studies.significance import FewSegmentsWarning, Systems
from bleuet.studies.significance.few_segments import ENOUGH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import IO

    from bleuet.cli.given import Given
    from bleuet.studies.gate import GateResult

FAILED = 3

DESCRIPTION = """\
Hold a new system against the one it would replace, and fail where it is worse.

The baseline is a file of hypotheses, a table saved by bleuet score
--save-table (.parquet), or scores that bleuet score --format json wrote
(.json), which tell how large a drop is and not whether it is significant. With
a saved table or scores, their metrics are taken where -m names none.

A drop is how much worse the new system is; for TER, a rise. By default the
gate fails where a metric's drop is larger than --max-drop, or significant."""

EXAMPLES = """\
examples:
  bleuet gate --baseline old.txt --ref ref.txt -i new.txt --max-drop 0.3
  bleuet gate --baseline old.parquet --ref ref.txt -i new.txt --fail-on both --max-drop 0.5
  bleuet gate --baseline scores.json --ref ref.txt -i new.txt --max-drop 0.3 -f markdown

exit codes: 0 passed, 3 failed, 1 input that cannot be scored, 2 wrong usage, 130 Ctrl-C"""


def main(command: str, arguments: Sequence[str]) -> int:
    """Run `bleuet gate` and return its exit code."""
    given = gate_parser().read(arguments)
    options = vars(given)
    # The parser leaves be what an argument of every command has a default for.
    given.references, given.format = options.pop("ref") or (), given.format or "text"
    if options["baseline"] is None:
        raise OptionError("no baseline was given; expected --baseline with a file")
    limits = _limits(given)
    _check_outputs(given)
    with warnings.catch_warnings():
        # What is to be said of few segments stands in the verdict.
        warnings.simplefilter("ignore", FewSegmentsWarning)
        result = _judge(given, limits)
    if options["summary"] is not None:
        append_summary(options["summary"], result, given)
    with Destination(given.output) as out:
        out.write(FORMATS[given.format](result, given))
        _flush(out)
    return 0 if result.passed else FAILED


def _flush(out: IO[str]) -> None:
    """Hand everything on; a reader who leaves early changes nothing about the verdict."""
    try:
        out.flush()
    except BrokenPipeError:
        sys.stdout = None


def _check_outputs(given: Given) -> None:
    options = vars(given)
    inputs = [options["baseline"], *(given.input or []), *given.references]
    check_destination(given.output, inputs)
    if options["summary"] is None:
        return
    if options["summary"] in (STDOUT, given.output):
        raise OptionError("--summary needs a file of its own: for standard output, -f markdown")
    check_destination(options["summary"], inputs, "--summary")


def _limits(given: Given) -> Limits:
    options = vars(given)
    try:
        return Limits(options["max_drop"], options["alpha"], options["fail_on"])
    except OptionError as error:
        raise OptionError(_as_flags(error)) from None


def _as_flags(error: OptionError) -> str:
    """Spell options as the command line does."""
    text = str(error)
    for name in ("max_drop", "fail_on", "alpha", "draws", "trials", "seed"):
        flag = "--draws" if name == "trials" else f"--{name.replace('_', '-')}"
        text = text.replace(f"{name}=", f"{flag} ")
        text = f"{flag}{text.removeprefix(name)}" if text.startswith(f"{name} ") else text
        text = text.replace(f" {name}", f" {flag}") if "_" in name else text
    return text


def _judge(given: Given, limits: Limits) -> GateResult:
    sides = read_sides(given)
    options = vars(given)
    try:
        if sides.scores is not None:
            (tables,) = sides.tables
            pairs = zip(sides.metrics, tables, strict=True)
            scores = [metric.score(table.totals()) for metric, table in pairs]
            return gate_scores(*sides.names, sides.scores, scores, limits)
        return gate_tables(
            Systems(sides.metrics, dict(zip(sides.names, sides.tables, strict=True))),
            limits,
            test=options["test"],
            draws=options["draws"],
            seed=chosen_seed()[1] if options["seed"] is None else options["seed"],
            threads=given.threads,
        )
    except OptionError as error:
        raise OptionError(_as_flags(error)) from None


def gate_parser(prog: str = "bleuet gate") -> Parser:
    """Return the parser of `bleuet gate`."""
    parser = Parser(
        prog=prog,
        usage=f"{prog} --baseline OLD --ref REF [REF ...] -i NEW [option ...]",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        stray=f"files stand behind options, as in {prog} --baseline OLD --ref REF -i NEW",
    )
    add = parser.add_argument_group("input").add_argument
    add("--baseline", metavar="OLD", default=None, help="hypotheses, a saved table or scores")
    add(
        "-i", "--input", nargs="+", action="extend", metavar="NEW", default=None,
        help="hypotheses or a saved table",
    )  # fmt: skip
    add(
        "-r", "--ref", nargs="+", action="extend", metavar="REF", default=None,
        help="a file with one reference per segment",
    )  # fmt: skip
    add(
        "--baseline-system", metavar="NAME", default=None,
        help="the system to take from a saved table or from scores of several",
    )  # fmt: skip
    add("--input-system", metavar="NAME", default=None, help="the same for -i")
    add_metrics(parser, "bleu, or those of the baseline")
    _add_limits(parser)
    add = parser.add_argument_group("output").add_argument
    add_format(add, tuple(FORMATS))
    add("-w", "--width", type=whole_number, metavar="N", default=None, help="digits (default: 2)")
    add_destination(add)
    add(
        "--summary", metavar="FILE", default=None,
        help='append the verdict as Markdown, as to "$GITHUB_STEP_SUMMARY"',
    )  # fmt: skip
    add_computing(parser)
    add_metric_options(parser)
    return parser


def _add_limits(parser: Parser) -> None:
    add = parser.add_argument_group("limits").add_argument
    add(
        "--max-drop", type=number, metavar="POINTS", default=None,
        help="a larger drop is too large (default: none is)",
    )  # fmt: skip
    add(
        "--alpha", type=number, metavar="P", default=0.05,
        help="a drop with a smaller p-value is significant (default: 0.05)",
    )  # fmt: skip
    rules = "; ".join(f"{name}: {rule.summary}" for name, rule in RULES.items())
    add(
        "--fail-on", type=one_of(tuple(RULES)), choices=tuple(RULES), default="either",
        metavar="RULE", help=f"{rules} (default: either)",
    )  # fmt: skip
    add(
        "--test", type=one_of(tuple(TESTS)), choices=tuple(TESTS), default=None, metavar="TEST",
        help=f"the paired test: {' or '.join(TESTS)} (default: bootstrap; below {ENOUGH} segments "
        "randomization)",
    )  # fmt: skip
    add(
        "--draws", type=whole_number, metavar="N", default=None,
        help="of the test (default: 1000 of the bootstrap, 10000 of randomization)",
    )  # fmt: skip
    add(
        "--seed", type=whole_number, metavar="N", default=None,
        help="what they begin from (default: SACREBLEU_SEED, or 12345)",
    )  # fmt: skip
