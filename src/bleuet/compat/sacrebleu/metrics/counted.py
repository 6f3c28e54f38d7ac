"""sacreBLEU's metrics on top of bleuet's: bleuet counts, scores become sacreBLEU's objects."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from bleuet.compat.sacrebleu.layout import check_length, check_sentence, per_segment
from bleuet.compat.sacrebleu.metrics.base import Metric
from bleuet.errors import InputError, OptionError
from bleuet.extras import optional
from bleuet.metrics.base.text_checks import without_warnings
from bleuet.text.corpus import Corpus
from bleuet.text.row_index import shared_index
from bleuet.text.validation import check_hypotheses

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from bleuet.metrics.base.metric import Metric as Engine
    from bleuet.metrics.base.prepared import PreparedReferences
    from bleuet.metrics.base.score import Score as EngineScore
    from bleuet.statistics.table import Table

# Methods that sacreBLEU calls for every segment; bleuet counts a whole corpus at once instead.
_HOOKS = ("_preprocess_segment", "_extract_reference_info", "_compute_segment_statistics")


class Rows(Sequence["list[int | float]"]):
    """A table that reads like sacreBLEU's list of rows and converts to a numpy array."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def __len__(self) -> int:
        return self.table.rows

    def __getitem__(self, segment: Any) -> Any:
        if isinstance(segment, slice):
            return [self[i] for i in range(*segment.indices(len(self)))]
        if not -len(self) <= segment < len(self):
            raise IndexError(f"segment {segment} of {len(self)}")
        return list(self.table.row(segment).values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        numpy = optional("numpy")
        columns = [numpy.asarray(self.table.column(name)) for name in self.table.columns]
        array = numpy.empty((len(self), len(columns)), dtype or numpy.float64)
        for c, column in enumerate(columns):
            array[:, c] = column
        return array


class _Cache:
    """References of the constructor, prepared once, and again when an option changes."""

    def __init__(self, rows: list[Any]) -> None:
        self.rows = rows
        self._prepared_by: Any = None
        self._prepared: PreparedReferences | None = None

    def __getstate__(self) -> dict[str, Any]:
        # References prepared by the kernel cannot leave their process.
        return {"rows": self.rows, "_prepared_by": None, "_prepared": None}

    def __len__(self) -> int:
        return len(self.rows)

    def prepared_for(self, metric: CountedMetric) -> PreparedReferences:
        engine, view = metric._engine(), metric._view()
        if self._prepared is None or self._prepared_by != (engine, view):
            self._prepared = engine.prepare_references(metric._seen_rows(self.rows))
            self._prepared_by = engine, view
        return self._prepared


class CountedMetric(Metric):
    """A metric with sacreBLEU's interface whose rows are counted by one of bleuet's metrics.

    As in sacreBLEU, attributes can be changed between scores, and the next score uses them.
    """

    _made: tuple[dict[str, Any], Engine] | None = None
    # Whether a user's subclass has its own formula.
    _scores_rows_itself = False

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        overridden = [hook for hook in _HOOKS if hook in vars(cls)]
        if overridden and CountedMetric not in cls.__bases__:
            raise OptionError(
                f"{cls.__name__} overrides {overridden[0]}, which bleuet does not call to count: "
                "derive from metrics.base.Metric to count differently"
            )
        if CountedMetric not in cls.__bases__ and "_compute_score_from_stats" in vars(cls):
            cls._scores_rows_itself = True

    @abstractmethod
    def _options(self) -> dict[str, Any]:
        """Return the current options of bleuet's metric."""

    @abstractmethod
    def _make_engine(self, **options: Any) -> Engine:
        """Return bleuet's metric with these options."""

    @abstractmethod
    def _converted(self, score: Any) -> Any:
        """Return the score as sacreBLEU's object."""

    def _engine(self) -> Engine:
        options = self._options()
        if self._made is None or self._made[0] != options:
            # sacreBLEU has notices of its own.
            self._made = options, without_warnings(self._make_engine(**options))
        return self._made[1]

    def _check_options(self, references: Any) -> None:
        """Validate the options, and prepare the references unless they are None."""
        self._engine()
        if references is not None:
            self._ref_cache = self._cache_references(references)

    def sentence_score(self, hypothesis: str, references: Sequence[str | None]) -> Any:
        listed = check_sentence(hypothesis, references)
        self._warn_of_tokenized([hypothesis])
        row = self._seen_row(listed if len(listed) > 1 else listed[0])
        score = self._engine().sentence_score(self._seen(hypothesis), row)
        self.num_refs = score.n_references
        return self._converted(score)

    def _sentence_scores(self, hypotheses: Sequence[str], streams: Any) -> Iterator[Any]:
        """Yield the score of each segment, after counting all segments at once."""
        table = self._extract_corpus_statistics(hypotheses, streams).table
        return map(self._converted, map(self._engine().score, table))

    def _cache_references(self, references: Any) -> _Cache:
        cache = _Cache(per_segment(references))
        self._keep_count(cache.prepared_for(self).n_references)
        return cache

    def _extract_corpus_statistics(self, hypotheses: Any, references: Any) -> Rows:
        shared_index(hypotheses=hypotheses, references=references)
        checked = check_hypotheses(hypotheses)
        seen = checked if self._view() is None else [self._seen(text) for text in checked]
        engine = self._engine()
        if references is None:
            cache: _Cache = self._cached()
            check_length(checked, cache)  # type: ignore[arg-type]
            table = engine.count(seen, cache.prepared_for(self))
        else:
            rows = per_segment(references)
            check_length(checked, rows, references)
            table = engine.table(Corpus.from_checked(seen, self._seen_rows(rows)))
        self._warn_of_tokenized(checked)
        self._keep_count(table.n_references)
        return Rows(table)

    def _keep_count(self, n_references: int | None) -> None:
        self.num_refs = -1 if n_references is None else n_references

    def _aggregate_and_compute(self, stats: Sequence[Sequence[Any]]) -> Any:
        if isinstance(stats, Rows):
            return self._converted(self._engine().score(stats.table.totals()))
        return self._compute_score_from_stats(sum_of_rows(stats))

    def _compute_score_from_stats(self, stats: Sequence[Any]) -> Any:
        return self._converted(self._score_values(stats))

    def _scores_of_sums(self, sums: Table) -> Sequence[float]:
        if self._scores_rows_itself:
            return super()._scores_of_sums(sums)
        return self._engine().segment_scores(sums).values

    def _score_values(self, values: Sequence[Any]) -> EngineScore:
        return self._engine().score_values(values, None)

    # Text for the engine. BLEU changes it if the user has replaced its tokenizer.

    def _view(self) -> Any:
        """Return what the change of text depends on, or None if text is not changed."""
        return None

    def _seen(self, text: str) -> str:
        return text

    def _seen_rows(self, rows: list[Any]) -> list[Any]:
        return rows if self._view() is None else [self._seen_row(row) for row in rows]

    def _seen_row(self, row: Any) -> Any:
        return row

    def _preprocess_segment(self, sent: str) -> str:
        return sent

    def _extract_reference_info(self, refs: Sequence[str]) -> dict[str, Any]:
        return {"references": list(refs)}

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: dict[str, Any]) -> list[Any]:
        table = self._engine().count([hypothesis], [ref_kwargs["references"]])
        return list(table.row(0).values)


def sum_of_rows(rows: Sequence[Sequence[Any]]) -> Sequence[Any]:
    """Return the sum of rows, added one after the other.

    >>> sum_of_rows([[1, 2.5], [3, 0.5]])
    [4, 3.0]
    """
    if not len(rows):
        raise InputError("there is no row to add; pass at least one")
    if len(rows) == 1:
        return rows[0]
    total = list(rows[0])
    for row in rows[1:]:
        # Not sum(): it compensates for rounding from Python 3.12 on, and sacreBLEU does not.
        total = [a + b for a, b in zip(total, row, strict=True)]
    return total
