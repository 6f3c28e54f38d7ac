"""How much work the tests of a run do: how many examples Hypothesis draws, and of what."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

# Of the examples that a test names, and of those that Hypothesis draws by default.
SHARES = {"quick": 0.1, "test": 0.3, "all": 1.0, "fuzz": 20.0}
DEFAULT_EXAMPLES = 100
# With this variable a failing example is reported as it was drawn, which is much faster.
NO_SHRINKING = "BLEUET_NO_SHRINKING"

_run = "all"


def choose(run: str) -> None:
    """Set how many examples are drawn: the same ones in every run, but new ones to fuzz."""
    global _run
    _run = run
    shrinking = set() if os.environ.get(NO_SHRINKING) == "1" else {Phase.shrink, Phase.explain}
    settings.register_profile(
        "bleuet",
        derandomize=run != "fuzz",
        deadline=None,
        max_examples=int(DEFAULT_EXAMPLES * SHARES[run]),
        phases={Phase.explicit, Phase.reuse, Phase.generate} | shrinking,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    settings.load_profile("bleuet")


def is_quick() -> bool:
    """Whether the run is that of `make quick`."""
    return _run == "quick"


def is_whole() -> bool:
    """Whether the run takes all groups of tests."""
    return _run in ("all", "fuzz")


def is_fuzzing() -> bool:
    """Whether the run is that of `make fuzz`."""
    return _run == "fuzz"


def examples(number: int) -> settings:
    """Return the decorator of a test that draws this many examples, or a share of them."""
    return settings(max_examples=max(3, round(number * SHARES[_run])))
