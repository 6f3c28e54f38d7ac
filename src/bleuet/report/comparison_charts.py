"""The charts of a comparison by name: the page shows them, and picture files contain them."""

from __future__ import annotations

from bleuet.frozen import Value
from bleuet.output.escaping import printable
from bleuet.report.charts.label_lines import title_lines
from bleuet.report.charts.system_charts import (
    DIGITS,
    SCATTER_SIZE,
    SENTENCES,
    WIDTH,
    Bin,
    BucketScore,
    ScoredSystem,
    SentencePair,
    bucket_scores,
    scatter_rows,
    sentence_histogram,
    sentence_scatter,
    system_scores,
)
from bleuet.report.pictures import specification

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bleuet.comparison import Comparison
    from bleuet.comparison.breakdown import Breakdown
    from bleuet.report.charts.system_charts import Width
    from bleuet.report.charts.vega_lite import Chart

# The letters of titles are larger than those of labels.
TITLE_WIDTH = 0.8 * WIDTH


class NamedChart(Value):
    """A chart of a comparison.

    Attributes:
        kind: "scores", "buckets", "histogram" or "scatter".
        metric: the printed name of the metric.
        about: what distinguishes it from others of its kind and metric, such as the division.
        title: the title above the chart.
        chart: the chart, without its title.
        rows: its data set, where it refers to one by name.
    """

    kind: str
    metric: str
    about: str
    title: str
    chart: Chart
    rows: tuple[dict[str, Any], ...] = ()

    def specification(self, colours: str = "light") -> dict[str, Any]:
        """Return the Vega-Lite specification with its title and data, in a theme."""
        found = specification(self.chart, colours)
        found["title"] = title_lines(self.title, TITLE_WIDTH)
        if self.rows:
            found["datasets"] = {SENTENCES: list(self.rows)}
        return found


def digits_of(comparison: Comparison) -> list[int]:
    """Return the digits after the decimal point for the scores of each metric."""
    return [DIGITS + extra for extra in comparison.evaluation.extra_digits]


def starts_at_zero(comparison: Comparison, metric: int) -> bool:
    """Return whether 0 is the lowest possible score of a metric, as of all but external scores."""
    return not comparison.evaluation.has_any_scale(metric)


def scores_charts(comparison: Comparison, width: Width = WIDTH) -> Iterator[NamedChart]:
    """Yield the scores of all systems, one chart for each metric.

    Args:
        comparison: the comparison.
        width: the width of the plot in pixels, or "container".
    """
    found = comparison.significance
    digits = digits_of(comparison)
    for number, metric in enumerate(comparison.metrics):
        scores = []
        for name, own in zip(comparison.systems, comparison.scores, strict=True):
            interval = found and found.score(name, metric).interval
            ends = (interval.low, interval.high) if interval else ()
            scores.append(ScoredSystem(printable(name), own[number].score, *ends))
        chart = system_scores(scores, metric=metric, digits=digits[number], width=width)
        yield NamedChart("scores", metric, "", metric, chart)


def bucket_charts(comparison: Comparison, width: Width = WIDTH) -> Iterator[NamedChart]:
    """Yield the scores by bucket, one chart for each division and metric.

    Args:
        comparison: the comparison.
        width: the width of the plot in pixels, or "container".
    """
    digits = digits_of(comparison)
    for breakdown in comparison.breakdowns:
        by = printable(breakdown.title)
        for number, metric in enumerate(comparison.metrics):
            scores = list(_bucket_scores(comparison, breakdown, number))
            chart = bucket_scores(
                scores,
                metric=metric,
                by=by,
                digits=digits[number],
                from_zero=starts_at_zero(comparison, number),
                width=width,
            )
            yield NamedChart("buckets", metric, breakdown.name, f"{metric} by {by}", chart)


def _bucket_scores(
    comparison: Comparison, breakdown: Breakdown, metric: int
) -> Iterator[BucketScore]:
    for same in zip(*breakdown.systems, strict=True):
        for name, one in zip(comparison.systems, same, strict=True):
            score = one.scores[metric]
            value = None if score is None else score.score
            label = printable(one.bucket.label)
            yield BucketScore(label, printable(name), value, one.bucket.count)


def histogram_charts(comparison: Comparison, width: Width = WIDTH) -> Iterator[NamedChart]:
    """Yield the distribution of the sentence scores, one chart for each metric.

    Args:
        comparison: the comparison.
        width: the width of the plot in pixels, or "container".
    """
    for found in comparison.histograms:
        bins = [
            Bin(printable(name), low, high, sentences)
            for name, counts in zip(comparison.systems, found.counts, strict=True)
            for low, high, sentences in zip(found.edges, found.edges[1:], counts, strict=False)
        ]
        chart = sentence_histogram(bins, metric=found.metric, width=width)
        yield NamedChart("histogram", found.metric, "", f"Sentences by their {found.metric}", chart)


def scatter_charts(comparison: Comparison, width: Width = SCATTER_SIZE) -> Iterator[NamedChart]:
    """Yield the sentence scores of two systems, one chart for each pair and metric.

    Args:
        comparison: the comparison.
        width: the width of the plot in pixels, or "container".
    """
    evaluation, digits = comparison.evaluation, digits_of(comparison)
    for pair in comparison.pairs:
        left, right = pair.places
        names = {"left": printable(pair.left), "right": printable(pair.right)}
        for number, metric in enumerate(comparison.metrics):
            scores = [evaluation.sentence_scores[system][number] for system in (left, right)]
            points = [
                SentencePair(segment, one, other)
                for segment, (one, other) in enumerate(zip(*scores, strict=True), 1)
                if one is not None and other is not None
            ]
            if not points:
                continue
            chart = sentence_scatter(
                **names,
                metric=metric,
                segments=len(points),
                digits=digits[number],
                from_zero=starts_at_zero(comparison, number),
                width=width,
            )
            about = f"{left + 1}-{right + 1}"
            title = f"Sentence {metric} of two systems"
            rows = tuple(scatter_rows(points, digits[number]))
            yield NamedChart("scatter", metric, about, title, chart, rows)
