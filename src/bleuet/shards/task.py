"""What a worker does: from a shard to its totals, without anything else in mind.

It is a pure function, so that a shard can be counted again anywhere.
"""

from __future__ import annotations

import warnings
import zlib
from base64 import b64decode, b64encode
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from bleuet.engines.counting import count_batches
from bleuet.errors import BleuetError, BleuetWarning, InputError
from bleuet.evaluation.evaluation import for_sentences
from bleuet.extras import optional
from bleuet.frozen import Value
from bleuet.messages import in_short
from bleuet.metrics.base.text_checks import TextChecks
from bleuet.metrics.base.text_problems import REFERENCES
from bleuet.metrics.catalogue import signed_references
from bleuet.output.destination import Destination
from bleuet.shards.poisson import PoissonDraws, rows_of, table_of
from bleuet.statistics.backend import backend
from bleuet.statistics.table import Table, Totals
from bleuet.text.addresses import filesystem_of, is_address
from bleuet.text.fingerprint import Fingerprint
from bleuet.text.parallel import EmptyError, Parallel

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence
    from typing import IO, Any, TypeAlias

    from bleuet.metrics.base.metric import Metric
    from bleuet.shards.finding import Shard, ShardTexts
    from bleuet.statistics.counted import Counted
    from bleuet.text.source import Source

    # For each group, system and metric.
    Sums: TypeAlias = dict[str, list[list["Sum"]]]

# The group of all segments where they are not divided, and of those without a value; and what is
# before the values of others.
NO_GROUP, GROUP = "", "="
NO_COUNTS: dict[str, Any] = {}
PARQUET = ".parquet"
# Kinds of files that have texts only.
WITHOUT_COLUMNS = ("lines", "subtitles", "m2")


class Job(Value):
    """What is computed of every shard.

    Args:
        systems: the names of the systems.
        metrics: the metrics, by the names of their columns.
        by: the column with the group of each segment; "" for none.
        key: the column with the name of each segment, by which files are compared; "" for none.
        draws: the number of bootstrap draws, 0 for none.
        seed: their random seed.
        folder: where the scores of segments are written; "" for nowhere.
        reference_files: the files of the references, as warnings name them.
        fingerprint: whether the fingerprint of the test set is taken.
    """

    systems: tuple[str, ...]
    metrics: dict[str, Metric[Any]]
    by: str = ""
    key: str = ""
    draws: int = 0
    seed: int = 0
    folder: str = ""
    reference_files: tuple[str, ...] = (REFERENCES,)
    fingerprint: bool = False

    def checks(self, own_references: Collection[str] = ()) -> TextChecks:
        """Return the checks of texts, whose counts of all shards add.

        Args:
            own_references: the systems whose files are those of references too.
        """
        return TextChecks(
            self.systems,
            list(self.metrics.values()),
            own_references,
            self.reference_files,
            map(signed_references, self.metrics),
        )


class Sum(Value):
    """The totals of some rows by a metric, and those of each bootstrap draw.

    Args:
        totals: the totals.
        draws: a row of totals for each draw; None without draws.
    """

    totals: Totals
    draws: Table | None = None

    def __add__(self, other: Sum) -> Sum:
        draws = self.draws
        if draws is not None and other.draws is not None:
            draws = _added(draws, other.draws)
        return Sum(self.totals + other.totals, draws)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        totals = self.totals
        found: dict[str, Any] = {
            "values": list(totals.values),
            "rows": totals.rows,
            "n_references": totals.n_references,
            "learned": totals.learned,
        }
        if self.draws is not None:
            found["draws"] = [
                b64encode(zlib.compress(bytes(block))).decode() for block in self.draws.blocks()
            ]
        return found

    @classmethod
    def from_dict(cls, found: Mapping[str, Any], metric: Metric[Any], draws: int) -> Sum:
        """Return the sum that `to_dict` describes."""
        integers, reals = metric.integer_columns, metric.real_columns
        learned = found["learned"]
        values = [
            kind(value)
            for kind, value in zip(
                [int] * len(integers) + [float] * len(reals), found["values"], strict=True
            )
        ]
        totals = Totals(metric.columns, values, found["rows"], found["n_references"], learned)
        if not draws:
            return cls(totals)
        first, second = (zlib.decompress(b64decode(block)) for block in found["draws"])
        table = Table(integers, reals, draws, first, second, found["n_references"], learned)
        return cls(totals, table)


