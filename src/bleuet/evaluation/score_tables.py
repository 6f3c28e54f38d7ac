"""Tables of scores: rows of segment, system and score, and the roles of their columns."""

from __future__ import annotations

from itertools import chain
from math import isnan

from bleuet.errors import InputError
from bleuet.frozen import Value
from bleuet.messages import nearest
from bleuet.text.fingerprint import check_same_test_set, is_fingerprint
from bleuet.text.tables import NamedColumns, read_table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import NoReturn

    from bleuet.text.source import Source

ROLES = ("segment", "system", "score", "rater", "better", "worse")
SCORE_COLUMNS = "segment, system, score"
# The column with the fingerprint of the test set, in what --save-scores wrote.
TEST_SET = "test_set"


class TableLayout(Value):
    """How tables of scores are read.

    Args:
        columns: by role, the names of columns that are not named after their role.
        first_segment: the number of the first segment, 0 or 1; None for 1 in MQM annotations and in
            what `--save-scores` wrote, and 0 in other tables.
        average: average repeated scores, as of several raters, instead of rejecting them.
    """

    columns: Mapping[str, str] = {}
    first_segment: int | None = None
    average: bool = False


class SameTestSet:
    """Checks that tables of scores are of one test set, where `--save-scores` wrote which.

    Args:
        current: returns the fingerprint of the texts, or "" without texts: then that of the first
            table counts. It is called where a table has a fingerprint.
        allow_mismatch: whether to warn only where test sets differ.
    """

    def __init__(self, current: Callable[[], str], *, allow_mismatch: bool = False) -> None:
        self._current = current
        self._allow_mismatch = allow_mismatch
        self._known: tuple[str, str] | None = None

    def check(self, table: NamedColumns) -> None:
        """Check a table.

        Raises:
            MismatchError: it is of another test set.
            InputError: its rows are of several test sets.
        """
        found = list(dict.fromkeys(table.columns.get(TEST_SET, ())))
        if not found or not all(map(is_fingerprint, found)):
            return
        if len(found) > 1:
            row = table.columns[TEST_SET].index(found[1])
            raise InputError(
                f"{table.place(row)}: {TEST_SET} is another one than in the rows before; expected "
                "scores of one test set: use a file for each"
            )
        if self._known is None:
            current = self._current()
            self._known = ("the texts", current) if current else (table.name, found[0])
        check_same_test_set(table.name, found[0], *self._known, allow_mismatch=self._allow_mismatch)


class ColumnRoles:
    """The columns of one table by their roles.

    Args:
        table: the table.
        columns: by role, the names of columns that are not named after their role.
        score: the name of the column of scores, None for the default.
        expected: the columns that such a table must have, for errors.
    """

    def __init__(
        self, table: NamedColumns, columns: Mapping[str, str], score: str | None, expected: str
    ) -> None:
        self._table = table
        self._expected = expected
        self._names = {role: role for role in ROLES}
        for role, name in columns.items():
            # A table without that column may still have one named after the role.
            if name in table.columns or role not in table.columns:
                self._names[role] = name
        if score is not None:
            self._names["score"] = score
        self._score_is_named = score is not None or "score" in columns

    def __contains__(self, role: str) -> bool:
        return self._names[role] in self._table.columns

    def __getitem__(self, role: str) -> str:
        name = self._names[role]
        if name not in self._table.columns:
            self._reject(role, name)
        return name

    def _reject(self, role: str, name: str) -> NoReturn:
        table = self._table
        header = list(table.columns)
        message = f"{table.name} has no column {name}{nearest(name, header)}; it has "
        message += ", ".join(header)
        if role == "score" and not self._score_is_named:
            others = [
                column for column in header if column not in (*self._names.values(), TEST_SET)
            ]
            example = f", as in {table.name}:{others[-1]}" if others else ""
            raise InputError(f"{message}: name the column of scores after a colon{example}")
        raise InputError(
            f"{message}; expected {self._expected}: rename the column, or use --columns {role}=NAME"
        )


def open_table(
    source: Source, layout: TableLayout, expected: str
) -> tuple[NamedColumns, ColumnRoles]:
    """Read a table and return it with the roles of its columns.

    Args:
        source: a file; its column, if any, is that of the scores.
        layout: how the table is read.
        expected: the columns that such a table must have, for errors.

    Raises:
        InputError: the file cannot be read or has no rows.
    """
    table = read_table(source)
    if not table.lines:
        raise InputError(f"{table.name} has a line of column names but no rows: check the file")
    return table, ColumnRoles(table, layout.columns, source.column, expected)


def check_columns(columns: Mapping[str, str], tables: Sequence[NamedColumns]) -> None:
    """Check that each named column is in one of the tables.

    It need not be in all of them: the others may have a column named after the role.

    Raises:
        InputError: no table has the column.

    >>> check_columns({"system": "sys"}, [NamedColumns("a.tsv", {"sys": ["mine"]}, [2])])
    """
    known = dict.fromkeys(chain.from_iterable(table.columns for table in tables))
    for role, name in columns.items():
        if name not in known:
            raise InputError(
                f"--columns {role}={name}: no table has a column {name}{nearest(name, known)}; "
                f"there are {', '.join(known) or 'no tables with named columns'}"
            )


