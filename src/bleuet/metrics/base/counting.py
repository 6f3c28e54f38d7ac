"""How a metric counts: the map from segments to rows of a table."""

from __future__ import annotations

from bleuet.errors import InputError, InputTypeError
from bleuet.frozen import cached_property
from bleuet.messages import wrong_type
from bleuet.metrics.base.counter import CounterClass
from bleuet.metrics.base.declared import Declared
from bleuet.metrics.base.text_checks import look_right, warn_of_texts
from bleuet.metrics.base.text_problems import HYPOTHESES
from bleuet.statistics.backend import backend, check_threads, is_native
from bleuet.statistics.table import Table
from bleuet.text.corpus import Corpus
from bleuet.text.segments import TEXT, TOKEN_IDS, TOKENS, Segments, lacks_references

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, ClassVar, Protocol, Self, TypeAlias

    from bleuet.metrics.base.prepared import PreparedReferences
    from bleuet.metrics.base.row_limit import RowLimit
    from bleuet.statistics.table import Totals

    Hypotheses: TypeAlias = Iterable[str | Sequence[int]] | Segments | Corpus
    # One string or one list of strings per segment, Segments, or PreparedReferences.
    References: TypeAlias = Any

    class Learned(Protocol):
        """What a metric learned; its class has a function `join` of several."""

        @property
        def fingerprint(self) -> str:
            """Hexadecimal digits that other references would change."""


class Counting(Declared):
    """The half of a metric that counts: a map from segments to rows."""

    # What counts; by default `count_segment`.
    counter: ClassVar[CounterClass] = CounterClass()
    # Whether it learns from all references before it counts. Its counter then has `learn`.
    learns: ClassVar[bool] = False
    # How many segments it has to learn from for scores above 0.
    fewest_segments: ClassVar[int] = 1
    # Whether it reads the source of each segment, which `with_sources` adds to the references.
    reads_sources: ClassVar[bool] = False
    # Whether its real numbers are ratings, which can be negative, and no counts.
    rates: ClassVar[bool] = False
    # Whether it compares with references; a model may read the source alone.
    needs_references: ClassVar[bool] = True
    # Whether it takes what is between spaces for words, of every language.
    splits_at_spaces: ClassVar[bool] = False
    # What a metric has learned; None before. Metrics that differ only in this are equal.
    learned: ClassVar[Any] = None

    if TYPE_CHECKING:

        @property
        def integer_columns(self) -> tuple[str, ...]:
            """Names of the integer columns of its table."""

        @property
        def real_columns(self) -> tuple[str, ...]:
            """Names of the real columns of its table."""
    else:
        integer_columns = ()
        real_columns = ()

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of all columns of its table, integer columns first."""
        return self.integer_columns + self.real_columns

    @property
    def in_order(self) -> bool:
        """Whether its rows depend on the segments before, so that `following` has to be called."""
        return False

    def following(self, totals: Totals | None) -> Self:
        """Return the metric that counts the segments behind those of a sum of rows.

        Most metrics count every segment by itself and return themselves.

        Args:
            totals: the sum of the rows so far; None before the first.
        """
        return self

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
    def counted_by(self) -> Any:
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

    # --- Counting ---------------------------------------------------------------------------------

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

    def count(
        self, hypotheses: Hypotheses, references: References = None, *, threads: int = 1
    ) -> Table:
        """Count hypotheses and references; arguments as for `corpus_score`.

        Returns:
            A table of one row per hypothesis with this metric's columns.
        """
        if type(hypotheses) is list and type(references) is list and hypotheses and is_native():
            # The kernel validates while it counts. If it raises, a corpus finds out what is wrong.
            ours, theirs = Segments(TEXT, hypotheses), Segments(TEXT, references)
            try:
                table = self._fill(ours, theirs, threads)
            except (TypeError, ValueError):
                pass
            else:
                if not look_right(self, hypotheses, references):
                    warn_of_texts((self,), ((HYPOTHESES, ours),), theirs)
                return table
        from bleuet.metrics.base.prepared import PreparedReferences, count_prepared

        if isinstance(references, PreparedReferences):
            return count_prepared(self, hypotheses, references, threads)
        corpus = self.corpus(hypotheses, references)
        table = self.table(corpus, threads=threads)
        ours, theirs = corpus.segments
        is_text = ours.kind == TEXT and not isinstance(hypotheses, Segments)
        if is_text and not look_right(self, ours.tolist(), theirs.tolist()):
            warn_of_texts((self,), ((HYPOTHESES, ours),), theirs)
        return table

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

    def prepare_references(self, references: References, *, threads: int = 1) -> PreparedReferences:
        """Read references once, to score many systems against them.

        Args:
            references: per segment a string or a list of strings.
            threads: threads of the kernel, 0 for one per core.
        """
        from bleuet.metrics.base.prepared import read_references

        return read_references(self, references, threads)

    # --- Learning ---------------------------------------------------------------------------------

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

    def learn_segment(self, references: list[str]) -> Iterable[Any]:
        """Yield what the references of one segment teach; the same value twice counts twice.

        A metric that learns and counts in plain Python defines this. `learned` then holds how often
        each value came from all references.

        Args:
            references: the references of the segment, at least one.
        """
        raise NotImplementedError

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

    def _make_counter(self) -> Any:
        """Make what counts; a metric that counts in another way overrides."""
        return self.counter.make(self)

    @cached_property
    def _counter(self) -> Any:
        return self._make_counter()

    def _as_counted(self, segments: Segments) -> Segments:
        """Return segments in the kind that the counter counts.

        Raises:
            InputTypeError: they are token ids and it counts text, or the other way round.
            InputError: they are sources alone, and it compares with references.
        """
        self._reject_sources_alone(segments)
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

    def _reject_sources_alone(self, references: Segments) -> None:
        if references.kind == TEXT and lacks_references(references) and self.needs_references:
            raise InputError(
                f"{self.name} compares hypotheses with references, but there are sources alone: "
                "add the references"
            )

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
        # The counter returns 0 where segments differ, and -1 where they have a source alone.
        columns = self.integer_columns, self.real_columns
        learned = taught.learned.fingerprint if taught.learned is not None else ""
        return Table(
            *columns, rows, integers, reals, max(n_references, 0) if n_references else None, learned
        )
