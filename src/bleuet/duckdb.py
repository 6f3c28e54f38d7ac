"""Metrics as functions of SQL in DuckDB."""

from __future__ import annotations

from bleuet.column_functions import functions_of
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
    - `bleu_stats_list` and `sentence_bleu_list`: the same with a list of references.

    What has no hypothesis or no reference (NULL) has no statistics, and sums leave it out.

    Args:
        connection: the connection.
        metrics: metrics, or words such as "bleu:lowercase", by their names in SQL; default all of
            the catalogue whose rows need nothing but hypothesis and references.

    Returns:
        The names of the metrics.

    Raises:
        OptionError: a metric needs all references first, or sources.
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
    for function, compute, given, returned in functions:
        connection.create_function(function, compute, given, returned, type="arrow")
    # Sums of BIGINT are larger numbers in DuckDB.
    sums = ", ".join(
        f"{_quoted(column)}: CAST(sum(s.{_quoted(column)}) AS {kind})"
        for column, kind in fields.items()
    )
    connection.execute(f"CREATE OR REPLACE TEMP MACRO {name}_stats_sum(s) AS {{{sums}}}")


def _quoted(name: str) -> str:
    escaped = name.replace('"', '""')
    return f'"{escaped}"'
