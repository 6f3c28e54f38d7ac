"""The comparison of systems: everything there is to say, worked out once, in plain values."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from bleuet.errors import InputError, OptionError
from bleuet.studies.comparison.blocks import Blocks, cut_into_blocks
from bleuet.studies.comparison.cells import to_csv
from bleuet.studies.comparison.clusters import ALPHA, Ranking, p_values_of, rank_clusters
from bleuet.studies.comparison.division import (
    DIVISIONS,
    Division,
    divide,
    divide_by_labels,
    find_division,
)
from bleuet.studies.comparison.evaluation import evaluate
from bleuet.studies.comparison.frame import to_dataframe
from bleuet.studies.comparison.frequencies import word_frequencies
from bleuet.studies.comparison.histogram import histogram, histogram_of_known
from bleuet.studies.comparison.markup import SHOWN, to_html, to_latex, to_markdown
from bleuet.studies.comparison.matching import count_words, match_segments
from bleuet.studies.comparison.pair import compare_pairs
from bleuet.studies.comparison.surface import surface_errors
from bleuet.studies.comparison.tested import run_test, significance_of
from bleuet.studies.comparison.words import by_frequency, by_lists, by_token_labels
from bleuet.studies.significance.blocks import BLOCKS
from bleuet.studies.significance.paired_results import TESTS
from bleuet.studies.significance.segment_mean import SegmentMean

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import Any

    from bleuet.metrics.metric import Metric
    from bleuet.metrics.score import Score
    from bleuet.studies.comparison.breakdown import Breakdown
    from bleuet.studies.comparison.clusters import PValues
    from bleuet.studies.comparison.evaluation import Evaluation
    from bleuet.studies.comparison.histogram import Histogram
    from bleuet.studies.comparison.matching import Match
    from bleuet.studies.comparison.pair import Pair
    from bleuet.studies.comparison.surface import SurfaceErrors
    from bleuet.studies.comparison.words import TokenLabels, WordAccuracy
    from bleuet.studies.external_scores import Scores
    from bleuet.studies.significance.paired_results import PairedResults

LIMIT = 20


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """Some systems compared on one test set; made by `compare`.

    In Python segments are rows and count from 0; in `to_dict()` they count from 1, as in the
    output of the command line.

    Attributes:
        evaluation: the texts, tables and sentence scores that everything was taken from.
        scores: each system's scores on the whole test set, `scores[system][metric]`.
        breakdowns: scores by bucket, one for each way to divide the segments.
        words: word accuracy, one for each way to group the words.
        pairs: what sets systems apart, two at a time.
        histograms: how the sentence scores are distributed, one for each metric.
        surface: errors of case, punctuation and numbers of each system, `surface[system][kind]`.
        clusters: the systems in rank clusters, for each metric whose p-values were given.
        significance: intervals and paired tests of the scores, once they were asked for.
        blocks: the systems block by block, for each metric; nothing until `with_blocks`.
    """

    evaluation: Evaluation
    scores: tuple[tuple[Score, ...], ...]
    breakdowns: tuple[Breakdown, ...]
    words: tuple[WordAccuracy, ...]
    pairs: tuple[Pair, ...]
    histograms: tuple[Histogram, ...]
    surface: tuple[tuple[SurfaceErrors, ...], ...]
    clusters: tuple[Ranking, ...] = ()
    significance: PairedResults | None = None
    blocks: tuple[Blocks, ...] = ()

    def __repr__(self) -> str:
        systems, metrics = ", ".join(self.systems), ", ".join(self.metrics)
        return f"<comparison of {systems} on {len(self.evaluation)} segments by {metrics}>"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems' names."""
        return self.evaluation.systems

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics' printed names, numbered where two are alike."""
        return self.evaluation.names

    def breakdown(self, name: str) -> Breakdown:
        """Return the scores by one way to divide the segments.

        Raises:
            OptionError: the segments were not divided so.
        """
        for found in self.breakdowns:
            if found.name == name:
                return found
        made = ", ".join(found.name for found in self.breakdowns) or "nothing"
        raise OptionError(f"the segments were divided by {made}, not by {name!r}")

    def with_clusters(
        self, p_values: Mapping[str, PValues], *, alpha: float = ALPHA, test: str | None = None
    ) -> Comparison:
        """Return the same comparison with systems ranked in clusters.

        Args:
            p_values: for each metric, by its printed name, the p-value of each pair of systems.
            alpha: a difference is significant where its p-value is below this.
            test: what the p-values come from.

        Raises:
            OptionError: a metric is not among those compared.
            InputError: the p-value of a pair is missing.
        """
        ranked = []
        for name, of_pairs in p_values.items():
            if name not in self.metrics:
                raise OptionError(
                    f"there are p-values for {name}; the metrics are {', '.join(self.metrics)}"
                )
            number = self.metrics.index(name)
            scores = {
                system: own[number].score
                for system, own in zip(self.systems, self.scores, strict=True)
            }
            higher = self.evaluation.metrics[number].higher_is_better
            clusters = rank_clusters(scores, of_pairs, alpha=alpha, higher_is_better=higher)
            ranked.append(Ranking(name, clusters, alpha, test))
        return replace(self, clusters=tuple(ranked))

    def with_significance(self, results: PairedResults, *, alpha: float = ALPHA) -> Comparison:
        """Return the same comparison with a paired test's findings and the clusters they make.

        Args:
            results: what a test of all pairs found on `evaluation.tables_by_name()`, with the
                metrics in the same order.
            alpha: a difference is significant where its p-value is below this.

        Raises:
            InputError: a pair was not tested.
        """
        found = significance_of(self.evaluation, results, alpha)
        if not results.comparisons:
            return replace(self, significance=found)
        test = ", ".join(filter(None, (TESTS.get(results.test, results.test), results.correction)))
        ranked = self.with_clusters(p_values_of(results, self.metrics), alpha=alpha, test=test)
        return replace(ranked, significance=found)

    def tested(self, *, alpha: float = ALPHA, **options: Any) -> Comparison:
        """Return the same comparison with an interval for each score and a test for every pair.

        Args:
            alpha: a difference is significant where its p-value is below this.
            **options: those of `bleuet.studies.comparison.tested.run_test`, such as
                test="randomization" or draws=5000.

        Raises:
            OptionError: an option has a value it cannot take.

        >>> systems = {"old": ["A cat sat."] * 9, "new": ["The cat sat."] * 9}
        >>> found = compare(systems, ["The cat sat."] * 9, ["chrf"]).tested()
        >>> found.significance.significantly_worse("new", "chrF2")
        ('old',)
        """
        return self.with_significance(run_test(self.evaluation, **options), alpha=alpha)

    def to_markdown(self, parts: Sequence[str] = SHOWN, *, width: int = 2) -> str:
        """Return tables in Markdown; `parts` are names of `SECTIONS`, `width` digits of scores."""
        return to_markdown(self, parts, width)

    def to_latex(self, parts: Sequence[str] = SHOWN, *, width: int = 2) -> str:
        """Return tables in LaTeX, for the package booktabs; arguments as of `to_markdown`."""
        return to_latex(self, parts, width)

    def to_json(
        self, *, texts: bool = False, indent: int | None = 1, ensure_ascii: bool = False
    ) -> str:
        """Return `to_dict()` as JSON, every number in full.

        Args:
            texts: whether to add every segment's texts and sentence scores.
            indent: spaces at each level; None puts all on one line.
            ensure_ascii: write other characters as escapes.
        """
        return json.dumps(self.to_dict(texts=texts), indent=indent, ensure_ascii=ensure_ascii)

    def to_csv(self, parts: Sequence[str] = SHOWN, *, width: int = 2) -> str:
        """Return tables as CSV, one line per cell; arguments as of `to_markdown`."""
        return to_csv(self, parts, width)

    def to_dataframe(self, part: str = "scores", *, library: str | None = None) -> Any:
        """Return figures as a data frame, one observation per row.

        Args:
            part: "scores", "buckets" or "sentences".
            library: "pandas", "polars" or "pyarrow"; default the first that is installed.

        Raises:
            OptionError: there is no such part or library.
            MissingExtraError: the library is not installed.
        """
        return to_dataframe(self, part, library)

    def _repr_html_(self) -> str:
        """Return the scores as a table, as notebooks show it."""
        return to_html(self, ("scores",))

    def with_blocks(self, blocks: int = BLOCKS) -> Comparison:
        """Return the same comparison with the BLEU paper's: Student's paired t over blocks.

        Papineni et al. (2002), section 3 and table 2. `pairs` are held against each other.

        Args:
            blocks: how many blocks of consecutive segments to cut the test set into.

        Raises:
            OptionError: there are fewer segments than blocks, or fewer than two blocks.
            MissingExtraError: scipy, which knows Student's distribution, is not installed.

        >>> mine, theirs = ["The cat sat.", "It rains."], ["A cat sat.", "It is raining."]
        >>> found = compare({"mine": mine, "theirs": theirs}, mine, ["ter"])
        >>> print(found.with_blocks(2).blocks[0].tests[0].found)
        t = -2.00 (df = 1, p = 0.2952)
        """
        pairs = [(pair.left, pair.right) for pair in self.pairs]
        metrics = range(len(self.metrics))
        cut = (cut_into_blocks(self.evaluation, metric, blocks, pairs) for metric in metrics)
        return replace(self, blocks=tuple(cut))

    def to_dict(self, *, texts: bool = False) -> dict[str, Any]:
        """Return plain values, ready for JSON; segments count from 1 here.

        Args:
            texts: whether to add every segment's texts and sentence scores.
        """
        systems = self.systems
        values: dict[str, Any] = {
            "segments": len(self.evaluation),
            "tokenizer": self.evaluation.tokens.tokenizer,
            "systems": list(systems),
            "metrics": [self._metric(number) for number in range(len(self.metrics))],
            "scores": {
                name: [score.to_dict() for score in own]
                for name, own in zip(systems, self.scores, strict=True)
            },
            "buckets": [found.to_dict(systems) for found in self.breakdowns],
            "words": [found.to_dict(systems) for found in self.words],
            "pairs": [pair.to_dict() for pair in self.pairs],
            "histograms": [found.to_dict(systems) for found in self.histograms],
            "surface": {
                name: [errors.to_dict() for errors in own]
                for name, own in zip(systems, self.surface, strict=True)
            },
            "significance": None if self.significance is None else self.significance.to_dict(),
            "clusters": [ranking.to_dict() for ranking in self.clusters],
            "blocks": [found.to_dict(systems) for found in self.blocks],
        }
        if texts:
            values["texts"] = self._texts()
        return values

    def _metric(self, number: int) -> dict[str, Any]:
        n_references = self.evaluation.tables[0][number].n_references
        metric = self.evaluation.metrics[number]
        of_sentences = self.evaluation.sentence_metrics[number]
        return {
            "name": self.metrics[number],
            "higher_is_better": metric.higher_is_better,
            "signature": str(metric.signature(n_references)),
            "sentence_signature": str(of_sentences.signature(n_references)),
        }

    def _texts(self) -> list[dict[str, Any]]:
        evaluation = self.evaluation
        return [
            {
                "segment": row + 1,
                "references": list(references),
                "hypotheses": {
                    name: texts[row]
                    for name, texts in zip(self.systems, evaluation.hypotheses, strict=True)
                },
                "scores": {
                    name: [scores[row] for scores in own]
                    for name, own in zip(self.systems, evaluation.sentence_scores, strict=True)
                },
            }
            for row, references in enumerate(evaluation.references)
        ]


