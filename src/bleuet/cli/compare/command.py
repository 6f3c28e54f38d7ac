"""`bleuet compare`: reads systems and references, compares them, prints where they differ."""

from __future__ import annotations

import shlex
import warnings
from itertools import chain

from bleuet.cli.compare.arguments import (
    CompareGiven,
    check_comparison,
    compare_parser,
    other_files,
)
from bleuet.cli.compare.output import write_comparison
from bleuet.cli.compare.report import check_report, write_report
from bleuet.cli.destination import check_destination
from bleuet.cli.given import check_values, make_metrics
from bleuet.cli.given_scores import files_of_scores, ordered, read_given_scores
from bleuet.cli.glance import Glance
from bleuet.cli.names import names_of, without_common_ending
from bleuet.cli.paired_tests import correction_of
from bleuet.cli.score import expects_detokenized, warn_of_references
from bleuet.cli.warning_lines import show_warnings, warn
from bleuet.errors import InputError
from bleuet.studies.comparison import TokenLabels, compare
from bleuet.studies.comparison.division import DIVISIONS
from bleuet.text.parallel import read_systems
from bleuet.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from bleuet.metrics.metric import Metric
    from bleuet.studies.comparison import Comparison
    from bleuet.studies.external_scores import Scores
    from bleuet.text.corpus import Corpus


def main(command: str, arguments: Sequence[str]) -> int:
    """Run `bleuet compare` and return its exit code."""
    given = compare_parser().fill(CompareGiven(), arguments)
    given.command_line = shlex.join(["bleuet", command, *arguments])
    check_comparison(given)
    check_values(given)
    with warnings.catch_warnings():
        show_warnings(given.quiet)
        return _run(given)


def _run(given: CompareGiven) -> int:
    systems = [Source.parse(path) for path in given.input]
    references = [Source.parse(path) for path in given.references]
    others = [Source.parse(path) for path in other_files(given)]
    inputs = [source.path for source in (*systems, *references, *others)]
    check_destination(given.output, inputs)
    check_report(given, inputs)
    files, metrics = names_of(systems), _metrics(given)
    names = without_common_ending(files)
    corpora = read_systems(systems, references)
    scores = read_given_scores(given, dict(zip(names, files, strict=True)), len(corpora[0]))
    comparison = _compare(given, metrics, names, corpora, scores)
    if given.test:
        comparison = _tested(given, comparison)
    if given.blocks is not None:
        comparison = comparison.with_blocks(given.blocks)
    write_report(given, comparison)
    write_comparison(given, comparison)
    if not given.quiet:
        known = [system in references for system in systems]
        _glance(comparison.evaluation.metrics, files, corpora, known)
        warn_of_references(systems, references)
    return 0


def _metrics(given: CompareGiven) -> list[str | Metric]:
    """Return the metrics in the order asked for, those of scores from elsewhere by their names."""
    names = list(files_of_scores(given))
    asked = ordered(given.metrics, names)
    given.metrics = [name for name in asked if name not in names]
    made = iter(make_metrics(given))
    return [name if name in names else next(made) for name in asked]


def _glance(
    metrics: Sequence[Metric], names: list[str], corpora: Sequence[Corpus], known: Sequence[bool]
) -> None:
    """Warn of what can be seen at a glance, as `bleuet score` does."""
    glance = Glance(names, expects_detokenized(metrics), known)
    hypotheses = [corpus.segments[0] for corpus in corpora]
    for _ in glance.over([(hypotheses, corpora[0].segments[1])]):
        pass
    for warning in glance.warnings():
        warn(warning)


def _compare(
    given: CompareGiven,
    metrics: Sequence[str | Metric],
    names: Sequence[str],
    corpora: Sequence[Corpus],
    scores: Scores,
) -> Comparison:
    labels = [Source.parse(path) for path in given.labels or ()]
    return compare(
        {name: corpus.hypotheses for name, corpus in zip(names, corpora, strict=True)},
        corpora[0].references,
        metrics,
        scores=scores,
        by=given.by,
        labels=_read_all(labels, _names_of_labels(labels)),
        frequencies=_lines(given.frequencies) if given.frequencies else None,
        word_lists=_word_lists(given.word_lists or ()),
        token_labels=_token_labels(given, names),
        pairs="all" if given.all_pairs else "first",
        limit=given.examples or 0,
        threads=given.threads,
    )


def _tested(given: CompareGiven, comparison: Comparison) -> Comparison:
    """Draw intervals, test all pairs of systems and rank them in clusters."""
    return comparison.tested(
        alpha=given.alpha,
        test=given.test,
        draws=given.draws,
        seed=given.seed,
        correction=correction_of(given),
        threads=given.threads,
    )


def _names_of_labels(labels: Sequence[Source]) -> list[str]:
    """Return the name of a label's column, where it has one and no other is called so.

    >>> _names_of_labels([Source("a.tsv", column) for column in ("domain", "length", "2")])
    ['domain', 'a.tsv:length', 'a.tsv:2']
    """
    columns = [source.column or "" for source in labels]
    taken = [*columns, *DIVISIONS]
    return [
        column if column and not column.isdigit() and taken.count(column) == 1 else name
        for column, name in zip(columns, names_of(labels, "labels"), strict=True)
    ]


def _read_all(sources: Sequence[Source], names: Sequence[str]) -> dict[str, list[str]]:
    return {name: source.read() for name, source in zip(names, sources, strict=True)}


def _lines(path: str) -> Iterable[str]:
    """Return the lines of a training file, read as they are asked for."""
    return chain.from_iterable(Source.parse(path).stream())


def _word_lists(paths: Sequence[str]) -> dict[str, list[str]]:
    sources = [Source.parse(path) for path in paths]
    files = _read_all(sources, names_of(sources, "a word list"))
    return {name: _words(name, lines) for name, lines in files.items()}


def _words(name: str, lines: Sequence[str]) -> list[str]:
    for number, line in enumerate(lines, 1):
        if len(line.split()) > 1:
            raise InputError(
                f"{name}:{number} holds more than one word; expected one on every line: give "
                "the words of a phrase a line each"
            )
    return [line.strip() for line in lines if line.strip()]


def _token_labels(given: CompareGiven, names: Sequence[str]) -> TokenLabels | None:
    if not given.reference_labels:
        return None
    files = [Source.parse(path).read() for path in given.system_labels]
    hypotheses = dict(zip(names, files, strict=True))
    return TokenLabels(Source.parse(given.reference_labels).read(), hypotheses)
