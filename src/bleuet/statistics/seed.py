"""The default random seed, which is sacreBLEU's."""

from __future__ import annotations

import os

from bleuet.errors import OptionError

SEED = 12345
# The value "none" means a new seed in every run.
VARIABLE = "SACREBLEU_SEED"


def default_seed() -> int | None:
    """Return the seed of the environment variable SACREBLEU_SEED, or 12345; None for "none".

    Raises:
        OptionError: the variable is not a whole number.
    """
    seed = os.environ.get(VARIABLE, str(SEED)).lower()
    if seed == "none":
        return None
    if not seed.isdecimal():
        raise OptionError(f"{VARIABLE} must be a whole number or 'none', not {seed!r}")
    return int(seed)
