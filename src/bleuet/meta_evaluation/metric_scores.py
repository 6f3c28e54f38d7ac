"""The scores of metrics: computed from texts, and restricted to the segments that all have."""

from __future__ import annotations

from typing import Any, NamedTuple

from bleuet.engines.counting import count_systems
from bleuet.errors import InputError, OptionError
from bleuet.evaluation.evaluation import Evaluation
from bleuet.extras import deferred
from bleuet.frozen import Value, checked
from bleuet.meta_evaluation.human_scores import HumanScores, mean_scores
from bleuet.meta_evaluation.score_matrix import ScoreMatrix
from bleuet.metrics.catalogue import parse_metric

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.score import Score
    from bleuet.metrics.base.signature import Signature
    from bleuet.statistics.table import Table
else:
    np = deferred("numpy")


# The segments that scores of systems cover: all, or those with human scores.
ALL, RATED = "all", "rated"


@checked
class MetricScores(Value):
    """The scores of one metric.

    Args:
        name: the name of the metric.
        segments: its scores of systems and segments, higher is better; None without any.
        systems: its scores of whole systems, such as corpus scores, in one column, higher is
            better; None takes the means over segments.
        lower_is_better: the metric itself is an error rate: its scores are negated here.
        signature: the signature of the scores of segments, None if it is not known.
        system_signature: the signature of the scores of whole systems.
        counted: what the scores of whole systems are computed from; None if it is not known.
        covers: the segments that the scores of systems cover: "all", or "rated" for those with
            human scores.
        sentinel: it cannot know the quality of a translation; other metrics should be above it.
    """

    name: str
    segments: ScoreMatrix | None = None
    systems: ScoreMatrix | None = None
    lower_is_better: bool = False
    signature: Signature | None = None
    system_signature: Signature | None = None
    counted: Evaluation | None = None
    covers: str = ALL
    sentinel: bool = False

    def system_scores(self) -> ScoreMatrix | None:
        """Return one score per system: of its whole output, or else the mean over segments."""
        return self.systems or (self.segments and mean_scores(self.segments))


class MetricToCompute(NamedTuple):
    """A metric to compute: its name, and its options for segments and for whole systems."""

    name: str
    for_segments: Metric[Any]
    for_systems: Metric[Any]


def metrics_from_texts(texts: Sequence[str], language: str = "") -> list[MetricToCompute]:
    """Return the metrics that command-line words name.

    Args:
        texts: words such as "bleu:smooth=floor".
        language: the target language, which chooses the tokenizer.

    Raises:
        OptionError: a metric or option does not exist, or a metric occurs twice.

    >>> [metric.name for metric in metrics_from_texts(["ter", "bleu:smooth=floor"])]
    ['TER', 'BLEU smooth=floor']
    """
    found: list[MetricToCompute] = []
    for text in texts:
        for_segments = parse_metric(text, language=language, sentences=True)
        for_systems = parse_metric(text, language=language)
        if any((for_segments, for_systems) == other[1:] for other in found):
            raise OptionError(f"the metric {text} occurs twice: name it once")
        options = "" if "|" in text else text.partition(":")[2]
        name = f"{for_segments.name} {options}".strip()
        found.append(MetricToCompute(name, for_segments, for_systems))
    return found


def compute_scores(
    metrics: Sequence[MetricToCompute],
    systems: Sequence[str],
    outputs: Sequence[Sequence[str]],
    references: Any,
    threads: int = 1,
) -> list[MetricScores]:
    """Score systems with several metrics: each segment, and each whole system.

    Args:
        metrics: the metrics; those that count the same are counted once.
        systems: the names of the systems.
        outputs: the texts of each system, one per segment.
        references: per segment a string or a list of strings.
        threads: the number of threads of the kernel, 0 for one per core.

    >>> (ter,) = compute_scores(
    ...     metrics_from_texts(["ter"]), ["north", "south"], [["a b"], ["a c"]], ["a b"]
    ... )
    >>> ter.segments.values.tolist(), ter.lower_is_better
    ([[-0.0], [-50.0]], True)
    """
    flat = [one for metric in metrics for one in (metric.for_segments, metric.for_systems)]
    by_metric = list(zip(*count_systems(flat, outputs, references, threads=threads), strict=True))
    return [
        _computed(metric, systems, by_metric[2 * m], by_metric[2 * m + 1])
        for m, metric in enumerate(metrics)
    ]


def _computed(
    metric: MetricToCompute,
    systems: Sequence[str],
    segment_tables: Sequence[Table],
    system_tables: Sequence[Table],
) -> MetricScores:
    """Return the scores of one metric from one table per system for segments, and for systems."""
    sign = 1 if metric.for_segments.higher_is_better else -1
    scores = [metric.for_segments.segment_scores(table).values for table in segment_tables]
    references = segment_tables[0].n_references
    tables = {name: [table] for name, table in zip(systems, system_tables, strict=True)}
    counted = Evaluation([metric.for_systems], tables)
    whole, signature = None, None
    try:
        whole = _system_scores(counted, systems)
        signature = metric.for_systems.signature(references)
    except OptionError:
        # The metric scores sentences only: the score of a system is the mean over its segments.
        pass
    return MetricScores(
        metric.name,
        ScoreMatrix(tuple(systems), sign * np.array(scores)),
        whole,
        sign < 0,
        metric.for_segments.signature(references),
        signature,
        None if whole is None else counted,
    )


