"""Sources: files and columns of files, as named on the command line, and how to read them."""

from __future__ import annotations

import os

from bleuet.errors import InputError, OptionError
from bleuet.frozen import Value, checked
from bleuet.messages import shown, wrong_type
from bleuet.text.batches import BATCH_BYTES, BATCH_SEGMENTS, ListStream
from bleuet.text.files import (
    MAX_SEGMENT_BYTES,
    STDIN,
    ByteFile,
    compression_suffix,
    display_name,
)
from bleuet.text.lines import BYTE_ORDER_MARK, stream_lines
from bleuet.text.shapes import LINES_PREFIX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from bleuet.text.batches import BatchStream
    from bleuet.text.lines import LineStream
    from bleuet.text.records.base import Records
    from bleuet.text.subtitles import Cue

SUBTITLES = "subtitles"
M2 = "m2"
# What is named like a column of an M2 file: its sentences before the edits.
SOURCES = "source"
_KINDS = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".srt": SUBTITLES,
    ".vtt": SUBTITLES,
    ".m2": M2,
}


# The kinds of files of rows.
RECORDS = ("tsv", "csv", "jsonl", "parquet")


class Source(Value):
    """A file of segments, a column of a file, or standard input; it never changes.

    Args:
        path: a file, or "-" for standard input.
        column: for .tsv and .csv the name of a column or its number from 1; for .jsonl a key, or
            in lines that are lists a number from 1; for .parquet the name of a column; for .m2
            "source", the sentences before the edits. None reads a file line by line.
        max_segment_bytes: the most bytes of a segment; a longer one is an error.
        bom: what happens to a byte order mark, which is kept as text by default: "warn", "keep"
            or "strip".
        row_groups: of a Parquet file only these row groups, the first one and the one behind the
            last; None for all.
        as_lines: read the file line by line, whatever its name is and its lines look like.

    >>> Source("data.tsv.gz", "ref")
    Source('data.tsv.gz', 'ref')
    """

    _fields = ("path", "column")

    path: str
    column: str | None
    max_segment_bytes: int
    bom: str
    row_groups: tuple[int, int] | None
    as_lines: bool

    def __init__(
        self,
        path: str | os.PathLike[str],
        column: str | None = None,
        *,
        max_segment_bytes: int = MAX_SEGMENT_BYTES,
        bom: str = BYTE_ORDER_MARK[0],
        row_groups: tuple[int, int] | None = None,
        as_lines: bool = False,
    ) -> None:
        if not isinstance(path, (str, os.PathLike)):
            raise wrong_type("path", "the name of a file", path)
        if not (column is None or isinstance(column, str)):
            raise wrong_type("column", "a text or None", column)
        if not isinstance(bom, str) or bom not in BYTE_ORDER_MARK:
            raise OptionError(
                f"must be one of {', '.join(BYTE_ORDER_MARK)}, not {shown(bom)}", option="bom"
            )
        if type(max_segment_bytes) is not int or max_segment_bytes < 1:
            raise OptionError(
                f"must be 1 or more, not {shown(max_segment_bytes)}", option="max_segment_bytes"
            )
        if row_groups is not None and not (
            type(row_groups) is tuple
            and [*map(type, row_groups)] == [int, int]
            and 0 <= row_groups[0] < row_groups[1]
        ):
            raise wrong_type("row_groups", "two numbers or None", row_groups)
        if type(as_lines) is not bool:
            raise wrong_type("as_lines", "True or False", as_lines)
        self._set(
            path=os.fspath(path),
            column=column,
            max_segment_bytes=max_segment_bytes,
            bom=bom,
            row_groups=row_groups,
            as_lines=as_lines,
        )

    @classmethod
    def parse(cls, text: str | os.PathLike[str], **reading: Any) -> Source:
        """Parse an argument of the command line.

        If there is a file of this name, it is that file. Otherwise the text after a colon behind
        .tsv, .csv, .jsonl, .ndjson, .parquet or .m2, compressed or not, is a column, and lines:
        before a file means that it is read line by line, whatever it looks like.

        Args:
            text: `ref.txt`, `-`, `data.tsv:2`, `data.tsv:ref`, `data.jsonl.gz:ref` and the like.
            **reading: `max_segment_bytes` and `bom`, as of the constructor.

        Returns:
            The source, which may not exist.

        Raises:
            InputError: there is a column for a file of lines, or nothing behind the colon.

        >>> Source.parse("data.tsv:ref")
        Source('data.tsv', 'ref')
        >>> Source.parse("-").kind
        'lines'
        """
        if not isinstance(text, (str, os.PathLike)):
            raise wrong_type("text", "the name of a file", text)
        path = os.fspath(text)
        if path == STDIN or not isinstance(text, str) or ":" not in path or _exists(path):
            return cls(path, **reading)
        if path.startswith(LINES_PREFIX):
            return cls(path[len(LINES_PREFIX) :], as_lines=True, **reading)
        splits = [i for i in range(len(path) - 1, 0, -1) if path[i] == ":"]
        records = [i for i in splits if _kind(path[:i]) != "lines"]
        for colon in [i for i in records if _exists(path[:i])] or records:
            if colon + 1 == len(path):
                raise InputError(
                    f"{path} names no column after its colon; expected the name or number of a "
                    f"column: write {path}NAME"
                )
            return cls(path[:colon], path[colon + 1 :], **reading)
        for colon in splits:
            if path[:colon] == STDIN or _exists(path[:colon]):
                _reject_column(path[:colon])
        return cls(path, **reading)

    @property
    def kind(self) -> str:
        """The format of the file: lines, tsv, csv, jsonl, parquet, subtitles or m2.

        >>> Source("data.jsonl.zst", "hyp").kind
        'jsonl'
        """
        return "lines" if self.as_lines else _kind(self.path)

    @property
    def name(self) -> str:
        """A short name: that of the file without its folder, and the column.

        >>> Source("runs/data.tsv", "mine").name
        'data.tsv:mine'
        """
        file = os.path.basename(display_name(self.path))
        return file if self.column is None else f"{file}:{self.column}"

    def without_mark(self) -> Source:
        """Return the source, read without a byte order mark: numbers and names never have one."""
        return self.replace(bom="strip")

    @checked
    def read(self, several: bool = False) -> list[Any]:
        """Read all segments.

        Args:
            several: allow lists of texts and absent texts, as in references.

        Returns:
            One string for each segment; with `several`, lists of strings and None too.

        Raises:
            InputError: the file or its column cannot be read; the message has the place.
            MissingExtraError: an optional library is needed and not installed.

        >>> Source("/dev/null").read()
        []
        """
        segments: list[Any] = []
        with self.stream(several) as batches:
            for batch in batches:
                segments += batch
        return segments

    def stream(
        self,
        several: bool = False,
        batch_bytes: int = BATCH_BYTES,
        batch_segments: int = BATCH_SEGMENTS,
    ) -> BatchStream:
        """Read the segments in batches, in bounded memory.

        Args:
            several: allow lists of texts and absent texts, as in references.
            batch_bytes: the approximate size of a batch.
            batch_segments: the most segments of a batch.

        Returns:
            An iterator over lists of segments, with `bytes_read` and `bytes_total`.

        Raises:
            InputError: as `read`; problems are found when the reading reaches them.
            MissingExtraError: an optional library is needed and not installed.

        >>> list(Source("/dev/null").stream())
        []
        """
        column = self.column
        if self.kind == "lines":
            if column is not None:
                _reject_column(self.path)
            return self._lines(batch_bytes, batch_segments, self.bom)
        if self.kind == SUBTITLES:
            return ListStream(self.name, [cue.text for cue in self.cues()], batch_segments)
        if self.kind == M2:
            return ListStream(self.name, self._of_m2(several), batch_segments)
        # Imported here, since plain text is the common case and must start fast.
        from bleuet.text.records.column import ColumnStream

        named = column is not None and not column.isdecimal()
        return ColumnStream(self.records(named, batch_bytes, batch_segments), column, several)

    def cues(self) -> list[Cue]:
        """Read the timed segments of subtitles, .srt or .vtt.

        Raises:
            InputError: the file cannot be read, or has no timed segment.
        """
        from bleuet.text.subtitles import read_cues

        if self.kind != SUBTITLES or self.column is not None:
            raise InputError(
                f"{self} does not have times; expected subtitles, a file that ends in .srt or .vtt"
            )
        with self._lines(BATCH_BYTES, BATCH_SEGMENTS, "strip") as batches:
            return read_cues((line for batch in batches for line in batch), str(self))

    def with_sources_only(self) -> Source:
        """Return where the source texts are: in an M2 file the sentences before the edits."""
        return self.replace(column=SOURCES) if self.kind == M2 else self

    def _of_m2(self, several: bool) -> list[Any]:
        """Read an M2 file: its sources, references that carry them, or edited hypotheses."""
        from bleuet.text.m2 import read_sentences

        if self.column not in (None, SOURCES):
            raise InputError(
                f"{self} names a column, which an M2 file does not have; expected no column, or "
                f"{display_name(self.path)}:{SOURCES} for the sentences before the edits"
            )
        with self._lines(BATCH_BYTES, BATCH_SEGMENTS, "strip") as batches:
            lines = (line for batch in batches for line in batch)
            sentences = read_sentences(lines, display_name(self.path))
        if self.column == SOURCES:
            return [sentence.source for sentence in sentences]
        if several:
            return [sentence.references(place) for place, sentence in enumerate(sentences)]
        return [sentence.hypothesis for sentence in sentences]

    def records(
        self,
        named: bool = True,
        batch_bytes: int = BATCH_BYTES,
        batch_rows: int = BATCH_SEGMENTS,
    ) -> Records:
        """Read the rows of the file in batches.

        Args:
            named: whether the first line of a TSV or CSV file has the names of its columns. A
                file of lines is read as TSV.
            batch_bytes: the approximate size of a batch.
            batch_rows: the most rows of a batch.

        Raises:
            InputError: the file cannot be read, or has no line of names.
            MissingExtraError: an optional library is needed and not installed.
        """
        if self.kind == "parquet":
            from bleuet.text.records.parquet import ParquetRecords

            return ParquetRecords(
                self.path, self.max_segment_bytes, batch_bytes, batch_rows, self.row_groups
            )
        quoted = self.kind == "tsv" and self._has_quotes(named)
        # A byte order mark is not part of the name of a column, and it is not JSON.
        bom = "strip" if named or self.kind == "jsonl" else self.bom
        lines = self._lines(batch_bytes, batch_rows, bom)
        if self.kind == "csv":
            from bleuet.text.records.csv import CsvRecords

            return CsvRecords(lines, named)
        if quoted:
            from bleuet.text.records.csv import CsvRecords

            return CsvRecords(lines, named, "\t")
        if self.kind == "jsonl":
            from bleuet.text.records.json import JsonRecords

            return JsonRecords(lines, named)
        from bleuet.text.records.tsv import TsvRecords

        return TsvRecords(lines, named)

    def _has_quotes(self, named: bool) -> bool:
        """Return whether the cells of a TSV file are quoted, as pandas and R write them."""
        from bleuet.text.records.quotes import is_quoted, may_be_quoted

        if not os.path.isfile(self.path):  # what is read only once has no quotes
            return False
        with ByteFile(self.path, self.max_segment_bytes) as file:
            if not may_be_quoted(iter(file.read_block, b"")):
                return False
        with self._lines(BATCH_BYTES, BATCH_SEGMENTS, "strip") as batches:
            lines = (f"{line}\n" for batch in batches for line in batch)
            return is_quoted(lines, str(self.path), named, self.max_segment_bytes)

    def _lines(self, batch_bytes: int, batch_lines: int, bom: str) -> LineStream:
        return stream_lines(self.path, batch_bytes, batch_lines, self.max_segment_bytes, bom)

    def __str__(self) -> str:
        path = display_name(self.path)
        return path if self.column is None else f"{path}:{self.column}"

    def __repr__(self) -> str:
        column = "" if self.column is None else f", {self.column!r}"
        return f"Source({self.path!r}{column})"


