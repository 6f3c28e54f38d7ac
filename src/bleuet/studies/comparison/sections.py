"""A comparison as tables of plain cells, which every format of output writes in its own way."""

from __future__ import annotations

from dataclasses import dataclass

from bleuet.studies.significance.human_agreement import EXPLANATION
from bleuet.studies.significance.result_parts import MissingScores

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from bleuet.metrics.score import Score
    from bleuet.studies.comparison.blocks import Blocks
    from bleuet.studies.comparison.breakdown import Breakdown
    from bleuet.studies.comparison.comparison import Comparison
    from bleuet.studies.comparison.pair import Pair
    from bleuet.studies.significance.paired_results import PairedResults
    from bleuet.studies.significance.result_parts import PairedComparison

    Cell: TypeAlias = str | int | float | "Scored" | None

# Numbers from here on are written with an exponent.
LARGE = 1e6


@dataclass(frozen=True, slots=True)
class Scored:
    """A cell that holds a score and how sure it is.

    Attributes:
        score: the score.
        ends: the ends of its interval, where there is one.
        marks: letters of the systems that are significantly worse.
        more: how many digits it needs beyond those of scores in percent.
    """

    score: float
    ends: tuple[float, float] | None
    marks: str
    more: int = 0

    @property
    def half_width(self) -> float | None:
        """Half the interval, what is printed behind ±."""
        return None if self.ends is None else 0.5 * (self.ends[1] - self.ends[0])


class Number(float):
    """A number that is not in percent.

    Attributes:
        more: how many digits it needs beyond those of scores in percent.
    """

    more: int

    def __new__(cls, value: float, more: int = 0) -> Number:
        """Return a number that asks for so many digits more."""
        made = super().__new__(cls, value)
        made.more = more
        return made

    def digits(self, width: int) -> int:
        """Return how many digits to show where a score in percent has `width`."""
        return width + self.more


class Probability(Number):
    """A p-value: with two digits chance and certainty would look alike."""

    def digits(self, width: int) -> int:
        """Return four, or more where scores have more."""
        return max(width, 4)


class Ends(str):
    """The ends of an interval in words: numbers, though no number."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A table of a comparison.

    Attributes:
        key: what it belongs to, one of `SECTIONS`.
        title: what it shows.
        columns: the headings; those of texts first, see `texts`.
        rows: the cells: whole numbers as int, scores as float, None where there is nothing.
        texts: whether the last columns hold whole texts, too wide for a table on a terminal.
        note: what is to be said below.
    """

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    texts: bool = False
    note: str = ""


def sections_of(comparison: Comparison, keys: Sequence[str] | None = None) -> tuple[Section, ...]:
    """Return a comparison's tables.

    Args:
        comparison: the comparison.
        keys: which to return, names of `SECTIONS`; default all.
    """
    chosen = SECTIONS if keys is None else [key for key in SECTIONS if key in keys]
    return tuple(section for key in chosen for section in SECTIONS[key](comparison))


def _scores(comparison: Comparison) -> Iterator[Section]:
    found = comparison.significance
    letters = found.letters if found is not None and found.comparisons else {}
    rows = tuple(
        (name, *([letters[name]] if letters else []), *_scored(comparison, name, own))
        for name, own in zip(comparison.systems, comparison.scores, strict=True)
    )
    columns = ("system", *["letter"] * bool(letters), *comparison.metrics)
    told = [*gaps_in_words(comparison), *([] if found is None else found.score_notes())]
    yield Section("scores", "Scores", columns, rows, note=" ".join(told))


def _scored(comparison: Comparison, system: str, scores: Sequence[Score]) -> Iterator[Cell]:
    found = comparison.significance
    digits = comparison.evaluation.more_digits
    for metric, score, more in zip(comparison.metrics, scores, digits, strict=True):
        if found is None:
            yield Number(score.score, more)
            continue
        interval = found.score(system, metric).interval
        ends = None if interval is None else (interval.low, interval.high)
        yield Scored(score.score, ends, found.marks(system, metric), more)


def gaps_in_words(comparison: Comparison) -> Iterator[str]:
    """Yield a sentence for each metric that has no score of some segments."""
    evaluation = comparison.evaluation
    total = len(evaluation)
    for number, metric in enumerate(comparison.metrics):
        scored = [evaluation.scored(system, number) for system in range(len(comparison.systems))]
        if min(map(len, scored)) < total:
            yield str(MissingScores.of(metric, comparison.systems, scored, total))


