"""Tests with PyTorch run in one thread: several test processes share the cores."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

if find_spec("torch"):
    import_module("torch").set_num_threads(1)