def _added(one: Table, other: Table) -> Table:
    """Return the sums of two tables, row by row."""
    numpy = optional("numpy")
    integers, reals = (
        (numpy.frombuffer(ours, kind) + numpy.frombuffer(theirs, kind)).tobytes()
        for ours, theirs, kind in zip(one.blocks(), other.blocks(), ("q", "d"), strict=True)
    )
    same = one.n_references == other.n_references
    return Table(
        one.integer_columns, one.real_columns, one.rows, integers, reals,
        one.n_references if same else None, one.learned,
    )  # fmt: skip


class Outcome(Value):
    """What came of a shard: totals, or an error.

    Args:
        number: the number of the shard.
        segments: its segments.
        sums: totals by group, system and metric.
        error: what is wrong with its texts, "" for nothing.
        checks: what the checks of texts have counted.
        warnings: what the readers of its files warn of.
        test_set: the fingerprint of its segments, "" where it was not taken.
    """

    number: int
    segments: int
    sums: Sums
    error: str = ""
    checks: Mapping[str, Any] = NO_COUNTS
    warnings: tuple[str, ...] = ()
    test_set: str = ""


def learn_shard(metrics: Sequence[Metric[Any]], shard: Shard) -> tuple[int, list[Any], str]:
    """Return the number of a shard, what its references teach each metric, and an error or "".

    A shard without a segment teaches nothing.

    Args:
        metrics: the metrics that learn.
        shard: the shard.
    """
    parts: list[list[Any]] = [[] for _ in metrics]
    try:
        # The same files are read again, and warned of, when they are counted.
        with warnings.catch_warnings(action="ignore", category=BleuetWarning):
            for _, references in _reader(shard):
                for metric, own in zip(metrics, parts, strict=True):
                    own.append(metric.learn(references))
        shard.check_unchanged()
    except EmptyError:
        return shard.number, [], ""
    except (BleuetError, OSError) as error:
        return shard.number, [], _about(error, shard)
    joined = [
        own[0] if len(own) == 1 else metric.with_learned(*own).learned
        for metric, own in zip(metrics, parts, strict=True)
    ]
    return shard.number, joined, ""


def count_shard(job: Job, shard: Shard) -> Outcome:
    """Return what came of a shard.

    Args:
        job: what is computed.
        shard: the shard.
    """
    try:
        shard.check_unchanged()
        # A worker has nobody to warn: the run does it, once for all shards.
        with warnings.catch_warnings(record=True) as caught, _scores_file(job, shard) as scores:
            warnings.simplefilter("always", BleuetWarning)
            outcome = _count(job, shard, scores)
            shard.check_unchanged()
    except EmptyError:
        # Programs that write in parallel leave files without a row.
        return Outcome(shard.number, 0, {})
    except (BleuetError, OSError) as error:
        return Outcome(shard.number, 0, {}, _about(error, shard))
    told = [str(one.message) for one in caught if issubclass(one.category, BleuetWarning)]
    return outcome.replace(warnings=tuple(dict.fromkeys(told)))


def _about(error: Exception, shard: Shard) -> str:
    """Return what is wrong with a shard; errors of disks and networks do not name it."""
    if isinstance(error, BleuetError):
        return str(error)
    return f"{shard.texts.all[0].path} or a file beside it cannot be used ({in_short(error)})"


def _reader(shard: Shard) -> Parallel:
    texts = shard.texts
    return Parallel(
        list(texts.systems),
        list(texts.references),
        count_lines=backend().count_lines,
        source=texts.source,
    )


