"""Corpus scores of systems by metrics, with confidence intervals where wanted."""

from __future__ import annotations

from bleuet.metrics.base.score import headings
from bleuet.output.answer import Answer
from bleuet.output.settings import DEFAULT_WIDTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import IO, Any, Protocol

    from bleuet.metrics.base.score import Score
    from bleuet.metrics.base.signature import Signature
    from bleuet.output.document import Cell, Column, Document, Record
    from bleuet.output.settings import Settings

    class Interval(Protocol):
        """What is shown of a confidence interval."""

        @property
        def mean(self) -> float:
            """The mean score of the draws."""

        @property
        def low(self) -> float:
            """The lower end."""

        @property
        def high(self) -> float:
            """The upper end."""

        @property
        def half_width(self) -> float:
            """Half the width."""

        @property
        def confidence(self) -> float:
            """The level, such as 0.95."""

        @property
        def signature(self) -> Signature:
            """How to compute the interval again."""

        def to_dict(self) -> dict[str, Any]:
            """Return all fields as plain values."""


INTERVAL = ("mean", "low", "high", "half_width")


class Scores(Answer):
    """Corpus scores of one or more systems by one or more metrics.

    Args:
        names: the systems' names.
        scores: scores[s][m], of system s by metric m.
        intervals: a confidence interval for each score, in the same order.
        cumulative: show BLEU-1 to BLEU-n beside BLEU.

    >>> from bleuet.metrics.ter.metric import TER
    >>> scores = Scores(["mine"], [[TER().corpus_score(["a b"], ["a c"])]])
    >>> print(scores.to_text(short=True), end="")  # doctest: +ELLIPSIS
    TER|#:1|c:lc|...|v:... = 50.00
    """

    __slots__ = ("cumulative", "intervals", "names", "scores")

    def __init__(
        self,
        names: Sequence[str],
        scores: Sequence[Sequence[Score]],
        intervals: Sequence[Sequence[Interval]] | None = None,
        *,
        cumulative: bool = False,
    ) -> None:
        self.names = names
        self.scores = scores
        self.intervals = intervals
        self.cumulative = cumulative

    def write(self, out: IO[str], format: str, settings: Settings) -> None:  # noqa: A002
        """Write the scores; as text those of one system are lines as sacreBLEU prints them."""
        if format != "text" or len(self.names) > 1 or self.cumulative or out.isatty():
            super().write(out, format, settings)
            return
        # Built without a document, whose import takes longer than scoring a test set.
        out.write("".join(self._line(m, settings) for m in range(len(self.scores[0]))))

    def _line(self, metric: int, settings: Settings) -> str:
        score, interval = self.scores[0][metric], self._interval(0, metric)
        signature = self._signature(metric)
        digits = DEFAULT_WIDTH if settings.width is None else settings.width
        digits += score.metric.extra_digits
        text = f"{score.name}|{signature.short() if settings.short else signature}"
        text += f" = {score.score:.{digits}f}"
        if interval is not None:
            text += f" (μ = {interval.mean:.{digits}f} ± {interval.half_width:.{digits}f})"
        return f"{text} {score.details()}".rstrip() + "\n"

    def document(self) -> Document:
        """Return one table, with a row per system and a column per metric."""
        from bleuet.output.document import Document, DocumentTable

        first = self.scores[0]
        columns = score_columns(first, self.cumulative)
        rows = [[name, *self._cells(system)] for system, name in enumerate(self.names)]
        several = len(self.names) > 1
        table = DocumentTable("scores", "", columns, rows, self._note(), rank_best=several)
        names = headings([score.name for score in first])
        details = zip(names, (score.details() for score in first), strict=True)
        return Document(
            tables=[table],
            notes=[f"{name}: {text}" for name, text in details if text and not several],
            signatures=[(name, self._signature(i)) for i, name in enumerate(names)],
            data=self._data,
            records={"scores": self._records},
        )

    def _note(self) -> str:
        if self.intervals is None:
            return ""
        level = 100 * self.intervals[0][0].confidence
        return f"± is half the width of the {level:g}% confidence interval."

    def _interval(self, system: int, metric: int) -> Interval | None:
        return None if self.intervals is None else self.intervals[system][metric]

    def _signature(self, metric: int) -> Signature:
        interval = self._interval(0, metric)
        return self.scores[0][metric].signature if interval is None else interval.signature

    def _numbers(self, system: int) -> Iterator[tuple[int, str, float, Interval | None]]:
        """Yield place of the metric, heading, number and interval; BLEU-1 to BLEU-n have none."""
        scores = self.scores[system]
        for place, name in enumerate(headings([score.name for score in scores])):
            yield place, name, scores[place].score, self._interval(system, place)
            for heading, value in cumulative_scores(name, scores[place]) if self.cumulative else ():
                yield place, heading, value, None

    def _cells(self, system: int) -> Iterator[Cell]:
        from bleuet.output.document import Estimate

        for _, _, value, interval in self._numbers(system):
            yield value if interval is None else Estimate(value, interval.low, interval.high)

    def _data(self) -> list[dict[str, Any]]:
        return [
            {"system": name, **self._plain(system, metric)}
            for system, name in enumerate(self.names)
            for metric in range(len(self.scores[system]))
        ]

    def _plain(self, system: int, metric: int) -> dict[str, Any]:
        found = self.scores[system][metric].to_dict()
        found["signature"] = str(self._signature(metric))
        interval = self._interval(system, metric)
        if interval is None:
            return found
        ends = interval.to_dict()
        del ends["signature"]
        return {"name": found.pop("name"), **ends, **found}

    def _records(self) -> Iterator[Record]:
        keys = () if self.intervals is None else INTERVAL
        for system, name in enumerate(self.names):
            for place, heading, value, interval in self._numbers(system):
                yield {
                    "system": name,
                    "metric": heading,
                    "score": value,
                    **{key: getattr(interval, key, None) for key in keys},
                    "signature": str(self._signature(place)),
                }


def cumulative_scores(name: str, score: Score) -> Iterator[tuple[str, float]]:
    """Yield the headings and numbers of BLEU-1 to BLEU-n, where a score has them."""
    values: tuple[float, ...] = getattr(score, "cumulative", ())
    for order, value in enumerate(values, 1):
        yield f"{name}-{order}", value


def score_columns(scores: Sequence[Score], cumulative: bool) -> list[Column]:
    """Return a column for the systems' names, and those of the scores of one system.

    Args:
        scores: one by each metric.
        cumulative: whether there are columns for BLEU-1 to BLEU-n.
    """
    from bleuet.output.document import Column

    columns = [Column("system")]
    for name, score in zip(headings([one.name for one in scores]), scores, strict=True):
        names = [name, *(heading for heading, _ in cumulative_scores(name, score) if cumulative)]
        lower, extra = not score.metric.higher_is_better, score.metric.extra_digits
        columns += [
            Column(one, kind="score", extra_digits=extra, lower_is_better=lower) for one in names
        ]
    return columns
