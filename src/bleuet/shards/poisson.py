"""Bootstrap draws without the rows of other shards: each row has a Poisson weight in each draw.

How often a row comes in a bootstrap draw is nearly a Poisson variable with the mean 1 (Hanley and
MacGibbon 2006; Chamandy et al. 2012). Its weight depends on the seed, the shard and the row alone,
so that the sums are the same for any number of workers.
"""

from __future__ import annotations

from hashlib import blake2b
from math import exp, factorial
from typing import TYPE_CHECKING

from bleuet.extras import deferred
from bleuet.statistics.table import Table

if TYPE_CHECKING:
    from typing import Any

    import numpy as np
else:
    np = deferred("numpy")

# A weight is drawn with a random number of 16 bits.
LEVELS = 1 << 16
MOST_WEIGHT = 9
# Rows whose weights are in memory at a time.
ROWS = 512


class PoissonDraws:
    """The weights of a shard's rows, one row after the other.

    Args:
        seed: the random seed.
        shard: the name of the shard.
        draws: the number of draws.
    """

    def __init__(self, seed: int, shard: str, draws: int) -> None:
        named = f"{seed}|{shard}".encode("utf-8", "surrogatepass")
        digest = blake2b(named, digest_size=16).digest()
        self._random = np.random.Philox(key=np.frombuffer(digest, dtype="<u8").astype(np.uint64))
        self._weights = _weights_by_level()
        self._draws = draws
        # A random number of the generator has four times 16 bits.
        self._words = -(-draws // 4)

    def weights(self, rows: int) -> Any:
        """Return the weights of the next rows, rows x draws."""
        words = self._random.random_raw(rows * self._words).astype("<u8")
        return self._weights[words.view("<u2").reshape(rows, -1)[:, : self._draws]]

    def sums(self, columns: list[Any], groups: Any, count: int) -> list[list[Any]]:
        """Return the weighted sums of the next rows, of each group.

        Args:
            columns: arrays of rows x columns, all of the same rows.
            groups: an array with the number of each row's group, from 0.
            count: the number of groups.

        Returns:
            For each group and each of `columns` an array of draws x columns of floats, exact for
            integers below 2**53.
        """
        sums = [[np.zeros((self._draws, one.shape[1])) for one in columns] for _ in range(count)]
        for first in range(0, len(groups), ROWS):
            inside = groups[first : first + ROWS]
            # Each row has its weights, whatever group it is in.
            drawn = self.weights(len(inside)).astype(np.float64)
            for group in np.unique(inside):
                chosen = inside == group
                weights = drawn[chosen].T
                for whole, one in zip(sums[group], columns, strict=True):
                    whole += weights @ one[first : first + ROWS][chosen]
        return sums


def _weights_by_level() -> Any:
    """Return the weight for each number of 16 bits, each as often as is probable."""
    shares = [exp(-1) / factorial(weight) for weight in range(MOST_WEIGHT + 1)]
    ends = np.rint(np.cumsum(shares) * LEVELS).astype(int)
    ends[-1] = LEVELS
    return np.repeat(np.arange(MOST_WEIGHT + 1, dtype=np.uint8), np.diff(ends, prepend=0))


def rows_of(table: Table) -> Any:
    """Return the rows of a table as an array of floats, rows x columns."""
    integers, reals = table.blocks()
    parts = [
        np.frombuffer(block, dtype=kind).reshape(-1, table.rows).T.astype(np.float64)
        for block, kind in ((integers, np.int64), (reals, np.float64))
        if len(block)
    ]
    return np.concatenate(parts, axis=1)


def table_of(sums: Any, like: Table) -> Table:
    """Return the sums of draws, draws x columns, as a table with a row for each draw."""
    split = len(like.integer_columns)
    integers = np.ascontiguousarray(np.rint(sums[:, :split]).astype(np.int64).T)
    reals = np.ascontiguousarray(sums[:, split:].T)
    return Table(
        like.integer_columns, like.real_columns, len(sums), integers.tobytes(), reals.tobytes(),
        like.n_references, like.learned,
    )  # fmt: skip