class TextsInMemory(Source):
    """Texts that were read from a source and changed; it is read as the source is.

    Args:
        source: where the texts were.
        texts: one for each segment; of references also lists of texts.

    >>> list(TextsInMemory(Source("a.txt"), ["a", "b", "c"]).stream(batch_segments=2))
    [['a', 'b'], ['c']]
    """

    _fields = Source._fields
    texts: list[Any]

    def __init__(self, source: Source, texts: list[Any]) -> None:
        super().__init__(source.path, source.column, as_lines=source.as_lines)
        self._set(texts=texts)

    def stream(
        self,
        several: bool = False,
        batch_bytes: int = BATCH_BYTES,
        batch_segments: int = BATCH_SEGMENTS,
    ) -> BatchStream:
        """Return the texts in batches; arguments as of `Source.stream`."""
        return ListStream(self.name, self.texts, batch_segments)


def _kind(path: str) -> str:
    # A pattern for files such as a.jsonl and b.jsonl.gz.
    path = path.rstrip("*")
    plain = path[: len(path) - len(compression_suffix(path))]
    return _KINDS.get(os.path.splitext(plain)[1].lower(), "lines")


def _exists(path: str) -> bool:
    try:
        return os.path.exists(path)
    except ValueError:  # a NUL inside, before Python 3.12
        return False


def _reject_column(path: str) -> NoReturn:
    raise InputError(
        f"{display_name(path)} is read line by line and has no columns; expected a column only "
        f"after .tsv, .csv, .jsonl, .parquet or .m2: remove the column, or rename the file"
    )
