"""A comparison as data frames: one observation per row, of whatever library is at hand.

narwhals makes them, which is small, needs nothing else and comes with Altair; Arrow would bring
170 MB to give the same.
"""

from __future__ import annotations

from importlib.util import find_spec

from understudy.errors import MissingExtraError, OptionError
from understudy.extras import optional
from understudy.metrics.option import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    from understudy.studies.comparison.comparison import Comparison

    Row: TypeAlias = dict[str, Any]

LIBRARIES = ("pandas", "polars", "pyarrow")


def to_dataframe(comparison: Comparison, part: str = "scores", library: str | None = None) -> Any:
    """Return a part of a comparison as a data frame of pandas, polars or pyarrow.

    Args:
        comparison: the comparison.
        part: one of `PARTS`.
        library: one of `LIBRARIES`; default the first of them that is installed.

    Raises:
        OptionError: there is no such part or library.
        MissingExtraError: the library is not installed.
    """
    if part not in PARTS:
        raise OptionError(
            f"a data frame holds one of {', '.join(PARTS)}, not {part!r}{nearest(part, PARTS)}"
        )
    backend = _library(library)
    rows = list(PARTS[part](comparison))
    columns = {name: [row[name] for row in rows] for name in rows[0]} if rows else {}
    return optional("narwhals").from_dict(columns, backend=backend).to_native()


def _library(asked: str | None) -> str:
    if asked is not None and asked not in LIBRARIES:
        raise OptionError(f"data frames are made by {', '.join(LIBRARIES)}, not by {asked!r}")
    found = [name for name in LIBRARIES if find_spec(name) and asked in (None, name)]
    if not found:
        wanted = asked or "pandas or polars"
        raise MissingExtraError(
            f"data frames need {wanted}, which is not installed: pip install {asked or 'pandas'}"
        )
    return found[0]


def _scores(comparison: Comparison) -> Iterator[Row]:
    found = comparison.significance
    for name, own in zip(comparison.systems, comparison.scores, strict=True):
        for metric, score in zip(comparison.metrics, own, strict=True):
            row: Row = {"system": name, "metric": metric, "score": score.score}
            if found is not None:
                interval = found.interval(name, metric)
                row["low"] = None if interval is None else interval.low
                row["high"] = None if interval is None else interval.high
                row["better_than"] = ", ".join(found.beaten(name, metric))
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
