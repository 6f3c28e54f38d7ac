"""The metric: a map from segments to rows, and a reduction from a sum of rows to a score."""

from __future__ import annotations

# The interpreter has loaded this module; `collections.abc`, its public name, would load a package.
from _collections_abc import Sequence
from operator import index

from bleuet.errors import InputError, InputTypeError, OptionError, TableError
from bleuet.frozen import Frozen, cached_property
from bleuet.messages import shown, wrong_type
from bleuet.metrics.declared import Declared
from bleuet.metrics.score import Score
from bleuet.statistics.backend import backend, is_native
from bleuet.statistics.table import Table, Totals
from bleuet.text.corpus import Corpus
from bleuet.text.segments import TEXT, TOKEN_IDS, TOKENS, Segments
from bleuet.text.validation import check_lengths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, ClassVar, Generic, NoReturn, Protocol, Self, TypeAlias, overload

    from typing_extensions import TypeVar

    from bleuet.metrics.derivation import Derivation
    from bleuet.metrics.filled_matrix import Matrix
    from bleuet.metrics.marked_segment import MarkedSegment
    from bleuet.metrics.marks import Mark
    from bleuet.metrics.row_limit import RowLimit

    Hypotheses: TypeAlias = Iterable[str | Sequence[int]] | Segments | Corpus
    # One string or one list of strings per segment, Segments, or PreparedReferences.
    References: TypeAlias = Any

    class Learned(Protocol):
        """What a metric learned; its class has a function `join` of several."""

        @property
        def fingerprint(self) -> str:
            """Hexadecimal digits that other references would change."""

    ScoreT = TypeVar("ScoreT", bound=Score, default=Score, covariant=True)

    class _Typed(Declared, Generic[ScoreT]):
        pass
else:

    class _Typed(Declared):
        """A generic class for type checkers; importing `typing` would slow down scoring."""

        def __class_getitem__(cls, item):
            return cls


