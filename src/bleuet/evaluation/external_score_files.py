"""Files of external scores: one file of numbers per system, or one table for all systems."""

from __future__ import annotations

import os

from bleuet.errors import InputError, OptionError
from bleuet.evaluation.external import SegmentMean
from bleuet.evaluation.names import without_endings
from bleuet.evaluation.score_tables import TableLayout, check_columns, read_score_table
from bleuet.messages import nearest, plural
from bleuet.text.source import Source
from bleuet.text.tables import NamedColumns, read_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from bleuet.evaluation.score_tables import SameTestSet, ScoreTable

    # One number per segment, None where a segment has no score.
    Numbers: TypeAlias = list[float | None]

ONE_TABLE = "one table with the columns segment, system, score"


def read_external_scores(
    files: Mapping[str, Sequence[Source]],
    systems: Mapping[str, str],
    segments: int,
    *,
    lower_is_better: Collection[str] = (),
    layout: TableLayout | None = None,
    each: str = "system",
    same: SameTestSet | None = None,
) -> dict[SegmentMean, dict[str, Numbers]]:
    """Read external scores.

    Args:
        files: the files of each metric: one for each system in their order, or one table.
        systems: the name of each system, and the name of its file, which tables may use.
        segments: the number of segments.
        lower_is_better: the metrics that are error rates.
        layout: how tables are read.
        each: what messages call a system.
        same: checks that tables are of the test set.

    Returns:
        The scores of each metric by system.

    Raises:
        InputError: a file cannot be read, has a value that is not a number, or lacks a system or
            segments; the message names the place.
        OptionError: the number of files is not the number of systems.
    """
    layout = layout or TableLayout()
    found: dict[SegmentMean, dict[str, Numbers]] = {}
    tables: list[NamedColumns] = []
    for name, sources in files.items():
        mean = SegmentMean(name, name not in lower_is_better)
        if len(sources) == 1 and _is_table(sources[0], len(systems), layout):
            table = read_score_table(sources[0], layout)
            tables.append(table.table)
            if same is not None:
                same.check(table.table)
            found[mean] = _of_table(name, table, systems, segments, layout.average)
        else:
            check_number_of_files(name, sources, len(systems), each)
            columns = [read_score_file(name, source, segments, same) for source in sources]
            found[mean] = dict(zip(systems, columns, strict=True))
    if layout.columns:
        check_columns(layout.columns, tables)
    return found


def check_number_of_files(
    name: str, files: Sequence[Source], systems: int, each: str = "system"
) -> None:
    """Check that there is one file of external scores for each system.

    Args:
        name: the name of the metric.
        files: its files.
        systems: the number of systems.
        each: what messages call a system.

    Raises:
        OptionError: there are more or fewer.
    """
    if len(files) != systems:
        raise OptionError(
            f"--scores names {plural(len(files), 'file')} of {name} for "
            f"{plural(systems, each)}; expected one for each, in the order of -i, or {ONE_TABLE}"
        )


# --- A file for each system -----------------------------------------------------------------------


def read_score_file(
    name: str, source: Source, segments: int, same: SameTestSet | None = None
) -> Numbers:
    """Read the scores of one system: a number on each line, or a column of a table.

    Args:
        name: the name of the metric, for errors.
        source: the file, or its column.
        segments: the number of segments.
        same: checks that a table is of the test set.

    Raises:
        InputError: a value is not a number, or there are more or fewer than segments.
    """
    table, column = _numbers_of(name, source)
    if same is not None:
        same.check(table)
    if len(table) != segments:
        raise InputError(
            f"{source} has {plural(len(table), f'{name} score')}, but there are {segments} "
            "segments; expected one on each line, and an empty line where a segment has none"
        )
    return _with_none(table.numbers(column))


def _numbers_of(name: str, source: Source) -> tuple[NamedColumns, str]:
    """Return a table that has the numbers, and the name of their column."""
    if source.column is not None and not _is_numbered(source):
        return read_table(source), source.column
    lines = source.without_mark().read()
    return NamedColumns(str(source), {name: lines}, range(1, len(lines) + 1)), name


def _is_numbered(source: Source) -> bool:
    """Return whether a column is named by its number; the first line then has numbers too."""
    return source.kind in ("tsv", "csv") and (source.column or "").isdecimal()


def _with_none(numbers: Iterable[float]) -> Numbers:
    return [None if number != number else number for number in numbers]


# --- A table of all systems -----------------------------------------------------------------------


def _is_table(source: Source, systems: int, layout: TableLayout) -> bool:
    """Return whether a file is a table of segments and systems, not the numbers of one system."""
    if _is_numbered(source):
        return False
    if not os.path.isfile(source.path):
        return systems > 1  # a pipe can be read only once, and a missing file is reported later
    if source.kind == "lines":
        with source.without_mark().stream() as batches:
            first = next(iter(next(iter(batches), [])), "")
        return "\t" in first
    if systems > 1:
        return True
    return layout.columns.get("system", "system") in read_table(source).columns


def _of_table(
    name: str, table: ScoreTable, systems: Mapping[str, str], segments: int, average: bool
) -> dict[str, Numbers]:
    if table.segments is None:
        raise InputError(
            f"{table.table.name} has one {name} score for each system; expected one for each "
            f"segment, in {ONE_TABLE}"
        )
    names = [_name_in_table(table, name, file) for file in systems.values()]
    repeated = next((one for one in names if names.count(one) > 1), None)
    if repeated is not None:
        raise InputError(
            f"two systems are both {repeated} in {table.table.name}: rename one of their files"
        )
    rows = table.select(names, segments, average=average)
    return {system: _with_none(row) for system, row in zip(systems, rows, strict=True)}


def _name_in_table(table: ScoreTable, name: str, file: str) -> str:
    """Return the name of a system in a table; the file name may have more endings."""
    for part in without_endings(file):
        if part in table.names:
            return part
    short = list(without_endings(file))[-1]
    raise InputError(
        f"{table.table.name} has no {name} score of {file}{nearest(short, table.names)}; it has "
        f"{', '.join(table.names)}: name the system in the table after its file"
    )