def segment_numbers(table: NamedColumns, name: str, first_segment: int) -> list[int]:
    """Return a column of segment numbers, counted from 0.

    Args:
        table: the table.
        name: the name of the column.
        first_segment: the number of the first segment in the table.

    Raises:
        InputError: a value is not a whole number, or is too small; the message names its row.
    """
    numbers = table.whole_numbers(name)
    least = min(numbers, default=first_segment)
    if least < first_segment:
        raise InputError(
            f"{table.place(numbers.index(least))}: {name} is {least}, but segments are numbered "
            f"from {first_segment}"
        )
    return [number - first_segment for number in numbers] if first_segment else numbers


def check_segments(table: NamedColumns, segments: Sequence[int], count: int) -> None:
    """Check that no row has a segment beyond the last one.

    Args:
        table: the table, for the error.
        segments: the segment of each row, counted from 0.
        count: the number of segments.

    Raises:
        InputError: there is such a row; the message names it.
    """
    if not segments or max(segments) < count:
        return
    at = next(i for i, segment in enumerate(segments) if segment >= count)
    raise InputError(
        f"{table.place(at)} has a segment beyond the last of {count}: check that the table belongs "
        "to the texts; if it counts from 1, use --first-segment 1"
    )


class ScoreTable(Value):
    """Rows (segment, system, score) of a table.

    Args:
        table: the table as it was read.
        segments: the segment of each row, counted from 0; None for one score per system.
        systems: the system of each row.
        scores: the score of each row; NaN for none.
    """

    table: NamedColumns
    segments: list[int] | None
    systems: list[str]
    scores: list[float]

    @property
    def names(self) -> list[str]:
        """The systems in order of occurrence."""
        return list(dict.fromkeys(self.systems))

    @property
    def last_segment(self) -> int:
        """The largest segment number, -1 for one score per system."""
        return max(self.segments or [-1], default=-1)

    def select(
        self, systems: Sequence[str], segments: int, *, average: bool = False
    ) -> list[list[float]]:
        """Return the scores of some systems: one list per system, NaN if there is no score.

        Args:
            systems: the systems by their names in the table.
            segments: the number of segments.
            average: average repeated scores, as of several raters, instead of rejecting them.

        Raises:
            InputError: a segment is out of range, a score is repeated, or there are none.
        """
        count = 1 if self.segments is None else segments
        places = self.segments or [0] * len(self.systems)
        check_segments(self.table, places, count)
        known = set(systems)
        rows = [row for row, name in enumerate(self.systems) if name in known]
        if not average:
            self._check_unique(rows, places)
        scored = [row for row in rows if not isnan(self.scores[row])]
        if not scored:
            raise InputError(f"{self.table.name} has no score of {', '.join(systems)}")
        sums = {system: [0.0] * count for system in systems}
        times = {system: [0] * count for system in systems}
        for row in scored:
            sums[self.systems[row]][places[row]] += self.scores[row]
            times[self.systems[row]][places[row]] += 1
        return [
            [
                total / number if number else float("nan")
                for total, number in zip(sums[system], times[system], strict=True)
            ]
            for system in systems
        ]

    def _check_unique(self, rows: Sequence[int], places: Sequence[int]) -> None:
        first: dict[tuple[int, str], int] = {}
        for row in rows:
            before = first.setdefault((places[row], self.systems[row]), row)
            if before != row:
                whole = self.segments is None
                raise InputError(
                    f"{self.table.place(row)} repeats the score of {self.systems[row]}"
                    f"{'' if whole else ' for the same segment'} in row {self.table.lines[before]}"
                    f"{', and there is no column segment' if whole else ''}: remove one, or use "
                    "--average"
                )


def read_score_table(source: Source, layout: TableLayout) -> ScoreTable:
    """Read a table with the columns segment, system, score, or system, score.

    Args:
        source: a file; its column, if any, is that of the scores.
        layout: how the table is read.

    Raises:
        InputError: the file cannot be read, or a column is missing; the message names the place.
    """
    table, roles = open_table(source, layout, SCORE_COLUMNS)
    first = layout.first_segment
    if first is None:
        # What --save-scores writes counts from 1.
        first = int(TEST_SET in table.columns)
    return score_table(table, roles, first)


def score_table(table: NamedColumns, roles: ColumnRoles, first_segment: int) -> ScoreTable:
    """Return the scores of an open table.

    Args:
        table: the table.
        roles: the roles of its columns.
        first_segment: the number of the first segment in the table.
    """
    systems, scores = roles["system"], roles["score"]
    segments = None
    # Without a column like "segment", the table has one score per system.
    if "segment" in roles or nearest("segment", table.columns):
        segments = segment_numbers(table, roles["segment"], first_segment)
    return ScoreTable(table, segments, table.strings(systems), table.numbers(scores))
