"""The texts of systems that are compared: what analyses count in them, beside their scores."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from bleuet.comparison.frequencies import word_frequencies
from bleuet.comparison.matching import count_words
from bleuet.comparison.ngrams import match_ngrams
from bleuet.comparison.tokens import tokenize_all
from bleuet.errors import InputError, InputTypeError, OptionError
from bleuet.evaluation.evaluation import Evaluation
from bleuet.evaluation.external import SegmentMean
from bleuet.evaluation.names import check_names
from bleuet.frozen import Value
from bleuet.metrics.base.metric import Metric
from bleuet.metrics.base.text_checks import TextChecks
from bleuet.metrics.catalogue import make_metric
from bleuet.text.corpus import Corpus
from bleuet.text.segments import TOKEN_IDS
from bleuet.text.tokenizers import DEFAULT, find_tokenizer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, TypeAlias

    from bleuet.comparison.matching import WordCounts
    from bleuet.comparison.ngrams import NgramGroups
    from bleuet.comparison.tokens import Tokens
    from bleuet.evaluation.external import Scores
    from bleuet.text.segments import Segments

    AnyMetric: TypeAlias = Metric[Any]


class ComparedTexts(Value, eq=False):
    """The texts of an evaluation; made by `evaluate_texts`.

    All that analyses share is computed when it is first used, and only once.

    Attributes:
        evaluation: the systems, scored.
        corpora: the corpus of each system; all share the references.
        tokenizer: the name of the tokenizer that splits texts into words.
        training: how often words occur, or texts to count words in; None for the references.
    """

    evaluation: Evaluation
    corpora: tuple[Corpus, ...]
    tokenizer: str
    training: Mapping[str, int] | Iterable[str] | None = None

    @property
    def hypotheses(self) -> tuple[list[str], ...]:
        """The hypotheses of each system, `hypotheses[system][segment]`."""
        return tuple(corpus.hypotheses for corpus in self.corpora)

    @cached_property
    def references(self) -> tuple[tuple[str, ...], ...]:
        """The references of each segment, without absent ones, `references[segment][reference]`."""
        return tuple(map(_alternatives, self.corpora[0].references))

    @cached_property
    def sources(self) -> tuple[str, ...] | None:
        """What was translated or simplified, one text per segment; None where it is unknown."""
        texts = self.corpora[0].sources
        return None if texts is None else tuple(texts)

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
        return bool(_bleu_option(self.evaluation.metrics, "lowercase"))

    @cached_property
    def frequencies(self) -> Mapping[str, int]:
        """How often each word occurs in the references, or in the training text."""
        return word_frequencies(self.words, self.training, lowercase=self.lowercase)

    @cached_property
    def problems(self) -> tuple[str, ...]:
        """What makes the scores of these texts doubtful, a sentence for each problem."""
        checks = TextChecks(self.evaluation.systems, self.evaluation.metrics)
        checks.check([corpus.segments[0] for corpus in self.corpora], self.corpora[0].segments[1])
        return tuple(checks.problems())

    @cached_property
    def word_counts(self) -> tuple[WordCounts, ...]:
        """The counts of all words of each system."""
        return tuple(count_words(self.words, system) for system in range(len(self.hypotheses)))

    @cached_property
    def ngram_groups(self) -> NgramGroups:
        """All n-grams with a match, in groups of the same matches by each system."""
        return match_ngrams(self.words)


def evaluate_texts(
    hypotheses: Mapping[str, Iterable[str] | Segments],
    references: Iterable[Any] | Segments,
    metrics: str | AnyMetric | Sequence[str | AnyMetric] = ("bleu", "chrf"),
    *,
    scores: Scores | None = None,
    frequencies: Mapping[str, int] | Iterable[str] | None = None,
    tokenize: str | None = None,
    documents: Sequence[Any] | None = None,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> ComparedTexts:
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

    >>> found = evaluate_texts({"mine": ["The cat."]}, ["A cat."], ["ter"])
    >>> print(found.evaluation.scores["mine"][0])
    TER = 50.00
    """
    corpora = _corpora(hypotheses, references)
    first = next(iter(corpora.values()))
    parts = []
    if scores is not None and not (isinstance(scores, Mapping) and not scores):
        parts.append(Evaluation.from_scores(scores, tuple(corpora), len(first)))
    given = [metric for part in parts for metric in part.metrics]
    made = _metrics(metrics, given)
    tokenizer = tokenize or _bleu_option(made, "tokenize") or DEFAULT
    find_tokenizer(tokenizer)
    computed = [metric for metric in made if metric not in given]
    if computed:
        segments = {name: corpus.segments[0] for name, corpus in corpora.items()}
        counted = Evaluation.count(
            computed, segments, first.segments[1], threads=threads, progress=progress
        )
        parts.append(counted)
    texts = ComparedTexts(
        evaluation=Evaluation.joined(parts, made).replace(documents=documents),
        corpora=tuple(corpora.values()),
        tokenizer=tokenizer,
        training=frequencies,
    )
    if frequencies is not None:
        # Counted now, since the lines of a file can be read only once.
        _ = texts.frequencies
    return texts