def compare(
    hypotheses: Mapping[str, Iterable[str]],
    references: Iterable[Any],
    metrics: Sequence[str | Metric[Any]] = ("bleu", "chrf"),
    *,
    scores: Scores | None = None,
    by: Iterable[str | Division] = tuple(DIVISIONS),
    labels: Mapping[str, Sequence[str]] | None = None,
    frequencies: Mapping[str, int] | Iterable[str] | None = None,
    word_lists: Mapping[str, Collection[str]] | None = None,
    token_labels: TokenLabels | None = None,
    p_values: Mapping[str, PValues] | None = None,
    pairs: str = "all",
    limit: int = LIMIT,
    tokenize: str | None = None,
    threads: int = 1,
) -> Comparison:
    """Compare systems on one test set.

    Every system is counted once by every metric; all scores of parts are sums of those rows.

    Args:
        hypotheses: each system's hypotheses by its name, one string per segment.
        references: per segment a string or a list of strings.
        metrics: metrics, or names of the catalogue or of `scores`; the first one's sentence scores
            make the buckets of "score". With `scores` there may be none.
        scores: what segments scored elsewhere, by a neural metric or people, for each system: a
            number for each segment, or None where it has none, as in
            {"COMET": {"mine": [0.81, None], "theirs": [0.77, 0.69]}}. Each is a further metric,
            behind the others where `metrics` does not name it, and its corpus score is the mean.
            `SegmentMean("MQM", higher_is_better=False)` in place of the name counts errors.
        by: what to divide segments by: names of `DIVISIONS`, with cutoffs as in "length=10,20".
        labels: more ways to divide them, such as a domain: one label per segment, by name.
        frequencies: how often words come: counts by word, or the texts to count them in, such as
            the lines of a training file; default the references.
        word_lists: lists of words by label, to see how well each is translated.
        token_labels: a label for every token, such as its part of speech, for the same.
        p_values: for each metric, by its printed name, the p-value of each pair of systems; they
            make rank clusters.
        pairs: "all", or "first" to hold the first system against each other one alone.
        limit: how many sentences and n-grams to keep at most on each side of a pair.
        tokenize: the tokenizer that says what a word is; default BLEU's, where BLEU is among the
            metrics, or else 13a.
        threads: threads of the kernel, 0 for one per core.

    Raises:
        InputError: the texts cannot be scored as they are, or labels or scores do not fit them.
        OptionError: there is no such metric, division or tokenizer.

    >>> mine, theirs = ["The cat sat.", "It rains."], ["A cat sat.", "It is raining."]
    >>> found = compare({"mine": mine, "theirs": theirs}, ["The cat sat.", "It is raining."])
    >>> found.pairs[0].sentences[0].lost[0].hypotheses
    ('It rains.', 'It is raining.')
    """
    if isinstance(limit, bool) or not isinstance(limit, int) or limit < 0:
        raise OptionError(f"limit must be a whole number, 0 or more, not {limit!r}")
    chosen = [find_division(one) if isinstance(one, str) else one for one in _listed(by)]
    _check_names([one.name for one in chosen], labels or {})
    evaluation = evaluate(
        hypotheses, references, metrics, scores=scores, tokenize=tokenize, threads=threads
    )
    counts = word_frequencies(evaluation, frequencies)
    systems = range(len(evaluation.systems))
    matches = [match_segments(evaluation.tokens, system) for system in systems]
    comparison = Comparison(
        evaluation=evaluation,
        scores=tuple(evaluation.scores(system) for system in systems),
        breakdowns=(
            *(divide(evaluation, division, counts) for division in chosen),
            *(divide_by_labels(evaluation, name, own) for name, own in (labels or {}).items()),
        ),
        words=_word_accuracy(evaluation, matches, counts, word_lists, token_labels),
        pairs=compare_pairs(evaluation, pairs, limit),
        histograms=_histograms(evaluation),
        surface=tuple(
            surface_errors(evaluation.tokens, system, matches[system]) for system in systems
        ),
    )
    return comparison.with_clusters(p_values) if p_values else comparison


