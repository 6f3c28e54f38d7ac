"""The data of the page: what describes the whole comparison, each segment, and the charts."""

from __future__ import annotations

import json
import re
from itertools import chain

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
from bleuet.report.page.packed import deflated, packed_scores, packed_texts
from bleuet.report.theme import THEMES, theme
from bleuet.studies.comparison.division import reference_lengths
from bleuet.studies.comparison.ngrams import LONGEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from bleuet.report.comparison_charts import NamedChart
    from bleuet.studies.comparison import Comparison
    from bleuet.studies.comparison.breakdown import Breakdown

# The page replaces these by the names of the selected systems.
LEFT, RIGHT = "{left}", "{right}"


def page_data(comparison: Comparison) -> dict[str, Any]:
    """Return what the scripts of the page need of a comparison as a whole."""
    evaluation = comparison.evaluation
    return {
        "systems": [printable(name) for name in comparison.systems],
        "lines": [lines_of(printable(name), SCATTER_LABEL) for name in comparison.systems],
        "metrics": [
            {"name": name, "higher": metric.higher_is_better, "digits": digits}
            for name, metric, digits in zip(
                comparison.metrics, evaluation.metrics, digits_of(comparison), strict=True
            )
        ],
        "order": LONGEST,
        "lowercase": evaluation.lowercase,
        "charts": _charts(comparison),
        "themes": {name: theme(name) for name in THEMES},
    }


def packed_data(comparison: Comparison) -> dict[str, str]:
    """Return what the scripts need of every segment, compressed: numbers, scores and texts."""
    evaluation = comparison.evaluation
    words, texts = packed_texts(evaluation)
    rows = {
        **words,
        "lengths": reference_lengths(evaluation, 0),
        "divisions": [
            _division(found, len(evaluation)) for found in comparison.breakdowns if found.shared
        ],
    }
    scores = packed_scores(chain.from_iterable(evaluation.sentence_scores))
    return {
        "packed_rows": deflated(in_script(rows).encode()),
        "packed_scores": deflated(scores),
        "packed_texts": deflated(texts),
    }


def _division(breakdown: Breakdown, segments: int) -> dict[str, Any]:
    """Return the index of the bucket of each segment."""
    of = [-1] * segments
    for number, scored in enumerate(breakdown.systems[0]):
        for row in scored.bucket.rows:
            of[row] = number
    return {
        "title": printable(breakdown.title),
        "labels": [printable(label) for label in breakdown.labels],
        "of": of,
    }


def _charts(comparison: Comparison) -> dict[str, Any]:
    wide = "container"
    scatter = [
        sentence_scatter(
            left=LEFT,
            right=RIGHT,
            metric=metric,
            segments=len(comparison.evaluation),
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
        "histogram": _listed(histogram_charts(comparison, wide)),
        "scatter": [
            {"metric": metric, "chart": chart}
            for metric, chart in zip(comparison.metrics, scatter, strict=True)
        ],
    }


def _listed(charts: Iterable[NamedChart]) -> list[dict[str, Any]]:
    return [
        {"metric": one.metric, "title": one.title, "chart": _bare(one.chart.to_dict())}
        for one in charts
    ]


def _bare(chart: dict[str, Any]) -> dict[str, Any]:
    """Return a specification without a configuration, which the theme of the page adds."""
    return {key: value for key, value in chart.items() if key != "config"}


def in_script(data: Any) -> str:
    r"""Return data as JSON that is safe inside a script element, whatever its texts are.

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
