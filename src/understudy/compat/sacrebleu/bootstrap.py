"""Bootstrap intervals with sacreBLEU's own draws, to the printed digit."""

from __future__ import annotations

import os

from understudy.errors import OptionError
from understudy.extras import optional

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from understudy.compat.sacrebleu.metrics.base import Metric

SEED = "12345"


def resample(stats: Any, metric: Metric, n_samples: int = 1000) -> tuple[str, list[Any]]:
    """Draw segments with repetition, as many as there are, and score each draw.

    Args:
        stats: rows of statistics, one per segment.
        metric: whose rows they are.
        n_samples: the number of draws.

    Returns:
        The seed as it stands in the signature, and the draws' scores. The seed is 12345, or that
        of the environment variable SACREBLEU_SEED, where "none" draws anew each time.

    Raises:
        MissingExtraError: numpy, whose random numbers these are, is not installed.
        OptionError: SACREBLEU_SEED is no whole number.
    """
    numpy = optional("numpy")
    seed, number = chosen_seed()
    generator = numpy.random.default_rng(number)
    # sacreBLEU adds in single precision; the sums of reference lengths need the same to agree.
    rows = numpy.array(stats, dtype="float32")
    draws = (generator.choice(len(rows), size=len(rows)) for _ in range(n_samples))
    return seed, [metric._compute_score_from_stats(rows[draw].sum(0)) for draw in draws]


def chosen_seed() -> tuple[str, int | None]:
    """Return the seed as it is printed and as numpy takes it.

    Raises:
        OptionError: SACREBLEU_SEED is no whole number.
    """
    seed = os.environ.get("SACREBLEU_SEED", SEED).lower()
    if seed == "none":
        return seed, None
    if not seed.isdecimal():
        raise OptionError(f"SACREBLEU_SEED must be a whole number or 'none', not {seed!r}")
    return seed, int(seed)
