"""Parallel files: systems and references are read in step, so that line i belongs to line i."""

from __future__ import annotations

import os
from itertools import chain

from bleuet.errors import InputError, warn_caller
from bleuet.frozen import checked
from bleuet.messages import shown, wrong_type
from bleuet.text.batches import BATCH_BYTES, BATCH_SEGMENTS
from bleuet.text.corpus import Corpus
from bleuet.text.lines import count_lines
from bleuet.text.segments import LINES, TEXT, Segments, WithSource
from bleuet.text.shapes import check_files
from bleuet.text.source import RECORDS
from bleuet.text.source_texts import with_own_sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, NoReturn

    from bleuet.text.batches import BatchStream
    from bleuet.text.segments import Annotations
    from bleuet.text.source import Source

_TEXT: set[type] = {str}
# How columns with the ids of segments are called.
ID_COLUMNS = frozenset(
    (
        "id", "custom_id", "doc_id", "example_id", "key", "question_id", "sample_id", "seg_id",
        "segid", "segment_id", "uid", "utt_id", "uttid",
    )
)  # fmt: skip
_FIRST_IDS = 1000


class EmptyError(InputError):
    """Files have no segments at all."""


class LengthsError(InputError):
    """Files that differ in length."""


@checked
def read_corpus(system: Source, references: Sequence[Source]) -> Corpus:
    """Read the hypotheses of one system and the references, all at once.

    Args:
        system: where the hypotheses are.
        references: where the references are; each source has one or more for every segment.

    Returns:
        The corpus.

    Raises:
        InputError: a file cannot be read, the lengths differ, there is no segment, or a segment
            has no reference; the message names the files.
        MissingExtraError: an optional library is needed and not installed.

    >>> from bleuet.text.source import Source
    >>> read_corpus(Source("hyp.txt"), [Source("ref.txt")])  # doctest: +SKIP
    Corpus(3003 segments, 1 reference each)
    """
    return read_systems([system], references)[0]


@checked
def read_systems(
    systems: Sequence[Source], references: Sequence[Source], source: Source | None = None
) -> list[Corpus]:
    """Read the hypotheses of several systems and the references they share, all at once.

    Args:
        systems: where the hypotheses of each system are.
        references: where the references are; each source has one or more for every segment.
        source: where the source texts are, which the references then carry.

    Returns:
        One corpus for each system; they share one list of references.

    Raises:
        InputError: as `read_corpus`.
        MissingExtraError: an optional library is needed and not installed.

    >>> from bleuet.text.source import Source
    >>> read_systems([Source("a.txt"), Source("b.txt")], [Source("ref.txt")])  # doctest: +SKIP
    [Corpus(3003 segments, 1 reference each), Corpus(3003 segments, 1 reference each)]
    """
    # In step, so that no more is kept than the shortest file has.
    texts: list[list[Any]] = [[] for _ in systems]
    shared: list[Any] = []
    for hypotheses, rows in Parallel(systems, references, count_lines=None, source=source):
        for kept, column in zip(texts, hypotheses, strict=True):
            kept += column.tolist()
        shared += rows.tolist()
    segments = Segments(TEXT, shared).marked(_are_forced(references))
    return [
        Corpus.from_checked(Segments(TEXT, kept).marked(system.as_lines), segments)
        for kept, system in zip(texts, systems, strict=True)
    ]


@checked
def read_references(references: Sequence[Source]) -> list[str | list[str | None]]:
    """Read references alone, all at once.

    Args:
        references: where the references are; each source has one or more for every segment.

    Returns:
        For each segment one reference, or a list of them.

    Raises:
        InputError: as `read_corpus`.
        MissingExtraError: an optional library is needed and not installed.

    >>> from bleuet.text.source import Source
    >>> read_references([Source("ref.txt")])  # doctest: +SKIP
    ['The cat sat down.', 'It rains.']
    """
    _check_sources(references, references)
    names = [str(source) for source in references]
    columns = [Segments(TEXT, source.read(several=True)) for source in references]
    if len(set(map(len, columns))) > 1:
        _reject_lengths(names, [(len(column), True) for column in columns])
    if not columns[0]:
        _reject_empty(names)
    pairs = zip(references, columns, strict=True)
    check_files(names, [column if _is_of_lines(source) else None for source, column in pairs])
    return _combine(columns, names, 0).tolist()


