"""An evaluation: some systems on one test set, each counted once by each metric."""

from __future__ import annotations

from dataclasses import dataclass

from bleuet.engines.counting import count_systems
from bleuet.errors import InputError, InputTypeError, OptionError
from bleuet.metrics.catalogue import make_metric
from bleuet.metrics.metric import Metric
from bleuet.metrics.score import headings
from bleuet.studies.comparison.tokens import tokenize_all
from bleuet.studies.external_scores import (
    check_metrics,
    extra_digits,
    score_of,
    validate_scores,
)
from bleuet.text.corpus import Corpus
from bleuet.text.segments import TOKEN_IDS
from bleuet.text.tokenizers import DEFAULT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any, TypeAlias

    from bleuet.metrics.score import Score
    from bleuet.statistics.table import Table
    from bleuet.studies.comparison.tokens import Tokens
    from bleuet.studies.external_scores import Column, ExternalScores, Scores

    AnyMetric: TypeAlias = Metric[Any]


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation:
    """Some systems on one test set: their texts, their words, and their rows of statistics.

    Made by `evaluate`. Whatever is asked afterwards selects rows and adds them.

    Attributes:
        systems: the systems' names.
        hypotheses: each system's hypotheses, `hypotheses[system][row]`.
        references: each segment's references, absent ones left out, `references[row][reference]`.
        metrics: the metrics.
        names: the metrics' printed names, numbered where two are alike.
        tables: the rows of each system by each metric, `tables[system][metric]`.
        sentence_scores: the score of each segment, `sentence_scores[system][metric][row]`; BLEU's
            with the effective order, without which short sentences would score 0; None where
            scores were given and the segment has none.
        sentence_metrics: the metrics that gave them.
        tokens: the words of all texts as they are written.
        words: the words as they are compared: in lower case, where BLEU counts so.
    """

    systems: tuple[str, ...]
    hypotheses: tuple[list[str], ...]
    references: tuple[tuple[str, ...], ...]
    metrics: tuple[AnyMetric, ...]
    names: tuple[str, ...]
    tables: tuple[tuple[Table, ...], ...]
    sentence_metrics: tuple[AnyMetric, ...]
    sentence_scores: tuple[tuple[Column, ...], ...]
    tokens: Tokens
    words: Tokens

    def __len__(self) -> int:
        return len(self.references)

    def __repr__(self) -> str:
        systems, metrics = ", ".join(self.systems), ", ".join(self.names)
        return f"<{systems} on {len(self)} segments, counted by {metrics}>"

    @property
    def lowercase(self) -> bool:
        """Whether words are compared in lower case."""
        return self.words is not self.tokens

    @property
    def more_digits(self) -> tuple[int, ...]:
        """How many digits each metric's scores need beyond those of scores in percent."""
        return tuple(
            extra_digits(metric, [own[number] for own in self.sentence_scores])
            for number, metric in enumerate(self.metrics)
        )

    def range_of(self, metric: int) -> tuple[float, float]:
        """Return the least and the greatest score of a segment by a metric."""
        columns = [own[metric] for own in self.sentence_scores]
        scores = [score for own in columns for score in own if score is not None]
        return min(scores), max(scores)

    def scored(self, system: int, metric: int) -> tuple[int, ...]:
        """Return the segments, from 0, of which a system has a score by a metric."""
        scores = self.sentence_scores[system][metric]
        return tuple(row for row, score in enumerate(scores) if score is not None)

    def tables_by_name(self) -> dict[str, tuple[Table, ...]]:
        """Return each system's tables by its name, one per metric, as significance tests take."""
        return dict(zip(self.systems, self.tables, strict=True))

    def scores(self, system: int) -> tuple[Score, ...]:
        """Return a system's scores on the whole test set, one per metric."""
        return tuple(
            metric.score(table.totals())
            for metric, table in zip(self.metrics, self.tables[system], strict=True)
        )

    def scores_of(self, system: int, rows: Sequence[int]) -> tuple[Score | None, ...]:
        """Return a system's scores on some segments, one per metric; None where there are none.

        Args:
            system: the system's number.
            rows: the segments' numbers, from 0.
        """
        if not rows:
            return (None,) * len(self.metrics)
        return tuple(
            score_of(metric, table.select(rows).totals())
            for metric, table in zip(self.metrics, self.tables[system], strict=True)
        )


