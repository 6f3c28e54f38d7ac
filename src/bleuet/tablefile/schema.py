"""The description of a file of saved tables, which is validated when it is read.

It is JSON in the metadata of the file, under the key `bleuet`. It has a checksum of every column of
every system, and at its end a checksum of itself.
"""

from __future__ import annotations

from hashlib import sha256

from bleuet.errors import InputError
from bleuet.frozen import Value
from bleuet.output.escaping import printable
from bleuet.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn, TypeVar

    T = TypeVar("T")

KEY = b"bleuet"
# It increases whenever the columns of an older file would have another meaning.
FORMAT = 1
MAX_BYTES = 1 << 22
MAX_NAME = 4096
MAX_REFERENCES = 1 << 20
# The digits of the checksum of a column, a CRC-32: it finds what changes by accident or by editing,
# and reading stays quick, unlike with a cryptographic one. Nothing can be trusted because of it.
DIGITS = 8
# The key of the checksum of the description itself.
CHECKSUM = "checksum"


class MetricColumns(Value):
    """The columns of one metric in a file.

    Args:
        prefix: what their names begin with in the file, before an underscore.
        signature: the metric's, with its name before it.
        integer_columns: the names of the integer columns, as in the table.
        real_columns: the names of the real columns.
        n_references: references per segment, or None where segments differ.
        learned: a fingerprint of what the metric learned before it counted, "" where it learned
            nothing, or where that is unknown.
    """

    prefix: str
    signature: str
    integer_columns: tuple[str, ...]
    real_columns: tuple[str, ...]
    n_references: int | None
    learned: str = ""

    def in_file(self, column: str) -> str:
        """Return the name in the file of a column of the table.

        >>> MetricColumns("TER", "TER|nrefs:1", ("num_edits",), (), 1).in_file("num_edits")
        'TER_num_edits'
        """
        return f"{self.prefix}_{column}"

    def all_in_file(self) -> list[str]:
        """Return the names in the file of all columns, integer columns first."""
        return [self.in_file(name) for name in (*self.integer_columns, *self.real_columns)]


class Description(Value):
    """The contents of a file: a row for every system and segment, with the columns of all metrics.

    Args:
        systems: their names.
        segments: the number of segments, which is the number of rows of every system.
        metrics: the columns of each metric.
        references: a fingerprint of the references, "" if it is unknown.
        checksums: of each system those of all columns, 8 hexadecimal digits each, in the order of
            `columns`.
    """

    systems: tuple[str, ...]
    segments: int
    metrics: tuple[MetricColumns, ...]
    references: str
    checksums: tuple[str, ...]

    @property
    def columns(self) -> list[str]:
        """The names in the file of the columns of all metrics."""
        return [name for metric in self.metrics for name in metric.all_in_file()]

    def checksum(self, system: int, column: str) -> str:
        """Return the checksum of a column of a system.

        Args:
            system: the place of the system.
            column: the name of the column in the file.
        """
        at = DIGITS * self.columns.index(column)
        return self.checksums[system][at : at + DIGITS]

    def encode(self) -> bytes:
        """Return the description as bytes.

        Raises:
            InputError: there are so many names, or such long ones, that they could not be read.
        """
        import json

        values = {
            "format": FORMAT,
            "version": __version__,
            "systems": self.systems,
            "segments": self.segments,
            "references": self.references,
            "metrics": [dict(zip(m._fields, m._values(), strict=True)) for m in self.metrics],
            "checksums": self.checksums,
        }
        encoded = json.dumps({**values, CHECKSUM: checksum_of(values)}).encode()
        if len(encoded) > MAX_BYTES or max(map(len, self.systems)) > MAX_NAME:
            raise InputError(
                f"the names of {len(self.systems)} systems are too long for one file: save fewer "
                "systems in one file, or shorten their names"
            )
        return encoded


def read_description(path: str, metadata: dict[bytes, bytes] | None) -> Description:
    """Read the description of a file.

    Args:
        path: the file, for errors.
        metadata: the file's keys and values.

    Raises:
        InputError: the file has no saved tables, was written by a later version, or its
            description is invalid.

    >>> ter = MetricColumns("TER", "TER|nrefs:1", ("num_edits",), (), 1)
    >>> example = Description(("a",), 2, (ter,), "", ("0badcafe",))
    >>> read_description("t.parquet", {KEY: example.encode()}) == example
    True
    """
    encoded = (metadata or {}).get(KEY)
    if encoded is None:
        raise InputError(
            f"{path} has no saved tables; expected a file that `bleuet score --save-table` or "
            "save_tables wrote: name such a file"
        )
    return _Reader(path).read(encoded)


