"""References that a metric has read once, to score many systems."""

from __future__ import annotations

from bleuet.errors import InputTypeError, OptionError
from bleuet.frozen import Value
from bleuet.messages import plural
from bleuet.metrics.base.text_checks import warn_of_texts
from bleuet.metrics.base.text_problems import HYPOTHESES
from bleuet.statistics.backend import check_threads
from bleuet.text.corpus import Corpus
from bleuet.text.segments import Segments
from bleuet.text.validation import check_lengths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

    from bleuet.statistics.table import Table


class PreparedReferences(Value):
    """References that a metric has read once, to score many systems.

    `metric.prepare_references(references)` returns them; this metric accepts them wherever it
    accepts references.
    """

    metric: Any
    rows: int
    n_references: int | None
    prepared: Any

    def __len__(self) -> int:
        return self.rows

    def __reduce__(self) -> NoReturn:
        raise InputTypeError(
            "prepared references cannot be pickled: send the references to the other process, and "
            "call prepare_references there"
        )

    def __repr__(self) -> str:
        return f"<references of {plural(self.rows, 'segment')}, read by {self.metric.name}>"


def read_references(metric: Any, references: Any, threads: int) -> PreparedReferences:
    """Read references once; arguments as for `Metric.prepare_references`."""
    segments = Segments.references(references, metric.counted_kind)
    counted = metric._as_counted(segments)
    taught, prepared = metric._taught(counted, threads)
    if taught is metric:
        prepared = metric._counter.prepare(counted.kind, prepared, threads=check_threads(threads))
    if segments is not references:
        warn_of_texts((metric,), (), segments)
    return PreparedReferences(taught, len(segments), segments.n_references, prepared)


def count_prepared(
    metric: Any, hypotheses: Any, references: PreparedReferences, threads: int
) -> Table:
    """Count hypotheses against references that a metric has read; see `Metric.count`."""
    check_prepared(metric, references)
    if isinstance(hypotheses, Corpus):
        raise InputTypeError("a corpus has its own references; leave the other references out")
    segments = Segments.hypotheses(hypotheses, metric.counted_kind)
    check_lengths(segments, references)
    table: Table = references.metric._fill(segments, references.prepared, threads)
    if segments is not hypotheses:
        warn_of_texts((metric,), ((HYPOTHESES, segments),), None)
    return table


def check_prepared(metric: Any, references: PreparedReferences) -> None:
    """Reject references that another metric has read.

    Raises:
        OptionError: another metric has read them.
    """
    if references.metric != metric:
        raise OptionError(
            f"these references were prepared by {references.metric!r} and cannot be used by "
            f"another metric: call prepare_references of {metric!r}"
        )
