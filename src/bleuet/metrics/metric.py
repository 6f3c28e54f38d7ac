"""The metric: a map from segments to rows, and a reduction from a sum of rows to a score."""

from __future__ import annotations

from bleuet.errors import InputTypeError, OptionError, TableError
from bleuet.frozen import Frozen
from bleuet.metrics.score import SegmentScores
from bleuet.statistics.backend import backend, is_native
from bleuet.statistics.table import Table, Totals
from bleuet.text.corpus import Corpus
from bleuet.text.utf8 import Utf8Lines, Utf8Segments
from bleuet.text.validation import (
    check_hypotheses,
    check_lengths,
    check_references,
    count_references,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, ClassVar, Generic, NoReturn, TypeAlias

    from typing_extensions import TypeVar

    from bleuet.metrics.option import Option
    from bleuet.metrics.score import Score
    from bleuet.metrics.signature import ParsedSignature, Signature

    Hypotheses: TypeAlias = Iterable[str] | Iterable[Sequence[int]] | Corpus
    References: TypeAlias = Any  # one string or one list of strings per segment, or Prepared
    ScoreT = TypeVar("ScoreT", bound=Score, default=Score, covariant=True)

    class _Typed(Frozen, Generic[ScoreT]):
        __slots__ = ()
else:

    class _Typed(Frozen):
        """Stands for a generic class without importing `typing`, which costs the scoring path."""

        __slots__ = ()

        def __class_getitem__(cls, item):
            return cls


class PreparedReferences(Frozen):
    """References a metric has read once, to score many systems against.

    Made by `metric.prepare_references(references)`, taken wherever that metric takes references.
    """

    __slots__ = ("metric", "n_references", "prepared", "rows")
    _fields = ("metric", "rows", "n_references", "prepared")
    metric: Metric[Any]
    rows: int
    n_references: int | None
    prepared: Any

    def __init__(
        self, metric: Metric[Any], rows: int, n_references: int | None, prepared: Any
    ) -> None:
        self._set(metric=metric, rows=rows, n_references=n_references, prepared=prepared)

    def __len__(self) -> int:
        return self.rows

    def __reduce__(self) -> NoReturn:
        raise InputTypeError(
            "prepared references live in the process that made them: send the references, and "
            "call prepare_references there"
        )

    def __repr__(self) -> str:
        return f"<references of {self.rows} segments, read by {self.metric!r}>"


class Metric(_Typed["ScoreT"]):
    """What every metric offers. A metric is a frozen value: equal options make equal metrics.

    A new metric gives `options`, `score_type`, `name`, `integer_columns` and `real_columns`,
    `signature`, `from_signature`, `formula` and `_make_counter`; everything else is here.
    """

    __slots__ = ("_counter",)
    options: ClassVar[tuple[Option, ...]] = ()
    higher_is_better: ClassVar[bool] = True
    score_type: ClassVar[type[Any]]
    short_keys: ClassVar[dict[str, str]] = {}
    # Options that choose or reduce columns and change no number in them, as smoothings do.
    scoring_options: ClassVar[frozenset[str]] = frozenset()
    # Further ones where segments have one reference; of several they choose the nearest.
    scoring_options_of_one_reference: ClassVar[frozenset[str]] = frozenset()
    # Names of the columns of its table; a metric whose columns depend on options has slots.
    integer_columns: tuple[str, ...]
    real_columns: tuple[str, ...] = ()
    _counter: Any

    # --- What a metric says of itself -------------------------------------------------------------

    @property
    def name(self) -> str:
        """The printed name."""
        raise NotImplementedError

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of all columns of its table, integer columns first."""
        return self.integer_columns + self.real_columns

    @property
    def counting(self) -> tuple[Any, ...]:
        """What decides the numbers in its table: metrics that share it can share columns."""
        fields = [name for name in self._fields if name not in self.scoring_options]
        return type(self), *(getattr(self, name) for name in fields)

    def signature(self, n_references: int | None = 1) -> Signature:
        """Return the signature of its scores for a number of references per segment."""
        raise NotImplementedError

    @classmethod
    def from_signature(cls, parsed: ParsedSignature) -> Metric[ScoreT]:
        """Return the metric that a signature describes, reading all its keys."""
        raise NotImplementedError

    @classmethod
    def suited_to(cls, *, language: str, sentences: bool) -> dict[str, Any]:
        """Return the options that suit a use better than the defaults do.

        Args:
            language: the target language's code, or "".
            sentences: whether segments are scored one by one.
        """
        return {}

    @classmethod
    def rescoring_options(cls, n_references: int | None) -> frozenset[str]:
        """Return the options with which a table that was counted once can be scored anew.

        Args:
            n_references: references per segment of the table, or None where segments differ.
        """
        more = cls.scoring_options_of_one_reference if n_references == 1 else frozenset()
        return cls.scoring_options | more

    def with_options(self, **options: Any) -> Metric[ScoreT]:
        """Return the same metric with some options changed.

        Raises:
            OptionError: there is no such option, or it cannot take the value.
        """
        unknown = next((name for name in options if name not in self._fields), None)
        if unknown is not None:
            raise OptionError(
                f"{self.name} has no option {unknown}; its options are {', '.join(self._fields)}"
            )
        return type(self)(**{**dict(zip(self._fields, self._values(), strict=True)), **options})

    # --- Map and reduce ---------------------------------------------------------------------------

    def prepare(self, corpus: Corpus) -> Metric[ScoreT]:
        """Return a metric that has learned from the whole corpus; most have nothing to learn."""
        return self

    def table(self, corpus: Corpus, *, threads: int = 1) -> Table:
        """Count: one row of sufficient statistics per segment.

        Args:
            corpus: hypotheses and references.
            threads: threads of the kernel, 0 for one per core; the rows are the same.

        Returns:
            A table of `len(corpus)` rows with this metric's columns.

        Raises:
            InputError: the corpus is of a kind the metric cannot count.
        """
        self.check_corpus(corpus)
        return self._fill(corpus.hypotheses, self._texts(corpus.references), threads)

    def score(self, totals: Totals) -> ScoreT:
        """Reduce: the score of a sum of rows.

        Args:
            totals: a sum of rows of this metric's tables, or of tables with more columns, such as
                those of BLEU with a longer order; it is not changed.

        Raises:
            TableError: the totals lack columns of this metric's.
        """
        if totals.columns != self.columns:
            self._check_columns(totals.columns, "totals have")
            totals = totals.take_columns(self.columns)
        return self.score_values(totals.values, totals.n_references)

    def score_values(self, values: Sequence[int | float], n_references: int | None) -> ScoreT:
        """Return the score of sums in the order of `columns`, without looking at names."""
        score: ScoreT = self.score_type(self, values, n_references, self.formula(values))
        return score

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the number in percent: what the paper defines, of sums in the order of `columns`.

        The values are not changed.
        """
        raise NotImplementedError

    # --- Conveniences -----------------------------------------------------------------------------

    def corpus_score(
        self, hypotheses: Hypotheses, references: References = None, *, threads: int = 1
    ) -> ScoreT:
        """Score a whole corpus.

        Args:
            hypotheses: one string per segment, or a whole corpus.
            references: per segment a string or a list of strings, or prepared references.
            threads: threads of the kernel, 0 for one per core.

        Raises:
            InputError: the input cannot be scored as it is; the message says how to mend it.
        """
        return self.score(self.count(hypotheses, references, threads=threads).totals())

    def sentence_scores(
        self, hypotheses: Hypotheses, references: References = None, *, threads: int = 1
    ) -> SegmentScores[ScoreT]:
        """Score every segment by itself, all at once; arguments as for `corpus_score`."""
        return self.segment_scores(self.count(hypotheses, references, threads=threads))

    def count(
        self, hypotheses: Hypotheses, references: References = None, *, threads: int = 1
    ) -> Table:
        """Count without a corpus at hand; arguments as for `corpus_score`.

        Returns:
            A table of one row per hypothesis with this metric's columns.
        """
        if isinstance(hypotheses, Corpus):
            if references is not None:
                raise InputTypeError("a corpus brings its own references; leave the second out")
            return self.table(hypotheses, threads=threads)
        if not isinstance(references, PreparedReferences):
            counted = self._count_unchecked(hypotheses, references, threads)
            if counted is not None:
                return counted
            return self.table(self._corpus(hypotheses, references), threads=threads)
        if references.metric != self:
            raise OptionError(
                f"these references were prepared by {references.metric!r} and serve no other: "
                f"call prepare_references of {self!r}"
            )
        texts: Any = hypotheses
        if not self._takes_lines(texts):
            texts = self._check_hypotheses(texts)
        check_lengths(texts, references)
        return self._fill(texts, references.prepared, threads)

    def _count_unchecked(self, hypotheses: Any, references: Any, threads: int) -> Table | None:
        """Count lists and lines of files without looking at them, which the kernel does anyway.

        Where it refuses one, nothing is returned, and the corpus will say what is wrong with it.
        """
        if type(hypotheses) is list and type(references) is list:
            taken = is_native() and self._takes_text_as_it_is
        else:
            taken = self._takes_lines(hypotheses) and isinstance(references, Utf8Segments)
        if not taken or len(hypotheses) == 0 or len(hypotheses) != len(references):
            return None
        try:
            return self._fill(hypotheses, references, threads)
        except (TypeError, ValueError):
            return None

    def segment_scores(self, table: Table) -> SegmentScores[ScoreT]:
        """Return the score of every row of a table.

        Args:
            table: made by this metric, or by one with more columns, so that what was counted once
                is scored by many: `BLEU(max_ngram_order=5).table(corpus)` serves every smoothing.

        Raises:
            TableError: the table lacks columns of this metric's.
        """
        if table.columns != self.columns:
            self._check_columns(table.columns, "table has")
            table = table.take_columns(self.integer_columns, self.real_columns)
        scores = memoryview(bytearray(8 * table.rows)).cast("d")
        if is_native():
            self._fill_scores(table, scores)
        else:
            Metric._fill_scores(self, table, scores)
        return SegmentScores(self, table, scores.toreadonly())

    def _check_columns(self, columns: Sequence[str], who: str) -> None:
        missing = [name for name in self.columns if name not in columns]
        if missing:
            raise TableError(
                f"{self.name} is a function of the columns {', '.join(self.columns)}; "
                f"the {who} {', '.join(columns)}"
            )

    def sentence_score(
        self,
        hypothesis: str | Sequence[int],
        references: str | Sequence[str | None] | Sequence[int] | Sequence[Sequence[int]],
    ) -> ScoreT:
        """Score one hypothesis against one reference, or a list of them.

        Raises:
            InputError: the input cannot be scored as it is; the message says how to mend it.
        """
        n_references = self._check_sentence(hypothesis, references)
        row = self._own_counter().row(self._text(hypothesis), self._sentence_texts(references))
        score: ScoreT = self.score_type(self, row, n_references, self._number_of_row(row))
        return score

    def prepare_references(self, references: References, *, threads: int = 1) -> PreparedReferences:
        """Read references once, to score many systems against them.

        Args:
            references: per segment a string or a list of strings.
            threads: threads of the kernel, 0 for one per core.
        """
        if isinstance(references, Utf8Segments) and self._takes_text_as_it_is:
            n_references: int | None = len(references.columns)
            given = _references_as_counted(references)
        else:
            references = self._check_references(references)
            n_references, given = count_references(references), self._texts(references)
        prepared = self._own_counter().prepare(given, threads=check_threads(threads))
        return PreparedReferences(self, len(references), n_references, prepared)

    # --- How counting is done ---------------------------------------------------------------------

    def _make_counter(self) -> Any:
        """Make the counter, native or Python, that fills this metric's rows."""
        raise NotImplementedError

    def _fill_scores(self, table: Table, scores: memoryview[float]) -> None:
        """Write the score of each row; a metric whose kernel scores all at once overrides."""
        for i, totals in enumerate(table):
            scores[i] = self.score(totals).score

    @property
    def counts_token_ids(self) -> bool:
        """Whether its segments are token ids (`tokenize="ids"`) instead of text."""
        return False

    def check_corpus(self, corpus: Corpus) -> None:
        """Refuse token ids where text is counted, and text where token ids are.

        Raises:
            InputTypeError: the corpus is of the other kind.
        """
        if corpus.token_ids == self.counts_token_ids:
            return
        came, wanted = "token ids", "text"
        mend = f"use tokenize='ids' where {self.name} has it, or score the detokenized text"
        if self.counts_token_ids:
            came, wanted = wanted, came
            mend = "use Corpus.from_token_ids, or a tokenizer of text"
        raise InputTypeError(f"{self!r} counts {wanted}, but the corpus holds {came}: {mend}")

    def _corpus(self, hypotheses: Any, references: Any) -> Corpus:
        if self.counts_token_ids:
            return Corpus.from_token_ids(hypotheses, references)
        return Corpus(hypotheses, references)

    def _check_hypotheses(self, hypotheses: Any) -> list[Any]:
        if not self.counts_token_ids:
            return check_hypotheses(hypotheses)
        from bleuet.text.token_ids import check_token_hypotheses

        return check_token_hypotheses(hypotheses)

    def _check_references(self, references: Any) -> list[Any]:
        if not self.counts_token_ids:
            return check_references(references)
        from bleuet.text.token_ids import check_token_references

        return check_token_references(references)

    def _check_sentence(self, hypothesis: Any, references: Any) -> int | None:
        """Refuse what is no sentence with its references; return how many of these there are."""
        if type(hypothesis) is str and not self.counts_token_ids:
            if type(references) is str:
                return 1
            if type(references) is list and references and set(map(type, references)) == {str}:
                return len(references)
        return self._corpus([hypothesis], [references]).n_references

    def _number_of_row(self, row: tuple[int | float, ...]) -> float:
        """Return the number of one segment; a metric whose kernel is sooner overrides."""
        return self.formula(row)

    @property
    def _takes_text_as_it_is(self) -> bool:
        """Whether the counter tokenizes; a metric with a Python tokenizer overrides."""
        return not self.counts_token_ids

    def _takes_lines(self, hypotheses: Any) -> bool:
        """Whether the counter can read hypotheses where they lie, in the bytes of a file."""
        return isinstance(hypotheses, Utf8Lines) and self._takes_text_as_it_is

    def _text(self, segment: Any) -> Any:
        """Return a segment as the counter wants it; a metric with a Python tokenizer overrides."""
        return segment

    def _texts(self, segments: Sequence[Any]) -> Sequence[Any]:
        return segments

    def _sentence_texts(self, references: Any) -> Any:
        return references

    def _own_counter(self) -> Any:
        try:
            return self._counter
        except AttributeError:
            self._set(_counter=self._make_counter())
            return self._counter

    def _fill(self, hypotheses: Sequence[Any], references: Any, threads: int) -> Table:
        rows = len(hypotheses)
        counting = backend()
        integers = counting.unwritten(len(self.integer_columns) * rows)
        reals = counting.unwritten(len(self.real_columns) * rows)
        n_references = self._own_counter().table(
            hypotheses.utf8 if isinstance(hypotheses, Utf8Lines) else self._texts(hypotheses),
            _references_as_counted(references),
            integers,
            reals,
            threads=check_threads(threads),
        )
        # The counter says 0 where segments differ.
        return Table(
            self.integer_columns, self.real_columns, rows, integers, reals, n_references or None
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), dict(zip(self._fields, self._values(), strict=True)))


def _references_as_counted(references: Any) -> Any:
    if isinstance(references, Utf8Segments):
        return tuple([column.utf8 for column in references.columns])
    return references


def _rebuild(kind: type[Metric[Any]], options: dict[str, Any]) -> Metric[Any]:
    return kind(**options)


def check_threads(threads: int) -> int:
    """Return the number of threads, or refuse what is none.

    Raises:
        OptionError: `threads` is negative or no whole number.
    """
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 0:
        raise OptionError(f"threads must be a whole number, 0 for one per core, not {threads!r}")
    return min(threads, 1024)
