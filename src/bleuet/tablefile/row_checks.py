"""Checks of the numbers in a file: each row must be one that some segment can have."""

from __future__ import annotations

from math import isfinite

from bleuet.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.row_limit import RowLimit
    from bleuet.statistics.table import Table

# No segment has so many n-grams or edits, and sums of billions of rows stay within 64 bits.
MAX_COUNT = 1 << 32


def impossible_rows(metric: Metric[Any], table: Table) -> str:
    """Return what is wrong with the rows of a table, "" where a metric can count such rows.

    Args:
        metric: a metric with these columns.
        table: rows of single segments.

    Raises:
        MissingExtraError: the library for Parquet is not installed.

    >>> from bleuet.metrics.ter.metric import TER
    >>> from bleuet.statistics.table import Table
    >>> impossible_rows(TER(), Table.from_rows(("num_edits",), ("ref_length",), [(-1, 4.0)]))
    'num_edits has the count -1'
    """
    if not table.rows:
        return ""
    least = None if metric.rates else 0
    return _unlike_counts(table, least) or _beyond_limits(
        table, metric.row_limits(table.n_references)
    )


def _unlike_counts(table: Table, least_real: int | None) -> str:
    """Return what of the numbers no segment can have.

    Args:
        table: the rows.
        least_real: the least that a real number can be, None for any.
    """
    compute, arrow = optional("pyarrow.compute"), optional("pyarrow")
    integers, reals = table.blocks()
    for block, kind in ((integers, arrow.int64()), (reals, arrow.float64())):
        numbers = arrow.Array.from_buffers(kind, len(block), [None, arrow.py_buffer(block)])
        least, most = compute.min_max(numbers).as_py().values()
        floor = least_real if block is reals else 0
        # NaN is left out of the two.
        low = -MAX_COUNT if floor is None else floor
        if not len(block) or (least >= low and most <= MAX_COUNT and not _has_nan(numbers)):
            continue
        names = table.integer_columns if block is integers else table.real_columns
        for name in names:
            wrong = [n for n in table.column(name) if not low <= n <= MAX_COUNT]
            if wrong and not isfinite(wrong[0]):
                return f"{name} has a number that is not finite"
            if wrong:
                return f"{name} has the count {wrong[0]}"
    return ""


def _has_nan(numbers: Any) -> bool:
    compute, arrow = optional("pyarrow.compute"), optional("pyarrow")
    if numbers.type != arrow.float64():
        return False
    return bool(compute.any(compute.is_nan(numbers), min_count=0).as_py())


def _beyond_limits(table: Table, limits: Sequence[RowLimit]) -> str:
    compute, arrow = optional("pyarrow.compute"), optional("pyarrow")
    rows = arrow.record_batch(table)
    columns = dict(zip(rows.schema.names, rows.columns, strict=True))
    known: dict[object, Any] = {}
    for limit in limits:
        # Several columns have the same limit.
        key = limit.of, limit.less, limit.least, limit.factor
        most = known.get(key)
        if most is None:
            most = known[key] = _most(columns, limit)
        column = columns[limit.column]
        holds = (compute.equal if limit.exact else compute.less_equal)(column, most)
        if holds.false_count:
            at = compute.index(holds, False).as_py()
            return f"{limit.column} has the count {column[at]}, where {limit}"
    return ""


def _most(columns: dict[str, Any], limit: RowLimit) -> Any:
    compute = optional("pyarrow.compute")
    if not limit.of:
        return limit.least
    most = columns[limit.of]
    if limit.factor != 1:
        most = compute.multiply(most, limit.factor)
    if limit.less:
        most = compute.subtract(most, limit.less)
    if limit.less or limit.least:
        most = compute.max_element_wise(most, limit.least)
    return most
