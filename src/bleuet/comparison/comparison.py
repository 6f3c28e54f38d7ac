"""The comparison of systems: its parts are computed when they are first used or shown."""

from __future__ import annotations

from functools import partial
from itertools import chain
from operator import attrgetter

from bleuet.comparison.analyses import Analyses, find_divisions
from bleuet.comparison.block_tests import Blocks, score_blocks
from bleuet.comparison.breakdown import Breakdown
from bleuet.comparison.by_system import BySystem
from bleuet.comparison.clusters import Ranking, rank_clusters
from bleuet.comparison.composition import ScoreParts
from bleuet.comparison.histogram import Histogram
from bleuet.comparison.pair import Pair
from bleuet.comparison.surface import SurfaceErrors, surface_table
from bleuet.comparison.texts import evaluate_texts
from bleuet.comparison.words import WordAccuracy
from bleuet.errors import InputError, OptionError
from bleuet.frozen import Value, checked
from bleuet.messages import nearest, plural
from bleuet.output.answer import Answer, names_or_number
from bleuet.output.document import Column, Document, DocumentTable, Estimate
from bleuet.output.plain_values import plain_fields_of, plain_values
from bleuet.significance.blocks import BLOCKS
from bleuet.significance.human_agreement import EXPLANATION
from bleuet.significance.interval import INTERVALS
from bleuet.significance.missing_scores import missing_scores
from bleuet.significance.result_parts import MissingScores
from bleuet.significance.settings import ALPHA, DEFAULTS, TESTS, TestSettings
from bleuet.significance.testing import paired_test, score_intervals
from bleuet.study_settings import IntervalSettings
from bleuet.text.row_index import shared_index
from bleuet.text.source_texts import with_sources

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from bleuet.comparison.clusters import PValues
    from bleuet.comparison.division import Division
    from bleuet.comparison.texts import ComparedTexts
    from bleuet.comparison.words import TokenLabels
    from bleuet.evaluation.evaluation import Evaluation, Outputs
    from bleuet.evaluation.external import Scores
    from bleuet.metrics.base.metric import Metric
    from bleuet.metrics.base.score import Score
    from bleuet.metrics.base.signature import Signature
    from bleuet.output.document import Cell, Record
    from bleuet.output.plain_values import Plain
    from bleuet.significance.paired_results import PairedResults
    from bleuet.text.segments import Segments

METRICS = ("bleu", "chrf")
BY = ("length",)
EXAMPLES = 5
DEFAULT_PARTS = ("scores", "differences", "clusters", "blocks", "buckets", "sentences", "ngrams")
SENTENCE_PARTS = {"sentences", "histogram"}
WORDS = "words"
ALL = "all"