class PreparedReferences(Frozen):
    """References that a metric has read once, to score many systems.

    `metric.prepare_references(references)` returns them; this metric accepts them wherever it
    accepts references.
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
            "prepared references cannot be pickled: send the references to the other process, and "
            "call prepare_references there"
        )

    def __repr__(self) -> str:
        return f"<references of {self.rows} segments, read by {self.metric!r}>"


class Metric(_Typed["ScoreT"]):
    """The base of all metrics: a map from segments to rows, and from a sum of rows to a score.

    A metric is a class with options, each declared with `option`, and these members:

    - `integer_columns`, `real_columns` and `formula`;
    - `count_segment`, or `_make_counter` where the kernel counts;
    - `score_type`, if the scores have components, and `name`, if it is not that of the class;
    - `row_limits`, if the numbers of a row limit each other;
    - `learns` and `learn_segment`, if its rows depend on all references;
    - `mark_segment` and `derive_segment`, which explain the score of one segment;
    - `check_options`, if some options do not go together.

    The keys of its signature must differ from those of every other metric.
    """

    higher_is_better: ClassVar[bool] = True
    # The class of its scores, which adds their components.
    score_type: ClassVar[type[Any]] = Score
    # The digits that its scores need beyond those of a score in percent.
    extra_digits: ClassVar[int] = 0
    # Whether it learns from all references before it counts.
    learns: ClassVar[bool] = False
    # What a metric has learned; None before. Metrics that differ only in this are equal.
    learned: ClassVar[Any] = None

    if TYPE_CHECKING:

        @property
        def integer_columns(self) -> tuple[str, ...]:
            """Names of the integer columns of its table."""

        @property
        def real_columns(self) -> tuple[str, ...]:
            """Names of the real columns of its table."""

        # What `bleuet metrics NAME` prints besides the options.

        @property
        def definition(self) -> str:
            """The formula, in plain characters."""

        @property
        def source(self) -> str:
            """The paper."""

        @property
        def needs(self) -> str:
            """What it needs besides texts."""

        @property
        def same_number(self) -> str:
            """The programs that give the same number."""
    else:
        integer_columns = ()
        real_columns = ()
        definition = source = needs = same_number = ""

    @classmethod
    def suited_to(cls, *, language: str, sentences: bool) -> dict[str, Any]:
        """Return the options that suit a use better than the defaults do.

        Args:
            language: the code of the target language, or "".
            sentences: whether segments are scored one by one.
        """
        return {}

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of all columns of its table, integer columns first."""
        return self.integer_columns + self.real_columns

    @classmethod
    def rescoring_options(cls, n_references: int | None) -> frozenset[str]:
        """Return the options with which a table that was counted once can be scored again.

        They choose or reduce columns, and change no number in them.

        Args:
            n_references: references per segment of the table, or None where segments differ.
        """
        kinds = (True, "one reference") if n_references == 1 else (True,)
        return frozenset([one.name for one in cls.options if one.scoring in kinds])

    def row_limits(self, n_references: int | None) -> Sequence[RowLimit]:
        """Return what holds of every row, so that impossible numbers in a file are found.

        Args:
            n_references: references per segment, or None where segments differ.
        """
        return ()

    @property
    def counting(self) -> tuple[Any, ...]:
        """What decides the numbers in its table: metrics that share it can share columns."""
        scoring = self.rescoring_options(None)
        options = (getattr(self, name) for name in self._fields if name not in scoring)
        return type(self), id(self.learned), *options

    @property
    def counted_by(self) -> Metric[Any]:
        """The metric whose tables its rows follow from: itself, unless it overrides this."""
        return self

    def table_from(self, counted: Table) -> Table:
        """Return this metric's rows, which follow from a table of another metric.

        Args:
            counted: a table of `counted_by`, or of a metric with the same `counting` and more
                columns.

        Raises:
            TableError: the table lacks a column.
        """
        if not isinstance(counted, Table):
            raise wrong_type("counted", "a Table", counted)
        if counted.columns == self.columns:
            return counted
        return counted.take_columns(self.integer_columns, self.real_columns)

    # --- Map and reduce ---------------------------------------------------------------------------

    def prepare(self, corpus: Corpus) -> Self:
        """Return this metric after it has learned from all references of a corpus.

        It then counts any part of the corpus as it counts the whole. Without this, it learns from
        the references of each call. Most metrics have nothing to learn.

        Args:
            corpus: the whole corpus.
        """
        if not isinstance(corpus, Corpus):
            raise wrong_type("corpus", "a Corpus", corpus)
        return self._taught(corpus.segments[1])[0]

    def learn(self, references: References, *, threads: int = 1) -> Learned | None:
        """Return what references teach, such as how often each n-gram occurs, for `with_learned`.

        Most metrics have nothing to learn; it is None then.

        Args:
            references: per segment a string or a list of strings.
            threads: threads of the kernel, 0 for one per core.
        """
        segments = self._as_counted(Segments.references(references, self.counted_kind))
        threads = check_threads(threads)
        if not self.learns:
            return None
        learned: Learned = self._counter.learn(segments.kind, segments.content, threads=threads)
        return learned

    def with_learned(self, *learned: Learned | None) -> Self:
        """Return this metric with what it has learned.

        Args:
            *learned: what `learn` returned for all references, or for each part of them.
        """
        kind: Any = self._counter.learned_type if self.learns else type(None)
        for part in learned:
            if not isinstance(part, kind):
                raise wrong_type("learned", f"what learn of {self.name} returns", part)
        taught = self.with_options()
        if self.learns:
            whole = learned[0] if len(learned) == 1 else kind.join(learned)
            taught.__dict__["learned"] = whole
        return taught

    def _taught(self, references: Segments, threads: int = 1) -> tuple[Self, Any]:
        """Return this metric after it has learned, and references as its counter takes them.

        It learns from these if it has not learned yet; what it learned is then references that the
        counter has read.
        """
        if not self.learns or self.learned is not None:
            return self, references.content
        learned = self.learn(references, threads=threads)
        return self.with_learned(learned), learned

    def __reduce__(self) -> tuple[Any, ...]:
        if self.learned is None:
            return super().__reduce__()
        return type(self).with_learned, (self.with_options(), self.learned)

    def table(self, corpus: Corpus, *, threads: int = 1) -> Table:
        """Count one row of sufficient statistics per segment.

        Args:
            corpus: hypotheses and references.
            threads: threads of the kernel, 0 for one per core; the rows are the same.

        Returns:
            A table of `len(corpus)` rows with this metric's columns.

        Raises:
            InputError: the corpus holds token ids and the metric counts text, or the reverse.
        """
        if not isinstance(corpus, Corpus):
            raise wrong_type("corpus", "a Corpus", corpus)
        hypotheses, references = corpus.segments
        return self._fill(hypotheses, references, threads)

    def score(self, totals: Totals) -> ScoreT:
        """Return the score of a sum of rows.

        Args:
            totals: a sum of rows of this metric's tables, or of tables with more columns, such as
                those of BLEU with a longer order; it is not changed.

        Raises:
            TableError: columns of this metric are missing.
        """
        if not isinstance(totals, Totals):
            raise wrong_type("totals", "a Totals", totals)
        if totals.columns != self.columns:
            self._check_columns(totals.columns, "totals have")
            totals = totals.take_columns(self.columns)
        return self.score_values(totals.values, totals.n_references)

    def score_values(self, values: Sequence[int | float], n_references: int | None) -> ScoreT:
        """Return the score of sums in the order of `columns`, without looking at names."""
        score: ScoreT = self.score_type(self, values, n_references, self.formula(values))
        return score

    def formula(self, values: Sequence[int | float]) -> float:
        """Return the number that the paper defines, in percent.

        Args:
            values: sums in the order of `columns`; they are not changed.
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
            InputError: the input cannot be scored; the message says how to fix it.
        """
        return self.score(self.count(hypotheses, references, threads=threads).totals())

    def sentence_scores(
        self, hypotheses: Hypotheses, references: References = None, *, threads: int = 1
    ) -> SegmentScores[ScoreT]:
        """Score every segment separately; arguments as for `corpus_score`."""
        return self.segment_scores(self.count(hypotheses, references, threads=threads))

    def count(
        self, hypotheses: Hypotheses, references: References = None, *, threads: int = 1
    ) -> Table:
        """Count hypotheses and references; arguments as for `corpus_score`.

        Returns:
            A table of one row per hypothesis with this metric's columns.
        """
        if isinstance(references, PreparedReferences):
            return self._count_prepared(hypotheses, references, threads)
        if type(hypotheses) is list and type(references) is list and hypotheses and is_native():
            # The kernel validates while it counts. If it raises, a corpus finds out what is wrong.
            try:
                return self._fill(Segments(TEXT, hypotheses), Segments(TEXT, references), threads)
            except (TypeError, ValueError):
                pass
        return self.table(self.corpus(hypotheses, references), threads=threads)

    def corpus(self, hypotheses: Hypotheses, references: References = None) -> Corpus:
        """Return hypotheses and references as a corpus of the kind this metric counts.

        Args:
            hypotheses: one string or sequence of token ids per segment, or a corpus.
            references: per segment one reference or a list of them; none beside a corpus.

        Raises:
            InputError: they are not valid; the message says how to fix it.
        """
        if isinstance(hypotheses, Corpus):
            if references is not None:
                raise InputTypeError(
                    "a corpus has its own references; leave the other references out"
                )
            return hypotheses
        if self.counted_kind == TOKEN_IDS:
            return Corpus.from_token_ids(hypotheses, references)
        return Corpus(hypotheses, references)  # type: ignore[arg-type]

    def _count_prepared(
        self, hypotheses: Any, references: PreparedReferences, threads: int
    ) -> Table:
        self._check_prepared(references)
        if isinstance(hypotheses, Corpus):
            raise InputTypeError("a corpus has its own references; leave the other references out")
        segments = Segments.hypotheses(hypotheses, self.counted_kind)
        check_lengths(segments, references)
        return references.metric._fill(segments, references.prepared, threads)

    def _check_prepared(self, references: PreparedReferences) -> None:
        if references.metric != self:
            raise OptionError(
                f"these references were prepared by {references.metric!r} and serve no other "
                f"metric: call prepare_references of {self!r}"
            )

    def segment_scores(self, table: Table) -> SegmentScores[ScoreT]:
        """Return the score of every row of a table.

        Args:
            table: a table of this metric, or one with more columns. So a table that was counted
                once has many scores: `BLEU(max_ngram_order=5).table(corpus)` has the columns of
                every smoothing.

        Raises:
            TableError: columns of this metric are missing.
        """
        if not isinstance(table, Table):
            raise wrong_type("table", "a Table", table)
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
                f"{self.name} is computed from the columns {', '.join(self.columns)}, but the "
                f"{who} {', '.join(columns)}: count the texts again"
            )

    def sentence_score(
        self,
        hypothesis: str | Sequence[int],
        references: str | Sequence[str | None] | Sequence[int] | Sequence[Sequence[int]],
    ) -> ScoreT:
        """Score one hypothesis against one reference, or a list of them.

        Raises:
            InputError: the input cannot be scored; the message says how to fix it.
        """
        n_references: int | None = 0
        if self.counted_kind == TEXT:
            n_references = _count_plain(hypothesis, references)
        if not n_references:
            corpus = self.corpus([hypothesis], [references])
            hypothesis, references = corpus.hypotheses[0], corpus.references[0]
            n_references = corpus.n_references
        if self.tokenize_text is not None:
            texts = Segments(TEXT, [hypothesis, references])
            hypothesis, references = texts.tokenized(self.tokenize_text)
        metric = self
        if self.learns:
            kind = TOKENS if self.tokenize_text is not None else self.counted_kind
            metric, _ = self._taught(Segments(kind, [references]))
        row = metric._counter.row(self.counted_kind, hypothesis, references)
        score: ScoreT = self.score_type(self, row, n_references, self._number_of_row(row))
        return score

    def prepare_references(self, references: References, *, threads: int = 1) -> PreparedReferences:
        """Read references once, to score many systems against them.

        Args:
            references: per segment a string or a list of strings.
            threads: threads of the kernel, 0 for one per core.
        """
        segments = Segments.references(references, self.counted_kind)
        counted = self._as_counted(segments)
        taught, prepared = self._taught(counted, threads)
        if taught is self:
            prepared = self._counter.prepare(counted.kind, prepared, threads=check_threads(threads))
        return PreparedReferences(taught, len(segments), segments.n_references, prepared)

    def matrix(
        self,
        hypotheses: Hypotheses,
        references: References,
        *,
        threads: int = 1,
        dtype: str = "float64",
    ) -> Matrix:
        """Score every hypothesis against every reference.

        Args:
            hypotheses: n texts.
            references: m strings or lists of strings, or prepared references; their number need
                not be that of the hypotheses. A metric that learns and has not learned yet learns
                from all of them.
            threads: threads of the kernel, 0 for one per core.
            dtype: "float64" or "float32".

        Returns:
            n x m sentence scores in percent: `matrix[i][j]`, or `matrix[i, j]`, is the number of
            `sentence_score` of hypothesis i and reference j. `numpy.asarray(matrix)` does not copy
            them.

        Raises:
            InputError: there is no hypothesis, or the input cannot be scored.
            OptionError: `dtype` is something else.

        >>> from bleuet import CHRF
        >>> matrix = CHRF().matrix(["a cat", "a dog"], ["a cat", "the dog", "a mouse"])
        >>> [[round(score) for score in row] for row in matrix.tolist()]
        [[100, 4, 4], [6, 31, 9]]
        """
        from bleuet.metrics.filled_matrix import matrix_of

        if isinstance(hypotheses, Corpus):
            raise wrong_type("hypotheses", "a list of texts", hypotheses)
        texts = self._as_counted(Segments.hypotheses(hypotheses, self.counted_kind).decoded())
        if not len(texts):
            raise InputError("there is no hypothesis; expected at least one")
        if not isinstance(references, PreparedReferences):
            references = self.prepare_references(references, threads=threads)
        self._check_prepared(references)
        return matrix_of(references.metric, texts, references, check_threads(threads), dtype)

    def marked(self, hypothesis: str | Sequence[int], references: References) -> MarkedSegment:
        """Return the tokens of one segment, what of them counts, and the steps to the score.

        Args:
            hypothesis: the hypothesis.
            references: one reference or a list of them.

        Raises:
            InputError: the input cannot be scored; the message says how to fix it.
        """
        from bleuet.metrics.derivation import Derivation
        from bleuet.metrics.marked_segment import MarkedSegment

        corpus = self.corpus([hypothesis], [references])
        metric = self.prepare(corpus) if self.learns and self.learned is None else self
        score = metric.sentence_score(hypothesis, references)
        entry = corpus.references[0]
        several = [entry] if isinstance(entry, str) else [one for one in entry if one is not None]
        steps = Derivation(metric.mark_segment(corpus.hypotheses[0], several))
        metric.derive_segment(steps, score.values, corpus.hypotheses[0], several)
        return MarkedSegment(score, *steps.marked, steps)

    def mark_segment(
        self, hypothesis: Any, references: list[Any]
    ) -> tuple[Sequence[object], Sequence[Sequence[object]], Sequence[Mark]]:
        """Return the tokens of a hypothesis and of its references, and the marks on them.

        A metric that counts matches, edits or alignments of words defines this. Others return no
        tokens.

        Args:
            hypothesis: the hypothesis.
            references: its references, at least one.
        """
        return (), (), ()

    def derive_segment(
        self, steps: Derivation, row: Sequence[Any], hypothesis: Any, references: list[Any]
    ) -> None:
        """Add the steps from what was counted to the score of one segment.

        A metric defines this with its formula. Without it, the steps are the numbers of its row.

        Args:
            steps: where the steps go.
            row: the row of the segment.
            hypothesis: the hypothesis.
            references: its references, at least one.
        """
        for name, value in zip(self.columns, row, strict=True):
            steps.count(name, name.replace("_", " "), value)
        steps.count("", self.name, self.formula(row))

    # --- How counting is done ---------------------------------------------------------------------

    @cached_property
    def counted_kind(self) -> str:
        """The kind of segments it counts: `TEXT` or `TOKEN_IDS` of `bleuet.text.segments`."""
        return TEXT

    @cached_property
    def tokenize_text(self) -> Callable[[str], str] | None:
        """The function from text to tokens, where the kernel does not have the tokenizer."""
        return None

    def count_segment(self, hypothesis: str, references: list[str]) -> Sequence[int | float]:
        """Return the row of one segment, in the order of `columns`.

        A metric that counts in plain Python defines this and no counter.

        Args:
            hypothesis: the hypothesis.
            references: its references, at least one.
        """
        raise NotImplementedError

    def learn_segment(self, references: list[str]) -> Iterable[Any]:
        """Yield what the references of one segment teach; the same value twice counts twice.

        A metric that learns and counts in plain Python defines this. `learned` then holds how often
        each value came from all references.

        Args:
            references: the references of the segment, at least one.
        """
        raise NotImplementedError

    def _make_counter(self) -> Any:
        """Make the counter of the backend; without one, `count_segment` counts.

        The counter of a metric that learns has a method `learn`, and counts with `self.learned`.
        """
        from bleuet.statistics.python_backend.base_counter import FunctionCounter

        sizes = len(self.integer_columns), len(self.real_columns)
        return FunctionCounter(*sizes, self.count_segment, self.learn_segment)

    def _fill_scores(self, table: Table, scores: memoryview[float]) -> None:
        """Write the score of each row; a metric whose kernel scores all at once overrides."""
        for i, values in enumerate(zip(*map(table.column, self.columns), strict=True)):
            scores[i] = self.formula(values)

    def _fill_matrix(
        self,
        texts: Segments,
        references: PreparedReferences,
        scores: memoryview[float],
        threads: int,
    ) -> None:
        """Write the scores of texts, each against all references; a faster kernel overrides."""
        from bleuet.metrics.filled_matrix import fill_from_tables

        fill_from_tables(self, texts, references, scores, threads)

    def _number_of_row(self, row: tuple[int | float, ...]) -> float:
        """Return the score of one segment; a metric with a faster kernel routine overrides."""
        return self.formula(row)

    @cached_property
    def _counter(self) -> Any:
        return self._make_counter()

    def _as_counted(self, segments: Segments) -> Segments:
        """Return segments in the kind that the counter counts.

        Raises:
            InputTypeError: they are token ids and it counts text, or the other way round.
        """
        if self.tokenize_text is None and segments.kind == self.counted_kind:
            return segments
        if (segments.kind == TOKEN_IDS) != (self.counted_kind == TOKEN_IDS):
            came, wanted = "token ids", "text"
            fix = f"use tokenize='ids' where {self.name} has it, or score the detokenized text"
            if segments.kind != TOKEN_IDS:
                came, wanted = wanted, came
                fix = "use Corpus.from_token_ids, or a tokenizer of text"
            raise InputTypeError(f"{self!r} counts {wanted}, but the corpus holds {came}: {fix}")
        if self.tokenize_text is None or segments.kind == TOKENS:
            return segments
        return segments.tokenized(self.tokenize_text)

    def _fill(self, hypotheses: Segments, references: Any, threads: int) -> Table:
        """Count; `references` are segments, or what the counter has prepared."""
        hypotheses = self._as_counted(hypotheses)
        taught = self
        if isinstance(references, Segments):
            references = self._as_counted(references)
            if references.kind != hypotheses.kind:
                # One side are lines of files, the other is text.
                hypotheses, references = hypotheses.decoded(), references.decoded()
            taught, references = self._taught(references, threads)
        rows = len(hypotheses)
        counting = backend()
        integers = counting.unwritten(len(self.integer_columns) * rows)
        reals = counting.unwritten(len(self.real_columns) * rows)
        n_references = taught._counter.table(
            hypotheses.kind,
            hypotheses.content,
            references,
            integers,
            reals,
            threads=check_threads(threads),
        )
        # The counter returns 0 where segments differ.
        columns = self.integer_columns, self.real_columns
        learned = taught.learned.fingerprint if taught.learned is not None else ""
        return Table(*columns, rows, integers, reals, n_references or None, learned)


