"""What a worker does: from a shard to its totals, without anything else in mind.

It is a pure function, so that a shard can be counted again anywhere.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

from bleuet.engines.counting import count_batches
from bleuet.errors import BleuetError, InputError
from bleuet.evaluation.evaluation import for_sentences
from bleuet.extras import optional
from bleuet.frozen import Value
from bleuet.messages import in_short
from bleuet.output.destination import Destination
from bleuet.shards.poisson import PoissonDraws, rows_of, table_of
from bleuet.statistics.backend import backend
from bleuet.statistics.table import Table, Totals
from bleuet.text.addresses import filesystem_of, is_address
from bleuet.text.parallel import EmptyError, Parallel

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import IO, Any, TypeAlias

    from bleuet.metrics.base.metric import Metric
    from bleuet.shards.finding import Shard
    from bleuet.statistics.counted import Counted
    from bleuet.text.source import Source

    # For each group, system and metric.
    Sums: TypeAlias = dict[str, list[list["Sum"]]]

# The group of all segments where they are not divided, and of those without a value; and what is
# before the values of others.
NO_GROUP, GROUP = "", "="
PARQUET = ".parquet"


class Job(Value):
    """What is computed of every shard.

    Args:
        systems: the names of the systems.
        metrics: the metrics, by the names of their columns.
        by: the column of the references' files with the group of each segment; "" for none.
        key: the column with the name of each segment, for scores of segments; "" for none.
        draws: the number of bootstrap draws, 0 for none.
        seed: their random seed.
        folder: where the scores of segments are written; "" for nowhere.
    """

    systems: tuple[str, ...]
    metrics: dict[str, Metric[Any]]
    by: str = ""
    key: str = ""
    draws: int = 0
    seed: int = 0
    folder: str = ""


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
    """

    number: int
    segments: int
    sums: Sums
    error: str = ""


def learn_shard(metrics: Sequence[Metric[Any]], shard: Shard) -> tuple[int, list[Any], str]:
    """Return the number of a shard, what its references teach each metric, and an error or "".

    A shard without a segment teaches nothing.

    Args:
        metrics: the metrics that learn.
        shard: the shard.
    """
    parts: list[list[Any]] = [[] for _ in metrics]
    try:
        for _, references in _reader(shard):
            for metric, own in zip(metrics, parts, strict=True):
                own.append(metric.learn(references))
        shard.check_unchanged()
    except EmptyError:
        return shard.number, [], ""
    except BleuetError as error:
        return shard.number, [], str(error)
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
        with _scores_file(job, shard) as scores:
            outcome = _count(job, shard, scores)
            shard.check_unchanged()
    except EmptyError:
        # Programs that write in parallel leave files without a row.
        return Outcome(shard.number, 0, {})
    except BleuetError as error:
        return Outcome(shard.number, 0, {}, str(error))
    return outcome


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
    beside = [_column(shard, name) for name in (job.by, job.key)]
    draws = PoissonDraws(job.seed, shard.name, job.draws) if job.draws else None
    sums: Sums = {}
    segments = 0
    with _reader(shard) as reader, ExitStack() as files:
        for one in filter(None, beside):
            files.callback(one.close)
        for counted in count_batches(metrics, reader):
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
    return Outcome(shard.number, segments, sums)


def _places(groups: Sequence[Any]) -> dict[str, Sequence[int]]:
    """Return the rows of each group; no value has the key of segments without a group."""
    found: dict[str, Any] = {}
    for place, value in enumerate(groups):
        key = NO_GROUP if value is None else f"{GROUP}{value}"
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


def _column(shard: Shard, name: str) -> _Column | None:
    """Return a column of the references' file, or of that of the systems without references."""
    if not name:
        return None
    texts = shard.texts
    return _Column((texts.references or texts.systems)[0].replace(column=name))


class _Column:
    """The values of a column, read in step with the texts."""

    def __init__(self, source: Source) -> None:
        self._source = source
        if source.kind in ("lines", "subtitles", "m2"):
            raise InputError(
                f"{source.path} has no columns, so that there is none named {source.column}; "
                "expected .parquet, .jsonl, .csv or .tsv"
            )
        self._records = source.records(not (source.column or "").isdecimal())
        self._records.choose(source.column)
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
