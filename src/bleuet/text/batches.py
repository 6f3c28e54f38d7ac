"""Batches: the segments of a file in parts of limited size, and the progress of reading."""

from __future__ import annotations

from bleuet.text.segments import TEXT, Segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Self

BATCH_BYTES = 4 << 20
BATCH_SEGMENTS = 32_768


class OpenFile:
    """The base of what is read from a file: its name, how far it is read, and how to close it."""

    __slots__ = ()

    @property
    def name(self) -> str:
        """The name of the file in messages."""
        raise NotImplementedError

    @property
    def bytes_read(self) -> int:
        """How many bytes of the stored file have been read."""
        raise NotImplementedError

    @property
    def bytes_total(self) -> int | None:
        """The size of the stored file in bytes; None for a pipe."""
        raise NotImplementedError

    def count_rest(self) -> tuple[int, bool]:
        """Count the segments or rows that have not been returned, and close the file.

        Returns:
            How many there are, and whether these are all: counting stops after 4 GiB.
        """
        raise NotImplementedError

    def close(self) -> None:
        """Close the file; this also happens after the last batch."""
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


class BatchStream(OpenFile):
    """The base of iterators over lists of segments, none of them empty; one class per kind of file.

    >>> from bleuet.text.lines import stream_lines
    >>> list(stream_lines("/dev/null"))
    []
    """

    __slots__ = ()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> list[Any]:
        try:
            return self._next_batch()
        except BaseException:
            self.close()
            raise

    def next_portion(self, count_lines: Callable[[bytes], int] | None) -> Segments:
        """Read the next batch as text or lines; empty at the end.

        Args:
            count_lines: as `bleuet.text.lines.count_lines`; the kernel's is faster. With None,
                lines become text.
        """
        return Segments(TEXT, next(self, []))

    def _next_batch(self) -> list[Any]:
        """Read the next batch, or raise StopIteration."""
        raise NotImplementedError


class ListStream(BatchStream):
    """Segments that are in memory, in batches.

    Args:
        name: the name of the file they are of.
        segments: the segments.
        batch_segments: the most segments of a batch.
    """

    __slots__ = ("_batch_segments", "_begin", "_name", "_segments")

    def __init__(self, name: str, segments: list[Any], batch_segments: int) -> None:
        self._name = name
        self._segments = segments
        self._batch_segments = batch_segments
        self._begin = 0

    @property
    def name(self) -> str:
        """The name of the file in messages."""
        return self._name

    @property
    def bytes_read(self) -> int:
        """The segments that were returned, since nothing is read."""
        return min(self._begin, len(self._segments))

    @property
    def bytes_total(self) -> int:
        """The number of segments."""
        return len(self._segments)

    def count_rest(self) -> tuple[int, bool]:
        """Count the segments that have not been returned."""
        return len(self._segments) - self.bytes_read, True

    def close(self) -> None:
        """Do nothing: there is no file."""

    def _next_batch(self) -> list[Any]:
        begin, self._begin = self._begin, self._begin + self._batch_segments
        if begin >= len(self._segments):
            raise StopIteration
        return self._segments[begin : self._begin]