class _Reader:
    """Validates a description and raises at the first problem."""

    def __init__(self, path: str) -> None:
        self._path = path

    def read(self, encoded: bytes) -> Description:
        values = self._object(self._decode(encoded))
        self._check_format(values)
        self._check_checksum(values)
        systems = self._names(values, "systems")
        metrics = [self._metric(self._object(m)) for m in self._of(values, "metrics", list)]
        if not metrics:
            self._fail("it names no metric")
        columns = [name for metric in metrics for name in metric.all_in_file()]
        if len({"system", "segment", *columns}) != len(columns) + 2:
            self._fail("two of its columns have the same name")
        segments = self._of(values, "segments", int)
        if segments < 1:
            self._fail(f"it has {segments} segments")
        references = self._text(values, "references")
        checksums = self._of(values, "checksums", list)
        if len(checksums) != len(systems):
            self._fail(f"it has checksums of {len(checksums)} systems, not {len(systems)}")
        for one in checksums:
            if not isinstance(one, str) or len(one) != DIGITS * len(columns):
                self._fail("it does not have a checksum of every column")
        return Description(systems, segments, tuple(metrics), references, tuple(checksums))

    def _decode(self, encoded: bytes) -> Any:
        import json

        if len(encoded) > MAX_BYTES:
            self._fail(f"its description is {len(encoded)} bytes long")
        try:
            return json.loads(encoded.decode())
        except (ValueError, RecursionError):
            self._fail("its description is not JSON")

    def _check_format(self, values: dict[str, Any]) -> None:
        found = self._of(values, "format", int)
        if found > FORMAT:
            writer = str(values.get("version"))[:20]
            raise InputError(
                f"{self._path} has format {found}, of bleuet {writer}, but this version, "
                f"{__version__}, reads formats up to {FORMAT}: update bleuet"
            )
        if found < 1:
            self._fail(f"there is no format {found}")

    def _check_checksum(self, values: dict[str, Any]) -> None:
        found = values.pop(CHECKSUM, None)
        try:
            expected = checksum_of(values)
        except RecursionError:
            self._fail("its description is nested too deeply")
        if found != expected:
            self._fail("its description is not the one that was written")

    def _metric(self, values: dict[str, Any]) -> MetricColumns:
        n_references = values.get("n_references")
        if n_references is not None:
            n_references = self._of(values, "n_references", int)
            if not 0 <= n_references <= MAX_REFERENCES:
                self._fail(f"its segments have {n_references} references")
        integers = self._names(values, "integer_columns", least=0)
        reals = self._names(values, "real_columns", least=0)
        prefix, signature = self._text(values, "prefix"), self._text(values, "signature")
        # Files of earlier versions lack it.
        learned = self._text({"learned": "", **values}, "learned")
        return MetricColumns(prefix, signature, integers, reals, n_references, learned)

    def _names(self, values: dict[str, Any], key: str, least: int = 1) -> tuple[str, ...]:
        names = self._of(values, key, list)
        if len(names) < least or len(set(map(str, names))) != len(names):
            self._fail(f"the names in its {key} are empty or duplicate")
        return tuple([self._checked(name, key) for name in names])

    def _text(self, values: dict[str, Any], key: str) -> str:
        return self._checked(values.get(key), key)

    def _checked(self, text: object, key: str) -> str:
        # JSON can contain half a surrogate pair, which cannot be written as UTF-8.
        if not isinstance(text, str) or len(text) > MAX_NAME or text != _well_formed(text):
            self._fail(f"its {key} is not a text of up to {MAX_NAME} characters")
        return text

    def _of(self, values: dict[str, Any], key: str, kind: type[T]) -> T:
        value = values.get(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            self._fail(f"its {key} is missing or of another type than {kind.__name__}")
        return value

    def _object(self, value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            self._fail("its description is not a JSON object")
        return value

    def _fail(self, what: str) -> NoReturn:
        raise InputError(damaged(self._path, what))


def checksum_of(values: dict[str, Any]) -> str:
    """Return the checksum of a description.

    >>> checksum_of({"format": 1})[:8]
    '5e5fbf8b'
    """
    import json

    return sha256(json.dumps(values).encode()).hexdigest()


def _well_formed(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def damaged(path: str, what: str) -> str:
    """Return the message for a file that is not as bleuet wrote it.

    >>> damaged("t.parquet", "it has no rows")
    't.parquet is damaged or was changed: it has no rows; count the texts again'
    """
    return f"{path} is damaged or was changed: {printable(what)}; count the texts again"
