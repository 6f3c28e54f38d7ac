"""What `bleuet significance` tests: systems counted from texts or kept in saved tables."""

from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import chain

from bleuet.cli.destination import check_destination
from bleuet.cli.from_table import chosen_segments, open_saved
from bleuet.cli.given import make_metrics
from bleuet.cli.given_scores import files_of_scores, ordered, read_given_scores
from bleuet.cli.glance import Glance
from bleuet.cli.names import names_of, without_common_ending
from bleuet.cli.progress import watched
from bleuet.cli.refusals import refuse_empty_names, refuse_second_stdin
from bleuet.cli.score import expects_detokenized, warn_of_references
from bleuet.cli.significance.names import Lineup, Named, line_up, named_by
from bleuet.cli.warning_lines import warn
from bleuet.engines.streaming import count_batches, keep_counted
from bleuet.errors import InputError
from bleuet.metrics.ter import TER
from bleuet.statistics.backend import backend
from bleuet.studies.external_scores import validate_scores
from bleuet.studies.significance import Systems
from bleuet.text.files import STDIN
from bleuet.text.parallel import Parallel
from bleuet.text.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    from bleuet.cli.significance.arguments import SignificanceGiven
    from bleuet.metrics.metric import Metric
    from bleuet.statistics.table import Table
    from bleuet.tablefile.saved_systems import SavedSystems

    # One table per metric.
    Run: TypeAlias = Sequence[Table]


@dataclass(frozen=True, slots=True)
class MetricTables:
    """One metric's tables.

    Attributes:
        metric: the metric.
        tables: one for each run of each system.
    """

    metric: Metric[Any]
    tables: Sequence[Table]


def read_evidence(given: SignificanceGiven) -> tuple[Systems, str | None]:
    """Count texts, or open what was counted.

    Raises:
        OptionError: an option has no place, or systems are not named as they should be.
        InputError: a file cannot be read.
        TableError: saved tables do not fit together.
    """
    read = _from_texts if given.from_table is None else _from_tables
    return read(given)


def _evidence(lineup: Lineup, counted: Sequence[MetricTables]) -> tuple[Systems, str | None]:
    runs = lineup.shared_out(zip(*(one.tables for one in counted), strict=True))
    return Systems.of_runs(tuple(one.metric for one in counted), runs), lineup.baseline


# --- Texts ----------------------------------------------------------------------------------------


def _from_texts(given: SignificanceGiven) -> tuple[Systems, str | None]:
    named = [named_by(word, _is_file) for word in given.input]
    words = list(chain.from_iterable(system.words for system in named))
    scores = list(chain.from_iterable(files_of_scores(given).values()))
    refuse_empty_names(words)
    refuse_second_stdin((*words, *given.references, *scores))
    sources = [Source.parse(word) for word in words]
    references = [Source.parse(path) for path in given.references]
    shown = names_of(sources)
    lineup = line_up(given, named, shown)
    asked = _asked(given)
    metrics = make_metrics(given)
    read = (*sources, *references, *map(Source.parse, scores))
    check_destination(given.output, [source.path for source in read])
    tables = _count(given, metrics, sources, references, shown)
    segments = tables[0][0].rows
    computed = _by_metric(metrics, tables)
    counted = _with_scores(
        given, asked, computed, shown, lineup.has_runs, segments, range(segments)
    )
    return _evidence(lineup, counted)


def _count(
    given: SignificanceGiven,
    metrics: Sequence[Metric[Any]],
    sources: Sequence[Source],
    references: Sequence[Source],
    shown: Sequence[str],
) -> list[list[Table]]:
    """Count all texts; where no metric is to be computed, one that says how many segments."""
    reading = Parallel(sources, references, count_lines=backend().count_lines)
    with reading as batches, watched(batches, given.quiet) as bar:
        known = [source in references for source in sources]
        glance = Glance(shown, expects_detokenized(metrics), known)
        looked_at = batches if given.quiet else glance.over(batches)
        counted = count_batches(metrics or [TER()], looked_at, threads=given.threads)
        tables = keep_counted(counted, bar)
    if not given.quiet:
        warn_of_references(sources, references)
        for warning in glance.warnings():
            warn(warning)
    return tables


def _is_file(word: str) -> bool:
    try:
        return word == STDIN or os.path.exists(Source.parse(word).path)
    except InputError:
        return False


# --- Saved tables ---------------------------------------------------------------------------------


def _from_tables(given: SignificanceGiven) -> tuple[Systems, str | None]:
    asked = _asked(given)
    computes = given.metrics is None or bool(given.metrics)
    saved = open_saved(given)
    named = _named_in_tables(given, saved)
    saved.choose(list(chain.from_iterable(system.words for system in named)))
    lineup = line_up(given, named, saved.names)
    chosen = chosen_segments(given, saved)
    segments = [range(1, saved.segments + 1)] if chosen is None else chosen
    rows = [segment - 1 for some in segments for segment in some]
    tables = keep_counted(saved.counted(chosen))
    computed = _by_metric(saved.metrics, tables) if computes else []
    counted = _with_scores(
        given, asked, computed, saved.names, lineup.has_runs, saved.segments, rows
    )
    return _evidence(lineup, counted)


def _named_in_tables(given: SignificanceGiven, saved: SavedSystems) -> list[Named]:
    """Systems by their names in the tables, or as they are shown."""
    if given.input is None:
        return [Named("", (name,)) for name in saved.names]
    shown = zip(without_common_ending(saved.names), saved.names, strict=True)
    known = {**dict(shown), **{name: name for name in saved.names}}
    named = [named_by(word, known.__contains__) for word in given.input]
    return [Named(one.name, tuple(known.get(w, w) for w in one.words)) for one in named]


# --- Scores from elsewhere ------------------------------------------------------------------------


def _asked(given: SignificanceGiven) -> list[str] | None:
    """What -m names, with the names of --scores among it, which it is rid of; None for all."""
    names = list(files_of_scores(given))
    if given.metrics is None:
        return None
    asked = ordered(given.metrics, names)
    given.metrics = [name for name in asked if name not in names]
    return asked


def _by_metric(metrics: Sequence[Metric[Any]], tables: Sequence[Run]) -> list[MetricTables]:
    columns = zip(*tables, strict=True)
    return [MetricTables(metric, own) for metric, own in zip(metrics, columns, strict=False)]


def _with_scores(
    given: SignificanceGiven,
    asked: Sequence[str] | None,
    computed: Sequence[MetricTables],
    shown: Sequence[str],
    has_runs: bool,
    segments: int,
    rows: Sequence[int],
) -> list[MetricTables]:
    """Put scores from elsewhere among what was computed, in the order of -m.

    Args:
        given: what was asked.
        asked: the metrics by name, None for those computed and the others behind them.
        computed: what was computed.
        shown: each run by its file's name.
        has_runs: whether a system has several.
        segments: how many segments there are scores of.
        rows: those that are tested, from 0.
    """
    called = dict(zip(shown, shown, strict=True))
    read = read_given_scores(given, called, segments, "run" if has_runs else "system")
    chosen = {
        mean: {name: [column[row] for row in rows] for name, column in columns.items()}
        for mean, columns in read.items()
    }
    known = {
        name: MetricTables(one.mean, one.tables)
        for name, one in validate_scores(chosen, shown, len(rows)).items()
    }
    following = iter(computed)
    if asked is None:
        return [*computed, *known.values()]
    return [known[name] if name in known else next(following) for name in asked]
