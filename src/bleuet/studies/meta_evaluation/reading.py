"""What people said and what metrics scored, read from tables."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import chain
from math import comb, isnan

from bleuet.errors import InputError
from bleuet.messages import nearest
from bleuet.studies.meta_evaluation.judgments import PairwiseJudgments, ScoreMatrix
from bleuet.studies.meta_evaluation.rows import BLANK
from bleuet.text.source import Source
from bleuet.text.tables import NamedColumns, read_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn

ROLES = ("segment", "system", "score", "better", "worse")
SCORES = "segment, system, score"
PEOPLE = f"{SCORES}, or segment, better, worse, or segment, system1, ..., rank1, ..."
_RANK = re.compile(r"rank(\d+)")


@dataclass(frozen=True, slots=True)
class Scores:
    """Rows (segment, system, score) of a table; without segments, one score per system."""

    table: NamedColumns
    segments: list[int] | None
    systems: list[str]
    scores: list[float]

    @property
    def names(self) -> list[str]:
        """The systems, in the order they come."""
        return list(dict.fromkeys(self.systems))

    @property
    def last_segment(self) -> int:
        """The greatest segment, -1 where scores belong to systems."""
        return max(self.segments or [-1], default=-1)

    def matrix(
        self, systems: Sequence[str], segments: int, *, average: bool = False
    ) -> ScoreMatrix:
        """Return the scores of some systems.

        Args:
            systems: the systems by their names in the table.
            segments: how many segments there are.
            average: average repeated scores, as of several raters, instead of refusing them.

        Raises:
            InputError: a segment is out of range, or a score comes twice, with the place.
        """
        segments = 1 if self.segments is None else segments
        places = self.segments or [0] * len(self.systems)
        _check_segments(self.table, places, segments)
        known = set(systems)
        rows = [row for row, name in enumerate(self.systems) if name in known]
        if not average:
            self._refuse_repetition(rows, places)
        scored = [row for row in rows if not isnan(self.scores[row])]
        if not scored:
            raise InputError(f"{self.table.name} has no score of {', '.join(systems)}")
        return ScoreMatrix.from_rows(
            [(places[row], self.systems[row], self.scores[row]) for row in scored],
            segments,
            systems=systems,
            average_repeated=average,
        )

    def _refuse_repetition(self, rows: Sequence[int], places: Sequence[int]) -> None:
        first: dict[tuple[int, str], int] = {}
        for row in rows:
            before = first.setdefault((places[row], self.systems[row]), row)
            if before != row:
                whole = self.segments is None
                raise InputError(
                    f"{self.table.place(row)} scores {self.systems[row]}"
                    f"{'' if whole else ' on the same segment'} as row {self.table.lines[before]} "
                    f"did{', and there is no column segment' if whole else ''}; give one score, or "
                    "ask for the --average"
                )


@dataclass(frozen=True, slots=True)
class Pairs:
    """Rows (segment, better, worse) of a table."""

    table: NamedColumns
    segments: list[int]
    better: list[str]
    worse: list[str]

    @property
    def names(self) -> list[str]:
        """The systems, in the order they come."""
        return list(dict.fromkeys([*self.better, *self.worse]))

    @property
    def last_segment(self) -> int:
        """The greatest segment."""
        return max(self.segments, default=-1)

    def judgments(self, systems: Sequence[str], segments: int) -> tuple[PairwiseJudgments, int]:
        """Return the judgments of some systems, and how many there were of others.

        Raises:
            InputError: a segment is out of range, with the place; or nothing is left.
        """
        _check_segments(self.table, self.segments, segments)
        known = set(systems)
        triples = zip(self.segments, self.better, self.worse, strict=True)
        rows = [row for row in triples if row[1] in known and row[2] in known]
        if not rows:
            _refuse_nothing(self.table, systems)
        judged = PairwiseJudgments.from_better_worse(rows, segments, systems=systems)
        return judged, len(self.segments) - len(rows)


@dataclass(frozen=True, slots=True)
class Rankings:
    """Rows (segment, system1, ..., rank1, ...) of a table: one judge's ranks of some systems."""

    table: NamedColumns
    segments: list[int]
    systems: list[tuple[str, ...]]
    ranks: list[tuple[int, ...]]

    @property
    def names(self) -> list[str]:
        """The systems, in the order they come."""
        return list(dict.fromkeys(chain.from_iterable(self.systems)))

    @property
    def last_segment(self) -> int:
        """The greatest segment."""
        return max(self.segments, default=-1)

    def judgments(self, systems: Sequence[str], segments: int) -> tuple[PairwiseJudgments, int]:
        """Return the judgments of some systems, and how many there were of others.

        Raises:
            InputError: a segment is out of range, with the place; or nothing is left.
        """
        _check_segments(self.table, self.segments, segments)
        rows, others = [], 0
        known = set(systems)
        for segment, names, ranks in zip(self.segments, self.systems, self.ranks, strict=True):
            kept = [i for i, name in enumerate(names) if name in known]
            rows.append((segment, [names[i] for i in kept], [ranks[i] for i in kept]))
            others += comb(len(names), 2) - comb(len(kept), 2)
        if not any(len(row[1]) > 1 for row in rows):
            _refuse_nothing(self.table, systems)
        return PairwiseJudgments.from_rankings(rows, segments, systems=systems), others


