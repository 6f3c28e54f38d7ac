"""The segments of a finished comparison, which are read from its files page by page.

The files are mapped into memory, so that the server holds none of their content itself.
"""

from __future__ import annotations

import json
import mmap
from array import array
from functools import lru_cache
from itertools import pairwise
from math import isnan
from operator import sub
from typing import TYPE_CHECKING

from bleuet.comparison.tokens import splitter
from bleuet.errors import OptionError
from bleuet.report.page.kept import MOST_POINTS, even_sample
from bleuet.report.page.word_spans import with_spans

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Any, Literal, TypeAlias

    # Numbers by system, metric and segment.
    Columns: TypeAlias = Sequence[Sequence[Sequence[float]]]

# The file that describes the others; `row_files` writes it.
DESCRIPTION = "rows.json"
# Orders of all segments, and results of filters and of searches, that are kept.
KEPT = 8


class SentenceRows:
    """The segments of a comparison: filtered, sorted and searched, page by page.

    Args:
        folder: where `write_rows` wrote them.
    """

    def __init__(self, folder: Path) -> None:
        described = json.loads((folder / DESCRIPTION).read_text(encoding="utf-8"))
        self._higher: list[bool] = described["higher"]
        self._digits: list[int] = described["digits"]
        self._split = splitter(described["tokenizer"])
        self._firsts: Sequence[int] = memoryview(_mapped(folder / "firsts")).cast("q")
        segments = len(self._firsts) - 1
        lengths, *self._buckets = _columns(folder / "numbers", "i", segments)
        self._lengths: Sequence[int] = lengths
        self._scores, self._contributions = (
            self._by_system(_columns(folder / name, "d", segments))
            for name in ("scores", "contributions")
        )
        self._has_sources: bool = described["sources"]
        self._texts = _Texts(folder, "texts")
        self._lower = _Texts(folder, "lower")
        self._order = lru_cache(KEPT)(self._sorted)
        self._hits = lru_cache(KEPT)(self._searched)
        self._found = lru_cache(KEPT)(self._chosen)

    def _by_system(self, columns: Sequence[Sequence[float]]) -> Columns:
        metrics = len(self._higher)
        return [columns[first : first + metrics] for first in range(0, len(columns), metrics)]

    def __len__(self) -> int:
        return len(self._lengths)

    def find(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """Return some of the segments that pass all filters.

        Args:
            wanted: the fields of `bleuet.web.request_types.SentencesRequest`.

        Returns:
            How many segments pass ("found"), how often they have the phrase that is searched
            ("hits"), and `count` of them from `first` on ("segments").

        Raises:
            OptionError: there is no such system, metric or division.
        """
        self._check(wanted)
        first, count = wanted["first"], wanted["count"]
        filters = {name: value for name, value in wanted.items() if name not in ("first", "count")}
        # As text, since lists are no keys.
        rows, hits = self._found(json.dumps(filters, sort_keys=True))
        shown = [self._segment(row) for row in rows[first : first + count]]
        return {"found": len(rows), "hits": hits, "segments": shown}

    def points(self, wanted: Mapping[str, Any]) -> list[tuple[int, float, float]]:
        """Return the number of segments and their scores of two systems.

        Of many segments, an even sample of those with both scores.

        Args:
            wanted: the fields of `bleuet.web.request_types.PointsRequest`.

        Raises:
            OptionError: there is no such system or metric.
        """
        self._check(wanted)
        one, other = self._pair(self._scores, wanted)
        scored = [row for row in range(len(self)) if not (isnan(one[row]) or isnan(other[row]))]
        return [(row + 1, one[row], other[row]) for row in even_sample(scored, MOST_POINTS)]

    def _check(self, wanted: Mapping[str, Any]) -> None:
        systems = [wanted["left"], wanted["right"], *(wanted.get("shown") or ())]
        named = (wanted.get("score_of"), wanted.get("sort"))
        systems += [one for one in named if isinstance(one, int)]
        if any(not 0 <= system < len(self._scores) for system in systems):
            raise OptionError(f"systems are numbers from 0 to {len(self._scores) - 1}")
        if not 0 <= wanted["metric"] < len(self._higher):
            raise OptionError(f"metrics are numbers from 0 to {len(self._higher) - 1}")
        if len(wanted.get("buckets") or ()) > len(self._buckets):
            raise OptionError(f"there are {len(self._buckets)} divisions into buckets only")

    def _pair(
        self, numbers: Columns, wanted: Mapping[str, Any]
    ) -> tuple[Sequence[float], Sequence[float]]:
        """Return the numbers of both systems by the metric."""
        metric = wanted["metric"]
        return numbers[wanted["left"]][metric], numbers[wanted["right"]][metric]

    def _leads(self, numbers: Columns, wanted: Mapping[str, Any]) -> list[float]:
        """Return how much better the numbers of the left system are."""
        one, other = self._pair(numbers, wanted)
        return list(
            map(sub, one, other) if self._higher[wanted["metric"]] else map(sub, other, one)
        )

    def _segment(self, row: int) -> dict[str, Any]:
        first = self._firsts[row] + self._has_sources
        texts = [
            with_spans(text, self._split(text))
            for text in map(self._texts.read, range(first, self._firsts[row + 1]))
        ]
        references = len(texts) - len(self._scores)
        return {
            "segment": row + 1,
            "length": self._lengths[row],
            "buckets": [own[row] for own in self._buckets],
            "scores": self._numbers(self._scores, row),
            "contributions": self._numbers(self._contributions, row),
            "source": self._texts.read(first - 1) if self._has_sources else None,
            "references": texts[:references],
            "hypotheses": texts[references:],
        }

    def _numbers(self, numbers: Columns, row: int) -> list[list[float | None]]:
        return [[_present(column[row]) for column in own] for own in numbers]

    # --- Filters and orders -------------------------------------------------------------------

    def _chosen(self, filters: str) -> tuple[Sequence[int], int]:
        """Return the segments that pass all filters, in their order, and the hits of the search."""
        wanted = json.loads(filters)
        names = ("sort", "left", "right", "metric", "descending")
        rows: Sequence[int] = self._order(*map(wanted.__getitem__, names))
        for own, bucket in zip(self._buckets, wanted["buckets"] or (), strict=False):
            if bucket is not None:
                rows = [row for row in rows if own[row] == bucket]
        if wanted["ahead"]:
            rows = self._ahead(rows, wanted)
        if wanted["low"] is not None or wanted["high"] is not None:
            rows = self._within(rows, wanted)
        query = wanted["query"].strip().lower()
        if not query:
            return array("i", rows), 0
        shown = wanted["shown"]
        hits = self._hits(query, None if shown is None else tuple(sorted(set(shown))))
        rows = [row for row in rows if row in hits]
        return array("i", rows), sum(map(hits.__getitem__, rows))

    def _ahead(self, rows: Iterable[int], wanted: Mapping[str, Any]) -> list[int]:
        one, other = self._pair(self._scores, wanted)
        if wanted["ahead"] == "same":
            return [row for row in rows if one[row] == other[row]]
        if (wanted["ahead"] == "left") == self._higher[wanted["metric"]]:
            return [row for row in rows if one[row] > other[row]]
        return [row for row in rows if one[row] < other[row]]

    def _within(self, rows: Iterable[int], wanted: Mapping[str, Any]) -> list[int]:
        """Return the segments whose score, rounded as it is shown, is in a range."""
        metric, system = wanted["metric"], wanted["score_of"]
        low = -float("inf") if wanted["low"] is None else wanted["low"]
        high = float("inf") if wanted["high"] is None else wanted["high"]
        digits = self._digits[metric]
        columns = [own[metric] for own in self._scores]
        if system is not None:
            columns = [columns[system]]
        return [
            row
            for row in rows
            if any(low <= round(column[row], digits) <= high for column in columns)
        ]

    def _sorted(
        self, sort: str | int, left: int, right: int, metric: int, descending: bool
    ) -> Sequence[int]:
        """Return all segments in an order; those without a number come last."""
        rows = range(len(self))
        if sort == "segment":
            return rows[::-1] if descending else rows
        keys = self._keys(sort, {"left": left, "right": right, "metric": metric})
        present = [row for row in rows if not isnan(keys[row])]
        absent = [row for row in rows if isnan(keys[row])]
        return array("i", [*sorted(present, key=keys.__getitem__, reverse=descending), *absent])

    def _keys(self, sort: str | int, wanted: Mapping[str, int]) -> Sequence[float]:
        if sort == "length":
            return self._lengths
        metric = wanted["metric"]
        if isinstance(sort, int):
            return self._scores[sort][metric]
        numbers = self._contributions if sort in ("contribution", "impact") else self._scores
        leads = self._leads(numbers, wanted)
        return list(map(abs, leads)) if sort in ("difference", "impact") else leads

    # --- Search -------------------------------------------------------------------------------

    def _searched(self, query: str, shown: tuple[int, ...] | None) -> dict[int, int]:
        """Return the segments that have a phrase in a text that is shown, and how often.

        Args:
            query: the phrase in lower case, without a line feed.
            shown: the systems that are shown, None for all.
        """
        phrase = query.encode(errors="surrogatepass")
        content, ends = self._lower.content, self._lower.ends
        bounds = pairwise([0, *(ends[stop - 1] for stop in self._firsts[1:])])
        found = {
            row: hits
            for row, (begin, end) in enumerate(bounds)
            if (hits := content[begin:end].count(phrase))
        }
        hidden = set(range(len(self._scores))).difference(
            shown if shown is not None else range(len(self._scores))
        )
        if not hidden:
            return found
        exact = {row: hits - self._hits_of(hidden, row, phrase) for row, hits in found.items()}
        return {row: hits for row, hits in exact.items() if hits}

    def _hits_of(self, systems: Iterable[int], row: int, phrase: bytes) -> int:
        """Return how often the hypotheses of some systems have a phrase."""
        content, ends = self._lower.content, self._lower.ends
        first = self._firsts[row + 1] - len(self._scores)
        return sum(
            content[ends[first + system - 1] : ends[first + system]].count(phrase)
            for system in systems
        )


class _Texts:
    """Texts, each with a line feed behind it, and where each ends."""

    def __init__(self, folder: Path, name: str) -> None:
        self.content = _mapped(folder / name)
        self.ends: Sequence[int] = memoryview(_mapped(folder / f"{name}-ends")).cast("q")

    def read(self, number: int) -> str:
        """Return one text."""
        begin = self.ends[number - 1] if number else 0
        return self.content[begin : self.ends[number] - 1].decode()


def _mapped(path: Path) -> mmap.mmap:
    with path.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _columns(path: Path, kind: Literal["i", "d"], rows: int) -> list[memoryview[Any]]:
    numbers: memoryview[Any] = memoryview(_mapped(path)).cast(kind)
    return [numbers[begin : begin + rows] for begin in range(0, len(numbers), rows)]


def _present(score: float) -> float | None:
    return None if isnan(score) else score
