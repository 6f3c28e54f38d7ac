"""`bleuet lint`: finds problems in files that make the scores wrong."""

from __future__ import annotations

from bleuet.cli.metric_selection import make_metrics
from bleuet.cli.options import (
    LANGUAGE_PAIR,
    METRICS,
    READING,
    REFERENCES,
    SYSTEMS,
    Command,
    Flag,
)
from bleuet.cli.text_input import sources, text_files
from bleuet.linting.checks import CHECKS
from bleuet.linting.linting import choose_checks, lint_lengths, lint_material
from bleuet.linting.material import Material
from bleuet.output.escaping import well_formed
from bleuet.text.files import STDIN
from bleuet.text.parallel import LengthsError, read_systems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.cli.options import Arguments
    from bleuet.cli.text_input import TextFiles
    from bleuet.linting.linting import LintReport
    from bleuet.text.source import Source

SOURCE = Flag("--source", metavar="SRC", reads=True, help="the source text, for more checks")
TRAINING = Flag(
    "--training", metavar="FILE", reads=True,
    help="training text in the source or target language, for the check overlap",
)  # fmt: skip
CHOSEN_CHECKS = Flag(
    "--checks", many="+", metavar="NAME", suggestions=tuple(CHECKS),
    help="the checks to run (default: all)",
)  # fmt: skip
STRICT = Flag("--strict", kind="switch", help="exit with code 1 if there are findings")
DEFAULT_METRICS = ("bleu", "chrf")

COMMAND = Command(
    "lint",
    """\
Find problems in files that make the scores wrong.

Each finding is printed with its lines and their effect on the scores. Findings
are warnings: the exit code is 0, unless --strict is set.""",
    ["REF [REF ...] -i HYP [HYP ...] [option ...]"],
    {
        "input": (REFERENCES, SYSTEMS, SOURCE, TRAINING, *READING),
        "checks": (
            CHOSEN_CHECKS,
            METRICS.but(
                help=f"the metrics that measure effects (default: {' '.join(DEFAULT_METRICS)})"
            ),
            LANGUAGE_PAIR,
            STRICT,
        ),
    },
    examples=f"""\
checks:
{"".join(f"  {name:<15} {check.summary}{chr(10)}" for name, check in CHECKS.items())}
examples:
  bleuet lint ref.txt -i system.txt
  bleuet lint ref.txt -i a.txt b.txt --source src.txt --strict
  bleuet lint ref.txt -i system.txt --training corpus.gz --checks overlap

exit codes: 0 done, 1 findings with --strict or input that cannot be read,
2 wrong usage, 130 Ctrl-C""",
    stray="write the references first and the systems after -i, as in bleuet lint REF -i HYP HYP",
)


def answer(args: Arguments) -> LintReport:
    """Return the findings."""
    files = text_files(args)
    metrics = make_metrics(args, DEFAULT_METRICS)
    source, training = (
        sources(args, [word])[0] if word else None for word in (args.source, args.training)
    )
    missing = {"source": source, "training": training}
    choose_checks(args.checks, {need for need, text in missing.items() if text is None})
    names = _other_names(files.names, files.references, source)
    read = [*files.systems, *([source] if source else [])]
    try:
        corpora = read_systems(read, files.references)
    except LengthsError:
        found = _lengths(args, files, names, source)
        if found is None:
            raise
        return found
    material = Material(
        {name: c.segments[0] for name, c in zip(files.names, corpora, strict=False)},
        corpora[0].segments[1],
        source=corpora[-1].segments[0] if source else None,
        training=training,
        metrics=metrics,
        names=names,
    )
    return lint_material(material, args.checks, strict=args.strict)


def _lengths(
    args: Arguments, files: TextFiles, names: tuple[list[str], str], source: Source | None
) -> LintReport | None:
    """Return where lines were lost or added; None for what can be read only once."""
    sources = [*files.systems, *files.references, *([source] if source else [])]
    if any(one.path == STDIN for one in sources):
        return None
    return lint_lengths(
        {name: one.read() for name, one in zip(files.names, files.systems, strict=True)},
        {
            name: one.read(several=True)
            for name, one in zip(names[0], files.references, strict=True)
        },
        (names[1], source.read()) if source else None,
        args.checks,
        strict=args.strict,
    )


def _other_names(
    systems: Sequence[str], references: Sequence[Source], source: Source | None
) -> tuple[list[str], str]:
    """Return the names of references and source, as short as keeps all files apart.

    Args:
        systems: the names of the systems.
        references: the files of references.
        source: the source, if there is one.
    """
    others = [*references, *([source] if source else [])]
    names = [well_formed(one.name) for one in others]
    if len({*systems, *names}) < len(systems) + len(names):
        names = [well_formed(str(one)) for one in others]
    return names[: len(references)], names[-1]