def _refuse_nothing(table: NamedColumns, systems: Sequence[str]) -> NoReturn:
    raise InputError(
        f"{table.name} compares no two of the systems {', '.join(systems)}: check their names"
    )


def read_people(
    text: str, columns: Mapping[str, str] | None = None, first_segment: int = 0
) -> Scores | Pairs | Rankings:
    """Read what people said: scores, pairwise judgments or rankings, told by the columns.

    Args:
        text: a table, and behind a colon the column that holds the scores where that is not
            "score", as in `mqm.tsv.gz:mqm`. Columns are (segment, system, score), or (system,
            score); (segment, better, worse); or (segment, system1, ..., rank1, ...), where rank 1
            is best and -1 or nothing stands for no rank.
        columns: what columns are called that are not called by their role, by role.
        first_segment: the number of the first segment, 0 or 1.

    Raises:
        InputError: the file cannot be read, or lacks a column, with the place.
    """
    table, roles = _opened(text, columns, PEOPLE)
    if "better" in roles or "worse" in roles:
        return _pairs(table, roles, first_segment)
    if any(_RANK.fullmatch(name) for name in table.columns):
        return _rankings(table, roles, first_segment)
    return _scores(table, roles, first_segment)


def read_scores(
    text: str, columns: Mapping[str, str] | None = None, first_segment: int = 0
) -> Scores:
    """Read a metric's scores, a table as `read_people` takes it."""
    return _scores(*_opened(text, columns, SCORES), first_segment)


def check_columns(columns: Mapping[str, str], tables: Sequence[NamedColumns]) -> None:
    """Refuse names of columns that no table has.

    A table that lacks one may have a column called by its role, so that only all of them can tell.

    Raises:
        InputError: there is one.

    >>> check_columns({"system": "sys"}, [NamedColumns("a.tsv", {"sys": ["mine"]}, [2])])
    """
    known = dict.fromkeys(chain.from_iterable(table.columns for table in tables))
    for role, name in columns.items():
        if name not in known:
            raise InputError(
                f"--columns {role}={name}: no table has a column {name}{nearest(name, known)}; "
                f"there are {', '.join(known) or 'no tables with names of columns'}"
            )


def _opened(
    text: str, columns: Mapping[str, str] | None, expected: str
) -> tuple[NamedColumns, _Roles]:
    source = Source.parse(text)
    table = read_table(source.path)
    if not table.lines:
        raise InputError(f"{table.name} names columns and has no row below them: check the file")
    return table, _Roles(table, columns or {}, source.column, expected)


