"""What every framework needs: an item's row of statistics, and scores of rows that were kept.

Frameworks score item by item, and then reduce. A row of statistics is what one item adds; the sum
of all rows has the score of the corpus, and draws of rows have its standard error.
"""

from __future__ import annotations

from array import array
from itertools import chain
from math import nan
from typing import TYPE_CHECKING

from bleuet.errors import OptionError, TableError
from bleuet.frozen import Value
from bleuet.metrics.catalogue import make_metric
from bleuet.significance.interval import standard_deviation
from bleuet.statistics.resampling import Resampler
from bleuet.statistics.seed import SEED
from bleuet.statistics.table import Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from bleuet.metrics.base.metric import Metric

DRAWS = 1000


class Items(Value):
    """A metric whose rows of statistics a framework keeps.

    Args:
        metric: the metric.

    >>> items = items_of("ter")
    >>> rows = [items.row("a b", "a c"), items.row("a", ["b", "a"])]
    >>> rows[0], round(items.score(rows), 2)
    ([1, 2.0], 33.33)
    """

    metric: Metric[Any]

    def rows(self, hypotheses: Sequence[str], references: Sequence[Any]) -> list[list[float]]:
        """Return the row of each item, integers first.

        Args:
            hypotheses: a text for each item.
            references: a text or a list of texts for each item.
        """
        table = self.metric.count(list(hypotheses), list(references))
        columns = [table.column(name).tolist() for name in table.columns]
        return [list(row) for row in zip(*columns, strict=True)]

    def row(self, hypothesis: str, references: str | Sequence[str]) -> list[float]:
        """Return the row of one item."""
        (row,) = self.rows([hypothesis], [references])
        return row

    def _table(self, rows: Iterable[Sequence[float]]) -> Table:
        integer, real = self.metric.integer_columns, self.metric.real_columns
        listed = list(rows)
        if any(len(row) != len(integer) + len(real) for row in listed):
            raise TableError(
                f"a row of {self.metric.name} has {len(integer) + len(real)} numbers: pass rows of "
                "this metric"
            )
        columns = list(zip(*listed, strict=True))
        # JSON may have made one kind of numbers of the other.
        integers = array("q", map(int, chain.from_iterable(columns[: len(integer)])))
        reals = array("d", map(float, chain.from_iterable(columns[len(integer) :])))
        return Table(integer, real, len(listed), integers, reals)

    def score(self, rows: Iterable[Sequence[float]]) -> float:
        """Return the score of all rows together, NaN without rows."""
        table = self._table(rows)
        return float(self.metric.score(table.totals()).score) if table.rows else nan

    def standard_error(
        self, rows: Iterable[Sequence[float]], draws: int = DRAWS, seed: int = SEED
    ) -> float:
        """Return the bootstrap standard error of the score, NaN for fewer than two rows.

        Args:
            rows: the rows.
            draws: the number of draws.
            seed: their random seed.
        """
        table = self._table(rows)
        if table.rows < 2:
            return nan
        (sums,) = Resampler(seed).draw([table], draws)
        return standard_deviation(self.metric.segment_scores(sums).tolist())


def items_of(metric: str | Metric[Any]) -> Items:
    """Return a metric, or that of a word such as "bleu:lowercase", for rows of single items.

    Raises:
        OptionError: it learns from all references before it counts.
    """
    found = make_metric(metric) if isinstance(metric, str) else metric
    if found.learns and found.learned is None:
        raise OptionError(
            f"{found.name} learns from all references first, so that items cannot be counted one "
            "by one: score the whole corpus with bleuet.score"
        )
    return Items(found)
