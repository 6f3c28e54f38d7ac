"""Who counts: the native kernel where it was built, the legible Python twin elsewhere.

Both offer the same names (see `_kernel.pyi`), and tests hold them to the same numbers. The
environment variable `UNDERSTUDY_KERNEL=twin` chooses the twin where both are there.
"""

from __future__ import annotations

import os
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

_chosen: ModuleType | None = None


def _choose() -> ModuleType:
    if os.environ.get("UNDERSTUDY_KERNEL", "") != "twin":
        try:
            return import_module("understudy.statistics._kernel")
        except ImportError:
            _warn_once()
    return import_module("understudy.statistics.twin.program")


def _warn_once() -> None:
    import warnings

    warnings.warn(
        "understudy was installed without its native kernel, so the Python twin counts: the same "
        "numbers, about a hundred times slower. A C++17 compiler mends it: install one, and in the "
        "folder of its source: pip install --force-reinstall --no-deps .",
        RuntimeWarning,
        stacklevel=2,
    )


def program() -> ModuleType:
    """Return the module that counts: `_kernel` or `twin`."""
    global _chosen
    if _chosen is None:
        _chosen = _choose()
    return _chosen


def is_native() -> bool:
    """Return whether the native kernel counts.

    >>> is_native() == program().__name__.endswith("._kernel")
    True
    """
    native: bool = program().NATIVE
    return native
