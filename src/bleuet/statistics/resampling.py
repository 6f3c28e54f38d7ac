"""Sums of rows drawn at random from tables: every study draws with this.

The random numbers are those of `numpy.random.default_rng(seed)`, so that intervals and p-values can
be compared with those of other programs, but numpy is not needed for them. numpy does not promise
the same stream for other versions: if the installed one draws differently, its draws are used.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

from bleuet.errors import OptionError, TableError
from bleuet.extras import optional
from bleuet.statistics.backend import backend
from bleuet.statistics.seed import SEED
from bleuet.statistics.table import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

# Row numbers that numpy draws at a time, if its draws are used.
_NUMBERS_AT_A_TIME = 1 << 20
# numpy draws bits in words of this size, and drops the rest of the last.
_BITS = 32

# Versions of numpy that were found to draw the same as the kernel.
_ALIKE = ("2.2.", "2.3.", "2.4.")

_numpy_draws_same: bool | None = None


class Resampler:
    """Draws rows from tables, the same from all of them, and adds them.

    Each call continues the random numbers of the one before; two resamplers with the same seed draw
    the same.

    Args:
        seed: a random seed, a whole number from 0 on; None for a new one in every run.

    Raises:
        OptionError: the seed is not a whole number, or negative.

    >>> table = Table.from_rows(("matches",), (), [(1,), (10,), (100,)])
    >>> (sums,) = Resampler(12345).draw([table], 4)
    >>> sums.column("matches").tolist()  # rows 2 0 2, then 0 0 2, then 1 2 2, then 1 2 0
    [201, 102, 210, 111]
    """

    def __init__(self, seed: int | None = SEED) -> None:
        number = check_seed(seed)
        alike = _draws_as_numpy()
        self._stream = backend().Pcg64(seed_digits(number)) if alike else _NumpyStream(number)

    def draw(self, tables: Sequence[Table], draws: int, *, threads: int = 1) -> list[Table]:
        """Draw as many rows as there are, with repetition, and add them.

        Args:
            tables: tables of the same segments; they share the draws.
            draws: how many times to draw.
            threads: threads of the kernel, 0 for one per core; the sums are the same.

        Returns:
            For each table a table of the sums, one row per draw.

        Raises:
            TableError: the tables have no rows, or different numbers of rows, or a sum can have
                more than 61 bits, so that sums of two systems can be added.
            OptionError: `draws` is negative, not a whole number, or too large.
        """
        return _resample(self._stream.sum_draws, tables, draws, threads)

    def choose(self, tables: Sequence[Table], draws: int, *, threads: int = 1) -> list[Table]:
        """Select each row with probability 1/2, and add the selected rows.

        Arguments, returned tables and errors are as for `draw`. `exchanged` has the sums of two
        systems whose selected rows are swapped.
        """
        return _resample(self._stream.sum_choices, tables, draws, threads)


def exchanged(mine: tuple[Table, Table], others: tuple[Table, Table]) -> Table:
    """Return the sums of the selected rows of one table and the other rows of another.

    Args:
        mine: a table, and what `choose` returned for it.
        others: another table, and what the same call returned for it.

    >>> a, b = (Table.from_rows(("matches",), (), [(n,), (10 * n,)]) for n in (1, 2))
    >>> chosen = Resampler().choose([a, b], 4)  # of a rows 0, both, 0 and 1
    >>> exchanged((a, chosen[0]), (b, chosen[1])).column("matches").tolist()
    [21, 11, 21, 12]
    """
    (_, chosen), (whole, taken) = mine, others
    totals, split = whole.totals().values, len(whole.integer_columns)
    counting = backend()
    blocks = []
    for block, (exchange, sums) in enumerate(
        ((counting.exchange_integers, totals[:split]), (counting.exchange_reals, totals[split:]))
    ):
        out = bytearray(8 * len(sums) * chosen.rows)
        exchange(chosen.blocks()[block], taken.blocks()[block], chosen.rows, list(sums), out)
        blocks.append(out)
    columns = chosen.integer_columns, chosen.real_columns
    integers, reals = blocks
    return Table(*columns, chosen.rows, integers, reals, chosen.n_references, chosen.learned)


def without_each(table: Table) -> Table:
    """Return the sums of all rows but one, for each row that can be left out.

    >>> without_each(Table.from_rows(("matches",), (), [(1,), (10,)])).column("matches").tolist()
    [10, 1]
    """
    columns = table.integer_columns, table.real_columns
    integers, reals = (bytes(block.nbytes) for block in table.blocks())
    nothing = Table(*columns, table.rows, integers, reals)
    return exchanged((table, nothing), (table, table))


def check_seed(seed: object) -> int:
    """Return the seed, or a new random one for None.

    Raises:
        OptionError: it is not a whole number, or negative.
    """
    if seed is None:
        from secrets import randbits

        return randbits(128)
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise OptionError(f"a seed must be a whole number of 0 or more, or None, not {seed!r}")
    number = int(seed.__index__())
    if number < 0:
        raise OptionError(f"a seed must be a whole number of 0 or more, or None, not {number}")
    return number


def seed_digits(seed: int) -> list[int]:
    """Return the digits of a seed, of 32 bits, the lowest first, as in numpy's SeedSequence.

    >>> seed_digits(0), seed_digits(2**32 + 7)
    ([0], [7, 1])
    """
    digits = [seed & 0xFFFFFFFF]
    while seed := seed >> 32:
        digits.append(seed & 0xFFFFFFFF)
    return digits


def _resample(
    sum_rows: Callable[..., None], tables: Sequence[Table], draws: int, threads: int
) -> list[Table]:
    if isinstance(draws, bool) or not isinstance(draws, int) or draws < 0:
        raise OptionError(f"the number of draws must be a whole number of 0 or more, not {draws!r}")
    rows = _common_rows(tables)
    drawn, sums = [], []
    for table in tables:
        integers = _room_for(len(table.integer_columns), draws)
        reals = _room_for(len(table.real_columns), draws)
        n_integers, n_reals = len(table.integer_columns), len(table.real_columns)
        ours, theirs = table.blocks()
        drawn.append((ours, n_integers, theirs, n_reals, integers, reals))
        sums.append((table, integers, reals))
    try:
        sum_rows(drawn, rows, draws, min(threads, 1024))
    except OverflowError:
        raise TableError(
            f"a column has numbers so large that sums of {rows} rows may have more than 61 bits, "
            "which no count of a text has; expected smaller numbers: check the rows and where "
            "they come from"
        ) from None
    return [
        Table(t.integer_columns, t.real_columns, draws, integers, reals, t.n_references, t.learned)
        for t, integers, reals in sums
    ]


def _room_for(columns: int, draws: int) -> bytearray:
    try:
        return bytearray(8 * columns * draws)
    except (MemoryError, OverflowError):
        raise OptionError(f"{draws} draws do not fit into memory: use fewer") from None


def _common_rows(tables: Sequence[Table]) -> int:
    counts = sorted({table.rows for table in tables})
    if not counts or counts == [0]:
        raise TableError("there is no segment to draw: use tables with at least one row")
    if len(counts) > 1:
        raise TableError(
            "tables that are drawn from together must have the same segments, but one has "
            f"{counts[0]} rows and another {counts[-1]}"
        )
    return counts[0]


# --- numpy's own draws ----------------------------------------------------------------------------


def _draws_as_numpy() -> bool:
    """Return whether numpy is missing or draws the same as the kernel; tested once."""
    global _numpy_draws_same
    if _numpy_draws_same is None:
        version = _numpy_version()
        # Importing numpy only to test it would take longer than most tests of systems.
        known = version is None or version.startswith(_ALIKE)
        _numpy_draws_same = known or _agrees_with(optional("numpy"))
    return _numpy_draws_same


def _numpy_version() -> str | None:
    """Return the version of numpy without importing it, "" if unknown, None if it is missing."""
    if "numpy" in sys.modules:
        return str(sys.modules["numpy"].__version__)
    found = find_spec("numpy")
    if found is None or not found.submodule_search_locations:
        return None
    try:
        with open(os.path.join(found.submodule_search_locations[0], "version.py")) as file:
            _, _, rest = file.read().partition('\nversion = "')
    except OSError:
        return ""
    return rest.partition('"')[0]


def _agrees_with(numpy: Any) -> bool:
    rows, draws = 1000, 3
    table = Table.from_rows(("row",), (), [(i * i,) for i in range(rows)])
    numbers = numpy.array(table.column("row"))
    stream, theirs = backend().Pcg64(seed_digits(SEED)), _NumpyStream(SEED)
    chosen = theirs.generator.integers(2, size=(draws, rows), dtype=bool)
    drawn = theirs.generator.choice(rows, size=(draws, rows))
    expected = [*(chosen @ numbers).tolist(), *numbers[drawn].sum(1).tolist()]
    (swapped,) = _resample(stream.sum_choices, [table], draws, 1)
    (summed,) = _resample(stream.sum_draws, [table], draws, 1)
    return [*swapped.column("row"), *summed.column("row")] == expected


class _NumpyStream:
    """The interface of `Pcg64`, with row numbers that numpy draws."""

    def __init__(self, seed: int) -> None:
        self.generator = optional("numpy").random.default_rng(seed)

    def sum_draws(self, tables: Any, rows: int, draws: int, threads: int) -> None:
        """Write the sums of draws of as many rows as there are, with repetition."""
        at_a_time = max(1, _NUMBERS_AT_A_TIME // rows)

        def draw(count: int) -> Any:
            return self.generator.choice(rows, size=(count, rows))

        _sum_in_parts(backend().sum_given_draws, draw, at_a_time, tables, rows, draws, threads)

    def sum_choices(self, tables: Any, rows: int, draws: int, threads: int) -> None:
        """Write the sums of draws that select each row with probability 1/2."""
        at_a_time = _BITS * max(1, _NUMBERS_AT_A_TIME // rows // _BITS)

        def draw(count: int) -> Any:
            return self.generator.integers(2, size=(count, rows), dtype=bool).view("uint8")

        _sum_in_parts(backend().sum_given_choices, draw, at_a_time, tables, rows, draws, threads)


def _sum_in_parts(
    sum_given: Callable[..., None],
    draw: Callable[[int], Any],
    at_a_time: int,
    tables: Any,
    rows: int,
    draws: int,
    threads: int,
) -> None:
    for first in range(0, draws, at_a_time):
        count = min(at_a_time, draws - first)
        parts: list[Any] = [
            (ours, n, theirs, m, bytearray(8 * n * count), bytearray(8 * m * count))
            for ours, n, theirs, m, _, _ in tables
        ]
        sum_given(draw(count), parts, rows, count, threads)
        for (_, n, _, m, *sums), (*_, integers, reals) in zip(parts, tables, strict=True):
            for n_columns, part, whole in ((n, sums[0], integers), (m, sums[1], reals)):
                for c in range(n_columns):
                    start = 8 * (c * draws + first)
                    whole[start : start + 8 * count] = part[8 * c * count : 8 * (c + 1) * count]
