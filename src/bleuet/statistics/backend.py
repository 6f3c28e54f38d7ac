"""The backend that counts: the native kernel where it was built, otherwise plain Python.

Both have the same functions (see `_kernel.pyi`), and tests check that they give the same numbers.
The environment variable `BLEUET_BACKEND=python` selects Python where both are installed.
"""

from __future__ import annotations

import os
from importlib import import_module

from bleuet.errors import OptionError
from bleuet.messages import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

_chosen: ModuleType | None = None


def _choose() -> ModuleType:
    if os.environ.get("BLEUET_BACKEND", "") != "python":
        try:
            return import_module("bleuet.statistics._kernel")
        except ImportError:
            _warn_once()
    return import_module("bleuet.statistics.definitions.plain_python")


def _warn_once() -> None:
    import warnings

    warnings.warn(
        "bleuet was installed without its native kernel, so the Python backend counts: the same "
        "numbers, about a hundred times slower. Use a Python that has a wheel, or install a C++17 "
        "compiler and then: pip install --force-reinstall --no-deps --no-binary bleuet bleuet (in "
        "the folder of the source: pip install --force-reinstall --no-deps .)",
        RuntimeWarning,
        stacklevel=2,
    )


def backend() -> ModuleType:
    """Return the module that counts: `_kernel` or `definitions.plain_python`."""
    global _chosen
    if _chosen is None:
        _chosen = _choose()
    return _chosen


def is_native() -> bool:
    """Return whether the native kernel counts.

    >>> is_native() == backend().__name__.endswith("._kernel")
    True
    """
    native: bool = backend().NATIVE
    return native


def kernel_or_definition(definition: str) -> Any:
    """Return a class or function of the kernel, or its definition where Python counts.

    Args:
        definition: the module of the definition and its name, with a colon between them; the name
            is also that of what the kernel has.

    >>> kernel_or_definition("bleuet.statistics.definitions.plain_python:tokenize")("13a", "A cat.")
    ['A', 'cat', '.']
    """
    home, _, name = definition.partition(":")
    return getattr(backend() if is_native() else import_module(home), name)


def usable_cores() -> int:
    """Return how many cores this process may use.

    >>> usable_cores() >= 1
    True
    """
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def check_threads(threads: int) -> int:
    """Return the number of threads that the kernel gets.

    Raises:
        OptionError: `threads` is negative, or not a whole number.
    """
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 0:
        raise OptionError(
            f"threads must be a whole number, 0 for one per core, not {shown(threads)}"
        )
    return min(threads, 1024)