def _count(job: Job, shard: Shard, scores: _ScoresFile | None) -> Outcome:
    metrics = list(job.metrics.values())
    beside = [
        _Column(shard.texts, name, is_key=name == job.key) if name else None
        for name in (job.by, job.key)
    ]
    draws = PoissonDraws(job.seed, shard.name, job.draws) if job.draws else None
    sums: Sums = {}
    segments = 0
    checks = job.checks()
    fingerprint = Fingerprint(any(metric.reads_sources for metric in metrics))
    with _reader(shard) as reader, ExitStack() as files:
        for one in filter(None, beside):
            files.callback(one.close)
        batches = checks.over(reader)
        if job.fingerprint:
            batches = fingerprint.over(batches)
        for counted in count_batches(metrics, batches, names=job.systems):
            rows = len(counted.segments)
            groups, keys = (None if one is None else one.take(rows) for one in beside)
            places = {NO_GROUP: range(rows)} if groups is None else _places(groups)
            for group, own in _summed(counted, places, draws).items():
                sums[group] = plus(sums[group], own) if group in sums else own
            if scores is not None:
                scores.write(counted, keys, groups)
            segments += rows
        for one in filter(None, beside):
            one.check_end()
    test_set = str(fingerprint) if job.fingerprint else ""
    return Outcome(shard.number, segments, sums, checks=checks.counts(), test_set=test_set)


def _places(groups: Sequence[Any]) -> dict[str, Sequence[int]]:
    """Return the rows of each group; no value has the key of segments without a group."""
    found: dict[str, Any] = {}
    for place, value in enumerate(groups):
        # Pandas writes NaN where there is no value.
        key = NO_GROUP if value is None or value != value else f"{GROUP}{value}"
        found.setdefault(key, []).append(place)
    return found


def _summed(
    counted: Counted, places: Mapping[str, Sequence[int]], draws: PoissonDraws | None
) -> dict[str, list[list[Sum]]]:
    """Return the sums of a batch by group, system and metric.

    Args:
        counted: the rows.
        places: which of them belong to each group.
        draws: the bootstrap draws, None for none.
    """
    drawn: dict[str, Iterator[Any]] = {}
    if draws is not None:
        numpy = optional("numpy")
        codes = numpy.empty(len(counted.segments), int)
        for number, own in enumerate(places.values()):
            codes[own] = number
        rows = [rows_of(table) for of_system in counted.tables for table in of_system]
        sums = draws.sums(rows, codes, len(places))
        drawn = {group: iter(own) for group, own in zip(places, sums, strict=True)}

    def sum_of(group: str, table: Table) -> Sum:
        if len(places) > 1:
            table = table.select(places[group])
        own = drawn.get(group)
        return Sum(table.totals(), None if own is None else table_of(next(own), table))

    return {
        group: [[sum_of(group, table) for table in of_system] for of_system in counted.tables]
        for group in places
    }


def plus(one: list[list[Sum]], other: list[list[Sum]]) -> list[list[Sum]]:
    """Return the sums of two shards, by system and metric."""
    return [
        [a + b for a, b in zip(ours, theirs, strict=True)]
        for ours, theirs in zip(one, other, strict=True)
    ]


# --- Columns beside the texts ---------------------------------------------------------------------


