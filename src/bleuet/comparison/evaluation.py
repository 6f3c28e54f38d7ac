"""An evaluation: systems on one test set, counted once by each metric."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cached_property

from bleuet.comparison.frequencies import word_frequencies
from bleuet.comparison.matching import count_words
from bleuet.comparison.ngrams import match_ngrams
from bleuet.comparison.tokens import tokenize_all
from bleuet.engines.counting import count_systems
from bleuet.errors import InputError, InputTypeError, OptionError
from bleuet.evaluation.external_scores import (
    check_metrics,
    extra_digits,
    score_of,
    validate_scores,
)
from bleuet.evaluation.systems import Systems
from bleuet.metrics.catalogue import make_metric
from bleuet.metrics.metric import Metric
from bleuet.metrics.score import headings
from bleuet.output.document import Column
from bleuet.significance.missing_scores import compared_segments
from bleuet.text.corpus import Corpus
from bleuet.text.segments import TOKEN_IDS
from bleuet.text.tokenizers import DEFAULT, find_tokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from bleuet.comparison.matching import WordCounts
    from bleuet.comparison.ngrams import NgramGroups
    from bleuet.comparison.tokens import Tokens
    from bleuet.evaluation.external_scores import Column as ScoreColumn
    from bleuet.evaluation.external_scores import ExternalScores, Scores
    from bleuet.metrics.score import Score
    from bleuet.statistics.table import Table

    AnyMetric: TypeAlias = Metric[Any]


@dataclass(frozen=True, repr=False, eq=False)
class Evaluation:
    """Systems on one test set: their texts and their tables of statistics; made by `evaluate`.

    All that analyses share is computed when it is first used, and only once.

    Attributes:
        systems: the names of the systems.
        hypotheses: the hypotheses of each system, `hypotheses[system][segment]`.
        references: the references of each segment, without absent ones,
            `references[segment][reference]`.
        metrics: the metrics.
        names: the printed names of the metrics, with numbers where two are the same.
        tables: the statistics of each system by each metric, `tables[system][metric]`.
        tokenizer: the name of the tokenizer that splits texts into words.
        external: the external scores by the name of their metric.
        documents: the document of each segment, None where segments do not depend on each other.
    """

    systems: tuple[str, ...]
    hypotheses: tuple[list[str], ...]
    references: tuple[tuple[str, ...], ...]
    metrics: tuple[AnyMetric, ...]
    names: tuple[str, ...]
    tables: tuple[tuple[Table, ...], ...]
    tokenizer: str
    external: Mapping[str, ExternalScores]
    documents: Sequence[Any] | None = None

    def __len__(self) -> int:
        return len(self.references)

    def __repr__(self) -> str:
        systems, metrics = ", ".join(self.systems), ", ".join(self.names)
        return f"<{systems} on {len(self)} segments, counted by {metrics}>"

    # --- Scores -------------------------------------------------------------------------------

    @cached_property
    def scores(self) -> tuple[tuple[Score, ...], ...]:
        """The scores of each system on the whole test set, `scores[system][metric]`."""
        return tuple(
            tuple(
                metric.score(table.totals())
                for metric, table in zip(self.metrics, own, strict=True)
            )
            for own in self.compared_tables
        )

    @cached_property
    def compared_tables(self) -> tuple[tuple[Table, ...], ...]:
        """The tables, with external scores only of the segments that tests compare systems on."""
        systems, places = self.to_systems(), range(len(self.metrics))
        kept = [compared_segments(systems, metric) for metric in places]
        return tuple(
            tuple(self._restricted(system, metric, kept[metric]) for metric in places)
            for system in range(len(self.systems))
        )

    def _restricted(self, system: int, metric: int, rows: Sequence[int] | None) -> Table:
        """Return a table of external scores without those of other segments."""
        if rows is None:
            return self.tables[system][metric]
        one = self.external[self.metrics[metric].name]
        kept = set(rows)
        return one.mean.table_of(
            score if row in kept else None for row, score in enumerate(one.columns[system])
        )

    def scores_of(self, system: int, rows: Sequence[int]) -> tuple[Score | None, ...]:
        """Return the scores of a system on some segments, one per metric.

        Args:
            system: the index of the system.
            rows: the segments, from 0.

        Returns:
            The scores; None where no segment has one.
        """
        if not rows:
            return (None,) * len(self.metrics)
        return tuple(
            score_of(metric, table.select(rows).totals())
            for metric, table in zip(self.metrics, self.compared_tables[system], strict=True)
        )

    @cached_property
    def sentence_metrics(self) -> tuple[AnyMetric, ...]:
        """The metrics with the options that suit sentences; they count the same statistics.

        BLEU has the effective order, without which short sentences would score 0.
        """
        return tuple(map(_for_sentences, self.metrics))

    @cached_property
    def sentence_scores(self) -> tuple[tuple[ScoreColumn, ...], ...]:
        """The score of each segment, `sentence_scores[system][metric][segment]`.

        None where external scores have none for a segment.
        """
        return tuple(
            tuple(
                self.external[metric.name].columns[system]
                if metric.name in self.external
                else array("d", metric.segment_scores(table).values)
                for metric, table in zip(self.sentence_metrics, own, strict=True)
            )
            for system, own in enumerate(self.tables)
        )

    def range_of(self, metric: int) -> tuple[float, float]:
        """Return the smallest and the largest score of a segment by a metric."""
        columns = [own[metric] for own in self.sentence_scores]
        scores = [score for own in columns for score in own if score is not None]
        return min(scores), max(scores)

    def to_systems(self) -> Systems:
        """Return the systems as significance tests take them; nothing is counted again."""
        tables = dict(zip(self.systems, self.tables, strict=True))
        return Systems(self.metrics, tables, documents=self.documents)

    @cached_property
    def extra_digits(self) -> tuple[int, ...]:
        """The digits that scores of each metric need beyond those of a score in percent."""
        return tuple(
            extra_digits(
                metric,
                self.external[metric.name].columns if metric.name in self.external else (),
            )
            for metric in self.metrics
        )

    def score_column(self, metric: int, key: str, title: str = "") -> Column:
        """Return a column of a table for scores of a metric.

        Args:
            metric: the index of the metric.
            key: the name of the column for programs.
            title: its heading; default the key.
        """
        return Column(
            key,
            title,
            "score",
            extra_digits=self.extra_digits[metric],
            lower_is_better=not self.metrics[metric].higher_is_better,
        )

    # --- Words --------------------------------------------------------------------------------

    @cached_property
    def tokens(self) -> Tokens:
        """The words of all texts as they are written."""
        return tokenize_all(self.tokenizer, self.hypotheses, self.references)

    @cached_property
    def words(self) -> Tokens:
        """The words as analyses compare them: in lower case where BLEU ignores case."""
        return self.tokens.lowercased() if self.lowercase else self.tokens

    @property
    def lowercase(self) -> bool:
        """Whether words are compared in lower case."""
        return bool(_bleu_option(self.metrics, "lowercase"))

    @cached_property
    def frequencies(self) -> Mapping[str, int]:
        """How often each word occurs in the references, or in the source given to `evaluate`."""
        return word_frequencies(self.words)

    @cached_property
    def word_counts(self) -> tuple[WordCounts, ...]:
        """The counts of all words of each system."""
        return tuple(count_words(self.words, system) for system in range(len(self.systems)))

    @cached_property
    def ngram_groups(self) -> NgramGroups:
        """All n-grams with a match, in groups of the same matches by each system."""
        return match_ngrams(self.words)


def evaluate(
    hypotheses: Mapping[str, Iterable[str]],
    references: Iterable[Any],
    metrics: str | AnyMetric | Sequence[str | AnyMetric] = ("bleu", "chrf"),
    *,
    scores: Scores | None = None,
    frequencies: Mapping[str, int] | Iterable[str] | None = None,
    tokenize: str | None = None,
    documents: Sequence[Any] | None = None,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Validate the texts and count each system once by each metric.

    Args:
        hypotheses: the hypotheses of each system by its name, one string per segment.
        references: per segment a string or a list of strings.
        metrics: metrics, or names of the catalogue or of `scores`.
        scores: external scores by metric and system; they are further metrics, after the others
            where `metrics` does not name them.
        frequencies: how often words occur: counts by word, or texts to count words in; default the
            references.
        tokenize: the tokenizer that splits texts into words; default that of BLEU, where BLEU is
            among the metrics, else 13a.
        documents: the document of each segment, for intervals and tests.
        threads: threads of the kernel, 0 for one per core.
        progress: called after each batch with the segments counted so far and the number of all.

    Raises:
        InputError: the texts are invalid; the message names the system.
        OptionError: there is no such metric or tokenizer, or a metric is duplicate.

    >>> print(evaluate({"mine": ["The cat."]}, ["A cat."], ["ter"]).scores[0][0])
    TER = 50.00
    """
    corpora = _corpora(hypotheses, references)
    first = next(iter(corpora.values()))
    texts = tuple(corpus.hypotheses for corpus in corpora.values())
    external = validate_scores(scores, tuple(corpora), len(first))
    made = _metrics(metrics, external)
    tokenizer = tokenize or _bleu_option(made, "tokenize") or DEFAULT
    find_tokenizer(tokenizer)
    evaluation = Evaluation(
        systems=tuple(corpora),
        hypotheses=texts,
        references=tuple(_alternatives(entry) for entry in first.references),
        metrics=tuple(made),
        names=tuple(headings([metric.name for metric in made])),
        tables=_tables(made, external, list(corpora.values()), threads, progress),
        tokenizer=tokenizer,
        external=external,
        documents=documents,
    )
    if frequencies is not None:
        # Counted now, since the lines of a file can be read only once.
        found = word_frequencies(evaluation.words, frequencies, lowercase=evaluation.lowercase)
        vars(evaluation)["frequencies"] = found
    return evaluation


