"""The backend that counts: the native kernel if it was built, otherwise the Python backend.

Both have the same names (see `_kernel.pyi`), and tests check that they give the same numbers. The
environment variable `BLEUET_BACKEND=python` selects the Python backend where both are installed.
"""

from __future__ import annotations

import os
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

_chosen: ModuleType | None = None


def _choose() -> ModuleType:
    if os.environ.get("BLEUET_BACKEND", "") != "python":
        try:
            return import_module("bleuet.statistics._kernel")
        except ImportError:
            _warn_once()
    return import_module("bleuet.statistics.python_backend.counters")


def _warn_once() -> None:
    import warnings

    warnings.warn(
        "bleuet was installed without its native kernel, so the Python backend counts: the same "
        "numbers, about a hundred times slower. Install a C++17 compiler, and then, in the "
        "folder of the source: pip install --force-reinstall --no-deps .",
        RuntimeWarning,
        stacklevel=2,
    )


def backend() -> ModuleType:
    """Return the module that counts: `_kernel` or `python_backend.counters`."""
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
