from __future__ import annotations

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Executor


@pytest.fixture(scope="session")
def two_processes() -> Iterator[Executor]:
    """For what takes minutes: sacreBLEU is the slow one of the two."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        yield executor
