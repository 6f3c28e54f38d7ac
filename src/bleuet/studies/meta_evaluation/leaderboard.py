"""The leaderboard: several metrics against the same people, by several statistics, best first."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from math import isnan

from bleuet.errors import OptionError
from bleuet.studies.meta_evaluation.agreement import (
    WILLIAMS,
    WILLIAMS_TESTS,
    agreement,
    compare_metrics,
)
from bleuet.studies.meta_evaluation.human_scores_check import Contender, People, whole_scores
from bleuet.studies.meta_evaluation.judgments import ScoreMatrix
from bleuet.studies.meta_evaluation.results import Agreement
from bleuet.studies.meta_evaluation.statistics import Statistic, find_statistic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

LEVELS = ("segment", "system")
SIGNIFICANT = 0.05

# The usual statistics by what people gave and by level: those of WMT 2024 for scores, Chen and
# Cherry's tau for judged pairs.
USUAL = {
    ("scores", "segment"): ("tau", "acc-eq"),
    ("scores", "system"): ("spa", "system-pearson"),
    ("judgments", "segment"): ("tau",),
    ("judgments", "system"): ("system-pearson",),
    ("systems", "system"): ("system-pearson", "system-accuracy"),
}
# What is shown where neither statistics nor a level were asked for.
USUAL_LEVELS = {"scores": LEVELS, "judgments": ("segment",), "systems": ("system",)}


@dataclass(frozen=True, slots=True)
class Standing:
    """How one metric agrees with people by one statistic.

    Args:
        agreement: the value and its interval; None where the metric has no scores of the level.
        rank: its rank where metrics were tested: 1 for those that none is significantly better
            than, and so on; None without a test.
        p_value: for the hypothesis that the best metric is better than it; None without a test
            and for the best itself.
    """

    agreement: Agreement | None
    rank: int | None = None
    p_value: float | None = None

    @property
    def value(self) -> float:
        """The statistic; NaN where there is none."""
        return float("nan") if self.agreement is None else self.agreement.value


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Metrics, best first by the first statistic, and how each agrees with people.

    Args:
        statistics: the statistics, in order.
        contenders: the metrics, best first.
        standings: standings[metric][statistic], in these orders.
    """

    statistics: tuple[Statistic, ...]
    contenders: tuple[Contender, ...]
    standings: tuple[tuple[Standing, ...], ...]


def usual_statistics(people: People, levels: Sequence[str] = ()) -> list[str]:
    """Return the statistics that suit what people gave.

    Args:
        people: what they said.
        levels: "segment", "system" or both; nothing leaves the choice to what they said.

    Raises:
        OptionError: people gave nothing at one of the levels.
    """
    found: list[str] = []
    for level in levels or USUAL_LEVELS[people.kind]:
        usual = USUAL.get((people.kind, level))
        if usual is None:
            raise OptionError(
                "people scored whole systems, so there is no segment level to ask for"
            )
        found += usual
    return found


@dataclass(frozen=True, slots=True)
class Terms:
    """How agreement is measured and tested.

    Args:
        grouping: for the statistics that can be grouped so; None takes the usual ones.
        draws: bootstrap draws behind each interval; 0 makes none.
        confidence: what part of the draws the interval covers.
        resample: "segments", "systems" or "both". A score of a whole system's output cannot be
            drawn segment by segment, so with such scores systems are drawn.
        seed: of everything that is random.
        test: "perm-both" or "williams" ranks metrics by significance; None does not.
        trials: the permutations of a test.
    """

    grouping: str | None = None
    draws: int = 0
    confidence: float = 0.95
    resample: str = "segments"
    seed: int = 12345
    test: str | None = None
    trials: int = 1000


def leaderboard(
    people: People,
    contenders: Sequence[Contender],
    statistics: Sequence[str],
    terms: Terms | None = None,
) -> Leaderboard:
    """Hold metrics against people.

    Args:
        people: what they said.
        contenders: the metrics; `on_common_ground` brings them to the same segments first.
        statistics: names of `STATISTICS`; the first one orders the board.
        terms: how agreement is measured and tested.

    Raises:
        OptionError: a statistic does not exist or cannot be computed here.
    """
    terms = terms or Terms()
    entries = [find_statistic(name) for name in statistics]
    _check_grouping(entries, terms.grouping)
    _check_test(entries, terms.test)
    columns = [_Column(entry, people, contenders, terms).standings() for entry in entries]
    order = sorted(range(len(contenders)), key=lambda i: _best_first(columns[0][i].value))
    return Leaderboard(
        tuple(entries),
        tuple(contenders[i] for i in order),
        tuple(tuple(column[i] for column in columns) for i in order),
    )