def _differences(comparison: Comparison) -> Iterator[Section]:
    found = comparison.significance
    if found is None:
        return
    for metric, more in zip(comparison.metrics, comparison.evaluation.more_digits, strict=True):
        tested = found.comparisons_by(metric)
        if not tested:
            continue
        rows = tuple(_difference(found, one, more) for one in tested)
        estimated = any(one.human_agreement is not None for one in tested)
        columns = ("systems", "difference", "p", "significant", *["human agreement"] * estimated)
        note = EXPLANATION if estimated else ""
        yield Section("differences", f"Differences in {metric}", columns, rows, note=note)


def _difference(found: PairedResults, one: PairedComparison, more: int) -> tuple[Cell, ...]:
    difference = Number(one.difference, more)
    p_value = Probability(one.p)
    significant = "yes" if one.is_significant(found.alpha) else "no"
    estimate = [] if one.human_agreement is None else [f"{one.human_agreement:.0%}"]
    return (f"{one.system} - {one.baseline}", difference, p_value, significant, *estimate)


def _clusters(comparison: Comparison) -> Iterator[Section]:
    for ranking in comparison.clusters:
        rows = tuple(
            (
                one.system,
                one.cluster,
                f"{one.best}-{one.worst}" if one.best < one.worst else one.best,
            )
            for one in ranking.systems
        )
        how = ", ".join([*filter(None, [ranking.test]), f"alpha {ranking.alpha:g}"])
        title = f"Clusters by {ranking.metric} ({how})"
        yield Section("clusters", title, ("system", "cluster", "ranks"), rows)


def _blocks(comparison: Comparison) -> Iterator[Section]:
    for found, more in zip(comparison.blocks, comparison.evaluation.more_digits, strict=False):
        yield _scores_of_blocks(comparison, found, more)
        if found.tests:
            yield _tests_of_blocks(found, more)


def _scores_of_blocks(comparison: Comparison, found: Blocks, more: int) -> Section:
    sizes = found.scores[0].segments
    size = " or ".join(map(str, sorted(set(sizes))))
    title = f"{found.metric} of {len(sizes)} blocks of {size} segment{'s' * (max(sizes) > 1)}"
    rows = tuple(
        (
            name,
            Number(own.mean, more),
            Number(own.variance, 2 * more),
            Number(own.standard_deviation, more),
        )
        for name, own in zip(comparison.systems, found.scores, strict=True)
    )
    return Section("blocks", title, ("system", "mean", "variance", "deviation"), rows)


def _tests_of_blocks(found: Blocks, more: int) -> Section:
    tests = [(one.left, one.right, one.found) for one in found.tests]
    rows = tuple(
        (left, right, Number(test.difference, more), test.t, Probability(test.p_value))
        for left, right, test in tests
    )
    freedom = tests[0][2].degrees_of_freedom
    how = f"Student's paired t, {freedom} degree{'s' * (freedom > 1)} of freedom"
    columns = ("system", "against", "difference", "t", "p")
    return Section("blocks", f"{found.metric} block by block ({how})", columns, rows)


def _buckets(comparison: Comparison) -> Iterator[Section]:
    for breakdown in comparison.breakdowns:
        if not breakdown.shared:
            yield _segments(comparison, breakdown)
        for number, metric in enumerate(comparison.metrics):
            title = f"{metric} by {breakdown.title}"
            yield _scores_by_bucket(comparison, breakdown, number, title)


def _segments(comparison: Comparison, breakdown: Breakdown) -> Section:
    """Return how many segments are in each bucket of each system, which has its own."""
    rows = tuple(
        (same[0].bucket.label, *(one.bucket.count for one in same))
        for same in zip(*breakdown.systems, strict=True)
    )
    columns = (breakdown.name, *comparison.systems)
    return Section("buckets", f"Segments by {breakdown.title}", columns, rows)