def evaluate(
    hypotheses: Mapping[str, Iterable[str]],
    references: Iterable[Any],
    metrics: Sequence[str | AnyMetric] = ("bleu", "chrf"),
    *,
    scores: Scores | None = None,
    tokenize: str | None = None,
    threads: int = 1,
) -> Evaluation:
    """Check the texts, count every system once with every metric, and cut all texts into words.

    Args:
        hypotheses: each system's hypotheses by its name, one string per segment.
        references: per segment a string or a list of strings.
        metrics: metrics, or names of the catalogue, or of `scores`.
        scores: scores that segments have already, by metric and system: further metrics, behind
            the others where `metrics` does not name them.
        tokenize: the tokenizer that says what a word is; default BLEU's, where BLEU is among the
            metrics, or else 13a.
        threads: threads of the kernel, 0 for one per core.

    Raises:
        InputError: the texts cannot be scored as they are; the message names the system.
        OptionError: there is no such metric or tokenizer, or a metric comes twice.

    >>> print(evaluate({"mine": ["The cat."]}, ["A cat."], ["ter"]).scores(0)[0])
    TER = 50.00
    """
    corpora = _corpora(hypotheses, references)
    first = next(iter(corpora.values()))
    texts = tuple(corpus.hypotheses for corpus in corpora.values())
    known = validate_scores(scores, tuple(corpora), len(first))
    made = _metrics(metrics, known)
    tables = _tables(made, known, list(corpora.values()), threads)
    sentence_metrics = tuple(_for_sentences(metric) for metric in made)
    plain = tuple(_alternatives(entry) for entry in first.references)
    tokens = tokenize_all(tokenize or _tokenizer(made), texts, plain)
    return Evaluation(
        systems=tuple(corpora),
        hypotheses=texts,
        references=plain,
        metrics=tuple(made),
        names=tuple(headings([metric.name for metric in made])),
        tables=tables,
        sentence_metrics=sentence_metrics,
        sentence_scores=tuple(
            tuple(
                known[metric.name].columns[system]
                if metric.name in known
                else tuple(metric.segment_scores(table).values)
                for metric, table in zip(sentence_metrics, own, strict=True)
            )
            for system, own in enumerate(tables)
        ),
        tokens=tokens,
        words=tokens.lowered() if _bleu_option(made, "lowercase") else tokens,
    )


def _tables(
    metrics: Sequence[AnyMetric],
    known: Mapping[str, ExternalScores],
    corpora: Sequence[Corpus],
    threads: int,
) -> tuple[tuple[Table, ...], ...]:
    """Return each system's rows by each metric, counted or known, in the order of the metrics."""
    computed = [metric for metric in metrics if metric.name not in known]
    counted: Sequence[Sequence[Table]] = [()] * len(corpora)
    if computed:
        texts, references = zip(*[corpus.segments for corpus in corpora], strict=True)
        counted = count_systems(computed, texts, references[0], threads=threads)
    found = []
    for system, own in enumerate(counted):
        following = iter(own)
        found.append(
            tuple(
                known[metric.name].tables[system] if metric.name in known else next(following)
                for metric in metrics
            )
        )
    return tuple(found)


def _corpora(
    hypotheses: Mapping[str, Iterable[str]], references: Iterable[Any]
) -> dict[str, Corpus]:
    """Return each system's corpus; all share the references, which are checked once."""
    if not hasattr(hypotheses, "items"):
        raise InputTypeError(
            "the systems are given by name, as in {'mine': [...], 'theirs': [...]}, not as "
            f"{type(hypotheses).__name__}"
        )
    corpora: dict[str, Corpus] = {}
    for name, texts in hypotheses.items():
        if not isinstance(name, str):
            raise InputTypeError(f"a system's name must be a string, not {name!r}")
        try:
            shared = next(iter(corpora.values()), None)
            corpora[name] = shared.with_hypotheses(texts) if shared else Corpus(texts, references)
        except InputError as error:
            raise type(error)(f"system {name}: {error}") from error
    if not corpora:
        raise InputError("no system was given; a comparison needs one at least, better two")
    return corpora


def _metrics(
    metrics: Sequence[str | AnyMetric], known: Mapping[str, ExternalScores]
) -> list[AnyMetric]:
    listed = [metrics] if isinstance(metrics, str | Metric) else metrics
    made = [_metric(metric, known) for metric in listed]
    made += [one.mean for one in known.values() if one.mean not in made]
    if not made:
        raise OptionError("no metric was given; name at least one, such as bleu")
    for number, metric in enumerate(made):
        if metric in made[:number]:
            raise OptionError(f"the metric {metric!r} was given twice; name it once")
        if metric.counted_kind == TOKEN_IDS:
            raise OptionError(f"{metric!r} counts token ids; comparisons are of texts")
    check_metrics(made, known)
    return made


def _metric(asked: str | AnyMetric, known: Mapping[str, ExternalScores]) -> AnyMetric:
    if isinstance(asked, str):
        return known[asked].mean if asked in known else make_metric(asked)
    return asked


def _for_sentences(metric: AnyMetric) -> AnyMetric:
    """Return the metric with the options that suit sentences; its rows are the same."""
    usual = metric.suited_to(language="", sentences=False)
    suited = metric.suited_to(language="", sentences=True)
    changed = {name: value for name, value in suited.items() if usual.get(name) != value}
    return metric.with_options(**changed)


def _alternatives(entry: Any) -> tuple[str, ...]:
    return (entry,) if isinstance(entry, str) else tuple(text for text in entry if text is not None)


def _tokenizer(metrics: Sequence[AnyMetric]) -> str:
    return _bleu_option(metrics, "tokenize") or DEFAULT


def _bleu_option(metrics: Sequence[AnyMetric], name: str) -> Any:
    """Return an option of the first metric that counts words, as BLEU does."""
    for metric in metrics:
        if any(o.name == "tokenize" and DEFAULT in o.choices for o in metric.options):
            return getattr(metric, name)
    return None
