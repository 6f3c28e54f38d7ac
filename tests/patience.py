"""How tests wait: for what must happen, however busy the machine is.

A test that something does not wait for something else compares their order, not seconds. What must
not grow with the square of a length takes a tenth of `little_work` at most, and would take minutes.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Seconds after which a test gives up what should have happened.
PATIENCE = 300.0
LITTLE_SECONDS = 10.0


def wait_until(happens: Callable[[], object]) -> None:
    """Wait until a call returns something true.

    Raises:
        AssertionError: it never does.
    """
    late = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < late, "what the test waits for does not happen"
        time.sleep(0.02)


@contextmanager
def little_work() -> Iterator[None]:
    """Check that this process computes for a few seconds only, whatever other programs do."""
    started = time.process_time()
    yield
    assert time.process_time() - started < LITTLE_SECONDS
