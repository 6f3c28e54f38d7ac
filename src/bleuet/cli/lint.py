"""`bleuet lint`: looks for what is wrong with files before their scores are believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import IO, TYPE_CHECKING

from bleuet.cli.arguments import (
    Parser,
    Suggestions,
    add_destination,
    add_format,
    add_language_pair,
)
from bleuet.cli.destination import Destination, check_destination
from bleuet.cli.given import METRICS, check_values, make_metrics
from bleuet.cli.names import in_markdown, names_of, printable, well_formed
from bleuet.cli.output import can_hold_all_of_unicode
from bleuet.cli.refusals import refuse_second_stdin
from bleuet.errors import OptionError
from bleuet.studies.lint.checks import CHECKS
from bleuet.studies.lint.linting import Inspection, choose_checks, inspect_material
from bleuet.studies.lint.material import Material
from bleuet.text.parallel import read_systems
from bleuet.text.source import Source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.cli.given import Given
    from bleuet.studies.lint.finding import Finding

DESCRIPTION = """\
Look for what is wrong with files before their scores are believed.

Every finding names its lines and says what it does to the scores. Findings
warn: the exit code is 0 all the same, unless --strict is given."""

EXAMPLES = f"""\
checks:
{"".join(f"  {name:<15} {check.summary}{chr(10)}" for name, check in CHECKS.items())}
examples:
  bleuet lint ref.txt -i system.txt
  bleuet lint ref.txt -i a.txt b.txt --source src.txt --strict
  bleuet lint ref.txt -i system.txt --training corpus.gz --checks overlap

exit codes: 0 done, 1 findings with --strict or input that cannot be read,
2 wrong usage, 130 Ctrl-C"""

DEFAULT_METRICS = ["bleu", "chrf"]
FOUND = 1


def main(command: str, arguments: Sequence[str]) -> int:
    """Run `bleuet lint` and return its exit code."""
    given = lint_parser().read(arguments)
    options = vars(given)
    asked, lacking = _check_given(given)
    metrics = make_metrics(given)
    systems = [Source.parse(path) for path in given.input]
    references = [Source.parse(path) for path in given.references]
    source = Source.parse(options["source"]) if options["source"] else None
    training = Source.parse(options["training"]) if options["training"] else None
    names = names_of(systems)
    beside = [one for one in (source, training) if one is not None]
    check_destination(given.output, [one.path for one in (*systems, *references, *beside)])
    choose_checks(asked, lacking)
    # Read with the systems, so that a source of another length is refused with all files' names.
    corpora = read_systems([*systems, *([source] if source else [])], references)
    material = Material(
        {name: c.hypotheses for name, c in zip(names, corpora, strict=False)},
        corpora[0].references,
        source=corpora[-1].hypotheses if source else None,
        training=training,
        metrics=metrics,
        names=_names_beside(names, references, source),
    )
    inspection = inspect_material(material, asked)
    with Destination(given.output) as out:
        FORMATS[given.format](out, inspection)
    return FOUND if options["strict"] and inspection.findings else 0


def _names_beside(
    systems: Sequence[str], references: Sequence[Source], source: Source | None
) -> tuple[list[str], str]:
    """Short names of the other files where they tell all files apart, else whole paths."""
    others = [*references, *([source] if source else [])]
    names = [well_formed(one.name) for one in others]
    if len({*systems, *names}) < len(systems) + len(names):
        names = [well_formed(str(one)) for one in others]
    return names[: len(references)], names[-1]


def _check_given(given: Given) -> tuple[list[str] | None, set[str]]:
    options = vars(given)
    beside = {need: options[need] for need in ("source", "training")}
    if not given.references and given.input is not None:
        raise OptionError(
            "no reference was given; expected a file with one per segment before -i, as in "
            f"bleuet lint REF -i {given.input[0]}"
        )
    if given.input is None:
        raise OptionError(
            "no hypotheses were given; expected a file for each system, as in bleuet lint "
            f"{given.references[0] if given.references else 'REF'} -i HYP"
        )
    given.metrics = given.metrics or DEFAULT_METRICS
    check_values(given)
    empty = [need for need, path in beside.items() if path == ""]
    if empty:
        raise OptionError(f"--{empty[0]} names no file: is a variable of the shell empty?")
    refuse_second_stdin((*given.input, *given.references, *beside.values()))
    return options["checks"], {need for need, path in beside.items() if path is None}


def lint_parser() -> Parser:
    """Return the parser of `bleuet lint`."""
    parser = Parser(
        prog="bleuet lint",
        usage="bleuet lint REF [REF ...] -i HYP [HYP ...] [option ...]",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        stray="write the references first and the systems right behind -i, "
        "as in bleuet lint REF -i HYP HYP",
    )
    add = parser.add_argument_group("input").add_argument
    add("references", nargs="*", metavar="REF", help="a file with one reference per segment")
    add(
        "-i", "--input", nargs="+", action="extend", metavar="HYP", default=None,
        help="a file of hypotheses for each system",
    )  # fmt: skip
    add("--source", metavar="SRC", default=None, help="the file that was translated")
    add("--training", metavar="FILE", default=None, help="training text, of either language")
    add = parser.add_argument_group("checks").add_argument
    add(
        "--checks", nargs="+", action="extend", metavar="NAME", default=None,
        choices=Suggestions(CHECKS), help="the checks to run (default: all)",
    )  # fmt: skip
    add(
        "-m", "--metrics", nargs="+", action="extend", metavar="METRIC", default=None,
        choices=Suggestions(METRICS),
        help=f"what findings are measured by (default: {' '.join(DEFAULT_METRICS)})",
    )  # fmt: skip
    add_language_pair(add)
    add("--strict", action="store_true", help="exit with 1 where anything was found")
    add = parser.add_argument_group("output").add_argument
    add_format(add, tuple(FORMATS))
    add_destination(add)
    return parser


# --- Output ---------------------------------------------------------------------------------------


def _write_text(out: IO[str], inspection: Inspection) -> None:
    for finding in inspection.findings:
        effect = f"; {finding.effect}" if finding.effect else ""
        out.write(printable(f"{finding.place}: {finding.check}: {finding.sentence}{effect}") + "\n")
    out.write(_summary(inspection) + "\n")


def _summary(inspection: Inspection) -> str:
    count = len(inspection.findings)
    found = f"{count} finding{'' if count == 1 else 's'}" if count else "nothing found"
    ran = len(inspection.checks)
    left = [f"{name} needs --{need}" for name, need in inspection.not_run.items()]
    return f"{found} by {ran} check{'' if ran == 1 else 's'}" + (
        f" (not run: {', '.join(left)})" if left else ""
    )


def _write_json(out: IO[str], inspection: Inspection) -> None:
    ascii_only = not can_hold_all_of_unicode(out)
    out.write(json.dumps(inspection.to_dict(), indent=1, ensure_ascii=ascii_only) + "\n")


def _write_markdown(out: IO[str], inspection: Inspection) -> None:
    if inspection.findings:
        out.write("| place | check | finding | effect |\n| --- | --- | --- | --- |\n")
    for finding in inspection.findings:
        out.write(f"| {' | '.join(map(in_markdown, _cells(finding)))} |\n")
    out.write(f"{chr(10) if inspection.findings else ''}{_summary(inspection)}\n")


def _cells(finding: Finding) -> tuple[str, str, str, str]:
    return finding.place, finding.check, finding.sentence, finding.effect


FORMATS: dict[str, Callable[[IO[str], Inspection], None]] = {
    "text": _write_text,
    "json": _write_json,
    "markdown": _write_markdown,
}
