"""How tests wait: for what must happen, however busy the machine is.

A test that something does not wait for something else compares their order, not seconds. What must
not grow with the square of a length takes a tenth of `little_work` at most, and would take minutes.
"""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from pathlib import Path
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


def seconds_used(process: int) -> float:
    """Return the processor time of a process and of its children that have ended (Linux)."""
    after_name = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2]
    return sum(map(int, after_name.split()[11:15])) / os.sysconf("SC_CLK_TCK")


def seconds_of_children() -> float:
    """Return the processor time of the processes that this one has started and seen to end."""
    import resource  # Windows lacks it

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def wait_for_work_of(process: int, seconds: float = 0.3) -> None:
    """Wait until a process has used so much more processor time."""
    begin = seconds_used(process)
    wait_until(lambda: seconds_used(process) >= begin + seconds)


@contextmanager
def little_work() -> Iterator[None]:
    """Check that this process computes for a few seconds only, whatever other programs do."""
    started = time.process_time()
    yield
    assert time.process_time() - started < LITTLE_SECONDS
