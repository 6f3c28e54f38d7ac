"""The leaderboard: several metrics compared with the same human scores, best first."""

from __future__ import annotations

from collections import Counter
from math import comb, isnan

from bleuet.errors import OptionError
from bleuet.frozen import Value, checked
from bleuet.messages import plural
from bleuet.meta_evaluation.confidence import FEWEST_SYSTEMS
from bleuet.meta_evaluation.human_scores import KINDS, HumanScores
from bleuet.meta_evaluation.metric_comparison import STATISTIC_OF_TEST, pairs_warning
from bleuet.meta_evaluation.metric_ranking import SIGNIFICANT, MetricRanking, MetricResult
from bleuet.meta_evaluation.metric_scores import ALL, MetricScores, keep_rated_segments
from bleuet.meta_evaluation.rater_agreement import (
    RaterAgreement,
    has_common_items,
    rater_agreement,
)
from bleuet.meta_evaluation.settings import (
    AGREEMENT,
    MIXED_EFFECTS,
    PERM_BOTH,
    RANK_SUM,
    SIGNED_RANK,
    AgreementSettings,
)
from bleuet.meta_evaluation.statistics import Statistic, find_statistic
from bleuet.meta_evaluation.system_ranking import SystemRank, SystemRanking, rank_systems
from bleuet.output.answer import Answer, names_or_number
from bleuet.output.document import Column, Document, DocumentTable, Estimate
from bleuet.significance.correction import ONE_SIDED, TWO_SIDED, some_difference
from bleuet.significance.few_segments import (
    DOCUMENT,
    SEGMENT,
    TOO_NARROW,
    are_few,
    describe_few,
    effective_number,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bleuet.meta_evaluation.agreement import Agreement
    from bleuet.metrics.base.signature import Signature
    from bleuet.output.document import Cell, Record

LEVELS = ("segment", "system")
# The default statistics by kind of human scores and by level: those of WMT 2024 for scores, Chen
# and Cherry's tau for judgments.
DEFAULT_STATISTICS = {
    ("scores", "segment"): ("tau", "acc-eq"),
    ("scores", "system"): ("spa", "system-pearson"),
    ("judgments", "segment"): ("tau",),
    ("judgments", "system"): ("system-pearson",),
    ("systems", "system"): ("system-pearson", "system-accuracy"),
}
# Tests of systems by human scores, as notes name them.
NAMES_OF_TESTS = {
    SIGNED_RANK: "Wilcoxon's signed-rank test",
    RANK_SUM: "Wilcoxon's rank-sum test",
    MIXED_EFFECTS: "mixed-effects model",
}
DEFAULT_LEVELS = {"scores": LEVELS, "judgments": ("segment",), "systems": ("system",)}
# Correlations lie between -1 and 1, so that they need one digit more than scores in percent.
EXTRA_DIGITS = 1
# acc*eq says little where so many of the pairs that a metric orders right become ties.
MOSTLY_TIED = 0.9


class Leaderboard(Answer, Value):
    """Metrics, best first by the first statistic, and their agreement with human scores.

    Args:
        human: the human scores.
        statistics: the statistics, in order.
        metrics: the metrics, best first.
        results: results[metric][statistic], in these orders.
        settings: how agreement was computed and tested.
        notes: sentences about the scores that were used.
        left_out: sentences about the scores that were not used.
        raters: the agreement of raters with each other; None if no two of them are known to have
            scored the same.
        systems: the systems ranked by human scores; None without such a ranking.
    """

    human: HumanScores
    statistics: tuple[Statistic, ...]
    metrics: tuple[MetricScores, ...]
    results: tuple[tuple[MetricResult, ...], ...]
    settings: AgreementSettings
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    raters: RaterAgreement | None = None
    systems: SystemRanking | None = None

    @property
    def rated(self) -> tuple[int, int, int] | None:
        """The fewest and the most segments of a system with human scores, and all segments.

        None where the human scores are not of segments.
        """
        if self.human.scores is None:
            return None
        values = self.human.scores.values
        counts = (values == values).sum(axis=1)  # NaN differs from itself
        return int(counts.min()), int(counts.max()), self.human.scores.segments

    @property
    def _systems(self) -> int:
        """The number of systems that metrics are compared on."""
        scores = [one.segments or one.systems for one in self.metrics]
        return max(len(matrix.systems) for matrix in scores if matrix is not None)

    def document(self) -> Document:
        """Return one table with a row per metric, and one with a row per system if it is wanted."""
        notes = [*self.notes, *self.left_out]
        if self.metrics:
            notes += [*self._coverage(), *self._counts(), *self._sentinel_notes(), *self._legend()]
        notes = list(dict.fromkeys([*notes, *self._rater_notes(), *self._system_notes()]))
        ranking = self.systems
        titled = ranking is not None and bool(self.metrics)
        tables, records = [], {}
        if self.metrics:
            title = "Agreement of metrics with human scores" if titled else ""
            tables.append(self._table(title))
            records["agreement"] = self._records
        if ranking is not None:
            tables.append(_systems_table(ranking, "Systems by human scores" if titled else ""))
            records["systems"] = lambda: (one.to_dict() for one in ranking.systems)
        return Document(
            tables=tables,
            notes=notes,
            signatures=self._signatures(),
            data=lambda: {
                "notes": notes,
                "segments": self._segments(),
                "agreement": list(self._records()),
                "raters": self.raters and self.raters.to_dict(),
                "systems": ranking and ranking.to_dict(),
            },
            records=records,
        )

    def _in_brief(self) -> str:
        metrics = names_or_number([one.name for one in self.metrics], "metric")
        statistics = names_or_number([one.name for one in self.statistics], "statistic")
        return f"of {metrics} by {statistics}"

    def _table(self, title: str) -> DocumentTable:
        ranked = [any(one.rank for one in column) for column in self._columns()]
        columns = [Column("metric")]
        for entry, has_rank in zip(self.statistics, ranked, strict=True):
            columns.append(Column(entry.name, kind="score", extra_digits=EXTRA_DIGITS))
            if has_rank:
                columns.append(Column(f"{entry.name}_rank", "rank", kind="count"))
                columns.append(Column(f"{entry.name}_p_value", "p", kind="p-value"))
        rows = []
        for metric, results in zip(self.metrics, self.results, strict=True):
            row: list[Cell] = [metric.name]
            for result, has_rank in zip(results, ranked, strict=True):
                row.append(_estimate(result))
                row += [result.rank, _number(result.p_value)] if has_rank else []
            rows.append(row)
        return DocumentTable("agreement", title, columns, rows, rank_best=True)

    def _columns(self) -> list[tuple[MetricResult, ...]]:
        """Return the results by statistic."""
        return [tuple(row[at] for row in self.results) for at in range(len(self.statistics))]

    def _signatures(self) -> list[tuple[str, Signature]]:
        """Return name and signature of each computed metric."""
        found = []
        whole = any(not entry.needs_segments for entry in self.statistics)
        for one in self.metrics:
            found.append((one.name, one.signature))
            if whole and one.system_signature != one.signature:
                found.append((f"{one.name}, systems", one.system_signature))
        return [(name, signature) for name, signature in found if signature is not None]

    def _records(self) -> Iterator[Record]:
        """Yield one record per metric and statistic."""
        for metric, results in zip(self.metrics, self.results, strict=True):
            for entry, result in zip(self.statistics, results, strict=True):
                if result.agreement is None:
                    continue
                own = metric.signature if entry.needs_segments else metric.system_signature
                signature = own or metric.signature
                yield {
                    "metric": metric.name,
                    "statistic": entry.name,
                    "level": entry.level,
                    **result.to_dict(),
                    "signature": None if signature is None else str(signature),
                }

    def _segments(self) -> Record | None:
        """Return the number of segments, and of those that have human scores."""
        if self.rated is None:
            return None
        fewest, most, segments = self.rated
        return {"all": segments, "rated_min": fewest, "rated_max": most}

    # --- Notes ------------------------------------------------------------------------------------

    def _coverage(self) -> Iterator[str]:
        """Yield which segments have human scores, and which ones scores of systems cover."""
        if self.rated is None or self.rated[0] == self.rated[2]:
            return
        fewest, most, segments = self.rated
        each = " of a system" if fewest < most else ""
        counts = f"{_range([fewest, most])} of {segments:,} segments{each}"
        columns = [
            column
            for entry, column in zip(self.statistics, self._columns(), strict=True)
            if not entry.needs_segments
        ]
        if not columns:
            yield f"human scores: {counts}"
            return
        names = [
            metric.name
            for metric, one in zip(self.metrics, columns[0], strict=True)
            if one.coverage == ALL
        ]
        if not names:
            covered = "scores of systems cover the same segments"
        elif len(names) == len(self.metrics):
            covered = "the metrics' scores of systems cover all segments"
        else:
            covered = f"scores of systems cover the same segments, but all of {', '.join(names)}"
        yield f"human scores: {counts}; {covered}"

    def _counts(self) -> Iterator[str]:
        """Yield what each statistic was computed from."""
        by_statistic = [
            (entry, [one.agreement for one in column if one.agreement is not None])
            for entry, column in zip(self.statistics, self._columns(), strict=True)
        ]
        groupings = [
            f"{entry.name} {found[0].grouping}"
            for entry, found in by_statistic
            if found and found[0].grouping is not None
        ]
        if groupings:
            yield f"grouping: {', '.join(groupings)}"
        for entry, found in by_statistic:
            if any(one.left_out for one in found):
                yield f"{entry.name}: {_undecided(entry, found)} left out"
            if any(one.missing for one in found):
                missing = [one.missing for one in found]
                unit = _unit_with_score(entry) + ("" if set(missing) == {1} else "s")
                yield f"{entry.name}: {_range(missing)} {unit} left out because a score is missing"
        for entry, column in zip(self.statistics, self._columns(), strict=True):
            epsilons = [
                f"{metric.name} {one.agreement.epsilon:.3g}"
                for metric, one in zip(self.metrics, column, strict=True)
                if one.agreement is not None and one.agreement.epsilon is not None
            ]
            if epsilons:
                other = ", of other segments" if self.settings.held_out_epsilon else ""
                yield f"{entry.name}: scores tie up to a difference of {', '.join(epsilons)}{other}"
            tied = [
                metric.name
                for metric, one in zip(self.metrics, column, strict=True)
                if one.agreement is not None and (one.agreement.tied or 0) >= MOSTLY_TIED
            ]
            if tied:
                yield (
                    f"{entry.name}: with these differences nearly all scores of {', '.join(tied)} "
                    "tie, so the value is the share of human ties and says little about the "
                    "metric: compare metrics by tau"
                )
        for entry, column in zip(self.statistics, self._columns(), strict=True):
            noises = [one.agreement.noise or 0.0 for one in column if one.agreement is not None]
            if any(noises):
                yield f"{entry.name}: random exchanges leave a standard error of {max(noises):.1g}"

    def _sentinel_notes(self) -> Iterator[str]:
        """Yield which metrics are not above the sentinels."""
        if not any(one.sentinel for one in self.metrics):
            return
        yield (
            "sentinels: lengths in characters, of hypotheses or of references, which say nothing "
            "about quality: a metric should be above all of them"
        )
        for entry, column in zip(self.statistics, self._columns(), strict=True):
            defined = [
                (metric, one.value)
                for metric, one in zip(self.metrics, column, strict=True)
                if not isnan(one.value)
            ]
            floors = [(value, one.name) for one, value in defined if one.sentinel]
            if floors:
                floor, best = max(floors, key=lambda one: one[0])
                low = [one.name for one, value in defined if not one.sentinel and value <= floor]
                if low:
                    verb = "is" if len(low) == 1 else "are"
                    yield (
                        f"{entry.name}: {', '.join(low)} {verb} not above {best}, so lengths alone "
                        "reach this agreement"
                    )
            known = [one.name for one, _ in defined]
            missing = [one.name for one in self.metrics if one.sentinel and one.name not in known]
            if missing and known:
                yield (
                    f"{entry.name}: undefined for {', '.join(missing)}, whose scores are equal "
                    "wherever they are compared"
                )

    def _legend(self) -> Iterator[str]:
        """Yield what brackets, ranks and p-values mean."""
        settings = self.settings
        if settings.margin and any(one.coefficients is not None for one in self.statistics):
            yield f"judgments: human scores that differ by less than {settings.margin:g} tie"
        if settings.undefined_as_zero:
            yield "a correlation that is undefined counts as 0"
        units, exchanged = "segments", ""
        if settings.documents is not None:
            units = plural(len(set(settings.documents)), "document")
            exchanged = f", {units} exchanged whole"
        if settings.draws:
            yield from self._interval_notes(units)
        if settings.test is not None:
            yield (
                "rank: metrics of the same rank do not differ significantly "
                f"({settings.test}{exchanged}, p < {SIGNIFICANT:g}); p: for the hypothesis that "
                "the best metric is better"
            )
            warning = pairs_warning(settings, self._systems)
            if warning:
                yield warning
            if len(self.metrics) > 2:
                pairs = plural(comb(len(self.metrics), 2), "pair")
                if settings.correction is None:
                    yield _uncorrected(len(self.metrics), "metric", ONE_SIDED)
                else:
                    yield f"p-values: {settings.correction} correction for {pairs} of metrics"

    def _interval_notes(self, units: str) -> Iterator[str]:
        """Yield what brackets are, and whether they are too narrow.

        Args:
            units: what is drawn where segments are.
        """
        settings = self.settings
        drawn = {"segments": units, "both": f"{units} and systems"}.get(
            settings.resample, settings.resample
        )
        of_segments = any(one.level == "segment" for one in self.statistics)
        of = [drawn] if of_segments else []
        few: list[str] = []
        enough: list[str] = []
        for entry, column in zip(self.statistics, self._columns(), strict=True):
            if entry.level == "system":
                known = any(one.agreement and one.agreement.low is not None for one in column)
                (enough if known else few).append(entry.name)
        if enough:
            of.append(f"systems for {', '.join(enough)}" if of_segments else "systems")
        if of:
            yield (
                f"brackets: {100 * settings.confidence:g}% confidence intervals from "
                f"{settings.draws:,} bootstrap draws of {'; of '.join(of)}"
            )
        if few:
            yield (
                f"no intervals of {', '.join(few)}: fewer than {FEWEST_SYSTEMS} systems say little "
                "about others"
            )
        if settings.resample != "systems" and of_segments:
            yield from self._few_notes()

    def _few_notes(self) -> Iterator[str]:
        """Yield that intervals are too narrow where few segments or documents have human scores."""
        rated, documents = self.human.rated_segments, self.settings.documents
        if documents is None:
            number, unit, effective = len(rated), SEGMENT, None
        else:
            sizes = Counter(documents[segment] for segment in rated)
            number, unit, effective = len(sizes), DOCUMENT, effective_number([*sizes.values()])
        if are_few(number, effective):
            yield describe_few(number, TOO_NARROW, unit, effective)

    def _rater_notes(self) -> Iterator[str]:
        """Yield how well raters agree with each other."""
        found = self.raters
        if found is None:
            return
        items = plural(found.items, "translation")
        if isnan(found.alpha):
            yield f"raters: the scores of {items} by two raters or more are all equal"
            return
        interval = ""
        if found.low is not None and found.high is not None and not isnan(found.low):
            interval = f" [{found.low:.3f}, {found.high:.3f}]"
        yield (
            f"raters: Krippendorff's alpha {found.alpha:.3f}{interval} ({found.scale}), from "
            f"{items} with scores of two raters or more"
        )
        if interval:
            yield from self._few_notes()

    def _system_notes(self) -> Iterator[str]:
        """Yield how systems were ranked."""
        ranking = self.systems
        if ranking is None:
            return
        settings = self.settings
        interval = ""
        if ranking.test == MIXED_EFFECTS:
            interval = f", with {100 * settings.confidence:g}% confidence intervals"
        yield (
            f"clusters and ranks: systems of different clusters differ significantly "
            f"({NAMES_OF_TESTS[ranking.test]}, p < {SIGNIFICANT:g}); difference and p: compared "
            f"with the best system{interval}"
        )
        if ranking.deviations:
            named = [f"{name} {value:.3g}" for name, value in ranking.deviations.items()]
            yield f"standard deviations of random effects: {', '.join(named)}"
        if len(ranking.systems) > 2:
            pairs = plural(comb(len(ranking.systems), 2), "pair")
            if settings.correction is None:
                sides = ONE_SIDED if ranking.test == RANK_SUM else TWO_SIDED
                yield _uncorrected(len(ranking.systems), "system", sides)
            else:
                yield f"p-values: {settings.correction} correction for {pairs} of systems"


def _uncorrected(number: int, what: str, sides: int) -> str:
    """Return how often uncorrected tests of all pairs find a difference where there is none.

    Args:
        number: the number of systems or metrics.
        what: "system" or "metric".
        sides: the sides of the test.
    """
    share = some_difference(number, SIGNIFICANT, sides)
    # A one-sided test of the higher score rejects twice as often as its level.
    corrected = SIGNIFICANT * TWO_SIDED / sides
    return (
        f"p-values are not corrected for the {plural(comb(number, 2), 'pair')} of {what}s: of "
        f"{number} equal {what}s, some differ in up to {100 * share:.0f}% of cases, and in "
        f"{100 * corrected:g}% with the correction holm"
    )


def _systems_table(ranking: SystemRanking, title: str) -> DocumentTable:
    """Return the table of ranked systems."""
    columns = [
        Column("system"),
        Column("cluster", kind="count"),
        Column("ranks", value=_range_of_ranks),
        Column("score", kind="score", extra_digits=EXTRA_DIGITS),
        Column("difference", kind="score", extra_digits=EXTRA_DIGITS, value=_difference),
        Column("p_value", "p", kind="p-value"),
    ]
    return DocumentTable.of("systems", title, columns, ranking.systems)


def _range_of_ranks(one: SystemRank) -> str:
    best, worst = one.best_rank, one.worst_rank
    return str(best) if best == worst else f"{best}-{worst}"


def _difference(one: SystemRank) -> Estimate | None:
    if one.difference is None:
        return None
    return Estimate(one.difference, one.low, one.high, asymmetric=True)


def _estimate(result: MetricResult) -> Estimate | None:
    found = result.agreement
    if found is None or isnan(found.value):
        return None
    return Estimate(found.value, _number(found.low), _number(found.high), asymmetric=True)


def _number(value: float | None) -> float | None:
    """Return a number, None if it is undefined."""
    return None if value is None or isnan(value) else value


def _undecided(entry: Statistic, found: Sequence[Agreement]) -> str:
    """Return what is left out of a statistic: tied judgments, or groups without a value."""
    counts = [one.left_out for one in found]
    ending = "" if set(counts) == {1} else "s"
    grouping = found[0].grouping
    if entry.coefficients is not None and grouping == "none":
        return f"{_range(counts)} tied pair{ending}"
    group = "system" if grouping == "system" else "segment"
    return f"{_range(counts)} {group}{ending} with an undefined value"


def _unit_with_score(entry: Statistic) -> str:
    """Return what a statistic leaves out where a score is missing."""
    if entry.coefficients is not None:
        return "judgment"
    if entry.level == "segment":
        return "translation"
    return "segment" if entry.needs_segments else "system"


def _range(counts: Sequence[int]) -> str:
    least, most = min(counts), max(counts)
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


# --- Making one -----------------------------------------------------------------------------------


@checked
def leaderboard(
    human: HumanScores,
    metrics: Sequence[MetricScores],
    statistics: Sequence[str] = (),
    settings: AgreementSettings = AGREEMENT,
) -> Leaderboard:
    """Compare metrics with human scores.

    Args:
        human: the human scores.
        metrics: the metrics; `keep_common_segments` restricts them to the same segments first.
            Without any, systems can be ranked by human scores all the same.
        statistics: names of `STATISTICS`; the first one orders the metrics. Without any, the
            default statistics of the human scores.
        settings: how agreement is computed and tested.

    Raises:
        OptionError: a statistic does not exist, occurs twice or cannot be computed.
    """
    names = list(statistics) or default_statistics(human, metrics) if metrics else []
    entries = [find_statistic(name) for name in names]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise OptionError(f"the statistic {repeated} occurs twice: name it once")
    _check_grouping(entries, settings.grouping)
    if metrics:
        _check_test(entries, settings.test)
    if not settings.all_segments:
        metrics = keep_rated_segments(human, metrics)
    columns = [MetricRanking(entry, human, metrics, settings).results() for entry in entries]
    order = sorted(range(len(metrics)), key=lambda i: _best_first(columns[0][i].value))
    return Leaderboard(
        human,
        tuple(entries),
        tuple(metrics[i] for i in order),
        tuple(tuple(column[i] for column in columns) for i in order),
        settings,
        raters=_agreement_of_raters(human, settings),
        systems=None if settings.rank_systems is None else rank_systems(human, settings),
    )


def _agreement_of_raters(human: HumanScores, settings: AgreementSettings) -> RaterAgreement | None:
    if human.raters is None or not has_common_items(human.raters):
        return None
    return rater_agreement(human.raters, settings)


def default_statistics(
    human: HumanScores, metrics: Sequence[MetricScores], levels: Sequence[str] = ()
) -> list[str]:
    """Return the names of the default statistics for human scores and metrics.

    Args:
        human: the human scores.
        metrics: the metrics; statistics that none of them has the scores for are left out.
            Sentinels do not count unless all are sentinels.
        levels: "segment", "system" or both; without any, those of the human scores.

    Raises:
        OptionError: there are no human scores of a level.
    """
    found: list[str] = []
    for level in levels or DEFAULT_LEVELS[human.kind]:
        names = DEFAULT_STATISTICS.get((human.kind, level))
        if names is None:
            raise OptionError(
                f"the level must be system, not {level}: the human scores are {KINDS[human.kind]}"
            )
        found += names
    judged = [one for one in metrics if not one.sentinel] or metrics
    of_segments = any(one.segments is not None for one in judged)
    return [name for name in found if of_segments or not find_statistic(name).needs_segments]


def _check_grouping(entries: Sequence[Statistic], grouping: str | None) -> None:
    if grouping is None or any(grouping in entry.groupings for entry in entries):
        return
    possible = list(dict.fromkeys(name for entry in entries for name in entry.groupings))
    raise OptionError(
        f"the grouping of {', '.join(entry.name for entry in entries)} must be "
        f"{' or '.join(possible) or 'left out'}, not {grouping!r}"
    )


def _check_test(entries: Sequence[Statistic], test: str | None) -> None:
    wanted = STATISTIC_OF_TEST.get(test or "")
    if wanted is not None and all(entry.name != wanted for entry in entries):
        raise OptionError(
            f"the test {test} needs the statistic {wanted}, which is not among "
            f"{', '.join(entry.name for entry in entries)}: add it, or use the test {PERM_BOTH}"
        )


def _best_first(value: float) -> tuple[bool, float]:
    """Return a sorting key that puts undefined values last."""
    return isnan(value), -value