def _tables(
    metrics: Sequence[AnyMetric],
    external: Mapping[str, ExternalScores],
    corpora: Sequence[Corpus],
    threads: int,
    progress: Callable[[int, int], None] | None,
) -> tuple[tuple[Table, ...], ...]:
    """Return the table of each system by each metric, counted or of external scores."""
    computed = [metric for metric in metrics if metric.name not in external]
    counted: Sequence[Sequence[Table]] = [()] * len(corpora)
    if computed:
        texts, references = zip(*[corpus.segments for corpus in corpora], strict=True)
        counted = count_systems(computed, texts, references[0], threads=threads, progress=progress)
    found = []
    for system, own in enumerate(counted):
        following = iter(own)
        found.append(
            tuple(
                external[metric.name].tables[system] if metric.name in external else next(following)
                for metric in metrics
            )
        )
    return tuple(found)


def _corpora(
    hypotheses: Mapping[str, Iterable[str]], references: Iterable[Any]
) -> dict[str, Corpus]:
    """Return the corpus of each system; all share the references, which are validated once."""
    if not hasattr(hypotheses, "items"):
        raise InputTypeError(
            "hypotheses must be a mapping from names of systems to lists of strings, as in "
            f"{{'mine': [...], 'theirs': [...]}}, not {type(hypotheses).__name__}"
        )
    corpora: dict[str, Corpus] = {}
    for name, texts in hypotheses.items():
        if not isinstance(name, str):
            raise InputTypeError(f"the name of a system must be a string, not {name!r}")
        try:
            shared = next(iter(corpora.values()), None)
            corpora[name] = shared.with_hypotheses(texts) if shared else Corpus(texts, references)
        except InputError as error:
            raise type(error)(f"system {name}: {error}") from error
    if not corpora:
        raise InputError("there is no system; a comparison needs at least one, better two")
    return corpora


