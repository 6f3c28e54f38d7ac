"""Saved tables of one file or several: read batch by batch, as if they were counted now."""

from __future__ import annotations

import os
from bisect import bisect_right

from bleuet.errors import OptionError, TableError
from bleuet.evaluation.stream import Stream
from bleuet.messages import nearest
from bleuet.statistics.counted import Counted
from bleuet.tablefile.saved_files import SavedFile, select_metrics
from bleuet.text.fingerprint import (
    append_fingerprints,
    check_same_test_set,
    of_read_texts,
    of_selected,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.statistics.table import Table
    from bleuet.tablefile.saved_files import Selection


def open_saved(
    paths: Sequence[str],
    words: Sequence[str] | None = None,
    *,
    append: bool = False,
    sentences: bool = False,
    allow_mismatch: bool = False,
) -> SavedSystems:
    """Open files of saved tables.

    Args:
        paths: the files.
        words: metrics as -m names them, with the options to score with; None for all metrics of
            the files.
        append: the files contain further segments of the same systems, not other systems.
        sentences: whether segments are scored one by one.
        allow_mismatch: whether to warn only where files have other references or sources.

    Raises:
        InputError: a file cannot be read or has no saved tables.
        OptionError: a metric or option does not exist, or a file or metric is named twice.
        TableError: a file has no such table, or the files do not belong together.
    """
    files = [SavedFile(path) for path in paths]
    selections = select_metrics(words, files, sentences=sentences)
    return SavedSystems(selections, append=append, allow_mismatch=allow_mismatch)


class SavedSystems:
    """Systems of one file or several.

    Several files contain either different systems on the same segments, or, with `append`,
    further segments of the same systems, in the order of the files.

    Args:
        selections: the files, with the same metrics selected from each.
        append: whether the files contain further segments.
        allow_mismatch: whether to warn only where files have other references or sources.

    Raises:
        TableError: the files do not belong together.
        OptionError: a file is named twice.
    """

    def __init__(
        self,
        selections: Sequence[Selection],
        *,
        append: bool = False,
        allow_mismatch: bool = False,
    ) -> None:
        first = selections[0]
        self.metrics = first.metrics
        # For each system the selections that its rows are read from, and its name in them.
        self._parts: list[list[tuple[Selection, str]]]
        if append:
            _check_same_systems(selections)
            self.names = list(first.file.systems)
            self._parts = [[(one, name) for one in selections] for name in self.names]
        else:
            _check_same_segments(selections, allow_mismatch)
            parts = [(one, name) for one in selections for name in one.file.systems]
            self.names = _different_names(parts)
            self._parts = [[part] for part in parts]
        _check_same_learned(selections)
        self.segments = sum(one.file.segments for one, _ in self._parts[0])
        known = [one.file.references for one in selections]
        self._test_set = append_fingerprints(known) if append else known[0]

    def choose(self, names: Sequence[str]) -> None:
        """Keep only some systems, in the order of their names.

        Raises:
            OptionError: there is no system of that name, or it is named twice.
        """
        for name in names:
            if name not in self.names:
                raise OptionError(
                    f"there is no system {name} in the saved tables{nearest(name, self.names)}; "
                    f"they are {', '.join(self.names)}"
                )
        if len(set(names)) < len(names):
            raise OptionError("a system is named twice: name each once")
        self._parts = [self._parts[self.names.index(name)] for name in names]
        self.names = list(names)

    def stream(self, segments: Sequence[range] | None = None) -> Stream:
        """Return the rows of all systems, which are read batch by batch.

        Args:
            segments: the segments to read, as ascending ranges of their numbers from 1 that do
                not overlap; None for all.

        Raises:
            InputError: a file is damaged, which shows when its rows are read.
            TableError: there is no such segment.
        """
        batches, test_set = self._batches(segments), self._test_set
        if segments is not None:
            test_set = of_selected(test_set, [number for part in segments for number in part])
        return Stream(self.names, self.metrics, batches, self.segments, segments, test_set)

    def _batches(self, segments: Sequence[range] | None) -> Iterator[Counted]:
        if segments is not None and segments[-1].stop > self.segments + 1:
            raise TableError(
                f"there is no segment {segments[-1].stop - 1}; the tables have the segments 1 to "
                f"{self.segments}"
            )
        first = 1
        for tables in zip(*(_stream(part) for part in self._parts), strict=True):
            here = range(first, first + tables[0][0].rows)
            first = here.stop
            if segments is None:
                yield Counted(list(tables), here)
                continue
            rows = _overlap(segments, here)
            if rows:
                some = [[table.select(rows) for table in of_system] for of_system in tables]
                yield Counted(some, [here.start + row for row in rows])


def _stream(parts: Sequence[tuple[Selection, str]]) -> Iterator[list[Table]]:
    for selection, name in parts:
        yield from selection.stream(name)


def _check_same_learned(selections: Sequence[Selection]) -> None:
    """Raise where a metric had learned something else before it counted the rows of a file."""
    first = selections[0]
    for other in selections[1:]:
        for metric, ours, theirs in zip(first.metrics, first.columns, other.columns, strict=True):
            if ours.learned and theirs.learned and ours.learned != theirs.learned:
                raise TableError(
                    f"{metric.name} learned its weights from other references for "
                    f"{first.file.path} than for {other.file.path}, so their rows cannot be "
                    f"combined: count all texts at once"
                )


def _check_same_segments(selections: Sequence[Selection], allow_mismatch: bool) -> None:
    """Raise where files cannot be of one test set."""
    first = selections[0]
    fix = "; add --append if they contain further segments of the same systems"
    reads = any(metric.reads_sources for metric in first.metrics)
    for other in selections[1:]:
        ours, theirs = first.file, other.file
        if theirs.segments != ours.segments:
            raise TableError(
                f"the files differ in length: {ours.path} has {ours.segments} segments, "
                f"{theirs.path} has {theirs.segments}{fix}"
            )
        counts = [[columns.n_references for columns in one.columns] for one in (first, other)]
        if counts[0] != counts[1]:
            raise TableError(
                f"{ours.path} and {theirs.path} have different references, so their scores are "
                f"not comparable{fix}"
            )
        known = [of_read_texts(file.references, reads_sources=reads) for file in (theirs, ours)]
        check_same_test_set(
            theirs.path,
            known[0],
            ours.path,
            known[1],
            fix=f"count both on the same texts, or{fix.removeprefix(';')}",
            allow_mismatch=allow_mismatch,
        )


def _check_same_systems(selections: Sequence[Selection]) -> None:
    """Raise where files to join have different systems."""
    first = selections[0].file
    for file in (one.file for one in selections[1:]):
        if set(file.systems) != set(first.systems):
            raise TableError(
                f"--append joins segments of the same systems, but {first.path} has "
                f"{', '.join(first.systems)} and {file.path} has {', '.join(file.systems)}: "
                "remove it to score them side by side"
            )


def _different_names(parts: Sequence[tuple[Selection, str]]) -> list[str]:
    """Return the systems' names, after the name of their file where two are the same."""
    short = [name for _, name in parts]
    with_file = [f"{os.path.basename(one.file.path)}:{name}" for one, name in parts]
    with_path = [f"{one.file.path}:{name}" for one, name in parts]
    for names in (short, with_file, with_path):
        if len(set(names)) == len(names):
            return names
    twice = next(name for name in with_path if with_path.count(name) > 1)
    raise OptionError(f"{twice} is named twice: name each file once")


def _overlap(segments: Sequence[range], here: range) -> list[int]:
    """Return the rows, from 0, of the segments that are in a batch."""
    rows: list[int] = []
    # The last range that begins before the batch can reach into it.
    at = max(bisect_right(segments, here.start, key=lambda some: some.start) - 1, 0)
    while at < len(segments) and segments[at].start < here.stop:
        some = segments[at]
        start, stop = max(some.start, here.start), min(some.stop, here.stop)
        rows += range(start - here.start, stop - here.start)
        at += 1
    return rows