class Comparison(Answer, Value, eq=False):
    """Systems compared on one test set; made by `compare`.

    Each analysis is computed when it is first used, and only once. In Python, segments are rows and
    count from 0; in `to_dict()` and in all output they count from 1.

    Attributes:
        analyses: the analyses, which all forms of this comparison share.
        parts: the parts that are shown, names of `PARTS`.
        significance: intervals and paired tests of the scores, None without a test.
        clusters: the systems in rank clusters, for each metric with p-values.
        blocks: the test over blocks, for each metric; empty until `with_blocks`.
    """

    analyses: Analyses
    parts: tuple[str, ...] = DEFAULT_PARTS
    significance: PairedResults | None = None
    clusters: tuple[Ranking, ...] = ()
    blocks: tuple[Blocks, ...] = ()

    def _in_brief(self) -> str:
        systems = names_or_number(self.systems, "system")
        segments = plural(self.evaluation.segments, "segment")
        return f"of {systems} on {segments} by {names_or_number(self.metrics, 'metric')}"

    @property
    def systems(self) -> tuple[str, ...]:
        """The names of the systems."""
        return self.evaluation.systems

    @property
    def metrics(self) -> tuple[str, ...]:
        """The printed names of the metrics, with numbers where two are the same."""
        return self.evaluation.headings

    # --- Analyses -----------------------------------------------------------------------------

    @property
    def evaluation(self) -> Evaluation:
        """The tables and scores that all analyses use."""
        return self.analyses.evaluation

    @property
    def texts(self) -> ComparedTexts:
        """The texts and their words, which all analyses use."""
        return self.analyses.texts

    @property
    def scores(self) -> tuple[tuple[Score, ...], ...]:
        """The scores of each system on the whole test set, `scores[system][metric]`."""
        return tuple(self.evaluation.compared.scores.values())

    @property
    def breakdowns(self) -> tuple[Breakdown, ...]:
        """The scores by bucket, one breakdown for each way to divide the segments."""
        return self.analyses.breakdowns

    @checked
    def breakdown(self, name: str) -> Breakdown:
        """Return the scores by one way to divide the segments.

        Raises:
            OptionError: the segments are not divided in this way.
        """
        return self.analyses.breakdown(name)

    @property
    def words(self) -> tuple[WordAccuracy, ...]:
        """The accuracy of words: by frequency, by lists and by token labels."""
        return self.analyses.words

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The sentences and n-grams in which two systems differ most, pair by pair."""
        return self.analyses.pairs

    @property
    def histograms(self) -> tuple[Histogram, ...]:
        """The distribution of the sentence scores, one histogram for each metric."""
        return self.analyses.histograms

    @property
    def score_parts(self) -> tuple[ScoreParts, ...]:
        """What the scores are made of, for each metric whose score is made of parts."""
        return self.analyses.score_parts

    @property
    def surface(self) -> tuple[tuple[SurfaceErrors, ...], ...]:
        """The errors of case, punctuation and numbers of each system, `surface[system][kind]`."""
        return self.analyses.surface

    # --- The same comparison with more --------------------------------------------------------

    @checked
    def show(self, *parts: str) -> Comparison:
        """Return the same comparison with a choice of the parts that its formats show.

        Args:
            *parts: names of `PARTS`, or "all".

        Raises:
            OptionError: there is no such part.

        >>> found = compare({"mine": ["A cat."]}, ["The cat."], ["ter"])
        >>> print(found.show("scores").to_markdown().splitlines()[-3])
        | mine | 50.00 |
        """
        for part in parts:
            if part not in (*PARTS, ALL):
                raise OptionError(
                    f"there is no part {part!r} of a comparison{nearest(part, PARTS)}; the parts "
                    f"are {', '.join(PARTS)}"
                )
        return self.replace(parts=tuple(part for part in PARTS if part in parts or ALL in parts))

    @checked
    def with_intervals(
        self, settings: IntervalSettings = INTERVALS, *, threads: int = 1
    ) -> Comparison:
        """Return the same comparison with a bootstrap interval for each score.

        Args:
            settings: the draws, their seed and the confidence level.
            threads: threads of the kernel, 0 for one per core; the numbers are the same.

        Raises:
            OptionError: an option has an invalid value.
        """
        return self.with_significance(score_intervals(self.evaluation, settings, threads=threads))

    @checked
    def tested(self, settings: TestSettings = DEFAULTS, *, threads: int = 1) -> Comparison:
        """Return the same comparison with an interval for each score and a test of each pair.

        Nothing is counted again. A single system has intervals only.

        Args:
            settings: the settings of `bleuet.significance.paired_test`; all pairs are tested.
            threads: threads of the kernel, 0 for one per core; the numbers are the same.

        Raises:
            OptionError: the settings do not fit the systems.

        >>> systems = {"old": ["A cat sat."] * 9, "new": ["The cat sat."] * 9}
        >>> found = compare(systems, ["The cat sat."] * 9, ["chrf"]).tested()
        >>> found.significance.significantly_worse("new", "chrF2")
        ('old',)
        """
        if len(self.systems) == 1:
            return self.with_intervals(settings, threads=threads)
        every = settings.replace(all_pairs=True)
        return self.with_significance(paired_test(self.evaluation, every, threads=threads))

    @checked
    def with_significance(self, results: PairedResults) -> Comparison:
        """Return the same comparison with the results of a paired test, and rank clusters.

        Args:
            results: a test of all pairs of `evaluation`, with the metrics in the same
                order.

        Raises:
            InputError: a metric or a pair is not tested.
        """
        if len(results.metrics) < len(self.metrics):
            raise InputError(
                f"the test has the metrics {', '.join(results.metrics)}, but the comparison has "
                f"{', '.join(self.metrics)}; test all of them, in this order"
            )
        found = results.renamed(self.metrics)
        p_values = {
            metric: {(one.baseline, one.system): one.p for one in found.comparisons_by(metric)}
            for metric in self.metrics
        }
        ranked = self.with_clusters(
            {metric: of_pairs for metric, of_pairs in p_values.items() if of_pairs},
            alpha=found.alpha,
            test=", ".join(
                filter(None, (TESTS.get(found.test, found.test), found.settings.correction))
            ),
        )
        return ranked.replace(significance=found)

    @checked
    def with_clusters(
        self, p_values: Mapping[str, PValues], *, alpha: float = ALPHA, test: str | None = None
    ) -> Comparison:
        """Return the same comparison with systems ranked in clusters.

        Args:
            p_values: for each metric, by its printed name, the p-value of each pair of systems.
            alpha: a difference is significant where its p-value is below this.
            test: the source of the p-values.

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
        return self.replace(clusters=tuple(ranked))

    @checked
    def with_blocks(self, blocks: int = BLOCKS) -> Comparison:
        """Return the same comparison with the test of the BLEU paper: Student's t over blocks.

        Papineni et al. (2002), section 3 and table 2, for each pair of `pairs`.

        Args:
            blocks: the number of blocks of consecutive segments.

        Raises:
            OptionError: there are fewer segments than blocks, or fewer than two blocks.
            MissingExtraError: scipy, which computes Student's distribution, is not installed.

        >>> mine, theirs = ["The cat sat.", "It rains."], ["A cat sat.", "It is raining."]
        >>> found = compare({"mine": mine, "theirs": theirs}, mine, ["ter"])
        >>> print(found.with_blocks(2).blocks[0].tests[0].found)
        t = -2.00 (df = 1, p = 0.2952)
        """
        pairs = [(pair.left, pair.right) for pair in self.pairs]
        metrics = range(len(self.metrics))
        found = (score_blocks(self.evaluation, metric, blocks, pairs) for metric in metrics)
        return self.replace(blocks=tuple(found))

    # --- Plain values -------------------------------------------------------------------------

    @checked
    def to_dict(self, *, texts: bool = False) -> dict[str, Any]:
        """Return the parts that are shown as plain values; segments count from 1 here.

        Args:
            texts: add the texts and sentence scores of all segments.
        """
        values: dict[str, Any] = {
            "segments": self.evaluation.segments,
            "tokenizer": self.texts.tokenizer,
            "systems": list(self.systems),
            "metrics": [self._metric(number) for number in range(len(self.metrics))],
            "warnings": list(self.texts.problems),
            "missing_scores": {one.metric: one.to_dict() for one in self.missing},
            "significance": None if self.significance is None else self.significance.to_dict(),
        }
        for part in self.parts:
            if PARTS[part].found is not None:
                values[part] = PARTS[part].data(self)
        if texts:
            values["texts"] = self._texts()
        return values

    @property
    def missing(self) -> tuple[MissingScores, ...]:
        """For each metric without a score of some segments, which segments have one."""
        return missing_scores(self.evaluation)

    def _metric(self, number: int) -> dict[str, Any]:
        n_references = self.evaluation.n_references[number]
        metric = self.evaluation.metrics[number]
        of_sentences = self.evaluation.sentence_metrics[number]
        return {
            "name": self.metrics[number],
            "higher_is_better": metric.higher_is_better,
            "signature": str(metric.signature(n_references)),
            "sentence_signature": str(of_sentences.signature(n_references)),
        }

    def _by_system(self, values: Iterable[Any]) -> dict[str, Any]:
        return dict(zip(self.systems, values, strict=True))

    def _texts(self) -> list[dict[str, Any]]:
        return [
            {
                "segment": row + 1,
                "references": list(references),
                "hypotheses": self._by_system(texts[row] for texts in self.texts.hypotheses),
                "scores": self._by_system(
                    [scores[row] for scores in own] for own in self.evaluation.sentence_scores
                ),
            }
            for row, references in enumerate(self.texts.references)
        ]

    def _parts(self) -> dict[str, Callable[[], Iterable[Record]]]:
        """Return the parts of a data frame, whether they are shown or not."""
        return {
            name: partial(one.records, self)
            for name, one in PARTS.items()
            if one.records is not None
        }

    def _score_records(self) -> Iterator[Record]:
        found = self.significance
        for name, own in zip(self.systems, self.scores, strict=True):
            for metric, score in zip(self.metrics, own, strict=True):
                record: Record = {"system": name, "metric": metric, "score": score.score}
                if found is not None:
                    interval = found.score(name, metric).interval
                    record["low"] = None if interval is None else interval.low
                    record["high"] = None if interval is None else interval.high
                    record["better_than"] = ", ".join(found.significantly_worse(name, metric))
                yield {**record, "signature": str(score.signature)}

    def _sentence_records(self) -> Iterator[Record]:
        for name, own in zip(self.systems, self.evaluation.sentence_scores, strict=True):
            for metric, scores in zip(self.metrics, own, strict=True):
                for row, score in enumerate(scores, 1):
                    yield {"segment": row, "system": name, "metric": metric, "score": score}

    # --- The document -------------------------------------------------------------------------

    def document(self) -> Document:
        """Return the tables of the parts that are shown, and the signatures."""
        tables = [table for part in self.parts for table in self.tables(part)]
        # Where it is shown, the table of scores has these notes. Sentences show all scores.
        shown = "scores" not in self.parts and set(self.parts) & {
            "differences",
            "buckets",
            "blocks",
        }
        notes = map(str, self.missing) if shown else ()
        return Document(tables=tables, notes=notes, signatures=self.signatures(), data=self.to_dict)

    @checked
    def tables(self, part: str) -> list[DocumentTable]:
        """Return the tables of one part, a name of `PARTS`; no table if it has nothing to show."""
        return [table for name in self.show(part).parts for table in PARTS[name].tables(self)]

    def signatures(self) -> Iterator[tuple[str, Signature]]:
        """Yield the signature of each metric.

        It contains the draws and the seed of intervals. Where a part that is shown has sentence
        scores, the signature of these follows if it differs.
        """
        evaluation, found = self.evaluation, self.significance
        with_sentences = bool(SENTENCE_PARTS & set(self.parts)) or (
            "buckets" in self.parts and self.analyses.divides_by_score
        )
        for number, name in enumerate(self.metrics):
            n_references = evaluation.n_references[number]
            metric, of_sentences = evaluation.metrics[number], evaluation.sentence_metrics[number]
            yield name, metric.signature(n_references) if found is None else found.signatures[name]
            if with_sentences and of_sentences != metric:
                yield f"sentence {name}", of_sentences.signature(n_references)

    def score_notes(self) -> list[str]:
        """Return what explains the scores: missing scores, intervals and letters."""
        notes = list(map(str, self.missing))
        return [*notes, *(() if self.significance is None else self.significance.score_notes())]

    def _score_tables(self) -> Iterator[DocumentTable]:
        found = self.significance
        letters = found.letters if found is not None and found.comparisons else {}
        columns = [
            Column("system"),
            *([Column("letter")] if letters else []),
            *(
                self.evaluation.score_column(number, name)
                for number, name in enumerate(self.metrics)
            ),
        ]
        rows = [
            [name, *([letters[name]] if letters else []), *self._score_cells(name, own)]
            for name, own in zip(self.systems, self.scores, strict=True)
        ]
        note = " ".join(self.score_notes())
        yield DocumentTable("scores", "Scores", columns, rows, note, rank_best=True)

    def _score_cells(self, system: str, scores: Sequence[Score]) -> Iterator[Cell]:
        found = self.significance
        for metric, score in zip(self.metrics, scores, strict=True):
            if found is None:
                yield score.score
                continue
            tested = found.score(system, metric)
            yield Estimate(
                tested.score,
                None if tested.interval is None else tested.interval.low,
                None if tested.interval is None else tested.interval.high,
                found.marks(system, metric),
            )

    def _difference_tables(self) -> Iterator[DocumentTable]:
        found = self.significance
        for metric in self.metrics if found is not None else ():
            assert found is not None
            tested = found.comparisons_by(metric)
            if tested:
                table = found.difference_table(metric)
                covered = any(found.shown_agreement(one) is not None for one in tested)
                note = EXPLANATION if covered else ""
                yield DocumentTable(table.key, table.title, table.columns, table.rows, note)
        if found is not None:
            yield from found.power_tables()