def _listed(by: Iterable[str | Division]) -> Iterable[str | Division]:
    return [by] if isinstance(by, str | Division) else by


def _check_names(names: Sequence[str], labels: Mapping[str, Sequence[str]]) -> None:
    """Refuse two ways to divide under one name, which nobody could tell apart."""
    twice = [name for name in (*names, *labels) if [*names, *labels].count(name) > 1]
    if twice:
        raise InputError(f"segments would be divided by {twice[0]} twice; name each way once")


def _word_accuracy(
    evaluation: Evaluation,
    matches: Sequence[tuple[tuple[Match, ...], ...]],
    frequencies: Mapping[str, int],
    lists: Mapping[str, Collection[str]] | None,
    labels: TokenLabels | None,
) -> tuple[WordAccuracy, ...]:
    words = evaluation.words
    if evaluation.lowercase:
        # Case does not count here, as it does among the errors of case.
        matches = [match_segments(words, system) for system in range(len(matches))]
    counts = [count_words(words, system, own) for system, own in enumerate(matches)]
    found = [by_frequency(counts, frequencies)]
    if lists:
        found.append(by_lists(counts, lists, lowercase=evaluation.lowercase))
    if labels is not None:
        found.append(by_token_labels(words, evaluation.systems, labels))
    return tuple(found)


def _histograms(evaluation: Evaluation) -> tuple[Histogram, ...]:
    found = []
    for number, name in enumerate(evaluation.names):
        known = isinstance(evaluation.metrics[number], SegmentMean)
        count = histogram_of_known if known else histogram
        found.append(count(name, [own[number] for own in evaluation.sentence_scores]))
    return tuple(found)