class _Column:
    """A column read in step with the texts, from each of their files that has it.

    The values must be the same in all these files: rows in another order would be compared with
    the wrong texts.

    Args:
        texts: where the texts are.
        name: the name of the column, or its number in files without names.
        is_key: whether a value names one segment.
    """

    def __init__(self, texts: ShardTexts, name: str, *, is_key: bool) -> None:
        self._name = name
        self._rows = 0
        # The row of each key, where files are compared by them.
        self._row_of: dict[str, int] = {}
        sources: dict[str, Source] = {}
        for source in (*texts.references, *texts.all):
            sources.setdefault(source.path, source)
        used = {(source.path, source.column) for source in texts.all}
        having = [
            source
            for path, source in sources.items()
            if (path, name) not in used and _has(source, name)
        ]
        self._files = [_FileColumn(source, name) for source in having or [*sources.values()][:1]]
        self._is_key = is_key and len(having) > 1

    def take(self, count: int) -> list[Any]:
        """Return the next values.

        Raises:
            InputError: a file has fewer rows, or other values; or files are compared by keys of
                which one is empty or occurs twice.
        """
        first, *others = self._files
        values = first.take(count)
        if others:
            texts = list(map(_as_text, values))
            for other in others:
                self._check_same(texts, list(map(_as_text, other.take(count))), other)
            if self._is_key:
                self._check_keys(texts)
        self._rows += count
        return values

    def _check_same(self, texts: list[str], other_texts: list[str], other: _FileColumn) -> None:
        if texts == other_texts:
            return
        row, (text, other_text) = next(
            (row, pair)
            for row, pair in enumerate(zip(texts, other_texts, strict=True), self._rows + 1)
            if pair[0] != pair[1]
        )
        raise InputError(
            f"row {row} of {self._files[0].path} has the {self._name} {_shown(text)}, and row "
            f"{row} of {other.path} has {_shown(other_text)}: expected the same segment in the "
            "same row: sort both files in the same way, and remove rows that only one of them has"
        )

    def _check_keys(self, texts: list[str]) -> None:
        path = self._files[0].path
        for row, text in enumerate(texts, self._rows + 1):
            if not text:
                raise InputError(
                    f"row {row} of {path} has no {self._name}, so that the files cannot be "
                    "compared by it: fill it in, or name another column with --key"
                )
            if text in self._row_of:
                raise InputError(
                    f"rows {self._row_of[text]} and {row} of {path} both have the {self._name} "
                    f"{_shown(text)}, so that the files cannot be compared by it: make it unique, "
                    "or name another column with --key"
                )
            self._row_of[text] = row

    def check_end(self) -> None:
        """Raise an error if there are more values than texts."""
        for file in self._files:
            file.check_end()

    def close(self) -> None:
        """Close the files."""
        for file in self._files:
            file.close()


def _has(source: Source, name: str) -> bool:
    """Return whether a file has a column beside its texts."""
    if source.kind in WITHOUT_COLUMNS:
        return False
    if name.isdecimal():
        return (source.column or "").isdecimal()
    with source.records() as records:
        return name in records.names


def _as_text(value: Any) -> str:
    """Return a value as all formats would write it; "" for no value.

    >>> _as_text(7.0), _as_text("7"), _as_text(None), _as_text(float("nan"))
    ('7', '7', '', '')
    """
    if value is None or value != value:
        return ""
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def _shown(text: str) -> str:
    return text if text else "(none)"


class _FileColumn:
    """The values of a column of one file."""

    def __init__(self, source: Source, name: str) -> None:
        self.path = source.path
        self._source = source = source.replace(column=name)
        if source.kind in WITHOUT_COLUMNS:
            raise InputError(
                f"{source.path} has no columns, so that there is none named {source.column}; "
                "expected .parquet, .jsonl, .csv or .tsv"
            )
        self._records = source.records(not name.isdecimal())
        self._records.choose(name)
        self._waiting: list[Any] = []

    def take(self, count: int) -> list[Any]:
        """Return the next values."""
        while len(self._waiting) < count:
            columns = self._records.next_columns()
            if not columns:
                raise InputError(f"{self._source} has fewer rows than the texts beside it")
            self._waiting += columns[0]
        taken, self._waiting = self._waiting[:count], self._waiting[count:]
        return taken

    def check_end(self) -> None:
        """Raise an error if there are more values than texts."""
        if self._waiting or self._records.next_columns():
            raise InputError(f"{self._source} has more rows than the texts beside it")

    def close(self) -> None:
        """Close the file."""
        self._records.close()


