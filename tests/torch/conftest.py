"""Tests with PyTorch run in one thread: several test processes share the cores."""

from __future__ import annotations

from importlib import import_module

import pytest


@pytest.fixture(scope="session", autouse=True)
def _one_thread() -> None:
    import_module("torch").set_num_threads(1)
