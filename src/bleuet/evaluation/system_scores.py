"""Corpus scores of systems by metrics, with confidence intervals where wanted."""

from __future__ import annotations

# The interpreter has loaded this module; `collections.abc`, its public name, would load a package.
from _collections_abc import Mapping
from os import fspath

from bleuet.errors import BleuetError, OptionError, TableError
from bleuet.frozen import checked
from bleuet.messages import plain_name, shown
from bleuet.metrics.base.score import headings
from bleuet.output.answer import Answer
from bleuet.output.settings import DEFAULT_WIDTH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from os import PathLike
    from typing import IO, Any, Protocol

    from bleuet.evaluation.evaluation import Evaluation
    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.score import Score
    from bleuet.metrics.base.segment_scores import SegmentScores
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


class UnknownMetric(OptionError, KeyError):
    """A name that is no key of scores; as every mapping, they raise a KeyError for it."""


class Scores(Mapping["str", "Any"], Answer):
    """Corpus scores of one or more systems by one or more metrics, and those of each segment.

    It is a mapping: `scores["bleu"]` is the score of one system without a name, and otherwise a
    dictionary from the names of the systems to their scores. The keys are the names as they were
    written to `bleuet.score`; any other spelling of a metric, its printed name, or a metric itself
    finds the same. `print(scores)` shows the table of `bleuet score`.

    Args:
        names: the systems' names; "" for a single system without one.
        scores: scores[s][m], of system s by metric m.
        intervals: a confidence interval for each score, in the same order.
        cumulative: show BLEU-1 to BLEU-n beside BLEU.
        keys: a name for each metric; default their printed names.
        evaluation: the counted rows of all segments, for scores of segments.
        test_set: a fingerprint of the test set, or what `str` makes one of when it is needed; ""
            for an unknown one; None where data has none.
        index: the index of the segments in a data frame of pandas; None if there is none.

    >>> from bleuet.metrics.ter.metric import TER
    >>> scores = Scores(["mine"], [[TER().corpus_score(["a b"], ["a c"])]])
    >>> print(scores.to_text(short=True), end="")  # doctest: +ELLIPSIS
    TER|#:1|c:lc|...|v:... = 50.00
    >>> scores["ter"]
    {'mine': <TER = 50.00>}
    """

    __slots__ = (
        "_fingerprint", "_index", "_keys", "cumulative", "evaluation", "intervals", "names",
        "scores",
    )  # fmt: skip

    def __init__(
        self,
        names: Sequence[str],
        scores: Sequence[Sequence[Score]],
        intervals: Sequence[Sequence[Interval]] | None = None,
        *,
        cumulative: bool = False,
        keys: Sequence[str] | None = None,
        evaluation: Evaluation | None = None,
        test_set: object = None,
        index: Any = None,
    ) -> None:
        self.names = names
        self.scores = scores
        self.intervals = intervals
        self.cumulative = cumulative
        self.evaluation = evaluation
        self._fingerprint = test_set
        self._keys = keys
        self._index = index

    @property
    def test_set(self) -> str | None:
        """The fingerprint of the test set, "" for an unknown one; None where data has none."""
        if self._fingerprint is not None and type(self._fingerprint) is not str:
            self._fingerprint = str(self._fingerprint)
        return self._fingerprint

    # --- By the name of a metric ------------------------------------------------------------------

    def __iter__(self) -> Iterator[str]:
        return iter(headings(self._keys or [score.name for score in self.scores[0]]))

    def __len__(self) -> int:
        return len(self.scores[0])

    def __getitem__(self, metric: str | Metric[Any]) -> Any:
        place = self._place(metric)
        return self._by_system([own[place] for own in self.scores])

    # As an answer, it equals only itself.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def _has_names(self) -> bool:
        """Whether the systems have names, as all have but the single one of a list."""
        return list(self.names) != [""]

    def _by_system(self, values: Sequence[Any]) -> Any:
        """Return the value of the only system where it has no name, else values by name."""
        return dict(zip(self.names, values, strict=True)) if self._has_names else values[0]

    def _place(self, metric: str | Metric[Any]) -> int:
        """Return the place of a metric, by its key, a name of it, or itself.

        Raises:
            KeyError: the scores are not by this metric, or by several of this name.
        """
        keys = list(self)
        if isinstance(metric, str):
            found = [keys.index(metric)] if metric in keys else self._named(metric, keys)
        else:
            found = self._equal_to(metric)
        if len(found) != 1:
            known = f"{shown(metric)} is none of the metrics {', '.join(keys)}"
            if isinstance(metric, str) and metric in self.names:
                known = f"metrics come first, then systems, as in scores[{keys[0]!r}][{metric!r}]"
            raise UnknownMetric(known)
        return found[0]

    def _named(self, name: str, keys: Sequence[str]) -> list[int]:
        from bleuet.metrics.catalogue import parse_metric

        wanted = plain_name(name)
        named = zip(keys, (score.name for score in self.scores[0]), strict=True)
        found = [place for place, names in enumerate(named) if wanted in map(plain_name, names)]
        if found:
            return found
        try:
            return self._equal_to(parse_metric(name))
        except BleuetError:
            return []

    def _equal_to(self, metric: Metric[Any]) -> list[int]:
        metrics = [score.metric for score in self.scores[0]]
        return [
            place
            for place, one in enumerate(metrics)
            if type(one) is type(metric) and one == metric
        ]

    # --- Segments ---------------------------------------------------------------------------------

    def segment_scores(self, metric: str | Metric[Any]) -> Any:
        """Return the scores of all segments by a metric, computed when they are requested.

        BLEU is computed with the effective order, as for sentences on the command line: without it
        most short segments would score 0.

        Args:
            metric: its key, a name of it, or the metric itself.

        Returns:
            A `SegmentScores` of one system without a name, else a dictionary from names of systems
            to theirs.

        Raises:
            KeyError: the scores are not by this metric.
            TableError: there are only scores of whole systems, as those of saved answers.
        """
        place = self._place(metric)
        return self._by_system([own[place] for own in self._segment_scores()])

    def _segment_scores(self) -> list[list[SegmentScores[Any]]]:
        """Return the scores of segments by system and metric."""
        if self.evaluation is None:
            raise TableError(
                "these are scores of whole systems, without their segments: bleuet.score keeps both"
            )
        metrics = self.evaluation.sentence_metrics
        return [
            [metric.segment_scores(table) for metric, table in zip(metrics, own, strict=True)]
            for own in self.evaluation.tables.values()
        ]

    def _segment_columns(self) -> dict[str, Any]:
        """Return the columns of a data frame with one row for each segment of each system."""
        from array import array

        scores = self._segment_scores()
        segments = len(scores[0][0])
        columns: dict[str, Any] = {}
        if self._has_names:
            columns["system"] = [name for name in self.names for _ in range(segments)]
        columns["segment"] = array("q", range(1, segments + 1)) * len(scores)
        for place, key in enumerate(self):
            column = array("d")
            for own in scores:
                column.frombytes(own[place].values.cast("B"))
            columns[key] = column
        return columns

    # --- As plain data ----------------------------------------------------------------------------

    def to_dict(self) -> dict[str, Any]:
        """Return the scores and their components as plain values, in the order of the mapping."""
        return self._mapped(self._plain)

    def written(self) -> dict[str, Any]:
        """Return what `to_dict` does, with the fingerprint of the test set where it is kept."""
        return self._mapped(self._with_test_set)

    def _mapped(self, values: Callable[[int, int], dict[str, Any]]) -> dict[str, Any]:
        systems = range(len(self.names))
        return {
            key: self._by_system([values(system, place) for system in systems])
            for place, key in enumerate(self)
        }

    @checked
    def to_dataframe(self, part: str | None = None, *, library: str | None = None) -> Any:
        """Return the scores of segments as a data frame, with a column for each metric.

        Args:
            part: "segments" has one row for each segment of each system: the name of the system,
                where it has one, the number of the segment from 1, and its scores. In pandas it has
                the index of the columns that were scored. "scores" has
                one row for each score of a whole system. Default: "segments", or "scores" where
                there are no segments.
            library: "pandas", "polars" or "pyarrow"; default the first that is installed.

        Raises:
            OptionError: there is no such part or library.
            MissingExtraError: the library is not installed.
        """
        from bleuet.output.data_frame import data_frame, frame_of_columns
        from bleuet.text.row_index import tiled

        parts = {"segments": list} if self.evaluation is not None else {}
        if parts and part in (None, "segments"):
            frame = frame_of_columns(self._segment_columns(), library)
            # Other libraries have no index.
            if self._index is not None and hasattr(frame, "iloc"):
                frame.index = tiled(self._index, len(self.names))
            return frame
        return data_frame({**self.document().records, **parts}, part, library)

    @checked
    def to_parquet(self, path: str | PathLike[str]) -> None:
        """Write the scores of segments to a Parquet file, as `to_dataframe` returns them.

        The column `test_set` has the fingerprint of the test set in each row.

        Args:
            path: the file; one that is there is replaced once the new one is whole.

        Raises:
            MissingExtraError: pyarrow is not installed.
            InputError: the file cannot be written.
        """
        from bleuet.extras import optional
        from bleuet.output.data_frame import arrow_table
        from bleuet.output.destination import Destination

        writer = optional("pyarrow.parquet")
        columns = self._segment_columns()
        if self.test_set is not None:
            columns["test_set"] = [self.test_set] * len(columns["segment"])
        table = arrow_table(columns)
        with Destination(fspath(path), binary=True) as out:
            writer.write_table(table, out, compression="zstd")

    def __str__(self) -> str:
        from bleuet.output.rendering import render

        return render(self.document(), "text").rstrip("\n")

    def __repr__(self) -> str:
        metrics = ", ".join(score.name for score in self.scores[0])
        if self._has_names:
            return f"<scores of {', '.join(self.names)} by {metrics}>"
        numbers = (
            f"{score.name} = {score:.{2 + score.metric.extra_digits}f}" for score in self.scores[0]
        )
        return f"<scores: {', '.join(numbers)}>"

    # --- As a table -------------------------------------------------------------------------------

    def write(self, out: IO[str], format: str, settings: Settings) -> None:  # noqa: A002
        """Write the scores; as text those of one system are lines as sacreBLEU prints them."""
        is_text = isinstance(format, str) and format == "text"
        if not is_text or len(self.names) > 1 or self.cumulative or out.isatty():
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
        if not self._has_names:
            columns, rows = columns[1:], [row[1:] for row in rows]
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
            {**self._named_system(name), **self._with_test_set(system, metric)}
            for system, name in enumerate(self.names)
            for metric in range(len(self.scores[system]))
        ]

    def _named_system(self, name: str) -> dict[str, Any]:
        return {"system": name} if self._has_names else {}

    def _plain(self, system: int, metric: int) -> dict[str, Any]:
        found = self.scores[system][metric].to_dict()
        found["signature"] = str(self._signature(metric))
        interval = self._interval(system, metric)
        if interval is None:
            return found
        ends = interval.to_dict()
        del ends["signature"]
        return {"name": found.pop("name"), **ends, **found}

    def _with_test_set(self, system: int, metric: int) -> dict[str, Any]:
        """Return plain values with the fingerprint of what the metric reads, if it is kept."""
        values = self._plain(system, metric)
        if self.test_set is None:
            return values
        from bleuet.text.fingerprint import of_read_texts

        reads = self.scores[0][metric].metric.reads_sources
        return {**values, "test_set": of_read_texts(self.test_set, reads_sources=reads)}

    def _records(self) -> Iterator[Record]:
        keys = () if self.intervals is None else INTERVAL
        for system, name in enumerate(self.names):
            for place, heading, value, interval in self._numbers(system):
                yield {
                    **self._named_system(name),
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
