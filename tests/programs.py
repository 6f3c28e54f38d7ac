"""The two programs that count, each put in charge for as long as a test asks for it."""

from __future__ import annotations

from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from understudy.statistics import counting
from understudy.statistics.twin import program as twin

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

HAS_KERNEL = find_spec("understudy.statistics._kernel") is not None


def kernel() -> ModuleType:
    from understudy.statistics import _kernel

    return _kernel


@contextmanager
def counted_by(program: ModuleType) -> Iterator[None]:
    """Let a program count. A metric keeps its counter, so make a new one inside."""
    before = counting._chosen
    counting._chosen = program
    try:
        yield
    finally:
        counting._chosen = before


@contextmanager
def counted_by_twin() -> Iterator[None]:
    with counted_by(twin):
        yield
