"""The metric: a map from segments to rows, and a reduction from a sum of rows to a score."""

from __future__ import annotations

from bleuet.errors import InputTypeError, TableError
from bleuet.messages import shown, wrong_type
from bleuet.metrics.base.counting import Counting
from bleuet.metrics.base.score import Score
from bleuet.metrics.base.text_checks import warn_of_references
from bleuet.statistics.backend import is_native
from bleuet.statistics.table import Table, Totals
from bleuet.text.segments import TEXT, TOKENS, Segments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, ClassVar, Generic, Literal, NoReturn, Self

    from bleuet.metrics.base.counting import Hypotheses, References
    from bleuet.metrics.base.derivation import Derivation
    from bleuet.metrics.base.marked_segment import MarkedSegment
    from bleuet.metrics.base.marks import Mark
    from bleuet.metrics.base.matrix import Matrix
    from bleuet.metrics.base.prepared import PreparedReferences
    from bleuet.metrics.base.score import ScoreT
    from bleuet.metrics.base.segment_scores import SegmentScores

    class _Typed(Counting, Generic[ScoreT]):
        pass
else:

    class _Typed(Counting):
        """A generic class for type checkers; importing `typing` would slow down scoring."""

        def __class_getitem__(cls, item):
            return cls


# What users of other libraries call, and the method that they mean.
_OTHER_METHODS = {
    **dict.fromkeys(("compute", "compute_score", "evaluate"), "corpus_score"),
    "segment_score": "sentence_score",
    "get_signature": "signature",
}


