"""Scores of every text against the references of every segment."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from operator import index

from bleuet.errors import InputError, InputTypeError, OptionError
from bleuet.frozen import checked
from bleuet.messages import shown, wrong_type
from bleuet.metrics.base.prepared import PreparedReferences, check_prepared
from bleuet.metrics.base.text_checks import Shaped, warn_of_texts
from bleuet.metrics.base.text_problems import HYPOTHESES
from bleuet.statistics.backend import backend, check_threads
from bleuet.statistics.table import Table
from bleuet.text.corpus import Corpus
from bleuet.text.segments import Segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, Literal, overload

    import pandas

    Row = tuple[float, ...]

# The letters that memoryview and array have for the types of numbers, and their bytes.
_TYPES = {"float64": ("d", 8), "float32": ("f", 4)}
# Rows of pairs are counted and scored so many at a time: they stay in a core's cache.
_ROWS_IN_BLOCK = 1 << 14
# `repr` shows so many numbers.
_SHOWN = 3


class Matrix(Sequence["Row"]):
    """The scores of n texts against m references: `matrix[i]` is a row, `matrix[i, j]` a score.

    A row is a tuple of m scores in percent. `numpy.asarray(matrix)` is an array of n x m numbers;
    it does not copy them.

    >>> from bleuet.metrics.ter.metric import TER
    >>> matrix = TER().matrix(["a b", "a"], ["a b", "x", "a"])
    >>> matrix, matrix[0], matrix[-1][0], [min(row) for row in matrix]
    (<2 x 3 scores: 0.00, 200.00, 100.00, ...>, (0.0, 200.0, 100.0), 50.0, [0.0, 0.0])
    """

    __slots__ = ("_scores", "shape")

    def __init__(self, scores: memoryview[float], shape: tuple[int, int]) -> None:
        self._scores = scores.toreadonly()
        self.shape = shape

    @property
    def values(self) -> memoryview[float]:
        """The numbers as one block of memory with two dimensions, which can only be read."""
        letter: Any = self._scores.format
        return self._scores.cast("B").cast(letter, self.shape)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        kind = f"<f{self._scores.itemsize}"
        return {"version": 3, "shape": self.shape, "typestr": kind, "data": self._scores}

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        # pandas makes a data frame of what has this method.
        from bleuet.statistics.interoperability import to_array

        return to_array(self.values, dtype, copy)

    def __buffer__(self, flags: int) -> memoryview[float]:
        # From Python 3.12 on, `memoryview(matrix)` is the same as `values`.
        return self.values

    def __len__(self) -> int:
        return self.shape[0]

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, place: int) -> Row: ...
        @overload
        def __getitem__(self, place: slice) -> list[Row]: ...
        @overload
        def __getitem__(self, place: tuple[int, int]) -> float: ...

    def __getitem__(self, place: int | slice | tuple[int, int]) -> Row | list[Row] | float:
        if isinstance(place, slice):
            return [self[row] for row in range(*place.indices(len(self)))]
        if isinstance(place, tuple) and len(place) == 2:
            row, column = place
            return self._row(row)[column]
        return tuple(self._row(place))

    def _row(self, place: Any) -> memoryview[float]:
        try:
            number = index(place)
        except TypeError:
            raise InputTypeError(
                "expected the number of a row, a slice of rows, or the numbers of a row and a "
                f"column, not {shown(place)}"
            ) from None
        rows, columns = self.shape
        if not -rows <= number < rows:
            raise IndexError(f"row {number} of {rows}")
        begin = number % rows * columns
        return self._scores[begin : begin + columns]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Matrix):
            return NotImplemented
        return self.shape == other.shape and self._scores == other._scores

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self._scores.tobytes(), self._scores.format, self.shape)

    def __repr__(self) -> str:
        first = ", ".join([f"{score:.2f}" for score in self._scores[:_SHOWN]])
        more = ", ..." if len(self._scores) > _SHOWN else ""
        return f"<{self.shape[0]:,} x {self.shape[1]:,} scores: {first}{more}>"

    if TYPE_CHECKING:

        @overload
        def to_dataframe(self, *, library: Literal["pandas"] | None = None) -> pandas.DataFrame: ...
        @overload
        def to_dataframe(self, *, library: Literal["polars", "pyarrow"]) -> Any: ...

    @checked
    def to_dataframe(self, *, library: str | None = None) -> Any:
        """Return the scores as a data frame: a row for each text, a column for each reference.

        Args:
            library: "pandas", "polars" or "pyarrow"; default the first that is installed. The
                columns are called "0", "1", and so on.

        Raises:
            OptionError: there is no such library.
            MissingExtraError: the library is not installed.
        """
        from bleuet.output.data_frame import data_frame

        columns = list(map(str, range(self.shape[1])))
        rows = (dict(zip(columns, row, strict=True)) for row in self.tolist())
        return data_frame({"scores": lambda: rows}, library=library)

    def tolist(self) -> list[list[float]]:
        """Return the rows as lists of numbers."""
        rows: list[list[float]] = [self._row(row).tolist() for row in range(len(self))]  # type: ignore[misc]
        return rows


def _restore(scores: bytes, letter: Any, shape: tuple[int, int]) -> Matrix:
    return Matrix(memoryview(scores).cast(letter), shape)


def matrix_of(metric: Any, hypotheses: Any, references: Any, threads: int, dtype: str) -> Matrix:
    """Return the score of every hypothesis against every reference; see `Metric.matrix`."""
    if isinstance(hypotheses, Corpus):
        raise wrong_type("hypotheses", "a list of texts", hypotheses)
    segments = Segments.hypotheses(hypotheses, metric.counted_kind).decoded()
    warn_of_texts((metric,), ((HYPOTHESES, segments),), None, (Shaped,))
    texts = metric._as_counted(segments)
    if not len(texts):
        raise InputError("there is no hypothesis; expected at least one")
    if not isinstance(references, PreparedReferences):
        references = metric.prepare_references(references, threads=threads)
    check_prepared(metric, references)
    threads = check_threads(threads)
    if not isinstance(dtype, str) or dtype not in _TYPES:
        raise OptionError(f"dtype is {shown(dtype)}; expected float64 or float32")
    letter, size = _TYPES[dtype]
    shape = len(texts), len(references)
    scores: Any = memoryview(bytearray(shape[0] * shape[1] * size)).cast(letter)  # type: ignore[call-overload]
    references.metric._fill_matrix(texts, references, scores, threads)
    return Matrix(scores, shape)


def fill_from_tables(
    metric: Any, texts: Segments, references: Any, scores: memoryview[float], threads: int
) -> None:
    """Write the scores of texts against references, from tables with a row for each pair.

    Args:
        metric: the metric, after it has learned.
        texts: texts of the kind that the metric counts.
        references: those that the metric has prepared.
        scores: memory for the scores, row after row.
        threads: threads of the kernel, 0 for one per core.
    """
    done = 0
    for table in _tables(metric, texts, references, threads):
        end = done + table.rows
        block = metric.segment_scores(table).values
        scores[done:end] = block if scores.format == "d" else memoryview(array("f", block))
        done = end


def _tables(metric: Any, texts: Segments, references: Any, threads: int) -> Iterator[Table]:
    """Yield the rows of texts, some at a time, each against all references."""
    items, width = texts.tolist(), len(references)
    if not hasattr(metric._counter, "pairs"):
        for item in items:
            alike = Segments(texts.kind, [item] * width)
            yield metric._fill(alike, references.prepared, threads)
        return
    step = max(1, _ROWS_IN_BLOCK // width)
    for start in range(0, len(items), step):
        some = Segments(texts.kind, items[start : start + step])
        yield metric.table_from(_count_pairs(metric.counted_by, some, references, threads))


def _count_pairs(metric: Any, some: Segments, references: Any, threads: int) -> Table:
    names = metric.integer_columns, metric.real_columns
    rows = len(some) * len(references)
    integers, reals = (backend().unwritten(len(several) * rows) for several in names)
    metric._counter.pairs(
        some.kind, some.content, references.prepared, integers, reals, threads=threads
    )
    return Table(*names, rows, integers, reals, references.n_references)
