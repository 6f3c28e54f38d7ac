"""What a file of saved tables says of itself, and how little of that is believed.

The description lies as JSON in the file's metadata, under the key `bleuet`.
"""

from __future__ import annotations

from bleuet.errors import InputError
from bleuet.frozen import Frozen
from bleuet.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn, TypeVar

    T = TypeVar("T")

KEY = b"bleuet"
# Raised whenever the columns of an older file would mean something else.
FORMAT = 1
MAX_BYTES = 1 << 20
MAX_NAME = 4096
MAX_REFERENCES = 1 << 20


class MetricColumns(Frozen):
    """The columns of one metric in a file.

    Args:
        prefix: what their names begin with in the file, with an underscore behind it.
        signature: the metric's, with its name before it.
        integer_columns: the names of the integer columns, as in the table.
        real_columns: the names of the real columns.
        n_references: references per segment, or None where segments differ.
    """

    __slots__ = ("integer_columns", "n_references", "prefix", "real_columns", "signature")
    _fields = ("prefix", "signature", "integer_columns", "real_columns", "n_references")
    prefix: str
    signature: str
    integer_columns: tuple[str, ...]
    real_columns: tuple[str, ...]
    n_references: int | None

    def __init__(
        self,
        prefix: str,
        signature: str,
        integer_columns: Sequence[str],
        real_columns: Sequence[str],
        n_references: int | None,
    ) -> None:
        self._set(prefix=prefix, signature=signature, n_references=n_references)
        self._set(integer_columns=tuple(integer_columns), real_columns=tuple(real_columns))

    def in_file(self, column: str) -> str:
        """Return what a column of the table is called in the file.

        >>> MetricColumns("TER", "TER|nrefs:1", ("num_edits",), (), 1).in_file("num_edits")
        'TER_num_edits'
        """
        return f"{self.prefix}_{column}"


class Description(Frozen):
    """What a file holds: for every system and segment a row with the columns of every metric.

    Args:
        systems: their names.
        segments: the number of segments, which is that of every system's rows.
        metrics: the columns of each metric.
        references: a fingerprint of the references, "" where it is not known.
    """

    __slots__ = ("metrics", "references", "segments", "systems")
    _fields = ("systems", "segments", "metrics", "references")
    systems: tuple[str, ...]
    segments: int
    metrics: tuple[MetricColumns, ...]
    references: str

    def __init__(
        self,
        systems: Sequence[str],
        segments: int,
        metrics: Sequence[MetricColumns],
        references: str = "",
    ) -> None:
        self._set(systems=tuple(systems), segments=segments, metrics=tuple(metrics))
        self._set(references=references)

    def encode(self) -> bytes:
        """Return it as a file holds it.

        Raises:
            InputError: names are so many or so long that no one would read them back.
        """
        import json

        values = {
            "format": FORMAT,
            "version": __version__,
            "systems": self.systems,
            "segments": self.segments,
            "references": self.references,
            "metrics": [dict(zip(m._fields, m._values(), strict=True)) for m in self.metrics],
        }
        encoded = json.dumps(values).encode()
        if len(encoded) > MAX_BYTES or max(map(len, self.systems)) > MAX_NAME:
            raise InputError(
                f"{len(self.systems)} systems have names too many or too long for one file: "
                "save fewer in one file, or shorten their names"
            )
        return encoded


def read_description(path: str, metadata: dict[bytes, bytes] | None) -> Description:
    """Read what a file says of itself.

    Args:
        path: the file, as messages name it.
        metadata: the file's keys and values.

    Raises:
        InputError: it is not a file of saved tables, it was written by a later version, or what
            it says cannot be true.

    >>> ours = Description(["a"], 2, [MetricColumns("TER", "TER|nrefs:1", ["num_edits"], [], 1)])
    >>> read_description("t.parquet", {KEY: ours.encode()}) == ours
    True
    """
    encoded = (metadata or {}).get(KEY)
    if encoded is None:
        raise InputError(
            f"{path} holds no saved tables; expected a file that `bleuet score --save-table` "
            "or save_tables wrote, as it was written: name such a file"
        )
    return _Reader(path).read(encoded)


class _Reader:
    """Takes a description apart and refuses at the first thing that is not as it must be."""

    def __init__(self, path: str) -> None:
        self._path = path

    def read(self, encoded: bytes) -> Description:
        values = self._object(self._decode(encoded))
        self._check_format(values)
        systems = self._names(values, "systems")
        metrics = [self._metric(self._object(m)) for m in self._of(values, "metrics", list)]
        if not metrics:
            self._refuse("it names no metric")
        columns = [m.in_file(c) for m in metrics for c in (*m.integer_columns, *m.real_columns)]
        if len({"system", "segment", *columns}) != len(columns) + 2:
            self._refuse("two of its columns have one name")
        segments = self._of(values, "segments", int)
        if segments < 1:
            self._refuse(f"it says that it has {segments} segments")
        references = self._text(values, "references")
        return Description(systems, segments, metrics, references)

    def _decode(self, encoded: bytes) -> Any:
        import json

        if len(encoded) > MAX_BYTES:
            self._refuse(f"its description is {len(encoded)} bytes long")
        try:
            return json.loads(encoded.decode())
        except (ValueError, RecursionError):
            self._refuse("its description is not JSON")

    def _check_format(self, values: dict[str, Any]) -> None:
        found = self._of(values, "format", int)
        if found > FORMAT:
            writer = str(values.get("version"))[:20]
            raise InputError(
                f"{self._path} has format {found}, of bleuet {writer}, but this version, "
                f"{__version__}, reads formats up to {FORMAT}: update bleuet"
            )
        if found < 1:
            self._refuse(f"there is no format {found}")

    def _metric(self, values: dict[str, Any]) -> MetricColumns:
        n_references = values.get("n_references")
        if n_references is not None:
            n_references = self._of(values, "n_references", int)
            if not 1 <= n_references <= MAX_REFERENCES:
                self._refuse(f"it says that segments have {n_references} references")
        integers = self._names(values, "integer_columns", least=0)
        reals = self._names(values, "real_columns", least=0)
        prefix, signature = self._text(values, "prefix"), self._text(values, "signature")
        return MetricColumns(prefix, signature, integers, reals, n_references)

    def _names(self, values: dict[str, Any], key: str, least: int = 1) -> list[str]:
        names = self._of(values, key, list)
        if len(names) < least or len(set(map(str, names))) != len(names):
            self._refuse(f"the names in its {key} are none or double")
        return [self._checked(name, key) for name in names]

    def _text(self, values: dict[str, Any], key: str) -> str:
        return self._checked(values.get(key), key)

    def _checked(self, text: object, key: str) -> str:
        # JSON can spell half a surrogate pair, which no output could then write.
        if not isinstance(text, str) or len(text) > MAX_NAME or text != _well_formed(text):
            self._refuse(f"its {key} is no text of up to {MAX_NAME} characters")
        return text

    def _of(self, values: dict[str, Any], key: str, kind: type[T]) -> T:
        value = values.get(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            self._refuse(f"its {key} is missing or of another type than {kind.__name__}")
        return value

    def _object(self, value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            self._refuse("its description is no JSON object")
        return value

    def _refuse(self, what: str) -> NoReturn:
        raise InputError(damaged(self._path, what))


def _well_formed(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def damaged(path: str, what: str) -> str:
    """Return the sentence for a file that cannot be what bleuet wrote.

    >>> damaged("t.parquet", "it has no rows")
    't.parquet is damaged or was changed: it has no rows; count the texts again'
    """
    return f"{path} is damaged or was changed: {what}; count the texts again"
