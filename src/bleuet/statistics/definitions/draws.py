"""numpy's stream of random numbers and sums of rows drawn from it, from their definitions.

The stream is that of `numpy.random.default_rng(seed)`: a seed hashed by SeedSequence, the generator
PCG64 (O'Neill 2014, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for
Random Number Generation"), and whole numbers by Lemire's method (2019, "Fast Random Integer
Generation in an Interval").
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Literal, TypeAlias

    # integers, how many columns, reals, how many columns, and the buffers for the sums of both
    DrawnTable: TypeAlias = tuple[Any, int, Any, int, Any, Any]

_BITS_32 = (1 << 32) - 1
_BITS_64 = (1 << 64) - 1
_BITS_128 = (1 << 128) - 1
_MULTIPLIER = 2549297995355413924 << 64 | 4865540595714422341
_MOST_ROWS = 1 << 32


class Pcg64:
    """A stream of random numbers.

    Args:
        seed: the seed's 32-bit digits, the lowest first; 0 is one digit.

    >>> stream, drawn = Pcg64([12345]), memoryview(bytearray(8 * 5)).cast("q")
    >>> stream.rows(10, drawn, 5)
    >>> list(drawn)
    [6, 2, 7, 3, 2]
    """

    def __init__(self, seed: Sequence[int]) -> None:
        state_high, state_low, stream_high, stream_low = _seed_words(list(seed))
        self._increment = ((stream_high << 64 | stream_low) << 1 | 1) & _BITS_128
        self._state = 0
        self._half: int | None = None
        self._step()
        self._state = (self._state + (state_high << 64 | state_low)) & _BITS_128
        self._step()

    def rows(self, below: int, out: Any, count: int) -> None:
        """Write `count` whole numbers below a bound, as `integers(0, below, count)` draws them."""
        if not 0 < below <= _MOST_ROWS:
            raise ValueError("rows are drawn from 1 to 4294967296 of them")
        rows = memoryview(out).cast("B").cast("q")
        for i, row in zip(range(count), self._rows(below), strict=False):
            rows[i] = row

    def choices(self, out: Any, count: int) -> None:
        """Write `count` bytes of 0 or 1, as `integers(2, size=count, dtype=bool)` draws them."""
        choices = memoryview(out).cast("B")
        for i, bit in zip(range(count), self._bits(), strict=False):
            choices[i] = bit

    def sum_draws(
        self, tables: Sequence[DrawnTable], rows: int, draws: int, threads: int = 1
    ) -> None:
        """Write the sums of draws of as many rows as there are, with repetition."""
        source = self._rows(rows)

        def weigh() -> list[int]:
            weights = [0] * rows
            for _ in range(rows):
                weights[next(source)] += 1
            return weights

        _write_sums(tables, rows, draws, weigh)

    def sum_choices(
        self, tables: Sequence[DrawnTable], rows: int, draws: int, threads: int = 1
    ) -> None:
        """Write the sums of draws that select each row with probability 1/2."""
        bits = self._bits()
        _write_sums(tables, rows, draws, lambda: [next(bits) for _ in range(rows)])

    def _step(self) -> None:
        self._state = (self._state * _MULTIPLIER + self._increment) & _BITS_128

    def _next64(self) -> int:
        self._step()
        mixed = (self._state >> 64) ^ (self._state & _BITS_64)
        turn = self._state >> 122
        return (mixed >> turn | mixed << (64 - turn)) & _BITS_64

    def _next32(self) -> int:
        """Return the lower, then the upper half of a number of 64 bits."""
        if self._half is not None:
            number, self._half = self._half, None
            return number
        whole = self._next64()
        self._half = whole >> 32
        return whole & _BITS_32

    def _rows(self, below: int) -> Iterator[int]:
        if below == 1:
            while True:
                yield 0
        rejected = (_MOST_ROWS - below) % below
        while True:
            product = self._next32() * below
            # A remainder this small comes more often than others.
            if product & _BITS_32 >= rejected:
                yield product >> 32

    def _bits(self) -> Iterator[int]:
        while True:
            number = self._next32()
            for bit in range(32):
                yield number >> bit & 1


def sum_given_draws(
    chosen: Any, tables: Sequence[DrawnTable], rows: int, draws: int, threads: int = 1
) -> None:
    """Write the sums of draws from row numbers, `rows` of them for each draw."""
    numbers = memoryview(chosen).cast("B").cast("q")
    if any(not 0 <= row < rows for row in numbers):
        raise IndexError("a row number lies outside the table")
    following = iter(numbers)

    def weigh() -> list[int]:
        weights = [0] * rows
        for _ in range(rows):
            weights[next(following)] += 1
        return weights

    _write_sums(tables, rows, draws, weigh)


def sum_given_choices(
    chosen: Any, tables: Sequence[DrawnTable], rows: int, draws: int, threads: int = 1
) -> None:
    """Write the sums of draws from choices, `rows` bytes of 0 or 1 for each draw."""
    choices = memoryview(chosen).cast("B")
    if any(choice > 1 for choice in choices):
        raise ValueError("a choice is 0 or 1")
    following = iter(choices)
    _write_sums(tables, rows, draws, lambda: [next(following) for _ in range(rows)])


def exchange_integers(chosen: Any, taken: Any, rows: int, totals: list[int], out: Any) -> None:
    """Write the total of each column without `taken` and with `chosen`."""
    _exchange(chosen, taken, "q", rows, totals, out)


def exchange_reals(chosen: Any, taken: Any, rows: int, totals: list[float], out: Any) -> None:
    """Do the same for real columns."""
    _exchange(chosen, taken, "d", rows, totals, out)


def _exchange(
    chosen: Any, taken: Any, kind: Literal["q", "d"], rows: int, totals: list[Any], out: Any
) -> None:
    coming: Any = memoryview(chosen).cast("B").cast(kind)
    leaving: Any = memoryview(taken).cast("B").cast(kind)
    target: Any = memoryview(out).cast("B").cast(kind)
    if not len(coming) == len(leaving) == len(target) == rows * len(totals):
        raise ValueError("a column buffer does not have the size of its table")
    for c, total in enumerate(totals):
        for i in range(c * rows, (c + 1) * rows):
            target[i] = total - leaving[i] + coming[i]


def _write_sums(
    tables: Sequence[DrawnTable], rows: int, draws: int, weigh: Callable[[], list[int]]
) -> None:
    """Write the sums of each draw; `weigh` returns how often the next draw has each row."""
    if rows == 0:
        raise ValueError("there is no row to draw")
    if rows > _MOST_ROWS:
        raise ValueError("more than 4294967296 rows")
    columns: list[tuple[Any, Any]] = []
    for integers, n_integers, reals, n_reals, integer_sums, real_sums in tables:
        whole = list(_columns(integers, integer_sums, "q", rows, draws, n_integers))
        # Three such sums fit into 64 bits.
        if any(rows * max(map(abs, values)) >= 1 << 61 for values, _ in whole):
            raise OverflowError("a sum has more than 61 bits")
        columns += whole
        columns += _columns(reals, real_sums, "d", rows, draws, n_reals)
    for draw in range(draws):
        taken = [(row, weight) for row, weight in enumerate(weigh()) if weight]
        for values, sums in columns:
            # Not sum(), which compensates for rounding from Python 3.12 on.
            total = 0
            for row, weight in taken:
                total += weight * values[row]
            sums[draw] = total


def _columns(
    values: Any, sums: Any, kind: Literal["q", "d"], rows: int, draws: int, n_columns: int
) -> Iterator[tuple[Any, Any]]:
    inside: Any = memoryview(values).cast("B").cast(kind)
    outside: Any = memoryview(sums).cast("B").cast(kind)
    if len(inside) != rows * n_columns or len(outside) != draws * n_columns:
        raise ValueError("a column buffer does not have the size of its table")
    for c in range(n_columns):
        yield inside[c * rows : (c + 1) * rows], outside[c * draws : (c + 1) * draws]


# --- numpy's SeedSequence, after O'Neill's seed_seq_fe -------------------------------------------


class _SeedHash:
    def __init__(self, constant: int, multiplier: int) -> None:
        self.constant = constant
        self.multiplier = multiplier

    def __call__(self, value: int) -> int:
        value ^= self.constant
        self.constant = self.constant * self.multiplier & _BITS_32
        value = value * self.constant & _BITS_32
        return value ^ value >> 16


def _mix(x: int, y: int) -> int:
    mixed = (0xCA01F9DD * x - 0x4973F715 * y) & _BITS_32
    return mixed ^ mixed >> 16


def _seed_words(seed: list[int]) -> list[int]:
    """Return four 64-bit numbers: the state's upper and lower half, and the stream's."""
    spread = _SeedHash(0x43B0D7E5, 0x931E8875)
    pool = [spread(digit) for digit in (*seed, 0, 0, 0)[:4]]
    for source in range(4):
        for target in range(4):
            if source != target:
                pool[target] = _mix(pool[target], spread(pool[source]))
    for digit in seed[4:]:
        for target in range(4):
            pool[target] = _mix(pool[target], spread(digit))
    draw = _SeedHash(0x8B51F9DD, 0x58F38DED)
    words = [draw(pool[i % 4]) for i in range(8)]
    return [words[i] | words[i + 1] << 32 for i in range(0, 8, 2)]
