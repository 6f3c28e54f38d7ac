"""How many examples Hypothesis draws: those a test names, and a quarter of them in `make quick`."""

from __future__ import annotations

import os

from hypothesis import settings

QUICK = os.environ.get("HYPOTHESIS_PROFILE") == "quick"


def examples(number: int) -> settings:
    """Return the decorator of a test that draws this many examples."""
    return settings(max_examples=max(3, number // 4) if QUICK else number)
