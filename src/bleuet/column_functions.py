"""What SQL and expressions compute with a metric: statistics of rows, scores of sums, sentences.

Statistics add, so that the database sums them, by whatever groups, and the score of a sum is that
of all its rows.
"""

from __future__ import annotations

from bleuet.errors import OptionError
from bleuet.evaluation.evaluation import for_sentences
from bleuet.extras import optional
from bleuet.frozen import Value, cached_property
from bleuet.metrics.base.text_checks import OF_PARTS, warn_of_texts
from bleuet.metrics.base.text_problems import SAMPLE_LINES
from bleuet.metrics.catalogue import CATALOGUE, make_metric
from bleuet.statistics.table import Table
from bleuet.text.columns import plain_texts, segments_of
from bleuet.text.segments import TEXT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from bleuet.metrics.base.metric import Metric


class ColumnFunctions(Value):
    """The functions of a metric on arrays of Arrow.

    Args:
        name: its name in SQL, such as "bleu".
        metric: the metric.
    """

    name: str
    metric: Metric[Any]

    @cached_property
    def sentences(self) -> Metric[Any]:
        """The metric with the options that suit sentences."""
        return for_sentences(self.metric)

    @cached_property
    def fields(self) -> dict[str, str]:
        """The names of the statistics, and the type of each as Arrow calls it."""
        metric = self.metric
        return {
            **dict.fromkeys(metric.integer_columns, "int64"),
            **dict.fromkeys(metric.real_columns, "float64"),
        }

    @property
    def statistics_type(self) -> Any:
        """The type of a row of statistics, a struct of Arrow."""
        arrow = optional("pyarrow")
        return arrow.struct([(name, getattr(arrow, kind)()) for name, kind in self.fields.items()])

    def _count(self, hypotheses: Any, references: Any) -> Table:
        texts = segments_of(hypotheses, what="hypotheses")
        against = segments_of(references, what="references")
        table = self.metric.count(texts, against)
        if against.kind != TEXT:  # lists of references are in memory
            against = segments_of(references[:SAMPLE_LINES]).decoded()
        sample = segments_of(hypotheses[:SAMPLE_LINES]).decoded()
        warn_of_texts((self.metric,), [("", sample)], against, OF_PARTS)
        return table

    def _of_present(self, hypotheses: Any, references: Any, compute: Any, kind: Any) -> Any:
        """Return what is computed of each segment, and null where a text is absent.

        Args:
            hypotheses: an array of texts.
            references: an array of texts, or of lists of texts.
            compute: a function from a table of the segments that are present to their array.
            kind: the type of that array.
        """
        arrow = optional("pyarrow")
        places = present(hypotheses, references)
        if places is None:
            return compute(self._count(hypotheses, references))
        rows = arrow.array([place for place, there in enumerate(places) if there], arrow.int64())
        if not len(rows):
            return arrow.nulls(len(places), kind)
        found = compute(self._count(_taken(hypotheses, rows), _taken(references, rows)))
        numbers = iter(range(len(rows)))
        return found.take(
            arrow.array([next(numbers) if there else None for there in places], arrow.int64())
        )

    def statistics(self, hypotheses: Any, references: Any) -> Any:
        """Return a row of statistics for each segment, as an array of structs.

        Args:
            hypotheses: an array of texts.
            references: an array of texts, or of lists of texts.
        """
        kind = self.statistics_type
        return self._of_present(hypotheses, references, self._structs, kind)

    def _structs(self, table: Table) -> Any:
        arrow = optional("pyarrow")
        columns = [
            arrow.Array.from_buffers(
                getattr(arrow, kind)(), table.rows, [None, arrow.py_buffer(table.column(name))]
            )
            for name, kind in self.fields.items()
        ]
        return arrow.StructArray.from_arrays(columns, names=list(self.fields))

    def scores(self, sums: Any) -> Any:
        """Return the score of each sum of rows.

        Args:
            sums: an array of structs with the statistics; an absent one has no score.
        """
        arrow = optional("pyarrow")
        metric = self.metric
        rows = sums.to_pylist()
        split = len(metric.integer_columns)
        listed = [
            [
                (int if place < split else float)(row[name])
                for place, name in enumerate(metric.columns)
            ]
            for row in rows
            if row is not None and None not in row.values()
        ]
        # How many references a segment had is not known any more, and changes no score.
        table = Table.from_rows(metric.integer_columns, metric.real_columns, listed)
        values = iter(metric.segment_scores(table).values)
        return arrow.array(
            [None if row is None or None in row.values() else next(values) for row in rows],
            arrow.float64(),
        )

    def sentence_scores(self, hypotheses: Any, references: Any) -> Any:
        """Return the score of each segment; arguments as of `statistics`."""
        arrow = optional("pyarrow")

        def scored(table: Table) -> Any:
            return arrow.array(self.sentences.segment_scores(table).values, arrow.float64())

        return self._of_present(hypotheses, references, scored, arrow.float64())


def _taken(column: Any, rows: Any) -> Any:
    """Return some rows of an array, of whose views of texts Arrow cannot take some."""
    arrow = optional("pyarrow")
    if "list" in str(column.type):
        texts = column.to_pylist()
        return arrow.array([texts[row] for row in rows.to_pylist()])
    return plain_texts(column).cast(arrow.large_string()).take(rows)


def present(hypotheses: Any, references: Any) -> list[bool] | None:
    """Return whether each segment has a hypothesis and a reference; None if all have, and are some.

    Args:
        hypotheses: an array of texts.
        references: an array of texts, or of lists of texts, of which some can be absent.
    """
    is_list = "list" in str(references.type)
    if len(hypotheses) and not (hypotheses.null_count or references.null_count or is_list):
        return None
    if is_list:
        against = [
            row is not None and any(text is not None for text in row)
            for row in references.to_pylist()
        ]
    else:
        against = references.is_valid().to_pylist()
    pairs = zip(hypotheses.is_valid().to_pylist(), against, strict=True)
    found = [there and compared for there, compared in pairs]
    return None if found and all(found) else found


def functions_of(metrics: Mapping[str, Any] | None = None) -> list[ColumnFunctions]:
    """Return the functions of some metrics.

    Args:
        metrics: metrics, or words such as "bleu:lowercase", by their names in SQL; default all of
            the catalogue whose rows need nothing but hypothesis and references.

    Raises:
        OptionError: a metric needs all references first, or sources.

    >>> [one.name for one in functions_of({"lower": "bleu:lowercase"})]
    ['lower']
    """
    if metrics is None:
        made = {name.replace("-", "_"): make_metric(name) for name in CATALOGUE}
        return [ColumnFunctions(name, one) for name, one in made.items() if not _needs(one)]
    found = []
    for name, one in metrics.items():
        metric = make_metric(one) if isinstance(one, str) else one
        if needed := _needs(metric):
            raise OptionError(f"{name} {needed}, so that its rows cannot be counted one by one")
        found.append(ColumnFunctions(name, metric))
    return found


def _needs(metric: Metric[Any]) -> str:
    """Return what a metric needs besides hypothesis and references, "" for nothing."""
    if metric.learns and metric.learned is None:
        return "learns from all references first"
    if metric.in_order:
        return "counts each segment with those before it in mind"
    if metric.rates:
        return "needs a model"
    return "reads sources" if metric.reads_sources else ""