@checked
def stream_corpus(
    system: Source,
    references: Sequence[Source],
    batch_size: int = BATCH_SEGMENTS,
    batch_bytes: int = BATCH_BYTES,
) -> CorpusStream:
    """Read the hypotheses of one system and the references in step, in bounded memory.

    A result is valid only after the iteration has ended: files of different length are found at
    the end of the shorter one.

    Args:
        system: where the hypotheses are.
        references: where the references are; each source has one or more for every segment.
        batch_size: the most segments of a batch.
        batch_bytes: the approximate size of a batch of each file.

    Returns:
        An iterator over corpora, with `bytes_read` and `bytes_total`.

    Raises:
        InputError: as `read_corpus`; problems are found when the reading reaches them.
        MissingExtraError: an optional library is needed and not installed.

    >>> from bleuet.text.source import Source
    >>> batches = stream_corpus(Source("hyp.txt"), [Source("ref.txt")])  # doctest: +SKIP
    >>> sum(len(corpus) for corpus in batches)  # doctest: +SKIP
    3003
    """
    return CorpusStream(Parallel([system], references, batch_size, batch_bytes))


class Parallel:
    """The hypotheses of several systems and the references they share, read in step.

    Iterates over pairs: a list with the hypotheses of each system, and the references, all of the
    same length. Lines of plain files are decoded only on use as a list. It closes its
    files at the end, on an error, and as a context manager.

    Args:
        systems: where the hypotheses of each system are.
        references: where the references are; each source has one or more for every segment. There
            may be none beside source texts.
        batch_size: the most segments of a batch.
        batch_bytes: the approximate size of a batch of each file.
        count_lines: counts newlines and validates UTF-8; the kernel has a faster one. With None,
            lines are decoded at once.
        source: where the source texts are, which the references then carry.

    Raises:
        InputError: as `read_corpus`; problems are found when the reading reaches them.
        MissingExtraError: an optional library is needed and not installed.

    >>> from bleuet.text.source import Source
    >>> systems = [Source("a.txt"), Source("b.txt")]
    >>> for hypotheses, references in Parallel(systems, [Source("ref.txt")]):  # doctest: +SKIP
    ...     print([len(texts) for texts in hypotheses], len(references))
    [3003, 3003] 3003
    """

    __slots__ = (
        "_count_lines", "_ends", "_forced", "_names", "_segments", "_shaped", "_streams",
        "_systems", "_waiting",
    )  # fmt: skip

    def __init__(
        self,
        systems: Sequence[Source],
        references: Sequence[Source],
        batch_size: int = BATCH_SEGMENTS,
        batch_bytes: int = BATCH_BYTES,
        count_lines: Callable[[bytes], int] | None = count_lines,
        source: Source | None = None,
    ) -> None:
        alone = source is not None and isinstance(references, list) and not references
        _check_sources(systems, systems if alone else references)
        for name, size in (("batch_size", batch_size), ("batch_bytes", batch_bytes)):
            if type(size) is not int or size < 1:
                raise wrong_type(name, "a whole number from 1", size)
        self._count_lines = count_lines
        if source is not None:
            _check_sources([source], systems)
            source = source.with_sources_only()
        sources = [*systems, *references, *([] if source is None else [source])]
        self._systems = len(systems)
        # The references are between the systems and the source.
        self._ends = len(systems) + len(references)
        self._names = [str(source) for source in sources]
        # The files whose first lines show whether they are text.
        self._shaped = [_is_of_lines(source) for source in sources]
        self._forced = [source.as_lines for source in systems], _are_forced(references)
        self._segments = 0
        self._waiting = [Segments(TEXT, []) for _ in sources]
        self._streams: list[BatchStream] = []
        try:
            for number, source in enumerate(sources):
                several = self._systems <= number < self._ends
                self._streams.append(source.stream(several, batch_bytes, batch_size))
            _warn_of_order(sources)
        except BaseException:
            self.close()
            raise

    @property
    def bytes_read(self) -> int:
        """How many bytes of the stored files have been read."""
        return sum(stream.bytes_read for stream in self._streams)

    @property
    def bytes_total(self) -> int | None:
        """The size of the stored files in bytes; None if one of them is a pipe."""
        total = 0
        for stream in self._streams:
            size = stream.bytes_total
            if size is None:
                return None
            total += size
        return total

    @property
    def segments_read(self) -> int:
        """How many segments have been returned."""
        return self._segments

    def close(self) -> None:
        """Close all files."""
        for stream in self._streams:
            stream.close()

    def __enter__(self) -> Parallel:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def __iter__(self) -> Parallel:
        return self

    def __next__(self) -> tuple[list[Segments], Segments]:
        try:
            columns = self._take()
            if not self._segments:
                checked = zip(columns, self._shaped, strict=True)
                check_files(self._names, [one if shaped else None for one, shaped in checked])
            shared = slice(self._systems, self._ends)
            if self._ends > self._systems:
                references = _combine(columns[shared], self._names[shared], self._segments)
            else:
                references = Segments(TEXT, [[] for _ in columns[-1]])
            for source in columns[self._ends :]:
                references = with_own_sources(references.tolist(), source.tolist(), self._segments)
        except BaseException:
            self.close()
            raise
        self._segments += len(references)
        forced, are_forced = self._forced
        systems = columns[: self._systems]
        for texts, as_lines in zip(systems, forced, strict=True):
            texts.marked(as_lines)
        return systems, references.marked(are_forced)

    def _take(self) -> list[Segments]:
        """Take the next segments of every file, the same number of each."""
        for number, stream in enumerate(self._streams):
            if not self._waiting[number]:
                self._waiting[number] = stream.next_portion(self._count_lines)
        count = min(map(len, self._waiting))
        if not count:
            self._end()
        parts = [waiting.cut(count) for waiting in self._waiting]
        self._waiting = [rest for _, rest in parts]
        return [taken for taken, _ in parts]

    def _end(self) -> NoReturn:
        if any(self._waiting):
            _reject_lengths(self._names, [self._count(i) for i in range(len(self._names))])
        if not self._segments:
            _reject_empty(self._names)
        raise StopIteration

    def _count(self, number: int) -> tuple[int, bool]:
        waiting = len(self._waiting[number])
        if not waiting:
            return self._segments, True
        rest, complete = self._streams[number].count_rest()
        return self._segments + waiting + rest, complete


