"""Metrics as functions of SQL in DuckDB."""

from __future__ import annotations

from contextlib import suppress

from bleuet.column_functions import functions_of
from bleuet.errors import OptionError
from bleuet.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from bleuet.column_functions import ColumnFunctions

TEXT, TEXTS = "VARCHAR", "VARCHAR[]"
TYPES = {"int64": "BIGINT", "float64": "DOUBLE"}


def register(connection: Any, metrics: Mapping[str, Any] | None = None) -> list[str]:
    """Register the functions of metrics with a connection of DuckDB.

    Each metric, here `bleu`, has

    - `bleu_stats(hypothesis, reference)`: a row of statistics as a struct,
    - `bleu_stats_sum(statistics)`: their sum, an aggregate,
    - `bleu_score(sum)`: the score of a sum,
    - `sentence_bleu(hypothesis, reference)`: the score of a segment,
    - `bleu_stats_list` and `sentence_bleu_list`: the same with a list of references,
    - `bleu_metric()`: the metric with its options.

    What has no hypothesis or no reference (NULL, or an empty list) has no statistics, and sums
    leave it out. The sum and the score of nothing are NULL. Functions that were registered before
    are replaced. A cursor has the functions of its connection; register with it, too, for the
    aggregate.

    Args:
        connection: the connection.
        metrics: metrics, or words such as "bleu:lowercase", by their names in SQL; default all of
            the catalogue whose rows need nothing but hypothesis and references.

    Returns:
        The names of the metrics.

    Raises:
        OptionError: a metric needs all references first, or sources; or another connection to this
            database has a function of this name, of another metric.
        MissingExtraError: DuckDB or pyarrow is not installed.

    >>> import duckdb
    >>> connection = duckdb.connect()
    >>> register(connection, {"ter": "ter"})
    ['ter']
    >>> rows = "SELECT * FROM (VALUES ('a b', 'a c'), ('a', 'a')) AS t(hyp, ref)"
    >>> sums = f"SELECT ter_score(ter_stats_sum(ter_stats(hyp, ref))) FROM ({rows})"
    >>> round(connection.execute(sums).fetchone()[0], 2)
    33.33
    """
    optional("duckdb")
    found = functions_of(metrics)
    for one in found:
        _register(connection, one)
    return [one.name for one in found]


def _register(connection: Any, one: ColumnFunctions) -> None:
    name = one.name
    fields = {column: TYPES[kind] for column, kind in one.fields.items()}
    struct = connection.struct_type(fields)
    # Functions without annotations, which DuckDB would evaluate.
    functions: list[tuple[str, Any, list[Any], Any]] = [
        (f"{name}_score", lambda sums: one.scores(sums), [struct], "DOUBLE")
    ]
    for ending, references in (("", TEXT), ("_list", TEXTS)):
        given = [TEXT, references]
        functions += [
            (f"{name}_stats{ending}", lambda hyp, ref: one.statistics(hyp, ref), given, struct),
            (
                f"sentence_{name}{ending}",
                lambda hyp, ref: one.sentence_scores(hyp, ref),
                given,
                "DOUBLE",
            ),
        ]
    functions.append((f"{name}_metric", lambda: repr(one.metric), [], "VARCHAR"))
    for function, compute, given, returned in functions:
        _create(connection, one, function, (compute, given, returned))
    # Sums of BIGINT are larger numbers in DuckDB. The sum of no row is NULL.
    sums = ", ".join(
        f"{_quoted(column)}: CAST(sum(s.{_quoted(column)}) AS {kind})"
        for column, kind in fields.items()
    )
    macro = f"CASE WHEN count(s) > 0 THEN {{{sums}}} END"
    connection.execute(f"CREATE OR REPLACE TEMP MACRO {name}_stats_sum(s) AS {macro}")


def _create(connection: Any, one: ColumnFunctions, name: str, created: tuple[Any, ...]) -> None:
    """Create a function in place of one that was there."""
    database = optional("duckdb")
    with suppress(database.InvalidInputException):  # there was none
        connection.remove_function(name)
    # A function without arguments returns one value, and not an array.
    kind = "arrow" if created[1] else "native"
    try:
        connection.create_function(name, *created, type=kind, null_handling="special")
    except database.CatalogException:
        # It belongs to the connection that this one is a cursor of.
        found = connection.execute(f"SELECT {one.name}_metric()").fetchall()[0][0]
        if found != repr(one.metric):
            raise OptionError(
                f"another connection to this database has {name} of {found}, and not of "
                f"{one.metric!r}: use another name, or register with that connection"
            ) from None


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'
