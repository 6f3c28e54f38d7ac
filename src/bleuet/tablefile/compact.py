"""Thrift's compact protocol, in which Parquet writes its index and the headers of its pages.

Source: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

# The types of values in the compact protocol.
TRUE, FALSE, BYTE, INT_16, INT_32, INT_64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)
_BITS = {BYTE: 8, INT_16: 16, INT_32: 32, INT_64: 64}
# Structures of Parquet lie in each other less deeply.
_MAX_DEPTH = 12
_MAX_NAMES = 64


class CompactReader:
    r"""Reads values from bytes, and skips other fields without taking memory for them.

    Args:
        data: the bytes.
        at: where to begin.

    Raises:
        ValueError: the bytes are no such values, or end too early.

    >>> CompactReader(b"\x15\x08\x18\x02hi\x00").fields({1, 2})
    {1: 4, 2: b'hi'}
    """

    def __init__(self, data: bytes, at: int = 0) -> None:
        self._data = data
        self._size = len(data)
        self.at = at

    def fields(self, wanted: set[int] | dict[int, Any], depth: int = 0) -> dict[int, Any]:
        """Read a structure.

        Args:
            wanted: the numbers of the fields to return; as a dict, with a function that reads the
                field's value, or None for numbers and bytes.
            depth: how many structures this one lies in.

        Returns:
            The values of the wanted fields that are there, by number.
        """
        readers: dict[int, Any] = wanted if isinstance(wanted, dict) else dict.fromkeys(wanted)
        found: dict[int, Any] = {}
        number = 0
        while header := self._byte():
            kind = header & 15
            before = number
            number = number + (header >> 4) if header >> 4 else self._signed(INT_16)
            if number <= before:
                # If a field comes twice, the library would join its values.
                raise ValueError(f"its index has the field {number} after the field {before}")
            if number not in readers:
                self._skip(kind, depth)
            else:
                read = readers[number]
                found[number] = read(self, kind, depth + 1) if read else self._simple(kind)
        return found

    @staticmethod
    def structure(wanted: dict[int, Any]) -> Callable[[CompactReader, int, int], dict[int, Any]]:
        """Return a reader of a field that is a structure.

        Args:
            wanted: as of `fields`.
        """

        def read(reader: CompactReader, kind: int, depth: int) -> dict[int, Any]:
            if kind != STRUCT:
                raise ValueError("its index has no structure where one is expected")
            return reader.fields(wanted, depth)

        return read

    def length_of_list(self, kind: int) -> int:
        """Return the number of structures in a list, which is read next."""
        size, item = self._list(kind)
        if item != STRUCT:
            raise ValueError("its index has a list of another type")
        return size

    def _list(self, kind: int) -> tuple[int, int]:
        if kind not in (LIST, SET):
            raise ValueError("its index has no list where one is expected")
        header = self._byte()
        size = header >> 4
        if size == 15:
            size = self._varint()
        # Each item has at least one byte.
        if size > self._size - self.at:
            raise ValueError("its index has a list that is too long")
        return size, header & 15

    def binaries(self, kind: int, depth: int) -> list[bytes]:
        """Read a short list of bytes."""
        size, item = self._list(kind)
        if item != BINARY or size > _MAX_NAMES:
            raise ValueError("its index has a list of another type")
        return [self._binary() for _ in range(size)]

    def _simple(self, kind: int) -> int | bytes:
        if kind in (TRUE, FALSE):
            return kind == TRUE
        if kind == BINARY:
            return self._binary()
        return self._signed(kind)

    def _skip(self, kind: int, depth: int) -> None:
        if depth > _MAX_DEPTH:
            raise ValueError("its index is nested too deeply")
        if kind in (TRUE, FALSE):
            return
        if kind == BYTE:
            self._advance(1)
        elif kind in _BITS:
            self._varint()
        elif kind == DOUBLE:
            self._advance(8)
        elif kind == BINARY:
            self._advance(self._varint())
        elif kind in (LIST, SET):
            size, item = self._list(kind)
            for _ in range(size):
                self._skip(BYTE if item in (TRUE, FALSE) else item, depth + 1)
        elif kind == STRUCT:
            while header := self._byte():
                if not header >> 4:
                    self._varint()
                self._skip(header & 15, depth + 1)
        else:
            # Maps, which Parquet does not use.
            raise ValueError("its index has a value of an unknown type")

    def _byte(self) -> int:
        at = self.at
        if at >= self._size:
            raise ValueError("its index ends too early")
        self.at = at + 1
        return self._data[at]

    def _binary(self) -> bytes:
        size = self._varint()
        self._advance(size)
        return self._data[self.at - size : self.at]

    def _advance(self, size: int) -> None:
        self.at += size
        if self.at > self._size:
            raise ValueError("its index ends too early")

    def _varint(self) -> int:
        value = self._byte()
        if value < 128:
            return value
        value, shift = value & 127, 7
        while True:
            byte = self._byte()
            value |= (byte & 127) << shift
            if byte < 128:
                break
            shift += 7
            if shift > 63:
                break
        if value >= 1 << 64:
            raise ValueError("its index has a number that is too large")
        return value

    def _signed(self, kind: int) -> int:
        if kind not in _BITS:
            raise ValueError("its index has no number where one is expected")
        if kind == BYTE:
            return self._byte()
        value = self._varint()
        value = (value >> 1) ^ -(value & 1)
        limit = 1 << (_BITS[kind] - 1)
        if not -limit <= value < limit:
            raise ValueError("its index has a number that is too large")
        return value