# --- Scores of segments ---------------------------------------------------------------------------


def scores_file(folder: str, number: int) -> str:
    """Return the file for the scores of a shard's segments."""
    return f"{folder.rstrip('/')}/{number:06d}{PARQUET}"


@contextmanager
def _scores_file(job: Job, shard: Shard) -> Iterator[_ScoresFile | None]:
    """Give the file of a shard's scores, which appears when it is complete."""
    if not job.folder:
        yield None
        return
    place = scores_file(job.folder, shard.number)
    if not is_address(place):
        with Destination(place, binary=True) as out:
            yield from _written(job, shard, out)
        return
    filesystem, path = filesystem_of(place)
    # An object appears when it is closed; elsewhere the file is renamed.
    unfinished = f"{path}.unfinished"
    try:
        with filesystem.open_output_stream(unfinished) as out:
            yield from _written(job, shard, out)
    except BaseException:
        filesystem.delete_file(unfinished)
        raise
    filesystem.move(unfinished, path)


def _written(job: Job, shard: Shard, out: IO[bytes]) -> Iterator[_ScoresFile]:
    file = _ScoresFile(job, shard, out)
    yield file
    file.close()


class _ScoresFile:
    """A Parquet file with a row for each system and segment of a shard.

    The columns are `system`, `segment` (the number in the file, from 1), the key and the group by
    their own names, and each metric.
    """

    def __init__(self, job: Job, shard: Shard, out: IO[bytes]) -> None:
        self._arrow, self._parquet = optional("pyarrow"), optional("pyarrow.parquet")
        self._job = job
        self._metrics = {name: for_sentences(one) for name, one in job.metrics.items()}
        self._file = shard.texts.all[0].path
        self._out = out
        self._writer: Any = None
        self._before = _rows_before(shard)

    def write(
        self, counted: Counted, keys: Sequence[Any] | None, groups: Sequence[Any] | None
    ) -> None:
        """Write the scores of a batch."""
        job, rows = self._job, len(counted.segments)
        for system, tables in zip(job.systems, counted.tables, strict=True):
            columns: dict[str, Any] = {
                "system": self._arrow.array([system] * rows, self._arrow.string()),
                "segment": [self._before + number for number in counted.segments],
            }
            for name, values in ((job.key, keys), (job.by, groups)):
                if values is not None:
                    columns[name] = self._values(name, values)
            for (name, metric), table in zip(self._metrics.items(), tables, strict=True):
                values = metric.segment_scores(table).values
                columns[name] = self._arrow.array(values, self._arrow.float64())
            made = self._arrow.table(columns)
            if self._writer is None:
                self._writer = self._parquet.ParquetWriter(
                    self._out, made.schema, compression="zstd"
                )
            try:
                self._writer.write_table(made.cast(self._writer.schema))
            except self._arrow.ArrowException as error:
                raise self._mixed(f"{job.key} or {job.by}", error) from None

    def _values(self, name: str, values: Sequence[Any]) -> Any:
        """Return the values of a column, as texts if none is known."""
        try:
            made = self._arrow.array(values)
        except self._arrow.ArrowException as error:
            raise self._mixed(name, error) from None
        return made.cast(self._arrow.string()) if made.type == self._arrow.null() else made

    def _mixed(self, name: str, error: Exception) -> InputError:
        return InputError(
            f"the column {name} of {self._file} has values of several types ({in_short(error)}); "
            "expected texts, or numbers"
        )

    def close(self) -> None:
        """Write the end of the file."""
        if self._writer is not None:
            self._writer.close()


def _rows_before(shard: Shard) -> int:
    """Return how many rows of its file are before a shard that is a part of one."""
    first = shard.texts.all[0]
    if not first.row_groups or not first.row_groups[0]:
        return 0
    records = first.replace(row_groups=(0, first.row_groups[0])).records()
    count, _ = records.count_rest()
    return count
