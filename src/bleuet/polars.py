"""Metrics as expressions of polars, with the names of the functions in DuckDB.

Columns are called as the function that makes them: `ter_score`, `sentence_ter`.

>>> import polars
>>> from bleuet.polars import ter_score, ter_stats, ter_stats_sum
>>> frame = polars.DataFrame({"hyp": ["a b", "a"], "ref": ["a c", "a"]})
>>> score = ter_score(ter_stats_sum(ter_stats("hyp", "ref")))
>>> frame.select(score.round(2)).item()
33.33
"""

from __future__ import annotations

from bleuet.column_functions import functions_of
from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.frozen import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from bleuet.column_functions import ColumnFunctions


class Expressions(Value):
    """The expressions of a metric.

    Args:
        functions: its functions on arrays.
    """

    functions: ColumnFunctions

    def stats(self, hypothesis: Any, reference: Any) -> Any:
        """Return an expression with a row of statistics, a struct, for each segment.

        It is null where a hypothesis or a reference is; sums leave it out.

        Args:
            hypothesis: an expression, or the name of a column.
            reference: the same, of texts or of lists of texts.
        """
        found = self._mapped(self.functions.statistics, hypothesis, reference, self._type())
        return found.alias(f"{self.functions.name}_stats")

    def stats_sum(self, stats: Any) -> Any:
        """Return an expression with the sum of rows of statistics, null if there is none.

        Args:
            stats: an expression, or the name of a column.
        """
        polars = optional("polars")
        names, kind = list(self.functions.fields), self._type()

        def total(series: Any) -> Any:
            rows = series.drop_nulls()
            if rows.is_empty():
                return polars.Series(series.name, [None], dtype=kind)
            # One call for all fields: polars would count again for each expression.
            return rows.struct.unnest().select(polars.col(names).sum()).to_struct(series.name)

        summed = _expression(stats).map_batches(total, return_dtype=kind, returns_scalar=True)
        return summed.alias(f"{self.functions.name}_stats_sum")

    def score(self, total: Any) -> Any:
        """Return an expression with the score of a sum.

        Args:
            total: an expression, or the name of a column.
        """
        polars = optional("polars")

        def compute(series: Any) -> Any:
            return polars.Series(series.name, self.functions.scores(series.to_arrow()))

        scored = _expression(total).map_batches(
            compute, return_dtype=polars.Float64, is_elementwise=True
        )
        return scored.alias(f"{self.functions.name}_score")

    def sentence(self, hypothesis: Any, reference: Any) -> Any:
        """Return an expression with the score of each segment; arguments as of `stats`."""
        compute = self.functions.sentence_scores
        found = self._mapped(compute, hypothesis, reference, optional("polars").Float64)
        return found.alias(f"sentence_{self.functions.name}")

    def _type(self) -> Any:
        polars = optional("polars")
        types = {"int64": polars.Int64, "float64": polars.Float64}
        return polars.Struct({name: types[kind] for name, kind in self.functions.fields.items()})

    def _mapped(
        self, compute: Callable[..., Any], hypothesis: Any, reference: Any, kind: Any
    ) -> Any:
        polars = optional("polars")
        newest = polars.CompatLevel.newest()
        both = [_expression(hypothesis), _expression(reference)]

        def call(columns: Any) -> Any:
            given = [one.rechunk().to_arrow(compat_level=newest) for one in columns]
            return polars.Series(columns[0].name, compute(*given), dtype=kind)

        return polars.map_batches(both, call, return_dtype=kind, is_elementwise=True)


def _expression(column: Any) -> Any:
    return optional("polars").col(column) if isinstance(column, str) else column


def expressions(metric: Any) -> Expressions:
    """Return the expressions of a metric; the columns that they make have its name.

    Args:
        metric: a metric, or a word such as "bleu:lowercase".

    Raises:
        OptionError: it needs all references first, or sources.
    """
    (found,) = functions_of({str(metric): metric})
    return Expressions(found)


def __getattr__(name: str) -> Any:
    """Return an expression by its name: `bleu_stats`, `bleu_score`, `sentence_bleu` and so on."""
    for method in ("stats_sum", "stats", "score"):
        if name.endswith(f"_{method}"):
            return getattr(_named(name, name.removesuffix(f"_{method}")), method)
    if name.startswith("sentence_"):
        return _named(name, name.removeprefix("sentence_")).sentence
    raise AttributeError(f"module {__name__} has no attribute {name}")


def _named(name: str, metric: str) -> Expressions:
    try:
        return expressions(metric)
    except OptionError as error:
        raise AttributeError(f"{name}: {error}") from None