class SegmentScores(Sequence["ScoreT"]):
    """The scores of all segments of a corpus, in order.

    `values` has the numbers; `scores[i]` makes the score of segment i with its components.
    `numpy.asarray(scores)` is an array of the numbers.
    """

    __slots__ = ("_values", "metric", "table")

    def __init__(self, metric: Metric[ScoreT], table: Table, values: memoryview[float]) -> None:
        self.metric = metric
        self.table = table
        self._values = values

    @property
    def values(self) -> memoryview[float]:
        """The numbers in percent, one float64 per segment; `numpy.asarray` does not copy them."""
        return self._values

    @property
    def __array_interface__(self) -> dict[str, Any]:
        return {"version": 3, "shape": (len(self),), "typestr": "<f8", "data": self._values}

    def __len__(self) -> int:
        return len(self._values)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, segment: int) -> ScoreT: ...
        @overload
        def __getitem__(self, segment: slice) -> list[ScoreT]: ...

    def __getitem__(self, segment: int | slice) -> ScoreT | list[ScoreT]:
        if isinstance(segment, slice):
            return [self[i] for i in range(*segment.indices(len(self)))]
        try:
            segment = index(segment)
        except TypeError:
            raise InputTypeError(
                f"expected the number of a segment or a slice, not {type(segment).__name__}"
            ) from None
        if not -len(self) <= segment < len(self):
            raise IndexError(f"segment {segment} of {len(self)}")
        return self.metric.score(self.table.row(segment))

    def __reduce__(self) -> tuple[Any, ...]:
        return self.metric.segment_scores, (self.table,)

    def __repr__(self) -> str:
        return f"<{len(self)} segment scores of {self.metric!r}>"


def _count_plain(hypothesis: object, references: object) -> int:
    """Return the number of references, or 0 where the strings need a closer look."""
    if type(hypothesis) is not str:
        return 0
    if type(references) is str:
        return 1
    if type(references) is list and set(map(type, references)) == {str}:
        return len(references)
    return 0


def check_threads(threads: int) -> int:
    """Return the number of threads.

    Raises:
        OptionError: `threads` is negative, or not a whole number.
    """
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 0:
        raise OptionError(
            f"threads must be a whole number, 0 for one per core, not {shown(threads)}"
        )
    return min(threads, 1024)