class _Roles:
    """Which column of a table plays which role."""

    def __init__(
        self, table: NamedColumns, columns: Mapping[str, str], score: str | None, expected: str
    ) -> None:
        self._table = table
        self._expected = expected
        self._names = {role: role for role in ROLES}
        for role, name in columns.items():
            # A table that does not have it may still have the role's own name.
            if name in table.columns or role not in table.columns:
                self._names[role] = name
        if score is not None:
            self._names["score"] = score
        self._asked = score is not None or "score" in columns

    def __contains__(self, role: str) -> bool:
        return self._names[role] in self._table.columns

    def __getitem__(self, role: str) -> str:
        name = self._names[role]
        if name not in self._table.columns:
            self._refuse(role, name)
        return name

    def _refuse(self, role: str, name: str) -> NoReturn:
        table = self._table
        header = list(table.columns)
        message = f"{table.name} has no column {name}{nearest(name, header)}; it has "
        message += ", ".join(header)
        if role == "score" and not self._asked:
            others = [column for column in header if column not in self._names.values()]
            example = f", as in {table.name}:{others[-1]}" if others else ""
            raise InputError(f"{message}: name the column of the scores behind a colon{example}")
        raise InputError(
            f"{message}; expected {self._expected}: rename it, or say --columns {role}=NAME"
        )


def _scores(table: NamedColumns, roles: _Roles, first_segment: int) -> Scores:
    systems, scores = roles["system"], roles["score"]
    segments = None
    # A table of one score per system has no segments; a misspelt column is no such table.
    if "segment" in roles or nearest("segment", table.columns):
        segments = _segments(table, roles["segment"], first_segment)
    return Scores(table, segments, table.strings(systems), table.numbers(scores))


def _segments(table: NamedColumns, name: str, first_segment: int) -> list[int]:
    numbers = table.whole_numbers(name)
    least = min(numbers, default=first_segment)
    if least < first_segment:
        raise InputError(
            f"{table.place(numbers.index(least))}: {name} is {least}, but segments are numbered "
            f"from {first_segment}"
        )
    return [number - first_segment for number in numbers] if first_segment else numbers


def _check_segments(table: NamedColumns, segments: Sequence[int], count: int) -> None:
    """Refuse a segment that the texts do not have."""
    if not segments or max(segments) < count:
        return
    at = next(i for i, segment in enumerate(segments) if segment >= count)
    raise InputError(
        f"{table.place(at)} names a segment beyond the last, for the texts have {count}: check "
        "that they belong together; if the table counts from 1, say --first-segment 1"
    )


def _pairs(table: NamedColumns, roles: _Roles, first_segment: int) -> Pairs:
    segments = _segments(table, roles["segment"], first_segment)
    better, worse = table.strings(roles["better"]), table.strings(roles["worse"])
    for row, (one, other) in enumerate(zip(better, worse, strict=True)):
        if one == other:
            raise InputError(f"{table.place(row)} compares {one} with itself")
    return Pairs(table, segments, better, worse)


def _rankings(table: NamedColumns, roles: _Roles, first_segment: int) -> Rankings:
    segments = _segments(table, roles["segment"], first_segment)
    positions = [match[1] for name in table.columns if (match := _RANK.fullmatch(name))]
    columns = [table.strings(f"system{position}") for position in positions]
    systems = list(zip(*columns, strict=True))
    for row, names in enumerate(systems):
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise InputError(f"{table.place(row)} ranks {twice} twice")
    ranks = [_ranks(table, f"rank{position}") for position in positions]
    return Rankings(table, segments, systems, list(zip(*ranks, strict=True)))


def _ranks(table: NamedColumns, name: str) -> list[int]:
    """Ranks from 1; BLANK where the judge gave none, which files write as -1 or nothing."""
    ranks: list[int] = []
    for row, rank in enumerate(table.numbers(name)):
        blank = isnan(rank) or rank == BLANK
        if not blank and (rank < 1 or rank != int(rank)):
            raise InputError(
                f"{table.place(row)}: {name} is {rank:g}; expected 1 for the best, 2 and so on, "
                f"or {BLANK} for none"
            )
        ranks.append(BLANK if blank else int(rank))
    return ranks
