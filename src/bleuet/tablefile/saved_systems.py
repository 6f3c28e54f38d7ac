"""Systems whose rows were counted earlier and saved: read in step, as if they were counted now."""

from __future__ import annotations

import os
from bisect import bisect_right

from bleuet.errors import OptionError, TableError
from bleuet.messages import nearest
from bleuet.statistics.counted import Counted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, TypeAlias

    from bleuet.metrics.metric import Metric
    from bleuet.statistics.table import Table
    from bleuet.tablefile.saved_tables import SavedFile
    from bleuet.tablefile.schema import MetricColumns

    # For each metric its place in the file, and the metric to score its rows with.
    Chosen: TypeAlias = list[tuple[int, Metric[Any]]]


class SavedSystems:
    """Systems of one file or several.

    Several files hold either other systems on the same segments, or, with `append`, further
    segments of the same systems, in the order of the files.

    Args:
        files: the files.
        chosen: for each file the metrics to score with, the same in all of them.
        append: whether the files hold further segments.

    Raises:
        TableError: the files cannot be put together so.
        OptionError: a file was given twice.
    """

    def __init__(
        self, files: Sequence[SavedFile], chosen: Sequence[Chosen], *, append: bool = False
    ) -> None:
        self.metrics = [metric for _, metric in chosen[0]]
        self._wanted = {
            file: [file.wanted(number, metric) for number, metric in metrics]
            for file, metrics in zip(files, chosen, strict=True)
        }
        parts = [(file, i) for file in files for i in range(len(file.systems))]
        if append:
            _check_systems(files)
            self.names = list(files[0].systems)
            self._parts = [
                [(file, file.systems.index(name)) for file in files] for name in self.names
            ]
        else:
            self._check_segments(files)
            self.names = _names_of(parts)
            self._parts = [[part] for part in parts]
        self.segments = sum(file.segments for file, _ in self._parts[0])

    def _check_segments(self, files: Sequence[SavedFile]) -> None:
        """Refuse files that cannot be of one test set."""
        first = files[0]
        mend = "; give --append if they hold further segments of the same systems"
        for file in files[1:]:
            if file.segments != first.segments:
                raise TableError(
                    f"the files differ in length: {first.path} has {first.segments} segments, "
                    f"{file.path} has {file.segments}{mend}"
                )
            known = first.references and file.references
            others = known and first.references != file.references
            if others or self._counts_differ(first, file):
                raise TableError(
                    f"{first.path} and {file.path} were counted against different references, so "
                    f"their scores do not compare{mend}"
                )

    def _counts_differ(self, one: SavedFile, other: SavedFile) -> bool:
        return _n_references(self._wanted[one]) != _n_references(self._wanted[other])

    def choose(self, names: Sequence[str]) -> None:
        """Keep only some systems, in the order of their names.

        Raises:
            OptionError: there is none of a name, or it comes twice.
        """
        for name in names:
            if name not in self.names:
                known = ", ".join(self.names)
                raise OptionError(
                    f"there is no system {name} in the saved tables{nearest(name, self.names)}; "
                    f"they are {known}"
                )
        if len(set(names)) < len(names):
            raise OptionError("a system was named twice: name each once")
        self._parts = [self._parts[self.names.index(name)] for name in names]
        self.names = list(names)

    def counted(self, segments: Sequence[range] | None = None) -> Iterator[Counted]:
        """Read the rows of all systems in step.

        Args:
            segments: the segments to read, as ascending ranges of their numbers from 1 that do
                not overlap; None for all.

        Raises:
            InputError: a file is damaged.
            TableError: there is no such segment.
        """
        if segments is not None and segments[-1].stop > self.segments + 1:
            raise TableError(
                f"there is no segment {segments[-1].stop - 1}; the tables have {self.segments}, "
                "counted from 1"
            )
        first = 1
        for tables in zip(*(self._stream(part) for part in self._parts), strict=True):
            here = range(first, first + tables[0][0].rows)
            first = here.stop
            if segments is None:
                yield Counted(list(tables), here)
                continue
            rows = _overlap(segments, here)
            if rows:
                some = [[table.select(rows) for table in of_system] for of_system in tables]
                yield Counted(some, [here.start + row for row in rows])

    def _stream(self, parts: Sequence[tuple[SavedFile, int]]) -> Iterator[list[Table]]:
        for file, system in parts:
            yield from file.reader.stream(system, self._wanted[file])


def _n_references(wanted: Sequence[MetricColumns]) -> list[int | None]:
    return [columns.n_references for columns in wanted]


def _check_systems(files: Sequence[SavedFile]) -> None:
    """Refuse to join the segments of files with other systems."""
    first = files[0]
    for file in files[1:]:
        if set(file.systems) != set(first.systems):
            raise TableError(
                f"--append joins segments of the same systems, but {first.path} has "
                f"{', '.join(first.systems)} and {file.path} has {', '.join(file.systems)}: "
                "leave it out to set them side by side"
            )


def _names_of(parts: Sequence[tuple[SavedFile, int]]) -> list[str]:
    """The systems' names, with their file before them where two have the same."""
    short = [file.systems[i] for file, i in parts]
    named = [f"{os.path.basename(file.path)}:{file.systems[i]}" for file, i in parts]
    whole = [f"{file.path}:{file.systems[i]}" for file, i in parts]
    for names in (short, named, whole):
        if len(set(names)) == len(names):
            return names
    twice = next(name for name in whole if whole.count(name) > 1)
    raise OptionError(f"{twice} was given twice: name each file once")


def _overlap(segments: Sequence[range], here: range) -> list[int]:
    """The rows, from 0, of those segments that a portion holds."""
    rows: list[int] = []
    # The last range that begins before the portion may reach into it.
    at = max(bisect_right(segments, here.start, key=lambda some: some.start) - 1, 0)
    while at < len(segments) and segments[at].start < here.stop:
        some = segments[at]
        start, stop = max(some.start, here.start), min(some.stop, here.stop)
        rows += range(start - here.start, stop - here.start)
        at += 1
    return rows