class Metric(_Typed["ScoreT"]):
    """The base of all metrics: a map from segments to rows, and from a sum of rows to a score.

    A metric is a class with options, each declared with `option`, and these members:

    - `integer_columns`, `real_columns` and `formula`;
    - `count_segment`, or `counter` where the kernel counts;
    - `score_type`, if the scores have components, and `name`, if it is not that of the class;
    - `row_limits`, if the numbers of a row limit each other;
    - `reads_sources`, if it reads the source of each segment, as `source_of` returns it;
    - `splits_at_spaces`, if it takes what is between spaces for words of any language;
    - `learns` and `learn_segment`, if its rows depend on all references;
    - `in_order` and `following`, if a row depends on the rows before;
    - `mark_segment` and `derive_segment`, which explain the score of one segment;
    - `check_options`, if some options do not go together.

    The keys of its signature must differ from those of every other metric.
    """

    higher_is_better: ClassVar[bool] = True
    # The class of its scores, which adds their components.
    score_type: ClassVar[type[Any]] = Score
    # The digits that its scores need beyond those of a score in percent.
    extra_digits: ClassVar[int] = 0

    # What `dir` lists of it for users, besides the options. Other members are for writers of
    # metrics.
    _for_users: ClassVar[tuple[str, ...]] = (
        *("name", "definition", "source", "higher_is_better"),
        *("signature", "options", "option_values", "with_options"),
        *("corpus_score", "sentence_score", "sentence_scores", "matrix", "marked"),
        *("count", "table", "score", "segment_scores", "prepare", "prepare_references"),
    )

    # What `bleuet metrics NAME` prints besides the options.
    if TYPE_CHECKING:

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
        definition = source = needs = same_number = ""

    @classmethod
    def suited_to(cls, *, language: str, sentences: bool) -> dict[str, Any]:
        """Return the options that suit a use better than the defaults do.

        Args:
            language: the code of the target language, or "".
            sentences: whether segments are scored one by one.
        """
        return {}

    @classmethod
    def made_for(
        cls, options: Mapping[str, Any], *, language: str = "", sentences: bool = False
    ) -> Self:
        """Return the metric with options, and with those that suit a use where these say nothing.

        Args:
            options: values of options by their names.
            language: the code of the target language, or "".
            sentences: whether segments are scored one by one.

        Raises:
            OptionError: there is no such option, or it does not accept the value.
        """
        return cls(**{**cls.suited_to(language=language, sentences=sentences), **options})

    @classmethod
    def _needs_names(cls, unnamed: tuple[Any, ...]) -> InputTypeError:
        alone = len(unnamed) == 1 and not hasattr(unnamed[0], "__iter__")
        if alone or (len(unnamed) == 1 and isinstance(unnamed[0], str)):
            return super()._needs_names(unnamed)
        kind = cls.__name__
        return InputTypeError(
            f"{kind} takes options by name, and no texts: to score texts, use "
            f"{kind}().corpus_score(hypotheses, references)"
        )

    def __dir__(self) -> list[str]:
        special = [name for name in super().__dir__() if name.startswith("_")]
        # A class outside of this package is its writer's own.
        own = [kind for kind in type(self).__mro__ if not kind.__module__.startswith("bleuet.")]
        added = [name for kind in own[:-1] for name in vars(kind)]
        return sorted({*special, *added, *self._for_users, *self._fields})

    # --- From rows to scores ----------------------------------------------------------------------

    def score(self, totals: Totals, references: None = None) -> ScoreT:
        """Return the score of a sum of rows.

        Args:
            totals: a sum of rows of this metric's tables, or of tables with more columns, such as
                those of BLEU with a longer order; it is not changed.
            references: None; `corpus_score` takes texts, as the error says.

        Raises:
            InputTypeError: texts came instead of totals.
            TableError: columns of this metric are missing, or no segment was added.
        """
        if references is not None or not isinstance(totals, Totals):
            raise InputTypeError(
                f"score takes the totals of a table, not {shown(totals)}: to score texts, use "
                f"{type(self).__name__}().corpus_score(hypotheses, references)"
            )
        if totals.columns != self.columns:
            _check_columns(self, totals.columns, "totals have")
            totals = totals.take_columns(self.columns)
        if not totals.rows:
            # A sum of nothing would be a perfect error rate.
            raise TableError(f"{self.name} of no segment is undefined: count at least one segment")
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
        from bleuet.metrics.base.segment_scores import SegmentScores

        if table.columns != self.columns:
            _check_columns(self, table.columns, "table has")
            table = table.take_columns(self.integer_columns, self.real_columns)
        scores = memoryview(bytearray(8 * table.rows)).cast("d")
        if is_native():
            self._fill_scores(table, scores)
        else:
            Metric._fill_scores(self, table, scores)
        return SegmentScores(self, table, scores.toreadonly())

    # --- From texts to scores ---------------------------------------------------------------------

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
        kind = self.counted_kind
        if kind == TEXT:
            n_references = _count_plain(hypothesis, references)
        if not n_references:
            corpus = self.corpus([hypothesis], [references])
            self._reject_sources_alone(corpus.segments[1])
            hypothesis, references = corpus.hypotheses[0], corpus.references[0]
            n_references = corpus.n_references
        given: Any = references
        text: Any = hypothesis
        if self.tokenize_text is not None:
            texts = Segments(TEXT, [hypothesis, references])
            hypothesis, references = texts.tokenized(self.tokenize_text)
        metric = self
        if self.learns:
            learned = TOKENS if self.tokenize_text is not None else kind
            metric, _ = self._taught(Segments(learned, [references]))
        row = metric._counter.row(kind, hypothesis, references)
        number = self._number_of_row(row)
        if not (number and (number < 100.0 or self.higher_is_better)) or (
            n_references != 1 and kind == TEXT and ("" in given or _are_single_words(given))
        ):
            warn_of_references(self, given, text)
        score: ScoreT = self.score_type(self, row, n_references, number)
        return score

    def matrix(
        self,
        hypotheses: Hypotheses,
        references: References,
        *,
        threads: int = 1,
        dtype: Literal["float64", "float32"] = "float64",
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
        from bleuet.metrics.base.matrix import matrix_of

        return matrix_of(self, hypotheses, references, threads, dtype)

    # --- Explaining -------------------------------------------------------------------------------

    def marked(self, hypothesis: str | Sequence[int], references: References) -> MarkedSegment:
        """Return the tokens of one segment, what of them counts, and the steps to the score.

        Args:
            hypothesis: the hypothesis.
            references: one reference or a list of them.

        Raises:
            InputError: the input cannot be scored; the message says how to fix it.
        """
        from bleuet.metrics.base.marked_segment import marked_segment

        return marked_segment(self, hypothesis, references)

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

    # --- What a faster kernel overrides -----------------------------------------------------------

    def _fill_scores(self, table: Table, scores: memoryview[float]) -> None:
        """Write the score of each row; a metric whose kernel scores all at once overrides."""
        formula = self.formula
        for i, values in enumerate(zip(*map(table.column, self.columns), strict=True)):
            scores[i] = formula(values)

    def _fill_matrix(
        self,
        texts: Segments,
        references: PreparedReferences,
        scores: memoryview[float],
        threads: int,
    ) -> None:
        """Write the scores of texts, each against all references; a faster kernel overrides."""
        from bleuet.metrics.base.matrix import fill_from_tables

        fill_from_tables(self, texts, references, scores, threads)

    def _number_of_row(self, row: tuple[int | float, ...]) -> float:
        """Return the score of one segment; a metric with a faster kernel routine overrides."""
        return self.formula(row)


class _OtherMethod:
    """The name of a method in other libraries: reading it says which method is meant.

    A `__getattr__` of the metric would slow down every attribute that a score reads.
    """

    def __init__(self, name: str, meant: str) -> None:
        self.name = name
        self.meant = meant

    def __get__(self, metric: object, owner: type) -> NoReturn:
        raise AttributeError(
            f"{owner.__name__} has no attribute {self.name!r} (did you mean {self.meant}?)"
        )


for _name, _meant in _OTHER_METHODS.items():
    setattr(Metric, _name, _OtherMethod(_name, _meant))


def _count_plain(hypothesis: object, references: object) -> int:
    """Return the number of references, or 0 where the strings need a closer look."""
    if type(hypothesis) is not str:
        return 0
    if type(references) is str:
        return 1
    if type(references) is list and set(map(type, references)) == {str}:
        return len(references)
    return 0


def _are_single_words(references: Sequence[str | None]) -> bool:
    """Return whether references may be the words of a text, where that is cheap to know."""
    return len(references) > 2 and " " not in "".join(filter(None, references))


def _check_columns(metric: Metric[Any], columns: Sequence[str], who: str) -> None:
    missing = [name for name in metric.columns if name not in columns]
    if missing:
        raise TableError(
            f"{metric.name} is computed from the columns {', '.join(metric.columns)}, but the "
            f"{who} {', '.join(columns)}: count the texts again"
        )
