"""Rescoring: a metric with other options for counted rows, where their columns allow it."""

from __future__ import annotations

from bleuet.errors import TableError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from bleuet.metrics.base.metric import Metric


def rescoring(
    metric: Metric[Any],
    columns: Sequence[str],
    n_references: int | None,
    options: dict[str, Any],
    *,
    source: str = "the table",
) -> Metric[Any]:
    """Return a metric with other options that scores what a metric has counted.

    Args:
        metric: the metric that counted.
        columns: the columns of the table.
        n_references: references per segment, or None where segments differ.
        options: the options to change.
        source: the table or its file, as errors name it.

    Raises:
        TableError: an option changes what is counted, or columns are missing for it.
        OptionError: there is no such option, or it does not accept the value.
    """
    wanted = metric.with_options(**options)
    scoring = metric.rescoring_options(n_references)
    same_counts = metric.with_options(**{k: v for k, v in options.items() if k in scoring})
    # Signatures, not options: two names can stand for one tokenizer.
    if str(same_counts.signature()) != str(wanted.signature()):
        name = next(
            name
            for name, value in options.items()
            if name not in scoring and getattr(metric, name) != value
        )
        raise _counted_differently(metric, name, options[name], n_references, source)
    missing = [column for column in wanted.columns if column not in columns]
    if missing:
        raise TableError(
            f"{source} has no column {missing[0]}, which "
            f"{wanted.signature(n_references).full()} needs: count the texts again"
        )
    return wanted


def _counted_differently(
    metric: Metric[Any], name: str, value: object, n_references: int | None, source: str
) -> TableError:
    """Return the error for an option that changes what is counted."""
    where = ""
    if name in metric.rescoring_options(1):
        where = " where segments have several references"
    counted = getattr(metric, name)
    if isinstance(counted, bool):
        how = "with it" if counted else "without it"
    else:
        how = f"with {counted!r}, not {value!r}"
    return TableError(
        f"changes what is counted{where}, and {source} was counted {how}: count the texts again",
        metric=type(metric).__name__,
        option=name,
        value=value,
    )
