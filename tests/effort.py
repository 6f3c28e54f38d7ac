"""How much work the tests of a run do: how many examples Hypothesis draws, and of what."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# Of the examples that a test names, and of those that Hypothesis draws by default.
SHARES = {"quick": 0.2, "test": 0.5, "all": 1.0, "fuzz": 20.0}
DEFAULT_EXAMPLES = 100

_run = "all"


def choose(run: str) -> None:
    """Set how many examples are drawn: the same ones in every run, but new ones to fuzz."""
    global _run
    _run = run
    settings.register_profile(
        "bleuet",
        derandomize=run != "fuzz",
        deadline=None,
        max_examples=int(DEFAULT_EXAMPLES * SHARES[run]),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    settings.load_profile("bleuet")


def is_quick() -> bool:
    """Whether the run is that of `make quick`."""
    return _run == "quick"


def is_fuzzing() -> bool:
    """Whether the run is that of `make fuzz`."""
    return _run == "fuzz"


def examples(number: int) -> settings:
    """Return the decorator of a test that draws this many examples, or a share of them."""
    return settings(max_examples=max(3, round(number * SHARES[_run])))
