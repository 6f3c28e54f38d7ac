"""A comparison as rows of data frames: one observation each."""

from __future__ import annotations

from functools import partial

from bleuet.output.data_frame import data_frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from bleuet.output.data_frame import Row
    from bleuet.studies.comparison.comparison import Comparison


def to_dataframe(comparison: Comparison, part: str = "scores", library: str | None = None) -> Any:
    """Return a part of a comparison, one of `PARTS`; arguments and errors as of `data_frame`."""
    return data_frame(
        {name: partial(rows, comparison) for name, rows in PARTS.items()}, part, library
    )


def _scores(comparison: Comparison) -> Iterator[Row]:
    found = comparison.significance
    for name, own in zip(comparison.systems, comparison.scores, strict=True):
        for metric, score in zip(comparison.metrics, own, strict=True):
            row: Row = {"system": name, "metric": metric, "score": score.score}
            if found is not None:
                interval = found.score(name, metric).interval
                row["low"] = None if interval is None else interval.low
                row["high"] = None if interval is None else interval.high
                row["better_than"] = ", ".join(found.significantly_worse(name, metric))
            yield {**row, "signature": str(score.signature)}


def _buckets(comparison: Comparison) -> Iterator[Row]:
    for breakdown in comparison.breakdowns:
        for name, buckets in zip(comparison.systems, breakdown.systems, strict=True):
            for one in buckets:
                for metric, score in zip(comparison.metrics, one.scores, strict=True):
                    yield {
                        "by": breakdown.name,
                        "bucket": one.bucket.label,
                        "segments": one.bucket.count,
                        "system": name,
                        "metric": metric,
                        "score": None if score is None else score.score,
                    }


def _sentences(comparison: Comparison) -> Iterator[Row]:
    evaluation = comparison.evaluation
    for name, own in zip(comparison.systems, evaluation.sentence_scores, strict=True):
        for metric, scores in zip(comparison.metrics, own, strict=True):
            for row, score in enumerate(scores):
                yield {"segment": row + 1, "system": name, "metric": metric, "score": score}


PARTS: dict[str, Callable[[Comparison], Iterator[Row]]] = {
    "scores": _scores,
    "buckets": _buckets,
    "sentences": _sentences,
}
