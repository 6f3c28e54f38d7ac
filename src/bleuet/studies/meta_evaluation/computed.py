"""Metrics computed from texts, to be judged: scores of segments and of whole systems."""

from __future__ import annotations

from typing import Any, NamedTuple

from bleuet.engines.shared_counting import count_once
from bleuet.errors import OptionError
from bleuet.extras import optional
from bleuet.studies.meta_evaluation.human_scores_check import Contender
from bleuet.studies.meta_evaluation.judgments import ScoreMatrix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from bleuet.metrics.metric import Metric
    from bleuet.statistics.table import Table
    from bleuet.studies.meta_evaluation.rows import Floats
else:
    np = optional("numpy")


class Asked(NamedTuple):
    """A metric as it was asked for, and how it scores segments and whole systems."""

    name: str
    of_segments: Metric[Any]
    of_systems: Metric[Any]


def score_with(
    metrics: Sequence[Asked],
    systems: Sequence[str],
    outputs: Sequence[Sequence[str]],
    references: Any,
    threads: int = 1,
) -> list[Contender]:
    """Score systems with metrics, segment by segment and whole, each distinct counting done once.

    Args:
        metrics: the metrics.
        systems: the systems' names.
        outputs: their texts, one list for each.
        references: per segment a string or a list of strings.
        threads: threads of the kernel.

    >>> from bleuet.metrics.ter import TER
    >>> asked = Asked("TER", TER(), TER())
    >>> (ter,) = score_with([asked], ["north", "south"], [["a b"], ["a c"]], ["a b"])
    >>> ter.segments.values.tolist(), ter.lower_is_better
    ([[-0.0], [-50.0]], True)
    """
    flat = [metric for asked in metrics for metric in (asked.of_segments, asked.of_systems)]
    by_metric = list(zip(*count_once(flat, outputs, references, threads=threads), strict=True))
    return [
        _computed(asked, systems, by_metric[2 * m], by_metric[2 * m + 1])
        for m, asked in enumerate(metrics)
    ]


def _computed(
    asked: Asked,
    systems: Sequence[str],
    segment_tables: Sequence[Table],
    system_tables: Sequence[Table],
) -> Contender:
    """Make a contender of one table per system for segments, and one for whole systems."""
    sign = 1 if asked.of_segments.higher_is_better else -1
    scores = [asked.of_segments.segment_scores(table).values for table in segment_tables]
    references = segment_tables[0].n_references
    whole, signature = None, ""
    try:
        totals = [asked.of_systems.score(table.totals()).score for table in system_tables]
    except OptionError:
        # It scores sentences alone, so its systems are the means of their segments.
        pass
    else:
        whole = _matrix(systems, np.array(totals)[:, None], sign)
        signature = str(asked.of_systems.signature(references))
    return Contender(
        asked.name,
        _matrix(systems, np.array(scores), sign),
        whole,
        sign < 0,
        str(asked.of_segments.signature(references)),
        signature,
    )


def _matrix(systems: Sequence[str], values: Floats, sign: int) -> ScoreMatrix:
    return ScoreMatrix(tuple(systems), sign * values)
