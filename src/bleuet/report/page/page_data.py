"""The data of the page: what describes the whole comparison, each segment, and the charts."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from bleuet.comparison.composition import score_parts
from bleuet.comparison.division import reference_lengths
from bleuet.comparison.ngrams import LONGEST
from bleuet.comparison.pair import pairs_of
from bleuet.comparison.sentence_ranking import count_leads
from bleuet.errors import OptionError
from bleuet.metrics.catalogue import name_and_options
from bleuet.output.escaping import printable
from bleuet.report.charts.label_lines import lines_of
from bleuet.report.charts.system_charts import SCATTER_LABEL, sentence_scatter
from bleuet.report.comparison_charts import (
    bucket_charts,
    digits_of,
    histogram_charts,
    scores_charts,
    starts_at_zero,
)
from bleuet.report.page.differing_ngrams import differing_ngrams
from bleuet.report.page.direction import direction_of
from bleuet.report.page.error_spans import errors_by_segment, finds_errors
from bleuet.report.page.kept import MOST_POINTS
from bleuet.report.page.packed import deflated, packed_scores, packed_texts
from bleuet.report.theme import THEMES, theme

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from bleuet.comparison import Comparison
    from bleuet.comparison.breakdown import Breakdown
    from bleuet.comparison.sentence_ranking import Leads
    from bleuet.evaluation.evaluation import Evaluation
    from bleuet.metrics.base.metric import Metric
    from bleuet.report.comparison_charts import NamedChart
    from bleuet.report.page.kept import Kept

# Of more systems only the pairs with the first one have n-grams and parts, so that a page stays
# small.
MOST_SYSTEMS = 8
# The page replaces these by the names of the selected systems.
LEFT, RIGHT = "{left}", "{right}"


def page_data(comparison: Comparison) -> dict[str, Any]:
    """Return what the scripts of the page need of a comparison as a whole."""
    evaluation = comparison.evaluation
    return {
        "systems": [printable(name) for name in comparison.systems],
        "lines": [lines_of(printable(name), SCATTER_LABEL) for name in comparison.systems],
        "metrics": [
            {
                "name": name,
                "higher": metric.higher_is_better,
                "digits": digits,
                "calculator": _in_calculator(metric),
                "errors": finds_errors(metric),
            }
            for name, metric, digits in zip(
                comparison.metrics, evaluation.sentence_metrics, digits_of(comparison), strict=True
            )
        ],
        "order": LONGEST,
        "lowercase": comparison.texts.lowercase,
        "segments": evaluation.segments,
        "most_points": MOST_POINTS,
        "directions": _directions(comparison),
        "divisions": [
            {"title": printable(one.title), "labels": list(map(printable, one.labels))}
            for one in filters_of(comparison)
        ],
        "scores": [[score.score for score in own] for own in comparison.scores],
        "clusters": _clusters(comparison),
        "parts": _score_parts(comparison),
        "leads": _leads(evaluation),
        "ngrams": differing_ngrams(comparison, _pairs_shown(len(comparison.systems))),
        "charts": _charts(comparison),
        "themes": {name: theme(name) for name in THEMES},
    }


def _directions(comparison: Comparison) -> dict[str, Any]:
    """Return the direction of each column of texts."""
    texts = comparison.texts
    return {
        "source": direction_of(texts.sources or ()),
        "references": direction_of([own[0] for own in texts.references]),
        "systems": list(map(direction_of, texts.hypotheses)),
    }


def _clusters(comparison: Comparison) -> list[list[int] | None]:
    """Return the number of each system's cluster by each metric, None without a test."""
    ranked = {
        one.metric: {own.system: own.cluster for own in one.systems} for one in comparison.clusters
    }
    return [
        [ranked[metric][system] for system in comparison.systems] if metric in ranked else None
        for metric in comparison.metrics
    ]


def _pairs_shown(systems: int) -> list[tuple[int, int]]:
    """Return the pairs of systems whose n-grams and parts of scores a page has.

    >>> len(_pairs_shown(8)), len(_pairs_shown(50))
    (28, 49)
    """
    return pairs_of(systems, all_pairs=systems <= MOST_SYSTEMS)


def _score_parts(comparison: Comparison) -> list[dict[str, Any] | None]:
    """Return by metric what the scores are made of, and what moves the differences; or None."""
    pairs = _pairs_shown(len(comparison.systems))
    found = {one.metric: one for one in score_parts(comparison.evaluation, pairs)}
    number = {name: place for place, name in enumerate(comparison.systems)}
    return [
        None
        if own is None
        else {
            "rule": own.systems[0].rule,
            "names": [one.name for one in (*own.systems[0].factors, *own.systems[0].beside)],
            "values": [
                [one.value for one in (*made.factors, *made.beside)] for made in own.systems
            ],
            "points": {
                f"{number[one.left]}-{number[one.right]}": [part.points for part in one.parts]
                for one in own.differences
            },
        }
        for own in map(found.get, comparison.metrics)
    ]