def _scores_by_bucket(
    comparison: Comparison, breakdown: Breakdown, metric: int, title: str
) -> Section:
    more = comparison.evaluation.more_digits[metric]
    rows = tuple(
        (
            same[0].bucket.label,
            *([same[0].bucket.count] if breakdown.shared else ()),
            *(_number(one.scores[metric], more) for one in same),
        )
        for same in zip(*breakdown.systems, strict=True)
    )
    counts = ["segments"] if breakdown.shared else []
    return Section("buckets", title, (breakdown.name, *counts, *comparison.systems), rows)


def _number(score: Score | None, more: int) -> Number | None:
    return None if score is None else Number(score.score, more)


def _words(comparison: Comparison) -> Iterator[Section]:
    for accuracy in comparison.words:
        # Words that no reference has cannot be got right: a row of them says nothing.
        rows = tuple(
            (same[0].label, same[0].expected, *(group.f for group in same))
            for same in zip(*accuracy.systems, strict=True)
            if any(group.expected for group in same)
        )
        columns = (accuracy.name, "words", *comparison.systems)
        yield Section("words", f"Word accuracy (F) by {accuracy.title}", columns, rows)


def _sentences(comparison: Comparison) -> Iterator[Section]:
    for pair in comparison.pairs:
        ranking = pair.sentences[0]
        more = comparison.evaluation.more_digits[0]
        total = ranking.wins + ranking.losses + ranking.ties
        systems = (pair.left, pair.right)
        scores = (f"{ranking.metric} of {name}" for name in systems)
        columns = ("segment", *scores, "reference", *systems)
        for better, worse, found, wins in (
            (pair.left, pair.right, ranking.gained, ranking.wins),
            (pair.right, pair.left, ranking.lost, ranking.losses),
        ):
            rows: tuple[tuple[Cell, ...], ...] = tuple(
                (
                    one.row + 1,
                    *(Number(score, more) for score in one.scores),
                    " | ".join(one.references),
                    *one.hypotheses,
                )
                for one in found
            )
            title = (
                f"Sentences where {better} is furthest ahead of {worse} by {ranking.metric} "
                f"(ahead in {wins} of {total})"
            )
            yield Section("sentences", title, columns, rows, texts=True)


def _ngrams(comparison: Comparison) -> Iterator[Section]:
    for pair in comparison.pairs:
        yield from _ngrams_of(pair)


def _ngrams_of(pair: Pair) -> Iterator[Section]:
    for better, worse, found in (
        (pair.left, pair.right, pair.gained),
        (pair.right, pair.left, pair.lost),
    ):
        rows = tuple((" ".join(one.ngram), one.left, one.right, one.ratio) for one in found)
        columns = ("n-gram", pair.left, pair.right, "ratio")
        yield Section(
            "ngrams", f"N-grams that {better} gets more often than {worse}", columns, rows
        )


def _histogram(comparison: Comparison) -> Iterator[Section]:
    for found in comparison.histograms:
        edges = _evenly(found.edges)
        last = len(edges) - 2
        rows = tuple(
            (f">={low}" if number == last else f"[{low}, {high})", *counts)
            for number, (low, high, counts) in enumerate(
                zip(edges, edges[1:], zip(*found.counts, strict=True), strict=False)
            )
        )
        columns = (found.metric, *comparison.systems)
        yield Section("histogram", f"Sentences by their {found.metric}", columns, rows)


def _evenly(edges: Sequence[float]) -> list[str]:
    """Return numbers with as many digits as the longest of them needs."""
    digits = max(len(f"{edge:g}".partition(".")[2]) for edge in edges)
    return [f"{edge:.{digits}f}" if abs(edge) < LARGE else f"{edge:g}" for edge in edges]


def _surface(comparison: Comparison) -> Iterator[Section]:
    columns = ("system", "error", "missing", "added", "segments", "nothing else")
    rows = tuple(
        (name, one.kind, one.missing, one.added, len(one.rows), len(one.only))
        for name, own in zip(comparison.systems, comparison.surface, strict=True)
        for one in own
    )
    yield Section("surface", "Case, punctuation and numbers", columns, rows)


SECTIONS: dict[str, Callable[[Comparison], Iterator[Section]]] = {
    "scores": _scores,
    "differences": _differences,
    "clusters": _clusters,
    "blocks": _blocks,
    "buckets": _buckets,
    "words": _words,
    "sentences": _sentences,
    "ngrams": _ngrams,
    "histogram": _histogram,
    "surface": _surface,
}