class CorpusStream:
    """The hypotheses of one system and the references in step; see `stream_corpus`."""

    __slots__ = ("_parallel",)

    def __init__(self, parallel: Parallel) -> None:
        self._parallel = parallel

    @property
    def bytes_read(self) -> int:
        """How many bytes of the stored files have been read."""
        return self._parallel.bytes_read

    @property
    def bytes_total(self) -> int | None:
        """The size of the stored files in bytes; None if one of them is a pipe."""
        return self._parallel.bytes_total

    @property
    def segments_read(self) -> int:
        """How many segments have been returned."""
        return self._parallel.segments_read

    def close(self) -> None:
        """Close all files."""
        self._parallel.close()

    def __enter__(self) -> CorpusStream:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()

    def __iter__(self) -> CorpusStream:
        return self

    def __next__(self) -> Corpus:
        hypotheses, references = next(self._parallel)
        return Corpus.from_checked(hypotheses[0], references)


@checked
def read_texts(source: Source, several: bool = False) -> list[Any]:
    """Read the texts of one file, all at once, after a look at their shape.

    Args:
        source: the file.
        several: allow lists of texts and absent texts, as in references.

    Raises:
        InputError: the file cannot be read, or its lines hold more than text.
    """
    texts: list[Any] = source.read(several)
    if _is_of_lines(source):
        check_files([str(source)], [Segments(TEXT, texts)])
    return texts


def _is_of_lines(source: Source) -> bool:
    return source.kind == "lines" and not source.as_lines


def _are_forced(references: Iterable[Source]) -> bool:
    return any(source.as_lines for source in references)