def _in_calculator(metric: Metric[Any]) -> dict[str, Any] | None:
    """Return a metric as a link to the calculator names it.

    None if the calculator, which has one sentence and reads no file, cannot compute the same score.
    """
    try:
        name, options = name_and_options(metric, sentences=True)
    except OptionError:  # external scores, a neural metric, or a metric of the user's own
        return None
    if metric.learns or metric.reads_sources:
        return None
    closed = (
        value in metric.option_named(option).choices
        for option, value in options.items()
        if isinstance(value, str)
    )
    return {"name": name, "options": options} if all(closed) else None


def packed_data(comparison: Comparison, kept: Kept) -> dict[str, str]:
    """Return what the scripts need of segments, compressed: numbers, scores and texts.

    Args:
        comparison: the comparison.
        kept: the segments that the page holds.
    """
    evaluation = comparison.evaluation
    words, texts = packed_texts(kept)
    lengths = reference_lengths(comparison.texts, 0)
    rows = {
        **words,
        "rows": None if kept.are_all else list(kept.rows),
        "lengths": [lengths[row] for row in kept.rows],
        "sources": kept.sources,
        "errors": errors_by_segment(kept),
        "buckets": [[one.buckets[row] for row in kept.rows] for one in filters_of(comparison)],
    }
    scores, contributions = (
        packed_scores(kept.select(columns))
        for columns in (evaluation.sentence_scores, evaluation.contributions)
    )
    return {
        "packed-rows": deflated(in_script(rows).encode()),
        "packed-scores": deflated(scores),
        "packed-contributions": deflated(contributions),
        "packed-texts": deflated(texts),
    }


class Filter(NamedTuple):
    """A way to divide segments that a reader can choose a part of.

    Attributes:
        title: what divides them.
        labels: the name of each bucket.
        buckets: the bucket of each segment, -1 if it is in none.
    """

    title: str
    labels: Sequence[str]
    buckets: Sequence[int]


def filters_of(comparison: Comparison) -> list[Filter]:
    """Return the breakdowns that have the same buckets for all systems, and the documents."""
    evaluation = comparison.evaluation
    found = [
        Filter(one.title, one.labels, _buckets_of_segments(one, evaluation.segments))
        for one in comparison.breakdowns
        if one.shared
    ]
    if evaluation.documents is not None:
        number = {document: i for i, document in enumerate(dict.fromkeys(evaluation.documents))}
        buckets = [number[document] for document in evaluation.documents]
        found.append(Filter("document", list(map(str, number)), buckets))
    return found


def _buckets_of_segments(breakdown: Breakdown, segments: int) -> list[int]:
    of = [-1] * segments
    for number, scored in enumerate(breakdown.systems[0]):
        for row in scored.bucket.rows:
            of[row] = number
    return of


def _leads(evaluation: Evaluation) -> list[list[list[Leads]]]:
    """Return the leads of a system and each after it, `leads[metric][left][right - left - 1]`."""
    systems = len(evaluation.systems)
    return [
        [
            [count_leads(evaluation, (left, right), metric) for right in range(left + 1, systems)]
            for left in range(systems)
        ]
        for metric in range(len(evaluation.metrics))
    ]


def _charts(comparison: Comparison) -> dict[str, Any]:
    wide = "container"
    scatter = [
        sentence_scatter(
            left=LEFT,
            right=RIGHT,
            metric=metric,
            segments=comparison.evaluation.segments,
            digits=digits,
            from_zero=starts_at_zero(comparison, number),
            width=wide,
        ).to_dict()
        for number, (metric, digits) in enumerate(
            zip(comparison.metrics, digits_of(comparison), strict=True)
        )
    ]
    return {
        "scores": _listed(scores_charts(comparison, wide)),
        "buckets": _listed(bucket_charts(comparison, wide)),
        "histogram": [
            {**chart, "bins": list(found.edges)}
            for chart, found in zip(
                _listed(histogram_charts(comparison, wide)), comparison.histograms, strict=True
            )
        ],
        "scatter": [
            {"metric": metric, "chart": chart}
            for metric, chart in zip(comparison.metrics, scatter, strict=True)
        ],
    }


def _listed(charts: Iterable[NamedChart]) -> list[dict[str, Any]]:
    return [
        {"metric": one.metric, "title": one.title, "chart": one.chart.to_dict()} for one in charts
    ]


def in_script(data: Any) -> str:
    r"""Return data as JSON that is safe inside a script element, even if a text looks like its end.

    >>> in_script(["</script>", "\ud800"])
    '["\\u003c/script>","\\ud800"]'
    """
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return re.sub(r"[<\ud800-\udfff]", _escaped, text)


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"


def listed_names(names: Sequence[str]) -> str:
    """Return names as a list in a sentence.

    >>> listed_names(["a", "b", "c"])
    'a, b and c'
    """
    *most, last = names
    return f"{', '.join(most)} and {last}" if most else last
