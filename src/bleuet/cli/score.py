"""`bleuet score`: reads systems and references in step, scores them, prints the result."""

from __future__ import annotations

import os
import sys
import warnings

from bleuet.cli.destination import check_destination
from bleuet.cli.given import check_values, make_metrics, read_plainly
from bleuet.cli.glance import Glance
from bleuet.cli.names import names_of
from bleuet.cli.warning_lines import show_warnings, warn
from bleuet.engines.streaming import count_batches, score_counted
from bleuet.errors import OptionError
from bleuet.statistics.backend import backend
from bleuet.text.parallel import Parallel
from bleuet.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from bleuet.cli.given import Given
    from bleuet.engines.streaming import Batch
    from bleuet.metrics.metric import Metric
    from bleuet.statistics.counted import Counted

    Watcher = Callable[[Counted], None]


def main(command: str, arguments: Sequence[str]) -> int:
    """Run `bleuet score` and return its exit code."""
    given = read_plainly(arguments) or _parse(arguments)
    check_values(given)
    if given.confidence or (given.interval_draws, given.interval_seed) != (None, None):
        from bleuet.cli.confidence import check_confidence

        check_confidence(given)
    with warnings.catch_warnings():
        show_warnings(given.quiet)
        return _run(given)


def _parse(arguments: Sequence[str]) -> Given:
    # Imported here because it costs half of what a small corpus takes.
    from bleuet.cli.arguments import score_parser

    return score_parser().read(arguments)


def _run(given: Given) -> int:
    if given.from_table is not None:
        from bleuet.cli.from_table import score_saved

        return score_saved(given)
    metrics = make_metrics(given)
    if given.input is None:
        _check_standard_input(given)
    systems = [Source.parse(path) for path in given.input or ["-"]]
    references = [Source.parse(path) for path in given.references]
    names = names_of(systems)
    read = [source.path for source in (*systems, *references)]
    check_destination(given.output, read)
    if given.save_table is not None:
        from bleuet.cli.save_table import check_table

        check_table(given, read)
    with Parallel(systems, references, count_lines=backend().count_lines) as batches:
        known = [system in references for system in systems]
        glance = None if given.quiet else Glance(names, expects_detokenized(metrics), known)
        _score(given, metrics, names, batches, glance)
    if not given.quiet:
        warn_of_references(systems, references)
    return 0


def _check_standard_input(given: Given) -> None:
    """Refuse to wait for a terminal, or to read nothing, where -i was forgotten."""
    import stat

    try:
        waits = stat.S_ISCHR(os.fstat(sys.stdin.fileno()).st_mode)
    except AttributeError:  # closed
        waits = True
    except OSError:  # replaced by something in memory
        waits = False
    if not waits:
        return
    several = " (all files before -i are references)" if len(given.references) > 1 else ""
    raise OptionError(f"no hypotheses were given{several}: name a file with -i, or pipe them in")


def warn_of_references(systems: Sequence[Source], references: Sequence[Source]) -> None:
    """Tell of files that are scored against themselves."""
    for system in systems:
        if system in references:
            warn(f"{system} is both a system and a reference, so it is scored against itself")


def expects_detokenized(metrics: Sequence[Metric]) -> bool:
    """Whether a metric counts words as the shared tasks do, in text without marks set apart."""
    return any("tok:13a" in str(metric.signature()) for metric in metrics)


def _score(
    given: Given,
    metrics: Sequence[Metric],
    names: list[str],
    batches: Parallel,
    glance: Glance | None,
) -> None:
    watchers: list[Watcher] = []
    bar = None
    if not given.quiet and sys.stderr is not None and sys.stderr.isatty():
        from bleuet.cli.progress import Bar

        bar = Bar(batches)
        watchers.append(bar)
    try:
        looked_at = batches if glance is None else glance.over(batches)
        write = _count(given, metrics, names, looked_at, watchers)
    finally:
        if bar is not None:
            bar.stop()
    write()
    for warning in glance.warnings() if glance is not None else ():
        warn(warning)


def _count(
    given: Given,
    metrics: Sequence[Metric],
    names: list[str],
    batches: Iterable[Batch],
    watchers: Sequence[Watcher],
) -> Callable[[], None]:
    """Read and count everything; only what is returned writes, once nothing can go wrong."""

    def after_batch(counted: Counted) -> None:
        for watch in watchers:
            watch(counted)

    if given.save_table is not None:
        from bleuet.cli.save_table import saving

        with saving(given, metrics, names, batches) as counted:
            return score_rows(given, metrics, names, counted, after_batch)
    counted = count_batches(metrics, batches, threads=given.threads)
    return score_rows(given, metrics, names, counted, after_batch)


def score_rows(
    given: Given,
    metrics: Sequence[Metric],
    names: Sequence[str],
    batches: Iterable[Counted],
    after_batch: Watcher | None = None,
) -> Callable[[], None]:
    """Score what was counted, and return what writes the scores."""
    if given.sentence_level:
        from bleuet.cli.sentences import Sentences

        lines = Sentences(given, metrics, names)
        lines.gather(batches, after_batch)
        return lines.write
    if given.confidence:
        from bleuet.cli.confidence import score_with_intervals

        scores = score_with_intervals(given, metrics, batches, after_batch)
    else:
        scores = score_counted(metrics, batches, after_batch)
    from bleuet.cli.output import write_scores

    return lambda: write_scores(given, names, scores)
