"""Tables of human judgments: pairs of a better and a worse system, or rankings."""

from __future__ import annotations

import re
from itertools import chain
from math import comb, isnan

from bleuet.errors import InputError
from bleuet.evaluation.score_tables import (
    SCORE_COLUMNS,
    check_segments,
    open_table,
    score_table,
    segment_numbers,
)
from bleuet.frozen import Value
from bleuet.meta_evaluation.arrays import BLANK
from bleuet.meta_evaluation.mqm import MQM_WEIGHTS, annotated_scores, is_annotated
from bleuet.meta_evaluation.pairwise_judgments import PairwiseJudgments
from bleuet.meta_evaluation.rater_scores import RaterTable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from bleuet.evaluation.score_tables import ColumnRoles, ScoreTable, TableLayout
    from bleuet.meta_evaluation.mqm import MqmWeights
    from bleuet.text.source import Source
    from bleuet.text.tables import NamedColumns

HUMAN_COLUMNS = f"{SCORE_COLUMNS}, or segment, better, worse, or segment, system1, ..., rank1, ..."
_RANK = re.compile(r"rank(\d+)")


class HumanJudgments(Value):
    """Rows of a table that say which of some systems is better on a segment.

    Args:
        table: the table as it was read.
        segments: the segment of each row, counted from 0.
    """

    table: NamedColumns
    segments: list[int]

    @property
    def names(self) -> list[str]:
        """The systems in order of occurrence."""
        raise NotImplementedError

    @property
    def last_segment(self) -> int:
        """The largest segment number."""
        return max(self.segments, default=-1)

    def judgments(self, systems: Sequence[str], segments: int) -> tuple[PairwiseJudgments, int]:
        """Return the judgments of some systems, and the number of judgments of others.

        Args:
            systems: the systems by their names in the table.
            segments: the number of segments.

        Raises:
            InputError: a segment is out of range, or no row compares two of the systems.
        """
        check_segments(self.table, self.segments, segments)
        found = self._judgments(systems, segments)
        if found is None:
            raise InputError(
                f"{self.table.name} compares no two of the systems {', '.join(systems)}: check "
                "their names"
            )
        return found

    def _judgments(
        self, systems: Sequence[str], segments: int
    ) -> tuple[PairwiseJudgments, int] | None:
        """Return what `judgments` does, None if no row compares two of the systems."""
        raise NotImplementedError


class JudgmentTable(HumanJudgments):
    """Rows (segment, better, worse) of a table.

    Args:
        better: the better system of each row.
        worse: the worse system of each row.
    """

    better: list[str]
    worse: list[str]

    @property
    def names(self) -> list[str]:
        """The better systems in order of occurrence, then those that are never better."""
        return list(dict.fromkeys([*self.better, *self.worse]))

    def _judgments(
        self, systems: Sequence[str], segments: int
    ) -> tuple[PairwiseJudgments, int] | None:
        known = set(systems)
        triples = zip(self.segments, self.better, self.worse, strict=True)
        rows = [row for row in triples if row[1] in known and row[2] in known]
        if not rows:
            return None
        judged = PairwiseJudgments.from_better_worse(rows, segments, systems=systems)
        return judged, len(self.segments) - len(rows)


class RankingTable(HumanJudgments):
    """Rows (segment, system1, ..., rank1, ...) of a table: one rater's ranks of some systems.

    Args:
        systems: the systems of each row.
        ranks: their ranks; `BLANK` for none.
    """

    systems: list[tuple[str, ...]]
    ranks: list[tuple[int, ...]]

    @property
    def names(self) -> list[str]:
        """The systems in order of occurrence."""
        return list(dict.fromkeys(chain.from_iterable(self.systems)))

    def _judgments(
        self, systems: Sequence[str], segments: int
    ) -> tuple[PairwiseJudgments, int] | None:
        rows, others = [], 0
        known = set(systems)
        for segment, names, ranks in zip(self.segments, self.systems, self.ranks, strict=True):
            kept = [i for i, name in enumerate(names) if name in known]
            rows.append((segment, [names[i] for i in kept], [ranks[i] for i in kept]))
            others += comb(len(names), 2) - comb(len(kept), 2)
        if not any(len(row[1]) > 1 for row in rows):
            return None
        return PairwiseJudgments.from_rankings(rows, segments, systems=systems), others


def read_human_table(
    source: Source, layout: TableLayout, weights: MqmWeights | None = None
) -> ScoreTable | JudgmentTable | RankingTable:
    """Read human scores, MQM annotations, pairwise judgments or rankings, by the columns.

    Args:
        source: a file; its column is that of the scores, where it is not "score". The columns are
            (segment, system, score), with a column rater for scores by rater, or (system, score);
            (segment, better, worse); or (segment, system1, ..., rank1, ...), where rank 1 is best
            and -1 or an empty cell means no rank; or (system, seg_id, rater, category, severity),
            one row per error.
        layout: how the table is read.
        weights: how much each error of MQM annotations counts; None for the default weights.

    Raises:
        InputError: the file cannot be read, or a column is missing; the message names the place.
    """
    table, roles = open_table(source, layout, HUMAN_COLUMNS)
    if "better" in roles or "worse" in roles:
        return _judgments(table, roles, layout.first_segment or 0)
    if any(_RANK.fullmatch(name) for name in table.columns):
        return _rankings(table, roles, layout.first_segment or 0)
    if source.column is None and "score" not in roles and is_annotated(table):
        return annotated_scores(table, roles, layout.first_segment, weights or MQM_WEIGHTS)
    scores = score_table(table, roles, layout.first_segment or 0)
    if "rater" not in roles or scores.segments is None:
        return scores
    return RaterTable(
        scores.table, scores.segments, scores.systems, scores.scores, table.strings(roles["rater"])
    )


def _judgments(table: NamedColumns, roles: ColumnRoles, first_segment: int) -> JudgmentTable:
    segments = segment_numbers(table, roles["segment"], first_segment)
    better, worse = table.strings(roles["better"]), table.strings(roles["worse"])
    for row, (one, other) in enumerate(zip(better, worse, strict=True)):
        if one == other:
            raise InputError(f"{table.place(row)} compares {one} with itself: name two systems")
    return JudgmentTable(table, segments, better, worse)


def _rankings(table: NamedColumns, roles: ColumnRoles, first_segment: int) -> RankingTable:
    segments = segment_numbers(table, roles["segment"], first_segment)
    positions = [match[1] for name in table.columns if (match := _RANK.fullmatch(name))]
    columns = [table.strings(f"system{position}") for position in positions]
    systems = list(zip(*columns, strict=True))
    for row, names in enumerate(systems):
        if len(set(names)) < len(names):
            repeated = next(name for name in names if names.count(name) > 1)
            raise InputError(f"{table.place(row)} ranks {repeated} twice: rank each system once")
    ranks = [_ranks(table, f"rank{position}") for position in positions]
    return RankingTable(table, segments, systems, list(zip(*ranks, strict=True)))


def _ranks(table: NamedColumns, name: str) -> list[int]:
    """Return a column of ranks from 1; `BLANK` for an empty cell or -1."""
    ranks: list[int] = []
    for row, rank in enumerate(table.numbers(name)):
        blank = isnan(rank) or rank == BLANK
        if not blank and (rank < 1 or rank != int(rank)):
            raise InputError(
                f"{table.place(row)}: {name} is {rank:g}; expected 1 for the best, 2 and so on, or "
                f"{BLANK} for a system without a rank"
            )
        ranks.append(BLANK if blank else int(rank))
    return ranks