def _corpora(
    hypotheses: Mapping[str, Iterable[str] | Segments], references: Iterable[Any] | Segments
) -> dict[str, Corpus]:
    """Return the corpus of each system; all share the references, which are validated once."""
    if not hasattr(hypotheses, "items"):
        raise InputTypeError(
            "hypotheses must be a mapping from names of systems to lists of strings, as in "
            f"{{'mine': [...], 'theirs': [...]}}, not {type(hypotheses).__name__}"
        )
    check_names(hypotheses)
    corpora: dict[str, Corpus] = {}
    for name, texts in hypotheses.items():
        try:
            shared = next(iter(corpora.values()), None)
            corpora[name] = shared.with_hypotheses(texts) if shared else Corpus(texts, references)
        except InputError as error:
            raise type(error)(f"system {name}: {error}") from error
    if not corpora:
        raise InputError("there is no system; a comparison needs at least one, better two")
    return corpora


def _metrics(
    metrics: str | AnyMetric | Sequence[str | AnyMetric], given: Sequence[AnyMetric]
) -> list[AnyMetric]:
    """Return the metrics that are wanted, and those of external scores that are not named."""
    by_name = {metric.name: metric for metric in given}
    listed = [metrics] if isinstance(metrics, str | Metric) else metrics
    made = [
        one if isinstance(one, Metric) else by_name.get(one) or make_metric(one) for one in listed
    ]
    made += [metric for metric in given if metric not in made]
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
    for metric in made:
        if metric not in given:
            _check_name(metric, by_name)
    return made


def _check_name(metric: AnyMetric, given: Mapping[str, AnyMetric]) -> None:
    """Check that a metric that is computed has no name of external scores."""
    if not isinstance(metric, SegmentMean):
        same = next((name for name in given if name.lower() == metric.name.lower()), None)
        if same is not None:
            raise OptionError(
                f"two metrics are called {same}: choose another name for the external scores"
            )
    elif metric.name in given:
        raise OptionError(
            f"higher_is_better of {metric.label} differs between metrics and scores: use the same "
            "SegmentMean in both"
        )
    else:
        raise OptionError(
            f"{metric.label} is a mean of external scores, but has none: add them to scores"
        )


def _alternatives(entry: Any) -> tuple[str, ...]:
    return (entry,) if isinstance(entry, str) else tuple(text for text in entry if text is not None)


def _bleu_option(metrics: Sequence[AnyMetric], name: str) -> Any:
    """Return an option of the first metric that counts words as BLEU does, None without one."""
    for metric in metrics:
        if any(o.name == "tokenize" and DEFAULT in o.choices for o in metric.options):
            return getattr(metric, name)
    return None