def _metrics(
    metrics: str | AnyMetric | Sequence[str | AnyMetric], external: Mapping[str, ExternalScores]
) -> list[AnyMetric]:
    listed = [metrics] if isinstance(metrics, str | Metric) else metrics
    made = [_metric(metric, external) for metric in listed]
    made += [one.mean for one in external.values() if one.mean not in made]
    if not made:
        raise OptionError("there is no metric; name at least one, such as bleu")
    for number, metric in enumerate(made):
        if metric in made[:number]:
            raise OptionError(f"the metric {metric.name} is named twice: name each metric once")
        if metric.counted_kind == TOKEN_IDS:
            raise OptionError(
                f"{metric.name} counts token ids, but a comparison needs texts: use another "
                "tokenizer"
            )
    check_metrics(made, external)
    return made


def _metric(wanted: str | AnyMetric, external: Mapping[str, ExternalScores]) -> AnyMetric:
    if isinstance(wanted, str):
        return external[wanted].mean if wanted in external else make_metric(wanted)
    return wanted


def _for_sentences(metric: AnyMetric) -> AnyMetric:
    usual = metric.suited_to(language="", sentences=False)
    suited = metric.suited_to(language="", sentences=True)
    changed = {name: value for name, value in suited.items() if usual.get(name) != value}
    return metric.with_options(**changed)


def _alternatives(entry: Any) -> tuple[str, ...]:
    return (entry,) if isinstance(entry, str) else tuple(text for text in entry if text is not None)


def _bleu_option(metrics: Sequence[AnyMetric], name: str) -> Any:
    """Return an option of the first metric that counts words as BLEU does, None without one."""
    for metric in metrics:
        if any(o.name == "tokenize" and DEFAULT in o.choices for o in metric.options):
            return getattr(metric, name)
    return None
