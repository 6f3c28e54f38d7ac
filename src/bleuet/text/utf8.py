"""Segments as files hold them: lines of UTF-8, which become strings only where somebody looks."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

# Below this distance a line's end is sought one by one.
_NEAR_BYTES = 1 << 10


class Utf8Segments:
    """A sequence of segments that a counter can read as bytes; `tolist` makes strings of them."""

    __slots__ = ("_listed",)

    def __init__(self) -> None:
        self._listed: list[Any] | None = None

    @property
    def columns(self) -> Sequence[Utf8Lines]:
        """The lines of each file they come from."""
        raise NotImplementedError

    def tolist(self) -> list[Any]:
        """Return the segments as strings, made once."""
        if self._listed is None:
            self._listed = self._decoded()
        return self._listed

    def count(self, segment: object) -> int:
        """Count the segments that equal one."""
        return self.tolist().count(segment)

    def _decoded(self) -> list[Any]:
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.columns[0])

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def __getitem__(self, place: Any) -> Any:
        return self.tolist()[place]

    def __eq__(self, other: object) -> bool:
        return self.tolist() == (other.tolist() if isinstance(other, Utf8Segments) else other)

    # It can equal a list.
    __hash__ = None  # type: ignore[assignment]


class Utf8Lines(Utf8Segments):
    r"""Lines of one file.

    Args:
        blocks: pairs of bytes and the number of lines in them; the bytes are valid UTF-8, and
            every line ends with "\n", which is no part of it.

    >>> lines = Utf8Lines([(b"a\n\xc3\xa9\n", 2), (b"c\n", 1)])
    >>> len(lines), list(lines)
    (3, ['a', 'é', 'c'])
    """

    __slots__ = ("_count", "blocks")

    def __init__(self, blocks: list[tuple[bytes, int]]) -> None:
        super().__init__()
        self.blocks = blocks
        self._count = sum([count for _, count in blocks])

    @property
    def columns(self) -> Sequence[Utf8Lines]:
        """These lines alone."""
        return (self,)

    @property
    def utf8(self) -> tuple[bytes, ...]:
        """All lines, each with its end, block after block."""
        return tuple([block for block, _ in self.blocks])

    def cut(self, count: int) -> tuple[Utf8Lines, Utf8Lines]:
        r"""Return the first lines and the others.

        >>> [list(part) for part in Utf8Lines([(b"a\nb\n\n", 3)]).cut(2)]
        [['a', 'b'], ['']]
        """
        if count >= self._count:
            return self, Utf8Lines([])
        first: list[tuple[bytes, int]] = []
        rest = self.blocks[::-1]
        while count:
            block, lines = rest.pop()
            if lines > count:
                end = _end_of_line(block, count)
                rest.append((block[end:], lines - count))
                block, lines = block[:end], count
            first.append((block, lines))
            count -= lines
        return Utf8Lines(first), Utf8Lines(rest[::-1])

    def holding(self, text: str) -> Iterator[str]:
        r"""Return the lines that have some text in them, without making strings of the others.

        >>> list(Utf8Lines([(b"a b\nc\nb\n", 3)]).holding("b"))
        ['a b', 'b']
        """
        sought = text.encode("utf-8")
        for block, _ in self.blocks:
            end = 0
            while (at := block.find(sought, end)) >= 0:
                begin, end = block.rfind(b"\n", 0, at) + 1, block.index(b"\n", at)
                yield block[begin:end].decode("utf-8")

    def _decoded(self) -> list[str]:
        lines: list[str] = []
        for block, _ in self.blocks:
            lines += block.decode("utf-8").split("\n")
            lines.pop()
        return lines

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, place: Any) -> Any:
        if place == 0 and self._count and self._listed is None:
            block = self.blocks[0][0]
            return block[: block.index(b"\n")].decode("utf-8")
        return self.tolist()[place]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Utf8Lines):
            return super().__eq__(other)
        if len(self) != len(other) or (len(self) and self[0] != other[0]):
            return False
        return b"".join(self.utf8) == b"".join(other.utf8)

    __hash__ = None


class Utf8Columns(Utf8Segments):
    r"""References of several files, each of which has one for every segment.

    >>> references = Utf8Columns([Utf8Lines([(b"a\nb\n", 2)]), Utf8Lines([(b"c\nd\n", 2)])])
    >>> list(references)
    [('a', 'c'), ('b', 'd')]
    """

    __slots__ = ("_columns",)

    def __init__(self, columns: Sequence[Utf8Lines]) -> None:
        super().__init__()
        self._columns = columns

    @property
    def columns(self) -> Sequence[Utf8Lines]:
        """The lines of each file."""
        return self._columns

    def _decoded(self) -> list[tuple[str, ...]]:
        return list(zip(*[column.tolist() for column in self._columns], strict=True))


def _end_of_line(utf8: bytes, count: int) -> int:
    """Return where the line `count`, from 1, ends; there are as many."""
    begin, end = 0, len(utf8)
    while end - begin > _NEAR_BYTES:
        middle = (begin + end) // 2
        lines = utf8.count(b"\n", begin, middle)
        if lines < count:
            begin, count = middle, count - lines
        else:
            end = middle
    for _ in range(count):
        begin = utf8.index(b"\n", begin) + 1
    return begin