class Part(Value):
    """A part of a comparison.

    Attributes:
        tables: returns the tables that show it.
        found: returns what JSON has of it: values, or values by system. None for what JSON has
            elsewhere.
        kind: the class of these values, None for scores.
        fields: their fields that JSON has, as in `Plain.plain_fields`.
        records: returns the rows of a data frame; None for a part that has none.
        by_system: whether `found` returns values by the name of the system.
    """

    tables: Callable[[Comparison], Iterable[DocumentTable]]
    found: Callable[[Comparison], Any] | None = None
    kind: type | None = None
    fields: tuple[str, ...] = ()
    records: Callable[[Comparison], Iterable[Record]] | None = None
    by_system: bool = False

    def data(self, comparison: Comparison) -> Any:
        """Return plain values."""
        assert self.found is not None
        found = self.found(comparison)
        if self.by_system:
            return {name: [one.to_dict() for one in own] for name, own in found.items()}
        if self.kind is not None and issubclass(self.kind, BySystem):
            return [one.to_dict(comparison.systems) for one in found]
        return [plain_values(one, self.fields) for one in found]


def _analysis(name: str, kind: type[Plain]) -> Part:
    """Return the part that consists of what an analysis found, each with its own tables.

    Args:
        name: the attribute of a comparison that has the analysis.
        kind: the class of what it found.
    """
    found = attrgetter(name)
    return Part(
        lambda one: (table for part in found(one) for table in part.tables(one.evaluation)),
        found,
        kind,
        plain_fields_of(kind),
    )


