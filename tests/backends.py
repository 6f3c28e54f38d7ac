"""The two programs that count, each put in charge for as long as a test asks for it."""

from __future__ import annotations

from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from bleuet.statistics import backend as choice
from bleuet.statistics.definitions import plain_python

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

HAS_KERNEL = find_spec("bleuet.statistics._kernel") is not None


def kernel() -> ModuleType:
    """Return the native kernel; without it the test that needs it is skipped."""
    if not HAS_KERNEL:
        pytest.skip("the native kernel was not built")
    from bleuet.statistics import _kernel

    return _kernel


@contextmanager
def counted_by(program: ModuleType) -> Iterator[None]:
    """Let a program count. A metric keeps its counter, so make a new one inside."""
    before = choice._chosen
    choice._chosen = program
    try:
        yield
    finally:
        choice._chosen = before


@contextmanager
def counted_by_python() -> Iterator[None]:
    with counted_by(plain_python):
        yield