def _system_scores(counted: Evaluation, systems: Sequence[str], kept: Any = None) -> ScoreMatrix:
    """Return the score of each system, in one column; higher is better.

    Args:
        counted: the evaluation by one metric.
        systems: the names of the systems.
        kept: the segments of each system to score, as truth values; None for all. A system
            without any has no score.

    Raises:
        OptionError: the metric scores sentences only.
    """
    sign = 1 if counted.metrics[0].higher_is_better else -1
    found = []
    score: Score | None
    for at, name in enumerate(systems):
        if kept is None:
            (score,) = counted.scores[name]
        else:
            (score,) = counted.scores_of(name, np.flatnonzero(kept[at]).tolist())
        found.append([float("nan") if score is None else sign * score.score])
    return ScoreMatrix(tuple(systems), np.array(found))


# --- The same segments for all metrics ------------------------------------------------------------


@checked
def keep_common_segments(
    human: HumanScores, metrics: Sequence[MetricScores]
) -> tuple[HumanScores, list[MetricScores], int]:
    """Remove the segments of a system without scores of all metrics, from all metrics alike.

    Args:
        human: the human scores.
        metrics: the metrics, all with the systems of the human scores in the same order.

    Returns:
        Human scores, metrics, and the number of human scores or judgments that were removed.

    Raises:
        InputError: nothing remains.
    """
    matrices = [one.segments for one in metrics if one.segments is not None]
    if not matrices:
        return human, list(metrics), 0
    present = ~np.isnan([matrix.values for matrix in matrices]).any(axis=0)
    kept, removed = _common_human_scores(human, present)
    return kept, [_with_segments(one, present) for one in metrics], removed


def _with_segments(metric: MetricScores, present: Any) -> MetricScores:
    """Return a metric without some of its scores of segments."""
    if metric.segments is None:
        return metric
    values = np.where(present, metric.segments.values, np.nan)
    return metric.replace(segments=ScoreMatrix(metric.segments.systems, values))


def keep_rated_segments(human: HumanScores, metrics: Sequence[MetricScores]) -> list[MetricScores]:
    """Remove the scores of segments without human scores.

    The scores of whole systems, such as corpus BLEU, are computed again from the segments that
    remain. Scores of whole systems from another program do not change, unless they are the
    means of its scores of segments. Nothing changes if the human scores are of whole systems, or
    if every segment has one.

    Args:
        human: the human scores.
        metrics: the metrics, as in `keep_common_segments`.
    """
    if human.scores is None or not human.scores.missing:
        return list(metrics)
    rated = ~np.isnan(human.scores.values)
    return [_rated(one, human.scores.systems, rated) for one in metrics]


def _rated(metric: MetricScores, systems: Sequence[str], rated: Any) -> MetricScores:
    segments = metric.segments and metric.segments.select(systems)
    if segments is None or segments.values.shape != rated.shape:
        return metric
    whole, covers = metric.systems, RATED
    if metric.counted is not None:
        whole = _system_scores(metric.counted, systems, rated)
    elif whole is not None:
        whole, covers = (None, RATED) if _are_means(whole, segments) else (whole, ALL)
    kept = _with_segments(metric.replace(segments=segments), rated)
    return kept.replace(systems=whole, covers=covers)


def _are_means(whole: ScoreMatrix, segments: ScoreMatrix) -> bool:
    """Return whether scores of systems are the means of their segments, with rounding in files."""
    means = segments.system_means()[:, None]
    return bool(np.allclose(whole.select(segments.systems).values, means, rtol=1e-4, atol=1e-6))


def _common_human_scores(human: HumanScores, present: Any) -> tuple[HumanScores, int]:
    if human.scores is not None:
        values = human.scores.values
        kept = present & ~np.isnan(values)
        if not kept.any():
            raise InputError("no segment has both a human score and a score of every metric")
        scores = ScoreMatrix(human.scores.systems, np.where(kept, values, np.nan))
        raters = human.raters
        if raters is not None:
            raters = raters.select_rows(kept[raters.system, raters.segment])
        removed = int((~np.isnan(values)).sum() - kept.sum())
        return human.replace(scores=scores, raters=raters), removed
    judged = human.judgments
    if judged is None:
        return human, 0
    kept = present[judged.first, judged.segment] & present[judged.second, judged.segment]
    if not kept.any():
        raise InputError("no judged pair has scores of every metric")
    return human.replace(judgments=judged.select(kept)), int((~kept).sum())
