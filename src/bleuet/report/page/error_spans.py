"""The errors that models such as xCOMET find in hypotheses, as the page marks them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bleuet.report.page.word_spans import in_utf16
from bleuet.text.segments import WithSource

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TypeAlias, TypeGuard

    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.neural.comet.metric import COMET
    from bleuet.report.page.kept import Kept

    # By metric and system, where each error begins and ends, and its severity.
    Errors: TypeAlias = dict[int, dict[int, list[tuple[int, int, str]]]]


def finds_errors(metric: Metric[Any]) -> TypeGuard[COMET]:
    """Return whether the page can mark the errors that a metric finds."""
    if not metric.rates:
        return False
    # No other page needs the modules of neural metrics.
    from bleuet.metrics.neural.comet.metric import COMET

    return isinstance(metric, COMET) and metric.finds_errors


def errors_by_segment(kept: Kept) -> dict[int, Errors]:
    """Return the errors in the segments of a page that have any, by the number of the segment.

    Args:
        kept: the segments.
    """
    found: dict[int, Errors] = {}
    references: Sequence[Any] = list(map(list, kept.references))
    if kept.sources is not None:
        references = list(map(WithSource, kept.sources, references))
    for number, metric in enumerate(kept.texts.evaluation.metrics):
        if not finds_errors(metric):
            continue
        for system, texts in enumerate(kept.hypotheses):
            for row, spans in enumerate(metric.errors_in(texts, references)):
                if spans:
                    places = in_utf16(
                        texts[row], [at for one in spans for at in (one.start, one.end)]
                    )
                    pairs = zip(places[::2], places[1::2], spans, strict=True)
                    own = found.setdefault(row, {}).setdefault(number, {})
                    own[system] = [(begin, end, one.severity) for begin, end, one in pairs]
    return found