def _warn_of_order(sources: Sequence[Source]) -> None:
    """Warn of files that have the ids of segments in another order, as their first rows show."""
    files = {source.path: source for source in sources if source.kind in RECORDS}
    if len(files) < 2 or any(not os.path.isfile(path) for path in files):
        return
    # The first file that has each column, and its ids.
    known: dict[str, tuple[str, list[str]]] = {}
    for path, source in files.items():
        for column in _id_columns(source):
            theirs = _first_ids(source, column)
            first, ids = known.setdefault(column, (path, theirs))
            pairs = enumerate(zip(ids, theirs, strict=False))
            row = next((row for row, (mine, yours) in pairs if mine != yours), None)
            if row is not None and 2 * len(set(ids) & set(theirs)) > len(set(ids)):
                warn_caller(
                    f"{first} and {path} have the column {column} in another order, such as "
                    f"{ids[row]} and {theirs[row]} in row {row + 1}, but rows are compared by "
                    f"their place: sort both by {column}"
                )


def _id_columns(source: Source) -> list[str]:
    with source.records() as records:
        return [name for name in records.names if name.lower() in ID_COLUMNS]


def _first_ids(source: Source, column: str) -> list[str]:
    with source.records() as records:
        records.choose(column)
        values = next(iter(records.next_columns()), [])
        return [str(value) for value in values[:_FIRST_IDS]]


def _check_sources(systems: Sequence[Source], references: Sequence[Source]) -> None:
    for sources, what in ((systems, "hypotheses"), (references, "references")):
        listed = isinstance(sources, (list, tuple))
        if not (listed and all(hasattr(source, "stream") for source in sources)):
            raise wrong_type(f"the files of {what}", "a list of Source", sources)
        if not sources:
            raise InputError(f"there is no file of {what}; expected at least one: name it")


def _combine(columns: list[Segments], names: list[str], before: int) -> Segments:
    """Join the references that the files have for each segment."""
    if all(column.kind == LINES for column in columns):
        return Segments.of_lines(*[file for column in columns for file in column.files])
    lists = [column.tolist() for column in columns]
    rows = lists[0] if len(lists) == 1 else list(zip(*lists, strict=True))
    if not set(map(type, chain.from_iterable(lists))) <= _TEXT:
        if len(lists) > 1:
            rows = [_flat(row) for row in rows]
        _check_rows(rows, names, before)
    return Segments(TEXT, rows)


def _check_rows(rows: list[Any], names: list[str], before: int) -> None:
    for index, row in enumerate(rows):
        if not isinstance(row, str) and all(text is None for text in row or ()):
            raise InputError(
                f"segment {before + index + 1} has no reference in {' or '.join(names)}; expected "
                "at least one: add one ('' is a reference of length 0), or remove the segment "
                "from all files"
            )


def _flat(row: tuple[Any, ...]) -> list[str | None]:
    texts: list[str | None] = []
    for value in row:
        if isinstance(value, list):
            texts += value
        else:
            texts.append(value)
    annotated = [value for value in row if isinstance(value, WithSource)]
    return _with_all_edits(texts, annotated) if annotated else texts


def _with_all_edits(texts: list[str | None], annotated: list[WithSource]) -> WithSource:
    """Return references of several files with the source and the edits of those in M2 files."""
    first = annotated[0]
    edits: Annotations = {}
    for one in annotated:
        if one.source.split() != first.source.split():
            raise InputError(
                f"the M2 files differ in the sentence {shown(first.source)}, segment "
                f"{first.place + 1}, where one has {shown(one.source)}; expected the same sources: "
                "check that all files are of the same test set"
            )
        for several in (one.edits or {}).values():
            edits[len(edits)] = several
    return WithSource(first.source, texts, first.place, edits)


def _reject_lengths(names: list[str], counts: list[tuple[int, bool]]) -> NoReturn:
    found = ", ".join(
        f"{name} has {'' if complete else 'at least '}{count}"
        for name, (count, complete) in zip(names, counts, strict=True)
    )
    raise LengthsError(
        f"the files differ in length: {found} segments; expected line i of each file to belong to "
        "segment i: check that all files are of the same test set; `bleuet lint REF -i HYP` finds "
        "the line that is missing"
    )


def _reject_empty(names: list[str]) -> NoReturn:
    raise EmptyError(
        f"no segments to score: {', '.join(names)} have no lines; expected at least one: check the "
        "files"
    )
