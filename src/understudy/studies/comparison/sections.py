"""A comparison as tables of plain cells, which every format of output writes in its own way."""

from __future__ import annotations

from dataclasses import dataclass

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import TypeAlias

    from understudy.metrics.score import Score
    from understudy.studies.comparison.blocks import Blocks
    from understudy.studies.comparison.breakdown import Breakdown
    from understudy.studies.comparison.comparison import Comparison
    from understudy.studies.comparison.pair import Pair
    from understudy.studies.comparison.significance import Significance
    from understudy.studies.significance.results import Comparison as Difference

    Cell: TypeAlias = str | int | float | "Scored" | None

PEOPLE = (
    "people agree: how often people ranked two systems as a difference of this size does, an "
    "estimate from other test sets (Kocmi et al. 2024)"
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A cell that holds a score and how sure it is.

    Attributes:
        score: the score.
        ends: the ends of its interval, where there is one.
        marks: letters of the systems that are significantly worse.
    """

    score: float
    ends: tuple[float, float] | None
    marks: str

    @property
    def half_width(self) -> float | None:
        """Half the interval, what is printed behind ±."""
        return None if self.ends is None else 0.5 * (self.ends[1] - self.ends[0])


class Probability(float):
    """A p-value: with two digits chance and certainty would look alike."""

    digits = 4


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
    rows: list[tuple[Cell, ...]] = [
        (name, *(score.score for score in own))
        for name, own in zip(comparison.systems, comparison.scores, strict=True)
    ]
    if found is None:
        yield Section("scores", "Scores", ("system", *comparison.metrics), tuple(rows))
        return
    several = len(comparison.systems) > 1
    rows = [
        (name, *[found.letters[name]] * several, *_scored(comparison.metrics, found, name, own))
        for name, own in zip(comparison.systems, comparison.scores, strict=True)
    ]
    columns = ("system", *["letter"] * several, *comparison.metrics)
    yield Section("scores", "Scores", columns, tuple(rows), note=found.in_words())


def _scored(
    metrics: Sequence[str], found: Significance, system: str, scores: Sequence[Score]
) -> Iterator[Scored]:
    for metric, score in zip(metrics, scores, strict=True):
        interval = found.interval(system, metric)
        ends = None if interval is None else (interval.low, interval.high)
        yield Scored(score.score, ends, found.marks(system, metric))


def _differences(comparison: Comparison) -> Iterator[Section]:
    found = comparison.significance
    if found is None:
        return
    for metric in comparison.metrics:
        tested = [one for one in found.results.comparisons if one.metric == metric]
        if not tested:
            return
        rows = tuple(_difference(found, one) for one in tested)
        estimated = metric in found.covered
        columns = ("systems", "difference", "p", "significant", *["people agree"] * estimated)
        note = PEOPLE if estimated else ""
        yield Section("differences", f"Differences in {metric}", columns, rows, note=note)


def _difference(found: Significance, one: Difference) -> tuple[Cell, ...]:
    p_value = Probability(one.p)
    significant = "yes" if one.better and one.is_significant(found.alpha) else "no"
    people = found.agreement(one)
    estimate = [] if people is None else [f"{people:.0%}"]
    return (f"{one.system} - {one.baseline}", one.difference, p_value, significant, *estimate)


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
    for found in comparison.blocks:
        yield _scores_of_blocks(comparison, found)
        if found.tests:
            yield _tests_of_blocks(found)


def _scores_of_blocks(comparison: Comparison, found: Blocks) -> Section:
    sizes = found.scores[0].segments
    size = " or ".join(map(str, sorted(set(sizes))))
    title = f"{found.metric} of {len(sizes)} blocks of {size} segment{'s' * (max(sizes) > 1)}"
    rows = tuple(
        (name, own.mean, own.variance, own.standard_deviation)
        for name, own in zip(comparison.systems, found.scores, strict=True)
    )
    return Section("blocks", title, ("system", "mean", "variance", "deviation"), rows)


def _tests_of_blocks(found: Blocks) -> Section:
    tests = [(one.left, one.right, one.found) for one in found.tests]
    rows = tuple(
        (left, right, test.difference, test.t, Probability(test.p_value))
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
    rows = tuple(
        (
            same[0].bucket.label,
            *([same[0].bucket.count] if breakdown.shared else ()),
            *(_number(one.scores[metric]) for one in same),
        )
        for same in zip(*breakdown.systems, strict=True)
    )
    counts = ["segments"] if breakdown.shared else []
    return Section("buckets", title, (breakdown.name, *counts, *comparison.systems), rows)


def _number(score: object) -> float | None:
    return None if score is None else float(score)  # type: ignore[arg-type]


def _words(comparison: Comparison) -> Iterator[Section]:
    for accuracy in comparison.words:
        rows = tuple(
            (same[0].label, same[0].expected, *(group.f for group in same))
            for same in zip(*accuracy.systems, strict=True)
        )
        columns = (accuracy.name, "words", *comparison.systems)
        yield Section("words", f"Word accuracy (F) by {accuracy.title}", columns, rows)


def _sentences(comparison: Comparison) -> Iterator[Section]:
    for pair in comparison.pairs:
        ranking = pair.sentences[0]
        total = ranking.wins + ranking.losses + ranking.ties
        systems = (pair.left, pair.right)
        scores = (f"{ranking.metric} of {name}" for name in systems)
        columns = ("segment", *scores, "reference", *systems)
        for better, worse, found, wins in (
            (pair.left, pair.right, ranking.gained, ranking.wins),
            (pair.right, pair.left, ranking.lost, ranking.losses),
        ):
            rows = tuple(
                (one.row + 1, *one.scores, " | ".join(one.references), *one.hypotheses)
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
        last = len(found.edges) - 2
        rows = tuple(
            (f">={low}" if number == last else f"[{low}, {high})", *counts)
            for number, (low, high, counts) in enumerate(
                zip(found.edges, found.edges[1:], zip(*found.counts, strict=True), strict=False)
            )
        )
        columns = (found.metric, *comparison.systems)
        yield Section("histogram", f"Sentences by their {found.metric}", columns, rows)


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