def _of_pairs(tables: Callable[[Pair], Iterator[DocumentTable]], *fields: str) -> Part:
    """Return a part about pairs of systems.

    Args:
        tables: returns the tables of a pair.
        fields: the fields of a pair that JSON has.
    """
    return Part(
        lambda one: chain.from_iterable(map(tables, one.pairs)), attrgetter("pairs"), Pair, fields
    )


# The parts of a comparison in their order; JSON has differences in "significance".
PARTS = {
    "scores": Part(
        Comparison._score_tables,
        lambda one: one._by_system(one.scores),
        by_system=True,
        records=Comparison._score_records,
    ),
    "differences": Part(Comparison._difference_tables),
    "clusters": _analysis("clusters", Ranking),
    "parts": _analysis("score_parts", ScoreParts),
    "blocks": _analysis("blocks", Blocks),
    "buckets": _analysis("breakdowns", Breakdown).replace(
        records=lambda one: chain.from_iterable(b.records(one.evaluation) for b in one.breakdowns)
    ),
    "words": _analysis("words", WordAccuracy),
    "sentences": _of_pairs(Pair.sentence_tables, "left", "right", "rankings=sentences").replace(
        records=Comparison._sentence_records
    ),
    "ngrams": _of_pairs(Pair.ngram_tables, "left", "right", "gained", "lost"),
    "histogram": _analysis("histograms", Histogram),
    "surface": Part(
        lambda one: [surface_table(one.systems, one.surface)],
        lambda one: one._by_system(one.surface),
        SurfaceErrors,
        by_system=True,
    ),
}