def _check_grouping(entries: Sequence[Statistic], grouping: str | None) -> None:
    if grouping is None or any(grouping in entry.groupings for entry in entries):
        return
    possible = list(dict.fromkeys(name for entry in entries for name in entry.groupings))
    raise OptionError(
        f"none of {', '.join(entry.name for entry in entries)} can be grouped by {grouping!r}; "
        f"expected {' or '.join(possible) or 'no grouping'}"
    )


def _check_test(entries: Sequence[Statistic], test: str | None) -> None:
    if test == WILLIAMS and all(entry.name != WILLIAMS_TESTS for entry in entries):
        raise OptionError(
            f"Williams' test is made for {WILLIAMS_TESTS}, which is not among the statistics "
            f"({', '.join(entry.name for entry in entries)}): add it, or test with perm-both"
        )


def _best_first(value: float) -> tuple[bool, float]:
    """A sorting key that puts undefined values last."""
    return isnan(value), -value


class _Column:
    """All metrics by one statistic."""

    def __init__(
        self, entry: Statistic, people: People, contenders: Sequence[Contender], terms: Terms
    ) -> None:
        self.entry = entry
        self.terms = terms
        self.human = people.for_statistic(entry)
        # Where one metric scores whole systems, all do, so that they can be held side by side.
        whole = not entry.needs_segments and any(one.systems is not None for one in contenders)
        self.scores = [self._scores_of(contender, whole) for contender in contenders]
        self.grouping = terms.grouping if terms.grouping in entry.groupings else None

    def _scores_of(self, contender: Contender, whole: bool) -> ScoreMatrix | None:
        if not whole:
            return contender.segments
        return contender.systems or (contender.segments and whole_scores(contender.segments))

    def standings(self) -> list[Standing]:
        """Measure every metric that has scores, and rank them where a test was asked for."""
        column = [
            Standing(None if scores is None else self._agreement(scores)) for scores in self.scores
        ]
        test = self.terms.test
        if test is None or (test == WILLIAMS and self.entry.name != WILLIAMS_TESTS):
            return column
        return self._ranked(column)

    def _agreement(self, scores: ScoreMatrix) -> Agreement:
        terms = self.terms
        one = isinstance(self.human, ScoreMatrix) and self.human.segments == 1
        whole = not self.entry.needs_segments and (one or scores.segments == 1)
        return agreement(
            self.entry.name,
            self.human,
            scores,
            grouping=self.grouping,
            draws=terms.draws,
            confidence=terms.confidence,
            resample="systems" if whole else terms.resample,
            seed=terms.seed,
        )

    def _ranked(self, column: list[Standing]) -> list[Standing]:
        """Rank metrics in clusters, from the best down, as WMT's metrics task does.

        A metric opens a new cluster where one of the present cluster is significantly better than
        it (Freitag et al. 2022, "Results of the WMT22 Metrics Shared Task").
        """
        known = (i for i, standing in enumerate(column) if not isnan(standing.value))
        order = sorted(known, key=lambda i: -column[i].value)
        p_value = cache(self._p_value)
        ranked = list(column)
        cluster: list[int] = []
        rank = 0
        for i in order:
            if not cluster or any(p_value(better, i) <= SIGNIFICANT for better in cluster):
                cluster, rank = [], rank + 1
            cluster.append(i)
            against_best = p_value(order[0], i) if i != order[0] else None
            ranked[i] = replace(column[i], rank=rank, p_value=against_best)
        return ranked

    def _p_value(self, better: int, worse: int) -> float:
        """The p-value for the hypothesis that one metric is better than another."""
        return compare_metrics(
            self.entry.name,
            self.human,
            self.scores[worse],  # type: ignore[arg-type]  # metrics without scores are not ranked
            self.scores[better],  # type: ignore[arg-type]
            grouping=self.grouping,
            test=self.terms.test or "perm-both",
            trials=self.terms.trials,
            seed=self.terms.seed,
        ).p_value