@checked
def compare(
    hypotheses: Outputs[Iterable[str] | Segments],
    references: Iterable[Any] | Segments,
    metrics: str | Metric[Any] | Sequence[str | Metric[Any]] = METRICS,
    *,
    sources: Iterable[str] | None = None,
    scores: Scores | None = None,
    by: Iterable[str | Division] = BY,
    labels: Mapping[str, Sequence[str]] | None = None,
    frequencies: Mapping[str, int] | Iterable[str] | None = None,
    word_lists: Mapping[str, Collection[str]] | None = None,
    token_labels: TokenLabels | None = None,
    all_pairs: bool = False,
    examples: int = EXAMPLES,
    tokenize: str | None = None,
    documents: Sequence[Any] | None = None,
    threads: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Compare systems on one test set.

    Each system is counted once by each metric; the scores of all parts are sums of those rows.

    Args:
        hypotheses: the hypotheses of each system by its name, one string per segment.
        references: per segment a string or a list of strings.
        metrics: metrics, or names of the catalogue or of `scores`; the first metric ranks the
            sentences. It can be empty if there are `scores`.
        sources: one string per segment, for metrics that read what was translated or simplified.
        scores: external scores, such as those of a neural metric or human raters: by metric and
            system one number per segment, None if a segment has no score, as in
            {"COMET": {"mine": [0.81, None], "theirs": [0.77, 0.69]}}. Each is a further metric,
            after the others if `metrics` does not name it; its corpus score is the mean. For
            error rates use `SegmentMean("MQM", higher_is_better=False)` instead of the name.
        by: the ways to divide segments: names of `DIVISIONS`, with cutoffs as in "length=10,20".
        labels: further ways, such as by domain: one label per segment, by name.
        frequencies: how often words occur: counts by word, or texts to count words in, such as the
            lines of a training file; default the references.
        word_lists: lists of words by label, to measure how well these words are translated.
        token_labels: a label for each token, such as its part of speech, to measure how well the
            words of each label are translated.
        all_pairs: compare all pairs of systems, instead of the first with each other system.
        examples: the largest number of sentences and n-grams for each system of a pair.
        tokenize: the tokenizer that splits texts into words; default that of the first BLEU
            among the metrics, or 13a without BLEU.
        documents: the document of each segment, any value such as its name; intervals and tests
            then draw and exchange whole documents.
        threads: threads of the kernel, 0 for one per core.
        progress: a function to call while systems are counted, after each 10,000 segments, with
            the segments counted so far and the number of all.

    Raises:
        InputError: the texts are invalid, or labels or scores do not fit them.
        OptionError: there is no such metric, division or tokenizer.

    >>> mine, theirs = ["The cat sat.", "It rains."], ["A cat sat.", "It is raining."]
    >>> found = compare({"mine": mine, "theirs": theirs}, ["The cat sat.", "It is raining."])
    >>> found.pairs[0].sentences[0].lost[0].hypotheses
    ('It rains.', 'It is raining.')
    """
    divisions = find_divisions(by)
    columns = {"sources": sources, "documents": documents, "scores": scores}
    shared_index(hypotheses=hypotheses, references=references, **columns)
    if sources is not None:
        references = with_sources(references, sources).tolist()
    texts = evaluate_texts(
        hypotheses,
        references,
        metrics,
        scores=scores,
        frequencies=frequencies,
        tokenize=tokenize,
        documents=documents,
        threads=threads,
        progress=progress,
    )
    analyses = Analyses(
        texts, divisions, labels or {}, word_lists or {}, token_labels, all_pairs, examples
    )
    about_words = word_lists or token_labels is not None or frequencies is not None
    return Comparison(analyses).show(*DEFAULT_PARTS, *([WORDS] if about_words else []))
